// How large cards are: as large as wanted, as long as everything fits.
import { describe, expect, test } from "vitest";
import { cardSize, handSize } from "../src/lib/handLayout";
import { asideOf, tableLayout } from "../src/lib/tableLayout";
import { HEADER, SCREENS, hanging, scene } from "./scene";

const HANDS = [12, 15, 20];
const WANTED = [0.8, 1, 1.25, 1.55];

const sized = (cards: number, hand: number, felt: number, width: number) =>
  scene(Array<string>(cards).fill("TS"), {
    reserve: [cards],
    hanging: hanging(width),
    scale: { hand, felt, text: 1 },
  });

describe.each(SCREENS)("on a screen of %i x %i", (width, tall) => {
  const height = tall - HEADER;

  test.each(HANDS)("a hand of %i stays on it and shows every index, at each size", (cards) => {
    let before = 0;
    for (const wanted of WANTED) {
      const made = tableLayout(sized(cards, wanted, 1, width), width, height);
      expect(made.card.w).toBeGreaterThanOrEqual(before);
      before = made.card.w;
      for (const spot of made.spots.filter((spot) => spot.zone === "hand")) {
        expect(spot.x - made.card.w / 2).toBeGreaterThanOrEqual(0);
        expect(spot.x + made.card.w / 2).toBeLessThanOrEqual(width);
        expect(spot.y + made.card.h / 2).toBeLessThanOrEqual(height);
        expect(spot.y - made.card.h / 2).toBeGreaterThanOrEqual(made.felt.h);
      }
      for (const key of made.keys) expect(key.w).toBeGreaterThanOrEqual(made.card.w * 0.4);
    }
  });

  test("a trick grows and stays on the felt, whatever the size of the hand", () => {
    for (const hand of WANTED) {
      let before = 0;
      for (const felt of WANTED) {
        const made = tableLayout(sized(12, hand, felt, width), width, height);
        const trick = made.spots.filter((spot) => spot.zone === "trick");
        expect(trick).toHaveLength(4);
        const w = trick[0]!.size * made.card.w;
        expect(w).toBeGreaterThanOrEqual(before);
        before = w;
        for (const spot of trick) {
          expect(spot.x - w / 2).toBeGreaterThanOrEqual(0);
          expect(spot.y + (spot.size * made.card.h) / 2).toBeLessThanOrEqual(made.hand.y);
        }
      }
    }
  });
});

test("each step is seen on a desktop and on a phone", () => {
  for (const [width, height] of [
    [1280, 668],
    [390, 792],
  ] as const) {
    const sizes = WANTED.map((wanted) => handSize([12], "rows", wanted, width, height, hanging(width)).w);
    expect(new Set(sizes).size).toBe(WANTED.length);
  }
});

test.each([
  [640, 360],
  [640, 400],
  [683, 384],
  [720, 450],
])("each step is seen on a page of %i x %i, which is a desktop at 200 percent", (width, tall) => {
  const height = tall - HEADER;
  const aside = asideOf(width, height);
  const hands = WANTED.map((hand) => handSize([12], "rows", hand, width, height, 0).w);
  const tricks = WANTED.map((felt) => {
    const made = tableLayout({ ...sized(12, 1, felt, width), hanging: 0, aside }, width, height);
    return made.spots.find((spot) => spot.zone === "trick")!.size * made.card.w;
  });
  expect(aside).toBeGreaterThan(0);
  for (const sizes of [hands, tricks])
    for (const [at, size] of sizes.slice(1).entries()) expect(size).toBeGreaterThan(sizes[at]!);
});

test("the size on the felt is another than that in the hand", () => {
  const usual = tableLayout(sized(12, 1, 1, 1280), 1280, 668);
  const large = tableLayout(sized(12, 1.55, 1, 1280), 1280, 668);
  const wide = (made: typeof usual) => made.spots.find((spot) => spot.zone === "trick")!.size * made.card.w;
  expect(large.card.w).toBeGreaterThan(usual.card.w);
  expect(wide(large)).toBeLessThanOrEqual(wide(usual) + 0.01);
});

test("on a telephone with room for it the cards of a trick are larger than those in the hand", () => {
  const made = tableLayout(sized(12, 1, 1, 390), 390, 844 - HEADER);
  const trick = made.spots.filter((spot) => spot.zone === "trick");
  for (const spot of trick) {
    expect(spot.size).toBeGreaterThan(1.3);
    expect(spot.y + (spot.size * made.card.h) / 2).toBeLessThanOrEqual(made.felt.h);
  }
});

test.each([
  [1280, 720],
  [1366, 768],
  [1440, 900],
  [1920, 1080],
  [2560, 1440],
])("a page of %i x %i at 200 percent shows larger cards", (width, height) => {
  const before = cardSize(width, height - HEADER).w;
  expect(2 * cardSize(width / 2, height / 2 - HEADER).w).toBeGreaterThan(before);
});
