import { sameChoice } from "../lib/narration";
import type { Choice, Meld } from "../lib/types";

/** Returns the melds with the one that a hint names first. */
export const hintedFirst = (melds: readonly Meld[], hinted?: Choice) =>
  [...melds].sort((a, b) => Number(sameMeld(b, hinted)) - Number(sameMeld(a, hinted)));
const sameMeld = (meld: Meld, hinted?: Choice) => !!hinted && sameChoice(["meld", meld.cards], hinted);
