// Which of the card elements goes to which place, and how. Elements keep their order in the document
// for ever; a card that leaves one place for another is the same element, so that it is seen to move.
import type { Point, Spot, Zone } from "./tableLayout";
import type { Card } from "./types";

/** How a card gets to its place: from the dealer's pack, onto the trick, from partner to partner, with
 *  its trick to the winner, laid out or taken back as meld, or just so. */
export type MotionKind = "deal" | "play" | "pass" | "sweep" | "fan" | "slide";
export type CardSlot = Spot & {
  way: MotionKind;
  delay: number; // milliseconds before it moves
  was?: Card | null; // what it showed before, where it is turned over on the way
  from?: Point & { size: number }; // of a sweep: where it lay,
  via?: Point; // and where the trick is gathered
};
/** Where the pack lies and where a trick is gathered; `pace`: 1 at normal speed, 0 where nothing is staged. */
export interface Anchors {
  deck: Point;
  middle: Point;
  pace: number;
}
/** Who is dealt to, in turn, and how many cards at a time. */
export interface Deal {
  order: readonly number[];
  packet: number;
}

/** Who is dealt to, beginning at the dealer's left. */
export function dealtTo(players: readonly number[], dealer: number): number[] {
  const from = players.indexOf(dealer) + 1;
  return [...players.slice(from), ...players.slice(0, from)];
}

/** The zones from which a card most likely comes to a zone, best first. */
const FROM: Record<Zone, readonly Zone[]> = {
  trick: ["hand", "laid", "back", "meld", "won"],
  won: ["trick"],
  hand: ["meld", "kitty", "upcard", "stock", "back", "trick", "deck"],
  back: ["meld", "hand", "kitty", "stock", "upcard", "laid", "trick", "back", "deck"],
  laid: ["back", "deck"],
  meld: ["hand", "back", "deck"],
  kitty: ["deck", "back"],
  stock: ["deck"],
  upcard: ["deck", "stock", "hand", "back"],
  deck: [],
};
const HELD: readonly Zone[] = ["hand", "back"];
const AFTER = { fan: 28, pass: 70, kitty: 230, packed: 12 }; // milliseconds between a card and the next

/** Returns the slot of a card that does not move. */
export const atRest = (spot: Spot): CardSlot => ({ ...spot, way: "slide", delay: 0 });

const offTable = (at: Point): CardSlot =>
  atRest({
    zone: "deck",
    seat: -1,
    face: null,
    x: at.x,
    y: at.y,
    turn: 0,
    size: 0.4,
    level: 0,
    seen: false,
    index: 0,
  });

function matchScore(old: CardSlot, spot: Spot): number {
  const facing = old.face === spot.face ? 8 : old.face === null || spot.face === null ? 2 : -100;
  if (old.zone === spot.zone && old.seat === spot.seat)
    return 100 + facing - Math.abs(old.index - spot.index) / 100;
  const rank = FROM[spot.zone].indexOf(old.zone);
  if (rank < 0) return -1000;
  const seat = ["hand", "back", "laid", "meld", "trick"].includes(spot.zone);
  return 80 - 8 * rank + facing + (seat && old.seat === spot.seat ? 20 : 0);
}

/** Returns the new spot of each card element, without its motion. */
function assignSpots(before: readonly CardSlot[], spots: readonly Spot[], deck: Point): CardSlot[] {
  const pairs: [number, number, number][] = [];
  before.forEach((slot, i) =>
    spots.forEach((spot, j) => {
      const worth = matchScore(slot, spot);
      if (worth > 0) pairs.push([worth, i, j]);
    }),
  );
  pairs.sort((a, b) => b[0] - a[0] || a[1] - b[1] || a[2] - b[2]);
  const after: (CardSlot | null)[] = before.map(() => null);
  const filled = new Set<number>();
  for (const [, i, j] of pairs) {
    if (after[i] || filled.has(j)) continue;
    after[i] = atRest(spots[j]!);
    filled.add(j);
  }
  const free = after.flatMap((slot, i) => (slot ? [] : [i]));
  spots.forEach((spot, j) => {
    if (filled.has(j)) return;
    const i = free.shift();
    if (i === undefined) after.push(atRest(spot));
    else after[i] = atRest(spot);
  });
  return after.map((slot) => slot ?? offTable(deck));
}

