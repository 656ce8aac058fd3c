// Where everything lies on the table: plain geometry from a view and a size, in CSS pixels.
import type { Card, Trick, View } from "./types";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}
export type Zone = "deck" | "hand" | "back" | "laid" | "trick" | "won" | "kitty" | "stock" | "upcard";

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
export interface Plan {
  card: { w: number; h: number };
  felt: Box;
  hand: Box;
  seats: { x: number; y: number; edge: "left" | "top" | "right" }[]; // by seat; own: the hand
  spots: Spot[];
  keys: Box[]; // the visible part of each card in the hand, in its order
  dealer: { x: number; y: number };
  centre: { x: number; y: number };
  stock: { x: number; y: number; cards: number } | null; // for its label: the upper edge of the pile
}
export interface Scene {
  view: View;
  players: number; // seats round the table
  you: number; // the seat at the bottom; a spectator sits behind seat 0
  hand: readonly Card[]; // own cards in the order shown
  raised: ReadonlySet<number>;
  sunk: ReadonlySet<number>;
  kitty: boolean; // face up in the middle
  last: Trick | null; // the last trick, laid out once more
  hanging: number; // height of the controls above the hand
}

const RATIO = 1.42;

/** The size of a card in the hand. */
export function cardSize(width: number, height: number): { w: number; h: number } {
  let w = width < 560 ? 62 : width < 900 ? 74 : 90;
  if (height < 560) w = Math.min(w, 54);
  else if (height < 660 && width >= 560) w = Math.min(w, 74);
  return { w, h: Math.round(w * RATIO) };
}

/** Own cards in one row, or two where the strips would get too narrow to read and touch. */
export function rowsOf(many: number, width: number, w: number, tall: boolean): number {
  return many > 1 && (width - w) / (many - 1) < w * (tall ? 0.56 : 0.44) ? 2 : 1;
}

export function plan(scene: Scene, width: number, height: number): Plan {
  const card = cardSize(width, height);
  const { view, you, players } = scene;
  const pad = width < 560 ? 10 : 24;
  const rows = rowsOf(scene.hand.length, width - 2 * pad, card.w, height > 580);
  const step = Math.round(card.h * 0.66);
  const handHeight = card.h + (rows - 1) * step + (scene.hand.length || view.seat !== null ? 20 : 0);
  const hand = { x: 0, y: height - handHeight - 8, w: width, h: handHeight };
  const felt = { x: 0, y: 0, w: width, h: Math.max(140, hand.y - scene.hanging) };
  const seats = chairs(players, you, felt);
  const small = width < 560;
  const size = felt.h < 260 ? 0.7 : small && players > 5 ? 0.66 : players > 6 ? 0.78 : small && felt.h < 340 ? 0.86 : small && felt.h > 430 && players < 5 ? 1.2 : 1;
  const centre = middle(felt, players, small);
  const spots: Spot[] = [];
  const put = (zone: Zone, seat: number, face: Card | null, x: number, y: number, more: Partial<Spot> = {}) =>
    spots.push({ zone, seat, face, x, y, turn: 0, size: 1, level: 1, seen: true, index: spots.length, ...more });

  const keys = ownHand(scene, card, hand, pad, rows, step, put);

  for (const seat of view.players) {
    if (seat === you && view.seat !== null) continue;
    const at = seats[seat]!;
    const down = view.table[seat] ?? [];
    const back = small ? 0.36 : 0.4;
    const many = Math.max(0, (view.sizes[seat] ?? 0) - down.length);
    const gap = Math.min(small ? 5 : 7, (small ? 70 : 110) / Math.max(1, many));
    const reach = gap * (many - 1);
    const y = at.y + (small ? 50 : 56) + (card.h * back) / 2 - 6;
    for (let i = 0; i < many; i++)
      put("back", seat, null, at.x - reach / 2 + i * gap, y, { size: back, level: 10 + i });
    const wide = Math.min(card.w * 0.66, (felt.w * 0.8) / Math.max(1, down.length));
    down.forEach((face, i) =>
      put("laid", seat, face, at.x + (i - (down.length - 1) / 2) * wide, y + card.h * 0.62, {
        size: 0.62, level: 40 + i,
      }));
  }

  const trick = scene.last ?? (view.leader === null ? null : { leader: view.leader, cards: view.trick });
  const order = turnOrder(view, trick?.leader ?? 0);
  trick?.cards.forEach((face, i) => {
    const seat = order[i] ?? 0;
    const where = around(seat, you, players, card, size, small && players > 5);
    put("trick", seat, face, centre.x + where.x, centre.y + where.y, { size, level: 120 + i });
  });

  // The stock stands above the upcard, beside the trick; while hands are redrawn, out of the way.
  const stockAt = { x: centre.x - card.w * size * 2.3, y: centre.y };
  if (small) stockAt.x = Math.max(card.w * 0.75, centre.x - card.w * size * 1.95);
  const pile = players > 2 ? 0.6 : size * 0.9;
  if (view.stock && !view.upcard) {
    stockAt.x = small ? felt.w * 0.16 : felt.w * 0.3;
    stockAt.y = felt.h - card.h * 0.36;
  }
  if (view.upcard) {
    put("upcard", -1, view.upcard, stockAt.x, stockAt.y + card.h * pile * 0.54, { size: pile, level: 2 });
    stockAt.y -= card.h * pile * 0.54;
  }
  const piled = view.upcard ? view.stock - 1 : view.kind === "discard" ? view.stock : 0;
  for (let i = 0; i < piled; i++)
    put("stock", -1, null, stockAt.x - i * 0.25, stockAt.y - i * 0.25, { size: pile, level: 3 + i });

  if (scene.kitty)
    view.kitty.forEach((face, i) =>
      put("kitty", -1, face, centre.x + (i - (view.kitty.length - 1) / 2) * card.w * 1.1, centre.y, { level: 90 + i }));

  const dealer = seats[view.dealer] ?? { x: width / 2, y: 0 };
  view.tricks.forEach((done) => {
    const at = done.winner === you ? { x: width / 2, y: hand.y } : seats[done.winner]!;
    for (const face of done.cards)
      if (!(scene.last && done === view.tricks.at(-1)))
        put("won", done.winner, face, at.x, at.y + 20, { size: 0.3, seen: false, level: 0 });
  });
  return { card, felt, hand, seats, spots, keys, dealer: { x: dealer.x, y: dealer.y + 24 }, centre,
    stock: piled > 0 ? { x: stockAt.x, y: stockAt.y - (card.h * pile) / 2, cards: view.stock } : null };
}

