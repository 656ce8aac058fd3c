import { expect, test } from "vitest";
import { text as form } from "../src/form/strings";
import { text as seating } from "../src/seating/strings";
import { text } from "../src/strings";
import { text as panels } from "../src/table/panels/strings";
import { advised } from "../src/ui/strings";

test("one point is one point", () => {
  expect(text.table.points(1)).toBe("1 point");
  expect(text.table.points(0)).toBe("0 points");
});

test("a claim speaks of one card, or of many", () => {
  expect(panels.claim.text(1, true)).toBe("Your last card is sure to win. It is played at once.");
  for (const n of [1, 3])
    for (const alone of [true, false]) {
      const said = panels.claim.text(n, alone);
      expect(/\bthey\b|\bcards are\b/i.test(said)).toBe(n > 1);
      expect(said).toContain("played at once");
    }
});

test("what is advised stands before its cards", () => {
  const does = advised.does;
  expect(does(["play", "9H"], true)).toBe("Lead");
  expect(does(["play", "9H"], false)).toBe("Play");
  expect(does(["bid", 260], false)).toBe("Bid 260");
  expect(does(["trump", "H"], false)).toBe("Make hearts trump");
  expect(does(["discard", []], false)).toBe("Keep all your cards");
  expect(does(["discard", ["9H"]], false)).toBe("Exchange");
});

test("a field is not explained by its own name", () => {
  expect(form.about("Lowest bid", "The lowest bid.")).toBe("");
  expect(form.about("Target", "Points that win the game.")).toBe("Points that win the game.");
});

test("who has no name does not invite by it", () => {
  expect(seating.sit.set("Ann", "Partnership")).toBe("Ann invites you to play Partnership.");
  expect(seating.sit.set(text.guest, "Partnership")).toBe("You are invited to play Partnership.");
  expect(seating.sit.plays(text.guest, "Partnership")).not.toContain(text.guest);
});
