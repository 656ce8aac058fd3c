import { expect, test } from "vitest";
import {
  assignCards,
  dealAnimation,
  dealtTo,
  atRest,
  dealInPackets,
  type Anchors,
  type CardSlot,
} from "../src/lib/cardMotion";
import type { Spot, Zone } from "../src/lib/tableLayout";

const ground: Anchors = { deck: { x: 0, y: 0 }, middle: { x: 500, y: 300 }, pace: 1 };
let places = 0;
/** A place of its own for a card. */
const spot = (zone: Zone, seat: number, face: string | null, more: Partial<Spot> = {}): Spot => ({
  zone,
  seat,
  face,
  x: 10 * ++places,
  y: places,
  turn: 0,
  size: 1,
  level: 1,
  seen: true,
  index: places,
  ...more,
});
const hands = (seats: number, each: number) =>
  Array.from({ length: seats * each }, (_, i) => spot("back", Math.floor(i / each), null));
const at = (slots: readonly CardSlot[], zone: Zone) => slots.filter((slot) => slot.zone === zone);

test("the dealer's left is dealAnimation to first, and the dealer last", () => {
  expect(dealtTo([0, 1, 2, 3], 2)).toEqual([3, 0, 1, 2]);
  expect(dealtTo([0, 1, 2], 2)).toEqual([0, 1, 2]);
});

test("a packet goes to each in turn, and a card to the kitty after each round", () => {
  const spots = [...hands(3, 15), ...[0, 1, 2].map(() => spot("kitty", -1, null))];
  const slots = dealInPackets(spots.map(atRest), { order: [1, 2, 0], packet: 3 }, 2000);
  const moments = [...slots.keys()].sort((a, b) => slots[a]!.delay - slots[b]!.delay);
  const told = moments.map((i) => (slots[i]!.zone === "kitty" ? "k" : String(slots[i]!.seat))).join("");
  expect(told).toBe("111222000k".repeat(3) + "111222000".repeat(2));
});

test("the cards of a packet leave together, and the next packet after them", () => {
  const slots = dealInPackets(hands(2, 12).map(atRest), { order: [1, 0], packet: 4 }, 1200);
  const delays = slots.filter((slot) => slot.seat === 1).map((slot) => slot.delay);
  expect(delays).toEqual([0, 12, 24, 36, 400, 412, 424, 436, 800, 812, 824, 836]);
  expect(slots.find((slot) => slot.seat === 0)!.delay).toBe(200);
});

test("stock and upcard come when all hands are dealt", () => {
  const spots = [spot("stock", -1, null), spot("upcard", -1, "9H"), ...hands(2, 6)];
  const slots = dealInPackets(spots.map(atRest), { order: [0, 1], packet: 3 }, 1000);
  const last = Math.max(...at(slots, "back").map((slot) => slot.delay));
  for (const slot of [...at(slots, "stock"), ...at(slots, "upcard")])
    expect(slot.delay).toBeGreaterThan(last);
});

test("the whole pack lies face down at the dealer's before it is dealAnimation, and every card is its own element", () => {
  const spots = [...["AS", "TH"].map((face) => spot("hand", 0, face)), ...hands(3, 2)];
  const { pack, out } = dealAnimation([], spots, ground, { order: [0, 1, 2], packet: 2 });
  expect(pack.map((slot) => [slot.face, slot.x, slot.delay])).toEqual(spots.map(() => [null, 0, 0]));
  expect(out.map(({ zone, seat, face }) => [zone, seat, face])).toEqual(
    spots.map(({ zone, seat, face }) => [zone, seat, face]),
  );
  expect(out.map((slot) => slot.was)).toEqual([null, null, ...hands(3, 2).map(() => undefined)]);
});

test("a finished trick is gathered in the middle and swept to its winner, all its cards", () => {
  const trick = ["AS", "KS", "9S", "QS"].map((face, seat) => atRest(spot("trick", seat, face)));
  const won = trick.map(() => spot("won", 2, null, { x: 80, y: 90, seen: false }));
  const swept = assignCards(trick, won, ground);
  expect(swept.map(({ way, zone, seat, face, x, y }) => [way, zone, seat, face, x, y])).toEqual(
    trick.map(() => ["sweep", "won", 2, null, 80, 90]),
  );
  expect(swept.map((slot) => slot.via)).toEqual(trick.map(() => ground.middle));
  expect(swept.map((slot) => [slot.from!.x, slot.from!.y])).toEqual(trick.map(({ x, y }) => [x, y]));
  expect(swept.map((slot) => slot.was).sort()).toEqual(["9S", "AS", "KS", "QS"]);
});

test("a sweep goes on while the next card is led", () => {
  const trick = [atRest(spot("trick", 0, "AS")), atRest(spot("hand", 0, "TD"))];
  const won = spot("won", 1, null, { seen: false });
  const swept = assignCards(trick, [won, spot("hand", 0, "TD")], ground);
  const led = assignCards(swept, [won, spot("trick", 0, "TD")], ground);
  expect(led[0]).toEqual(swept[0]);
  expect([led[1]!.way, led[1]!.zone]).toEqual(["play", "trick"]);
});

test("the kitty is turned over one by one", () => {
  const down = [0, 1, 2].map(() => atRest(spot("kitty", -1, null)));
  const up = assignCards(
    down,
    ["AS", "9D", "QH"].map((face) => spot("kitty", -1, face)),
    ground,
  );
  expect(up.map((slot) => slot.was)).toEqual([null, null, null]);
  expect(up.map((slot) => slot.delay)).toEqual([0, 230, 460]);
});

test("cards that are passed are seen to leave the giver for the taker", () => {
  const before = [...hands(4, 3).map(atRest), atRest(spot("deck", -1, null, { seen: false }))];
  const taken = before
    .slice(0, 12)
    .filter((slot) => slot.seat !== 1)
    .map((slot): Spot => ({ ...slot }));
  const more = [0, 1, 2].map(() => spot("back", 3, null));
  const after = assignCards(before, [...taken, ...more], ground);
  expect(after.filter((slot) => slot.way === "pass").map((slot) => slot.seat)).toEqual([3, 3, 3]);
  expect(before.flatMap((slot, i) => (slot.seat === 1 ? [after[i]!.way] : []))).toEqual(
    Array(3).fill("pass"),
  );
});

test("meld is laid out card by card, and another's is turned over", () => {
  const before = hands(1, 2).map((one) => atRest({ ...one, seat: 3 }));
  const after = assignCards(
    before,
    ["QS", "JD"].map((face) => spot("meld", 3, face)),
    ground,
  );
  expect(after.map(({ way, was, delay }) => [way, was, delay])).toEqual([
    ["fan", null, 0],
    ["fan", null, 28],
  ]);
});

test("where nothing is staged every card is simply where it belongs", () => {
  const trick = ["AS", "KS"].map((face, seat) => atRest(spot("trick", seat, face)));
  const won = trick.map(() => spot("won", 1, null, { seen: false }));
  const after = assignCards(trick, won, { ...ground, pace: 0 });
  expect(after.map(({ way, delay, was }) => [way, delay, was])).toEqual([
    ["slide", 0, undefined],
    ["slide", 0, undefined],
  ]);
});

test("elements are never fewer, nor change their order", () => {
  const before = hands(4, 5).map(atRest);
  const after = assignCards(before, [spot("trick", 2, "AS"), ...hands(3, 2)], ground);
  expect(after).toHaveLength(before.length);
  expect(after[10]!.zone).toBe("trick");
});
