import { expect, test } from "vitest";
import { featuresOf, matchingVariants, mayPartner } from "../src/home/variantQuiz";
import { gameOf } from "../src/lib/api";
import type { VariantForm } from "../src/lib/messages";

const plain = {
  title: "",
  summary: "",
  is_default: false,
  default_players: 4,
  has_partners: false,
  side_count: 4,
  deck_size: 48,
  hand_size: 12,
  kitty_size: 0,
  passed_cards: 0,
  has_redraw: false,
  has_stock: false,
  has_conventions: false,
  options: [],
  presets: {},
};
const kitty: VariantForm = { ...plain, variant: "kitty", players: [3], kitty_size: 3 };
const passed: VariantForm = {
  ...plain,
  variant: "passed",
  players: [4],
  has_partners: true,
  passed_cards: 4,
};
const deep: VariantForm = { ...plain, variant: "deep", players: [4], has_partners: true, deck_size: 80 };
const stock: VariantForm = { ...plain, variant: "stock", players: [2, 3, 4], has_stock: true };
const many: VariantForm = { ...plain, variant: "many", players: [4, 5, 6], has_redraw: true };
const games = [kitty, passed, deep, stock, many];

test("what is remembered decides among games for so many", () => {
  expect(matchingVariants(games, { people: 3, partners: false, feature: "kitty" })).toEqual([kitty]);
  expect(matchingVariants(games, { people: 4, partners: true, feature: "deep" })).toEqual([deep]);
  expect(matchingVariants(games, { people: 5, partners: null, feature: null })).toEqual([many]);
});

test("who remembers nothing is shown all that fit", () => {
  expect(matchingVariants(games, { people: 4, partners: true, feature: null })).toEqual([passed, deep]);
});

test("nothing is asked that no game for so many has", () => {
  expect(featuresOf(games, 3)).toEqual(["kitty", "stock"]);
  expect(featuresOf(games, 6)).toEqual(["redrawn"]);
});

test("who can only play alone is not asked about partners", () => {
  expect([2, 3, 4, 5].filter((people) => mayPartner(games, people))).toEqual([4]);
});

test("who has chosen none is offered the game that the server says, or else its first", () => {
  const offered = [kitty, { ...passed, is_default: true }, deep];
  expect(gameOf(offered, "deep")).toBe(deep);
  expect(gameOf(offered, "gone")).toBe(offered[1]);
  expect(gameOf(games)).toBe(kitty);
  expect(gameOf([])).toBeUndefined();
});
