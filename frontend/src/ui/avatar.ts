// The default avatars of people and bots.
import { nameOf, type Seated } from "../lib/narration";
import { text } from "../strings";

export const COUNT = 16;

/** Returns the number of the default avatar for a name. Each bot has one of its own. */
export function defaultAvatar(name: string): number {
  const bot = text.bots.indexOf(name);
  if (bot >= 0) return (bot * 7 + 3) % COUNT;
  let mixed = 0x811c9dc5; // FNV-1a, its upper bits mixed in
  for (const letter of name) mixed = Math.imul(mixed ^ letter.codePointAt(0)!, 0x01000193);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % COUNT;
}

const SIGNS = Object.keys(text.avatar.names); // in the order of the drawings

/** Returns the avatars at a table by seat. Whoever has chosen none gets one that is still free. */
export function avatarsAt(table: Seated): string[] {
  const taken = new Set(table.seats.map((one) => one.avatar));
  return table.seats.map(({ person, name, avatar }, seat) => {
    if (avatar) return avatar;
    let at = defaultAvatar(person ? name : nameOf(table, seat));
    while (taken.has(SIGNS[at]!) && taken.size < COUNT) at = (at + 1) % COUNT;
    taken.add(SIGNS[at]!);
    return SIGNS[at]!;
  });
}
