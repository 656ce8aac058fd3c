// Where everything lies on the table: plain geometry from a view and a size, in CSS pixels.
import {
  groupCards,
  cardSize,
  fanOffsets,
  handHeight,
  handSize,
  layOutHand,
  larger,
  padOf,
  shapeOf,
} from "./handLayout";
import type { Arrangement, CardBox, Shape } from "./handLayout";
import type { Card, Trick, View } from "./types";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}
export type Zone =
  "deck" | "hand" | "back" | "laid" | "meld" | "trick" | "won" | "kitty" | "stock" | "upcard";

/** A place for a card: its middle, turn in degrees, size relative to a card in the hand. */
export interface Spot {
  zone: Zone;
  seat: number;
  face: Card | null;
  x: number;
  y: number;
  turn: number;
  size: number;
  level: number;
  seen: boolean;
  index: number;
}
export interface Point {
  x: number;
  y: number;
}
export interface TableLayout {
  card: { w: number; h: number };
  felt: Box;
  hand: Box;
  seats: (Point & { edge: "left" | "top" | "right" })[]; // by seat; own: the hand
  spots: Spot[];
  keys: CardBox[]; // the visible part of each place in the hand, in its order
  dealer: Point;
  centre: Point;
  mat: Box; // the place for a trick
  stock: (Point & { cards: number }) | null; // for its label: the upper edge of the pile
  melds: (Point & { seat: number; room: number })[]; // for what they are worth: under the cards laid out
}
export interface LayoutInput {
  view: View;
  players: number; // seats round the table
  you: number; // the seat at the bottom; a spectator sits behind seat 0
  hand: readonly Card[]; // own cards in the order shown
  arrangement: Arrangement;
  reserve: Shape; // room is kept for such a hand, so that nothing jumps
  raised: ReadonlySet<number>;
  sunk: ReadonlySet<number>;
  kitty: readonly (Card | null)[]; // in the middle, face up or down
  melds: boolean; // laid out before their seats
  past: Trick | null; // an earlier trick, laid out once more
  hanging: number; // height of the controls above the hand
  aside?: number; // or their width beside the felt
  scale: Scale;
}
/** How large a person wants cards, beside the usual. */
export interface Scale {
  hand: number;
  felt: number;
}

const LOW = 240; // a felt lower than that (a telephone on its side) leaves out what it can
const FLAT = 200; // and on one lower than that a trick lies in a row
const LABEL = 30; // pixels over the stock, for how many cards it has
const TRICK = { least: 1.14, most: 1.4 }; // of its cards, on a telephone with room for it

type Put = (
  zone: Zone,
  seat: number,
  face: Card | null,
  x: number,
  y: number,
  more: Partial<Spot> & { size: number },
) => void;

/** The width of controls beside the felt: where a telephone lies on its side they take no height of it. */
export const asideOf = (width: number, height: number) => (width >= 600 && height < 420 ? 320 : 0);

