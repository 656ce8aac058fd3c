// How a deal ended, in large words, and what sides lost in it.
import { isOwnSide, nameOf, sideNames, sideNamesInSentence, sideOf, type Seated } from "../lib/narration";
import type { SheetRow } from "../lib/types";
import { listed } from "../strings";
import { text } from "./strings";

/** A bid made or set and by how much, or who scored most: in large words and a few more. */
export function resultHeadline({ score, lost }: SheetRow, table: Seated): [string, string] {
  const { outcome, declarer, bid, meld, play, change } = score;
  const most = Math.max(...change);
  const best = change.flatMap((points, side) => (points === most ? sideNames(table, side) : []));
  const side = declarer === null ? -1 : sideOf(table, declarer);
  const scored = (meld[side] ?? 0) + (play[side] ?? 0);
  const got = change[side] ?? 0;
  const by = {
    made: () => (got < (bid ?? 0) ? scored : got) - (bid ?? 0), // less than the bid: the deal was paid
    set: () => (lost[side] ? 0 : Math.max(0, (bid ?? 0) - scored)), // else what was lost is told beneath
    counted: () => Math.max(0, most),
  }[outcome as string];
  const who = declarer === null ? listed(best) : nameOf(table, declarer);
  return text.headline[outcome]?.(who, bid ?? 0, by?.() ?? 0, change.length) ?? ["", ""];
}

/** Whether a deal went well for this person's side: it made its bid or set the others. Where nobody bid, or
 *  somebody reneged, it is the side that got most. Null where all got the same, or nobody plays here. */
export function isGoodResult(
  { score: { outcome, declarer, change } }: SheetRow,
  table: Seated,
): boolean | null {
  if (table.you === null) return null;
  if (declarer !== null && outcome !== "reneged" && outcome !== "counted")
    return (outcome === "made") === isOwnSide(table, sideOf(table, declarer));
  const most = Math.max(...change);
  return change.every((points) => points === most) ? null : change[sideOf(table, table.you)] === most;
}

/** What sides lost in a deal of what they laid and won, and why. */
export const lossSentences = ({ lost }: SheetRow, table: Seated): string[] =>
  lost.flatMap((one, side) => (one ? [text.lost[one.why](sideNamesInSentence(table, side), one.least)] : []));
