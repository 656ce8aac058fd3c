// The words of the game that somebody wants explained, with melds and a sentence that belong to them.
import type { Meld } from "../lib/types";

export interface WordRequest {
  words: readonly string[]; // entries of the glossary
  melds: readonly { title: string; melds: readonly Meld[] }[];
  sentence: string;
  title: string; // of what is explained: a player's name, or empty
}
export const wordRequest = $state<{ current: WordRequest | null }>({ current: null });

export function explain(
  words: readonly string[],
  melds: WordRequest["melds"] = [],
  sentence = "",
  title = "",
): void {
  wordRequest.current = { words, melds, sentence, title };
}
