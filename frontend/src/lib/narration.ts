// Names of seats and sides as one person reads them, and a sentence for each event.
import { listed, text } from "../strings";
import { rankLabel, cardName, suitOf } from "./cards";
import type { Card, Choice, GameEvent, Meld, TableInfo, UndoneActionInfo } from "./types";

export type Seated = Pick<TableInfo, "players" | "you" | "seats" | "sides" | "partners" | "packet">;

/** The name of a seat; a bot has one of its own. */
export function nameOf(table: Seated, seat: number): string {
  const info = table.seats[seat];
  if (seat === table.you) return text.you;
  return info?.person ? info.name : botName(table, seat);
}

const botName = ({ players, seats }: Seated, seat: number) =>
  nameOfBot(
    players,
    seats.flatMap((one) => (one.person ? [one.name] : [])),
    seat,
  );

/** The name of a seat's bot: none that one of these people bears. */
export function nameOfBot(players: number, people: readonly string[], seat: number): string {
  const borne = people.map((name) => name.toLowerCase());
  const own = text.bots.filter((_, at) => at % players === seat % players);
  return own.find((name) => !borne.includes(name.toLowerCase())) ?? `${own[0]} (${text.bot})`;
}

/** The names of seats in a sentence, as in `Ada, Ben and Cleo`. */
export const namesOf = (table: Seated, seats: readonly number[]) =>
  listed(seats.map((seat) => nameOf(table, seat)));

/** Returns the token in the link to the replay of a table. It does not lead to the table itself. */
export const replayToken = ({ id, links }: TableInfo) => links?.replay?.slice(3) ?? id;

/** The number of a seat's side. */
export const sideOf = (table: Seated, seat: number) => table.sides.findIndex((seats) => seats.includes(seat));

/** Whether a side is this person's. */
export const isOwnSide = (table: Seated, side: number) =>
  table.you !== null && table.sides[side]!.includes(table.you);

/** The names of a side's seats, one's own first. */
export const sideNames = (table: Seated, side: number) =>
  [...table.sides[side]!]
    .sort((a, b) => Number(b === table.you) - Number(a === table.you))
    .map((seat) => nameOf(table, seat));
export const sideName = (table: Seated, side: number) => sideNames(table, side).join(text.and);
/** The same in a sentence: `Ada and Ben`. */
export const sideNamesInSentence = (table: Seated, side: number) => listed(sideNames(table, side));

/** The names of a seat's partners, in a sentence. */
export const listedPartners = (table: Seated, seat: number) =>
  namesOf(
    table,
    table.sides[sideOf(table, seat)]!.filter((one) => one !== seat),
  );

/** Melds by what they are worth. */
export const bestFirst = (melds: readonly Meld[]) => [...melds].sort((a, b) => b.points - a.points);

const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** Returns a card as a short label, or in words for screen readers. */
const named = (card: Card, aloud: boolean) =>
  aloud ? cardName(card) : rankLabel(card) + SIGNS[suitOf(card)];

