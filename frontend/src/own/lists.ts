// Lists in a sheet: of melds, of numbers or of rows of them, and what is written as it stands there.

export type OwnMeld = [name: string, cards: string, points: unknown];
export const RANKS = ["A", "T", "K", "Q", "J", "9"];
export const TRUMP = "*"; // for the suit of a card that is of trump

/** The melds of a list, as far as they are some. */
export const melds = (value: unknown): OwnMeld[] =>
  (Array.isArray(value) ? value : [])
    .filter((one) => Array.isArray(one))
    .map(([name, cards, points]) => [String(name ?? ""), String(cards ?? ""), points ?? ""]);

/** What was written as in a sheet. */
export function meant(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    return word;
  }
}

/** The rows of a list; a number stands for a list of one. */
export const rows = (value: unknown, wide: number): unknown[][] =>
  (Array.isArray(value) ? value : value === undefined || value === "" ? [] : [value]).map((one) =>
    wide > 1 && Array.isArray(one) ? one : [one],
  );
/** The list of these rows. */
export const list = (rows: unknown[][], wide: number): unknown[] =>
  wide > 1 ? rows : rows.map(([one]) => one);

/** One row more: as the last one, or where there is none, of zeros. */
export const longer = (rows: unknown[][], wide: number): unknown[][] => [
  ...rows,
  [...(rows.at(-1) ?? Array<number>(wide).fill(0))],
];
