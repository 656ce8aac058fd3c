// What the page asks over HTTP. A failure becomes an Error with a sentence for people.
import { reportReachability } from "../offline/connectivity.svelte";
import { text } from "../strings";
import type {
  BotListed,
  ErrorAnswer,
  GameList,
  Invitation,
  MoveTableRequest,
  OpenTableRequest,
  Profile,
  Replay,
  RulesPage,
  SavedProfile,
  ListSection,
  TableListed,
  TableOpened,
  TableRules,
  VariantForm,
  StepExplanation,
} from "./messages";

/** Why the server refuses something, and what of it belongs to which field of a form. */
export class RefusedError extends Error {
  constructor({ error, faults }: ErrorAnswer) {
    super(error);
    this.faults = faults;
  }
  faults: ErrorAnswer["faults"];
}

export const call = async <T>(path: string, body?: unknown) => (await fetchAnswer<T>(path, body))[0];

/** What the server answers, and whether it names a page after this one. */
async function fetchAnswer<T>(path: string, body?: unknown): Promise<[T, boolean]> {
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
  if (!answer.ok) throw found?.error ? new RefusedError(found) : new Error(text.failed(answer.status));
  return [found as T, /rel="next"/.test(answer.headers.get("link") ?? "")];
}

export const profile = () => call<Profile>("/api/me");
/** Changes the display name and, if given, the avatar. */
export const rename = (name: string, avatar?: string) => call<SavedProfile>("/api/me", { name, avatar });
export const variants = () => call<VariantForm[]>("/api/variants");
export const bots = () => call<BotListed[]>("/api/bots");
export const myTables = () => call<TableListed[]>("/api/mine");
/** Archives, restores or deletes one of the person's tables. Returns the new list. */
export const moveTable = (table: string, section: ListSection) =>
  call<TableListed[]>("/api/mine", { table, list_section: section } satisfies MoveTableRequest);

/** The first pages of the open tables, in the order in which they are to be shown. */
export async function lobby(pages: number): Promise<{ tables: TableListed[]; more: boolean }> {
  const tables = new Map<string, TableListed>(); // a table may move from page to page between two questions
  let more = true;
  for (let page = 1; more && page <= pages; page++) {
    const [found, next] = await fetchAnswer<TableListed[]>(`/api/tables?page=${page}`);
    for (const one of found) tables.set(one.id, one);
    more = next;
  }
  return { tables: [...tables.values()], more };
}

export const createTable = (wanted: OpenTableRequest) => call<TableOpened>("/api/tables", wanted);

export function rules(variant: string, players: number, options: Record<string, unknown>) {
  const query = new URLSearchParams({ variant, players: String(players), options: JSON.stringify(options) });
  return call<RulesPage>(`/api/rules?${query}`);
}

/** The rules of a game as it is usually played. */
export const usualRules = (variant: string) =>
  call<RulesPage>(`/api/rules?${new URLSearchParams({ variant })}`);

const table = (id: string) => `/api/tables/${encodeURIComponent(id)}`;
export const tableRules = (id: string) => call<TableRules>(`${table(id)}/rules`);

export const invitation = (id: string) => call<Invitation>(`${table(id)}/invitation`);
export const games = (id: string) => call<GameList>(`${table(id)}/games`);
export const replay = (id: string, game: number, deal: number) =>
  call<Replay>(`${table(id)}/replay?game=${game}&deal=${deal}`);
export const why = (id: string, game: number, deal: number, step: number) =>
  call<StepExplanation>(`${table(id)}/why?game=${game}&deal=${deal}&step=${step}`);

/** The game of that name, or the one that is offered first. */
export const gameOf = (games: VariantForm[], name?: string) =>
  games.find((one) => one.variant === name) ?? games.find((one) => one.is_default) ?? games[0];

/** The bot that was chosen last, if it is still here, or the usual one. */
export const botOf = (bots: BotListed[], last?: string) =>
  (bots.find((one) => one.name === last) ?? bots.find((one) => one.is_default) ?? bots[0]!).name;
