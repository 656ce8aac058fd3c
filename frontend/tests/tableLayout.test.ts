// A telephone on its side: the controls stand beside the felt, and nothing on it is left out.
import { expect, test } from "vitest";
import { asideOf, tableLayout } from "../src/lib/tableLayout";
import { HEADER, scene } from "./scene";

const [WIDTH, HEIGHT] = [844, 390 - HEADER];
const MELDED = [["KS"], ["QS", "KS"], ["QH", "KH"], ["QD", "KD"]];
const aside = (hand: number, more: Parameters<typeof scene>[1] = {}) =>
  scene(Array<string>(hand).fill("TS"), {
    reserve: [hand],
    aside: asideOf(WIDTH, HEIGHT),
    ...more,
    view: { melded: MELDED },
  });

test("the controls take no height of the felt there, and elsewhere no width", () => {
  const made = tableLayout(aside(12), WIDTH, HEIGHT);
  expect(made.felt.h).toBe(made.hand.y);
  expect(made.felt.w).toBeLessThan(WIDTH - 200);
  for (const [width, height] of [
    [390, 792],
    [320, 516],
    [1280, 668],
    [768, 972],
  ] as const)
    expect(asideOf(width, height)).toBe(0);
});

test("a desktop read at 200% has no card beyond its edge", () => {
  const [width, height] = [640, 400 - HEADER];
  const made = tableLayout(aside(20, { aside: asideOf(width, height) }), width, height);
  for (const spot of made.spots.filter((one) => one.zone !== "hand")) {
    expect(spot.x - (made.card.w * spot.size) / 2).toBeGreaterThanOrEqual(0);
    expect(spot.x + (made.card.w * spot.size) / 2).toBeLessThanOrEqual(made.felt.w);
  }
});

test("a trick is whole: no card of it lies under the hand or the controls", () => {
  const made = tableLayout(aside(12), WIDTH, HEIGHT);
  const trick = made.spots.filter((spot) => spot.zone === "trick");
  expect(trick).toHaveLength(4);
  for (const spot of trick) {
    expect(spot.y + (made.card.h * spot.size) / 2).toBeLessThanOrEqual(made.hand.y);
    expect(spot.x + (made.card.w * spot.size) / 2).toBeLessThanOrEqual(made.felt.w);
  }
});

test("the stock stays large enough to be seen on a small phone under melds", () => {
  for (const height of [330, 360, 400, 516]) {
    const made = tableLayout(
      scene(Array<string>(12).fill("TS"), {
        players: 2,
        reserve: [12],
        hanging: 164,
        view: {
          players: [0, 1],
          table: [[], ["KH", "QH"]],
          sizes: [12, 12],
          trick: [],
          stock: 20,
          upcard: "9D",
        },
      }),
      320,
      height,
    );
    for (const spot of made.spots.filter(({ zone }) => zone === "stock" || zone === "upcard")) {
      const [w, h] = [spot.size * made.card.w, spot.size * made.card.h];
      expect(w).toBeGreaterThan(16);
      expect(spot.x - w / 2).toBeGreaterThanOrEqual(-2);
      expect(spot.y + h / 2).toBeLessThanOrEqual(made.felt.h);
    }
  }
});

test("everybody's melds lie on the felt", () => {
  const made = tableLayout(aside(12, { melds: true }), WIDTH, HEIGHT);
  const laid = made.spots.filter((spot) => spot.zone === "meld");
  expect(new Set(laid.map((spot) => spot.seat))).toEqual(new Set([0, 1, 2, 3]));
  for (const spot of laid) expect(spot.x).toBeLessThanOrEqual(made.felt.w);
});
