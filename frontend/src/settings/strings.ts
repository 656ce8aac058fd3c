// The texts of the settings.
import type { Settings } from "../lib/settings.svelte";

type Words<K extends keyof Settings> = Record<Settings[K] & string, string>;
const sizes: Words<"handSize"> = { small: "Small", usual: "Usual", large: "Large", largest: "Largest" };

export const text = {
  deck: "Deck",
  decks: { plain: "Large and plain", traditional: "Traditional" } satisfies Words<"deck">,
  back: "Back",
  backs: { blue: "Blue", red: "Red", aces: "Ornament" } satisfies Words<"back">,
  colours: "Suit colours",
  colourings: { four: "Four colours", two: "Red and black" } satisfies Words<"colours">,
  hand: "Hand",
  hands: { rows: "In rows", suits: "Fanned by suit", stacks: "Stacked" } satisfies Words<"hand">,
  handSize: "Cards in the hand",
  feltSize: "Cards on the table",
  sizes,
  fit: "On a small screen, cards are as large as fits.",
  theme: "Appearance",
  themes: { system: "Same as device", light: "Light", dark: "Dark" },
  speed: "Speed",
  speeds: { slow: "Slow", normal: "Normal", fast: "Fast", instant: "No waiting" },
  explain: "Explain each step",
  twoTap: "Tap twice to play a card",
  forced: "Play a forced card automatically",
  counting: "Counting trainer, against bots only",
  sound: "Sounds",
  volume: "Volume",
  keys: "Keyboard shortcuts",
  high: "High cards on the left",
  trumpFirst: "Trump first",
  muted: "Hide table talk",
  sort: "Order of the hand",
  suits: "Suits",
  orders: { SHCD: "Alternating colours", SHDC: "♠ ♥ ♦ ♣", CDHS: "♣ ♦ ♥ ♠" },
  play: "Play",
};
