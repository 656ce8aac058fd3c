// Score, result and turn of a table in words, for the lists of tables.
import type { TableListed } from "../lib/messages";
import { nameOfBot } from "../lib/narration";
import { text } from "../strings";

const t = text.home;
const MAX_LISTED_SIDES = 3; // with more sides, only one's own score and the best other one are shown

/** Who plays for a side, this person first, and bots by the names that they have at the table. */
function side(one: TableListed, seats: readonly number[], you: number | null): string {
  const people = one.seats.filter((name): name is string => name !== null);
  return [...seats]
    .sort((a, b) => Number(b === you) - Number(a === you))
    .map((seat) => (seat === you ? text.you : (one.seats[seat] ?? nameOfBot(one.players, people, seat))))
    .join(text.and);
}

/** The score of the game that is played or was played last; nothing before its first deal is over. */
export function scoreLine(one: TableListed): string {
  const game = one.game;
  if (!game?.deals || !game.scores.length) return "";
  const own = game.you === null ? -1 : game.sides.findIndex((seats) => seats.includes(game.you!));
  if (game.sides.length > MAX_LISTED_SIDES)
    return own < 0
      ? t.best(Math.max(...game.scores))
      : t.against(game.scores[own]!, Math.max(...game.scores.filter((_, at) => at !== own)));
  return game.sides
    .map((seats, at) => ({ words: t.scored(side(one, seats, game.you), game.scores[at]!), own: at === own }))
    .sort((a, b) => Number(b.own) - Number(a.own))
    .map(({ words }) => words)
    .join(" · ");
}

/** How a game that is over ended for this person. */
export function gameResult(one: TableListed): string {
  const game = one.game;
  if (!game?.winner) return "";
  if (game.you === null) return t.wonBy(side(one, game.winner, null));
  return game.winner.includes(game.you) ? t.won : t.lost;
}

/** Whose turn it is, if it is a person's. */
export function turnLine(one: TableListed): string {
  if (one.turn == null || one.over) return "";
  if (one.game && one.turn === one.game.you) return t.yourTurn;
  const who = one.seats[one.turn];
  return who ? t.turnOf(who) : "";
}
