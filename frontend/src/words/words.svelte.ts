// The words of the game that somebody wants explained, with melds and a sentence that belong to them.
import type { Meld } from "../lib/types";

export interface Asked {
  words: readonly string[]; // entries of the glossary
  melds: readonly { title: string; melds: readonly Meld[] }[];
  sentence: string;
  title: string; // of what is explained: a player's name, or empty
}
export const asked = $state<{ now: Asked | null }>({ now: null });

export function explain(
  words: readonly string[],
  melds: Asked["melds"] = [],
  sentence = "",
  title = "",
): void {
  asked.now = { words, melds, sentence, title };
}
