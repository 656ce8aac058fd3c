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
from acesaround.arena.match import BoardKind, Bot, Match, dealer, rng_for
from acesaround.arena.warmup import warm_up
from acesaround.bots import Player
from acesaround.game.events import DealScored
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import Decision, GameState, Kind
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

    `conduct`: the statistics of A, of B, and of the bot that decides before the play of tricks.
    `record`: the game as JSON, if requested.
    """

    board: int
    seating: int
    deals: tuple[DealResult, ...]
    winner: int | None
    conduct: tuple[BotStats, BotStats, BotStats]
    record: str | None = None


def play(match: Match, board: int, seating: int, record: bool = False) -> Leg:
    """Play a leg to its end, even if bots fail."""
    rules = match.rules
    sides = match.seatings[seating]
    who: list[Bot] = [sides[rules.side_of(seat)] for seat in range(rules.seats)]
    conduct = (BotStats(), BotStats(), BotStats())
    recorder = Recorder(rules, [f"bot:{match.bots[bot]}" for bot in who]) if record else None
    with contextlib.ExitStack() as held:
        players = [
            _made(held, match, match.bots[bot], board, f"seat {seat}")
            for seat, bot in enumerate(who)
        ]
        before = [
            _made(held, match, match.before, board, f"seat {seat} before")
            for seat in range(rules.seats if match.before is not None else 0)
        ]
        table = _Table(match, who, players, before, conduct)
        state = game.start(rules, dealer(match, board))
        most = match.max_deals if match.play is BoardKind.GAMES else 1
        scored: list[DealResult] = []
        while state.phase is not None and state.deals < most:
            decision = game.decision(state)
            if isinstance(decision.legal, Deals):
                action: Action = decision.legal.sample(rng_for(match, board, f"deal {state.deals}"))
            else:
                action = table.action(state, decision)
            after, events = game.apply(state, action)
            if recorder is not None:
                recorder.add(state, decision.seat, action, events)
            for event in events:
                if isinstance(event, DealScored):
                    score = event.score
                    scored.append(
                        DealResult(score.change, score.outcome, score.declarer, score.bid)
                    )
            state = after
    return Leg(
        board,
        seating,
        tuple(scored),
        state.winner if match.play is BoardKind.GAMES else None,
        conduct,
        None if recorder is None else encode(recorder.record).decode(),
    )


def _made(
    held: contextlib.ExitStack, match: Match, name: str | None, board: int, what: str
) -> Player:
    """Return a new bot, which is closed at the end of the leg."""
    assert name is not None
    if not bots.judged(name, match.rules):
        bots.judge(match.rules)
    player = bots.make(name, rng_for(match, board, what), match.limit)
    held.callback(_close, player)
    return player


def _close(player: Player) -> None:
    with contextlib.suppress(Exception):  # the leg is complete, so errors do not matter
        bots.close(player)


class _Table:
    """The players of a leg. `before`: the bots that decide before the play of tricks, if any."""

    def __init__(
        self,
        match: Match,
        who: Sequence[Bot],
        players: Sequence[Player],
        before: Sequence[Player],
        conduct: tuple[BotStats, BotStats, BotStats],
    ) -> None:
        self._match, self._who = match, who
        self._players, self._before, self._conduct = players, before, conduct
        self._limits = [None if name in match.programs else match.limit for name in match.bots]

    def action(self, state: GameState, decision: Decision) -> Action:
        """Return the action for this decision."""
        seat = decision.seat
        assert seat is not None
        if self._before:
            if decision.kind is not Kind.PLAY:
                return self._prior(state, decision)
            if any(isinstance(action, Concede) for action in decision.legal):
                # Giving up is not card play, so the bot that bid decides about it.
                action = self._prior(state, decision)
                if isinstance(action, Concede):
                    return action
                cards = ActionList(a for a in decision.legal if not isinstance(a, Concede))
                decision = Decision(seat, decision.kind, cards)
        bot = self._who[seat]
        warm_up(self._match.bots[bot], state, decision)
        name, limit = self._match.bots[bot], self._limits[bot]
        return choose_with_fallback(
            self._players[seat], name, state, decision, self._conduct[bot], limit
        )

    def _prior(self, state: GameState, decision: Decision) -> Action:
        assert decision.seat is not None and self._match.before is not None
        player = self._before[decision.seat]
        return choose_with_fallback(
            player, self._match.before, state, decision, self._conduct[2], None
        )
