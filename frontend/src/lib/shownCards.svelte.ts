// How wide cards are at the table that is shown, for every size that a person may choose.
import type { Size } from "./settings.svelte";

/** `widthOf`: in pixels, if that setting were so; null while no table is shown. */
export const shownCards = $state<{
  widthOf: ((setting: "handSize" | "feltSize", size: Size) => number) | null;
}>({ widthOf: null });
