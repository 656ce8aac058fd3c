// The texts of two forms: *House rules* and *Make your own game*. They are loaded with either form.
import { text as shared } from "../strings";

export const text = {
  title: "House rules",
  table: "Table",
  players: "Players",
  game: "Game",
  bots: "Bots",
  conventions: "Conventions of bots",
  withConventions: "Bids and cards tell partners something",
  natural: "None: natural bots",
  conventionsHint: "The rules page explains them; at the table, tap a bid.",
  naturalHint: "Bots use no conventions, and expect none from you.",
  usually: (value: string) => `Usual: ${value}.`,
  asUsual: "As usual",
  asUsualOf: (label: string) => `${label} as usual`,
  reset: "Usual rules",
  sentence: (words: string) => `${shared.first(words)}.`,
  /** Returns the description of a field, or nothing if it only repeats the label. */
  about: (label: string, says: string) =>
    says.toLowerCase().replace(/^the |\.$/g, "") === label.toLowerCase() ? "" : says,
  playedAs: "Played as",
  usual: "As usual",
  own: "Your own way",
  who: "Who may join",
  private: "By link only",
  public: "Anybody (public table)",
  clockHint: "When time runs out, a bot plays until the player is back.",
  clockOff: "Off",
  changeOwn: "Change your game",
  withFriends: "Set up the table",
  withBots: "Play against bots",
  startHint: "Set up the table to wait for people first, or play at once: people can still join by link.",
  wrong: (n: number) => (n === 1 ? "1 thing to fix" : `${n} things to fix`),
  wrongAt: (labels: string[]) => `${text.wrong(labels.length)}: ${labels.join(", ")}.`,
  none: "none",
  yes: "Yes",
  no: "No",
  /** Labels that are not the name itself with spaces. */
  names: {
    hands: "Number of deals",
    all_pass: "When all pass",
    concede: "Giving up",
    exchange: "Cards passed",
    set_pays_defenders: "Set bid goes to the defenders",
    duplicate_runs_extra: "Bonus for double runs",
    min_twenty: "Minimum of 20 points",
    renege: "Illegal plays",
    all_asked: "Ask every player for a nine",
    nine_must_take: "A nine must be traded",
    meld_before_draw: "Meld before drawing",
    meld_after_stock: "Meld after the last draw",
    nine_beside: "Nine and meld in one turn",
    nine_turned_up: "For turning up a nine",
    hand: "Cards each",
    others: "Your own melds",
  } as Record<string, string>,
  values: {
    redeal: "New deal",
    dealer: "Dealer takes the minimum",
    "dealer-bids": "Dealer must bid",
    "first-bids": "First player must bid",
    hopeless: "When hopeless",
    refuse: "Refused",
    penalty: "Penalty",
    tens: "A, 10 and K: 10 each",
    "kings-fives": "K and Q: 5 each",
    traditional: "11, 10, 4, 3, 2",
    "48": "48 cards",
    "24-each": "24 per player",
  } as Record<string, string>,
  /** Returns the label of a field with this name in the sheet. */
  label: (name: string) => text.names[name] ?? shared.first(name.replace(/_/g, " ")),
  word: (value: unknown): string => {
    if (value === true) return text.yes;
    if (value === false) return text.no;
    const word = String(value);
    return text.values[word] ?? shared.first(word.replace(/-/g, " "));
  },
  value: (value: unknown): string =>
    Array.isArray(value)
      ? value.length
        ? value
            .map((one) =>
              Array.isArray(one) ? one.join(typeof one[0] === "string" ? " " : "/") : String(one),
            )
            .join(", ")
        : text.none
      : text.word(value),
};
