"""Complete games between bots: independent, and reproducible from the seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import msgspec

from acesaround import bots, game
from acesaround.bots.fallback_player import Failures, WithFallback
from acesaround.bots.player import OmniscientPlayer, Player, close
from acesaround.errors import RulesError
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import GameState
from acesaround.game.view import view_for
from acesaround.record.model import GameRecord
from acesaround.record.recorder import Recorder
from acesaround.rules import Rules

MAX_DEALS = 1000
"""The limit of deals, because weak bots under harsh house rules may lose points forever."""


class FinishedGame(msgspec.Struct, frozen=True):
    """A finished game (without a winner: stopped at the limit) and, if requested, its record."""

    number: int
    state: GameState
    actions: int
    record: GameRecord | None


def bots_by_seat(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return one bot a seat in seat order; a shorter list repeats round the table.

    Raise RulesError.
    """
    if len(names) > seats:
        raise RulesError(f"{len(names)} bots were named for {seats} seats: name at most {seats}.")
    return tuple(bots.check(names[seat % len(names)]) for seat in range(seats))


def play_game(
    rules: Rules,
    players: Sequence[Player],
    rng: random.Random,
    recorder: Recorder | None = None,
    max_deals: int = MAX_DEALS,
) -> tuple[GameState, int]:
    """Play one game; return its final state and the number of actions by seats.

    `rng` draws the first dealer and shuffles.
    """
    state = game.start(rules, game.first_dealer(rules, rng))
    action_count = 0
    state_watchers = {
        seat: player for seat, player in enumerate(players) if isinstance(player, OmniscientPlayer)
    }
    while state.phase is not None and state.deals < max_deals:
        decision = game.decision(state)
        seat = decision.seat
        if seat is None:
            assert isinstance(decision.legal, Deals)
            action = decision.legal.sample(rng)
            next_state, events = game.apply(state, action)
        else:
            if seat in state_watchers:
                state_watchers[seat].observe_state(state)
            choice = players[seat].choose(view_for(state, seat), decision)
            next_state, events = game.apply(state, choice)
            action_count += 1
            action = choice  # type: ignore[assignment]  # one name for the recorder's sake
        if recorder is not None:
            recorder.add(state, seat, action, events)
        state = next_state
    return state, action_count


def play_games(
    rules: Rules,
    names: Sequence[str],
    count: int,
    seed: int,
    *,
    record: bool = False,
    max_deals: int = MAX_DEALS,
    failures: Failures | None = None,
) -> Iterator[FinishedGame]:
    """Play that many games one by one. Each has random generators from the seed and its number.

    `names`: one bot a seat (see `bots_by_seat`). `failures` counts what bots do wrong, and the
    safest action is done instead; without it a failing bot raises.
    """
    for name in names:
        bots.check(name, rules)
    if not all(bots.has_hand_weights(name, rules) for name in names):
        bots.measure_hand_weights(rules)
    for index in range(count):
        players: list[Player] = [
            bots.make(name, random.Random(f"{seed}/{index}/seat {seat}"))
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
        rng = random.Random(f"{seed}/{index}/cards")
        try:
            state, action_count = play_game(rules, players, rng, recorder, max_deals)
        finally:
            for player in players:
                close(player)
        yield FinishedGame(index, state, action_count, recorder.record if recorder else None)
