// A house option as a form shows it.
import type { Option } from "../lib/api";

/** The words offered for an option, or nothing where a number is written. */
export function choices(option: Option): string[] | null {
  if (option.choices?.length) return option.choices;
  if (
    /number/.test(option.values) ||
    (typeof option.preset === "number" && !/^[\d, or]+$/.test(option.values))
  )
    return null;
  const words = option.values
    .split(/,\s*|\s+or\s+/)
    .map((word) => word.trim())
    .filter(Boolean);
  return words.length > 1 ? words : null;
}

export const written = (value: unknown) =>
  value === true ? "yes" : value === false ? "no" : value === null ? "none" : String(value);
export const yesNo = (option: Option) => typeof option.preset === "boolean";

/** What a written number means, or a word that was picked. */
export const number = (option: Option, word: string) =>
  word === "" ? (/none/.test(option.values) ? null : option.preset) : Number(word);
export const picked = (option: Option, word: string) =>
  /^\d+$/.test(word) && typeof option.preset === "number" ? Number(word) : word;
