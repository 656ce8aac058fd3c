import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { explains, saveSettings } from "../src/lib/settings.svelte";
import { TableStore } from "../src/lib/tableStore.svelte";
import type { View } from "../src/lib/types";
import { text as panels } from "../src/table/panels/strings";
import { Wire } from "./wire";

const VIEW = {
  seat: 0,
  players: [0, 1, 2, 3],
  hand: ["AS", "TH"],
  sizes: [2, 2, 2, 1],
  table: [],
  trick: ["KS", "QS", "JS"],
  tricks: [],
  leader: 1,
  turn: 0,
} as unknown as View;

test("no key has two meanings", () => {
  const keys = panels.keys.rows.flatMap(([keys]) => keys!.split(" "));
  expect(keys.length).toBeGreaterThan(15);
  expect(new Set(keys).size).toBe(keys.length);
});

describe("a table that is shown", () => {
  const TABLE = {
    variant: "partnership",
    seats: [0, 1, 2, 3].map((seat) => ({ name: `P${seat}`, bot: null })),
    sides: [0, 1, 0, 1],
    players: 4,
    you: 0,
    clock: null,
    turn_seconds_left: null,
    paused: false,
    proposal: null,
    readers: null,
    denied_proposal: null,
    undone: null,
    claiming_seat: null,
    changed_rule_count: 0,
    renege_penalty: false,
    allowed: {},
  };
  const reading = (waiting: number[]) => ({ readers: { deal: 1, waiting, seconds_left: 100 } });
  const line = () => Wire.all.at(-1)!;
  const SCORED = { type: "DealScored", score: { declarer: null } };
  const passed = (seat: number) => ({ type: "Passed", seat });
  function told(seq: number, more: object = {}, table: object = {}) {
    line().says({
      type: "state",
      seq,
      missed: false,
      decision: null,
      events: [],
      view: VIEW,
      sheet: [],
      table: { ...TABLE, ...table },
      ...more,
    });
  }
  let play: TableStore;
  beforeEach(() => {
    vi.useFakeTimers();
    const nobody = { addEventListener: () => {}, removeEventListener: () => {} };
    vi.stubGlobal("WebSocket", Wire);
    vi.stubGlobal("window", { ...nobody, setTimeout: globalThis.setTimeout });
    vi.stubGlobal("document", { ...nobody, visibilityState: "visible", hidden: false });
    vi.stubGlobal("location", { protocol: "http:", host: "here" });
    Wire.all = [];
    play = new TableStore("table");
  });
  afterEach(() => {
    play.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("what comes at once is shown one after the other", () => {
    told(1);
    told(2, { events: [passed(1)] });
    told(3, { events: [passed(2)] });
    expect([play.message!.seq, play.latest!.seq]).toEqual([2, 3]);
    expect(play.settled).toBe(false);
    vi.advanceTimersByTime(9000);
    expect([play.message!.seq, play.settled]).toEqual([3, true]);
  });

  test("what is to do is told of the moment that is shown, and heard when one is asked", () => {
    const says = (...short: (string | number)[]) => ({ guidance: { short, long: short, words: [] } });
    told(1, says("Waiting for ", 1));
    told(2, { events: [passed(1)], ...says("Waiting for ", 2) });
    told(3, { events: [passed(2)], decision: { kind: "bid" }, ...says("Promise points") });
    expect(play.guidance!.short).toEqual(["Waiting for ", 2]);
    vi.advanceTimersByTime(9000);
    expect(play.guidance!.short).toEqual(["Promise points"]);
    expect(play.spoken).toContain("Promise points");
  });

  test("nobody is awaited while a trick that is won still lies there", () => {
    const says = (short: string) => ({ guidance: { short: [short], long: [short], words: [] } });
    told(1, says("Waiting for Cleo to play"));
    const events = [{ type: "TrickWon", seat: 1, leader: 3, cards: ["KS", "QS", "9S", "JS"], points: 10 }];
    told(2, { events, ...says("Lead a card") });
    expect(play.guidance).toBeNull();
    expect(play.news).toContain("win");
    vi.advanceTimersByTime(9000);
    expect(play.guidance!.short).toEqual(["Lead a card"]);
  });

  test("a second tap on Hint asks nothing, and the hint is shown when it comes", () => {
    told(1);
    play.askHint();
    play.askHint();
    expect(line().sent.filter((one) => (one as { type: string }).type === "hint")).toHaveLength(1);
    line().says({ type: "hint", seq: 1, action: ["pass"], reason: [], tried: [] });
    expect(play.hint).not.toBeNull();
    play.askHint();
    line().breaks();
    vi.advanceTimersByTime(9000);
    expect(play.hinting).toBe(false);
  });

  test("each step is explained until the first game is over, or as was chosen", () => {
    vi.stubGlobal("document", { ...document, documentElement: { dataset: {} } });
    const WON = { type: "GameWon", side: 0, seats: [0, 2] };
    const SIDES = {
      sides: [
        [0, 2],
        [1, 3],
      ],
    };
    expect(explains()).toBe(true);
    told(1);
    told(2, { events: [SCORED] });
    expect(explains()).toBe(true);
    told(3, { events: [SCORED, WON] }, SIDES);
    play.dismiss();
    vi.advanceTimersByTime(9000);
    expect(explains()).toBe(false);
    saveSettings({ explain: true });
    play.dismiss();
    told(4, { events: [SCORED, WON] }, SIDES);
    expect(play.stage).toBe("game");
    expect(explains()).toBe(true);
  });

  test("where messages were missed the table is shown as it stands", () => {
    told(1);
    told(2, { events: [passed(1)] });
    told(9, { events: [passed(2)] });
    expect([play.message!.seq, play.settled]).toEqual([9, true]);
  });

  test("nothing is asked twice, and again where it was refused", () => {
    told(1, { decision: { kind: "bid", sizes: [] } });
    expect(play.decision?.kind).toBe("bid");
    play.act(["pass"]);
    expect(play.decision).toBeNull();
    play.act(["pass"]);
    expect(line().sent).toEqual([{ type: "act", seq: 1, action: ["pass"] }]);
    line().says({ type: "refused", code: "rule", sentence: "Not now.", seq: 1 });
    expect([play.decision?.kind, play.refusal]).toEqual(["bid", "Not now."]);
  });

  test("a tap plays a forced rest: what is left after a forced card is all alike", () => {
    const asked = (seq: number, hand: string[], plays: string[]) =>
      told(seq, { view: { ...VIEW, hand }, decision: { kind: "play", plays, melds: [], sizes: [] } });
    asked(1, ["AS", "TH", "KD"], ["AS"]);
    expect(play.only).toBe("AS");
    play.act(["play", "AS"]);
    expect(play.rest).toBe(false); // two cards, and perhaps a choice
    asked(2, ["TH", "KD"], ["TH", "KD"]);
    vi.advanceTimersByTime(9000);
    expect(play.only).toBeNull();
    play.act(["play", "TH"]);
    expect(play.rest).toBe(false); // it was chosen
    asked(3, ["TH", "KD"], ["TH"]);
    vi.advanceTimersByTime(9000);
    play.act(["play", "TH"]);
    expect(play.rest).toBe(true);
  });

  test("a result stays until everybody has read it, and then goes by itself", () => {
    told(1);
    told(2, { events: [SCORED] }, reading([0, 1]));
    expect(play.stage).toBe("deal");
    play.dismiss();
    expect(line().sent).toEqual([{ type: "continue", deal: 1 }]);
    told(3, {}, reading([1]));
    expect(play.stage).toBe("deal");
    told(4);
    expect(play.stage).toBeNull();
  });

  test("who is the last to read a result waits for nobody", () => {
    told(1);
    told(2, { events: [SCORED] }, reading([0]));
    play.dismiss();
    expect([play.stage, line().sent]).toEqual([null, [{ type: "continue", deal: 1 }]]);
  });

  test("whose word that it is read was lost with the line can say it again", () => {
    told(1);
    told(2, { events: [SCORED] }, reading([0, 1]));
    play.dismiss();
    line().breaks();
    vi.runOnlyPendingTimers();
    told(2, {}, reading([0, 1]));
    play.dismiss();
    expect(line().sent).toEqual([{ type: "continue", deal: 1 }]);
    expect(play.stage).toBe("deal");
  });

  test("so can whose word was refused", () => {
    told(1);
    told(2, { events: [SCORED] }, reading([0, 1]));
    play.dismiss();
    line().says({ type: "refused", code: "busy", sentence: "Later.", seq: 2 });
    play.dismiss();
    expect(line().sent).toHaveLength(2);
  });
});
