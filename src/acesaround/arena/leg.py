"""Legs: plays a board in one seating and returns the result.

The cards, the first dealer and every player's random numbers follow from the match, the board and
the seat, not from the seating. So the seatings of a board differ only in who decides.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import msgspec

from acesaround import bots, game
from acesaround.actions import Action, ActionList, Concede
from acesaround.arena.bot_call import choose_with_fallback
from acesaround.arena.bot_stats import BotStats
from acesaround.arena.match import BoardKind, BotIndex, Match, deserialize, first_dealer_of, rng_for
from acesaround.arena.warmup import warm_up
from acesaround.bots import Player
from acesaround.errors import AcesAroundError, RulesError
from acesaround.game.events import DealScored
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import Decision, DecisionKind, GameState
from acesaround.record.model import encode
from acesaround.record.recorder import Recorder
from acesaround.rules.scoring import Outcome


class DealResult(msgspec.Struct, frozen=True, array_like=True):
    """The end of a deal. `change`: what each side scored; `declarer`: a seat."""

    change: tuple[int, ...]
    outcome: Outcome
    declarer: int | None
    bid: int | None


class Leg(msgspec.Struct, frozen=True):
    """The result of a leg. `winner`: a side, or None if no game was won.

    `bot_stats`: the statistics of A, of B, and of the bot that decides before the play of tricks.
    `record`: the game as JSON, if requested.
    """

    board: int
    seating: int
    deals: tuple[DealResult, ...]
    winner: int | None
    bot_stats: tuple[BotStats, BotStats, BotStats]
    record: str | None = None


def play_leg(match: Match, board: int, seating: int, with_record: bool = False) -> Leg:
    """Play a leg to its end, even if bots fail."""
    rules = match.rules
    sides = match.seatings[seating]
    bot_of_seat: list[BotIndex] = [sides[rules.side_of(seat)] for seat in range(rules.seats)]
    stats = (BotStats(), BotStats(), BotStats())
    recorder = (
        Recorder(rules, [f"bot:{match.bots[bot]}" for bot in bot_of_seat]) if with_record else None
    )
    with contextlib.ExitStack() as stack:
        players = [
            _make_player(stack, match, match.bots[bot], board, f"seat {seat}")
            for seat, bot in enumerate(bot_of_seat)
        ]
        before_play_players = [
            _make_player(stack, match, match.before_play_bot, board, f"seat {seat} before")
            for seat in range(rules.seats if match.before_play_bot is not None else 0)
        ]
        leg_players = _LegPlayers(match, bot_of_seat, players, before_play_players, stats)
        state = game.start(rules, first_dealer_of(match, board))
        max_deals = match.max_deals if match.board_kind is BoardKind.GAMES else 1
        deal_results: list[DealResult] = []
        while state.phase is not None and state.deals < max_deals:
            decision = game.decision(state)
            if isinstance(decision.legal, Deals):
                action: Action = decision.legal.sample(rng_for(match, board, f"deal {state.deals}"))
            else:
                action = leg_players.action(state, decision)
            next_state, events = game.apply(state, action)
            if recorder is not None:
                recorder.add(state, decision.seat, action, events)
            for event in events:
                if isinstance(event, DealScored):
                    score = event.score
                    deal_results.append(
                        DealResult(score.change, score.outcome, score.declarer, score.bid)
                    )
            state = next_state
    return Leg(
        board,
        seating,
        tuple(deal_results),
        state.winner if match.board_kind is BoardKind.GAMES else None,
        stats,
        None if recorder is None else encode(recorder.record).decode(),
    )


def play_serialized(match: bytes, board: int, seating: int, record: bool) -> Leg:
    """Play a leg of a serialized match, in a worker.

    Raises RulesError, which can be pickled, for every AcesAroundError.
    """
    try:
        return play_leg(deserialize(match), board, seating, record)
    except AcesAroundError as error:
        raise RulesError(str(error)) from None


def _make_player(
    stack: contextlib.ExitStack, match: Match, name: str | None, board: int, purpose: str
) -> Player:
    """Return a new bot, which is closed at the end of the leg."""
    assert name is not None
    if not bots.has_hand_weights(name, match.rules):
        bots.measure_hand_weights(match.rules)
    player = bots.make(name, rng_for(match, board, purpose), match.limit_seconds)
    stack.callback(_close_player, player)
    return player


def _close_player(player: Player) -> None:
    with contextlib.suppress(Exception):  # the leg is complete, so errors do not matter
        bots.close(player)


class _LegPlayers:
    """The players of a leg.

    `before_play_players`: the bots that decide before the play of tricks, if any.
    """

    def __init__(
        self,
        match: Match,
        bot_of_seat: Sequence[BotIndex],
        players: Sequence[Player],
        before_play_players: Sequence[Player],
        stats: tuple[BotStats, BotStats, BotStats],
    ) -> None:
        self._match, self._bot_of_seat = match, bot_of_seat
        self._players, self._before_play_players, self._stats = players, before_play_players, stats
        self._limits = [
            None if name in match.programs else match.limit_seconds for name in match.bots
        ]

    def action(self, state: GameState, decision: Decision) -> Action:
        """Return the action for this decision."""
        seat = decision.seat
        assert seat is not None
        if self._before_play_players:
            if decision.kind is not DecisionKind.PLAY:
                return self._choose_before_play(state, decision)
            if any(isinstance(action, Concede) for action in decision.legal):
                # Giving up is not card play, so the bot that bid decides about it.
                action = self._choose_before_play(state, decision)
                if isinstance(action, Concede):
                    return action
                cards = ActionList(a for a in decision.legal if not isinstance(a, Concede))
                decision = Decision(seat, decision.kind, cards)
        bot = self._bot_of_seat[seat]
        warm_up(self._match.bots[bot], state, decision)
        name, limit = self._match.bots[bot], self._limits[bot]
        return choose_with_fallback(
            self._players[seat], name, state, decision, self._stats[bot], limit
        )

    def _choose_before_play(self, state: GameState, decision: Decision) -> Action:
        assert decision.seat is not None and self._match.before_play_bot is not None
        player = self._before_play_players[decision.seat]
        return choose_with_fallback(
            player, self._match.before_play_bot, state, decision, self._stats[2], None
        )
