// Written by write_types.py (`make schema`): change the Python types instead.
import type { JsonSchema } from "../form/fieldKind";

export type Message = State | RefusalMessage | HintGiven | Pong;

/**
 * The table after entry `seq`: complete, so that a client may start with any message.
 *
 * `events`: what that entry caused. `missed`: this is one of the messages that a browser missed
 * while it was disconnected, and another follows at once.
 */
export type State = {
  type: "state";
  seq: number;
  table: TableInfo;
  view: GameView | null;
  decision: LegalChoices | null;
  guidance: Guidance | null;
  events: GameEvent[];
  sheet: SheetRow[];
  missed: boolean;
};

/**
 * The table around the game.
 *
 * `you`: this person's seat, None for a spectator. `id`: the link by which this person came.
 * `host`: whether this person is the host; not if they only act for the host. `links`: None for a
 * person who may only watch. `removed`: filled for the host only. `spectators`: their names, for
 * seated people only. `seat_lost_by`: the names of persons who lost their seats because they were
 * away, before the first game.
 *
 * `changed_rule_count`: the number of rules that differ from the game it is based on.
 * `renege_penalty`: whether an illegal play is accepted and punished. `sides`: the seats that
 * score together, one tuple a side. `partners`: whether a side has several seats. `kitty`: the
 * size of the kitty in this variant. `packet`: how many cards each seat is dealt at a time.
 * `copies`: of each card in the deck; `nines`: whether it has nines.
 *
 * `clock`: seconds a turn, None without a clock. `turn_seconds_left`: when the message was made;
 * the clock stops while the table is paused or a proposal other than hints is open. `undone`,
 * `denied_proposal`: the action undone or the proposal denied since the last action.
 * `readers`: None if no seat is awaited. `hints_allowed`: whether hints are allowed
 * although several persons play. `claiming_seat`: the seat whose claim is being played out.
 * `lesson`: None at a table where no lesson is taken. `natural`: whether the bots play without
 * conventions; `conventions`: whether they could have any. `free_chat`: whether free text is
 * allowed in the chat. `bots`: the names a host can choose from.
 */
export type TableInfo = {
  id: string;
  variant: string;
  title: string;
  changed_rule_count: number;
  renege_penalty: boolean;
  players: number;
  sides: number[][];
  partners: boolean;
  kitty: number;
  packet: number;
  copies: number;
  nines: boolean;
  public: boolean;
  clock: number | null;
  turn_seconds_left: number | null;
  you: number | null;
  host: boolean;
  seats: SeatInfo[];
  bots: string[];
  started: boolean;
  over: boolean;
  paused: boolean;
  games: number;
  hints_allowed: boolean;
  claiming_seat: number | null;
  proposal: ProposalInfo | null;
  undone: UndoneActionInfo | null;
  denied_proposal: DeniedProposalInfo | null;
  readers: AwaitedReaders | null;
  allowed: AllowedCommands;
  rematch: number[];
  chat: ChatLineInfo[];
  free_chat: boolean;
  natural: boolean;
  conventions: boolean;
  joining: JoiningKind;
  seat_requests: SeatRequestInfo[];
  removed: RemovedPersonInfo[];
  seat_lost_by: string[];
  spectators: string[];
  links: LinkPaths | null;
  lesson: LessonInfo | null;
};

/**
 * A seat as others see it.
 *
 * `bot`: the bot that plays if no person holds the seat, or while it substitutes for its person
 * (`substituted`). `present`: whether the person is connected. `failed`: the bot failed, and the
 * safest action was done for it. `host`: whether its person is the host or acts for the host.
 * `avatar`: the person's avatar, "" for none. `silent`: its person is on turn and connected, but
 * the connection does not answer.
 */
export type SeatInfo = {
  name: string;
  person: boolean;
  bot: string;
  present: boolean;
  substituted: boolean;
  failed: boolean;
  host: boolean;
  avatar: string;
  silent: boolean;
};

/**
 * A seat's proposal. `waiting`: the seats that have still to answer.
 *
 * `seconds_left`: the time left for answers.
 */
export type ProposalInfo = {
  kind: ProposalKind;
  seat: number;
  waiting: number[];
  seconds_left: number | null;
};

export type ProposalKind = "claim" | "hints" | "swap" | "undo";

/** An action of a seat that entry `seq` undid, and the event by which it was seen. */
export type UndoneActionInfo = {
  seat: number;
  event: GameEvent;
  seq: number;
};

export type GameEvent =
  | Dealt
  | BidMade
  | Passed
  | Declared
  | ThrownIn
  | KittyShown
  | Buried
  | TrumpNamed
  | NoMarriage
  | Given
  | DiscardChosen
  | Discarded
  | Drew
  | UpcardDrawn
  | Melded
  | NineTurned
  | MeldLaid
  | UpcardExchanged
  | Played
  | TrickWon
  | Conceded
  | Reneged
  | DealScored
  | GameWon;

/** Hands were dealt. `hands` and `sizes` are indexed by seat. */
export type Dealt = {
  type: "Dealt";
  deal: number;
  dealer: number;
  players: number[];
  hands: (Card[] | null)[];
  sizes: number[];
  kitty: number;
  stock: number;
  upcard: Card | null;
};

