"""The pace of a bot does not reveal whether it had a choice, even to a trained attacker.

Time is that of the event loop, and passes as soon as nothing else is to do.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

import pytest

from acesaround import game
from acesaround.game.state import Playing
from acesaround.server.bots.dispatch import BotDispatcher
from acesaround.server.bots.thinking_time_mask import ThinkingTimeMask
from acesaround.server.live.live_table import LiveTable
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import BotDelays
from acesaround.server.table_client import TableClient
from acesaround.store import Store
from acesaround.table import Config, Entry, Person, Table, automatic_entry, begin, fold
from acesaround.table import entries as log
from tests.server.clock import run_without_waiting

ANN = Person("a1", "Ann")


class _NullStore(Store):
    """A store that saves nothing."""

    def __init__(self) -> None:
        pass

    def now(self) -> int:
        return 0

    async def append(self, *_: Any, **__: Any) -> None:
        return None

    async def save_turn(self, *_: Any) -> None:
        return None


class _SlowBotDispatcher(BotDispatcher):
    """Bots that think longer with more cards, and not at all without a choice."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__({}, 1)
        self._rng = rng

    async def next_entry(self, table_id: str, table: Table) -> Entry:
        assert table.game is not None
        decision = game.decision(table.game)
        if decision.seat is not None and has_choice(table):
            cards = len(table.game.hand(decision.seat))
            await asyncio.sleep(self._rng.uniform(0.2, 0.2 * cards + 0.3))
        return automatic_entry(table, self._rng, bot_name="random")


def has_choice(table: Table) -> bool:
    assert table.game is not None
    return len(list(islice(game.decision(table.game).legal, 2))) > 1


class SeenCard(NamedTuple):
    """A played card, as a spectator saw it."""

    cards: int  # held by the seat
    down: int  # in the trick already
    seconds: float
    chose: bool  # to be guessed


async def watch_games(games: int, rng: random.Random) -> list[SeenCard]:
    """Return the cards played in games between bots, seen by a spectator with a clock."""
    players = _SlowBotDispatcher(rng)
    registry = TableRegistry(_NullStore(), BotDelays(), Metrics(), players)
    registry.services.thinking_time_mask = ThinkingTimeMask(rng, BotDelays().tick)
    seen: list[SeenCard] = []
    for dealer in range(games):
        seen += await _watch_game(registry, dealer % 4)
    await players.close()
    return seen


async def _watch_game(registry: TableRegistry, dealer: int) -> list[SeenCard]:
    config = Config("partnership", 4, bots="hard")
    table = fold([*begin(config, ANN), log.SeatLeft(0), log.Begun(dealer)])
    live = LiveTable("t", table, registry.services, lambda _: None)
    watcher = TableClient(None, "t")
    await live.join(watcher)
    seen: list[SeenCard] = []
    now, before, last = asyncio.get_running_loop().time, live.table, 0.0
    while live.table.is_playing:
        await watcher.queue.get()
        table, state_before = live.table, before.game
        if table.seq == before.seq or state_before is None:
            continue
        if (
            isinstance(state_before.phase, Playing) and state_before.phase.cards
        ):  # a leader always has a choice
            cards, down = (
                len(state_before.hand(state_before.phase.turn)),
                len(state_before.phase.cards),
            )
            if cards > 1:
                seen.append(SeenCard(cards, down, now() - last, has_choice(before)))
        before, last = table, now()
    await live.close()
    return seen


def measure_attacker_success(seen_cards: Sequence[SeenCard]) -> tuple[float, float]:
    """Return the share of right guesses of an attacker, and three standard deviations of chance.

    The attacker learns from half of the cards, by what everybody sees and by the time, and guesses
    the other half, where both answers are equally likely.
    """
    known, tested = seen_cards[: len(seen_cards) // 2], seen_cards[len(seen_cards) // 2 :]
    rates: dict[bool, Counter[Any]] = {True: Counter(), False: Counter()}
    usual: dict[bool, Counter[Any]] = {True: Counter(), False: Counter()}
    for card in known:
        rates[card.chose][_extract_features(card)] += 1
        usual[card.chose][_extract_features(card)[:-1]] += 1
    successes: dict[bool, list[float]] = {True: [], False: []}
    for card in tested:
        features = _extract_features(card)
        likely = {
            chose: (rates[chose][features] + 0.1) / (usual[chose][features[:-1]] + 0.1)
            for chose in rates
        }
        advantage = likely[card.chose] - likely[not card.chose]
        successes[card.chose].append(0.5 if advantage == 0 else float(advantage > 0))
    shares = [sum(results) / len(results) for results in successes.values()]
    tolerance = 3 * math.sqrt(sum(0.25 / len(results) for results in successes.values())) / 2
    return sum(shares) / 2, tolerance


def _extract_features(card: SeenCard) -> tuple[Any, ...]:
    return card.cards, card.down, round(card.seconds, 1)


@pytest.fixture(scope="module")
def seen_cards() -> list[SeenCard]:
    whole = run_without_waiting(lambda: watch_games(6, random.Random(3)))
    return whole[len(whole) // 6 :]  # the first ones, before thinking times are known, are left out


def test_pace_does_not_reveal_a_choice(seen_cards: list[SeenCard]) -> None:
    share, tolerance = measure_attacker_success(seen_cards)
    assert tolerance < 0.06
    assert share < 0.5 + tolerance, f"right {share:.1%} of the time"


def test_bots_without_a_choice_also_wait(seen_cards: list[SeenCard]) -> None:
    forced = [card for card in seen_cards if not card.chose]
    late = [card for card in forced if card.seconds > BotDelays().trick + 0.2]
    assert len(late) > len(forced) / 4
