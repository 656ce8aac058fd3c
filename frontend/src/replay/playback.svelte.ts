// A finished game being looked through: the deal that is open, the step that is shown, and its pace.
import * as api from "../lib/api";
import type { GameList, Replay, ReplayStep } from "../lib/messages";
import { scaledDelay } from "../lib/settings.svelte";
import { trickWon } from "./cardTimeline";

const HOLD_MS: Record<string, number> = {
  Dealt: 1200,
  Declared: 1100,
  TrumpNamed: 1200,
  Melded: 2400,
  Buried: 1100,
  Given: 1300,
  Decided: 900,
  Discarded: 900,
  TrickWon: 1500,
  DealScored: 0,
};
const MAX_ANIMATED_STEPS = 12; // over longer distances cards move without an animation

export class Playback {
  games = $state.raw<GameList | null>(null);
  replay = $state.raw<Replay | null>(null);
  at = $state(0);
  playing = $state(false);
  isStill = $state(true);
  trouble = $state("");

  readonly deals = $derived.by(() => this.games?.games[this.game - 1]?.deals ?? 0);
  /** Whether the game was played to its end. */
  readonly isOver = $derived.by(() => this.games?.games[this.game - 1]?.over ?? false);
  readonly step = $derived.by((): ReplayStep | null => this.replay?.steps[this.at] ?? null);
  readonly last = $derived.by(() => (this.replay ? this.replay.steps.length - 1 : 0));
  /** What was decided to come here, if anything was. */
  readonly action = $derived.by(() => this.step?.action ?? null);
  /** The row of the score sheet, once the deal is over. */
  readonly result = $derived.by(() =>
    this.replay && this.at === this.last && !this.playing
      ? this.replay.sheet[this.replay.deal - 1]
      : undefined,
  );

  #loaded = new Map<number, Promise<Replay>>();
  #requestNumber = 0;

  constructor(
    readonly id: string,
    readonly game: number,
    readonly over = false, // lies over a table: the address is the table's
  ) {}

  async begin(deal = 0): Promise<void> {
    try {
      this.games = await api.games(this.id);
    } catch (error) {
      this.trouble = (error as Error).message;
      return;
    }
    await (deal ? this.open(deal) : this.follow());
  }

  #load(deal: number): Promise<Replay> {
    let found = this.#loaded.get(deal);
    if (!found) this.#loaded.set(deal, (found = api.replay(this.id, this.game, deal)));
    found.catch(() => this.#loaded.delete(deal));
    return found;
  }

  async open(deal: number, from = 0): Promise<void> {
    const mine = ++this.#requestNumber;
    try {
      const found = await this.#load(deal);
      if (mine !== this.#requestNumber) return;
      this.trouble = "";
      this.isStill = true;
      this.replay = found;
      this.at = Math.max(0, Math.min(from, found.steps.length - 1));
      requestAnimationFrame(() => requestAnimationFrame(() => (this.isStill = false)));
      if (deal < this.deals) void this.#load(deal + 1).catch(() => {});
    } catch (error) {
      if (mine !== this.#requestNumber) return;
      this.playing = false;
      this.trouble = (error as Error).message;
    }
  }

  /** Show the deal and step that the address names. */
  async follow(): Promise<void> {
    if (this.over) return;
    const [, deal, from] = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash) ?? [];
    this.playing = false;
    return this.open(Math.max(1, Math.min(Number(deal ?? 1), this.deals || 1)), Number(from ?? 0));
  }

  pause(): void {
    this.playing = false;
  }

  goTo(to: number): void {
    this.playing = false;
    this.isStill = Math.abs(to - this.at) > MAX_ANIMATED_STEPS;
    this.at = Math.max(0, Math.min(this.last, to));
  }

  /** The end of this trick or the next; before the first and after the last, the deal's ends. */
  trick(by: 1 | -1): void {
    const steps = this.replay?.steps ?? [];
    const ends = [0, ...steps.flatMap((one, i) => (trickWon(one) ? [i] : [])), this.last];
    const to = by > 0 ? ends.find((end) => end > this.at) : ends.findLast((end) => end < this.at);
    this.goTo(to ?? this.at);
  }

  nextDeal(by: 1 | -1 = 1): void {
    const deal = (this.replay?.deal ?? 0) + by;
    if (deal >= 1 && deal <= this.deals) void this.open(deal);
  }

  /** Play on from here, or stop; at the end of a deal, the next one or this one again. */
  play(): void {
    if (this.playing) {
      this.playing = false;
    } else if (this.at < this.last) {
      this.playing = true;
      this.isStill = false;
    } else if (this.replay && this.replay.deal < this.deals) {
      void this.open(this.replay.deal + 1).then(() => (this.playing = true));
    } else {
      this.at = 0;
      this.playing = true;
    }
  }

  /** The next step in its time, while it plays; what stops the clock again. */
  tick(): (() => void) | undefined {
    if (!this.playing || !this.step) return undefined;
    if (this.at >= this.last) {
      this.playing = false;
      return undefined;
    }
    const hold = Math.max(...this.step.events.map((event) => HOLD_MS[event.type] ?? 750));
    const timer = setTimeout(() => this.at++, Math.max(180, scaledDelay(hold)));
    return () => clearTimeout(timer);
  }
}
