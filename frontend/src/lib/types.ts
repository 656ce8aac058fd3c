// Types of the page: those of the messages, by the names used here.
import type { GameSeen, HintGiven, Message, Offer, Refusal, SeatSeen, State, TableSeen } from "./messages";

export type {
  AllowedCommands,
  Call,
  Choice,
  Command,
  DealScore,
  HiddenTransfer,
  Kind,
  Meld,
  ProposalSeen,
  Replay,
  SheetRow,
  ShownMelds,
  Step,
  TakenSeen,
  Trick,
  Worth,
} from "./messages";
export type View = GameSeen;
export type TableInfo = TableSeen;
export type SeatInfo = SeatSeen;
export type Decision = Offer;
export type StateMessage = State;
export type RefusedMessage = Refusal;
export type HintMessage = HintGiven;
export type ServerMessage = Message;
export type GameEvent = State["events"][number];
export type SuitLetter = NonNullable<View["trump"]>;
export type Card = string; // rank then suit, such as "TH"
