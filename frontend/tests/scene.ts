// A table of four in mid-trick, to lay out: what a test of the layout does not name stands here.
import type { LayoutInput } from "../src/lib/tableLayout";
import type { View } from "../src/lib/types";

export const HEADER = 52; // of the table's page, in CSS pixels
export const SCREENS = [
  [320, 568],
  [390, 844],
  [844, 390],
  [768, 1024],
  [1280, 720],
  [1920, 1080],
] as const;
/** How far the hand may hang below the table, by the width of the screen. */
export const hanging = (width: number): number => (width < 760 ? 104 : 68);

type More = Partial<Omit<LayoutInput, "view">> & { view?: Partial<View> };

export function scene(hand: string[], more: More = {}): LayoutInput {
  const view = {
    seat: 0,
    players: [0, 1, 2, 3],
    table: [[], [], [], []],
    melded: [[], [], [], []],
    sizes: [hand.length, hand.length, hand.length, hand.length],
    tricks: [],
    trick: ["AS", "TS", "KS", "QS"],
    leader: 0,
    dealer: 3,
    stock: 0,
    upcard: null,
    kind: "play",
    ...more.view,
  } as unknown as View;
  return {
    players: 4,
    you: 0,
    hand,
    arrangement: "rows",
    reserve: [],
    raised: new Set(),
    sunk: new Set(),
    kitty: [],
    melds: false,
    past: null,
    hanging: 0,
    scale: { hand: 1, felt: 1, text: 1 },
    ...more,
    view,
  };
}
