// What the page asks over HTTP. A failure becomes an Error with a sentence for people.
import { reportReachability } from "../offline/connectivity.svelte";
import type { May } from "../form/shape";
import { text } from "../strings";
import type { Games, Replay, Why } from "./messages";

/** A house option as the form shows it. */
export interface Option {
  name: string;
  summary: string;
  may: May; // what can be chosen or written
  preset: unknown;
}
export interface Variant {
  variant: string;
  title: string;
  about: string; // a line on it
  first: boolean; // it is offered to who has chosen none yet
  players: number[];
  usual: number; // how many play it if nobody says otherwise
  partners: boolean;
  sides: number;
  cards: number; // in the deck
  hand: number;
  kitty: number;
  passed: number; // cards between partners
  redrawn: boolean; // after the auction
  stock: boolean; // from which cards are drawn with each trick
  options: Option[];
  presets: Record<string, Preset>; // by their names
}
/** House rules that have a name. */
export interface Preset {
  title: string;
  description: string;
  options: Record<string, unknown>;
}
/** A table in a list. `seats`: the names of persons; `present`: how many are connected. */
export interface Listed {
  id: string;
  created: number;
  changed: number; // milliseconds, as in JavaScript
  variant: string;
  title: string;
  players: number;
  public: boolean;
  host: string;
  seats: (string | null)[];
  started: boolean;
  over: boolean;
  games?: number; // not in lists written before it was counted
  present: number;
  game?: GameStatus | null; // how one's own table stands; null before its first game
  turn?: number | null; // the seat of a person who is to act
  shelf?: ListFolder; // of one's own table
}
/** The game that a table plays or has played last. `you`: the seat this person has in it. */
export interface GameStatus {
  deals: number;
  sides: number[][];
  scores: number[];
  winner: number[] | null;
  you: number | null;
}
/** Where a table lies in one's list: on top, put away, or nowhere. */
export type ListFolder = "" | "archived" | "deleted";
export interface Bot {
  name: string;
  summary: string;
  usual: boolean; // whom people play against unless they choose another
}

export const call = async <T>(path: string, body?: unknown) => (await asked<T>(path, body))[0];

/** What the server answers, and whether it names a page after this one. */
async function asked<T>(path: string, body?: unknown): Promise<[T, boolean]> {
  let answer: Response;
  try {
    answer = await fetch(
      path,
      body === undefined
        ? {}
        : {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: body instanceof Blob ? body : JSON.stringify(body),
          },
    );
  } catch {
    reportReachability(false);
    throw new Error(text.unreachable);
  }
  reportReachability(true);
  const found = await answer.json().catch(() => null);
  if (!answer.ok) throw new Error(found?.error ?? found?.sentence ?? text.failed(answer.status));
  return [found as T, /rel="next"/.test(answer.headers.get("link") ?? "")];
}

export const profile = () => call<{ name: string | null; avatar: string }>("/api/me");
/** Be called so, and drawn so; without an avatar as before. */
export const rename = (name: string, avatar?: string) =>
  call<{ name: string; avatar: string }>("/api/me", { name, avatar });
export const variants = () => call<Variant[]>("/api/variants");
export const bots = () => call<Bot[]>("/api/bots");
export const myTables = () => call<Listed[]>("/api/mine");
/** Put one of one's tables elsewhere; then the list. */
export const moveTable = (table: string, shelf: ListFolder) => call<Listed[]>("/api/mine", { table, shelf });

/** The first pages of the open tables, in the order in which they are to be shown. */
export async function lobby(pages: number): Promise<{ tables: Listed[]; more: boolean }> {
  const tables = new Map<string, Listed>(); // a table may move from page to page between two questions
  let more = true;
  for (let page = 1; more && page <= pages; page++) {
    const [found, next] = await asked<Listed[]>(`/api/tables?page=${page}`);
    for (const one of found) tables.set(one.id, one);
    more = next;
  }
  return { tables: [...tables.values()], more };
}

export interface NewTable {
  variant: string;
  players: number;
  options: Record<string, unknown>;
  public: boolean;
  clock: number | null;
  bots: string;
  start: boolean;
}
export const createTable = (wanted: NewTable) => call<{ id: string }>("/api/tables", wanted);

export function rules(variant: string, players: number, options: Record<string, unknown>) {
  const query = new URLSearchParams({ variant, players: String(players), options: JSON.stringify(options) });
  return call<{ markdown: string }>(`/api/rules?${query}`);
}

/** The rules of a game as it is usually played. */
export const usualRules = (variant: string) =>
  call<{ title: string; markdown: string }>(`/api/rules?${new URLSearchParams({ variant })}`);

const table = (id: string) => `/api/tables/${encodeURIComponent(id)}`;
/** `changes`: in what a table plays differently from the game `base`, in sentences. */
export const tableRules = (id: string) =>
  call<{ base: string; changes: string[]; markdown: string }>(`${table(id)}/rules`);

/** How others come to a table. `alone`: the link is good on this machine only. */
export interface Invitation {
  link: string;
  qr: string;
  alone: boolean;
}
export const invitation = (id: string) => call<Invitation>(`${table(id)}/invitation`);
export const games = (id: string) => call<Games>(`${table(id)}/games`);
export const replay = (id: string, game: number, deal: number) =>
  call<Replay>(`${table(id)}/replay?game=${game}&deal=${deal}`);
export const why = (id: string, game: number, deal: number, step: number) =>
  call<Why>(`${table(id)}/why?game=${game}&deal=${deal}&step=${step}`);

/** The game of that name, or the one that is offered first. */
export const gameOf = (games: Variant[], name?: string) =>
  games.find((one) => one.variant === name) ?? games.find((one) => one.first) ?? games[0];

/** The bot that was chosen last, if it is still here, or the usual one. */
export const botOf = (bots: Bot[], last?: string) =>
  (bots.find((one) => one.name === last) ?? bots.find((one) => one.usual) ?? bots[0]!).name;
