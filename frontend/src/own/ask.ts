// What the editor asks of the server.
import { call } from "../lib/api";
import type { Values } from "./draft";
import type { May } from "../form/shape";

export interface Blank {
  path: string;
  label: string;
  says: string;
  may: May;
}
export interface Section {
  part: string; // empty for the top
  label: string;
  says: string;
  may_lack: boolean;
  fields: Blank[];
}
export interface Trouble {
  sentence: string;
  fields: string[];
  line: number | null; // of a file that was opened
}
/** A draft that the server has looked at. With faults it tells no more than these. */
export interface Checked {
  values: Values;
  faults: Trouble[];
  usual: Values; // of its base
  played: string | null; // as which preset of its base: empty, as usual; null, as none
  filled: Values; // all of the game
  changes: string[];
  markdown: string;
  toml: string;
}

/** What is filled in. `words`: how many letters a text may have; `bases`: the games to start from. */
export interface Form {
  sections: Section[];
  words: Record<string, number>;
  bases: string[];
}

export const form = () => call<Form>("/api/sheet");
export const check = (values: Values) => call<Checked>("/api/sheet", { values });
/** Begin with a game, as it is usually played or by house rules. */
export const begin = (game: string, more: { players?: number; options?: Values }) =>
  call<Checked>("/api/sheet", { game, ...more });
export const opened = (file: File) => call<Checked>("/api/sheet/file", file);
export const save = (values: Values, key: string) => call<{ key: string }>("/api/own", { values, key });
export const remove = (key: string) => call<string[]>("/api/own/delete", { key });
export const mine = () => call<{ key: string; sound: boolean }[]>("/api/own");
