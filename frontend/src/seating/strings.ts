// The texts of the waiting room and the invitation. They are loaded with them.
import { listed, text as shared } from "../strings";

const { count } = shared;

export const text = {
  friends: {
    title: "Which game?",
    about: "Choose a game, then send the link to your family. Bots play in empty seats.",
    setting: "Setting up the table…",
    more: "House rules, another number of players, a turn clock",
  },

  title: "Your table is ready",
  waits: (host: string) => `${host} starts the game.`,
  waitsSoon: "Wait until a player starts the game.",
  start: "Start",
  startNow: (bots: number) => (bots ? `with ${count(bots, "bot")}` : "everybody is here"),
  sides: "Two sides. Partners sit opposite each other.",
  alone: "Everybody plays alone",
  and: " & ",
  partner: "your partner",
  host: "host",
  bot: (level: string) => `bot, ${level.toLowerCase()}`,
  free: "free",
  unseated: (names: string[]) =>
    names.length === 1
      ? `${names[0]} was away for too long: the seat is free again.`
      : `${listed(names)} were away for too long: their seats are free again.`,
  away: "away",
  change: (seat: string, who: string) => `${seat}: ${who}`,
  marks: ["first side", "second side"],
  watching: (names: string[]) => (names.length === 1 ? `${names[0]} watches.` : `${listed(names)} watch.`),

  invite: {
    title: "Invite your family",
    full: "Every seat is taken.",
    about: "They scan this with a phone's camera, or open the link.",
    qr: "QR code of the link to this table",
    share: "Share…",
    copy: "Copy link",
    link: "Invite by link",
    alone:
      "Only this computer can open this address, because it has no network or the server accepts only local connections.",
    shareTitle: (game: string) => `${game}: sit down with me`,
  },

  sit: {
    title: "Sit here?",
    set: (host: string, game: string) =>
      host === shared.guest ? `You are invited to play ${game}.` : `${host} invites you to play ${game}.`,
    plays: (host: string, game: string) =>
      host === shared.guest ? `${game} is being played here.` : `${host} plays ${game}.`,
    with: (names: string[]) => (names.length === 1 ? `${names[0]} is here.` : `${listed(names)} are here.`),
    place: (bot: string) => `You take the seat of ${bot}, a bot.`,
    dealt: (bot: string) =>
      `The cards are dealt. Ask the host whether you may take over from the bot ${bot}.`,
    yes: "Sit here",
    ask: "Ask to sit",
    no: "Only watch",
    full: "This table is full",
    fullHint: "Every seat is taken. You can watch: you see the table, but no hands.",
    shut: "Closed to new players",
    shutHint: "You can watch: you see the table, but no hands.",
    watch: "Watch",
    watched: "You are watching.",
    name: "Your name",
  },

  joining: {
    title: "Who may join",
    who: "New players",
    kinds: { open: "may sit down by link", ask: "must ask the host", locked: "cannot sit down" },
    out: (who: string) => `${who} was removed.`,
    forgive: "Let back in",
    links: { watch: "Link to watch", replay: "Link to the replay" },
    replace: { play: "Replace invitation", watch: "Replace link to watch", replay: "Replace link to replay" },
    replaceText: "The old link stops working. All players keep their seats.",
    replaceYes: "Replace it",
  },

  seats: {
    sit: "Sit here",
    nothing: "There is nothing you can do with this seat.",
    remove: "Remove",
    covers: (bot: string) => `${bot} plays for now`,
    swap: "Swap",
    move: "Move here",
    removeTitle: (who: string) => `Remove ${who}?`,
    removeText: (who: string) =>
      `A bot takes the seat. ${who} cannot sit down again until you allow it, and new players must ask you first.`,
    removeYes: "Remove",
    botOf: (seat: string) => `Bot for ${seat}`,
    give: "Make host",
    knock: "Ask to sit",
  },

  rules: {
    title: "House rules",
    none: "The usual rules.",
    house: (n: number) => `${count(n, "house rule")}.`,
    with: (game: string, n: number) => `${game}, with ${count(n, "house rule")}`,
    page: "All rules of this table",
    change: "Set up a table with other rules",
    clock: (seconds: number) => `${count(seconds, "second")} a turn`,
  },
};