export function tableLayout(scene: LayoutInput, width: number, height: number): TableLayout {
  const { view, you, players, scale } = scene;
  const groups = groupCards(scene.hand, scene.arrangement);
  const shape = larger(scene.reserve, shapeOf(groups));
  const own = handSize(shape, scene.arrangement, scale.hand, width, height, scene.hanging);
  const card = cardSize(width, height); // on the felt, before each zone's own size
  const small = width < 560;
  const pad = padOf(width);
  const screen = { width, height };
  const high = handHeight(
    shape,
    scene.arrangement,
    own.w,
    screen,
    scene.hand.length > 0 || view.seat !== null,
  );
  const hand = { x: 0, y: height - high - 8, w: width, h: high };
  const felt = { x: 0, y: 0, w: width - (scene.aside ?? 0), h: Math.max(140, hand.y - scene.hanging) };
  const watching = view.seat === null;
  const seats = chairs(players, you, felt, watching);
  const low = felt.h < LOW || Boolean(scene.aside); // beside the controls the felt is narrow as well
  const slim = small && players > 5;
  const below = { ...felt, h: watching ? felt.h - (small ? 40 : 70) : felt.h };
  // Low and wide, also where larger cards than usual are wanted on a low felt.
  const lies = felt.h < FLAT || (low && scale.felt > 1);
  const flat = (at: Point): Point => (lies ? { x: at.x * 1.3, y: at.y * 0.4 } : at);
  const fits = (at: Point, size: number) => !meets(scene, seats, felt, at, card, size, low, flat);
  const roomy = small && felt.h > 430 && (players === 3 || players === 4) && !watching;
  const foot = felt.h < (scene.aside ? 280 : LOW); // then a trick lies at the lower edge
  const [from, most] = roomy
    ? [TRICK.least, TRICK.most / TRICK.least]
    : [trickSize(felt, players, small, foot), 1];
  const centre =
    roomy || (low && lies)
      ? roomiest(middle(below, players, small, foot), felt, (at) =>
          grown(from, most * Math.max(1, scale.felt), (size) => fits(at, size)),
        )
      : middle(below, players, small, foot);
  const usual = slim
    ? Math.min((felt.w - 227) / card.w, (felt.h - 116) / card.h) / 3
    : grown(from, most, (size) => fits(centre, size));
  const size = grown(usual, scale.felt, (size) => !slim && fits(centre, size));
  const melded = felt.h > 440 ? Math.min(scale.felt, 1.3) : Math.min(scale.felt, 1); // beside the usual
  const spots: Spot[] = [];
  const place = (zone: Zone, seat: number, face: Card | null, x: number, y: number, more: Partial<Spot>) =>
    spots.push({
      zone,
      seat,
      face,
      x,
      y,
      turn: 0,
      size: 1,
      level: 1,
      seen: true,
      index: spots.length,
      ...more,
    });
  const put: Put = (zone, seat, face, x, y, more) =>
    place(zone, seat, face, x, y, { ...more, size: (more.size * card.w) / own.w });
  const melds: TableLayout["melds"] = [];
  const laidOut = (seat: number) => (scene.melds ? (view.melded[seat] ?? []) : []);

  const lift = (index: number) => (scene.raised.has(index) ? -14 : scene.sunk.has(index) ? 8 : 0);
  const { cards, keys } = layOutHand(groups, scene.arrangement, own, hand, lift);
  for (const { index, x, y, turn } of cards)
    place("hand", you, scene.hand[index]!, x, y, { turn, level: 200 + index, index });
  for (const seat of view.players) {
    const mine = seat === you;
    const at = seats[seat]!;
    const down = view.table[seat] ?? [];
    const shown = laidOut(seat);
    const size = small ? 0.36 : 0.38;
    const tucked = slim && Math.abs(seats[(you + 2) % players]!.y - seats[(you + 1) % players]!.y) < 68; // under a neighbour
    const many =
      (mine && !watching) || low || tucked
        ? 0
        : Math.max(0, (view.sizes[seat] ?? 0) - down.length - shown.length);
    const gap = Math.min(small ? 5 : 8, (small ? 70 : 116) / Math.max(1, many));
    const reach = gap * (many - 1);
    const y = at.y + (small ? 50 : 58) + (card.h * size) / 2 - 6;
    const middleOf = (wide: number) => Math.min(felt.w - pad - wide / 2, Math.max(pad + wide / 2, at.x));
    for (let i = 0; i < many; i++)
      put("back", seat, null, at.x - reach / 2 + i * gap, y, { size, level: 10 + i });
    if (!mine && down.length) {
      const beside = players === 2 && !small; // there is room to the right
      const left = at.x + 150;
      const room = beside ? felt.w - pad - card.w * 0.3 - left : felt.w - 2 * pad - card.w;
      const wide = Math.min(card.w * 0.64, room / Math.max(1, down.length));
      const from = beside
        ? left
        : middleOf(wide * (down.length - 1) + card.w * 0.6) - ((down.length - 1) * wide) / 2;
      down.forEach((face, i) =>
        put("laid", seat, face, from + i * wide, beside ? at.y + card.h * 0.34 : y + card.h * 0.62, {
          size: 0.6,
          level: 40 + i,
        }),
      );
    }
    const crowded = !mine && (players > 5 || felt.h < (small && players > 3 ? 430 : 320)); // then only the cards, over the backs: the seat says the points
    if (scene.melds && felt.h < FLAT && !mine) continue;
    if (crowded) {
      const size = (small ? 0.42 : 0.46) * Math.min(1, melded);
      const step = Math.min(card.w * size * 0.5, (small ? 44 : 90) / Math.max(1, shown.length - 1));
      fanOffsets(shown.length, step).forEach(({ x, drop, turn }, i) =>
        put("meld", seat, shown[i]!, at.x + x, y + 4 + drop, { size, turn, level: 60 + i }),
      );
    } else if (shown.length) {
      const most = mine || (at.edge === "top" && players < 5) ? felt.w - 2 * pad : space(seats, seat, felt);
      const size = (small ? 0.5 : 0.54) * melded;
      const step = Math.min(
        card.w * size * 0.64,
        (Math.min(most, small ? 300 : 420) - card.w * size) / Math.max(1, shown.length - 1),
      );
      const reach = step * (shown.length - 1);
      const wide = reach + card.w * size;
      const x = mine ? felt.w / 2 : middleOf(wide);
      const top = mine ? (watching ? at.y : felt.h) - card.h * size - 44 : y + card.h * 0.22;
      fanOffsets(shown.length, step).forEach(({ x: aside, drop, turn }, i) =>
        put("meld", seat, shown[i]!, x + aside, top + (card.h * size) / 2 + drop, {
          size,
          turn,
          level: 60 + i,
        }),
      );
      const room = mine ? Math.min(most, 420) : Math.max(small ? 120 : 180, Math.min(most, wide + 40));
      melds.push({
        seat,
        x: Math.min(felt.w - 6 - room / 2, Math.max(6 + room / 2, x)),
        y: top + card.h * size + 8,
        room,
      });
    } else if (scene.melds && !mine) melds.push({ seat, x: at.x, y: y + card.h * 0.22, room: 100 });
  }

  const trick = scene.past ?? (view.leader === null ? null : { leader: view.leader, cards: view.trick });
  const order = turnOrder(view, trick?.leader ?? 0);
  trick?.cards.forEach((face, i) => {
    const seat = order[i] ?? 0;
    const where = flat(around(seat, you, players, card, size, slim));
    const turn = askew(seat, i + view.tricks.length);
    put("trick", seat, face, centre.x + where.x, centre.y + where.y, { size, turn, level: 120 + i });
  });

  // The stock stands above the upcard, beside the trick; while hands are redrawn, out of the way.
  const near = card.w * Math.min(usual, size); // where larger cards are wanted, the pile stays as it is
  const stockAt = { x: centre.x - near * 2.5, y: centre.y };
  if (small) stockAt.x = Math.max(card.w * 0.75, centre.x - near * 1.95);
  let pile = players > 2 ? 0.6 : Math.min(usual, size) * 0.9;
  if (players === 2 && !small && own.w > card.w)
    pile = Math.min(pile, Math.max(0.4, (felt.h - centre.y - 72) / (card.h * 1.04))); // over the plate
  if (view.stock && !view.upcard) {
    stockAt.x = felt.w * (small ? 0.16 : 0.76); // away from the bid's plate
    stockAt.y = felt.h - card.h * (low ? 0.56 : 0.4);
  }
  if (view.upcard) {
    // Under what the other has laid, with its label, and smaller where there is not the room.
    const laid = Math.max(0, ...spots.filter(({ zone }) => zone === "laid").map(({ y }) => y + card.h * 0.3));
    const top = small && laid ? laid + LABEL : 0;
    pile = Math.min(pile, (felt.h - 4 - top) / (card.h * 2.08));
    stockAt.y = Math.max(stockAt.y, top + card.h * pile * 1.04);
    put("upcard", -1, view.upcard, stockAt.x, stockAt.y + card.h * pile * 0.54, { size: pile, level: 2 });
    stockAt.y -= card.h * pile * 0.54;
  }
  const piled = view.upcard || view.kind === "discard" ? view.stock : 0;
  for (let i = 0; i < piled; i++)
    put("stock", -1, null, stockAt.x - i * 0.25, stockAt.y - i * 0.25, { size: pile, level: 3 + i });

  const facing = scene.kitty.some((face) => face !== null);
  const kittySize = facing
    ? grown(
        small ? 1 : 0.86,
        scale.felt,
        (size) =>
          scene.kitty.length * card.w * size * 1.1 <= felt.w - 2 * pad && card.h * size < felt.h * 0.4,
      )
    : small
      ? 0.6
      : 0.5;
  scene.kitty.forEach((face, i) =>
    put(
      "kitty",
      -1,
      face,
      centre.x + (i - (scene.kitty.length - 1) / 2) * card.w * kittySize * (facing ? 1.1 : 0.5),
      centre.y - (facing ? 0 : card.h * (small || low ? 1 : 0.8)),
      { size: kittySize, level: 90 + i },
    ),
  );

  const dealer = seats[view.dealer] ?? { x: width / 2, y: 0 };
  view.tricks.forEach((done) => {
    const at = done.winner === you ? { x: width / 2, y: hand.y } : seats[done.winner]!;
    if (done !== scene.past)
      for (let i = 0; i < done.cards.length; i++)
        put("won", done.winner, null, at.x, at.y + 20, { size: 0.4, seen: false, level: 90 }); // under the names
  });
  const half = flat(reachOf(players, card, size, slim));
  const mat = {
    w: half.x * 2 + card.w * size * (small ? 1.2 : 1.6),
    h: half.y * 2 + card.h * size * (small ? 1.16 : 1.1),
    x: 0,
    y: 0,
  };
  mat.x = centre.x - mat.w / 2;
  mat.y = centre.y - mat.h / 2;
  return {
    card: own,
    felt,
    hand,
    seats,
    spots,
    keys,
    dealer: { x: dealer.x, y: dealer.y + (view.dealer === you ? 24 : small ? 72 : 88) }, // under the name
    centre,
    mat,
    melds,
    stock: piled > 0 ? { x: stockAt.x, y: stockAt.y - (card.h * pile) / 2, cards: view.stock } : null,
  };
}

