// Which of the card elements goes to which place. Elements keep their order in the document for
// ever; a card that leaves one place for another is the same element, so that it is seen to move.
import type { Spot, Zone } from "./layout";

export type Slot = Spot & { delay: number };

/** From where a card most likely comes, best first. */
const FROM: Record<Zone, readonly Zone[]> = {
  trick: ["hand", "laid", "back", "meld", "won"],
  won: ["trick"],
  hand: ["meld", "kitty", "upcard", "stock", "back", "trick", "deck"],
  back: ["meld", "hand", "kitty", "stock", "upcard", "laid", "trick", "deck"],
  laid: ["back", "deck"],
  meld: ["hand", "back", "deck"],
  kitty: ["deck", "back"],
  stock: ["deck"],
  upcard: ["deck", "stock", "hand", "back"],
  deck: [],
};

const parked = (at: { x: number; y: number }): Slot => ({
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
  delay: 0,
});

function fit(old: Slot, spot: Spot): number {
  const facing = old.face === spot.face ? 8 : old.face === null || spot.face === null ? 2 : -100;
  if (old.zone === spot.zone && old.seat === spot.seat)
    return 100 + facing - Math.abs(old.index - spot.index) / 100;
  const rank = FROM[spot.zone].indexOf(old.zone);
  if (rank < 0) return -1000;
  const seat = ["hand", "back", "laid", "meld", "trick"].includes(spot.zone);
  return 60 - 8 * rank + facing + (seat && old.seat === spot.seat ? 20 : 0);
}

/** The elements' new places. Those not needed wait unseen where the deck is. */
export function assign(
  before: readonly Slot[],
  spots: readonly Spot[],
  deck: { x: number; y: number },
  dealt: boolean,
): Slot[] {
  const pairs: [number, number, number][] = [];
  const old = dealt ? before.map(() => parked(deck)) : before;
  old.forEach((slot, i) =>
    spots.forEach((spot, j) => {
      const worth = fit(slot, spot);
      if (worth > 0) pairs.push([worth, i, j]);
    }),
  );
  pairs.sort((a, b) => b[0] - a[0] || a[1] - b[1] || a[2] - b[2]);
  const after: (Slot | null)[] = old.map(() => null);
  const filled = new Set<number>();
  for (const [, i, j] of pairs) {
    if (after[i] || filled.has(j)) continue;
    after[i] = { ...spots[j]!, delay: 0 };
    filled.add(j);
  }
  const free = after.flatMap((slot, i) => (slot ? [] : [i]));
  spots.forEach((spot, j) => {
    if (filled.has(j)) return;
    const i = free.shift();
    if (i === undefined) after.push({ ...spot, delay: 0 });
    else after[i] = { ...spot, delay: 0 };
  });
  return after.map((slot) => slot ?? parked(deck));
}

/** Dealt out one after the other, round the table. */
export function staggered(slots: readonly Slot[], total: number): Slot[] {
  const dealt = slots.map((slot, i) => [slot, i] as const).filter(([slot]) => slot.seen);
  const turn = new Map<string, number>();
  const keyed = dealt.map(([slot, i]) => {
    const key = `${slot.zone}${slot.seat}`;
    const nth = turn.get(key) ?? 0;
    turn.set(key, nth + 1);
    return { i, nth, seat: slot.zone === "hand" || slot.zone === "back" ? slot.seat : 99 };
  });
  keyed.sort((a, b) => Number(a.seat === 99) - Number(b.seat === 99) || a.nth - b.nth || a.seat - b.seat);
  const after = [...slots];
  keyed.forEach(({ i }, at) => (after[i] = { ...slots[i]!, delay: Math.round((at / keyed.length) * total) }));
  return after;
}
