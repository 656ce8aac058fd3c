import { expect, test } from "vitest";
import { frames } from "../src/lib/play.svelte";
import type { GameEvent, StateMessage, View } from "../src/lib/types";
import { text } from "../src/strings";

const VIEW = {
  seat: 0,
  players: [0, 1, 2, 3],
  hand: ["AS", "TH"],
  sizes: [2, 2, 2, 1],
  table: [],
  trick: ["KS", "QS", "JS"],
  tricks: [],
  leader: 1,
  turn: 0,
} as unknown as View;
const told = (view: View, events: object[]) =>
  ({ type: "state", seq: 9, view, events: events as GameEvent[], missed: false }) as unknown as StateMessage;

test("a trick that is won is seen whole before it is taken away", () => {
  const after = { ...VIEW, hand: ["TH"], sizes: [1, 2, 2, 1], trick: [], leader: 0 } as View;
  const won = { type: "TrickWon", seat: 0, leader: 1, cards: ["KS", "QS", "JS", "AS"], points: 30 };
  const made = frames(VIEW, told(after, [{ type: "Played", seat: 0, card: "AS" }, won]));
  expect(made).toHaveLength(2);
  const [whole, taken] = made;
  expect(whole!.view!.trick).toEqual(["KS", "QS", "JS", "AS"]);
  expect(whole!.view!.hand).toEqual(["TH"]);
  expect(whole!.view!.turn).toBeNull();
  expect([whole!.settled, taken!.settled]).toEqual([false, true]);
  expect(taken!.view).toBe(after);
});

test("the kitty is seen before it is in the hand", () => {
  const after = { ...VIEW, hand: ["AS", "TH", "9D", "9C"], sizes: [4, 2, 2, 1], trick: [] } as View;
  const made = frames(VIEW, told(after, [{ type: "KittyShown", seat: 0, cards: ["9D", "9C"] }]));
  expect(made[0]!.view!.hand).toEqual(["AS", "TH"]);
  expect(made[0]!.view!.sizes[0]).toBe(2);
  expect(made.at(-1)!.view).toBe(after);
});

test("trump is named before melds are laid, and nothing is called over them", () => {
  const melded = { type: "Melded", seat: 1, points: 4, shown: [{}] };
  const after = {
    ...VIEW,
    trick: [],
    turn: 1,
    melds: [{ seat: 1 }],
    melded: [[], ["KH", "QH"]],
  } as unknown as View;
  const made = frames(VIEW, told(after, [{ type: "TrumpNamed", seat: 1, suit: "H" }, melded]));
  expect(made.map((one) => one.events.map((event) => event.type))).toEqual([["TrumpNamed"], ["Melded"]]);
  expect(made.map((one) => one.stage)).toEqual([null, "melds"]);
  expect(made[0]!.view).toMatchObject({ melds: [], melded: [], turn: null });
  expect(made.map((one) => one.settled)).toEqual([false, true]);
  expect(made[1]!.view).toBe(after);
});

test("the result of a deal waits to be read, and not where it was missed", () => {
  const scored = told(VIEW, [{ type: "DealScored" }]);
  expect(frames(VIEW, scored).at(-1)!.stage).toBe("deal");
  expect(frames(VIEW, told(VIEW, [{ type: "DealScored" }, { type: "GameWon" }])).at(-1)!.stage).toBe("game");
  expect(frames(VIEW, { ...scored, missed: true }).at(-1)!.stage).toBeNull();
});

test("no key has two meanings", () => {
  const keys = text.keys.rows.flatMap(([keys]) => keys!.split(" "));
  expect(keys.length).toBeGreaterThan(15);
  expect(new Set(keys).size).toBe(keys.length);
});
