// Sounds of the table, made on the spot: no files. Silent until a person turns them on, and before that person
// has touched the page; what makes them is fetched when the first is heard.
import { settings } from "./settings.svelte";
import type { GameEvent } from "./types";
import { isOwnSide, sideOf, type Seated } from "./narration";

export type Cue =
  | "deal"
  | "slide"
  | "place"
  | "flip"
  | "sweep"
  | "bid"
  | "pass"
  | "trump"
  | "meld"
  | "turn"
  | "made"
  | "set"
  | "won"
  | "lost";

/** The sound of a moment: the most important event is heard, as it is for this person's side. */
export function soundFor(events: readonly GameEvent[], table: Seated): Cue | null {
  for (const event of events)
    if (event.type === "GameWon") return table.you === null || isOwnSide(table, event.side) ? "won" : "lost";
  for (const event of events) {
    if (event.type !== "DealScored" || event.score.declarer === null) continue;
    const made = event.score.outcome === "made";
    const ours = table.you === null || isOwnSide(table, sideOf(table, event.score.declarer));
    return made === ours ? "made" : "set";
  }
  for (const [type, cue] of ORDER) if (events.some((event) => event.type === type)) return cue;
  return null;
}

const ORDER: readonly [GameEvent["type"], Cue][] = [
  ["Dealt", "deal"],
  ["Played", "slide"],
  ["KittyShown", "flip"],
  ["TrumpNamed", "trump"],
  ["Melded", "meld"],
  ["NineTurned", "meld"],
  ["MeldLaid", "meld"],
  ["BidMade", "bid"],
  ["Passed", "pass"],
  ["Given", "sweep"],
  ["Buried", "place"],
  ["Decided", "place"],
  ["Discarded", "place"],
  ["UpcardExchanged", "slide"],
  ["UpcardDrawn", "slide"],
];

let audio: AudioContext | null = null;

export function playSound(name: Cue): void {
  if (!settings.sound || !settings.volume || document.hidden) return;
  if (!(navigator.userActivation as UserActivation | undefined)?.hasBeenActive) return;
  void (async () => {
    try {
      const { sound } = await import("./synth");
      audio ??= new AudioContext();
      await audio.resume();
      sound(audio, name, settings.volume);
    } catch {
      // no sound here
    }
  })();
}
