import { expect, test } from "vitest";
import { featuresOf, matchingVariants, mayPartner } from "../src/home/variantQuiz";
import { gameOf } from "../src/lib/api";
import type { VariantForm } from "../src/lib/messages";

const plain = {
  title: "",
  about: "",
  first: false,
  usual: 4,
  partners: false,
  sides: 4,
  cards: 48,
  hand: 12,
  kitty: 0,
  passed: 0,
  redrawn: false,
  stock: false,
  options: [],
  presets: {},
};
const kitty: VariantForm = { ...plain, variant: "kitty", players: [3], kitty: 3 };
const passed: VariantForm = { ...plain, variant: "passed", players: [4], partners: true, passed: 4 };
const deep: VariantForm = { ...plain, variant: "deep", players: [4], partners: true, cards: 80 };
const stock: VariantForm = { ...plain, variant: "stock", players: [2, 3, 4], stock: true };
const many: VariantForm = { ...plain, variant: "many", players: [4, 5, 6], redrawn: true };
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
  const offered = [kitty, { ...passed, first: true }, deep];
  expect(gameOf(offered, "deep")).toBe(deep);
  expect(gameOf(offered, "gone")).toBe(offered[1]);
  expect(gameOf(games)).toBe(kitty);
  expect(gameOf([])).toBeUndefined();
});
