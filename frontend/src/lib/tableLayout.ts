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
  trick: number; // the width of its cards
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
/** How large a person wants cards and text, beside the usual. */
export interface Scale {
  hand: number;
  felt: number;
  text: number;
}

const LOW_FELT_PX = 240; // a felt lower than that (a telephone on its side) leaves out what it can
const ROW_TRICK_PX = 200; // and on one lower than that a trick lies in a row
const LINES_PX = 36; // pixels of the two lines of a plate, in text of the usual size
const LABEL_PX = 30; // pixels over the stock, for how many cards it has
const TRICK = { least: 1.14, most: 1.4 }; // of its cards, on a telephone with room for it

type AddFeltSpot = (
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
  const isPhone = width < 560;
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
  const isSpectator = view.seat === null;
  const under = (isPhone ? 50 : 58) + LINES_PX * (scale.text - 1); // where cards begin under a plate, and 6 pixels
  const seats = placeSeats(players, you, felt, isSpectator, scale.text, under);
  const low = felt.h < LOW_FELT_PX || Boolean(scene.aside); // beside the controls the felt is narrow as well
  const isCrowdedPhone = isPhone && players > 5;
  const rows = isCrowdedPhone ? (low && players === 6 ? 2 : 3) : 0; // of a trick between two columns of seats
  const over = low ? 54 : 104; // what lies above it
  const below = { ...felt, h: isSpectator ? felt.h - (isPhone ? 40 : 70) : felt.h };
  // Low and wide, also where larger cards than usual are wanted on a low felt.
  const isTrickInRow = !isCrowdedPhone && (felt.h < ROW_TRICK_PX || (low && scale.felt > 1));
  const flat = (at: Point): Point => (isTrickInRow ? { x: at.x * 1.3, y: at.y * 0.4 } : at);
  const fits = (at: Point, size: number) => !isTrickBlocked(scene, seats, felt, at, card, size, low, flat);
  const hasRoomForLargeTrick = isPhone && felt.h > 430 && (players === 3 || players === 4) && !isSpectator;
  const isTrickAtEdge = !isCrowdedPhone && felt.h < (scene.aside ? 280 : LOW_FELT_PX); // then a trick lies at the lower edge
  const [from, most] = hasRoomForLargeTrick
    ? [TRICK.least, TRICK.most / TRICK.least]
    : [trickSize(felt, players, isPhone, isTrickAtEdge), 1];
  const centre =
    hasRoomForLargeTrick || (low && isTrickInRow)
      ? pointWithMostRoom(middle(below, players, isPhone, isTrickAtEdge, over), felt, (at) =>
          largestFittingSize(from, most * Math.max(1, scale.felt), (size) => fits(at, size)),
        )
      : middle(below, players, isPhone, isTrickAtEdge, over);
  const usual = isCrowdedPhone
    ? Math.min((felt.w - 227) / card.w / 3, (felt.h - over - 12) / card.h / rows)
    : largestFittingSize(from, most, (size) => fits(centre, size));
  const size = largestFittingSize(usual, scale.felt, (size) => !isCrowdedPhone && fits(centre, size));
  const melded = felt.h > 440 ? Math.min(scale.felt, 1.3) : Math.min(scale.felt, 1); // beside the usual
  const spots: Spot[] = [];
  const addSpot = (zone: Zone, seat: number, face: Card | null, x: number, y: number, more: Partial<Spot>) =>
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
  const addFeltSpot: AddFeltSpot = (zone, seat, face, x, y, more) =>
    addSpot(zone, seat, face, x, y, { ...more, size: (more.size * card.w) / own.w });
  const melds: TableLayout["melds"] = [];
  const laidOut = (seat: number) => (scene.melds ? (view.melded[seat] ?? []) : []);

  const lift = (index: number) => (scene.raised.has(index) ? -14 : scene.sunk.has(index) ? 8 : 0);
  const { cards, keys } = layOutHand(groups, scene.arrangement, own, hand, lift);
  for (const { index, x, y, turn } of cards)
    addSpot("hand", you, scene.hand[index]!, x, y, { turn, level: 200 + index, index });
  for (const seat of view.players) {
    const mine = seat === you;
    const at = seats[seat]!;
    const down = view.table[seat] ?? [];
    const shown = laidOut(seat);
    const size = isPhone ? 0.36 : 0.38;
    const isUnderNeighbour =
      (isCrowdedPhone || low) && seats.some(({ x, y }) => x === at.x && y > at.y && y < at.y + 68);
    const many =
      (mine && !isSpectator) || low || felt.h < LOW_FELT_PX * scale.text || isUnderNeighbour
        ? 0
        : Math.max(0, (view.sizes[seat] ?? 0) - down.length - shown.length);
    const gap = Math.min(isPhone ? 5 : 8, (isPhone ? 70 : 116) / Math.max(1, many));
    const reach = gap * (many - 1);
    const y = at.y + under + (card.h * size) / 2 - 6;
    const middleOf = (wide: number) => Math.min(felt.w - pad - wide / 2, Math.max(pad + wide / 2, at.x));
    for (let i = 0; i < many; i++)
      addFeltSpot("back", seat, null, at.x - reach / 2 + i * gap, y, { size, level: 10 + i });
    if (!mine && down.length) {
      const isRightOfPlate = players === 2 && !isPhone; // there is room to the right
      const left = at.x + 150;
      const room = isRightOfPlate ? felt.w - pad - card.w * 0.3 - left : felt.w - 2 * pad - card.w;
      const wide = Math.min(card.w * 0.64, room / Math.max(1, down.length));
      const from = isRightOfPlate
        ? left
        : middleOf(wide * (down.length - 1) + card.w * 0.6) - ((down.length - 1) * wide) / 2;
      down.forEach((face, i) =>
        addFeltSpot(
          "laid",
          seat,
          face,
          from + i * wide,
          isRightOfPlate ? at.y + card.h * 0.34 : y + card.h * 0.62,
          {
            size: 0.6,
            level: 40 + i,
          },
        ),
      );
    }
    const isCrowded =
      !mine && (players > 5 || felt.h < (players < 4 ? 320 : isPhone ? 430 : 380) * scale.text); // then only the cards, over the backs: the seat says the points
    if (scene.melds && (felt.h < ROW_TRICK_PX || isUnderNeighbour) && !mine) continue;
    if (isCrowded) {
      const size = (isPhone ? 0.42 : 0.46) * Math.min(1, melded);
      const step = Math.min(card.w * size * 0.5, (isPhone ? 44 : 90) / Math.max(1, shown.length - 1));
      fanOffsets(shown.length, step).forEach(({ x, drop, turn }, i) =>
        addFeltSpot("meld", seat, shown[i]!, at.x + x, y + 4 + drop, { size, turn, level: 60 + i }),
      );
    } else if (shown.length) {
      const most =
        mine || (at.edge === "top" && players < 5) ? felt.w - 2 * pad : widthNextToSeat(seats, seat, felt);
      const size = (isPhone ? 0.5 : 0.54) * melded;
      const step = Math.min(
        card.w * size * 0.64,
        (Math.min(most, isPhone ? 300 : 420) - card.w * size) / Math.max(1, shown.length - 1),
      );
      const reach = step * (shown.length - 1);
      const wide = reach + card.w * size;
      const x = mine ? felt.w / 2 : middleOf(wide);
      const top = mine ? (isSpectator ? at.y : felt.h) - card.h * size - 44 * scale.text : y + card.h * 0.22;
      fanOffsets(shown.length, step).forEach(({ x: aside, drop, turn }, i) =>
        addFeltSpot("meld", seat, shown[i]!, x + aside, top + (card.h * size) / 2 + drop, {
          size,
          turn,
          level: 60 + i,
        }),
      );
      const room = mine ? Math.min(most, 420) : Math.max(isPhone ? 120 : 180, Math.min(most, wide + 40));
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
    const where = flat(trickOffset(seat, you, players, card, size, rows));
    const turn = turnOfTrickCard(seat, i + view.tricks.length);
    addFeltSpot("trick", seat, face, centre.x + where.x, centre.y + where.y, { size, turn, level: 120 + i });
  });

  // The stock stands above the upcard, beside the trick; while hands are redrawn, out of the way.
  const near = card.w * Math.min(usual, size); // where larger cards are wanted, the pile stays as it is
  const stockAt = { x: centre.x - near * 2.5, y: centre.y };
  if (isPhone) stockAt.x = Math.max(card.w * 0.75, centre.x - near * 1.95);
  let pile = players > 2 ? 0.6 : Math.min(usual, size) * 0.9;
  if (players === 2 && !isPhone && own.w > card.w)
    pile = Math.min(pile, Math.max(0.4, (felt.h - centre.y - 72) / (card.h * 1.04))); // over the plate
  if (view.stock && !view.upcard) {
    // Away from the bid's plate, and from seats at the left edge.
    if (!isCrowdedPhone) {
      stockAt.x = felt.w * (isPhone ? 0.16 : 0.76);
      stockAt.y = felt.h - Math.max(card.h * (low ? 0.56 : 0.4), (card.h * pile) / 2 + 4);
    } else stockAt.x = centre.x;
  }
  let across = false; // the upcard, the stock and its label lie side by side, where they would be too small
  if (view.upcard) {
    // With its label under what the other has laid, or under the other's backs; smaller where there is no room.
    const laid = Math.max(0, ...spots.filter(({ zone }) => zone === "laid").map(({ y }) => y + card.h * 0.3));
    const backs = players === 2 ? under + 4 + card.h * 0.38 : 0;
    const top = isPhone ? laid && laid + LABEL_PX : backs && backs + LABEL_PX;
    const fitting = (felt.h - 4 - top) / (card.h * 2.08);
    across = fitting < 0.4;
    pile = Math.min(pile, across ? Math.max(0.4, Math.min(0.6, fitting * 2)) : fitting);
    const apart = { x: across ? card.w * pile * 0.54 : 0, y: across ? 0 : card.h * pile * 0.54 };
    if (across) stockAt.x = (card.w * pile) / 2 + apart.x + 6;
    stockAt.y = Math.max(stockAt.y, top + (card.h * pile) / 2 + apart.y);
    if (across) stockAt.y = Math.min(stockAt.y, felt.h - 4 - (card.h * pile) / 2);
    addFeltSpot("upcard", -1, view.upcard, stockAt.x - apart.x, stockAt.y + apart.y, {
      size: pile,
      level: 2,
    });
    stockAt.x += apart.x;
    stockAt.y -= apart.y;
  }
  const piled = view.upcard || view.kind === "discard" ? view.stock : 0;
  for (let i = 0; i < piled; i++)
    addFeltSpot("stock", -1, null, stockAt.x - i * 0.25, stockAt.y - i * 0.25, { size: pile, level: 3 + i });

  const facing = scene.kitty.some((face) => face !== null);
  const kittySize = facing
    ? largestFittingSize(
        isPhone ? 1 : 0.86,
        scale.felt,
        (size) =>
          scene.kitty.length * card.w * size * 1.1 <= felt.w - 2 * pad && card.h * size < felt.h * 0.4,
      )
    : isPhone
      ? 0.6
      : 0.5;
  scene.kitty.forEach((face, i) =>
    addFeltSpot(
      "kitty",
      -1,
      face,
      centre.x + (i - (scene.kitty.length - 1) / 2) * card.w * kittySize * (facing ? 1.1 : 0.5),
      centre.y - (facing ? 0 : card.h * (isPhone || low ? 1 : 0.8)),
      { size: kittySize, level: 90 + i },
    ),
  );

  const dealer = seats[view.dealer] ?? { x: width / 2, y: 0 };
  view.tricks.forEach((done) => {
    const at = done.winner === you ? { x: width / 2, y: hand.y } : seats[done.winner]!;
    if (done !== scene.past)
      for (let i = 0; i < done.cards.length; i++)
        addFeltSpot("won", done.winner, null, at.x, at.y + 20, { size: 0.4, seen: false, level: 90 }); // under the names
  });
  const half = flat(trickReach(players, card, size, rows));
  const mat = {
    w: half.x * 2 + card.w * size * (isPhone ? 1.2 : 1.6),
    h: half.y * 2 + card.h * size * (isPhone ? 1.16 : 1.1),
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
    dealer: { x: dealer.x, y: dealer.y + (view.dealer === you ? 24 : isPhone ? 72 : 88) }, // under the name
    centre,
    mat,
    trick: card.w * size,
    melds,
    stock:
      piled > 0
        ? {
            x: stockAt.x + (across ? (card.w * pile) / 2 + 34 : 0),
            y: stockAt.y + (across ? 17 : (card.h * pile) / -2),
            cards: view.stock,
          }
        : null,
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

/** Returns the point, at the middle or below it, with the most room for a trick. */
function pointWithMostRoom(middle: Point, felt: Box, room: (at: Point) => number): Point {
  let best = middle;
  for (let y = middle.y + 4; y < felt.h * 0.74; y += 4)
    if (room({ ...middle, y }) > room(best)) best = { ...middle, y };
  return best;
}

/** Returns the usual size times `scale`, or the largest size below it that fits. */
function largestFittingSize(usual: number, scale: number, fits: (size: number) => boolean): number {
  if (scale <= 1) return usual * scale;
  let size = usual;
  while (size + 0.02 <= usual * scale && fits(size + 0.02)) size += 0.02;
  return size;
}

/** Whether cards of a trick would leave the felt or lie on a seat. */
function isTrickBlocked(
  scene: LayoutInput,
  seats: TableLayout["seats"],
  felt: Box,
  centre: Point,
  card: { w: number; h: number },
  size: number,
  low: boolean, // then seats are shown without their cards
  flat: (at: Point) => Point,
): boolean {
  const { players, you, scale } = scene;
  const isPhone = felt.w < 560;
  const [w, h] = [card.w * size, card.h * size];
  const chair = {
    w: (isPhone ? 112 : 148) * scale.text,
    h: (low ? 52 : isPhone ? 76 : 92) + LINES_PX * (scale.text - 1),
  };
  return seats.some((_, seat) => {
    const at = flat(trickOffset(seat, you, players, card, size, 0));
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

/** Returns the small angle, in degrees, at which a card of a trick lies. It is always the same for the same card. */
const turnOfTrickCard = (seat: number, nth: number) => (((seat * 7 + nth * 11) % 9) - 4) * 0.55;

/** How large the cards of a trick are beside those in the hand. */
function trickSize(felt: Box, players: number, isPhone: boolean, isTrickAtEdge: boolean): number {
  if (isTrickAtEdge) return 0.8;
  if (felt.h < 260) return 0.7;
  if (!isPhone)
    return players > 6 ? 0.66 : players > 4 ? 0.76 : felt.h < 420 ? 0.8 : felt.h < 480 ? 0.92 : 1.06;
  return felt.h < 340 ? 0.86 : felt.h > 430 && players < 5 ? TRICK.least : 1;
}

/** How wide a seat may spread cards before it meets a neighbour's. */
function widthNextToSeat(seats: TableLayout["seats"], seat: number, felt: Box): number {
  const at = seats[seat]!;
  const near = seats.filter((other, i) => i !== seat && other.y < felt.h && Math.abs(other.y - at.y) < 110);
  return Math.max(90, Math.min(felt.w / 2 - 20, ...near.map((other) => Math.abs(other.x - at.x) - 12)));
}

function middle(felt: Box, players: number, isPhone: boolean, isTrickAtEdge: boolean, over: number): Point {
  if (isTrickAtEdge) return { x: felt.w / 2, y: felt.h - 66 };
  if (players === 2) return { x: felt.w * (isPhone ? 0.58 : 0.5), y: felt.h * (isPhone ? 0.66 : 0.62) };
  return {
    x: felt.w / 2,
    y: isPhone && players > 5 ? (felt.h + over) / 2 - 6 : felt.h * (isPhone ? 0.63 : 0.58),
  };
}

/** The seats of a deal in turn from one of them. */
export function turnOrder(view: View, from: number): number[] {
  const at = Math.max(0, view.players.indexOf(from));
  return [...view.players.slice(at), ...view.players.slice(0, at)];
}

/** Places of the others along the left, upper and right edge, clockwise from the left hand. */
function placeSeats(
  players: number,
  you: number,
  felt: Box,
  isSpectator: boolean,
  text: number,
  under: number, // how far below a plate another may lie
): TableLayout["seats"] {
  const isPhone = felt.w < 560;
  const half = (isPhone ? 56 : 74) * text;
  const inset = isPhone ? half : Math.max(half + 16, (felt.w - (felt.w < 1500 ? 1080 : 1500)) / 2 + half);
  const [left, right, top] = [felt.x + inset, felt.w - inset, isPhone ? 6 : 10];
  const low = Math.max(
    felt.h * (players > 5 ? 0.68 : isPhone ? (felt.h < 430 ? 0.34 : 0.46) : 0.4),
    6 * half > felt.w + 40 ? top + under / 0.75 : 0, // three do not fit side by side
  );
  const tall = players % 2 ? 0 : 24 * players - 96; // of a column on a phone with one seat at the top
  const last = tall ? Math.max(top + tall, Math.min(low, felt.h - 140)) : low; // over one's own melds
  const side = low - top;
  const length = 2 * side + (right - left);
  const made: TableLayout["seats"] = [];
  const others = players - 1;
  const columns = isPhone && players > 5 ? phoneColumns(players) : null;
  for (let k = 0; k < players; k++) {
    const seat = (you + k) % players;
    if (k === 0) {
      made[seat] = { x: felt.w / 2, y: isSpectator ? felt.h - (isPhone ? 92 : 118) : felt.h, edge: "top" };
      continue;
    }
    if (others === 1 && !isPhone) {
      made[seat] = { x: felt.w * 0.3, y: top, edge: "top" };
      continue;
    }
    if (columns) {
      const { column, up } = columns[k]!;
      made[seat] = column
        ? {
            x: column < 0 ? left : right,
            y: last - Math.max(last - 56, tall) * up,
            edge: column < 0 ? "left" : "right",
          }
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
function phoneColumns(players: number): { column: number; up: number }[] {
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
function trickReach(players: number, card: { w: number; h: number }, size: number, rows: number): Point {
  if (rows) return { x: card.w * size + 5, y: ((card.h * size + 5) * (rows - 1)) / 2 };
  if (players === 2) return { x: card.w * size * 0.3, y: card.h * size * 0.5 };
  const more = Math.max(0, players - 4);
  return { x: card.w * size * (1.01 + 0.14 * more), y: card.h * size * (0.5 + 0.055 * more) };
}

/** Where a seat's card lies in a trick, from the middle. */
function trickOffset(
  seat: number,
  you: number,
  players: number,
  card: { w: number; h: number },
  size: number,
  rows: number,
): Point {
  const k = (seat - you + players) % players;
  const angle = Math.PI / 2 + (2 * Math.PI * k) / players;
  const reach = trickReach(players, card, size, rows);
  if (rows) {
    const { column, up } = phoneColumns(players)[k]!;
    return { x: column * reach.x, y: (1 - 2 * up) * reach.y };
  }
  if (players === 2) return { x: k ? reach.x : -reach.x, y: (k ? -0.4 : 0.4) * reach.y };
  return { x: Math.cos(angle) * reach.x, y: Math.sin(angle) * reach.y };
}
