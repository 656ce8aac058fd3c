// One table as it is being shown: snapshots arrive at once, and are shown at a pace people follow.
// Every snapshot is whole, so frames may be skipped at any time without losing anything.
import { text } from "../strings";
import { suitFrom, without } from "./cards";
import { paced, settings } from "./settings.svelte";
import { Connection, type Link } from "./socket";
import type { Action, Card, Command, GameEvent, HintMessage, ServerMessage, StateMessage, View } from "./types";
import { sentence } from "./who";

export type Stage = "melds" | "deal" | "game";
export interface Frame {
  message: StateMessage;
  view: View | null;
  events: GameEvent[];
  hold: number; // milliseconds before the next frame
  stage: Stage | null; // shown until it is dismissed
  dealt: boolean;
  settled: boolean; // the snapshot itself, not a moment on the way to it
}

const HOLD: Record<string, number> = {
  Dealt: 1300, BidMade: 650, Passed: 550, Declared: 900, KittyShown: 2000, TrumpNamed: 1300, Given: 900,
  Buried: 600, Discarded: 700, MeldLaid: 1200, Played: 550, UpcardExchanged: 900, UpcardDrawn: 1000,
  NoMarriage: 1800, ThrownIn: 1600, Conceded: 1400, Reneged: 2000,
};
const TRICK = 1300; // a finished trick stays that long

/** The moments by which a table gets from one view to a snapshot. */
export function frames(before: View | null, message: StateMessage): Frame[] {
  const { view, events } = message;
  const made: Frame[] = [];
  const frame = (shown: View | null, told: GameEvent[], hold: number, stage: Stage | null = null) =>
    made.push({ message, view: shown, events: told, hold, stage, dealt: told.some((e) => e.type === "Dealt"), settled: false });
  const won = events.find((event) => event.type === "TrickWon");
  let rest = events;
  if (won && before) {
    const at = events.indexOf(won);
    const played = events.find((event) => event.type === "Played");
    const hand = played && played.seat === before.seat ? without(before.hand, [played.card]) : before.hand;
    const sizes = before.sizes.map((size, seat) => (seat === played?.seat ? size - 1 : size));
    frame(
      { ...before, hand, sizes, leader: won.leader, trick: won.cards, turn: null },
      events.slice(0, at + 1), TRICK,
    );
    rest = events.slice(at + 1);
  }
  const kitty = rest.find((event) => event.type === "KittyShown");
  if (kitty && view) {
    const mine = view.seat === kitty.seat;
    const sizes = view.sizes.map((size, seat) => (seat === kitty.seat ? size - kitty.cards.length : size));
    frame({ ...view, hand: mine ? without(view.hand, kitty.cards) : view.hand, sizes }, rest, HOLD.KittyShown!);
    rest = [];
  }
  const scored = rest.some((event) => event.type === "DealScored");
  const over = rest.some((event) => event.type === "GameWon");
  const melded = rest.some((event) => event.type === "Melded" && event.shown.length > 0);
  const hold = Math.max(0, ...rest.map((event) => HOLD[event.type] ?? 0));
  frame(view, rest, hold || (won ? 450 : 0), over ? "game" : scored ? "deal" : melded ? "melds" : null);
  made.at(-1)!.settled = true;
  return made;
}

/** Whether a first look falls on the first cards of a game: then they are seen being dealt. */
const fresh = (view: View | null, first: boolean) =>
  first && view !== null && view.deals === 0 && !view.tricks.length && !view.trick.length && view.kind !== "deal";

export class Play {
  shown = $state.raw<Frame | null>(null);
  link = $state<Link>("opening");
  stage = $state<Stage | null>(null);
  refusal = $state("");
  hint = $state.raw<HintMessage | null>(null);
  told = $state("");
  heard = $state(""); // the same for screen readers
  sent = $state(-1); // the seq at which an action is on its way
  private queue: Frame[] = $state.raw([]);
  private latest: StateMessage | null = null;
  private timer = 0;
  private readonly link_: Connection;

  constructor(id: string) {
    this.link_ = new Connection(id, (m, first) => this.receive(m, first), (link) => (this.link = link));
  }

