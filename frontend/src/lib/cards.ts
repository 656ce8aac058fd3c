// Cards as people see and sort them. What a card may do is the server's affair.
import type { Card, SuitLetter } from "./types";
import { text } from "../strings";

export const SUITS: readonly SuitLetter[] = ["S", "H", "D", "C"];
const RANKS = "ATKQJ9";

export const suitOf = (card: Card) => card.charAt(1) as SuitLetter;
export const rankOf = (card: Card) => card.charAt(0);
export const rankLabel = (card: Card) => (rankOf(card) === "T" ? "10" : rankOf(card));

/** The card in words, for screen readers. */
export const cardName = (card: Card) => text.card(text.ranks[rankOf(card)] ?? "", text.suits[suitOf(card)]);

export interface Sorting {
  high: boolean; // high cards on the left
  trumpFirst: boolean;
  suits: string; // their order: S H C D, colours alternating, or another
}

/** A hand sorted by suit, trump first if wanted. */
export function sorted(hand: readonly Card[], trump: SuitLetter | null, by: Sorting): Card[] {
  const suits = (trump && by.trumpFirst ? trump : "") + by.suits;
  const key = (card: Card) => {
    const rank = RANKS.indexOf(rankOf(card));
    return suits.indexOf(suitOf(card)) * 10 + (by.high ? rank : 9 - rank);
  };
  return [...hand].sort((a, b) => key(a) - key(b));
}

/** The cards without those taken, twins counted. */
export function without(cards: readonly Card[], taken: readonly Card[]): Card[] {
  const rest = [...cards];
  for (const card of taken) {
    const at = rest.indexOf(card);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
}
