// What a seat calls in the auction, as a bubble beside it for as long as that is the latest thing that happened.
import type { GameEvent, SuitLetter } from "../lib/types";
import { text } from "../strings";

export interface Bubble {
  words: string;
  suit: SuitLetter | null; // trump that was named
  loud: boolean; // anything but a pass
}

/** The bubbles of a moment, by seat. */
export function bubbles(events: readonly GameEvent[]): Record<number, Bubble> {
  const made: Record<number, Bubble> = {};
  for (const event of events) {
    if (event.type === "BidMade")
      made[event.seat] = { words: text.number(event.points), suit: null, loud: true };
    else if (event.type === "Passed") made[event.seat] = { words: text.ask.pass, suit: null, loud: false };
    else if (event.type === "TrumpNamed")
      made[event.seat] = { words: text.suits[event.suit], suit: event.suit, loud: true };
  }
  return made;
}
