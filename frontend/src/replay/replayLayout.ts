// Where hands and tricks lie on the page of a replay: plain geometry in CSS pixels.
import type { CardSlot } from "../lib/cardMotion";
import type { CardPlace } from "./cardTimeline";

const RATIO = 1.42;
const MIN_STRIP = 0.42; // of a card's width: so much of it must show to be read
const ROW_STEP = 0.54; // of a card's height, likewise
export const LABEL_PX = 26; // the line with the name above a hand
const GAP_PX = 10;
const MIN_CARD_PX = 22; // of a card's width: for nine players on the smallest telephones

export interface Block {
  x: number; // the left edge
  y: number;
  w: number;
  side: "left" | "middle" | "right";
}
export interface ReplayLayout {
  wide: boolean;
  card: { w: number; h: number };
  rows: number[]; // by seat
  blocks: (Block | undefined)[]; // by seat
  seats: number[]; // clockwise from the one at the bottom
  centre: { x: number; y: number; w: number; high: number };
}

/** How many of the others sit at the left, at the top and at the right, by their number. */
const SHARES: Record<number, [number, number, number]> = {
  1: [0, 1, 0],
  2: [1, 0, 1],
  3: [1, 1, 1],
  4: [1, 2, 1],
  5: [1, 3, 1],
  6: [2, 2, 2],
  7: [2, 3, 2],
  8: [2, 4, 2],
};

const rowsFor = (most: number, room: number, w: number) => {
  const fit = Math.max(1, Math.floor((room - w) / (w * MIN_STRIP)) + 1);
  return Math.ceil(most / fit);
};
const tall = (rows: number, w: number) => LABEL_PX + (rows && w * RATIO * (1 + ROW_STEP * (rows - 1)));

/** The largest cards with which everything fits. `seats`: clockwise, `most`: cards in a hand. */
export function replayLayout(
  seats: number[],
  most: number,
  width: number,
  height: number,
  stock = false, // one lies beside the trick
): ReplayLayout {
  const wide = width >= 700 && height >= 240;
  for (let w = wide ? 78 : 58; ; w -= 2) {
    const tried = wide
      ? [around(seats, most, width, height, w)]
      : [1, 2, 3].map((columns) => stacked(seats, most, width, height, w, columns, stock));
    const found = tried.find((one) => one.fits) ?? (w <= MIN_CARD_PX ? tried.at(-1) : undefined);
    if (found) return found.floor;
  }
}

function around(seats: number[], most: number, width: number, height: number, w: number) {
  const [left, top] = SHARES[seats.length - 1] ?? [2, 4, 2];
  const pad = 20;
  const rows: number[] = [];
  const blocks: (Block | undefined)[] = [];
  const sideRoom = Math.min(340, width * (top ? 0.3 : 0.42));
  const topRoom = Math.min(760, (width - 2 * pad - GAP_PX * (top - 1)) / Math.max(1, top));
  const ownRoom = Math.min(760, width - 2 * pad);
  const sideRows = rowsFor(most, sideRoom, w);
  const topRows = rowsFor(most, topRoom, w);
  const ownRows = rowsFor(most, ownRoom, w);
  const sideTall = tall(sideRows, w);
  const topTall = top ? tall(topRows, w) : 0;
  const ownTall = tall(ownRows, w);
  const many = Math.max(left, 1);
  const ownY = height - pad / 2 - ownTall;
  const middle = { top: pad / 2 + topTall, bottom: ownY };
  const between = middle.bottom - middle.top;
  const trick = w * RATIO * (seats.length > 4 ? 2.6 : 2.15);
  const fits =
    Math.max(left ? many * sideTall + (many + 1) * GAP_PX : 0, trick) <= between &&
    Math.max(topRows, ownRows) <= (w > 48 ? 1 : 2) &&
    sideRows <= (w > 48 && most < 8 ? 1 : 2);
  const others = seats.slice(1);
  others.forEach((seat, i) => {
    if (i < left || i >= left + top) {
      const right = i >= left;
      const nth = right ? i - left - top : left - 1 - i; // from above
      const free = (between - many * sideTall) / (many + 1);
      rows[seat] = sideRows;
      blocks[seat] = {
        x: right ? width - pad - sideRoom : pad,
        y: middle.top + free + nth * (sideTall + free),
        w: sideRoom,
        side: right ? "right" : "left",
      };
    } else {
      const all = top * topRoom + (top - 1) * GAP_PX;
      rows[seat] = topRows;
      blocks[seat] = {
        x: (width - all) / 2 + (i - left) * (topRoom + GAP_PX),
        y: pad / 2,
        w: topRoom,
        side: "middle",
      };
    }
  });
  rows[seats[0]!] = ownRows;
  blocks[seats[0]!] = { x: (width - ownRoom) / 2, y: ownY, w: ownRoom, side: "middle" };
  const room = width - 2 * pad - (left ? 2 * sideRoom : 0);
  return {
    fits,
    floor: {
      wide: true,
      card: { w, h: Math.round(w * RATIO) },
      rows,
      blocks,
      seats,
      centre: { x: width / 2, y: middle.top + between / 2, w: room, high: between },
    } satisfies ReplayLayout,
  };
}

