// What another seat asks of the table: whether it waits for this person, who may put it aside.
import type { TableStore } from "../lib/tableStore.svelte";

export class Question {
  private put = $state(""); // the one that was put aside without an answer
  constructor(private readonly play: TableStore) {}

  get wish() {
    return this.play.table?.asked ?? null;
  }
  /** Whether this person has still to answer. */
  get mine() {
    const you = this.play.table?.you ?? null;
    return you !== null && (this.wish?.waiting.includes(you) ?? false);
  }
  /** Whether it lies over the table. */
  get open() {
    return this.mine && this.put !== this.name;
  }
  aside(): void {
    this.put = this.name;
  }
  again(): void {
    this.put = "";
  }
  answer(agree: boolean): void {
    this.play.send({ type: "answer", agree });
  }

  private get name() {
    return this.wish ? `${this.wish.kind} ${this.wish.seat} ${this.play.latest!.seq}` : "";
  }
}
