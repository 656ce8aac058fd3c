// The texts of the pages about the games: how to play, find your game, what is new. They are
// loaded when one of these is opened.

import { text as shared } from "../strings";

const { count } = shared;
const DAY = 86_400_000; // milliseconds

/** `today`, `yesterday`, `9 days ago`, by the calendar, so that nobody sees the exact time of a visit. */
export function day(then: Date, now: Date): string {
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(then).setHours(0, 0, 0, 0)) / DAY);
  return days <= 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`;
}

export const text = {
  how: {
    title: "How to play pinochle",
    parts: [
      [
        "In short",
        "You bid how many points you will make. Some come from sets of cards (melds), the rest from tricks.",
      ],
      [
        "The cards",
        "Ace, ten, king, queen, jack and nine of each suit, every card twice: 48 in all. The ten beats the king. A double deck is two such decks without the nines: 80 cards.",
        [["AH TH KH QH JH 9H", "From high to low"]],
      ],
      [
        "Bid",
        "Players take turns to say how many points they will make, each more than the last, or pass. The highest bidder names the trump suit.",
      ],
      [
        "Meld",
        "Before the play everybody lays out sets of cards for points. A run is ace, ten, king, queen and jack of trump. A marriage is king and queen of a suit. A pinochle is the jack of diamonds with the queen of spades. An ace of each suit is aces around. Kings, queens and jacks around work the same way.",
        [
          ["AH TH KH QH JH", "Run, with hearts as trump"],
          ["KC QC", "Marriage"],
          ["JD QS", "Pinochle"],
          ["AS AH AD AC", "Aces around"],
        ],
      ],
      [
        "Play",
        "One player leads a card, and the others must follow suit. If you can beat the best card so far, you must; if you have none of the suit, you must trump. The highest trump wins the trick, or else the highest card of the suit led. Of two equal cards, the one played first is higher.",
      ],
      [
        "Count",
        "Aces, tens and kings in tricks count, and so does the last trick. If meld and tricks together reach the bid, the bidder scores all of it. If not, the bid is subtracted from the score: that is called going set.",
      ],
      [
        "Differences between games",
        "Partners may pass cards, a kitty may lie in the middle, cards may be exchanged or drawn from a stock. The games differ in this: read the rules of each game.",
      ],
    ] as [string, string, [string, string][]?][],
    rules: "The rules of each game",
    start: "The best way to learn is to play.",
    lessons: "Take a lesson",
  },
  rules: {
    title: (game: string) => `Rules: ${game}`,
    change: "Change house rules",
    changeOwn: "Change your game",
  },

  which: {
    title: "Find your game",
    step: (n: number, of: number) => `Question ${n} of ${of}`,
    people: "How many of you play?",
    many: ["2", "3", "4", "5 or more"],
    sides: "Do two of you play together?",
    partners: "Yes, as partners",
    alone: "No, each alone",
    unsure: "I am not sure",
    feature: "What do you remember?",
    features: {
      kitty: "Some cards lie in the middle, and the best bidder takes them",
      passed: "Partners pass each other cards",
      stock: "After each trick you draw a card",
      redrawn: "You throw away cards and draw new ones",
      deep: "Very many cards: 80, and no nines",
    } as Record<string, string>,
    none: "None of these",
    found: "This is probably yours",
    maybe: "It may be one of these",
    again: "Start over",
  },

  results: {
    title: "Results and friends",
    won: "Won and lost",
    kept: (n: number, more: boolean) =>
      more
        ? `Your last ${count(n, "game")}. Partners win and lose together.`
        : `From the ${count(n, "game")} stored here. Partners win and lose together.`,
    people: "with people",
    bots: "with bots only",
    heads: { won: "Won", lost: "Lost", unfinished: "Not over", closed: "Closed" },
    closed: "Closed: the table was closed before the game was over.",
    none: "You have not played here yet.",
    friends: "Friends",
    who: "People you have played with by invitation, or twice at public tables.",
    nobody: "Nobody yet. People you play with by invitation, or twice at public tables, appear here.",
    together: (games: number, last: Date, now: Date) =>
      `${count(games, "game")} · last played ${day(last, now)}`,
    partners: (won: number, lost: number) => `As partners: won ${won}, lost ${lost}`,
    opponents: (won: number, lost: number) => `As opponents: you won ${won}, lost ${lost}`,
    open: (n: number) => `Not over: ${count(n, "game")}`,
    invite: "Set up a table and send the link to friends.",
  },

  news: [
    [
      "Set up a table for friends in two taps, with a QR code. The page draws the seats round the table.",
      "November 2026",
    ],
    ["You can put finished games away, or delete them from your list.", "November 2026"],
    ["A traditional deck with court figures, and cards as large as you like.", "November 2026"],
    ["You can install the page as an app.", "November 2026"],
  ] as [string, string][],
};
