import { expect, test } from "vitest";
import { reason, type Seated } from "../src/lib/who";

const seat = (name: string) => ({
  name,
  person: true,
  bot: "",
  present: true,
  covered: false,
  failed: false,
  host: false,
});
const table: Seated = {
  players: 4,
  you: 0,
  seats: [seat("Kay"), seat("Cleo"), seat("2"), seat("the ace")],
  sides: [
    [0, 2],
    [1, 3],
  ],
  partners: true,
};

test("a reason has names where seats stood, whatever people are called", () => {
  expect(reason([1, " has the ace."], table)).toBe("Cleo has the ace.");
  expect(reason(["Only ", 3, " could still beat ", 2, "'s ten."], table)).toBe(
    "Only the ace could still beat 2's ten.",
  );
  expect(reason([3, " is likely to win it."], table)).toBe("The ace is likely to win it.");
  expect(reason([], table)).toBe("");
});
