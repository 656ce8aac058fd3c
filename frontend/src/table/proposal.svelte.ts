// A proposal of another seat, and whether this person must still answer it. They may close it without an answer.
import type { TableStore } from "../lib/tableStore.svelte";

export class Question {
  private dismissed = $state(""); // the proposal that was closed without an answer
  constructor(private readonly play: TableStore) {}

  get wish() {
    return this.play.table?.proposal ?? null;
  }
  /** Whether this person has still to answer. */
  get mine() {
    const you = this.play.table?.you ?? null;
    return you !== null && (this.wish?.waiting.includes(you) ?? false);
  }
  /** Whether it lies over the table. */
  get open() {
    return this.mine && this.dismissed !== this.name;
  }
  setAside(): void {
    this.dismissed = this.name;
  }
  again(): void {
    this.dismissed = "";
  }
  answer(agree: boolean): void {
    this.play.send({ type: "answer", agree });
  }

  private get name() {
    return this.wish ? `${this.wish.kind} ${this.wish.seat} ${this.play.latest!.seq}` : "";
  }
}
