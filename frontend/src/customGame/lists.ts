// Conversions between the lists of a rule sheet and the rows that the form shows.

export type CustomMeld = [name: string, cards: string, points: unknown];
export const RANKS = ["A", "T", "K", "Q", "J", "9"];
export const TRUMP = "*"; // stands for the trump suit in the cards of a meld

/** Returns the melds in a list. Items that are no meld are left out. */
export const toMelds = (value: unknown): CustomMeld[] =>
  (Array.isArray(value) ? value : [])
    .filter((one) => Array.isArray(one))
    .map(([name, cards, points]) => [String(name ?? ""), String(cards ?? ""), points ?? ""]);

/** Returns the value of a text in the format of a sheet; the text itself if it has another format. */
export function parseSheetValue(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    return word;
  }
}

/** Returns the rows of a list. A single number becomes a list of one row. */
export const toRows = (value: unknown, rowLength: number): unknown[][] =>
  (Array.isArray(value) ? value : value === undefined || value === "" ? [] : [value]).map((one) =>
    rowLength > 1 && Array.isArray(one) ? one : [one],
  );
/** Returns the list that these rows stand for. */
export const fromRows = (rows: unknown[][], rowLength: number): unknown[] =>
  rowLength > 1 ? rows : rows.map(([one]) => one);

/** Returns the rows and a copy of the last one, or a row of zeros if there was none. */
export const withAddedRow = (rows: unknown[][], rowLength: number): unknown[][] => [
  ...rows,
  [...(rows.at(-1) ?? Array<number>(rowLength).fill(0))],
];
