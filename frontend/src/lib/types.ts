// Types of the page: those of the messages, by the names used here.
import type { GameSeen, HintGiven, Message, State, TableSeen } from "./messages";

export type {
  AllowedCommands,
  Call,
  Card,
  Choice,
  Command,
  DealScore,
  GameEvent,
  Guidance,
  HiddenTransfer,
  Meld,
  ProposalSeen,
  Replay,
  SheetRow,
  ShownMelds,
  Step,
  Suit as SuitLetter,
  TakenSeen,
  Trick,
  Worth,
} from "./messages";
export type View = GameSeen;
export type TableInfo = TableSeen;
export type StateMessage = State;
export type HintMessage = HintGiven;
export type ServerMessage = Message;
