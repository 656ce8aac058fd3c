// Table talk: a message stays beside its seat for a while.
import { settings } from "../lib/settings.svelte";
import type { StateMessage } from "../lib/types";
import { text } from "../strings";

const SHOWN_MS = 4000; // milliseconds
const MS_PER_LETTER = 60; // longer for words, which have to be read

export class Talk {
  /** The message beside each seat. */
  messages = $state.raw<Record<number, string>>({});
  private lastSeq = -1; // the last entry of which the talk is known

  /** Shows the new messages of a state. Messages from before the first state are not shown. */
  hear({ seq, table }: StateMessage): void {
    const fresh = table.chat.filter((one) => one.seq > this.lastSeq);
    const known = this.lastSeq >= 0;
    this.lastSeq = Math.max(this.lastSeq, seq);
    if (!known || settings.muted) return;
    for (const { seat, phrase, text: written } of fresh) {
      const from = table.seats[seat];
      if (seat !== table.you && from?.person && settings.mutedNames.includes(from.name)) continue;
      const words = written || (text.talk[phrase] ?? (phrase in text.talking.picture ? phrase : ""));
      this.say(seat, words);
      setTimeout(
        () => {
          if (this.messages[seat] === words) this.say(seat, "");
        },
        SHOWN_MS + written.length * MS_PER_LETTER,
      );
    }
  }

  private say(seat: number, words: string): void {
    this.messages = { ...this.messages, [seat]: words };
  }
}
