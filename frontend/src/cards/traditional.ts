// The traditional deck as one piece, loaded apart from the page.
import { figures } from "./courtFigures";

export { default as Traditional } from "./TraditionalFace.svelte";

export function fetchFigures(): void {
  for (const url of Object.values(figures)) new Image().src = url;
}