/** How far down the cards lie that a person looks at to choose: nothing should cover them. */
export const depthOf = ({ spots, card, felt }: TableLayout): number =>
  Math.max(
    0,
    ...spots
      .filter(({ zone, y }) => ["trick", "kitty", "laid", "stock", "upcard"].includes(zone) && y < felt.h)
      .map(({ y, size }) => y + (card.h * size) / 2),
  );

/** The middle, or a place beneath it, with the most room for a trick; the nearest of them. */
function roomiest(middle: Point, felt: Box, room: (at: Point) => number): Point {
  let best = middle;
  for (let y = middle.y + 4; y < felt.h * 0.74; y += 4)
    if (room({ ...middle, y }) > room(best)) best = { ...middle, y };
  return best;
}

/** A size as many times the usual as is wanted, or as much of that as fits. */
function grown(usual: number, scale: number, fits: (size: number) => boolean): number {
  if (scale <= 1) return usual * scale;
  let size = usual;
  while (size + 0.02 <= usual * scale && fits(size + 0.02)) size += 0.02;
  return size;
}

/** Whether cards of a trick would leave the felt or lie on a seat. */
function meets(
  scene: LayoutInput,
  seats: TableLayout["seats"],
  felt: Box,
  centre: Point,
  card: { w: number; h: number },
  size: number,
  low: boolean, // then seats are shown without their cards
  flat: (at: Point) => Point,
): boolean {
  const { players, you } = scene;
  const small = felt.w < 560;
  const [w, h] = [card.w * size, card.h * size];
  const chair = { w: small ? 112 : 148, h: low ? 52 : small ? 76 : 92 };
  return seats.some((_, seat) => {
    const at = flat(around(seat, you, players, card, size, false));
    const [x, y] = [centre.x + at.x, centre.y + at.y];
    if (x - w / 2 < 4 || x + w / 2 > felt.w - 4 || y - h / 2 < 4 || y + h / 2 > felt.h - 2) return true;
    return seats.some(
      (other, i) =>
        i !== you &&
        Math.abs(other.x - x) < (chair.w + w) / 2 &&
        y - h / 2 < other.y + chair.h &&
        y + h / 2 > other.y,
    );
  });
}

