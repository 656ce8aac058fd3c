// Types of the page: those of the messages, by the names used here.
import type { GameView, HintGiven, Message, State } from "./messages";

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
  MeldInTrump,
  ProposalInfo,
  Replay,
  ReplayStep,
  SheetRow,
  ShownMelds,
  Suit as SuitLetter,
  TableInfo,
  Trick,
  UndoneActionInfo,
} from "./messages";
export type View = GameView;
export type StateMessage = State;
export type HintMessage = HintGiven;
export type ServerMessage = Message;
