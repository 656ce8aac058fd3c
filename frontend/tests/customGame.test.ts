import { expect, test } from "vitest";
import { fromRows, withAddedRow, parseSheetValue, toMelds, toRows } from "../src/customGame/lists";
import {
  sectionValues,
  setValue,
  resetValue,
  hasSectionValues,
  setSectionUsed,
} from "../src/customGame/draft";
import { faultsByField, fieldKindOf, parseNumber } from "../src/form/fieldKind";

const whole = { type: "integer" };
const numbers = { type: "array", items: whole, minItems: 1, maxItems: 6 };

test("what the server says of a field decides how it is shown", () => {
  expect(fieldKindOf({ type: "boolean" })).toEqual({ kind: "words", words: [true, false] });
  expect(fieldKindOf({ enum: ["always", "never"] })).toEqual({ kind: "words", words: ["always", "never"] });
  expect(fieldKindOf({ ...whole, minimum: 0, maximum: 2 })).toEqual({ kind: "words", words: [0, 1, 2] });
  expect(fieldKindOf({ anyOf: [{ ...whole, minimum: 1, maximum: 2 }, { const: "none" }] })).toEqual({
    kind: "words",
    words: [1, 2, "none"],
  });
  expect(fieldKindOf({ ...whole, minimum: 1 })).toEqual({ kind: "number", none: false });
  expect(fieldKindOf({ anyOf: [whole, { const: "none" }] })).toEqual({ kind: "number", none: true });
  expect(fieldKindOf({ anyOf: [numbers, whole] })).toMatchObject({
    kind: "numbers",
    minRows: 1,
    maxRows: 6,
    rowLength: 1,
  });
  const pair = { type: "array", prefixItems: [whole, whole], items: false as const };
  expect(fieldKindOf({ type: "array", items: pair })).toMatchObject({
    kind: "numbers",
    maxRows: Infinity,
    rowLength: 2,
  });
  expect(fieldKindOf({ anyOf: [{ enum: ["tens"] }, numbers] })).toMatchObject({
    kind: "numbers",
    words: ["tens"],
  });
  expect(fieldKindOf({ type: "string" })).toEqual({ kind: "text" });
});

test("melds of a table's own are a list of names, cards and points", () => {
  const meld = { type: "array", prefixItems: [{ type: "string" }, { type: "string" }, whole], minItems: 3 };
  expect(fieldKindOf({ type: "array", items: meld })).toEqual({ kind: "melds" });
  expect(toMelds([["grand pinochle", "QS QS JD JD", 80]])).toEqual([["grand pinochle", "QS QS JD JD", 80]]);
  expect(toMelds("none")).toEqual([]);
});

test("a field of a kind that nobody knows is written as in a sheet", () => {
  expect(fieldKindOf({ type: "object" })).toEqual({ kind: "other" });
  expect(fieldKindOf({ type: "array", items: { type: "string" } })).toEqual({ kind: "other" });
  expect(parseSheetValue('["AS"]')).toEqual(["AS"]);
  expect(parseSheetValue("as it is")).toBe("as it is");
});

test("what is typed for a number is one, none, or left for the server to refuse", () => {
  expect([
    parseNumber(" 40", false),
    parseNumber("-5", false),
    parseNumber("", true),
    parseNumber("", false),
  ]).toEqual([40, -5, "none", ""]);
  expect(parseNumber("4.5", false)).toBe("4.5");
});

test("a list grows by its last row", () => {
  expect(toRows(7, 1)).toEqual([[7]]);
  expect(fromRows(withAddedRow(toRows([40, 300], 1), 1), 1)).toEqual([40, 300, 300]);
  expect(fromRows(withAddedRow(toRows([[0, 10]], 2), 2), 2)).toEqual([
    [0, 10],
    [0, 10],
  ]);
  expect(fromRows(withAddedRow([], 1), 1)).toEqual([0]);
});

test("what is as usual is not said, and a section can go and come back", () => {
  const usual = { "melds.dix": 10, title: "Partnership" };
  const values = setValue({ base: "partnership" }, usual, "melds.dix", 20);
  expect(values).toEqual({ base: "partnership", "melds.dix": 20 });
  expect(setValue(values, usual, "melds.dix", 10)).toEqual({ base: "partnership" });
  expect(setValue({}, usual, "title", "Partnership")).toEqual({ title: "Partnership" });
  expect(resetValue(values, "melds.dix")).toEqual({ base: "partnership" });
  const without = setSectionUsed({ "auction.lowest_bid": 200 }, usual, "auction", false);
  expect(without).toEqual({ auction: "none" });
  expect(setSectionUsed(without, usual, "auction", true)).toEqual({});
  expect(setSectionUsed({ "auction.lowest_bid": 9 }, { auction: "none" }, "auction", false)).toEqual({});
});

test("what a section says is told apart from the rest", () => {
  const values = { base: "partnership", "melds.dix": 20, "meld.dix": 3 };
  expect(sectionValues(values, "melds")).toEqual({ "melds.dix": 20 });
  expect([hasSectionValues(values, "melds"), hasSectionValues(values, "deal")]).toEqual([true, false]);
});

test("a fault is shown at the field that was changed", () => {
  const fault = { fields: ["melds.run", "melds.run_and_king"] };
  const known = (path: string) => path !== "deal";
  expect([...faultsByField([fault], { "melds.run_and_king": 5 }, known).keys()]).toEqual([
    "melds.run_and_king",
  ]);
  expect([...faultsByField([fault], {}, known).keys()]).toEqual(["melds.run"]);
  expect([...faultsByField([{ fields: ["deal"] }], {}, known).keys()]).toEqual([""]);
});
