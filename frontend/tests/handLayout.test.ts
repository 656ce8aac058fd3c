// A hand in rows, fanned by suit and stacked: every card lies on the screen and can be read and touched.
import { describe, expect, test } from "vitest";
import { sorted } from "../src/lib/cards";
import { groupCards, layOutHand, shapeOf, type Arrangement } from "../src/lib/handLayout";
import { tableLayout } from "../src/lib/tableLayout";
import { HEADER, SCREENS, hanging, scene } from "./scene";

const WAYS: Arrangement[] = ["rows", "suits", "stacks"];
const BY = { high: true, trumpFirst: false, suits: "SHCD" };
const deal = (cards: string) => sorted(cards.split(" "), null, BY);
const HANDS = {
  even: deal("AS AS TS KS QS AH TH TH TH KH AC AC KC QC JC AD AD TD KD JD"),
  "of one long suit": deal("AS AS AS TS TS KS KS QS QS JS JS JS AH TH KH AC KC QC AD JD"),
  "without a suit": deal("AS AS TS TS TS KS QS JS AH AH AH KH KH QH AC AC AC AC TC JC"),
  "of twelve": deal("AS AS TS KS QS AH TH KH AC 9C AD 9D"),
  "of twenty different": deal("AS TS KS QS JS AH TH KH QH JH AC TC KC QC JC AD TD KD QD JD"),
  "nearly played": deal("AS AS JD"),
};

const lying = (hand: string[], arrangement: Arrangement, width: number, scale = 1) =>
  scene(hand, { arrangement, hanging: hanging(width), scale: { hand: scale, felt: 1 } });

describe.each(SCREENS)("on a screen of %i x %i", (width, tall) => {
  const height = tall - HEADER;
  describe.each(WAYS)("in %s", (way) => {
    test.each(Object.entries(HANDS))("a hand %s is seen and touched whole, at each size", (_, hand) => {
      for (const scale of [0.8, 1, 1.55]) {
        const { card, keys, spots, felt } = tableLayout(lying(hand, way, width, scale), width, height);
        expect(keys.flatMap((key) => key.cards)).toEqual(hand.map((_, i) => i));
        for (const key of keys) {
          expect(key.w).toBeGreaterThanOrEqual(card.w * 0.4);
          expect(new Set(key.cards.map((i) => hand[i])).size).toBe(1);
        }
        for (const spot of spots.filter((spot) => spot.zone === "hand")) {
          const turn = (Math.abs(spot.turn) * Math.PI) / 180; // a turned card needs more room
          const wide = card.w * Math.cos(turn) + card.h * Math.sin(turn);
          expect(spot.x - wide / 2).toBeGreaterThanOrEqual(0);
          expect(spot.x + wide / 2).toBeLessThanOrEqual(width);
          expect(spot.y - card.h / 2).toBeGreaterThanOrEqual(felt.h);
          expect(spot.y + card.h / 2).toBeLessThanOrEqual(height);
        }
      }
    });

    test("no place covers what is seen of another", () => {
      const { keys } = tableLayout(lying(HANDS.even, way, width), width, height);
      keys.forEach((one, i) =>
        keys.slice(i + 1).forEach((other) => {
          const wide = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
          const high = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
          expect(Math.min(wide, high)).toBeLessThanOrEqual(1.5);
        }),
      );
    });
  });
});

test("suits have a gap between them, and on a telephone two share a row", () => {
  const { keys, card } = tableLayout(lying(HANDS.even, "suits", 390), 390, 792);
  const suits = ["S", "H", "C", "D"].map((suit) =>
    keys.filter((key) => HANDS.even[key.cards[0]!]!.endsWith(suit)),
  );
  const ends = suits.map((row) => row.at(-1)!.x + card.w);
  expect(suits[1]![0]!.x - ends[0]!).toBeGreaterThan(card.w * 0.15);
  expect(suits[3]![0]!.x - ends[2]!).toBeGreaterThan(card.w * 0.15);
  expect(suits[1]![0]!.y).toBeLessThan(suits[2]![0]!.y);
});

test("equal cards are one place, and on a telephone cards are larger for it", () => {
  const groups = groupCards(HANDS.even, "stacks");
  expect(shapeOf(groups)).toEqual([new Set(HANDS.even).size]);
  expect(groups[0]!.map((place) => place.length).slice(0, 2)).toEqual([2, 1]);
  const wide = (way: Arrangement) => tableLayout(lying(HANDS.even, way, 390), 390, 792).card.w;
  expect(wide("stacks")).toBeGreaterThan(wide("rows"));
});

test("a chosen card rises out of its stack", () => {
  const groups = groupCards(["AS", "AS", "AS"], "stacks");
  const area = { x: 0, y: 500, w: 390, h: 120 };
  const { cards, keys } = layOutHand(groups, "stacks", { w: 66, h: 94 }, area, (i) => (i === 2 ? -14 : 0));
  const [, middle, top] = cards;
  expect(middle!.y - top!.y).toBeGreaterThan(10);
  expect(keys).toHaveLength(1);
});

test("what is reserved keeps the size while the hand gets smaller", () => {
  const full = shapeOf(groupCards(HANDS["of one long suit"], "suits"));
  const before = tableLayout(lying(HANDS["of one long suit"], "suits", 390), 390, 792);
  const later = tableLayout({ ...lying(HANDS["nearly played"], "suits", 390), reserve: full }, 390, 792);
  expect(later.card.w).toBe(before.card.w);
  expect(later.felt.h).toBe(before.felt.h);
});
