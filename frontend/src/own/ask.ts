// What the editor asks of the server.
import { call } from "../lib/api";
import type { CheckDraftRequest, CheckedDraft, GameSaved, OwnGameListed, SheetForm } from "../lib/messages";
import type { Values } from "./draft";

export const form = () => call<SheetForm>("/api/sheet");
export const check = (values: Values) => call<CheckedDraft>("/api/sheet", { values });
/** Begin with a game, as it is usually played or by house rules. */
export const begin = (game: string, more: Pick<CheckDraftRequest, "players" | "options">) =>
  call<CheckedDraft>("/api/sheet", { game, ...more });
export const opened = (file: File) => call<CheckedDraft>("/api/sheet/file", file);
export const save = (values: Values, key: string) => call<GameSaved>("/api/own", { values, key });
export const remove = (key: string) => call<string[]>("/api/own/delete", { key });
export const mine = () => call<OwnGameListed[]>("/api/own");
