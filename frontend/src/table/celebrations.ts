// What is worth a small celebration: a game, a run, aces around, more than one pinochle.
import { SUITS } from "../lib/cards";
import type { GameEvent, Meld, SuitLetter } from "../lib/types";

export interface Celebration {
  seat: number | null; // where it is; the end of a game is in the middle
  suits: readonly SuitLetter[];
}

function suitsOf(melds: readonly Meld[], trump: SuitLetter | null): readonly SuitLetter[] | null {
  if (melds.some(({ kind }) => kind === "aces around" || kind === "double roundhouse")) return SUITS;
  if (melds.some(({ kind, name }) => kind === "pinochle" && name !== kind)) return ["S", "D"];
  if (melds.some(({ kind }) => kind === "run")) return trump ? [trump] : SUITS;
  return null;
}

/** Returns the celebrations for these events, one for each seat. */
export function celebrations(events: readonly GameEvent[], trump: SuitLetter | null): Celebration[] {
  if (events.some((event) => event.type === "GameWon")) return [{ seat: null, suits: SUITS }];
  return events.flatMap((event): Celebration[] => {
    const melds = event.type === "Melded" ? event.shown : event.type === "MeldLaid" ? [event.meld] : [];
    const suits = suitsOf(melds, trump);
    return suits && "seat" in event ? [{ seat: event.seat, suits }] : [];
  });
}
