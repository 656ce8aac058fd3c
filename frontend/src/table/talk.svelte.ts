// Table talk: what was said stays beside its seat for a while.
import { settings } from "../lib/settings.svelte";
import type { StateMessage } from "../lib/types";
import { text } from "../strings";

const STAYS = 4000; // milliseconds

export class Talk {
  /** The words beside each seat. */
  said = $state.raw<Record<number, string>>({});
  private heard = -1; // the last entry of which the talk is known

  /** Hear what is new in a state. What was said before the first one was not said to this person. */
  hear({ seq, table }: StateMessage): void {
    const fresh = table.talk.filter((one) => one.seq > this.heard);
    const known = this.heard >= 0;
    this.heard = Math.max(this.heard, seq);
    if (!known || settings.muted) return;
    for (const { seat, phrase } of fresh) {
      const words = text.talk[phrase] ?? "";
      this.say(seat, words);
      setTimeout(() => {
        if (this.said[seat] === words) this.say(seat, "");
      }, STAYS);
    }
  }

  private say(seat: number, words: string): void {
    this.said = { ...this.said, [seat]: words };
  }
}
