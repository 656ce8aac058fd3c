// The texts of the replay page. They are loaded with it.
import { text } from "../strings";

const { does } = text;

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
  shareTitle: (game: string) => `${game}, card by card`,
};
