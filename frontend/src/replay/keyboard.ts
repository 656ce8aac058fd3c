// The keys of a replay.
import type { Playback } from "./playback.svelte";

const KEYS: Record<string, (playback: Playback) => void> = {
  ArrowRight: (playback) => playback.goTo(playback.at + 1),
  ArrowLeft: (playback) => playback.goTo(playback.at - 1),
  ArrowDown: (playback) => playback.trick(1),
  PageDown: (playback) => playback.trick(1),
  ArrowUp: (playback) => playback.trick(-1),
  PageUp: (playback) => playback.trick(-1),
  Home: (playback) => playback.goTo(0),
  End: (playback) => playback.goTo(playback.last),
  " ": (playback) => playback.play(),
};
const LETTERS: Record<string, (playback: Playback) => void> = {
  n: (playback) => playback.nextDeal(1),
  p: (playback) => playback.nextDeal(-1),
};

/** Do what a key is for; whether it is for anything. Letters can be turned off. */
export function press(event: KeyboardEvent, playback: Playback, letters: boolean): boolean {
  const on = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (document.querySelector("dialog[open]") || on.closest("select, input:not([type=range])")) return false;
  if (event.key === " " && on.closest("button, a")) return false;
  const does = KEYS[event.key] ?? (letters ? LETTERS[event.key] : undefined);
  does?.(playback);
  return does !== undefined;
}
