// The requests of the custom-game page to the server.
import { call } from "../lib/api";
import type { CheckDraftRequest, CheckedDraft, GameSaved, OwnGameListed, SheetForm } from "../lib/messages";
import type { Values } from "./draft";

export const fetchForm = () => call<SheetForm>("/api/sheet");
export const checkDraft = (values: Values) => call<CheckedDraft>("/api/sheet", { values });
/** Returns the values of a game, with its usual rules or with house rules. */
export const startFromGame = (game: string, more: Pick<CheckDraftRequest, "players" | "options">) =>
  call<CheckedDraft>("/api/sheet", { game, ...more });
export const readSheetFile = (file: File) => call<CheckedDraft>("/api/sheet/file", file);
export const saveGame = (values: Values, key: string) => call<GameSaved>("/api/own", { values, key });
export const deleteGame = (key: string) => call<string[]>("/api/own/delete", { key });
export const fetchMyGames = () => call<OwnGameListed[]>("/api/own");