/** Rank, then suit: TH. */
export type Card = string;

/** A bid was made. */
export type BidMade = {
  type: "BidMade";
  seat: number;
  points: number;
};

/** A seat passed, or did not take the upcard. */
export type Passed = {
  type: "Passed";
  seat: number;
};

/** The auction is over. `forced`: everybody passed, so the dealer is declarer. */
export type Declared = {
  type: "Declared";
  seat: number;
  points: number;
  forced: boolean;
};

/** Everybody passed and the cards are thrown in. */
export type ThrownIn = {
  type: "ThrownIn";
};

/** The kitty is shown to all and taken by the declarer. */
export type KittyShown = {
  type: "KittyShown";
  seat: number;
  cards: Card[];
};

/** The declarer buried cards. */
export type Buried = {
  type: "Buried";
  seat: number;
  number: number;
  cards: Card[] | null;
};

/** Trump was named. */
export type TrumpNamed = {
  type: "TrumpNamed";
  seat: number;
  suit: Suit;
};

export type Suit = "S" | "H" | "D" | "C";

/** The declarer holds no marriage to name trump from. */
export type NoMarriage = {
  type: "NoMarriage";
  seat: number;
};

/** Cards were passed to a partner. */
export type Given = {
  type: "Given";
  seat: number;
  number: number;
  cards: Card[] | null;
  to: number;
};

/**
 * A seat has decided what to discard.
 *
 * Other seats see only that, not even the number, until all have decided.
 */
export type DiscardChosen = {
  type: "Decided";
  seat: number;
  cards: Card[] | null;
};

/** Cards were discarded for new ones. */
export type Discarded = {
  type: "Discarded";
  seat: number;
  number: number;
  cards: Card[] | null;
};

/** Cards were drawn from the stock. */
export type Drew = {
  type: "Drew";
  seat: number;
  number: number;
  cards: Card[] | null;
};

/** The upcard was drawn: the last card of the stock, seen by all. */
export type UpcardDrawn = {
  type: "UpcardDrawn";
  seat: number;
  card: Card;
};

/**
 * A seat's automatic meld. `shown`: the part that the table sees. `open`: whether that is all.
 *
 * A meld that is not open scores nothing. It stays so even if `shown` is complete, because the
 * others must not learn that.
 */
export type Melded = {
  type: "Melded";
  seat: number;
  melds: Meld[] | null;
  points: number | null;
  shown: Meld[];
  open: boolean;
};

/** One meld item: its name as in records, its cards, its points, its kind. */
export type Meld = {
  name: string;
  cards: Card[];
  points: number;
  kind: MeldKind;
};

/**
 * The kind of a meld item, named after a single one.
 *
 * Several of a kind together have that kind too (a double run is a run). So has a run with a
 * further king or queen. A house meld is `other`, even under a known name.
 */
export type MeldKind =
  | "run"
  | "royal marriage"
  | "marriage"
  | "dix"
  | "pinochle"
  | "aces around"
  | "kings around"
  | "queens around"
  | "jacks around"
  | "double roundhouse"
  | "other";

/** A nine was turned up with the stock. `meld`: the dix that it scores for the dealer. */
export type NineTurned = {
  type: "NineTurned";
  seat: number;
  meld: Meld;
};

/** A meld was laid between tricks, with the points it scored. */
export type MeldLaid = {
  type: "MeldLaid";
  seat: number;
  meld: Meld;
};

/**
 * A nine of trump was exchanged for the upcard, which went to the hand.
 *
 * Without a stock the upcard was the dealer's; the nine goes to the dealer.
 */
export type UpcardExchanged = {
  type: "UpcardExchanged";
  seat: number;
  taken: Card;
  left: Card;
};

/** A card was played to the trick. */
export type Played = {
  type: "Played";
  seat: number;
  card: Card;
};

/**
 * A trick is complete.
 *
 * `points`: its card points. `bonus`: what it scores besides, because it is the last trick.
 */
export type TrickWon = {
  type: "TrickWon";
  leader: number;
  seat: number;
  cards: Card[];
  points: number;
  bonus: number;
};

/** The declarer gave up. */
export type Conceded = {
  type: "Conceded";
  seat: number;
};

/** An illegal play or discard, which ends the deal. `rule`: the message of the broken rule. */
export type Reneged = {
  type: "Reneged";
  seat: number;
  rule: string;
};

/** The deal is over. The cards in `buried` become public now. */
export type DealScored = {
  type: "DealScored";
  score: DealScore;
  totals: number[];
  buried: Card[];
};

/** The result of a deal. Lists have one item per side; `change` was added to the totals. */
export type DealScore = {
  outcome: Outcome;
  bid: number | null;
  declarer: number | null;
  trump: Suit | null;
  meld: number[];
  play: number[];
  change: number[];
};

/** How a deal ended. */
export type Outcome = "made" | "set" | "conceded" | "thrown-in" | "no-marriage" | "reneged" | "counted";

/** The game is over. `side`: the winning side. */
export type GameWon = {
  type: "GameWon";
  side: number;
};

/**
 * A seat's proposal that was denied, by entry `seq`.
 *
 * `denied_by`: the seats that said no, or, if it expired (`expired`), the seats that did not
 * answer.
 */