/** A card put down by hand lies a little askew, always the same. */
const askew = (seat: number, nth: number) => (((seat * 7 + nth * 11) % 9) - 4) * 0.55;

/** How large the cards of a trick are beside those in the hand. */
function trickSize(felt: Box, players: number, small: boolean, foot: boolean): number {
  if (foot) return 0.8;
  if (felt.h < 260) return 0.7;
  if (!small)
    return players > 6 ? 0.66 : players > 4 ? 0.76 : felt.h < 420 ? 0.8 : felt.h < 480 ? 0.92 : 1.06;
  return felt.h < 340 ? 0.86 : felt.h > 430 && players < 5 ? TRICK.least : 1;
}

/** How wide a seat may spread cards before it meets a neighbour's. */
function space(seats: TableLayout["seats"], seat: number, felt: Box): number {
  const at = seats[seat]!;
  const near = seats.filter((other, i) => i !== seat && other.y < felt.h && Math.abs(other.y - at.y) < 110);
  return Math.max(90, Math.min(felt.w / 2 - 20, ...near.map((other) => Math.abs(other.x - at.x) - 12)));
}

function middle(felt: Box, players: number, small: boolean, foot: boolean): Point {
  if (foot) return { x: felt.w / 2, y: felt.h - 66 };
  if (players === 2) return { x: felt.w * (small ? 0.58 : 0.5), y: felt.h * (small ? 0.66 : 0.62) };
  return { x: felt.w / 2, y: small && players > 5 ? felt.h / 2 + 46 : felt.h * (small ? 0.63 : 0.58) };
}

