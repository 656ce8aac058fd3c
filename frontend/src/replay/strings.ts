// The texts of the replay page. They are loaded with it.
import type { ReviewKind } from "../lib/messages";
import { text } from "../strings";

const { does } = text;

const percent = (chance: number) => `${(100 * chance).toFixed(1)}%`;
const signed = (chance: number) => (chance < 0 ? `−${percent(-chance)}` : `+${percent(chance)}`);
const range = (middle: string, error: string) => `${middle}\u00a0±\u00a0${error}`; // in one line
const round = (points: number) => text.number(Math.round(points) || 0);

export const replayText = {
  title: "Replay",
  none: "Nothing to replay",
  loading: "Fetching the game…",
  toTable: "Go to the table",
  deal: "Deal",
  game: (n: number) => `Game ${n}`,
  dealOf: (n: number, of: number) => `Deal ${n} of ${of}`,
  nextDeal: "Next deal",
  facts: "This deal",
  basics: "Dealer, bid and trump",
  controls: "Replay controls",
  scrubber: "Step",
  step: (n: number, of: number) => `Step ${n} of ${of}`,
  play: "Play",
  pause: "Pause",
  back: "Step back",
  forward: "Step forward",
  trickBack: "Previous trick",
  trickOn: "Next trick",
  tricks: "Tricks",
  turning: {
    title: "Turning point",
    now: (isMade: boolean, bid: number) =>
      isMade
        ? `With this trick the bid of ${bid} is made.`
        : `With this trick the bid of ${bid} is out of reach.`,
    trick: (trick: number, isMade: boolean, bid: number) =>
      isMade
        ? `Trick ${trick} made the bid of ${bid}.`
        : `After trick ${trick} the bid of ${bid} was out of reach.`,
  },
  outcome: {
    made: (who: string, bid: number) => `${who} bid ${bid} and made it.`,
    set: (who: string, bid: number) => `${who} bid ${bid} and went set.`,
    conceded: (who: string, bid: number) => `${who} bid ${bid} and gave up.`,
    "thrown-in": () => "Everybody passed: nobody scores.",
    "no-marriage": (who: string, bid: number) => `${who} bid ${bid} but had no marriage.`,
    reneged: () => "A renege ended the deal.",
    counted: () => "Meld and play are added up.",
  } as Record<string, (who: string, bid: number) => string>,
  lies: "on the table now",
  received: (wide: boolean) => (wide ? "new" : "+"), // in a narrow hand the next card hides a word
  moved: "Cards that changed hands",
  kitty: "Kitty",
  buried: "Buried",
  threw: (who: string) => `${who} threw away`,
  gave: (who: string, to: string) => `${who} to ${to}`,
  buries: (who: string, you: boolean, cards: string) => `${does(who, you, "bury", cards)}.`,
  discards: (who: string, you: boolean, cards: string) => `${does(who, you, "throw", `away ${cards}`)}.`,
  keeps: (who: string, you: boolean) => `${does(who, you, "keep", "all cards")}.`,
  draws: (who: string, you: boolean, cards: string) => `${does(who, you, "draw", cards)}.`,
  why: {
    ask: "Why?",
    wait: "Thinking about it…",
    same: "The best bot does the same:",
    other: "The best bot does something else:",
    seat: (who: string, mine: string) =>
      `The bot knows only what ${who} knew. In its reason, “you” means ${who}${mine && `, and “${mine}” means you`}.`,
    yours: "The bot knows only what you knew.",
  },
  review: {
    own: "Review my game",
    ask: "Review a player",
    short: "Review", // where there is little room
    title: (who: string, you: boolean) => (you ? "Your game, reviewed" : `${who}'s game, reviewed`),
    chooseSeat:
      "Choose a player. Each decision is tried again by the best bot, which sees only what that player saw.",
    others: "Review another player",
    wait: "Waiting for a free bot…",
    progress: (done: number, total: number) => `${done} of ${text.count(total, "decision")}`,
    about: "You can close this: the review goes on, and you find it here.",
    soFar: (deals: number) =>
      deals === 1 ? "Here is the first deal." : `Here are the first ${deals} deals.`,
    ready: "The review is done.",
    sum: (who: string, you: boolean, luck: number, decisions: number) =>
      `Luck changed ${you ? "your" : `${who}'s`} chance to win by ${signed(luck)}, and ${you ? "your" : "the"} decisions by ${signed(decisions)}.`,
    graph: (from: number, to: number, mistakes: number, isDone: boolean) =>
      `The chance to win, from ${percent(from)} at the start to ${percent(to)} ${isDone ? "at the end" : "after these deals"}, with ${text.count(mistakes, "mistake")}.`,
    legend: "The chance to win at each decision. Red: what a mistake cost.",
    dealMark: (n: number) => `Deal ${n}`,
    dearest: "The most expensive mistakes",
    none: "No clear mistake.",
    all: (n: number) => `Show all ${n}`,
    place: (deal: number, trick: number | null, kind: string) =>
      trick === null ? `Deal ${deal}: ${kind}` : `Deal ${deal}, trick ${trick}: ${kind}`,
    cost: (one: { chance_lost: number; chance_error: number; points_lost: number; points_error: number }) =>
      `${range(percent(one.chance_lost), percent(one.chance_error))} less chance to win, ${range(round(one.points_lost), round(one.points_error))} points`,
    done: "Done",
    better: "Better",
    hide: "Hide what is better",
    again: "Try again",
    againAt: (place: string) => `Try again: ${place}`,
    byDeal: "Deal by deal",
    luck: "luck",
    ofDeal: "of which the deal",
    decisions: "decisions",
    after: "chance to win after",
    allDeals: "All",
    aboutLuck: (who: string, you: boolean) =>
      `Luck is what the cards and the others did. Decisions are what ${you ? text.youMid : who} could have done better.`,
    byKind: "What the decisions cost",
    kind: "Kind",
    count: "how many",
    mistakes: "mistakes",
    ofGame: "less chance to win",
    points: "points",
    kinds: {
      bidding: "bidding",
      "naming trump": "naming trump",
      "passing cards": "passing cards",
      burying: "burying",
      exchanging: "exchanging",
      melding: "melding",
      leading: "leading",
      following: "following",
    } satisfies Record<ReviewKind, string>,
    skipped: (n: number) =>
      `${text.count(n, "decision")} could not be evaluated: turned-up cards, and bids far above the lowest.`,
    leftOut: (n: number) => `The last ${text.count(n, "deal")} of this long game are left out.`,
    percent,
    signed,
    round,
  },
  shareTitle: (game: string) => `${game}, card by card`,
};
