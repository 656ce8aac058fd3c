// The positions of the cards in this person's hand. A hand is groups with a gap between them, a group is
// places side by side, and at a place lies one card or several that are equal.
import type { Box } from "./tableLayout";
import { suitOf } from "./cards";
import type { Card } from "./types";

/** How a hand is laid out: card beside card, each suit a fan of its own, or equal cards on one another. */
export type Arrangement = "rows" | "suits" | "stacks";
/** The cards at one place, by their index in the hand; the topmost is the last. */
export type Slot = readonly number[];
export type Groups = readonly (readonly Slot[])[];
/** How many places each group has: all that sizes depend on. */
export type Shape = readonly number[];
/** A place on the screen: the part of its uppermost card that is seen and touched. */
export interface CardBox extends Box {
  cards: Slot;
}
/** Where a card of the hand lies: its middle, and how it is turned. */
export interface PlacedCard {
  index: number;
  x: number;
  y: number;
  turn: number;
}
interface ScreenSize {
  width: number;
  height: number;
}

const RATIO = 1.42;
const ROW_STEP = 0.66; // of a card's height: so far apart are the rows of a hand,
const STACKED_ROW_STEP = 0.78; // and where below each index stands how many lie there
const MIN_STRIP = 0.4; // of a card's width: so much of it shows its index
const GROUP_GAP = 0.24; // of a card's width, between two suits
const PHONE_STACK_SCALE = 1.25; // stacked cards need fewer places on a phone, so they may be so much larger
const PEEK_PX = 2; // pixels by which a card is seen to lie on another
export const padOf = (width: number) => (width < 560 ? 10 : 24);
const maxHandWidth = (width: number) => (width < 1500 ? 1240 : 1500); // a hand is not spread wider
const CONTROLS_ROOM_PX = 190; // pixels of the felt that controls beside it need
const roomOf = (width: number) => Math.min(width - 2 * padOf(width), maxHandWidth(width));
const LOW_SCREEN_PX = 620; // a screen lower than that has no height to give
const rowOf = (h: number, how: Arrangement, height: number) =>
  Math.round(h * (how === "stacks" && height >= LOW_SCREEN_PX ? STACKED_ROW_STEP : ROW_STEP));
const cardOfWidth = (w: number) => ({ w, h: Math.round(w * RATIO) });
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** A sorted hand in its groups. */
export function groupCards(hand: readonly Card[], how: Arrangement): Groups {
  const groups: number[][][] = [];
  hand.forEach((card, i) => {
    const before = hand[i - 1];
    if (!groups.length || (how === "suits" && before && suitOf(before) !== suitOf(card))) groups.push([]);
    const group = groups.at(-1)!;
    if (how === "stacks" && before === card) group.at(-1)!.push(i);
    else group.push([i]);
  });
  return groups;
}

export const shapeOf = (groups: Groups): Shape => groups.map((group) => group.length);
/** Returns the hand that needs more room. */
export const larger = (one: Shape, other: Shape): Shape => (sum(one) >= sum(other) ? one : other);

/** The usual size of a card in the hand. A desktop whose page is zoomed to 200% is a window of half its
 *  width and height: there a card is more than half as wide as before. */
export function cardSize(width: number, height: number): { w: number; h: number } {
  let w =
    width < 560 ? 66 : width < 900 ? (height < 900 ? 78 : 96) : width < 1500 || height < 940 ? 104 : 144;
  if (height < 400) w = Math.min(w, 54);
  else if (height < 620) w = Math.min(w, width < 900 ? 60 : Math.round(height * 0.16));
  else if (height < 700) w = Math.min(w, width < 900 ? 84 : 96);
  else if (height < 860) w = Math.min(w, 104);
  return cardOfWidth(w);
}

/** How much of each card but the last of a fan is seen, where these fans share a row. */
function stripOf(fans: Shape, room: number, w: number): number {
  const covered = sum(fans) - fans.length;
  return covered ? (room - fans.length * w - (fans.length - 1) * w * GROUP_GAP) / covered : Infinity;
}

/** The groups in one row, or in two where strips would get too narrow to read and touch. */
export function rowsOf(shape: Shape, room: number, w: number, screen: ScreenSize): Shape[] {
  const narrow = w * (screen.height <= 580 ? 0.44 : screen.width < 900 ? 0.56 : 0.5);
  if (stripOf(shape, room, w) >= narrow) return [shape];
  if (shape.length === 1) {
    const upper = Math.ceil(shape[0]! / 2);
    return [[upper], [shape[0]! - upper]];
  }
  const halves = shape.slice(1).map((_, i) => [shape.slice(0, i + 1), shape.slice(i + 1)]);
  const least = (rows: Shape[]) => Math.min(...rows.map((row) => stripOf(row, room, w)));
  return halves.reduce((best, rows) => (least(rows) > least(best) ? rows : best));
}

