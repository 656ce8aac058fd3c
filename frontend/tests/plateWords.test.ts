import { expect, test } from "vitest";
import type { Seated } from "../src/lib/narration";
import type { View, MeldInTrump } from "../src/lib/types";
import { text } from "../src/strings";
import { bestTrumps, contractWords, meldsOf, suitMelds, wordsOf } from "../src/words/plateWords";

const VIEW = {
  auction: [
    { seat: 1, bid: 250 },
    { seat: 2, bid: null },
  ],
  declarer: null,
  dealer: 0,
  kind: "bid",
  leader: null,
  melds: [],
  bid_progress: null,
} as unknown as View;
const run = { name: "run", cards: ["AS", "TS", "KS", "QS", "JS"], points: 150 };

test("of a place the words are explained that stand on it", () => {
  expect([0, 1, 2].map((seat) => wordsOf(VIEW, seat))).toEqual([
    ["dealer", "meld"],
    ["bid", "meld"],
    ["pass", "meld"],
  ]);
  const play = { ...VIEW, kind: "play", leader: 1, declarer: 1 } as unknown as View;
  expect(wordsOf(play, 1)).toEqual(["bid", "declarer", "trick", "counter"]);
  expect(contractWords({ ...play, bid_progress: { meld: 0, play: 0, points_needed: 30 } } as View)).toContain(
    "to go",
  );
});

test("melds are shown by seat, and of one's own hand by trump", () => {
  const table = { you: 0, seats: [], players: 4 } as unknown as Seated;
  const shown = { ...VIEW, melds: [{ seat: 0, melds: [run] }] } as unknown as View;
  expect(meldsOf(shown, table, 0)).toEqual([{ title: "You", melds: [run] }]);
  expect(meldsOf(shown, { ...table, you: 1 }, 1)).toEqual([]);
  const worth = [
    { suit: "S", points: 150, melds: [run] },
    { suit: "H", points: 0, melds: [] },
  ] as unknown as MeldInTrump[];
  expect(suitMelds(worth)).toEqual([{ title: "With spades as trump: 150", melds: [run] }]);
});

test("suits that meld as much are named together", () => {
  const melding = (...points: number[]) =>
    points.map((many, at) => ({ suit: "SHDC"[at], points: many, melds: [] }) as unknown as MeldInTrump);
  const said = (...points: number[]) => text.table.worth(bestTrumps(melding(...points)));
  expect(said(150, 40, 20, 0)).toBe("meld: spades 150, hearts 40");
  expect(said(150, 40, 40, 40)).toBe("meld: spades 150, hearts or diamonds or clubs 40");
  expect(said(40, 40, 40, 20)).toBe("meld: spades or hearts or diamonds 40");
  expect(said(40, 40, 40, 40)).toBe("meld: any suit 40");
  expect(said(40, 0, 0, 0)).toBe("meld: spades 40");
  expect(bestTrumps(melding(0, 0, 0, 0))).toEqual([]);
});
