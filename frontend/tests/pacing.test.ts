import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { framesBetween, shownMs } from "../src/lib/pacing";
import type { GameEvent, StateMessage, View } from "../src/lib/types";

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
const stateOf = (view: View, events: object[]) =>
  ({
    type: "state",
    seq: 9,
    table: { lesson: null },
    view,
    events: events as GameEvent[],
    missed: false,
  }) as unknown as StateMessage;

test("a trick that is won is seen whole before it is taken away", () => {
  const after = { ...VIEW, hand: ["TH"], sizes: [1, 2, 2, 1], trick: [], leader: 0 } as View;
  const won = { type: "TrickWon", seat: 0, leader: 1, cards: ["KS", "QS", "JS", "AS"], points: 30 };
  const made = framesBetween(VIEW, stateOf(after, [{ type: "Played", seat: 0, card: "AS" }, won]));
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
  const made = framesBetween(VIEW, stateOf(after, [{ type: "KittyShown", seat: 0, cards: ["9D", "9C"] }]));
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
  const made = framesBetween(VIEW, stateOf(after, [{ type: "TrumpNamed", seat: 1, suit: "H" }, melded]));
  expect(made.map((one) => one.events.map((event) => event.type))).toEqual([["TrumpNamed"], ["Melded"]]);
  expect(made.map((one) => one.stage)).toEqual([null, "melds"]);
  expect(made[0]!.view).toMatchObject({ melds: [], melded: [], turn: null });
  expect(made.map((one) => one.settled)).toEqual([false, true]);
  expect(made[1]!.view).toBe(after);
});

test("the result of a deal waits to be read, and not where it was missed", () => {
  const scored = stateOf(VIEW, [{ type: "DealScored" }]);
  expect(framesBetween(VIEW, scored).at(-1)!.stage).toBe("deal");
  expect(
    framesBetween(VIEW, stateOf(VIEW, [{ type: "DealScored" }, { type: "GameWon" }])).at(-1)!.stage,
  ).toBe("game");
  expect(framesBetween(VIEW, { ...scored, missed: true }).at(-1)!.stage).toBeNull();
});

describe("how long a frame stays", () => {
  const trick = (missed = false, claimingSeat: number | null = null) => {
    const won = { type: "TrickWon", seat: 0, leader: 1, cards: ["KS", "QS", "JS", "AS"], points: 30 };
    const message = stateOf(VIEW, [{ type: "Played", seat: 0, card: "AS" }, won]);
    const table = { ...message.table, claiming_seat: claimingSeat };
    return framesBetween(VIEW, { ...message, missed, table })[0]!;
  };
  beforeEach(() => vi.stubGlobal("document", { hidden: false }));
  afterEach(() => vi.unstubAllGlobals());

  test("a trick stays less long where much waits, was missed, is claimed, or a clock runs", () => {
    const usual = shownMs(trick(), 0, false);
    expect(usual).toBeGreaterThan(500);
    expect(shownMs(trick(), 0, true)).toBeLessThan(usual);
    expect(shownMs(trick(), 13, false)).toBeLessThan(usual);
    expect(shownMs(trick(false, 2), 0, false)).toBeLessThan(usual);
    expect(shownMs(trick(true), 0, false)).toBeLessThan(shownMs(trick(), 13, false));
  });

  test("nothing stays where the page is not seen", () => {
    vi.stubGlobal("document", { hidden: true });
    expect(shownMs(trick(), 0, false)).toBe(0);
  });
});
