// Finds the games that fit the answers of the quiz.
import type { VariantForm } from "../lib/messages";

export const FEATURES = ["kitty", "passed", "stock", "redrawn", "deep"] as const;
export type Feature = (typeof FEATURES)[number];
export interface Answers {
  people: number; // 5: or more
  partners: boolean | null; // null: not sure
  feature: Feature | null; // null: none of them
}

/** Whether a game has what people remember of it. */
export const hasFeature = (game: VariantForm, feature: Feature): boolean =>
  ({
    kitty: game.kitty_size > 0,
    passed: game.passed_cards > 0,
    stock: game.has_stock,
    redrawn: game.has_redraw,
    deep: game.deck_size > 48,
  })[feature];

const fits = (game: VariantForm, people: number) =>
  people < 5 ? game.players.includes(people) : game.players.some((n) => n >= people);

/** The games that fit the answers best, in the order of the list. */
export function matchingVariants(
  games: readonly VariantForm[],
  { people, partners, feature }: Answers,
): VariantForm[] {
  const points = (game: VariantForm) =>
    (fits(game, people) ? 2 : 0) +
    (partners === null ? 0 : game.has_partners === partners ? 2 : -1) +
    (feature === null
      ? FEATURES.some((one) => hasFeature(game, one))
        ? 0
        : 1
      : hasFeature(game, feature)
        ? 3
        : 0);
  const most = Math.max(...games.map(points));
  return games.filter((game) => points(game) === most);
}

/** Whether so many play some games with partners and others alone. */
export const mayPartner = (games: readonly VariantForm[], people: number) =>
  new Set(games.filter((game) => fits(game, people)).map((game) => game.has_partners)).size > 1;

/** What the games differ in that so many play. */
export const featuresOf = (games: readonly VariantForm[], people: number): Feature[] =>
  FEATURES.filter((feature) => games.some((game) => fits(game, people) && hasFeature(game, feature)));
