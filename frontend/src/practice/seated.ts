// The seats of a position, as the functions that name them want them.
import type { Seated } from "../lib/narration";
import type { PracticePosition } from "../lib/messages";

export function seatedAt({ names, players, seat, sides, partners }: PracticePosition): Seated {
  const seats = names.map((name) => ({
    name,
    person: !name.startsWith("bot:"),
    bot: name.replace(/^bot:/, ""),
    present: true,
    substituted: false,
    failed: false,
    host: false,
    avatar: "",
    silent: false,
  }));
  return { players, you: seat, seats, sides, partners, packet: 1 };
}

/** The seats of a deal in turn from one of them. */
export function inTurn(players: readonly number[], from: number): number[] {
  const at = Math.max(0, players.indexOf(from));
  return [...players.slice(at), ...players.slice(0, at)];
}
