// The counting trainer: which cards are out, and when it asks.
import { expect, test } from "vitest";
import { suitOf } from "../src/lib/cards";
import { cardsOut, isRightSuits, numbersAround, questionAfterTrick } from "../src/table/counting/counting";
import type { Trick } from "../src/lib/types";

const deck = { copies: 2, nines: true };
const trick = (...cards: string[]): Trick => ({ leader: 0, cards, winner: 0, points: 0 });
const view = {
  hand: ["AS", "TS", "9H"],
  table: [],
  tricks: [trick("AS", "KS", "QS", "9S"), trick("AH", "TH", "TH", "9H"), trick("AD", "JD", "9D", "QD")],
  trick: ["AC"],
  buried: null,
  seat: 0,
  trump: "S" as const,
  deals: 0,
};

test("out is what is neither held nor played nor buried", () => {
  const out = cardsOut(view, deck);
  expect(out).toHaveLength(48 - 3 - 13);
  expect(out.filter((card) => card.startsWith("A")).sort()).toEqual(["AC", "AD", "AH"]);
  expect(cardsOut({ ...view, buried: ["AH"] }, deck)).toHaveLength(31);
  expect(cardsOut(view, { copies: 4, nines: false }).filter((card) => card === "AS")).toHaveLength(2);
});

test("it asks now and then, about trumps and aces by turns, and not at the end", () => {
  const asked = (deals: number, done: number, hand = view.hand) =>
    questionAfterTrick({ ...view, deals, hand, tricks: Array(done).fill(view.tricks[0]!) }, deck)?.kind;
  expect([3, 4, 5, 6, 7, 8].map((done) => asked(0, done))).toEqual([
    undefined,
    "aces",
    undefined,
    undefined,
    undefined,
    "trumps",
  ]);
  expect(asked(1, 5)).toBe("trumps");
  expect(asked(0, 4, ["AS", "TS"])).toBeUndefined();
  expect(questionAfterTrick({ ...view, deals: 1 }, deck)).toBeNull();
});

test("the true number is among the choices, at no fixed place", () => {
  for (let count = 0; count < 20; count++)
    for (let shift = 0; shift < 9; shift++) expect(numbersAround(count, shift)).toContain(count);
  expect(new Set([0, 1, 2, 3].map((shift) => numbersAround(9, shift).indexOf(9))).size).toBe(4);
});

test("an answer about aces names exactly the suits that have some", () => {
  const question = { kind: "aces" as const, out: ["AC", "AC", "AH"], choices: [] };
  expect(isRightSuits(question, ["H", "C"])).toBe(true);
  expect(isRightSuits(question, ["C"])).toBe(false);
  expect(isRightSuits(question, ["H", "C", "S"])).toBe(false);
  expect(question.out.map(suitOf)).toContain("C");
});