  get message() {
    return this.shown?.message ?? null;
  }
  get view() {
    return this.shown?.view ?? null;
  }
  /** What is asked of this person, once everything before it has been shown. */
  get decision() {
    const shown = this.shown;
    if (!shown?.settled || this.queue.length || this.sent === shown.message.seq) return null;
    return shown.message.table.paused ? null : shown.message.decision;
  }
  get trump() {
    return suitFrom(this.view?.trump);
  }
  get catching() {
    return this.queue.length > 0;
  }

  close(): void {
    clearTimeout(this.timer);
    this.link_.close();
  }

  send(command: Command): void {
    this.link_.send(command);
  }

  act(action: Action): void {
    const message = this.message;
    if (!message || !this.decision) return;
    this.refusal = "";
    this.hint = null;
    this.sent = message.seq;
    this.link_.send({ type: "act", seq: message.seq, action });
  }

  /** Something to know before the second tap. */
  warn(sentence: string): void {
    this.refusal = this.heard = sentence;
  }

  /** Why a card cannot be played: the server says it, and refuses. */
  askWhy(card: Card): void {
    const message = this.message;
    if (message) this.link_.send({ type: "act", seq: message.seq, action: ["play", card] });
  }

  dismiss(): void {
    this.stage = null;
    this.advance();
  }

  /** Show the next moment now. */
  skip(): void {
    if (!this.stage && this.queue.length) this.advance();
  }

  private receive(message: ServerMessage, first: boolean): void {
    if (message.type === "refused") {
      this.refusal = message.sentence;
      this.heard = message.sentence;
      this.sent = -1;
    } else if (message.type === "hint") {
      this.hint = message;
      this.heard = message.why;
    } else if (first && this.latest && message.seq === this.latest.seq) {
      this.sent = -1;
    } else if (!this.latest || message.seq >= this.latest.seq) {
      const before = this.latest?.view ?? null;
      const again = message.seq === this.latest?.seq || first;
      this.latest = message;
      if (again) this.replace(message, first);
      else this.enqueue(frames(before, message));
    }
  }

  /** The same moment told anew (somebody came or went), or the present one after an absence. */
  private replace(message: StateMessage, first: boolean): void {
    const frame = { message, view: message.view, events: [], hold: 0, stage: null, dealt: fresh(message.view, first && !this.shown), settled: true };
    if (first) {
      this.queue = [];
      this.stage = null;
      this.show(frame);
    } else if (this.queue.length) {
      const last = this.queue.at(-1)!;
      this.queue = [...this.queue.slice(0, -1), { ...last, message }];
    } else if (this.shown) this.shown = { ...this.shown, message };
  }

  private enqueue(made: Frame[]): void {
    const idle = this.queue.length === 0 && !this.timer && !this.stage;
    this.queue = [...this.queue, ...made];
    if (idle) this.advance();
  }

  private advance(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    const [next, ...rest] = this.queue;
    if (!next) return;
    this.queue = rest;
    this.show(next);
    if (this.stage) return;
    const hurry = document.hidden ? 0 : rest.length > 12 ? 0.3 : 1;
    const hold = Math.max(paced(next.hold) * hurry, 0);
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.advance();
    }, hold);
  }

  private show(frame: Frame): void {
    const { table } = frame.message;
    this.shown = frame;
    if (frame.stage) this.stage = frame.stage;
    if (frame.settled && this.sent !== frame.message.seq) this.sent = -1;
    this.refusal = "";
    this.hint = null;
    const told = frame.events.map((event) => sentence(event, table)).filter(Boolean);
    if (told.length) this.told = told.join(" ");
    const aloud = frame.events.map((event) => sentence(event, table, true)).filter(Boolean);
    if (frame.settled && frame.message.decision && !this.queue.length) aloud.push(text.says.yourTurn);
    if (aloud.length) this.heard = aloud.join(" ");
    if (frame.settled && frame.message.decision && settings.sound) chime();
  }
}

let audio: AudioContext | null = null;
/** A short soft tone: it is this person's turn. */
function chime(): void {
  try {
    audio ??= new AudioContext();
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(0.06, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.25);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.25);
  } catch {
    // no sound here
  }
}
