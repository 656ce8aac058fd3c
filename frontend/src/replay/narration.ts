// What happened in a step, in sentences: nothing is hidden here, so cards are named.
import { rankLabel, cardName, suitOf } from "../lib/cards";
import type { Replay, ReplayStep } from "../lib/messages";
import type { Card, GameEvent, TableInfo } from "../lib/types";
import { isOwnSide, nameOf, sentence, sideNamesInSentence } from "../lib/narration";
import { text } from "../strings";
import { replayText as t } from "./strings";

const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** The table of a replay, as the parts that show names and scores want it. */
export function tableOf(replay: Replay): TableInfo {
  const seats = replay.names.map((name) => ({
    name,
    person: !name.startsWith("bot:"),
    bot: name.replace(/^bot:/, ""),
    present: true,
    substituted: false,
    failed: false,
    host: false,
    avatar: "",
    silent: false,
  }));
  const none = false;
  return {
    id: replay.table,
    spectators: [],
    lesson: null,
    variant: replay.variant,
    title: replay.title,
    changed_rule_count: 0,
    renege_penalty: false,
    natural: false,
    conventions: false,
    players: replay.players,
    sides: replay.sides,
    partners: replay.partners,
    kitty: 0,
    packet: 1,
    copies: 0,
    nines: none,
    public: none,
    clock: null,
    turn_seconds_left: null,
    you: replay.you,
    host: none,
    seats,
    bots: [],
    started: true,
    over: true,
    paused: none,
    games: replay.game,
    hints_allowed: none,
    claiming_seat: null,
    proposal: null,
    undone: null,
    denied_proposal: null,
    readers: null,
    rematch: [],
    chat: [],
    free_chat: none,
    joining: "open",
    seat_requests: [],
    removed: [],
    seat_lost_by: [],
    links: null,
    allowed: {
      start: none,
      undo: none,
      claim: none,
      rematch: none,
      pause: none,
      resume: none,
      request_hint: none,
      propose_hints: none,
      take_over: none,
      sit: [],
      request_seat: [],
      swap: [],
      substitute_bot: [],
      remove: [],
      give_host: [],
      admit: [],
    },
  };
}

/** One event, or nothing where another one says it. */
function describeEvent(event: GameEvent, table: TableInfo, step: ReplayStep, aloud: boolean): string {
  const who = (seat: number) => [nameOf(table, seat), seat === table.you] as const;
  const list = (cards: Card[]) =>
    cards
      .map((card) => (aloud ? cardName(card) : rankLabel(card) + SIGNS[suitOf(card)]))
      .join(aloud ? ", " : " ");
  switch (event.type) {
    case "Buried":
      return t.buries(...who(event.seat), list(event.cards ?? []));
    case "Decided":
      return event.cards?.length
        ? t.discards(...who(event.seat), list(event.cards))
        : t.keeps(...who(event.seat));
    case "Discarded": // told when it was decided, unless it was too many
      return step.events.some((other) => other.type === "Reneged")
        ? t.discards(...who(event.seat), list(event.cards ?? []))
        : "";
    case "Drew":
      return event.cards?.length ? t.draws(...who(event.seat), list(event.cards)) : "";
    case "DealScored": {
      const { outcome, declarer, bid } = event.score;
      return t.outcome[outcome]?.(declarer === null ? "" : nameOf(table, declarer), bid ?? 0) ?? "";
    }
    case "GameWon": {
      return text.sheet.won(
        sideNamesInSentence(table, event.side),
        isOwnSide(table, event.side),
        table.partners,
      );
    }
    default:
      return sentence(event, table, aloud);
  }
}

export const describeStep = (step: ReplayStep, table: TableInfo, aloud = false) =>
  step.events
    .map((event) => describeEvent(event, table, step, aloud))
    .filter(Boolean)
    .join(" ");

/** What the turning point of the deal is, at its step; nothing at the others. */
export function turningPointAt({ steps, turning_point: point }: Replay, at: number): string {
  const bid = steps[at]?.view.bid;
  return point?.step === at && bid ? t.turning.now(point.is_made, bid) : "";
}
