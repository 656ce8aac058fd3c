// The texts of sitting down together. They are fetched with it, and so not in `strings.ts`.
import { text as shared } from "../strings";

const { count } = shared;

/** `Ada`, `Ada and Ben`, `Ada, Ben and 2 bots`. */
export const listed = (names: string[]) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

export const text = {
  friends: {
    title: "Which game?",
    about: "Choose, and you get a link for your family. Bots hold the empty seats.",
    setting: "Setting the table…",
    more: "House rules, another number of players, a turn clock",
  },

  title: "Your table is set",
  waits: (host: string) => `${host} starts the game.`,
  waitsSoon: "Somebody at the table starts the game.",
  start: "Start",
  startNow: (bots: number) => (bots ? `with ${count(bots, "bot")}` : "everybody is here"),
  sides: "Two sides, partners face each other",
  alone: "Everybody plays alone",
  and: " & ",
  partner: "your partner",
  host: "host",
  bot: (level: string) => `bot, ${level.toLowerCase()}`,
  free: "free",
  away: "away",
  change: (seat: string, who: string) => `${seat}: ${who}`,
  marks: ["first side", "second side"],
  watching: (names: string[]) => (names.length === 1 ? `${names[0]} watches.` : `${listed(names)} watch.`),

  invite: {
    title: "Invite your family",
    about: "They point a phone's camera at this, or open the link.",
    qr: "QR code of the link to this table",
    share: "Share…",
    copy: "Copy link",
    link: "Invite by link",
    alone:
      "Only this computer can open this address: it is in no network, or the server listens on this machine alone.",
    shareTitle: (game: string) => `${game}: sit down with me`,
  },

  sit: {
    title: "Sit here?",
    set: (host: string, game: string) => `${host} has set a table: ${game}.`,
    plays: (host: string, game: string) => `${host} plays ${game}.`,
    with: (names: string[]) => (names.length === 1 ? `${names[0]} is here.` : `${listed(names)} are here.`),
    place: (bot: string) => `${bot}'s seat is free: a bot holds it.`,
    dealt: (bot: string) => `The cards are dealt: ask for the place of ${bot}, whose hand a bot plays.`,
    yes: "Sit here",
    ask: "Ask to sit",
    no: "Only watch",
    full: "This table is full",
    fullHint: "Every seat is taken. You are welcome to watch: you see the table, and nobody's hand.",
    shut: "You are watching",
    shutHint: "Nobody new may sit here now. You see the table, and nobody's hand.",
    watch: "Watch",
    watched: "You are watching.",
    name: "Your name",
  },

  rules: {
    title: "House rules",
    none: "The usual rules.",
    house: (n: number) => (n === 1 ? "One rule of the house." : `${n} rules of the house.`),
    with: (game: string, n: number) => `${game}, with ${count(n, "house rule")}`,
    page: "All rules of this table",
    change: "Set another table with other rules",
    clock: (seconds: number) => `${count(seconds, "second")} a turn`,
  },
};
