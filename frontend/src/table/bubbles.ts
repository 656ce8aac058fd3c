// What a seat calls in the auction, as a bubble beside it for as long as that is the latest thing that happened.
import type { GameEvent, SuitLetter, View } from "../lib/types";
import { text } from "../strings";

export interface Bubble {
  words: string;
  suit: SuitLetter | null; // trump that was named
  loud: boolean; // anything but a pass
  says?: string; // what a bid says by a convention
}
type Alerts = Pick<View, "auction" | "call_meanings" | "signals">;

/** What a bid or a card says by a convention, in a few words; "" for nothing. */
export function alertOf(event: GameEvent, view: Alerts): string {
  if (event.type === "BidMade") {
    const says = view.call_meanings[view.auction.findLastIndex((one) => one.seat === event.seat)];
    return says?.convention ? says.short : "";
  }
  if (event.type !== "Played") return "";
  const signal = view.signals.findLast((one) => one.seat === event.seat);
  return signal?.card === event.card ? signal.short : "";
}

/** The bubbles of a moment, by seat. */
export function bubbles(events: readonly GameEvent[], view: Alerts): Record<number, Bubble> {
  const made: Record<number, Bubble> = {};
  for (const event of events) {
    const says = alertOf(event, view);
    if (event.type === "BidMade")
      made[event.seat] = { words: text.number(event.points), suit: null, loud: true, says };
    else if (event.type === "Played" && says) made[event.seat] = { words: says, suit: null, loud: false };
    else if (event.type === "Passed") made[event.seat] = { words: text.ask.pass, suit: null, loud: false };
    else if (event.type === "TrumpNamed")
      made[event.seat] = { words: text.suits[event.suit], suit: event.suit, loud: true };
  }
  return made;
}