export type DeniedProposalInfo = {
  kind: ProposalKind;
  seat: number;
  denied_by: number[];
  expired: boolean;
  seq: number;
};

/**
 * The next deal waits while seats read the result of deal number `deal`.
 *
 * `waiting`: the seats that have still to continue. `seconds_left`: the time until the next deal
 * starts anyway.
 */
export type AwaitedReaders = {
  deal: number;
  waiting: number[];
  seconds_left: number | null;
};

/**
 * The commands that this person may give now: a command that would be refused is not offered.
 *
 * `request_hint`: ask for a hint. `propose_hints`: ask the others to allow hints. `sit`: the seats
 * that may be taken. `request_seat`: the seats that may be asked for. `swap`: the seats whose
 * person may be asked to swap. `substitute_bot`, `remove`, `give_host`: the seats whose person may
 * be replaced by a bot, removed, or made the host. `admit`: the requests for a seat that may be
 * granted.
 */
export type AllowedCommands = {
  start: boolean;
  undo: boolean;
  claim: boolean;
  rematch: boolean;
  pause: boolean;
  resume: boolean;
  request_hint: boolean;
  propose_hints: boolean;
  take_over: boolean;
  sit: number[];
  request_seat: number[];
  swap: number[];
  substitute_bot: number[];
  remove: number[];
  give_host: number[];
  admit: number[];
};

/**
 * A chat line: a phrase, a picture, or else a free `text`.
 *
 * `seq`: the entry that said it, by which a client recognizes a new line.
 */
export type ChatLineInfo = {
  seat: number;
  phrase: string;
  seq: number;
  text: string;
};

export type JoiningKind = "ask" | "locked" | "open";

/** A person asking for a seat. `request`: the number to use in an answer. */
export type SeatRequestInfo = {
  request: number;
  name: string;
  seat: number;
  you: boolean;
};

/** A removed person. `removal`: the number to use to let the person sit again. */
export type RemovedPersonInfo = {
  removal: number;
  name: string;
};

/** The paths of the links to play, to watch and to replay. */
export type LinkPaths = {
  play: string;
  watch: string | null;
  replay: string | null;
};

/**
 * The lesson that is taken at a table: what is said now, and what it waits for.
 *
 * `step`: the number of the step, from 1 to `steps`. `waits`: the other seats act (`watch`), the
 * person has to read and go on, or to move, or the lesson is over (`end`).
 */
export type LessonInfo = {
  name: string;
  title: string;
  step: number;
  steps: number;
  sentence: string;
  waits: "end" | "go-on" | "move" | "watch";
};

/**
 * The game as one seat sees it: what a page shows of a `View`, and more.
 *
 * `deal_limit`: the number of deals after which the game ends, None if it ends at `target`.
 * `bid_progress`: None before there is a declarer, and while some of that side's meld is
 * hidden. `least_meld`: meld below it counts nothing; `least_play`: with less in play nothing
 * does. `melded`: the cards that each seat lays for its melds, where everybody melds at once,
 * until the first trick is over. `call_meanings`: what each call of `auction` says, until the
 * first trick is over. `signals`: those of the present and of the last trick.
 */
export type GameView = {
  seat: number | null;
  players: number[];
  dealer: number;
  deals: number;
  scores: number[];
  target: number;
  winner: number | null;
  turn: number | null;
  kind: DecisionKind | null;
  hand: Card[];
  sizes: number[];
  auction: Call[];
  declarer: number | null;
  bid: number | null;
  trump: Suit | null;
  kitty: Card[];
  buried: Card[] | null;
  chosen: Card[] | null;
  passed: HiddenTransfer[];
  melds: ShownMelds[];
  table: Card[][];
  leader: number | null;
  trick: Card[];
  tricks: Trick[];
  won: number[];
  broken: boolean;
  upcard: Card | null;
  stock: number;
  claims: Claimed[];
  deal_limit: number | null;
  bid_progress: BidProgress | null;
  least_meld: number;
  least_play: number;
  melded: Card[][];
  call_meanings: (CallMeaning | null)[];
  signals: SignalInfo[];
};

/** The subject of a decision. */
export type DecisionKind = "deal" | "bid" | "bury" | "trump" | "give" | "discard" | "upcard" | "play";

/** One turn of the auction: a bid, or None for a pass. Leaving the upcard is a pass too. */
export type Call = {
  seat: number;
  bid: number | null;
};

/** Cards that left a hand face down; `to` is None for a discard. Hidden cards are None. */
export type HiddenTransfer = {
  seat: number;
  to: number | null;
  number: number;
  cards: Card[] | null;
};

/**
 * A seat's melds as this view knows them; `points` is None where not all was shown.
 *
 * `after`: the number of complete tricks when they were laid.
 */
export type ShownMelds = {
  seat: number;
  melds: Meld[];
  points: number | null;
  after: number;
};

/**
 * A completed trick, its cards in the order played.
 *
 * `points`: its card points. `bonus`: what it scores besides, because it is the last trick.
 */
export type Trick = {
  leader: number;
  cards: Card[];
  winner: number;
  points: number;
  bonus: number;
};

/**
 * A claim at a table: the seat on lead says that its cards win all remaining tricks.
 *
 * `after`: the number of complete tricks. A claim is made only if it holds for every distribution
 * of the hidden cards, so the others need not agree.
 */