/** The seats of a deal in turn from one of them. */
export function turnOrder(view: View, from: number): number[] {
  const at = Math.max(0, view.players.indexOf(from));
  return [...view.players.slice(at), ...view.players.slice(0, at)];
}

/** Places of the others along the left, upper and right edge, clockwise from the left hand. */
function chairs(players: number, you: number, felt: Box, watching: boolean): TableLayout["seats"] {
  const small = felt.w < 560;
  const half = small ? 56 : 74;
  const inset = small ? half : Math.max(half + 16, (felt.w - (felt.w < 1500 ? 1080 : 1500)) / 2 + half);
  const [left, right, top] = [felt.x + inset, felt.w - inset, small ? 6 : 10];
  const low = felt.h * (players > 5 ? 0.68 : small ? (felt.h < 430 ? 0.34 : 0.46) : 0.4);
  const side = low - top;
  const length = 2 * side + (right - left);
  const made: TableLayout["seats"] = [];
  const others = players - 1;
  const crowd = small && players > 5 ? columns(players) : null;
  for (let k = 0; k < players; k++) {
    const seat = (you + k) % players;
    if (k === 0) {
      made[seat] = { x: felt.w / 2, y: watching ? felt.h - (small ? 92 : 118) : felt.h, edge: "top" };
      continue;
    }
    if (others === 1 && !small) {
      made[seat] = { x: felt.w * 0.3, y: top, edge: "top" };
      continue;
    }
    if (crowd) {
      const { column, up } = crowd[k]!;
      made[seat] = column
        ? { x: column < 0 ? left : right, y: low - (low - 56) * up, edge: column < 0 ? "left" : "right" }
        : { x: felt.w / 2 + (others % 2 ? 0 : up - 0.75) * 208, y: top, edge: "top" };
      continue;
    }
    let way = ((k - 0.5) / others) * length;
    if (others === 3 && k !== 2) way = k === 1 ? side * 0.25 : length - side * 0.25;
    if (others === 2) way = k === 1 ? side * 0.6 : length - side * 0.6;
    if (way < side) made[seat] = { x: left, y: low - way, edge: "left" };
    else if (way <= side + right - left) made[seat] = { x: left + way - side, y: top, edge: "top" };
    else made[seat] = { x: right, y: top + way - side - (right - left), edge: "right" };
  }
  return made;
}

/** Many players on a phone, by their number from one's own: a column at the left, one or two at the
 *  top, a column at the right. `up`: how high in its column, from 0 to 1. */
function columns(players: number): { column: number; up: number }[] {
  const tops = players % 2 ? 2 : 1;
  const side = (players - 1 - tops) / 2;
  return Array.from({ length: players }, (_, k) => {
    if (!k) return { column: 0, up: 0 };
    if (k <= side) return { column: -1, up: (k - 1) / (side - 1) };
    if (k <= side + tops) return { column: 0, up: tops === 1 ? 1 : k === side + 1 ? 0.5 : 1 };
    return { column: 1, up: (players - 1 - k) / (side - 1) };
  });
}

/** How far the middles of a trick's cards are from its own. */
function reachOf(players: number, card: { w: number; h: number }, size: number, slim: boolean): Point {
  if (slim) return { x: card.w * size + 5, y: card.h * size + 5 };
  if (players === 2) return { x: card.w * size * 0.3, y: card.h * size * 0.5 };
  const more = Math.max(0, players - 4);
  return { x: card.w * size * (1.01 + 0.14 * more), y: card.h * size * (0.5 + 0.055 * more) };
}

/** Where a seat's card lies in a trick, from the middle. */
function around(
  seat: number,
  you: number,
  players: number,
  card: { w: number; h: number },
  size: number,
  slim: boolean,
): Point {
  const k = (seat - you + players) % players;
  const angle = Math.PI / 2 + (2 * Math.PI * k) / players;
  const reach = reachOf(players, card, size, slim);
  if (slim) {
    const { column, up } = columns(players)[k]!;
    return { x: column * reach.x, y: (1 - 2 * up) * reach.y };
  }
  if (players === 2) return { x: k ? reach.x : -reach.x, y: (k ? -0.4 : 0.4) * reach.y };
  return { x: Math.cos(angle) * reach.x, y: Math.sin(angle) * reach.y };
}
