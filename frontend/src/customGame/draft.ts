// The draft of a custom game: only the values that differ from its base game.
import { NONE, isEqual } from "../form/fieldKind";

export type Values = Record<string, unknown>;

/** Returns the values with one changed. A value equal to the usual one is left out, except in texts such as the title. */
export function setValue(values: Values, usual: Values, path: string, value: unknown): Values {
  const { [path]: _, ...rest } = values;
  return path.includes(".") && isEqual(value, usual[path]) ? rest : { ...rest, [path]: value };
}

/** Returns the values without this field, so that its usual value holds again. */
export function resetValue(values: Values, path: string): Values {
  const { [path]: _, ...rest } = values;
  return rest;
}

/** Returns the values of one section. */
export const sectionValues = (values: Values, part: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([path]) => path.startsWith(`${part}.`)));
export const hasSectionValues = (values: Values, part: string) =>
  Object.keys(sectionValues(values, part)).length > 0;

/** Returns the values with a section switched on or off. When it is on, the values of the base game hold in it. */
export function setSectionUsed(values: Values, usual: Values, part: string, isUsed: boolean): Values {
  const rest = Object.fromEntries(
    Object.entries(values).filter(([path]) => path !== part && !path.startsWith(`${part}.`)),
  );
  return isUsed || usual[part] === NONE ? rest : { ...rest, [part]: NONE };
}

const STORAGE_KEY = "acesaround.draft"; // in the session storage: an unsaved draft survives a reload

/** Stores the draft that was started from this game. `null` removes it. */
export function saveDraft(game: string, values: Values | null) {
  try {
    if (values) sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ game, values }));
    else sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // The browser has no storage: the draft is lost when the page is left.
  }
}

/** Returns the stored draft that was started from this game, or null. */
export function loadDraft(game: string): Values | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null") as {
      game: string;
      values: Values;
    } | null;
    return draft?.game === game ? draft.values : null;
  } catch {
    return null;
  }
}
