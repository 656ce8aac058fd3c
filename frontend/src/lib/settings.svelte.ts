// What a person prefers, kept in this browser.
import type { Arrangement } from "./handLayout";

const KEY = "acesaround.settings";

export type Deck = "plain" | "traditional";
export type Back = "blue" | "red" | "aces";
/** How large cards are wanted. */
export type Size = "small" | "usual" | "large" | "largest";

const preset = {
  theme: "system" as "system" | "light" | "dark",
  speed: "normal" as "slow" | "normal" | "fast" | "instant",
  twoTap: false,
  forced: false, // play the only legal card by itself
  sound: false,
  volume: 0.7, // from 0 to 1
  explain: null as boolean | null, // each step: until it is chosen, in the first game
  keys: true,
  high: true,
  trumpFirst: false,
  suits: "SHCD",
  counting: false, // now and then a question which cards are out
  counted: { right: 0, asked: 0 }, // the answers to these questions
  muted: false, // table talk
  mutedNames: [] as string[], // the names of those who are not heard
  deck: "plain" as Deck,
  back: "blue" as Back,
  colours: "four" as "four" | "two", // of the suits
  hand: "rows" as Arrangement,
  handSize: "usual" as Size,
  feltSize: "usual" as Size,
  watched: [] as string[], // the tables at which one only wants to watch, the latest first
  last: null as {
    variant: string;
    players: number;
    options: Record<string, unknown>;
    bots?: string;
    natural?: boolean; // bots without conventions
  } | null,
};
export type Settings = typeof preset;

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
}

export const settings = $state<Settings>({ ...preset, ...stored() });

export function saveSettings(change: Partial<Settings>): void {
  Object.assign(settings, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // private windows: the choice holds until the page is left
  }
  applySettings();
}

/** At this table one only wants to watch. */
export const watchTable = (id: string) =>
  saveSettings({ watched: [id, ...settings.watched.filter((one) => one !== id)].slice(0, 20) });

/** Whether each step is explained. */
export const explains = () => settings.explain ?? true;
/** A game is over: who has not chosen needs no explanation from now on. */
export function endFirstGame(): void {
  if (settings.explain === null) saveSettings({ explain: false });
}

/** Show the theme and the colours chosen; without a theme the system's holds. */
export function applySettings(): void {
  if (settings.theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
  document.documentElement.dataset.colours = settings.colours;
}

const FACTOR = { slow: 1.7, normal: 1, fast: 0.45, instant: 0 };
/** How long something stays, at the speed chosen. */
export const scaledDelay = (ms: number) => ms * FACTOR[settings.speed];
/** Whether nothing waits. */
export const isInstant = () => settings.speed === "instant";

export const SCALE: Readonly<Record<Size, number>> = { small: 0.8, usual: 1, large: 1.25, largest: 1.55 };
const ROOMY = "(min-width: 1500px) and (min-height: 940px)"; // there all text is larger: see styles.css
/** How many times as large as usual somebody reads text whose browser enlarges text alone. */
function reading(): number {
  const size = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return Math.min(2, Math.max(1, size / (matchMedia(ROOMY).matches ? 1.1875 : 1)));
}
/** How many times as large as usual cards of these sizes are. */
export function scale({ handSize, feltSize }: Pick<Settings, "handSize" | "feltSize">): {
  hand: number;
  felt: number;
  text: number;
} {
  const by = reading();
  const most = Math.min(innerWidth, innerHeight) / 240; // as in styles.css
  return { hand: SCALE[handSize] * by, felt: SCALE[feltSize] * by, text: Math.min(by, most) };
}
