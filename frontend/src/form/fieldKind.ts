// Which kind of input a field needs, from the JSON Schema of its values.

/** The part of JSON Schema that the server uses for the values of a field. */
export interface JsonSchema {
  type?: string;
  enum?: string[];
  const?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema | false;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
}

export const NONE = "none"; // stands for a missing value
const MAX_LISTED_NUMBERS = 10; // fewer numbers than this are chosen from a list, more are typed

/** The kind of input for a field. `words`: the values of a select box. */
export type FieldKind =
  | { kind: "words"; words: unknown[] }
  | { kind: "number"; none: boolean }
  | { kind: "numbers"; minRows: number; maxRows: number; rowLength: number; words: string[] } // in rows
  | { kind: "melds" } // melds that only this game has
  | { kind: "text" }
  | { kind: "other" }; // text in the format of the sheet

export const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Returns the kind of input for values of this schema. */
export function fieldKindOf(may: JsonSchema): FieldKind {
  const alternatives = may.anyOf ?? [may];
  const none = alternatives.some((one) => one.const === NONE);
  const words = alternatives.flatMap((one) => one.enum ?? []);
  const list = alternatives.find((one) => one.type === "array");
  const whole = alternatives.find((one) => one.type === "integer");
  if (list) {
    const rowLength = rowLengthOf(list);
    if (isMeldList(list)) return { kind: "melds" };
    return rowLength
      ? { kind: "numbers", minRows: list.minItems ?? 0, maxRows: list.maxItems ?? Infinity, rowLength, words }
      : { kind: "other" };
  }
  if (words.length) return { kind: "words", words: none ? [...words, NONE] : words };
  if (may.type === "boolean") return { kind: "words", words: [true, false] };
  if (whole) {
    const { minimum: low, maximum: high } = whole;
    if (low === undefined || high === undefined || high - low >= MAX_LISTED_NUMBERS)
      return { kind: "number", none };
    const few: unknown[] = Array.from({ length: high - low + 1 }, (_, at) => low + at);
    return { kind: "words", words: none ? [...few, NONE] : few };
  }
  return { kind: may.type === "string" ? "text" : "other" };
}

/** Returns how many numbers a row of this list has; 0 if its items are not numbers. */
function rowLengthOf({ items }: JsonSchema): number {
  if (!items) return 0;
  if (items.type === "integer") return 1;
  const inner = items.prefixItems ?? [];
  return inner.length && inner.every((one) => one.type === "integer") ? inner.length : 0;
}

/** Whether each item of this list is a meld: name, cards and points. */
const isMeldList = ({ items }: JsonSchema): boolean =>
  !!items && (items.prefixItems ?? []).map((one) => one.type).join() === "string,string,integer";

/** Returns the number that was typed. Other text stays as it is: the server refuses it with a sentence. */
export const parseNumber = (word: string, none: boolean): unknown =>
  word.trim() === "" ? (none ? NONE : "") : /^-?\d{1,15}$/.test(word.trim()) ? Number(word) : word;

/** Returns the faults by field. A fault of several fields is shown at the first changed one, or else at the first. */
export function faultsByField<T extends { fields: string[] }>(
  faults: T[],
  values: Record<string, unknown>,
  known: (path: string) => boolean,
): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const fault of faults) {
    const shown = fault.fields.filter(known);
    const at = shown.find((path) => path in values) ?? shown[0] ?? "";
    found.set(at, [...(found.get(at) ?? []), fault]);
  }
  return found;
}
