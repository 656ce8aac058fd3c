import { expect, test } from "vitest";
import type { SheetRow } from "../src/lib/types";
import { namesOf, reason, sentence, type Seated } from "../src/lib/narration";
import { lossSentences, resultHeadline, isGoodResult } from "../src/table/dealResult";
import { hintedFirst } from "../src/table/meldOrder";

const seat = (name: string) => ({
  name,
  person: true,
  bot: "",
  present: true,
  substituted: false,
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

const row = (score: object, lost: (object | null)[] = [null, null]) =>
  ({ score: { bid: null, declarer: null, trump: null, ...score }, totals: [], lost }) as unknown as SheetRow;
const said = (score: object, lost?: (object | null)[]) => resultHeadline(row(score, lost), table).join(" | ");

test("the first line of a result says who made a bid or was set, and by how much", () => {
  const deal = { declarer: 1, bid: 290, meld: [40, 150], play: [68, 182], change: [108, 332] };
  expect(said({ ...deal, outcome: "made" })).toBe("Cleo made 290 | with 42 to spare");
  expect(said({ ...deal, outcome: "made", change: [108, 290] })).toBe("Cleo made 290 | exactly");
  // a deal that is paid in chips
  expect(said({ ...deal, outcome: "made", change: [-2, 4] })).toBe("Cleo made 290 | with 42 to spare");
  const set = {
    ...deal,
    outcome: "set",
    declarer: 0,
    meld: [150, 40],
    play: [100, 150],
    change: [-290, 190],
  };
  expect(said(set)).toBe("You went set | 40 short of 290");
  // with enough in meld and play, but part of it lost, how much was missing is not what they add up to
  expect(said({ ...set, play: [140, 110] }, [{ why: "trick", least: 0 }, null])).toBe(
    "You went set | on a bid of 290",
  );
  expect(said({ outcome: "counted", meld: [0, 0], play: [0, 0], change: [84, 120] })).toBe(
    "Cleo and the ace scored more | 120 in this deal",
  );
  const three = { ...table, sides: [[0], [1], [2, 3]] };
  const counted = row({ outcome: "counted", meld: [], play: [], change: [84, 120, 50] });
  expect(resultHeadline(counted, three)[0]).toBe("Cleo scored most");
  expect(said({ outcome: "counted", meld: [0, 0], play: [0, 0], change: [0, 0] })).toBe("Nobody scored | ");
  expect(said({ outcome: "thrown-in", meld: [0, 0], play: [0, 0], change: [0, 0] })).toContain(
    "Everybody passed",
  );
});

test("people are listed in a sentence as people say it", () => {
  expect(namesOf(table, [1])).toBe("Cleo");
  expect(namesOf(table, [1, 3])).toBe("Cleo and the ace");
  expect(namesOf(table, [1, 2, 3])).toBe("Cleo, 2 and the ace");
  const lost = row({ outcome: "set" }, [{ why: "trick", least: 0 }, null]);
  expect(lossSentences(lost, table)).toEqual(["You and 2 won no trick, so the meld does not count."]);
});

test("a deal went well for a side that made its bid or set the others", () => {
  const other = { ...table, you: 1 };
  const made = row({ outcome: "made", declarer: 2, bid: 60, change: [85, 120] });
  expect(isGoodResult(made, table)).toBe(true); // also where the others got more
  expect(isGoodResult(made, other)).toBe(false);
  for (const outcome of ["set", "conceded", "no-marriage"]) {
    const lost = row({ outcome, declarer: 2, bid: 60, change: [-60, -90] });
    expect(isGoodResult(lost, table)).toBe(false);
    expect(isGoodResult(lost, other)).toBe(true);
  }
  expect(isGoodResult(made, { ...table, you: null })).toBeNull();
});

test("a deal without a bid went well for the side that got most", () => {
  for (const score of [
    { outcome: "counted", change: [84, 120] },
    { outcome: "reneged", declarer: 1, change: [-290, 190] },
  ]) {
    expect(isGoodResult(row(score), table)).toBe(false);
    expect(isGoodResult(row(score), { ...table, you: 1 })).toBe(true);
    expect(isGoodResult(row(score), { ...table, you: null })).toBeNull();
  }
  expect(isGoodResult(row({ outcome: "thrown-in", change: [0, 0] }), table)).toBeNull();
});

test("you are written small after a colon", () => {
  const declared = { type: "Declared", points: 250, forced: true } as const;
  expect(sentence({ ...declared, seat: 0 }, table)).toBe("Everybody passed: you get the bid at 250.");
  expect(sentence({ ...declared, seat: 1 }, table)).toBe("Everybody passed: Cleo gets the bid at 250.");
  expect(sentence({ ...declared, seat: 0, forced: false }, table)).toBe("You win the auction at 250.");
  const shown = { type: "KittyShown", cards: ["AS", "TH", "9D"] } as const;
  expect(sentence({ ...shown, cards: [...shown.cards], seat: 0 }, table)).toBe(
    "The kitty is A♠ 10♥ 9♦: you take it.",
  );
});

test("a meld that a hint names comes first, in whatever order its cards are", () => {
  const melds = [
    ["AS", "AH"],
    ["QS", "JD"],
    ["KC", "QC"],
  ].map((cards, at) => ({
    name: String(at),
    cards,
    points: 9 - at,
  }));
  const names = (...action: unknown[]) => hintedFirst(melds, action[0] as never).map((one) => one.name);
  expect(names(["meld", ["QC", "KC"]])).toEqual(["2", "0", "1"]);
  expect(names(["play", "QC"])).toEqual(["0", "1", "2"]);
  expect(names(undefined)).toEqual(["0", "1", "2"]);
});
