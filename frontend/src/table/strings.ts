// The texts of melds, earlier tricks, scores and the end of a game. They are loaded with what shows them.
import { text as shared } from "../strings";

const { count, does } = shared;

export const text = {
  marks:
    "A card with a short bar under its suit is part of a meld on the table. You can still play it. A card with a golden edge is trump.",
  // The large words of the result and the margin: `by` is 0 if that is not known.
  headline: {
    made: (who, bid, by) => [`${who} made ${bid}`, by ? `with ${by} to spare` : "exactly"],
    set: (who, bid, by) => [`${who} went set`, by ? `${by} short of ${bid}` : `on a bid of ${bid}`],
    conceded: (who, bid) => [`${who} gave up`, `a bid of ${bid}`],
    "thrown-in": () => ["Everybody passed", "Nobody scores."],
    "no-marriage": (who, bid) => [`${who} had no marriage`, `for a bid of ${bid}`],
    reneged: () => ["A renege", "It ended the deal."],
    counted: (who, _, by, sides) =>
      by ? [`${who} scored ${sides > 2 ? "most" : "more"}`, `${by} in this deal`] : ["Nobody scored", ""],
  } as Record<string, (who: string, bid: number, by: number, sides: number) => [string, string]>,
  lost: {
    meld: (who: string, least: number) => `${who}: a meld below ${least} does not count.`,
    trick: (who: string) => `${who} won no trick, so the meld does not count.`,
    counter: (who: string) => `${who} won no counter, so the meld does not count.`,
    point: (who: string) => `${who} won no points in tricks, so the meld does not count.`,
    play: (who: string, least: number) =>
      `${who}: fewer than ${least} points in tricks, so neither meld nor tricks count.`,
    hand: (who: string, least: number) => `${who}: less than ${least} in all, so nothing counts.`,
  },
  sheet: {
    deal: "Deal",
    bid: "Bid",
    meld: "meld",
    play: "play",
    change: "score",
    total: "total",
    target: (points: number) => `Playing to ${points}`,
    deals: (deals: number) => `Playing ${count(deals, "deal")}`,
    empty: "No deal has been scored yet.",
    parts: "meld + play",
    next: "Next deal",
    reading: (who: string) => `Waiting for ${who}…`,
    result: "Deal over",
    buried: (who: string) => `${who} buried`,
    inDeal: (deal: number, sentence: string) => `Deal ${deal}. ${sentence}`,
    tags: {
      made: "made",
      set: "set",
      conceded: "gave up",
      "thrown-in": "all passed",
      "no-marriage": "no marriage",
      reneged: "renege",
      counted: "",
    } as Record<string, string>,
  },
  history: {
    trickOf: (n: number, of: number) => `Trick ${n} of ${of}`,
    trickWon: (who: string, you: boolean, points: number, last = 0) =>
      `${does(who, you, "win")} ${points}${last ? ` + ${last} for the last trick` : ""}`,
    earlier: "Earlier trick",
    later: "Later trick",
    backToPlay: "Back",
  },
  rematch: {
    ready: (who: string) => `Ready: ${who}`,
    wait: "Waiting for the others…",
  },
};
