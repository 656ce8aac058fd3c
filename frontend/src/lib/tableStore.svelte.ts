// One table as it is being shown: states arrive at once, and are shown at a pace people follow.
// Every state is whole, so frames may be skipped at any time without losing anything.
import { text } from "../strings";
import { alertOf } from "../table/bubbles";
import { without } from "./cards";
import { endFirstGame } from "./settings.svelte";
import { Connection, type ConnectionStatus, type TableMessage } from "./socket";
import { playSound, soundFor } from "./sound";
import type { Card, Choice, Command, Guidance, HintMessage, StateMessage, TableInfo, View } from "./types";
import { namesOf, reason, sentence, takenBack } from "./narration";
import { framesBetween, READING_CHECK_MS, READING_MS, shownMs, type Frame, type Stage } from "./pacing";

/** The clock of the seat whose turn it is: when it runs out, by this browser's own clock. */
export interface Clock {
  seat: number;
  ends: number;
  total: number;
}

/** Whether a first look falls on the first cards of a game: then they are seen being dealt. */
const isFirstDeal = (view: View | null) =>
  view !== null && view.deals === 0 && !view.tricks.length && !view.trick.length && view.kind !== "deal";

/** Whether the table waits with the next deal until this person has read the result of the last one. */
const isAwaited = ({ readers, you }: TableInfo) =>
  readers !== null && you !== null && readers.waiting.includes(you);

export class TableStore {
  shown = $state.raw<Frame | null>(null);
  latest = $state.raw<StateMessage | null>(null);
  connectionStatus = $state<ConnectionStatus>("opening");
  why = $state(""); // what the server said when it closed the line
  stage = $state<Stage | null>(null);
  refusal = $state("");
  hint = $state.raw<HintMessage | null>(null);
  hinting = $state(false); // a hint is being thought about
  news = $state("");
  spoken = $state(""); // the same for screen readers
  sent = $state(-1); // the seq at which an action is on its way
  rest = $state(false); // a forced card was played, and what is left in the hand is all alike
  clock = $state.raw<Clock | null>(null);
  private queue: Frame[] = $state.raw([]);
  private timer = 0;
  private undoneSeq = -1; // the take-back that was announced last
  private continued = false; // this person has gone on from a result that others still read
  private wasCut = false; // the line was lost, and perhaps what was said last
  private readonly connection: Connection;

  constructor(id: string) {
    this.connection = new Connection(
      id,
      (message) => this.receive(message),
      (status, why) => {
        this.connectionStatus = status;
        this.why = why;
        if (status === "lost" || status === "silent") {
          this.wasCut = true;
          this.hinting = false;
        }
      },
    );
  }

  get message() {
    return this.shown?.message ?? null;
  }
  /** The table as it is now; `view` may still be on its way there. */
  get table() {
    return this.latest?.table ?? null;
  }
  get view() {
    return this.shown?.view ?? null;
  }
  /** What is asked of this person, once everything before it has been shown. */
  get decision() {
    const shown = this.shown;
    if (!this.settled || !shown || this.stage || this.sent === shown.message.seq) return null;
    return this.table?.paused ? null : shown.message.decision;
  }
  /** What is to do and what it is for: nothing while a trick or a kitty is still looked at. */
  guidance = $state.raw<Guidance | null>(null);
  /** The one card that can be played, where nothing else can be done. */
  get only(): Card | null {
    const decision = this.decision;
    if (decision?.kind !== "play" || this.table?.lesson || decision.melds.length || decision.concede)
      return null;
    return decision.plays.length === 1 ? decision.plays[0]! : null;
  }
  /** Whether to draw is all that can be done. */
  get draws(): boolean {
    const decision = this.decision;
    return decision?.kind === "play" && decision.pass && !decision.melds.length;
  }
  /** Whether what is shown is how the table stands. */
  get settled() {
    return this.shown?.settled === true && this.queue.length === 0;
  }

  close(): void {
    clearTimeout(this.timer);
    this.connection.close();
  }

  /** The others see this person under a new name. */
  renamed(): void {
    this.connection.reconnect();
  }

  send(command: Command): void {
    this.refusal = "";
    this.connection.send(command);
  }

  askHint(): void {
    if (this.hinting) return; // a second tap
    this.hint = null;
    this.hinting = true;
    this.send({ type: "hint" });
  }

  act(action: Choice): void {
    const message = this.message;
    if (!message || !this.decision) return;
    const left =
      action[0] === "play" && action[1] === this.only ? without(message.view!.hand, [action[1]]) : [];
    this.rest = new Set(left).size === 1;
    this.hint = null;
    this.sent = message.seq;
    this.send({ type: "act", seq: message.seq, action });
  }

  /** Something to know before the second tap. */
  warn(sentence: string): void {
    this.refusal = this.spoken = sentence;
  }

  /** Why a card cannot be played: the server says it, and refuses. */
  askWhy(card: Card): void {
    const message = this.message;
    if (message) this.connection.send({ type: "act", seq: message.seq, action: ["play", card] });
  }

  dismiss(): void {
    const table = this.table!;
    if (this.stage === "deal" && !this.continued && isAwaited(table)) {
      this.continued = true;
      this.send({ type: "continue", deal: table.readers!.deal });
      if (table.readers!.waiting.length > 1) return; // it stays and says for whom it waits
    }
    this.continued = false;
    this.stage = null;
    this.advance();
  }

