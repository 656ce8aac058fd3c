// Which game somebody knows, by three answers.
import type { VariantForm } from "../lib/messages";

export const MARKS = ["kitty", "passed", "stock", "redrawn", "deep"] as const;
export type Mark = (typeof MARKS)[number];
export interface Answers {
  people: number; // 5: or more
  partners: boolean | null; // null: not sure
  mark: Mark | null; // null: none of them
}

/** Whether a game has what people remember of it. */
export const hasFeature = (game: VariantForm, mark: Mark): boolean =>
  ({
    kitty: game.kitty > 0,
    passed: game.passed > 0,
    stock: game.stock,
    redrawn: game.redrawn,
    deep: game.cards > 48,
  })[mark];

const fits = (game: VariantForm, people: number) =>
  people < 5 ? game.players.includes(people) : game.players.some((n) => n >= people);

/** The games that fit the answers best, in the order of the list. */
export function matchingVariants(
  games: readonly VariantForm[],
  { people, partners, mark }: Answers,
): VariantForm[] {
  const points = (game: VariantForm) =>
    (fits(game, people) ? 2 : 0) +
    (partners === null ? 0 : game.partners === partners ? 2 : -1) +
    (mark === null ? (MARKS.some((one) => hasFeature(game, one)) ? 0 : 1) : hasFeature(game, mark) ? 3 : 0);
  const most = Math.max(...games.map(points));
  return games.filter((game) => points(game) === most);
}

/** Whether so many play some games with partners and others alone. */
export const mayPartner = (games: readonly VariantForm[], people: number) =>
  new Set(games.filter((game) => fits(game, people)).map((game) => game.partners)).size > 1;

/** What the games differ in that so many play. */
export const featuresOf = (games: readonly VariantForm[], people: number): Mark[] =>
  MARKS.filter((mark) => games.some((game) => fits(game, people) && hasFeature(game, mark)));
