"""Whole games between bots: independent, and the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import msgspec

from acesaround import bots, game
from acesaround.bots.fallback import Failures, WithFallback
from acesaround.bots.player import Player, SeesState, close
from acesaround.errors import RulesError
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import GameState
from acesaround.game.view import view_for
from acesaround.record.model import GameRecord
from acesaround.record.recorder import Recorder
from acesaround.rules import Rules

MAX_DEALS = 1000
"""Where a game is left unfinished: weak bots under harsh house rules may lose points for ever."""


class FinishedGame(msgspec.Struct, frozen=True):
    """A finished game (`winner` None: left unfinished) and, if asked for, its record."""

    number: int
    state: GameState
    actions: int
    record: GameRecord | None


def bots_by_seat(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """One bot a seat in seat order; a shorter list repeats round the table. Raises RulesError."""
    if len(names) > seats:
        raise RulesError(f"{len(names)} bots were named for {seats} seats: name at most {seats}.")
    return tuple(bots.check(names[seat % len(names)]) for seat in range(seats))


def play(
    rules: Rules,
    players: Sequence[Player],
    rng: random.Random,
    recorder: Recorder | None = None,
    max_deals: int = MAX_DEALS,
) -> tuple[GameState, int]:
    """Play one game; `rng` chooses the first dealer and shuffles. Returns its end and actions."""
    state = game.start(rules, game.first_dealer(rules, rng))
    actions = 0
    cheats = {seat: who for seat, who in enumerate(players) if isinstance(who, SeesState)}
    while state.phase is not None and state.deals < max_deals:
        decision = game.decision(state)
        seat = decision.seat
        if seat is None:
            assert isinstance(decision.legal, Deals)
            action = decision.legal.sample(rng)
            after, events = game.apply(state, action)
        else:
            if seat in cheats:
                cheats[seat].observe_state(state)
            choice = players[seat].choose(view_for(state, seat), decision)
            after, events = game.apply(state, choice)
            actions += 1
            action = choice  # type: ignore[assignment]  # one name for the recorder's sake
        if recorder is not None:
            recorder.add(state, seat, action, events)
        state = after
    return state, actions


def games(
    rules: Rules,
    names: Sequence[str],
    number: int,
    seed: int,
    *,
    record: bool = False,
    max_deals: int = MAX_DEALS,
    failures: Failures | None = None,
) -> Iterator[FinishedGame]:
    """That many games, one after the other. Each has its own random streams from seed and number.

    `names`: one bot a seat (see `seated`). `failures` counts what bots do wrong, and the safest
    action is done instead; without it they raise.
    """
    for name in names:
        bots.check(name, rules)
    if not all(bots.judged(name, rules) for name in names):
        bots.judge(rules)
    for at in range(number):
        players: list[Player] = [
            bots.make(name, random.Random(f"{seed}/{at}/seat {seat}"))
            for seat, name in enumerate(names)
        ]
        if failures is not None:
            players = [
                WithFallback(player, failures.record_failure, failures.record_success)
                for player in players
            ]
        recorder = (
            Recorder(rules, [f"bot:{name}" for name in names], compact=True) if record else None
        )
        rng = random.Random(f"{seed}/{at}/cards")
        try:
            state, actions = play(rules, players, rng, recorder, max_deals)
        finally:
            for player in players:
                close(player)
        yield FinishedGame(at, state, actions, recorder.record if recorder else None)
