// All texts of the page, by screen, in whole sentences, so that they can be translated. Folders that are
// loaded later have their own `strings.ts`. Reasons, refusals and the rules page come from the server.
import type { SuitLetter } from "./lib/types";

const verbs: Record<string, string> = { have: "has", pass: "passes", carry: "carries", bury: "buries" };

/** `You bid` or `Ada bids`. */
const does = (who: string, you: boolean, verb: string, rest = "") =>
  `${who} ${you ? verb : (verbs[verb] ?? verb + "s")}${rest && " "}${rest}`;
/** The same in the middle of a sentence: `Bo draws`, `you draw`. */
const within = (who: string, you: boolean, verb: string, rest = "") =>
  does(you ? text.youMid : who, you, verb, rest);
const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
const first = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export const text = {
  title: "Aces Around",
  tagline: "Pinochle for every table",
  unreachable: "The server cannot be reached.",
  failed: (status: number) => `The server failed (error ${status}). Try again.`,

  ranks: { A: "ace", T: "ten", K: "king", Q: "queen", J: "jack", "9": "nine" } as Record<string, string>,
  suits: { S: "spades", H: "hearts", D: "diamonds", C: "clubs" } as Record<SuitLetter, string>,
  card: (rank: string, suit: string) => `${rank} of ${suit}`,
  bots: ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo"],
  you: "You",
  youMid: "you",
  and: " & ",
  bot: "bot",
  count,
  number: (n: number) => (n < 0 ? `−${-n}` : String(n)),
  does,
  first,

  levels: ["easy", "medium", "hard", "expert"], // bots that people choose from
  experimenters: "For experimenters",
  avatar: {
    change: "Choose your picture",
    title: "Your picture at the table",
    names: {
      bell: "Bell",
      boat: "Boat",
      cat: "Cat",
      cup: "Cup",
      fish: "Fish",
      flower: "Flower",
      house: "House",
      key: "Key",
      kite: "Kite",
      lighthouse: "Lighthouse",
      moon: "Moon",
      mushroom: "Mushroom",
      owl: "Owl",
      sun: "Sun",
      teapot: "Teapot",
      tree: "Fir tree",
    },
  },
  devices: "My devices",
  guest: "Guest", // the name that the server gives to people without one
  home: {
    pinochle:
      "Pinochle is a card game for two to nine players. Bid how many points you will make. Some come from sets of cards (melds), the rest from tricks.",
    how: "How to play",
    which: "Find your game",
    news: "What is new",
    won: "you won",
    lost: "you lost",
    wonBy: (who: string) => `won by ${who}`,
    scored: (who: string, points: number) => `${who} ${text.number(points)}`,
    against: (points: number, best: number) =>
      `You ${text.number(points)} · best of the others ${text.number(best)}`,
    best: (points: number) => `best ${text.number(points)}`,
    yourTurn: "your turn",
    turnOf: (who: string) => `${who}'s turn`,
    putAway: "Archive",
    putBack: "Restore",
    away: (n: number) => `Archived (${n})`,
    delete: "Delete",
    deleteYes: "Delete for good",
    deleteText: "This removes it from your list for good. It stays in the other players' lists.",
    play: "Play now",
    playing: "Dealing…",
    playHint: (bots: number) => `against ${count(bots, "bot")}, no account`,
    games: "Games",
    mine: "Your tables",
    results: "Results and friends",
    finished: "Finished games",
    allTables: (n: number) => `All ${n} tables`,
    allGames: (n: number) => `All ${n} games`,
    lobby: "Public tables",
    noLobby: "There are no public tables right now.",
    unknown: "They appear when the server answers.",
    moreTables: "More tables",
    invite: "Play with friends",
    rulesOf: "House rules",
    own: "Make your own game",
    name: "Your name",
    nameHint: "shown to others at the table",
    save: "Save",
    retry: "Try again",
    players: (numbers: number[]) => {
      const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
      return low === high ? count(low, "player") : `${low}–${high} players`;
    },
    changed: "with house rules",
    running: "being played",
    open: "not started",
    free: (n: number) => (n ? count(n, "free seat") : "full"),
    with: (names: string[], bots: number) => {
      const all = bots ? [...names, count(bots, "bot")] : names;
      return all.length ? `with ${listed(all)}` : "";
    },
    ago: (ms: number) => {
      const minutes = Math.round(ms / 60_000);
      const days = Math.floor(minutes / 1440);
      return minutes < 2
        ? "just now"
        : minutes < 60
          ? `${minutes} min ago`
          : days < 1
            ? `${count(Math.round(minutes / 60), "hour")} ago`
            : days < 2
              ? "yesterday"
              : `${days} days ago`;
    },
    go: "Open",
    goOn: "Continue",
    join: "Join",
    watch: "Watch",
    review: "Review",
  },

  replay: { review: "Review the game", look: "Look at this deal" },
  share: {
    share: "Share",
    copied: "Copied",
    byHand: "Copy this address and send it:",
  },
  records: {
    title: "Download",
  },

  form: {
    back: "Back",
    clock: "Turn clock",
    seconds: (n: number) => (n < 60 ? `${n} seconds a turn` : `${count(n / 60, "minute")} a turn`),
    rules: "The rules of this table",
  },

  table: {
    connecting: "Finding your table…",
    lost: "Connection lost. Trying again…",
    silent: "The table does not answer. Waiting…",
    gone: "There is no such table.",
    goneHint: "Check the link: it may be incomplete, or the table was closed.",
    home: "All tables",
    menu: "Menu",
    sheet: "Score",
    seat: (n: number) => `Seat ${n + 1}`,
    stand: "Leave seat",
    watching: "You are watching.",
    away: "away",
    noAnswer: "no answer",
    dealer: "dealer",
    dealerMark: "D",
    turn: "to act",
    passed: "passed",
    bid: (points: number) => `bid ${points}`,
    partnerOf: (who: string) => `partner: ${who}`,
    tricks: (n: number) => count(n, "trick"),
    meld: (points: number) => `meld ${points}`,
    /** Suits that meld as much stand together. */
    worth: (best: [SuitLetter[], number][]): string =>
      `meld: ${best.map(([suits, points]) => `${suits[3] ? "any suit" : suits.map((suit) => text.suits[suit]).join(" or ")} ${points}`).join(", ")}`,
    points: (n: number) => count(n, "point"),
    noTrump: "no trump yet",
    trump: (suit: string) => `${suit} are trump`,
    bids: (who: string, bid: number) => `${who} · ${bid}`,
    toGo: (points: number) => (points ? `${points} to go` : "bid made"),
    soFar: (meld: number, play: number) => `meld ${meld} + play ${play}`,
    stock: (n: number) => `stock ${n}`,
    hand: "Your hand",
    felt: "The table",
    notLegal: "not playable now",
    chosen: "chosen",
    chosenOf: (some: number) => `${some} chosen`,
    laid: "melded",
    turned: "turned up",
    laidOf: (some: number) => `${some} melded`,
    copies: (n: number) => `×${n}`,
    copiesOf: (some: number, n: number) => `${some}/${n}`,
    equal: (card: string, n: number) => `${card}, ${n} of them`,
    trumpMark: "trump",
    dealing: "Dealing…",
    pausedNow: "The table is paused.",
    resume: "Resume",
    pause: "Pause",
    undo: "Take back",
    claim: "Claim the rest",
    claiming: (who: string, you: boolean) => `${does(who, you, "win")} the remaining tricks.`,
    rematch: "Play again",
    asks: {
      undo: (who: string) => `${who} would like to take their last move back.`,
      claim: (who: string) => `${who} can win all remaining tricks and claims them.`,
      hints: (who: string) => `${who} would like hints to be allowed at this table, for everybody.`,
      swap: (who: string) => `${who} would like to change places with you.`,
    } as Record<string, (who: string) => string>,
    askTitle: {
      undo: "Take back?",
      claim: "Claim the rest?",
      hints: "Allow hints?",
      swap: "Change places?",
    } as Record<string, string>,
    declined: (who: string) => `${who || "A player"} declined.`,
    unanswered: (who: string) => `${who} did not answer.`,
    waitingFor: (who: string) => `Waiting for ${who} to agree…`,
    stands: "The turn clock is paused.",
    reads: (who: string) => `Waiting for ${who} to read the result…`,
    answer: "Answer",
    withdraw: "Withdraw",
    agree: "Agree",
    decline: "Decline",
    hintsAllow: "Allow hints",
    hintsForbid: "Forbid hints",
    covered: "A bot plays for you.",
    failed: "This bot failed: the server plays for it",
    back: "Take over",
    cover: "Let a bot play",
    keep: "Cancel",
    hint: "Hint",
    hinting: "Thinking about it…",
    lastTrick: "Last trick",
    melds: "Melds",
    talk: "Say something",
    seats: "Seats and invitation",
    rules: "Rules",
    close: "Close",
    goOn: "Continue",
  },

  guidance: {
    shown: "Melds count first. Win the rest in tricks.",
    all: "Words of the game",
    step: "this step",
    inTrump: (suit: string, points: number) => `With ${suit} as trump: ${points}`,
    contract: "the contract",
    place: (who: string, you: boolean) => (you ? "your place" : `${who}'s place`),
    melds: (who: string, you: boolean) => (you ? "your melds" : `${who}'s melds`),
    explain: (what: string) => `Explain ${what}`,
  },
  lay: {
    title: "Lay a meld",
    more: (n: number) => `${n} more`,
  },

  joining: {
    gone: (who: string) => `${who} is away.`,
    waiting: "You asked for a seat. Wait for the host to answer.",
    asks: (who: string, seat: string) => `${who} would like ${seat.toLowerCase()}.`,
    letIn: "Let in",
  },

  ask: {
    bid: "Your bid",
    bidNow: (points: number) => `Bid ${points}`,
    playNow: (card: string) => `Play ${card}`,
    more: "Higher",
    less: "Lower",
    pass: "Pass",
    mustBid: "Everybody passed: you must bid.",
    first: "You are first: you must bid.",
    trump: "Name trump",
    held: (n: number) => `${n} held`,
    bury: (sizes: number[]) => `Bury ${range(sizes)}`,
    give: (sizes: number[], to: string) => `Pass ${range(sizes)} to ${to}`,
    discard: (sizes: number[]) => `Exchange ${range(sizes)}`,
    buryNow: (n: number) => `Bury ${n}`,
    giveNow: (n: number) => `Pass ${n}`,
    tradeNine: "Trade your nine for the upcard?",
    mustTradeNine: "You must trade your nine for the upcard.",
    noNine: "You have no nine to trade for the upcard.",
    take: "Take",
    leave: "Leave it",
    discardNow: (n: number) => (n ? `Exchange ${n}` : "Keep all"),
    chosenOf: (n: number, sizes: number[]) => `${n} of ${sizes.at(-1)} chosen`,
    clear: "Clear",
    draw: "Draw",
    again: "Tap again to play",
    renege: "That card is not legal: playing it would be a renege. Tap again to play it anyway.",
    lay: "Lay",
    concede: "Give up",
    keepPlaying: "Keep playing",
  },

  tried: {
    bids: (points: number) => `bid ${points}`,
    pass: "pass",
    concede: "give up",
    none: "keep all cards",
  },
  auction: {
    title: "Auction",
    pass: "pass",
    none: "–",
    more: "…",
    says: (bid: string, what: string) => `${bid}: ${what}`,
  },
  meldPanel: {
    title: "Meld",
    none: "no meld",
    hidden: "not shown",
    /** `left`: what the bid still needs in play, null if that is not known. */
    contract: (who: string, bid: number, left: number | null) =>
      left === null
        ? `${who} bid ${bid}.`
        : left
          ? `${who} bid ${bid}: ${left} more in play will make it.`
          : `${who} bid ${bid}: the bid is made.`,
    low: (least: number) => `A side's meld below ${least} does not count.`,
  },
  sheet: {
    title: "Score",
    over: "Game over",
    won: (who: string, you: boolean, many: boolean) =>
      you && !many ? "You win the game!" : `${who} ${many ? "win" : "wins"} the game${you ? "!" : "."}`,
  },

  talk: {
    hello: "Hello!",
    "good-luck": "Good luck!",
    "well-played": "Well played!",
    "thank-you": "Thank you!",
    oops: "Oops.",
    "one-moment": "One moment, please.",
    "good-game": "Good game!",
  } as Record<string, string>,

  talking: {
    picture: {
      "👍": "Thumbs up",
      "👏": "Applause",
      "🙂": "A smile",
      "😀": "A big smile",
      "😂": "Tears of laughter",
      "🎉": "A party",
      "😮": "Surprise",
      "😢": "Sadness",
      "🤔": "Thinking",
      "🙈": "Hands over the eyes",
      "🙏": "Folded hands",
      "❤": "A heart",
      "☕": "A cup of coffee",
      "🍀": "A four-leaved clover",
    } as Record<string, string>,
  },

  settings: "Settings",
  keys: "Keyboard",

  says: {
    deals: (who: string, you: boolean) => `${does(who, you, "deal")}.`,
    upcard: (card: string, suit: string) => `The ${card} is turned up: ${suit} are trump.`,
    bids: (who: string, you: boolean, points: number) => `${does(who, you, "bid", String(points))}.`,
    passes: (who: string, you: boolean) => `${does(who, you, "pass")}.`,
    declared: (who: string, you: boolean, points: number) =>
      `${does(who, you, "win", `the auction at ${points}`)}.`,
    declaredForced: (who: string, you: boolean, points: number) =>
      `Everybody passed: ${within(who, you, "get", `the bid at ${points}`)}.`,
    thrownIn: "Everybody passed: nobody scores.",
    kitty: (who: string, you: boolean, cards: string) =>
      `The kitty is ${cards}: ${within(who, you, "take")} it.`,
    buries: (who: string, you: boolean, n: number) => `${does(who, you, "bury", count(n, "card"))}.`,
    trump: (who: string, you: boolean, suit: string) => `${does(who, you, "make", suit)} trump.`,
    noMarriage: (who: string, you: boolean) =>
      `${does(who, you, "hold")} no marriage, so no trump can be named.`,
    gives: (who: string, you: boolean, what: string, to: string) =>
      `${does(who, you, "pass", what)} to ${to}.`,
    decides: (who: string, you: boolean) => `${does(who, you, "have", "decided")}.`,
    discards: (who: string, you: boolean, n: number) => `${does(who, you, "exchange", count(n, "card"))}.`,
    draws: (cards: string) => `You draw ${cards}.`,
    drawsUpcard: (who: string, you: boolean, card: string) =>
      `${does(who, you, "draw", `the ${card}`)}. The stock is empty: from now on everybody must follow suit.`,
    melds: (who: string, you: boolean, points: number) => `${does(who, you, "meld", String(points))}.`,
    turnsNine: (who: string, you: boolean, card: string, points: number) =>
      `${does(who, you, "score", `${points} because the ${card} was turned up`)}.`,
    lays: (who: string, you: boolean, name: string, points: number) =>
      `${does(who, you, "lay", `${name} for ${points}`)}.`,
    exchanges: (who: string, you: boolean, taken: string, left: string) =>
      `${does(who, you, "take", `the ${taken} for the ${left}`)}.`,
    plays: (who: string, you: boolean, card: string) => `${does(who, you, "play", card)}.`,
    wins: (who: string, you: boolean, points: number | string) =>
      `${does(who, you, "win", `the trick (${points})`)}.`,
    concedes: (who: string, you: boolean) => `${does(who, you, "give")} up.`,
    takesBackCard: (who: string, you: boolean, card: string) => `${does(who, you, "take", "back")} ${card}.`,
    takesBackBid: (who: string, you: boolean, points: number) =>
      `${does(who, you, "take", "back")} the bid of ${points}.`,
    takesBackPass: (who: string, you: boolean) => `${does(who, you, "take", "back")} the pass.`,
    takesBack: (who: string, you: boolean) => `${does(who, you, "take", "back")} the last move.`,
    reneges: (who: string, you: boolean, rule: string) => `${does(who, you, "renege")}. ${rule}`,
    yourTurn: "Your turn.",
  },
};

/** `Ada`, `Ada and Ben`, `Ada, Ben and 2 bots`. */
export function listed(names: string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function range(sizes: number[]): string {
  const [low, high] = [sizes[0] ?? 0, sizes.at(-1) ?? 0];
  return low === high ? count(low, "card") : `${low} to ${count(high, "card")}`;
}