export type Claimed = {
  seat: number;
  after: number;
};

/**
 * How far the declarer's side has come to its bid, as far as this view shows.
 *
 * `meld`: the meld that counts if the play suffices. `play`: points in play, with buried ones.
 * `points_needed`: the fewest more points in play that make the bid.
 */
export type BidProgress = {
  meld: number;
  play: number;
  points_needed: number;
};

/**
 * The meaning of a bid or a pass, from public facts alone.
 *
 * `short`: a few words. `convention`: whether partners have agreed on it; else it is what the call
 * usually says.
 */
export type CallMeaning = {
  short: string;
  sentence: string;
  convention: boolean;
};

/**
 * A card of the present trick, or of the last one, that says something by convention.
 *
 * `trick`: the number of tricks before it.
 */
export type SignalInfo = {
  seat: number;
  trick: number;
  card: Card;
  short: string;
  sentence: string;
};

/**
 * The decision of this person; fields that the kind does not use are empty.
 *
 * `may_pass`: pass in the auction, lay no meld before drawing, or leave the dealer's upcard.
 * `bids`: the lowest bids. `higher_bids`: whether every higher bid on the same steps is legal too.
 * `sizes`: how many cards may be chosen to bury, give or discard. `to`: the seat that gets the
 * given cards. `nine`: the nine that may be exchanged for the upcard before the dealer.
 * `melds_by_trump`: the points this person's hand melds in each trump, best first, while bidding
 * or naming trump. `bid_meanings`: what each of `bids` would say, `pass_meaning`: what a pass
 * would. `concede_result`: what giving up leads to, as a sentence; "" if it is not allowed.
 */
export type LegalChoices = {
  kind: DecisionKind;
  pass: boolean;
  bids: number[];
  higher_bids: boolean;
  trumps: Suit[];
  sizes: number[];
  to: number | null;
  plays: Card[];
  nine: Card | null;
  melds: Meld[];
  melds_by_trump: MeldInTrump[];
  concede: boolean;
  concede_result: string;
  bid_meanings: (CallMeaning | null)[];
  pass_meaning: CallMeaning | null;
};

/** The points that a hand melds with a trump, and its melds. */
export type MeldInTrump = {
  suit: Suit;
  points: number;
  melds: Meld[];
};

/**
 * A sentence on what is to be done now, or who is awaited, and what it is for.
 *
 * `short`: one line; `long`: the same with its purpose. Both are parts of a sentence: a number is
 * a seat, for its name. `words`: the entries of the glossary that explain it.
 */
export type Guidance = {
  short: (string | number)[];
  long: (string | number)[];
  words: string[];
};

/**
 * A deal on the score sheet, with the sides' totals after it.
 *
 * `lost`: the part of a side's meld and play that does not count, and the reason. `buried`: the
 * declarer's buried cards, which everybody may see now; `buried_points`: their card points.
 */
export type SheetRow = {
  score: DealScore;
  totals: number[];
  lost: (Loss | null)[];
  buried: Card[];
  buried_points: number;
};

/** Why a side lost points, and the minimum that it missed; 0 if there is none. */
export type Loss = {
  why: LossReason;
  least: number;
};

/** Why a side loses some of its meld or play. */
export type LossReason = "meld" | "trick" | "counter" | "point" | "play" | "hand";

/** A command that was refused; the table is unchanged. */
export type RefusalMessage = {
  type: "refused";
  code: RefusalCode;
  sentence: string;
  seq: number;
};

export type RefusalCode =
  | "host"
  | "joining"
  | "malformed"
  | "paused"
  | "rate"
  | "rule"
  | "seat"
  | "stale"
  | "substituted"
  | "turn"
  | "unsaved";

/**
 * The choice of a good player in this person's place: an action as in a record, and why.
 *
 * `sentence`: both in one sentence that names others by where they sit. `tried`: the evaluated
 * actions, best first; empty if there was nothing to evaluate. `reason`: the reason alone, with a
 * seat's number in place of its name.
 */
export type HintGiven = {
  type: "hint";
  seq: number;
  action: Choice;
  sentence: string;
  tried: EvaluatedAction[];
  reason: (string | number)[];
};

/** An action as in a record: its name, and what it needs. */
export type Choice =
  | ["bid", number]
  | ["pass"]
  | ["trump", Suit]
  | ["bury", Card[]]
  | ["give", Card[]]
  | ["discard", Card[]]
  | ["meld", Card[]]
  | ["play", Card]
  | ["concede"];

/**
 * An action that was tried in many deals that agree with the view, and its results.
 *
 * `points`: the average change of the own total in this deal. `chance`: the average chance to win
 * the game. `made`: how often the bid of this deal is made, None if there is no bid.
 */
export type EvaluatedAction = {
  action: Choice;
  points: number;
  chance: number;
  made: number | null;
};

/** The answer to a ping. */
export type Pong = {
  type: "pong";
};

export type Command =
  | Sit
  | Stand
  | SetBot
  | Remove
  | Readmit
  | RequestSeat
  | AnswerSeatRequest
  | SetJoining
  | GiveHost
  | ReplaceLink
  | Start
  | Act
  | Pause
  | Resume
  | Undo
  | AnswerProposal
  | Continue
  | SendChat
  | AllowFreeChat
  | Claim
  | Swap
  | AllowHints
  | SubstituteBot
  | TakeOverFromBot
  | Rematch
  | RequestHint
  | ContinueLesson
  | RestartLesson
  | Ping;

