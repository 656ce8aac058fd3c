// The pauses of the table: the frames shown between two states, and how long each of them stays.
import { without } from "./cards";
import { isInstant, scaledDelay } from "./settings.svelte";
import type { GameEvent, StateMessage, View } from "./types";

export type Stage = "melds" | "deal" | "game";
export interface Frame {
  message: StateMessage;
  view: View | null;
  events: GameEvent[];
  holdMs: number; // milliseconds before the next frame, at the usual speed
  stage: Stage | null; // shown until it is dismissed
  dealt: boolean;
  settled: boolean; // the state itself, not a moment on the way to it
}

const EVENT_MS: Record<string, number> = {
  Dealt: 1300,
  BidMade: 650,
  Passed: 550,
  Declared: 900,
  KittyShown: 2000,
  TrumpNamed: 1300,
  Given: 900,
  Buried: 600,
  Decided: 400,
  Discarded: 700,
  NineTurned: 1200,
  MeldLaid: 1200,
  Played: 550,
  UpcardExchanged: 900,
  UpcardDrawn: 1000,
  NoMarriage: 1800,
  ThrownIn: 1600,
  Conceded: 1400,
  Reneged: 2000,
};
const TRICK_MS = 1300; // a finished trick stays that long
/** Where a turn clock runs, melds and scores step aside by themselves after this time. */
export const READING_MS = 6000;
/** How often it is looked whether something would be missed by reading on. */
export const READING_CHECK_MS = 1000;

/** The moments by which a table gets from one view to the next state. */
export function framesBetween(before: View | null, message: StateMessage): Frame[] {
  const { view, events } = message;
  const made: Frame[] = [];
  const frame = (shown: View | null, seen: GameEvent[], holdMs: number, stage: Stage | null = null) =>
    made.push({
      message,
      view: shown,
      events: seen,
      holdMs,
      stage:
        message.missed || (message.table.lesson && message.table.lesson.waits !== "go-on") ? null : stage,
      dealt: seen.some((e) => e.type === "Dealt") && !message.missed,
      settled: false,
    });
  const won = events.find((event) => event.type === "TrickWon");
  let rest = events;
  if (won && before) {
    const at = events.indexOf(won);
    const played = events.find((event) => event.type === "Played");
    const hand = played && played.seat === before.seat ? without(before.hand, [played.card]) : before.hand;
    const sizes = before.sizes.map((size, seat) => (seat === played?.seat ? size - 1 : size));
    const table = before.table.map((down, seat) =>
      seat === played?.seat && sizes[seat]! < down.length ? without(down, [played.card]) : down,
    );
    frame(
      { ...before, hand, sizes, table, leader: won.leader, trick: won.cards, turn: null },
      events.slice(0, at + 1),
      TRICK_MS,
    );
    rest = events.slice(at + 1);
  }
  const kitty = rest.find((event) => event.type === "KittyShown");
  if (kitty && view) {
    const mine = view.seat === kitty.seat;
    const sizes = view.sizes.map((size, seat) => (seat === kitty.seat ? size - kitty.cards.length : size));
    frame(
      { ...view, hand: mine ? without(view.hand, kitty.cards) : view.hand, sizes },
      rest,
      EVENT_MS.KittyShown!,
    );
    rest = [];
  }
  const scored = rest.some((event) => event.type === "DealScored");
  const over = rest.some((event) => event.type === "GameWon");
  const melded = rest.some((event) => event.type === "Melded" && event.shown.length > 0);
  const named = rest.findIndex((event) => event.type === "TrumpNamed");
  if (view && melded && named >= 0) {
    frame({ ...view, melds: [], melded: [], turn: null }, rest.slice(0, named + 1), EVENT_MS.TrumpNamed!);
    rest = rest.slice(named + 1);
  }
  const holdMs = Math.max(0, ...rest.map((event) => EVENT_MS[event.type] ?? 0));
  frame(view, rest, holdMs || (won ? 450 : 0), over ? "game" : scored ? "deal" : melded ? "melds" : null);
  made.at(-1)!.settled = true;
  return made;
}

/** How many milliseconds a frame stays: less where much is waiting, was missed, or is certain anyway.
 *  `waiting`: how many frames follow. `isAgainstClock`: a person is to act while a clock runs. */
export function shownMs(frame: Frame, waiting: number, isAgainstClock: boolean): number {
  if (document.hidden) return 0;
  const { missed, table } = frame.message;
  const leastMs = isInstant() && frame.holdMs === TRICK_MS ? 350 : 0; // a trick is always seen
  const factor = missed
    ? 0.15
    : waiting > 12 || table.claiming_seat !== null
      ? 0.35
      : isAgainstClock
        ? 0.5
        : 1;
  return Math.max(scaledDelay(frame.holdMs) * factor, missed ? 0 : leastMs);
}