function stacked(
  seats: number[],
  most: number,
  width: number,
  height: number,
  w: number,
  columns: number,
  stock: boolean,
) {
  const pad = 10;
  const others = seats.slice(1);
  const lines = Math.ceil(others.length / columns);
  const room = (width - 2 * pad - (columns - 1) * 14) / columns;
  const each = rowsFor(most, room, w);
  const own = rowsFor(most, width - 2 * pad, w);
  const high = tall(each, w);
  const trick = Math.min(w * RATIO, 80) + 30;
  const need = lines * (high + 6) + tall(own, w) + trick + 12;
  const spare = Math.max(0, Math.min(28, (height - need) / (lines + 2)));
  const rows: number[] = [];
  const blocks: (Block | undefined)[] = [];
  others.forEach((seat, i) => {
    const [line, column] = [Math.floor(i / columns), i % columns];
    rows[seat] = each;
    blocks[seat] = { x: pad + column * (room + 14), y: 4 + line * (high + 6 + spare), w: room, side: "left" };
  });
  const ownY = height - 8 - tall(own, w);
  rows[seats[0]!] = own;
  blocks[seats[0]!] = { x: pad, y: ownY, w: width - 2 * pad, side: "left" };
  const upper = 4 + lines * (high + 6 + spare);
  const pile = stock && seats.length > 4 ? w + GAP_PX : 0; // with few, the trick leaves it room
  return {
    fits: need <= height && Math.max(each, own) <= (most > 16 || w < 40 ? 2 : 1),
    floor: {
      wide: false,
      card: { w, h: Math.round(w * RATIO) },
      rows,
      blocks,
      seats,
      centre: {
        x: (width + pile) / 2,
        y: (upper + ownY) / 2 - 6,
        w: width - 2 * pad - pile,
        high: ownY - upper,
      },
    } satisfies ReplayLayout,
  };
}

/** Where a card of the trick lies; `at`: its place in the order of play. */
export function trickSpot(
  plan: ReplayLayout,
  seat: number,
  at: number,
  of: number,
): { x: number; y: number; size: number } {
  const { card, centre, seats } = plan;
  if (!plan.wide) {
    const each = Math.min(card.w + 14, centre.w / of);
    const size = Math.min(1, (each - 5) / card.w);
    return { x: centre.x + (at - (of - 1) / 2) * each, y: centre.y, size };
  }
  const block = plan.blocks[seat];
  if (!block || seats.length < 5) {
    const angle = Math.PI / 2 + (2 * Math.PI * seats.indexOf(seat)) / seats.length;
    return {
      x: centre.x + Math.cos(angle) * card.w * 1.06,
      y: centre.y + Math.sin(angle) * card.h * 0.53,
      size: 1,
    };
  }
  // With many at the table a card lies on the way to its owner.
  const size = seats.length > 6 ? 0.8 : 0.9;
  const way = {
    x: (block.x + block.w / 2 - centre.x) / centre.w,
    y: (block.y + LABEL_PX + card.h / 2 - centre.y) / centre.high,
  };
  const angle = Math.atan2(way.y, way.x);
  return {
    x: centre.x + Math.cos(angle) * card.w * size * (seats.length > 6 ? 2.3 : 1.7),
    y: centre.y + Math.sin(angle) * card.h * size * (seats.length > 6 ? 0.95 : 0.8),
    size,
  };
}

/** The places of a step on this floor, as elements of the card layer. */
export function slots(plan: ReplayLayout, lying: readonly CardPlace[]): CardSlot[] {
  return lying.map((place, i) => {
    const { zone, seat, at, of } = place;
    const slot: CardSlot = {
      zone: "hand",
      seat,
      face: place.card,
      x: plan.centre.x,
      y: plan.centre.y,
      turn: 0,
      size: 1,
      level: 1,
      seen: true,
      index: i,
      way: "slide",
      delay: 0,
    };
    if (zone === "trick") return { ...slot, ...trickSpot(plan, seat, at, of), level: 300 + at };
    if (zone === "hand") return { ...slot, ...handSpot(plan, place), level: 20 + at };
    if (zone === "kitty")
      return { ...slot, x: plan.centre.x + (at - (of - 1) / 2) * plan.card.w * 1.1, level: 10 + at };
    const pile = stockSpot(plan, true);
    if (zone === "upcard") return { ...slot, x: pile.x + plan.card.w * 0.62, y: pile.y, size: 0.9, level: 4 };
    if (zone === "stock") return { ...slot, ...pile, size: 0.8, seen: false, level: 0 };
    const block = plan.blocks[seat];
    return {
      ...slot,
      x: block ? block.x + block.w / 2 : slot.x,
      y: block ? block.y + LABEL_PX / 2 : slot.y,
      size: 0.3,
      seen: false,
      level: 0,
    };
  });
}

/** Where the stock lies: beside the trick, or in its place before there is one. */
export function stockSpot(plan: ReplayLayout, played: boolean) {
  const { card, centre } = plan;
  if (!played) return { x: centre.x, y: centre.y + 8 };
  return plan.wide ? { x: centre.x - card.w * 3.4, y: centre.y } : { x: card.w * 0.5 + 12, y: centre.y };
}

function handSpot(plan: ReplayLayout, { seat, at, of, up }: CardPlace) {
  const block = plan.blocks[seat]!;
  const { w, h } = plan.card;
  const rows = Math.min(plan.rows[seat]!, rowsFor(of, block.w, w)); // one where that has become enough
  const each = Math.max(1, Math.ceil(of / rows));
  const row = Math.floor(at / each);
  const inRow = Math.min(each, of - row * each);
  const gap = each > 1 ? Math.min(w * (plan.wide ? 0.7 : 0.86), (block.w - w) / (each - 1)) : 0;
  const wide = gap * (inRow - 1) + w;
  const from = block.side === "left" ? 0 : block.side === "right" ? block.w - wide : (block.w - wide) / 2;
  return {
    x: block.x + from + (at - row * each) * gap + w / 2,
    y: block.y + LABEL_PX + row * h * ROW_STEP + h / 2 - (up ? 9 : 0),
  };
}