/** Take a seat that no person holds. */
export type Sit = {
  type: "sit";
  seat: number;
};

/** Leave one's seat to a bot. */
export type Stand = {
  type: "stand";
};

/** Set the bot of a seat. Host only. */
export type SetBot = {
  type: "bot";
  seat: number;
  name: string;
};

/** Remove the person from a seat permanently. Host only. */
export type Remove = {
  type: "remove";
  seat: number;
};

/** Let a person sit again whom entry `removal` removed. Host only. */
export type Readmit = {
  type: "forgive";
  removal: number;
};

/** Ask the host for a seat that one may not take directly. */
export type RequestSeat = {
  type: "knock";
  seat: number;
};

/** Admit or turn away the person who asked for a seat by entry `request`. Host only. */
export type AnswerSeatRequest = {
  type: "admit";
  knock: number;
  yes: boolean;
};

/** Set whether newcomers may sit. Host only. */
export type SetJoining = {
  type: "joining";
  joining: JoiningKind;
};

/** Make the person in a seat the host. Host only. */
export type GiveHost = {
  type: "host";
  seat: number;
};

/** Replace a link of the table by a new one; the old one stops working. Host only. */
export type ReplaceLink = {
  type: "renew";
  link: LinkKind;
};

export type LinkKind = "play" | "replay" | "watch";

/** Begin the game. Host only. */
export type Start = {
  type: "start";
};

/** Act in the game. `seq`: the entry after which the client chose the action. */
export type Act = {
  type: "act";
  seq: number;
  action: Choice;
};

/** Pause the game. */
export type Pause = {
  type: "pause";
};

/** Resume the game. */
export type Resume = {
  type: "resume";
};

/** Propose to undo one's last action. */
export type Undo = {
  type: "undo";
};

/** Agree to another seat's proposal or deny it. */
export type AnswerProposal = {
  type: "answer";
  agree: boolean;
};

/**
 * Confirm that one has read the result of deal number `deal` of this game, counted from 1.
 *
 * The next deal waits only for clients that opened the socket with `?reads=1`.
 */
export type Continue = {
  type: "continue";
  deal: number;
};

/** Say one of the phrases or pictures, or a free `text` where that is allowed. */
export type SendChat = {
  type: "talk";
  phrase?: string;
  text?: string;
};

/** Allow free text in the chat of this table, or only phrases. Host only. */
export type AllowFreeChat = {
  type: "writing";
  on: boolean;
};

/** Claim all remaining tricks, where one's own cards are sure to win them. */
export type Claim = {
  type: "claim";
};

/** Propose to the person in another seat to swap seats. */
export type Swap = {
  type: "swap";
  seat: number;
};

/** Propose to allow hints at this table, or forbid them, which needs no agreement. */
export type AllowHints = {
  type: "hints";
  on: boolean;
};

/**
 * Let the bot of a seat play until its absent person is back.
 *
 * The host may do this at once, other seated persons after waiting for long enough.
 */
export type SubstituteBot = {
  type: "cover";
  seat: number;
};

/** Take one's seat back from the bot that substitutes. */
export type TakeOverFromBot = {
  type: "back";
};

/** Be ready for another game. */
export type Rematch = {
  type: "rematch";
};

/** Ask what a good player would do. */
export type RequestHint = {
  type: "hint";
};

/** Go on to the next step of a lesson. `step`: the number of the step that was read, from 1. */
export type ContinueLesson = {
  type: "lesson-continue";
  step: number;
};

/** Begin a lesson again. */
export type RestartLesson = {
  type: "lesson-restart";
};

/** Ask whether the server still answers. */
export type Ping = {
  type: "ping";
};

export type Avatar =
  | "bell"
  | "boat"
  | "cat"
  | "cup"
  | "fish"
  | "flower"
  | "house"
  | "key"
  | "kite"
  | "lighthouse"
  | "moon"
  | "mushroom"
  | "owl"
  | "sun"
  | "teapot"
  | "tree";

export type PracticeTheme =
  | "bidding"
  | "burying"
  | "counting"
  | "endgame"
  | "exchanging"
  | "following"
  | "forcing"
  | "leads"
  | "melding"
  | "passing"
  | "saving-meld"
  | "smearing"
  | "trump";

export type ReviewKind =
  | "bidding"
  | "burying"
  | "exchanging"
  | "following"
  | "leading"
  | "melding"
  | "naming trump"
  | "passing cards";

export type ListSection = "" | "archived" | "deleted";

/**
 * The games of a table, oldest first. `over`: none of them is being played.
 *
 * `leads_to_table`: whether the link of this request also leads to the table.
 */
export type GameList = {
  over: boolean;
  games: GameListed[];
  leads_to_table: boolean;
};

/** A game of a table: the number of its finished deals, and the seats that won it. */
export type GameListed = {
  game: number;
  deals: number;
  over: boolean;
  winner: number[] | null;
};

