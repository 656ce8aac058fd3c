// Which cards are out, from what one seat knows, and when it is asked for them.
import { SUITS, suitOf, without } from "../../lib/cards";
import type { Card, SuitLetter, TableInfo, View } from "../../lib/types";

export interface Question {
  kind: "trumps" | "aces";
  out: readonly Card[]; // the true answer
  choices: readonly number[]; // how many trumps may be chosen
}
type Deck = Pick<TableInfo, "copies" | "nines">;
type Seen = Pick<View, "hand" | "table" | "tricks" | "trick" | "buried" | "seat" | "trump" | "deals">;

const MIN_TRICKS = 3; // before the first question
const MIN_CARDS = 3; // in the hand at the last question
const EVERY = 4; // tricks, about, from one question to the next
const CHOICES = 6;

/** The cards that a seat neither holds nor has buried nor has seen played. */
export function cardsOut(view: Seen, { copies, nines }: Deck): Card[] {
  const deck = SUITS.flatMap((suit) =>
    [...(nines ? "ATKQJ9" : "ATKQJ")].flatMap((rank) => Array<Card>(copies).fill(`${rank}${suit}`)),
  );
  const played = [...view.tricks.flatMap((trick) => trick.cards), ...view.trick];
  return without(deck, [...view.hand, ...(view.buried ?? []), ...played]);
}

/** The numbers to choose from: the true one among its neighbours. It may be at any place. */
export function numbersAround(count: number, shift: number): number[] {
  const first = Math.max(0, count - (shift % CHOICES));
  return Array.from({ length: CHOICES }, (_, i) => first + i);
}

/** The question after a trick, or null: now and then one, about trumps or aces by turns. */
export function questionAfterTrick(view: Seen, deck: Deck): Question | null {
  const done = view.tricks.length;
  const turn = done + view.deals * 3; // so that deals do not ask at the same tricks
  if (view.trump === null || done < MIN_TRICKS || view.hand.length < MIN_CARDS || turn % EVERY) return null;
  const out = cardsOut(view, deck);
  if ((turn / EVERY) % 2) {
    return { kind: "aces", out: out.filter((card) => card.startsWith("A")), choices: [] };
  }
  const trumps = out.filter((card) => suitOf(card) === view.trump);
  return { kind: "trumps", out: trumps, choices: numbersAround(trumps.length, turn + trumps.length) };
}

/** Whether exactly these suits have cards that are out. */
export const isRightSuits = (question: Question, suits: readonly SuitLetter[]) =>
  SUITS.every((suit) => suits.includes(suit) === question.out.some((card) => suitOf(card) === suit));
