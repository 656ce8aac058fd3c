import { expect, test } from "vitest";
import { rankLabel, rankOf, suitOf, without } from "../src/lib/cards";

test("a card is taken out once, and its copy stays", () => {
  expect(without(["AS", "TD", "AS"], ["AS"])).toEqual(["TD", "AS"]);
});

test("a ten is written with two figures", () => {
  expect(rankLabel("TD")).toBe("10");
  expect([rankOf("TD"), suitOf("TD")]).toEqual(["T", "D"]);
});