/**
 * A finished deal, step by step, and the score sheet of all finished deals of its game.
 *
 * `table`: the token of the replay link, by which others may see the same; empty if there is none
 * yet. `names`: a bot as `bot:` and its name. `you`: the seat that the requester held in that
 * game, None for others.
 */
export type Replay = {
  table: string;
  game: number;
  deal: number;
  variant: string;
  title: string;
  players: number;
  sides: number[][];
  partners: boolean;
  you: number | null;
  names: string[];
  sheet: SheetRow[];
  steps: ReplayStep[];
  turning_point: TurningPoint | null;
};

/**
 * A moment of a finished deal with nothing hidden: the state after an action, and its events.
 *
 * `action`: what `seat` decided to do, as in a record; None for a deal. `hands`: every seat's
 * cards. `view`: a spectator's view, but with kitty, buried and passed cards, melds and every
 * event in full. The last step of a deal shows the cards before they are cleared.
 */
export type ReplayStep = {
  seat: number | null;
  action: Choice | null;
  view: GameView;
  hands: Card[][];
  events: GameEvent[];
};

/**
 * The moment in a deal in which its bid was made, or could be made no longer.
 *
 * `step`: the step of the replay, from 0. `trick`: the number of tricks played, from 1.
 */
export type TurningPoint = {
  step: number;
  trick: number;
  is_made: boolean;
};

/**
 * The choice of a good player at a step of a finished game, from that seat's view.
 *
 * The other fields are as in a hint.
 */
export type StepExplanation = {
  seat: number;
  action: Choice;
  sentence: string;
  tried: EvaluatedAction[];
  reason: (string | number)[];
};

/** An error in rules, with the fields to change and the line in a file. */
export type DraftFault = {
  sentence: string;
  fields: string[];
  line: number | null;
};

/** A request that failed. `error`: a sentence for people; `faults`: those of rules in it. */
export type ErrorAnswer = {
  error: string;
  faults: DraftFault[];
};

/** The health of the server. `damaged`: known damage in the database. */
export type Health = {
  ok: boolean;
  error?: string;
  damaged?: string[];
};

/** The guest's name and avatar. `name`: None for a new guest. */
export type Profile = {
  name: string | null;
  avatar: string;
};

/** The guest's name and avatar as stored. */
export type SavedProfile = {
  name: string;
  avatar: string;
};

/** A house option for a form. `allowed`: the allowed values. */
export type OptionForm = {
  name: string;
  summary: string;
  allowed: JsonSchema;
  default: unknown;
};

/**
 * A variant with its house options.
 *
 * `summary`: a line that describes it. `is_default`: it is offered before a choice is made.
 * `default_players`: the number of players if none is chosen. `presets`: named sets of house
 * options.
 *
 * The page draws a picture from the other values, so that people can tell the games apart.
 * `deck_size`, `hand_size`, `kitty_size`: numbers of cards. `passed_cards`: how many partners pass
 * to each other. `has_redraw`: hands are redrawn after the auction. `has_stock`: cards are drawn
 * from a stock with each trick. `has_conventions`: bots have conventions for bids or cards.
 */
export type VariantForm = {
  variant: string;
  title: string;
  summary: string;
  is_default: boolean;
  players: number[];
  default_players: number;
  has_partners: boolean;
  side_count: number;
  deck_size: number;
  hand_size: number;
  kitty_size: number;
  passed_cards: number;
  has_redraw: boolean;
  has_stock: boolean;
  has_conventions: boolean;
  options: OptionForm[];
  presets: Record<string, Preset>;
};

/** A way to play a game. `options`: house options by name, with JSON values. */
export type Preset = {
  title: string;
  description: string;
  options: Record<string, unknown>;
};

/** The rules of a variant with house options. `is_own_game`: the guest has made the game. */
export type RulesPage = {
  title: string;
  markdown: string;
  is_own_game: boolean;
};

/** The rules of a variant as it is usually played. */
export type VariantRulesPage = {
  variant: string;
  title: string;
  markdown: string;
};

/** A bot that people may choose. `is_default`: they get it unless they choose another. */
export type BotListed = {
  name: string;
  summary: string;
  is_default: boolean;
};

/** A new table. `id`: the token of its play link. */
export type TableOpened = {
  id: string;
};

/**
 * A lesson that can be taken. `variant`: the game that is played in it; `game`: its title.
 *
 * `state`: how far the guest has come in it.
 */
export type LessonListed = {
  name: string;
  title: string;
  summary: string;
  minutes: number;
  variant: string;
  game: string;
  state: "begun" | "done" | "new";
};

/** The last game of a table: its finished deals, scores and winners. `you`: the guest's seat. */
export type GameStatus = {
  deals: number;
  sides: number[][];
  scores: number[];
  winner: number[] | null;
  you: number | null;
};

/**
 * A table in a list. `id`: the token of its play link. `created_ms`, `changed_ms`: when.
 *
 * `people_present`: how many are connected to it. Only in the guest's own list: `list_section`: in
 * which part of it; `turn`: the seat of the person on turn; `game`: the last game, None before the
 * first.
 */
export type TableListed = {
  variant: string;
  title: string;
  players: number;
  public: boolean;
  host: string;
  seats: (string | null)[];
  started: boolean;
  over: boolean;
  games: number;
  lesson: string;
  id: string;
  created_ms: number;
  changed_ms: number;
  people_present: number;
  list_section?: ListSection;
  turn?: number | null;
  game?: GameStatus | null;
};