/** How high a hand is, in as many rows as it needs. */
export function handHeight(
  shape: Shape,
  how: Arrangement,
  w: number,
  screen: ScreenSize,
  open: boolean,
): number {
  const { h } = cardOfWidth(w);
  const rows = rowsOf(shape, roomOf(screen.width), w, screen).length;
  return h + (rows - 1) * rowOf(h, how, screen.height) + (open ? 20 : 0);
}

/** The size of a card in the hand that somebody wants `scale` times as large as usual: so large as leaves the
 *  felt its share and every strip its index. */
export function handSize(
  shape: Shape,
  how: Arrangement,
  scale: number,
  width: number,
  height: number,
  hanging: number,
): { w: number; h: number } {
  const screen = { width, height };
  const usual = cardSize(width, height);
  const room = roomOf(width);
  const before = height - hanging - handHeight(shape, how, usual.w, screen, true);
  const share = Math.min(before, height < 440 ? CONTROLS_ROOM_PX : height * 0.44);
  const legible = (w: number) =>
    rowsOf(shape, room, w, screen).every((row) => stripOf(row, room, w) >= w * MIN_STRIP);
  const roomier = how === "stacks" && width < 560 && height >= LOW_SCREEN_PX;
  let w = Math.round(usual.w * scale * (roomier ? PHONE_STACK_SCALE : 1));
  while (w > usual.w && (height - hanging - handHeight(shape, how, w, screen, true) < share || !legible(w)))
    w -= 1;
  while (w > 30 && shape.length > 1 && !legible(w)) w -= 1; // one suit may be long
  return cardOfWidth(w);
}

/** Cards in a fan: how far each is from its middle, and how it is turned. */
export function fanOffsets(many: number, step: number): { x: number; drop: number; turn: number }[] {
  const mid = (many - 1) / 2;
  const each = many > 1 ? Math.min(2.6, 15 / (many - 1)) : 0; // degrees
  const far = each ? step / ((each * Math.PI) / 180) : 0; // to the point about which it is turned
  const fall = (i: number) => far * (1 - Math.cos(((i - mid) * each * Math.PI) / 180));
  const least = -fall(0) / 2;
  return Array.from({ length: many }, (_, i) => ({
    x: (i - mid) * step,
    drop: least + fall(i),
    turn: (i - mid) * each,
  }));
}

/** Where the hand's cards lie in its part of the screen, and where each place is seen and touched. */
export function layOutHand(
  groups: Groups,
  how: Arrangement,
  card: { w: number; h: number },
  area: Box, // at the foot of the screen
  liftOf: (index: number) => number,
): { cards: PlacedCard[]; keys: CardBox[] } {
  const room = roomOf(area.w);
  const step = rowOf(card.h, how, area.y + area.h);
  const flat = groups.length === 1;
  const tall = area.h >= card.h + step;
  const shape = shapeOf(groups);
  const rows = tall ? rowsOf(shape, room, card.w, { width: area.w, height: Infinity }) : [shape];
  const places = groups.flat();
  const cards: PlacedCard[] = [];
  const keys: CardBox[] = [];
  rows.forEach((row, nth) => {
    const below = rows.length - 1 - nth;
    const top = area.y + area.h - card.h - below * step - 2;
    const most = card.w * (area.w < 560 ? 0.88 : 0.72);
    const strip = Math.max(0, Math.min(most, stripOf(row, room, card.w)));
    const gap = card.w * GROUP_GAP;
    const wide = sum(row.map((many) => strip * (many - 1) + card.w)) + gap * (row.length - 1);
    let left = (area.w - wide) / 2;
    for (const many of row) {
      for (let at = 0; at < many; at++) {
        const place = places[keys.length]!;
        const x = left + at * strip;
        // A suit of its own is held a little like a fan, so that the eye takes it as one.
        const bent = flat || many < 2 ? 0 : at - (many - 1) / 2;
        const turn = bent * Math.min(0.8, 4 / many);
        const drop = flat ? 0 : Math.abs(turn) ** 1.6 * 0.9;
        place.forEach((index, copy) => {
          const y = top + liftOf(index) + drop - (place.length - 1 - copy) * PEEK_PX;
          cards.push({ index, x: x + card.w / 2, y: y + card.h / 2, turn });
        });
        const lift = liftOf(place.at(-1)!);
        keys.push({
          x,
          y: top + lift,
          w: at === many - 1 ? card.w : strip,
          h: below ? step : card.h - Math.max(0, lift),
          cards: place,
        });
      }
      left += strip * (many - 1) + card.w + gap;
    }
  });
  return { cards, keys };
}
