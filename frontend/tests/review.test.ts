import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReviewedDecision, ReviewProgress } from "../src/lib/messages";
import { chart } from "../src/replay/review/chart";
import { follow, type Follower } from "../src/replay/review/requests";

const decision = (deal: number, chance: number, lost: number, mistake = lost > 0): ReviewedDecision => ({
  deal,
  step: 1,
  trick: null,
  kind: "leading",
  action: ["pass"],
  best: ["pass"],
  chance,
  chance_lost: lost,
  chance_error: 0.01,
  points_lost: 1,
  points_error: 1,
  mistake,
  because: [],
});
const deal = (number: number, before: number, after: number) => ({
  deal: number,
  before,
  after,
  luck: 0,
  deal_luck: 0,
  decisions: 0,
});

describe("the graph of a review", () => {
  it("goes from deal to deal through all decisions, and drops at mistakes", () => {
    const mistake = decision(1, 0.4, 0.2);
    const found = chart({
      deals: [deal(1, 0.5, 0.7), deal(2, 0.7, 1)],
      decisions: [mistake, decision(1, 0.5, 0.1, false), decision(2, 0.8, 0)],
    });
    expect(found.width).toBe(5);
    expect(found.deals).toEqual([
      { deal: 1, x: 0 },
      { deal: 2, x: 3 },
    ]);
    expect(found.line.map(([x]) => x)).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 5]);
    expect(found.line.at(1)![1]).toBeCloseTo(0.6);
    expect(found.line.at(-1)).toEqual([5, 1]);
    expect(found.drops).toHaveLength(1);
    expect(found.drops[0]).toMatchObject({ x: 1, to: 0.4, decision: mistake });
  });

  it("is empty without a deal", () => {
    expect(chart({ deals: [], decisions: [] })).toEqual({ width: 0, line: [], deals: [], drops: [] });
  });
});

describe("following a review", () => {
  const progress = (state: ReviewProgress["state"], more: Partial<ReviewProgress> = {}): Response =>
    Response.json({ state, done: 0, total: 0, error: "", review: null, ...more });
  const seen: unknown[] = [];
  const follower: Follower = {
    onprogress: (done, total) => seen.push([done, total]),
    ontrouble: (sentence, ended) => seen.push([sentence, ended]),
    onreview: (review) => seen.push(review.seat),
  };
  const answers: (Response | Error)[] = [];
  const methods: string[] = [];

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("window", globalThis);
    for (const list of [seen, answers, methods]) list.length = 0;
    vi.stubGlobal("fetch", (_: string, { method = "GET" }: RequestInit) => {
      methods.push(method);
      const answer = answers.shift()!;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const wait = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

  it("asks each second until it is done", async () => {
    const review = { seat: 2, decisions: [], deals: [], kinds: [], skipped: 0, left_out: 0 };
    answers.push(
      progress("running"),
      progress("running", { done: 3, total: 9 }),
      progress("done", { review }),
    );
    follow("t", { game: 1, seat: 2 }, follower);
    await wait();
    expect(seen).toEqual([[0, 0]]);
    await wait(1000);
    await wait(1000);
    expect(seen).toEqual([[0, 0], [3, 9], 2]);
    await wait(10_000);
    expect(methods).toEqual(["POST", "GET", "GET"]);
  });

  it("asks on while the server cannot be reached, and starts again what it has forgotten", async () => {
    answers.push(progress("running"), new Error("offline"), progress("none"), progress("running"));
    const stop = follow("t", { game: 1, seat: 0 }, follower);
    await wait();
    await wait(1000);
    expect(seen.at(-1)).toEqual([expect.stringContaining("cannot be reached"), false]);
    await wait(1000);
    await vi.waitFor(() => expect(methods).toEqual(["POST", "GET", "GET", "POST"]));
    stop();
    await wait(10_000);
    expect(methods).toHaveLength(4);
  });

  it("ends with a failure or a refusal", async () => {
    answers.push(progress("failed", { error: "It failed." }));
    follow("t", { game: 1, seat: 0 }, follower);
    await wait(10_000);
    answers.push(Response.json({ error: "Not now.", faults: [] }, { status: 429 }));
    follow("t", { game: 1, seat: 0 }, follower);
    await wait(10_000);
    expect(seen).toEqual([
      ["It failed.", true],
      ["Not now.", true],
    ]);
    expect(methods).toEqual(["POST", "POST"]);
  });
});