/** Returns a sentence for an event, or an empty text if none is needed. */
export function sentence(event: GameEvent, table: Seated, aloud = false): string {
  const who = (seat: number) => [nameOf(table, seat), seat === table.you] as const;
  const mid = (seat: number) => (seat === table.you ? text.youMid : nameOf(table, seat));
  const list = (cards: Card[]) => cards.map((card) => named(card, aloud)).join(aloud ? ", " : " ");
  const says = text.says;
  switch (event.type) {
    case "Dealt":
      return (
        says.deals(...who(event.dealer)) +
        (event.upcard ? " " + says.upcard(named(event.upcard, aloud), text.suits[suitOf(event.upcard)]) : "")
      );
    case "BidMade":
      return says.bids(...who(event.seat), event.points);
    case "Passed":
      return says.passes(...who(event.seat));
    case "Declared":
      return (event.forced ? says.declaredForced : says.declared)(...who(event.seat), event.points);
    case "ThrownIn":
      return says.thrownIn;
    case "KittyShown":
      return says.kitty(...who(event.seat), list(event.cards));
    case "Buried":
      return says.buries(...who(event.seat), event.number);
    case "TrumpNamed":
      return says.trump(...who(event.seat), text.suits[event.suit]);
    case "NoMarriage":
      return says.noMarriage(...who(event.seat));
    case "Given":
      return says.gives(
        ...who(event.seat),
        event.cards ? list(event.cards) : text.count(event.number, "card"),
        mid(event.to),
      );
    case "Decided":
      return says.decides(...who(event.seat));
    case "Discarded":
      return says.discards(...who(event.seat), event.number);
    case "Drew":
      return event.seat === table.you && event.cards?.length ? says.draws(list(event.cards)) : "";
    case "UpcardDrawn":
      return says.drawsUpcard(...who(event.seat), named(event.card, aloud));
    case "Melded":
      return event.points ? says.melds(...who(event.seat), event.points) : "";
    case "MeldLaid":
      return says.lays(...who(event.seat), event.meld.name, event.meld.points);
    case "NineTurned":
      return says.turnsNine(...who(event.seat), list(event.meld.cards), event.meld.points);
    case "UpcardExchanged":
      return says.exchanges(...who(event.seat), named(event.taken, aloud), named(event.left, aloud));
    case "Played":
      return says.plays(...who(event.seat), named(event.card, aloud));
    case "TrickWon":
      return says.wins(...who(event.seat), event.bonus ? `${event.points} + ${event.bonus}` : event.points);
    case "Conceded":
      return says.concedes(...who(event.seat));
    case "Reneged":
      return says.reneges(...who(event.seat), event.rule);
    default:
      return "";
  }
}

/** A move that was taken back. */
export function takenBack({ seat, event }: UndoneActionInfo, table: Seated, aloud = false): string {
  const who = [nameOf(table, seat), seat === table.you] as const;
  const says = text.says;
  switch (event.type) {
    case "Played":
      return says.takesBackCard(...who, named(event.card, aloud));
    case "BidMade":
      return says.takesBackBid(...who, event.points);
    case "Passed":
      return says.takesBackPass(...who);
    default:
      return says.takesBack(...who);
  }
}

/** An action as in a record, as a thing to do. */
export function describeAction(action: Choice, aloud = false): string {
  const t = text.tried;
  switch (action[0]) {
    case "play":
      return named(action[1], aloud);
    case "bid":
      return t.bids(action[1]);
    case "trump":
      return text.suits[action[1]];
    case "pass":
      return t.pass;
    case "concede":
      return t.concede;
    default:
      return action[1].map((card) => named(card, aloud)).join(aloud ? ", " : " ") || t.none;
  }
}

/** The cards that an action names. */
export function cardsOf(action: Choice): Card[] {
  switch (action[0]) {
    case "play":
      return [action[1]];
    case "bury":
    case "give":
    case "discard":
    case "meld":
      return action[1];
    default:
      return [];
  }
}

/** A reason, the names of seats in their places. */
export const reason = (parts: readonly (string | number)[], table: Seated) =>
  text.first(parts.map((part) => (typeof part === "number" ? nameOf(table, part) : part)).join(""));

/** A sentence as it is heard: cards by name. */
export const aloud = (words: string) =>
  words.replace(/(10|[AKQJ9])([♠♥♦♣])/g, (_, rank: string, sign: string) =>
    cardName(`${rank === "10" ? "T" : rank}${"SHDC"["♠♥♦♣".indexOf(sign)]}` as Card),
  );

/** Whether two actions are one: the order in which cards were chosen does not matter. */
export const sameChoice = (one: Choice, other: Choice) =>
  JSON.stringify([one[0], [one[1]].flat().sort()]) === JSON.stringify([other[0], [other[1]].flat().sort()]);