/**
 * A person with whom the guest has played: how many `games`, and how they ended.
 *
 * `as_partners`, `as_opponents`: the guest's results on their side and against them.
 * `last_game_ms`: when they last finished a deal together.
 */
export type FellowPlayer = {
  name: string;
  avatar: string;
  games: number;
  as_partners: GameCounts;
  as_opponents: GameCounts;
  last_game_ms: number;
};

/** Numbers of games. `closed`: the operator closed the table before they were over. */
export type GameCounts = {
  won: number;
  lost: number;
  unfinished: number;
  closed: number;
};

/**
 * The guest's wins and losses in their last `games`.
 *
 * `has_older_games`: there are older games, which are not counted. `fellow_players`: those of the
 * latest games first.
 */
export type OwnResults = {
  games: number;
  has_older_games: boolean;
  variants: VariantResults[];
  fellow_players: FellowPlayer[];
};

/** The games of a variant: `people` with other people, `bots` against bots only. */
export type VariantResults = {
  variant: string;
  title: string;
  people: GameCounts;
  bots: GameCounts;
};

/**
 * The rules of a table.
 *
 * `base`: the game that the rules are based on. `changes`: the differences, in sentences.
 */
export type TableRules = {
  base: string;
  changes: string[];
  markdown: string;
};

/**
 * The current play link of a table as a URL and as a QR code.
 *
 * `is_local_only`: the URL works only on the requester's own machine.
 */
export type Invitation = {
  link: string;
  qr: string;
  is_local_only: boolean;
};

/**
 * A device in the list. `last_used_ms`: when it was used last.
 *
 * `is_this_device`: it has sent the request.
 */
export type DeviceListed = {
  id: string;
  name: string;
  last_used_ms: number;
  is_this_device: boolean;
};

/** The devices of the guest, this one first. */
export type DeviceList = {
  name: string | null;
  devices: DeviceListed[];
};

/** A code that signs in another device. `valid_seconds`: how long it is valid. */
export type PairingCode = {
  code: string;
  link: string;
  qr: string;
  valid_seconds: number;
};

/**
 * The present person of a device, and what becomes of that person's seats and games.
 *
 * `leaves`: whether they stay with the person's other devices, are lost, or do not exist.
 */
export type GuestLeft = {
  name: string;
  leaves: "kept" | "lost" | "nothing";
};

/** The person whose code it is. `is_same_person`: the device has signed in as that person. */
export type PairingCodePreview = {
  name: string;
  present_person: GuestLeft;
  is_same_person: boolean;
};

/** The person that this device is now. */
export type SignedIn = {
  name: string;
};

/** The form of a sheet. `max_lengths`: the longest texts; `bases`: the games to start from. */
export type SheetForm = {
  sections: Section[];
  max_lengths: Record<string, number>;
  bases: string[];
};

/**
 * A section of a sheet.
 *
 * `is_optional`: a game can lack it. `part` is empty for the top level.
 */
export type Section = {
  part: string;
  label: string;
  description: string;
  is_optional: boolean;
  fields: FormField[];
};

/** A field to fill in. `description`: its description. `allowed`: the allowed values. */
export type FormField = {
  path: string;
  label: string;
  description: string;
  allowed: JsonSchema;
};

/**
 * The result of a check. With `faults`, only the draft's own `values` are given.
 *
 * `all_values`: all values of the game by path; `base_values`: those of its base; `changes`: the
 * differences, in sentences; `equal_preset`: the equal preset of the base, "" for the base itself,
 * None for no preset; `markdown`: the rules page; `toml`: the sheet as a file.
 */
export type CheckedDraft = {
  values: Record<string, unknown>;
  faults: DraftFault[];
  base_values: Record<string, unknown>;
  all_values: Record<string, unknown>;
  changes: string[];
  equal_preset: string | null;
  markdown: string;
  toml: string;
};

/** A stored game. */
export type GameSaved = {
  key: string;
};

/** A game that the guest has made. `is_readable`: its sheet can be read. */
export type OwnGameListed = {
  key: string;
  title: string;
  changed_ms: number;
  is_readable: boolean;
};

/**
 * A choice of a decision. `chance`: to win the game after it.
 *
 * `chance_lost`: what it costs. `chance_error`: half of the 95% interval of that. `right`: whether
 * it is no mistake.
 */
export type ReviewedChoice = {
  action: Choice;
  chance: number;
  chance_lost: number;
  chance_error: number;
  points_lost: number;
  right: boolean;
};

/**
 * A decision of the reviewed seat. Chances are those to win the game.
 *
 * `step`: the step of the deal's replay that shows the action. `action`: what was done; `best`:
 * what is better. `chance_error`, `points_error`: half of the 95% intervals of the costs.
 * `because`: why it is better, with seats by number. `theme`, `choices`: of a mistake, what it
 * practices and what can be tried again.
 */
export type ReviewedDecision = {
  deal: number;
  step: number;
  trick: number | null;
  kind: ReviewKind;
  action: Choice;
  best: Choice;
  chance: number;
  chance_lost: number;
  chance_error: number;
  points_lost: number;
  points_error: number;
  mistake: boolean;
  because: (string | number)[];
  theme: PracticeTheme | null;
  choices: ReviewedChoice[];
};