const isResting = (old: CardSlot, now: CardSlot) =>
  old.zone === now.zone &&
  old.seat === now.seat &&
  old.face === now.face &&
  old.seen === now.seen &&
  Math.abs(old.x - now.x) + Math.abs(old.y - now.y) < 0.5 &&
  old.size === now.size;

function motionKindOf(old: CardSlot, now: CardSlot): MotionKind {
  if (old.zone === "trick" && now.zone === "won") return "sweep";
  if (now.zone === "trick" && old.zone !== "won" && old.zone !== "trick") return "play";
  if (now.zone === "meld" || (old.zone === "meld" && HELD.includes(now.zone))) return "fan";
  if (HELD.includes(old.zone) && HELD.includes(now.zone) && old.seat !== now.seat) return "pass";
  return "slide";
}

/** The elements' new places and the way there. Those not needed wait unseen where the deck is. What has
 *  not moved keeps the way by which it came, for it may still be on it. */
export function assignCards(
  before: readonly CardSlot[],
  spots: readonly Spot[],
  ground: Anchors,
): CardSlot[] {
  const { deck, middle, pace } = ground;
  const nth = new Map<string, number>();
  return assignSpots(before, spots, deck).map((now, i) => {
    const old = before[i];
    if (!old) return now;
    if (isResting(old, now))
      return { ...now, way: old.way, delay: old.delay, was: old.was, from: old.from, via: old.via };
    if (!pace) return now;
    const way = motionKindOf(old, now);
    const swept = way === "sweep";
    const turned = old.seen && (now.seen || swept) && (old.face === null) !== (now.face === null);
    const kind = now.zone === "kitty" && turned ? "kitty" : way === "fan" || way === "pass" ? way : null;
    const at = nth.get(`${kind} ${now.seat}`) ?? 0;
    nth.set(`${kind} ${now.seat}`, at + 1);
    return {
      ...now,
      way,
      delay: kind ? Math.round(at * AFTER[kind] * pace) : 0,
      ...(turned && { was: old.face }),
      ...(swept && { from: { x: old.x, y: old.y, size: old.size }, via: middle }),
    };
  });
}

/** A new deal: first the whole pack where the deck is, then where its cards are dealt to. */
export function dealAnimation(
  before: readonly CardSlot[],
  spots: readonly Spot[],
  { deck, pace }: Anchors,
  deal: Deal,
): { pack: CardSlot[]; out: CardSlot[] } {
  const all = assignSpots(
    before.map(() => offTable(deck)),
    spots,
    deck,
  );
  const out = dealInPackets(all, deal, 1000 * pace).map((slot) =>
    slot.seen && slot.face ? { ...slot, was: null } : slot,
  );
  const pack = all.map((slot, i): CardSlot => {
    const lift = Math.min(i, 40) * 0.2;
    return {
      ...slot,
      ...deck,
      y: deck.y - lift,
      size: 0.42,
      turn: 0,
      face: null,
      way: "slide",
      delay: 0,
    };
  });
  return { pack, out };
}

/** Dealt out in packets round the table, a card to the kitty after each round, the rest at the end. */
export function dealInPackets(
  slots: readonly CardSlot[],
  { order, packet }: Deal,
  total: number,
): CardSlot[] {
  const given = new Map<number, number>();
  const steps = slots.map((slot): { round: number; turn: number; at: number } | null => {
    if (!slot.seen) return null;
    const kitty = slot.zone === "kitty";
    if (!kitty && !HELD.includes(slot.zone)) return { round: Infinity, turn: 0, at: 0 };
    const many = given.get(kitty ? -1 : slot.seat) ?? 0;
    given.set(kitty ? -1 : slot.seat, many + 1);
    if (kitty) return { round: many, turn: order.length, at: 0 };
    const turn = order.indexOf(slot.seat);
    return { round: Math.floor(many / packet), turn: turn < 0 ? order.length : turn, at: many % packet };
  });
  const key = (step: { round: number; turn: number }) => step.round * (order.length + 1) + step.turn;
  const turns = [...new Set(steps.flatMap((step) => (step ? [key(step)] : [])))].sort((a, b) => a - b);
  const nth = new Map(turns.map((turn, i) => [turn, i]));
  return slots.map((slot, i) => {
    const step = steps[i];
    if (!step) return slot;
    const after = (nth.get(key(step))! / turns.length) * total + step.at * AFTER.packed;
    return { ...slot, way: "deal", delay: Math.round(after) };
  });
}
