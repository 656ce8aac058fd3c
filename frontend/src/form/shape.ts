// What may stand in a field, read from what the server says of it, and what is typed or tapped there.

/** What may stand in a field, as a JSON Schema. */
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

export const NONE = "none"; // the word for a value that is not there
const FEW = 10; // numbers that are tapped and not typed

/** How a field is shown. `words` are tapped; `least` and `most` are of a number, or of how many. */
export type Shape =
  | { kind: "words"; words: unknown[] }
  | { kind: "number"; none: boolean }
  | { kind: "numbers"; least: number; most: number; wide: number; words: string[] } // rows, each `wide`
  | { kind: "melds" } // of a table's own
  | { kind: "text" }
  | { kind: "other" }; // written as in a sheet

export const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** How a field is shown in which that may stand. */
export function shape(may: JsonSchema): Shape {
  const ways = may.anyOf ?? [may];
  const none = ways.some((one) => one.const === NONE);
  const words = ways.flatMap((one) => one.enum ?? []);
  const list = ways.find((one) => one.type === "array");
  const whole = ways.find((one) => one.type === "integer");
  if (list) {
    const wide = ofNumbers(list);
    if (ofMelds(list)) return { kind: "melds" };
    return wide
      ? { kind: "numbers", least: list.minItems ?? 0, most: list.maxItems ?? Infinity, wide, words }
      : { kind: "other" };
  }
  if (words.length) return { kind: "words", words: none ? [...words, NONE] : words };
  if (may.type === "boolean") return { kind: "words", words: [true, false] };
  if (whole) {
    const { minimum: low, maximum: high } = whole;
    if (low === undefined || high === undefined || high - low >= FEW) return { kind: "number", none };
    const few: unknown[] = Array.from({ length: high - low + 1 }, (_, at) => low + at);
    return { kind: "words", words: none ? [...few, NONE] : few };
  }
  return { kind: may.type === "string" ? "text" : "other" };
}

/** How many numbers stand in a row of a list: one, or as many as each of its lists has; else 0. */
function ofNumbers({ items }: JsonSchema): number {
  if (!items) return 0;
  if (items.type === "integer") return 1;
  const inner = items.prefixItems ?? [];
  return inner.length && inner.every((one) => one.type === "integer") ? inner.length : 0;
}

/** Whether each item of a list is a meld: two texts and a number. */
const ofMelds = ({ items }: JsonSchema): boolean =>
  !!items && (items.prefixItems ?? []).map((one) => one.type).join() === "string,string,integer";

/** What was typed for a number. What is none is sent as it is, and refused in a sentence. */
export const typed = (word: string, none: boolean): unknown =>
  word.trim() === "" ? (none ? NONE : "") : /^-?\d{1,15}$/.test(word.trim()) ? Number(word) : word;

/** The fields at which each fault is shown: the first that was changed, or else the first. */
export function placed<T extends { fields: string[] }>(
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