  /** Show the next moment now. */
  skip(): void {
    if (!this.stage && this.queue.length) this.advance();
  }

  private receive(message: TableMessage): void {
    if (message.type === "refused") {
      this.warn(message.sentence);
      this.sent = -1;
      this.continued = false;
      this.hinting = false;
    } else if (message.type === "hint") {
      if (!this.hinting) return; // the table has moved on meanwhile
      this.hinting = false;
      this.hint = message;
    } else this.state(message);
  }

  private state(message: StateMessage): void {
    const before = this.latest;
    if (before && message.seq < before.seq) return;
    this.latest = message;
    this.wind(message);
    if (!before) this.jump(message);
    else if (message.seq === before.seq) this.amend(message);
    else if (message.seq === before.seq + 1) this.enqueue(framesBetween(before.view, message));
    else this.jump(message);
    if (before && before.seq < message.seq) this.reportDenial(message);
    if (this.wasCut && !message.missed) {
      this.wasCut = false;
      if (isAwaited(message.table)) this.continued = false; // that was not heard
    }
    if (this.stage === "deal" && this.continued && !message.table.readers) this.dismiss();
  }

  /** What this person asked was not granted just now. */
  private reportDenial({ seq, table }: StateMessage): void {
    const { denied_proposal: denied, you } = table;
    if (denied?.seq !== seq || denied.seat !== you) return;
    const who = namesOf(table, denied.denied_by);
    this.warn(denied.expired ? text.table.unanswered(who) : text.table.declined(who));
  }

  private wind({ table, view }: StateMessage): void {
    const stands = table.paused || (table.proposal !== null && table.proposal.kind !== "hints");
    const running = table.turn_seconds_left !== null && table.clock !== null && !stands && view?.turn != null;
    this.clock = running
      ? {
          seat: view.turn!,
          ends: performance.now() + table.turn_seconds_left! * 1000,
          total: table.clock! * 1000,
        }
      : null;
  }

  /** The same moment told anew: somebody came or went. */
  private amend(message: StateMessage): void {
    if (this.queue.length) {
      const last = this.queue.at(-1)!;
      this.queue = [...this.queue.slice(0, -1), { ...last, message }];
    } else if (this.shown) {
      this.shown = { ...this.shown, message };
      this.guidance = message.guidance;
    }
  }

  /** The table as it stands, without the way there. */
  private jump(message: StateMessage): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.queue = [];
    this.stage = null;
    this.continued = false;
    const dealt = !this.shown && isFirstDeal(message.view);
    const stage = isAwaited(message.table) ? "deal" : null;
    this.show({ message, view: message.view, events: [], holdMs: 0, stage, dealt, settled: true });
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
    if (this.stage) {
      if (this.latest?.table.clock != null)
        this.timer = window.setTimeout(() => this.stepAside(), READING_MS);
      return;
    }
    this.timer = window.setTimeout(
      () => {
        this.timer = 0;
        this.advance();
      },
      shownMs(next, rest.length, this.clock !== null && this.latest?.decision != null),
    );
  }

  /** Step aside, but for melds no sooner than it is this person's turn, nor while a result is read. */
  private stepAside(): void {
    const { table, decision } = this.latest!;
    const stays = this.stage === "melds" ? decision === null : table.readers !== null;
    if (stays) this.timer = window.setTimeout(() => this.stepAside(), READING_CHECK_MS);
    else this.dismiss();
  }

  private show(frame: Frame): void {
    const { table, missed } = frame.message;
    const wasSwept =
      this.shown?.settled === false && this.shown.events.some((event) => event.type === "TrickWon");
    this.shown = frame;
    this.guidance = frame.settled ? frame.message.guidance : null;
    if (frame.stage === "game" && table.you !== null) endFirstGame();
    if (frame.stage) this.stage = frame.stage;
    if (frame.settled && this.sent !== frame.message.seq) this.sent = -1;
    if (frame.events.length) this.refusal = "";
    this.hint = null;
    this.hinting = false;
    const back = frame.settled && table.undone && (this.undoneSeq !== table.undone.seq ? table.undone : null);
    if (back) {
      this.undoneSeq = back.seq;
      this.rest = false;
    }
    const sentences = frame.events.map((event) => sentence(event, table)).filter(Boolean);
    if (back) sentences.push(takenBack(back, table));
    if (sentences.length) this.news = sentences.join(" ");
    const isOnTurn = frame.settled && !this.queue.length && frame.message.decision !== null;
    const { view } = frame.message;
    const aloud = frame.events
      .flatMap((event) => [sentence(event, table, true), view && alertOf(event, view)])
      .filter(Boolean);
    if (back) aloud.push(takenBack(back, table, true));
    if (isOnTurn) aloud.push(text.says.yourTurn, reason(frame.message.guidance?.short ?? [], table));
    if (aloud.length) this.spoken = aloud.join(" ");
    if (missed) return;
    const sound = soundFor(frame.events, table);
    if (wasSwept) playSound("sweep");
    if (sound) playSound(sound);
    else if (isOnTurn && frame.events.length) playSound("turn");
  }
}
