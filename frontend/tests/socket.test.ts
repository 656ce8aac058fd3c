import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection, type ConnectionStatus } from "../src/lib/socket";
import type { ServerMessage } from "../src/lib/types";
import { Wire } from "./wire";

const last = () => Wire.all.at(-1)!;
const state = (seq: number, missed = false, table = { started: true, over: false, paused: false }) => ({
  type: "state",
  seq,
  missed,
  table,
});
const play = (seq: number) => ({ type: "act", seq, action: ["play", "AS"] }) as const;

let heard: ServerMessage[], statuses: ConnectionStatus[], line: Connection, browser: EventTarget;
beforeEach(() => {
  vi.useFakeTimers();
  const nobody = { addEventListener: () => {}, removeEventListener: () => {} };
  browser = Object.assign(new EventTarget(), { setTimeout: globalThis.setTimeout });
  vi.stubGlobal("WebSocket", Wire);
  vi.stubGlobal("window", browser);
  vi.stubGlobal("document", { ...nobody, visibilityState: "visible" });
  vi.stubGlobal("location", { protocol: "http:", host: "here" });
  [Wire.all, heard, statuses] = [[], [], []];
  line = new Connection(
    "table",
    (message) => heard.push(message),
    (status) => statuses.push(status),
  );
});
afterEach(() => {
  line.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what is said before the table is known waits until it is", () => {
  line.send({ type: "hint" });
  last().says(state(3, true));
  expect(last().sent).toEqual([]);
  last().says(state(4));
  expect(last().sent).toEqual([{ type: "hint" }]);
  expect(statuses).toEqual(["open"]);
  expect(heard).toHaveLength(2);
});

test("a line that breaks comes back from where it was", () => {
  last().says(state(7));
  last().breaks();
  expect(statuses).toEqual(["open", "lost"]);
  vi.runOnlyPendingTimers();
  expect(Wire.all).toHaveLength(2);
  expect(new URL(last().url).searchParams.get("seq")).toBe("7");
});

test("once there is a network again, what never came to open is opened anew at once", () => {
  last().says(state(7));
  last().breaks();
  vi.runOnlyPendingTimers();
  const stuck = last();
  stuck.readyState = Wire.CONNECTING;
  browser.dispatchEvent(new Event("online"));
  expect(Wire.all).toHaveLength(3);
  expect(stuck.readyState).toBe(Wire.CLOSED);
  expect(new URL(last().url).searchParams.get("seq")).toBe("7");
  stuck.breaks(); // what it says late counts no more
  vi.runOnlyPendingTimers();
  expect(Wire.all).toHaveLength(3);
});

test("and a line that holds stays", () => {
  last().says(state(7));
  browser.dispatchEvent(new Event("online"));
  expect(Wire.all).toHaveLength(1);
});

test("the next deal waits for who reads here, also once the line has come back", () => {
  const reads = () => new URL(last().url).searchParams.get("reads");
  expect(reads()).toBe("1");
  last().says(state(7));
  last().breaks();
  vi.runOnlyPendingTimers();
  expect(reads()).toBe("1");
});

test("an action whose answer was lost is sent again where the table has not moved on", () => {
  last().says(state(7));
  line.send(play(7));
  last().breaks();
  vi.runOnlyPendingTimers();
  last().says(state(7));
  expect(last().sent).toEqual([play(7)]);
});

test("and is not where it has", () => {
  last().says(state(7));
  line.send(play(7));
  last().breaks();
  vi.runOnlyPendingTimers();
  last().says(state(8, true));
  last().says(state(9));
  expect(last().sent).toEqual([]);
});

test("a refused action is not sent again", () => {
  last().says(state(7));
  line.send(play(7));
  last().says({ type: "refused", code: "rule", sentence: "No.", seq: 7 });
  last().breaks();
  vi.runOnlyPendingTimers();
  last().says(state(7));
  expect(last().sent).toEqual([]);
});

const pings = () => last().sent.filter((one) => (one as { type: string }).type === "ping").length;

test("a server that says nothing for three seconds after something was sent is silent", () => {
  last().says(state(7));
  line.send(play(7));
  vi.advanceTimersByTime(2999);
  expect(statuses).toEqual(["open"]);
  expect(pings()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(statuses).toEqual(["open", "silent"]);
  last().says(state(8));
  expect(statuses).toEqual(["open", "silent", "open"]);
  vi.advanceTimersByTime(9000);
  expect(Wire.all).toHaveLength(1);
});

test("one that answers a ping is there, however long a hint takes", () => {
  last().says(state(7));
  line.send({ type: "hint" });
  vi.advanceTimersByTime(2000);
  last().says({ type: "pong" });
  vi.advanceTimersByTime(3000);
  expect(statuses).toEqual(["open"]);
});

test("while a game runs, a server that falls silent is noticed within six seconds, also after a long wait", () => {
  last().says(state(7));
  for (let nth = 1; nth <= 20; nth++) {
    vi.advanceTimersByTime(3000);
    expect(pings()).toBe(nth);
    last().says({ type: "pong" });
  }
  vi.advanceTimersByTime(5999);
  expect(statuses).toEqual(["open"]);
  vi.advanceTimersByTime(1);
  expect(statuses).toEqual(["open", "silent"]);
});

test.each([
  ["before the game", { started: false, over: false, paused: false }],
  ["after the game", { started: true, over: true, paused: false }],
  ["at a paused table", { started: true, over: false, paused: true }],
])("%s it is asked ever more seldom as it answers", (_, table) => {
  last().says(state(7, false, table));
  for (const [nth, quiet] of [3000, 6000, 12_000, 12_000].entries()) {
    vi.advanceTimersByTime(quiet - 1);
    expect(pings()).toBe(nth);
    vi.advanceTimersByTime(1);
    expect(pings()).toBe(nth + 1);
    last().says({ type: "pong" });
  }
  last().says(state(8, false, table));
  vi.advanceTimersByTime(6000);
  expect(pings()).toBe(5);
  expect(statuses).toEqual(["open", "silent"]);
  expect(heard).toHaveLength(2);
});

test("a silent line is replaced, and what was tapped is done on the new one", () => {
  last().says(state(7));
  line.send(play(7));
  vi.advanceTimersByTime(8000);
  expect(Wire.all).toHaveLength(2);
  expect(Wire.all[0]!.readyState).toBe(Wire.CLOSED);
  last().says(state(7));
  expect(last().sent).toEqual([play(7)]);
  expect(statuses).toEqual(["open", "silent", "open"]);
});

test("if the old line has done it after all, nobody hears that the table has moved on", () => {
  last().says(state(7));
  line.send(play(7));
  last().breaks();
  vi.runOnlyPendingTimers();
  last().says(state(7));
  last().says(state(8));
  last().says({ type: "refused", code: "stale", sentence: "The table has moved on.", seq: 8 });
  expect(heard.filter((message) => message.type === "refused")).toEqual([]);
  line.send(play(8));
  last().says({ type: "refused", code: "stale", sentence: "The table has moved on.", seq: 9 });
  expect(heard.filter((message) => message.type === "refused")).toHaveLength(1);
});

test("a hint is asked for again where the line broke before it came", () => {
  last().says(state(7));
  line.send({ type: "hint" });
  last().breaks();
  vi.runOnlyPendingTimers();
  last().says(state(7));
  expect(last().sent).toEqual([{ type: "hint" }]);
});

test("a table that is not there is not asked for again", () => {
  last().breaks(4404);
  expect(statuses).toEqual(["gone"]);
  vi.runOnlyPendingTimers();
  expect(Wire.all).toHaveLength(1);
});
