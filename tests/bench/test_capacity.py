"""The simulation behind docs/capacity.md: its queues keep to what is known of queues."""

from __future__ import annotations

import random
import statistics
from pathlib import Path

import msgspec
import pytest

from capacity import (
    MEASURED,
    PAGE,
    Commits,
    Habits,
    Measured,
    Prices,
    Queue,
    Setup,
    Thinkers,
    gives_way,
    simulate,
    tables,
)

OF = msgspec.json.decode(Path(MEASURED).read_bytes(), type=Measured)
PLENTY = Setup("plenty", 8, 8, 1, 64)


def test_a_queue_lets_wait_as_long_as_queues_do() -> None:
    """Poisson arrivals, equal pieces, one worker: the mean wait is busy / (2 (1 - busy)) pieces."""
    rng, queue, now, waits = random.Random(1), Queue(1), 0.0, []
    for _ in range(200_000):
        now += rng.expovariate(0.8)
        waits.append(queue.done(now, 1.0) - 1.0 - now)
    assert statistics.fmean(waits) == pytest.approx(0.8 / (2 * 0.2), rel=0.05)
    assert queue.work == 200_000


def test_several_workers_do_several_pieces_at_once() -> None:
    queue = Queue(2)
    assert [queue.done(0.0, 1.0) for _ in range(5)] == [1.0, 1.0, 2.0, 2.0, 3.0]


def test_what_comes_during_a_commit_shares_the_next() -> None:
    commits = Commits(1.0)
    assert commits.done(0.0) == 1.0
    assert [commits.done(at) for at in (0.1, 0.5, 0.9)] == [2.0, 2.0, 2.0]
    assert commits.done(1.5) == 3.0
    assert commits.done(10.0) == 11.0
    assert commits.made == 4


def test_pieces_that_think_share_the_cores() -> None:
    thinkers = Thinkers(2)
    parts = []
    for _ in range(4):
        parts.append(thinkers.part(0.0))
        thinkers.done(0.0, 1.0)
    assert parts == [1.0, 1.0, pytest.approx(2 / 3), 0.5]
    assert thinkers.part(10.0) == 1.0


def test_ten_times_the_people_do_ten_times_as_much() -> None:
    few, many = (simulate(people, PLENTY, OF, Habits(), seconds=60) for people in (100, 1000))
    assert many.entries == pytest.approx(10 * few.entries, rel=0.15)
    assert many.server == pytest.approx(10 * few.server, rel=0.15)
    assert many.sent >= many.entries


def test_a_server_that_is_too_small_falls_behind_and_is_named() -> None:
    slow = msgspec.structs.replace(OF, server_one=40.0, server_four=80.0)
    small = Setup("small", 1, 0, 1, 64)
    assert gives_way(simulate(100, small, OF, Habits())) == ""
    seen = simulate(100, small, slow, Habits())
    assert "servers" in gives_way(seen)
    assert seen.latency > 10 * simulate(100, small, OF, Habits()).latency


def test_cores_that_are_too_few_are_named() -> None:
    busy = msgspec.structs.replace(OF, thinking=dict.fromkeys(OF.thinking, 5.0))
    assert "thinking" in gives_way(simulate(100, Setup("small", 1, 0, 1, 1), busy, Habits()))


def test_the_page_holds_what_the_program_makes() -> None:
    page = PAGE.read_text()
    for line in tables(OF, Habits(), Prices(), (10, 100, 1_000)).splitlines():
        assert line in page
