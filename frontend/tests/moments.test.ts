// What a moment of the game sounds like, and what is called beside a seat.
import { expect, test } from "vitest";
import { soundFor } from "../src/lib/sound";
import type { GameEvent } from "../src/lib/types";
import type { Seated } from "../src/lib/narration";
import { bubbles } from "../src/table/bubbles";
import { celebrations } from "../src/table/celebrations";

const table = (you: number | null): Seated => ({
  players: 4,
  you,
  seats: [],
  sides: [
    [0, 2],
    [1, 3],
  ],
  partners: true,
  packet: 3,
});
const silent = { auction: [], call_meanings: [], signals: [] };
const bid: GameEvent = { type: "BidMade", seat: 1, points: 260 };
const pass: GameEvent = { type: "Passed", seat: 3 };
const trump: GameEvent = { type: "TrumpNamed", seat: 2, suit: "H" };
const scored = (outcome: "made" | "set"): GameEvent => ({
  type: "DealScored",
  score: { outcome, bid: 260, declarer: 1, trump: "H", meld: [0, 0], play: [0, 0], change: [0, 0] },
  totals: [0, 0],
  buried: [],
});
const card = (kind: string, name = kind) => ({ name, cards: ["AS"], points: 10, kind });
const melded = (seat: number, ...shown: ReturnType<typeof card>[]) =>
  ({ type: "Melded", seat, melds: null, points: null, shown, open: true }) as GameEvent;

test("a bid stands beside its seat, a pass too, and trump with its suit", () => {
  expect(bubbles([bid], silent)).toEqual({ 1: { words: "260", suit: null, loud: true, says: "" } });
  expect(bubbles([pass], silent)).toEqual({ 3: { words: "Pass", suit: null, loud: false } });
  expect(bubbles([trump], silent)[2]).toMatchObject({ suit: "H", loud: true });
  expect(bubbles([], silent)).toEqual({});
});

test("what a bid or a card says by convention stands beside its seat", () => {
  const says = (short: string, convention: boolean) => ({ short, sentence: short, convention });
  const auction = [
    { seat: 0, bid: 250 },
    { seat: 1, bid: 260 },
  ];
  const alerts = { ...silent, auction, call_meanings: [says("x", false), says("aces around", true)] };
  expect(bubbles([bid], alerts)[1]!.says).toBe("aces around");
  const first: GameEvent = { type: "BidMade", seat: 0, points: 250 };
  expect(bubbles([first], alerts)[0]!.says).toBe("");
  const queen: GameEvent = { type: "Played", seat: 3, card: "QS" };
  const signal = { seat: 3, trick: 0, card: "QS", short: "shows an ace", sentence: "" };
  expect(bubbles([queen], { ...silent, signals: [signal] })[3]!.words).toBe("shows an ace");
  expect(bubbles([queen], silent)).toEqual({});
});

test("a bid made by others sounds as sad as one's own that is set", () => {
  expect(soundFor([scored("made")], table(0))).toBe("set");
  expect(soundFor([scored("set")], table(0))).toBe("made");
  expect(soundFor([scored("made")], table(3))).toBe("made");
  expect(soundFor([scored("made")], table(null))).toBe("made");
});

test("the end of a game is heard before what led to it", () => {
  const won: GameEvent = { type: "GameWon", side: 1 };
  expect(soundFor([scored("made"), won], table(1))).toBe("won");
  expect(soundFor([scored("made"), won], table(2))).toBe("lost");
  expect(soundFor([bid], table(0))).toBe("bid");
  expect(soundFor([], table(0))).toBeNull();
});

test("a run, aces around and more than one pinochle are celebrated where they lie", () => {
  expect(celebrations([melded(2, card("marriage"), card("run"))], "H")).toEqual([{ seat: 2, suits: ["H"] }]);
  expect(celebrations([melded(1, card("pinochle", "double pinochle"))], null)).toEqual([
    { seat: 1, suits: ["S", "D"] },
  ]);
  expect(celebrations([melded(0, card("aces around"))], "S")).toEqual([
    { seat: 0, suits: ["S", "H", "D", "C"] },
  ]);
});

test("a pinochle alone, a marriage and a trick are not", () => {
  expect(celebrations([melded(1, card("pinochle"), card("marriage"), card("kings around"))], "S")).toEqual(
    [],
  );
  expect(celebrations([bid, pass], null)).toEqual([]);
});

test("the end of a game is celebrated in the middle", () => {
  expect(celebrations([{ type: "GameWon", side: 0 }], "S")).toEqual([
    { seat: null, suits: ["S", "H", "D", "C"] },
  ]);
});