/** The chance to win the game around a deal. `deal_luck`: the part of `luck` of the cards. */
export type ReviewedDeal = {
  deal: number;
  before: number;
  after: number;
  luck: number;
  deal_luck: number;
  decisions: number;
};

/** All decisions of a kind: how many, how many mistakes, and what they cost. */
export type ReviewedKind = {
  kind: ReviewKind;
  count: number;
  mistakes: number;
  chance_lost: number;
  points_lost: number;
};

/**
 * The review of a finished game for one seat.
 *
 * `skipped`: decisions with a choice that were not evaluated. `left_out`: deals beyond the limit.
 */
export type FinishedReview = {
  seat: number;
  decisions: ReviewedDecision[];
  deals: ReviewedDeal[];
  kinds: ReviewedKind[];
  skipped: number;
  left_out: number;
};

/**
 * How far a review is. `total`: the number of its decisions; 0 until it is known.
 *
 * `state`: "none" if nobody has asked for it since the server started. `error`: why it failed, as
 * a sentence. `review`: the review if it is done. While it runs, the review of the first deals, if
 * that has more `deals` than the request.
 */
export type ReviewProgress = {
  state: "done" | "failed" | "none" | "running";
  done: number;
  total: number;
  error: string;
  review: FinishedReview | null;
};

/**
 * A decision to practice, as its seat saw it. It does not say which choice is right.
 *
 * `is_own_game`: from a game of the person. `trick`: its number from 1, None before the play.
 * `names`: as in a replay.
 */
export type PracticePosition = {
  id: string;
  theme: PracticeTheme;
  is_own_game: boolean;
  variant: string;
  title: string;
  players: number;
  sides: number[][];
  partners: boolean;
  seat: number;
  names: string[];
  view: GameView;
  trick: number | null;
  choices: Choice[];
};

/** How often a person was right and wrong in a theme. `positions`: how many there are. */
export type PracticeCount = {
  theme: PracticeTheme;
  right: number;
  wrong: number;
  positions: number;
};

/** The next position, None if there is none, and the person's counts by theme. */
export type NextPractice = {
  position: PracticePosition | null;
  counts: PracticeCount[];
};

/**
 * The value of a choice of a position. The other fields are those of `ReviewedChoice`.
 *
 * `fault`: why a wrong choice is worse, with seats by number; empty if nothing is known of it.
 */
export type PracticeValue = {
  chance: number;
  chance_lost: number;
  chance_error: number;
  points_lost: number;
  right: boolean;
  fault: (string | number)[];
};

/**
 * The solution of a position, and the answer to it. `values`: in the order of the choices.
 *
 * `best`: the place of the best choice. `because`: why it is better, with seats by number.
 * `counts`: those of the person by theme; empty where answers are not counted.
 */
export type PracticeResult = {
  right: boolean;
  choice: number;
  best: number;
  values: PracticeValue[];
  because: (string | number)[];
  counts: PracticeCount[];
};

/** The name and avatar that a guest wants. `avatar`: None keeps it; "" takes the name's own. */
export type RenameRequest = {
  name: string;
  avatar?: Avatar | "" | null;
};

/**
 * A table to open. `players`, `bots`: None for the usual; `clock`: seconds for a turn.
 *
 * `start`: deal at once. `natural`: whether the bots play without conventions.
 */
export type OpenTableRequest = {
  variant: string;
  players?: number | null;
  options?: Record<string, unknown>;
  public?: boolean;
  clock?: number | null;
  bots?: string | null;
  natural?: boolean;
  start?: boolean;
};

/** A lesson to take, by its name. */
export type OpenLessonRequest = {
  lesson: string;
};

/** A request to put a table, given by its play link, in a section of the guest's own list. */
export type MoveTableRequest = {
  table: string;
  list_section: ListSection;
};

/** A code of six words as typed, before it is normalized. */
export type PairingCodeRequest = {
  code: string;
};

/** A request to sign out a device, by its id in the list, or "others", all but this one. */
export type SignOutRequest = {
  which: string;
};

/** A draft to check, by its `values` and their paths; or `game`, the game to start one from. */
export type CheckDraftRequest = {
  values?: Record<string, unknown>;
  game?: string;
  players?: number | null;
  options?: Record<string, unknown>;
};

/** A game to store. `key`: the game that it replaces; empty for a new one. */
export type SaveGameRequest = {
  values: Record<string, unknown>;
  key?: string;
};

/** A request to delete a game. */
export type DeleteGameRequest = {
  key: string;
};

/**
 * A seat of a finished game to review. `game` counts from 1.
 *
 * `deals`: the number of deals whose review the page shows already, while the review runs.
 */
export type ReviewRequest = {
  game: number;
  seat: number;
  deals?: number;
};

/** The answer to a position. `choice`: its place in the list of choices, from 0. */
export type PracticeAnswer = {
  id: string;
  choice: number;
};

/** The new choice at a mistake of a review. `step`: as in `ReviewedDecision`. */
export type RetryAnswer = {
  game: number;
  seat: number;
  deal: number;
  step: number;
  choice: number;
};
