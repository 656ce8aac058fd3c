// The messages between page and server, as the server's structs make them.

export type SuitLetter = "S" | "H" | "D" | "C";
export type Card = string; // rank then suit, such as "TH"
export type Action = [string, ...unknown[]];

export interface Meld {
  name: string;
  cards: Card[];
  points: number;
}
export interface Shown {
  seat: number;
  melds: Meld[];
  points: number | null;
}
export interface Trick {
  leader: number;
  cards: Card[];
  winner: number;
  points: number;
}
export interface Passing {
  seat: number;
  to: number | null;
  number: number;
  cards: Card[] | null;
}
export interface View {
  seat: number | null;
  players: number[];
  dealer: number;
  deals: number;
  scores: number[];
  target: number;
  winner: number | null;
  turn: number | null;
  kind: Kind | null;
  hand: Card[];
  sizes: number[];
  auction: { seat: number; bid: number | null }[];
  declarer: number | null;
  bid: number | null;
  trump: SuitLetter | number | null;
  kitty: Card[];
  buried: Card[] | null;
  passed: Passing[];
  melds: Shown[];
  table: Card[][];
  leader: number | null;
  trick: Card[];
  tricks: Trick[];
  won: number[];
  broken: boolean;
  upcard: Card | null;
  stock: number;
}
export type Kind = "deal" | "bid" | "bury" | "trump" | "give" | "discard" | "play";
export interface Decision {
  kind: Kind;
  pass: boolean;
  bids: number[];
  any: boolean;
  trumps: SuitLetter[];
  sizes: number[];
  plays: Card[];
  melds: Meld[];
  concede: boolean;
}
export interface SeatInfo {
  name: string;
  person: boolean;
  bot: string;
  present: boolean;
}
export interface TableInfo {
  id: string;
  variant: string;
  title: string;
  options: Record<string, unknown>;
  players: number;
  public: boolean;
  clock: number | null;
  you: number | null;
  host: boolean;
  seats: SeatInfo[];
  started: boolean;
  over: boolean;
  paused: boolean;
  games: number;
  asked: { kind: string; seat: number; waiting: number[] } | null;
  may: Record<"start" | "undo" | "claim" | "rematch" | "pause" | "hint", boolean>;
  rematch: number[];
  talk: { seat: number; phrase: string; seq: number }[];
}
export interface DealScore {
  outcome: string;
  bid: number | null;
  declarer: number | null;
  trump: SuitLetter | number | null;
  meld: number[];
  play: number[];
  change: number[];
}
export interface SheetRow {
  score: DealScore;
  totals: number[];
}

export type GameEvent =
  | { type: "Dealt"; deal: number; dealer: number; sizes: number[]; kitty: number; stock: number; upcard: Card | null }
  | { type: "BidMade"; seat: number; points: number }
  | { type: "Passed"; seat: number }
  | { type: "Declared"; seat: number; points: number; forced: boolean }
  | { type: "ThrownIn" }
  | { type: "KittyShown"; seat: number; cards: Card[] }
  | { type: "Buried"; seat: number; number: number; cards: Card[] | null }
  | { type: "TrumpNamed"; seat: number; suit: SuitLetter | number }
  | { type: "NoMarriage"; seat: number }
  | { type: "Given"; seat: number; number: number; cards: Card[] | null; to: number }
  | { type: "Discarded"; seat: number; number: number; cards: Card[] | null }
  | { type: "Drew"; seat: number; number: number; cards: Card[] | null }
  | { type: "UpcardDrawn"; seat: number; card: Card }
  | { type: "Melded"; seat: number; melds: Meld[] | null; points: number | null; shown: Meld[] }
  | { type: "MeldLaid"; seat: number; meld: Meld }
  | { type: "UpcardExchanged"; seat: number; taken: Card; left: Card }
  | { type: "Played"; seat: number; card: Card }
  | { type: "TrickWon"; leader: number; seat: number; cards: Card[]; points: number }
  | { type: "Conceded"; seat: number }
  | { type: "Reneged"; seat: number; rule: string }
  | { type: "DealScored"; score: DealScore; totals: number[]; buried: Card[] }
  | { type: "GameWon"; side: number };

export interface StateMessage {
  type: "state";
  seq: number;
  table: TableInfo;
  view: View | null;
  decision: Decision | null;
  events: GameEvent[];
  sheet: SheetRow[];
}
export interface RefusedMessage {
  type: "refused";
  code: string;
  sentence: string;
  seq: number;
}
export interface HintMessage {
  type: "hint";
  seq: number;
  action: Action;
  why: string;
}
export type ServerMessage = StateMessage | RefusedMessage | HintMessage;

export type Command =
  | { type: "act"; seq: number; action: Action }
  | { type: "sit" | "remove"; seat: number }
  | { type: "bot"; seat: number; name: string }
  | { type: "answer"; agree: boolean }
  | { type: "talk"; phrase: string }
  | { type: "stand" | "start" | "pause" | "resume" | "undo" | "claim" | "rematch" | "hint" };

export interface Option {
  name: string;
  values: string;
  summary: string;
  choices: string[] | null;
  preset: unknown;
}
export interface Variant {
  variant: string;
  title: string;
  players: number[];
  options: Option[];
}
export interface Listed {
  id: string;
  variant: string;
  title?: string;
  players?: number;
  free?: number;
  started?: boolean;
  over?: boolean;
  names?: string[];
}
