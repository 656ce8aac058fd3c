// The speed of animations.
import { scaledDelay } from "./settings.svelte";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** How many times as long as usual a movement takes; 0 where nothing is staged. */
export const pace = () => (reduced.matches ? 0 : scaledDelay(1));
