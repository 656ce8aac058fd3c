import { expect, test } from "vitest";
import type { Replay, ReplayStep } from "../src/lib/messages";
import { replayLayout, slots, stockSpot, trickSpot } from "../src/replay/replayLayout";
import { inTurn, places, trickAt, type CardPlace } from "../src/replay/cardTimeline";
import { tableOf, describeStep, turningPointAt } from "../src/replay/narration";

const sorting = { high: true, trumpFirst: false, suits: "SHCD" };
/** A step of two players, of whom the first leads the only trick; what is not said is empty. */
function step(hands: string[][], events: unknown[] = [], view: Record<string, unknown> = {}): ReplayStep {
  const none = { table: [], melded: [], kitty: [], buried: [], passed: [], tricks: [], trick: [] };
  return {
    seat: 0,
    action: null,
    hands,
    events,
    view: { ...none, players: [0, 1], leader: 0, declarer: 0, trump: "H", upcard: null, stock: 0, ...view },
  } as unknown as ReplayStep;
}
const replay = (steps: ReplayStep[], more: Partial<Replay> = {}) =>
  ({
    table: "link",
    game: 1,
    deal: 1,
    variant: "two-handed",
    title: "Two-handed",
    players: 2,
    sides: [[0], [1]],
    partners: false,
    you: 0,
    names: ["Ann", "bot:expert"],
    sheet: [],
    turning_point: null,
    steps,
    ...more,
  }) as Replay;
const lies = (place: CardPlace) => `${place.card} ${place.zone} ${place.seat}`;

test("seats are counted from one of them, and from the first where it is not there", () => {
  expect(inTurn([0, 1, 2, 3], 2)).toEqual([2, 3, 0, 1]);
  expect(inTurn([0, 2, 3], 1)).toEqual([0, 2, 3]);
});

test("cards from a partner or the kitty are new until the first card is led", () => {
  const hands = [["AS", "AS", "KH"], ["9D"]];
  const passed = [{ seat: 1, to: 0, number: 1, cards: ["AS"] }];
  const got = (view: Record<string, unknown>) =>
    places(replay([step(hands, [], view)]), sorting)[0]!
      .filter((one) => one.received)
      .map(lies);
  expect(got({ passed })).toEqual(["AS hand 0"]);
  expect(got({ kitty: ["KH"] })).toEqual(["KH hand 0"]);
  expect(got({ kitty: ["KH"], declarer: 1 })).toEqual([]);
  expect(got({ passed, trick: ["9D"] })).toEqual([]);
});

test("a finished trick lies until the next card, and names its winner", () => {
  const won = { type: "TrickWon", seat: 1, leader: 0, cards: ["AS", "9H"], points: 11 };
  expect(trickAt(step([[], []], [won]))).toEqual({ leader: 0, cards: ["AS", "9H"], winner: 1 });
  expect(trickAt(step([[], []], [], { trick: ["AS"] })).winner).toBe(null);
});

test("every card of a deal keeps its place in the order, and a twin goes where it was nearest", () => {
  const trick = { leader: 0, cards: ["AS", "AS"], winner: 0 };
  const lying = places(
    replay([
      step([
        ["AS", "KH"],
        ["AS", "9D"],
      ]),
      step([["KH"], ["AS", "9D"]], [], { trick: ["AS"] }),
      step([["KH"], ["9D"]], [{ type: "TrickWon", seat: 0, ...trick }], { tricks: [trick] }),
    ]),
    sorting,
  );
  expect(lying.map((one) => one.map((place) => place.card))).toEqual(Array(3).fill(["9D", "AS", "AS", "KH"]));
  const twins = lying.map((one) => one.slice(1, 3).map(lies));
  expect(twins[0]).toEqual(["AS hand 0", "AS hand 1"]);
  expect(twins[1]).toEqual(["AS trick 0", "AS hand 1"]);
  expect(twins[2]).toEqual(["AS trick 0", "AS trick 1"]);
});

test("melded cards are marked as often as they are melded", () => {
  const melded = { type: "Melded", seat: 0, points: 4 };
  const [first] = places(
    replay([step([["KH", "KH", "QH"], []], [melded], { melded: [["KH", "QH"], []] })]),
    sorting,
  );
  expect(first!.filter((place) => place.up).map((place) => place.card)).toEqual(["KH", "QH"]);
});

const SCREENS = [
  [320, 320],
  [390, 560],
  [844, 240],
  [768, 760],
  [1280, 520],
  [1920, 860],
] as const;
const GAMES = [
  [2, 12],
  [3, 15],
  [4, 12],
  [4, 20],
  [6, 7],
  [9, 5],
] as const;
for (const [width, height] of SCREENS)
  test.each(GAMES)(
    `on ${width}x${height} all cards of %i players with %i lie on the floor`,
    (players, most) => {
      const seats = Array.from({ length: players }, (_, i) => i);
      const plan = replayLayout(seats, most, width, height, true);
      const lying = seats.flatMap((seat) =>
        Array.from({ length: most }, (_, at): CardPlace => ({
          card: "AS",
          zone: "hand",
          seat,
          at,
          of: most,
          laid: false,
          up: false,
        })),
      );
      const { w, h } = plan.card;
      for (const slot of slots(plan, lying)) {
        expect(slot.x - w / 2).toBeGreaterThanOrEqual(-1);
        expect(slot.x + w / 2).toBeLessThanOrEqual(width + 1);
        expect(slot.y - h / 2).toBeGreaterThanOrEqual(-1);
        expect(slot.y + h / 2).toBeLessThanOrEqual(height + 1);
      }
    },
  );

test("with many at the table the stock lies beside the trick on a telephone", () => {
  const seats = Array.from({ length: 9 }, (_, i) => i);
  const plan = replayLayout(seats, 5, 390, 560, true);
  const pile = stockSpot(plan, true);
  const first = trickSpot(plan, 0, 0, 9);
  expect(pile.x + plan.card.w * 0.4).toBeLessThan(first.x - (plan.card.w * first.size) / 2);
});

test("a step is told with its cards, as signs for the eye and in words for the ear", () => {
  const table = tableOf(replay([]));
  const played = step([[], []], [{ type: "Played", seat: 0, card: "TC" }]);
  expect(describeStep(played, table)).toBe("You play 10♣.");
  expect(describeStep(played, table, true)).toBe("You play ten of clubs.");
  const bury = step([[], []], [{ type: "Buried", seat: 1, number: 2, cards: ["9D", "JS"] }]);
  expect(describeStep(bury, table)).toBe("Ben buries 9♦ J♠.");
});

test("who keeps all cards is told so, and a discard is told once", () => {
  const table = tableOf(replay([]));
  const kept = [
    { type: "Decided", seat: 0, cards: [] },
    { type: "Discarded", seat: 1, number: 1, cards: ["9D"] },
  ];
  expect(describeStep(step([[], []], kept), table)).toBe("You keep all cards.");
});

test("the turning point is told at its step, and only there", () => {
  const steps = [step([[], []], [], { bid: 250 }), step([[], []], [], { bid: 250 })];
  const at = (is_made: boolean, i: number) =>
    turningPointAt(replay(steps, { turning_point: { step: 1, trick: 9, is_made } }), i);
  expect(at(true, 0)).toBe("");
  expect(at(true, 1)).toBe("With this trick the bid of 250 is made.");
  expect(at(false, 1)).toBe("With this trick the bid of 250 is out of reach.");
  expect(turningPointAt(replay(steps), 1)).toBe("");
});
