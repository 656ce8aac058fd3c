// Table talk: what was said stays beside its seat for a while.
import { settings } from "../lib/settings.svelte";
import type { StateMessage } from "../lib/types";
import { text } from "../strings";

const STAYS = 4000; // milliseconds
const A_LETTER = 60; // longer for words, which have to be read

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
    for (const { seat, phrase, text: written } of fresh) {
      const from = table.seats[seat];
      if (seat !== table.you && from?.person && settings.hushed.includes(from.name)) continue;
      const words = written || (text.talk[phrase] ?? (phrase in text.talking.picture ? phrase : ""));
      this.say(seat, words);
      setTimeout(
        () => {
          if (this.said[seat] === words) this.say(seat, "");
        },
        STAYS + written.length * A_LETTER,
      );
    }
  }

  private say(seat: number, words: string): void {
    this.said = { ...this.said, [seat]: words };
  }
}
