import { expect, test } from "vitest";
import { list, longer, meant, melds, rows } from "../src/own/lists";
import { of, put, reset, says, toggle } from "../src/own/draft";
import { placed, shape, typed } from "../src/form/shape";

const whole = { type: "integer" };
const numbers = { type: "array", items: whole, minItems: 1, maxItems: 6 };

test("what the server says of a field decides how it is shown", () => {
  expect(shape({ type: "boolean" })).toEqual({ kind: "words", words: [true, false] });
  expect(shape({ enum: ["always", "never"] })).toEqual({ kind: "words", words: ["always", "never"] });
  expect(shape({ ...whole, minimum: 0, maximum: 2 })).toEqual({ kind: "words", words: [0, 1, 2] });
  expect(shape({ anyOf: [{ ...whole, minimum: 1, maximum: 2 }, { const: "none" }] })).toEqual({
    kind: "words",
    words: [1, 2, "none"],
  });
  expect(shape({ ...whole, minimum: 1 })).toEqual({ kind: "number", none: false });
  expect(shape({ anyOf: [whole, { const: "none" }] })).toEqual({ kind: "number", none: true });
  expect(shape({ anyOf: [numbers, whole] })).toMatchObject({ kind: "numbers", least: 1, most: 6, wide: 1 });
  const pair = { type: "array", prefixItems: [whole, whole], items: false as const };
  expect(shape({ type: "array", items: pair })).toMatchObject({ kind: "numbers", most: Infinity, wide: 2 });
  expect(shape({ anyOf: [{ enum: ["tens"] }, numbers] })).toMatchObject({ kind: "numbers", words: ["tens"] });
  expect(shape({ type: "string" })).toEqual({ kind: "text" });
});

test("melds of a table's own are a list of names, cards and points", () => {
  const meld = { type: "array", prefixItems: [{ type: "string" }, { type: "string" }, whole], minItems: 3 };
  expect(shape({ type: "array", items: meld })).toEqual({ kind: "melds" });
  expect(melds([["grand pinochle", "QS QS JD JD", 80]])).toEqual([["grand pinochle", "QS QS JD JD", 80]]);
  expect(melds("none")).toEqual([]);
});

test("a field of a kind that nobody knows is written as in a sheet", () => {
  expect(shape({ type: "object" })).toEqual({ kind: "other" });
  expect(shape({ type: "array", items: { type: "string" } })).toEqual({ kind: "other" });
  expect(meant('["AS"]')).toEqual(["AS"]);
  expect(meant("as it is")).toBe("as it is");
});

test("what is typed for a number is one, none, or left for the server to refuse", () => {
  expect([typed(" 40", false), typed("-5", false), typed("", true), typed("", false)]).toEqual([
    40,
    -5,
    "none",
    "",
  ]);
  expect(typed("4.5", false)).toBe("4.5");
});

test("a list grows by its last row", () => {
  expect(rows(7, 1)).toEqual([[7]]);
  expect(list(longer(rows([40, 300], 1), 1), 1)).toEqual([40, 300, 300]);
  expect(list(longer(rows([[0, 10]], 2), 2), 2)).toEqual([
    [0, 10],
    [0, 10],
  ]);
  expect(list(longer([], 1), 1)).toEqual([0]);
});

test("what is as usual is not said, and a section can go and come back", () => {
  const usual = { "melds.dix": 10, title: "Partnership" };
  const values = put({ base: "partnership" }, usual, "melds.dix", 20);
  expect(values).toEqual({ base: "partnership", "melds.dix": 20 });
  expect(put(values, usual, "melds.dix", 10)).toEqual({ base: "partnership" });
  expect(put({}, usual, "title", "Partnership")).toEqual({ title: "Partnership" });
  expect(reset(values, "melds.dix")).toEqual({ base: "partnership" });
  const without = toggle({ "auction.lowest_bid": 200 }, usual, "auction", false);
  expect(without).toEqual({ auction: "none" });
  expect(toggle(without, usual, "auction", true)).toEqual({});
  expect(toggle({ "auction.lowest_bid": 9 }, { auction: "none" }, "auction", false)).toEqual({});
});

test("what a section says is told apart from the rest", () => {
  const values = { base: "partnership", "melds.dix": 20, "meld.dix": 3 };
  expect(of(values, "melds")).toEqual({ "melds.dix": 20 });
  expect([says(values, "melds"), says(values, "deal")]).toEqual([true, false]);
});

test("a fault is shown at the field that was changed", () => {
  const fault = { fields: ["melds.run", "melds.run_and_king"] };
  const known = (path: string) => path !== "deal";
  expect([...placed([fault], { "melds.run_and_king": 5 }, known).keys()]).toEqual(["melds.run_and_king"]);
  expect([...placed([fault], {}, known).keys()]).toEqual(["melds.run"]);
  expect([...placed([{ fields: ["deal"] }], {}, known).keys()]).toEqual([""]);
});
