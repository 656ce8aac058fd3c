// Where every card of a deal lies at every step. Each card is one thing from the first step to the
// last, so that any two steps can be shown one after the other and every card is seen to move.
import type { Replay, ReplayStep } from "../lib/messages";
import { sorted, type Sorting } from "../lib/cards";
import type { Card } from "../lib/types";

export type ReplayZone = "stock" | "hand" | "trick" | "won" | "out" | "kitty" | "upcard";

/** A card's place: the `at`th of `of` cards there. `laid`: melded on the table; `up`: being melded;
 *  `received`: from another hand or the kitty, until the play. */
export interface CardPlace {
  card: Card;
  zone: ReplayZone;
  seat: number;
  at: number;
  of: number;
  laid: boolean;
  up: boolean;
  received: boolean;
}

type Won = Extract<ReplayStep["events"][number], { type: "TrickWon" }>;
export const trickWon = (step: ReplayStep) =>
  step.events.find((event): event is Won => event.type === "TrickWon");

/** The trick that lies on the table after a step: a finished one still does. */
export function trickAt(step: ReplayStep): { leader: number; cards: Card[]; winner: number | null } {
  const won = trickWon(step);
  if (won) return { leader: won.leader, cards: won.cards, winner: won.seat };
  return { leader: step.view.leader ?? 0, cards: step.view.trick, winner: null };
}

/** The seats of a deal in turn from one of them. */
export function inTurn(players: readonly number[], from: number): number[] {
  const at = Math.max(0, players.indexOf(from));
  return [...players.slice(at), ...players.slice(0, at)];
}

/** The cards that a seat got from the kitty or from partners. */
const receivedBy = (view: ReplayStep["view"], seat: number): Card[] => [
  ...(view.declarer === seat ? view.kitty : []),
  ...view.passed.flatMap((one) => (one.to === seat ? (one.cards ?? []) : [])),
];

function placesAt(step: ReplayStep, by: Sorting): CardPlace[] {
  const { view, hands } = step;
  const made: CardPlace[] = [];
  const put = (zone: ReplayZone, seat: number, cards: readonly Card[]) =>
    cards.forEach((card, at) =>
      made.push({ card, zone, seat, at, of: cards.length, laid: false, up: false, received: false }),
    );
  hands.forEach((hand, seat) => {
    const from = made.length;
    put("hand", seat, sorted(hand, view.trump, by));
    const mine = made.slice(from);
    mark(mine, view.table[seat] ?? [], "laid");
    if (!view.tricks.length && !view.trick.length) mark(mine, receivedBy(view, seat), "received");
    for (const event of step.events) {
      if (event.type === "Melded" && event.seat === seat) mark(mine, view.melded[seat] ?? [], "up");
      if (event.type === "MeldLaid" && event.seat === seat) mark(mine, event.meld.cards, "up");
    }
  });
  const trick = trickAt(step);
  inTurn(view.players, trick.leader)
    .slice(0, trick.cards.length)
    .forEach((seat, at) =>
      made.push({
        card: trick.cards[at]!,
        zone: "trick",
        seat,
        at,
        of: view.players.length,
        laid: false,
        up: false,
        received: false,
      }),
    );
  for (const done of trick.winner === null ? view.tricks : view.tricks.slice(0, -1))
    put("won", done.winner, done.cards);
  if (view.declarer === null) put("kitty", -1, view.kitty);
  else put("out", view.declarer, view.buried ?? []);
  for (const one of view.passed) if (one.to === null) put("out", one.seat, one.cards ?? []);
  if (view.upcard) put("upcard", -1, [view.upcard]);
  return made;
}

/** Mark cards, twins counted. */
function mark(places: CardPlace[], cards: readonly Card[], how: "laid" | "up" | "received"): void {
  const rest = [...cards];
  for (const place of places) {
    const at = place[how] ? -1 : rest.indexOf(place.card);
    if (at < 0) continue;
    rest.splice(at, 1);
    place[how] = true;
  }
}

/** For each step, the place of every card, in one order for the whole deal. */
export function places(replay: Replay, by: Sorting): CardPlace[][] {
  const lying = replay.steps.map((step) => placesAt(step, by));
  const most = new Map<Card, number>();
  for (const step of lying) {
    const held = new Map<Card, number>();
    for (const { card } of step) held.set(card, (held.get(card) ?? 0) + 1);
    for (const [card, n] of held) most.set(card, Math.max(n, most.get(card) ?? 0));
  }
  const cards = [...most]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([card, n]) => Array.from({ length: n }, () => card));
  let last: CardPlace[] = cards.map((card) => ({
    card,
    zone: "stock",
    seat: -1,
    at: 0,
    of: 1,
    laid: false,
    up: false,
    received: false,
  }));
  return lying.map((step) => (last = followed(last, step)));
}

/** The new places in the order of the old: of twins, the one that was nearest goes there. */
function followed(last: readonly CardPlace[], next: readonly CardPlace[]): CardPlace[] {
  const after: (CardPlace | undefined)[] = last.map(() => undefined);
  const free = [...next];
  const near = [
    (a: CardPlace, b: CardPlace) => a.zone === b.zone && a.seat === b.seat,
    (a: CardPlace, b: CardPlace) => a.seat === b.seat && a.zone !== "won",
    (a: CardPlace) => a.zone !== "stock",
    () => true,
  ];
  for (const fits of near)
    last.forEach((old, i) => {
      if (after[i]) return;
      const at = free.findIndex((place) => place.card === old.card && fits(old, place));
      if (at >= 0) after[i] = free.splice(at, 1)[0];
    });
  return after.map((place, i) => place ?? { ...last[i]!, zone: last[i]!.zone === "stock" ? "stock" : "out" });
}
