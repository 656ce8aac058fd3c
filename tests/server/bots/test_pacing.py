"""A bot's pace tells nobody whether it had a choice: an attacker guesses, and is none the wiser.

Time is the loop's own here and passes as soon as nothing else is to be done.
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
from acesaround.server.bots.pacing import Pacing
from acesaround.server.bots.runner import BotRunner
from acesaround.server.client import TableClient
from acesaround.server.live.live_table import LiveTable
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import Pace
from acesaround.store import Store
from acesaround.table import Config, Entry, Person, Table, automatic_entry, begin, fold
from acesaround.table import entries as log
from tests.server.clock import at_once

ANN = Person("a1", "Ann")


class _Kept(Store):
    """A store that takes everything at once."""

    def __init__(self) -> None:
        pass

    async def append(self, *_: Any, **__: Any) -> None:
        return None

    async def save_turn(self, *_: Any) -> None:
        return None


class _Slow(BotRunner):
    """Bots that think for longer the more cards they hold, and not at all without a choice."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__({}, 1)
        self._rng = rng

    async def next_entry(self, table_id: str, table: Table) -> Entry:
        assert table.game is not None
        decision = game.decision(table.game)
        if decision.seat is not None and free(table):
            cards = len(table.game.hand(decision.seat))
            await asyncio.sleep(self._rng.uniform(0.2, 0.2 * cards + 0.3))
        return automatic_entry(table, self._rng, bot_name="random")


def free(table: Table) -> bool:
    assert table.game is not None
    return len(list(islice(game.decision(table.game).legal, 2))) > 1


class Seen(NamedTuple):
    """A card that was played, as somebody saw it who looked on."""

    cards: int  # how many the seat held
    down: int  # how many lay there already
    seconds: float
    chose: bool  # the truth, to be guessed


async def watched(games: int, rng: random.Random) -> list[Seen]:
    """Bots that play at tables by themselves, somebody looking on with a clock."""
    players = _Slow(rng)
    hub = TableRegistry(_Kept(), Pace(), Metrics(), players)
    hub.services.pacing = Pacing(rng, Pace().tick)  # its own is made before a test's chance
    found: list[Seen] = []
    for dealer in range(games):
        found += await _game(hub, dealer % 4)
    await players.close()
    return found


async def _game(hub: TableRegistry, dealer: int) -> list[Seen]:
    config = Config("partnership", 4, bots="hard")
    table = fold([*begin(config, ANN), log.SeatLeft(0), log.Begun(dealer)])
    live = LiveTable("t", table, hub.services, lambda _: None)
    watcher = TableClient(None, "t")
    await live.join(watcher)
    found: list[Seen] = []
    now, before, last = asyncio.get_running_loop().time, live.table, 0.0
    while live.table.is_playing:
        await watcher.queue.get()
        table, was = live.table, before.game
        if table.seq == before.seq or was is None:
            continue
        if isinstance(was.phase, Playing) and was.phase.cards:  # who leads has a choice
            cards, down = len(was.hand(was.phase.turn)), len(was.phase.cards)
            if cards > 1:
                found.append(Seen(cards, down, now() - last, free(before)))
        before, last = table, now()
    await live.close()
    return found


def right(seen: Sequence[Seen]) -> tuple[float, float]:
    """How often an attacker is right who has learned from half of it, chances being even.

    And how far that may be from a half by chance (three standard deviations). The attacker goes by
    what everybody sees, and by the time: by which of the two it comes more often.
    """
    known, asked = seen[: len(seen) // 2], seen[len(seen) // 2 :]
    rates: dict[bool, Counter[Any]] = {True: Counter(), False: Counter()}
    usual: dict[bool, Counter[Any]] = {True: Counter(), False: Counter()}
    for one in known:
        rates[one.chose][_told(one)] += 1
        usual[one.chose][_told(one)[:-1]] += 1
    good: dict[bool, list[float]] = {True: [], False: []}
    for one in asked:
        told = _told(one)
        likely = {
            chose: (rates[chose][told] + 0.1) / (usual[chose][told[:-1]] + 0.1) for chose in rates
        }
        sure = likely[one.chose] - likely[not one.chose]
        good[one.chose].append(0.5 if sure == 0 else float(sure > 0))
    shares = [sum(every) / len(every) for every in good.values()]
    off = 3 * math.sqrt(sum(0.25 / len(every) for every in good.values())) / 2
    return sum(shares) / 2, off


def _told(one: Seen) -> tuple[Any, ...]:
    return one.cards, one.down, round(one.seconds, 1)


@pytest.fixture(scope="module")
def seen() -> list[Seen]:
    whole = at_once(lambda: watched(6, random.Random(3)))
    return whole[len(whole) // 6 :]  # at first nothing is known of how long bots think


def test_nobody_tells_from_its_pace_whether_a_bot_had_a_choice(seen: list[Seen]) -> None:
    share, off = right(seen)
    assert off < 0.06
    assert share < 0.5 + off, f"right {share:.1%} of the time"


def test_bots_without_a_choice_take_their_time_too(seen: list[Seen]) -> None:
    forced = [one for one in seen if not one.chose]
    late = [one for one in forced if one.seconds > Pace().trick + 0.2]
    assert len(late) > len(forced) / 4
