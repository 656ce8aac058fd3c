// What is explained of a place at the table: the words that stand on it, and the melds that are known.
import { nameOf, type Seated } from "../lib/narration";
import type { MeldInTrump, SuitLetter, View } from "../lib/types";
import { text } from "../strings";
import type { WordRequest } from "./words.svelte";

export function wordsOf(view: View, seat: number): string[] {
  const call = view.auction.findLast((one) => one.seat === seat);
  const conditions: [string, unknown][] = [
    ["dealer", view.dealer === seat],
    ["bid", call?.bid != null || view.declarer === seat],
    ["pass", call?.bid === null],
    ["declarer", view.declarer === seat],
    ["meld", view.kind === "bid" || view.melds.length],
    ["trick", view.leader !== null],
    ["counter", view.leader !== null],
  ];
  return conditions.flatMap(([word, shows]) => (shows ? [word] : []));
}

/** What the last call of a seat says, or its card in the present trick or in the last one; "" for nothing. */
export function saysOf(view: View, seat: number): string {
  if (view.leader === null) {
    const last = view.auction.findLastIndex((one) => one.seat === seat);
    return view.call_meanings[last]?.sentence ?? "";
  }
  return view.signals.findLast((one) => one.seat === seat)?.sentence ?? "";
}

/** The words of the contract: "30 to go" where that is known. */
export const contractWords = ({ declarer, bid_progress: progress }: View) => [
  "trump",
  ...(declarer === null ? [] : ["declarer", "bid", "set"]),
  ...(progress ? ["to go"] : []),
];

/** The melds that a seat has laid, as far as they are conditions. */
export function meldsOf(view: View, table: Seated, seat: number): WordRequest["melds"] {
  const melds = view.melds.filter((one) => one.seat === seat).flatMap((one) => one.melds);
  return melds.length ? [{ title: nameOf(table, seat), melds }] : [];
}

/** The suits in which one's own hand melds most, together with the points; and the next ones, if it is one suit. */
export function bestTrumps(worth: readonly MeldInTrump[]): [SuitLetter[], number][] {
  const best: [SuitLetter[], number][] = [];
  for (const { suit, points } of worth) {
    if (best.at(-1)?.[1] === points) best.at(-1)![0].push(suit);
    else if (points) best.push([[suit], points]);
  }
  return best.slice(0, best[0]?.[0][1] ? 1 : 2);
}

/** What one's own hand melds in each trump. */
export const suitMelds = (worth: readonly MeldInTrump[]): WordRequest["melds"] =>
  worth
    .filter((one) => one.points)
    .map(({ suit, points, melds }) => ({
      title: text.guidance.inTrump(text.suits[suit], points),
      melds,
    }));
