// What is sentence about the contract: only a table in play needs it.
import { nameOf, type Seated, sideOf } from "../lib/narration";
import type { View } from "../lib/types";
import { text } from "../strings";

/** Returns a sentence about the bid and the points that it still needs. */
export function contract(view: View, table: Seated): string {
  const { declarer, bid, bid_progress: progress } = view;
  if (declarer === null || bid === null) return "";
  const side = sideOf(table, declarer);
  const low =
    progress?.meld === 0 && view.melds.some((one) => sideOf(table, one.seat) === side && one.points);
  const t = text.meldPanel;
  const sentence = t.contract(nameOf(table, declarer), bid, progress && progress.points_needed);
  return low ? `${sentence} ${t.low(view.least_meld)}` : sentence;
}
