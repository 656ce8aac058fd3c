// A game that is being made: the values it says, and what they become with those of its base.
import { NONE, same } from "../form/shape";

export type Values = Record<string, unknown>;

/** Those values with another one. What is as usual is not said, but for words that name the game. */
export function put(values: Values, usual: Values, path: string, value: unknown): Values {
  const { [path]: _, ...rest } = values;
  return path.includes(".") && same(value, usual[path]) ? rest : { ...rest, [path]: value };
}

/** Those values with a field as usual again. */
export function reset(values: Values, path: string): Values {
  const { [path]: _, ...rest } = values;
  return rest;
}

/** What those values say in a section. */
export const of = (values: Values, part: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([path]) => path.startsWith(`${part}.`)));
export const says = (values: Values, part: string) => Object.keys(of(values, part)).length > 0;

/** Those values with a section or without it; with it, what the base has there, if it has any. */
export function toggle(values: Values, usual: Values, part: string, there: boolean): Values {
  const rest = Object.fromEntries(
    Object.entries(values).filter(([path]) => path !== part && !path.startsWith(`${part}.`)),
  );
  return there || usual[part] === NONE ? rest : { ...rest, [part]: NONE };
}

const PLACE = "acesaround.draft"; // of this tab: what is not saved yet outlives a step back and a reload

/** Keep a draft of what was begun from a game; null: there is none any more. */
export function keepDraft(game: string, values: Values | null) {
  try {
    if (values) sessionStorage.setItem(PLACE, JSON.stringify({ game, values }));
    else sessionStorage.removeItem(PLACE);
  } catch {
    // A browser that keeps nothing: then a draft lives as long as its page.
  }
}

/** The draft that was begun from that game, if there is one. */
export function keptDraft(game: string): Values | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? "null") as {
      game: string;
      values: Values;
    } | null;
    return kept?.game === game ? kept.values : null;
  } catch {
    return null;
  }
}