function middle(felt: Box, players: number, small: boolean) {
  if (players === 2) return { x: felt.w * (small ? 0.58 : 0.52), y: felt.h * 0.62 };
  return { x: felt.w / 2, y: felt.h * (small ? 0.6 : 0.56) };
}

/** The seats of a deal in turn from one of them. */
export function turnOrder(view: View, from: number): number[] {
  const at = Math.max(0, view.players.indexOf(from));
  return [...view.players.slice(at), ...view.players.slice(0, at)];
}

/** Places of the others along the left, upper and right edge, clockwise from the left hand. */
function chairs(players: number, you: number, felt: Box): Plan["seats"] {
  const small = felt.w < 560;
  const half = small ? 56 : 74;
  const inset = small ? half : Math.max(half + 16, (felt.w - 1080) / 2 + half);
  const [left, right, top] = [felt.x + inset, felt.w - inset, small ? 6 : 10];
  const low = felt.h * (players > 5 ? 0.68 : small ? 0.34 : 0.4);
  const side = low - top;
  const length = 2 * side + (right - left);
  const made: Plan["seats"] = [];
  const others = players - 1;
  for (let k = 0; k < players; k++) {
    const seat = (you + k) % players;
    if (k === 0) {
      made[seat] = { x: felt.w / 2, y: felt.h, edge: "top" };
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

/** Where a seat's card lies in a trick, from the middle. */
function around(seat: number, you: number, players: number, card: { w: number; h: number }, size: number, slim: boolean) {
  const k = (seat - you + players) % players;
  const angle = Math.PI / 2 + (2 * Math.PI * k) / players;
  const more = Math.max(0, players - 4);
  const rx = slim ? 58 : card.w * size * (0.86 + 0.13 * more);
  const ry = slim ? 84 : card.h * size * (0.5 + 0.055 * more);
  return { x: Math.cos(angle) * rx, y: Math.sin(angle) * ry };
}

function ownHand(
  scene: Scene,
  card: { w: number; h: number },
  hand: Box,
  pad: number,
  rows: number,
  step: number,
  put: (zone: Zone, seat: number, face: Card | null, x: number, y: number, more?: Partial<Spot>) => void,
): Box[] {
  const many = scene.hand.length;
  const each = Math.ceil(many / rows);
  const keys: Box[] = [];
  const room = Math.min(hand.w - 2 * pad, 1160);
  for (let i = 0; i < many; i++) {
    const row = Math.floor(i / each);
    const inRow = row === rows - 1 ? many - each * (rows - 1) : each;
    const gap = inRow > 1 ? Math.min(card.w * (hand.w < 560 ? 0.9 : 0.78), (room - card.w) / (inRow - 1)) : 0;
    const left = (hand.w - (gap * (inRow - 1) + card.w)) / 2;
    const at = i - row * each;
    const lift = scene.raised.has(i) ? -14 : scene.sunk.has(i) ? 8 : 0;
    const x = left + at * gap;
    const y = hand.y + 18 + row * step;
    put("hand", scene.you, scene.hand[i]!, x + card.w / 2, y + card.h / 2 + lift, { level: 200 + i, index: i });
    const last = at === inRow - 1;
    const covered = row < rows - 1;
    keys.push({ x, y: y + lift, w: last ? card.w : gap, h: covered ? step : card.h - Math.max(0, lift) });
  }
  return keys;
}
