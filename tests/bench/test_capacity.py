"""The simulation behind docs/capacity.md: its queues agree with queueing theory."""

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
    overloaded_parts,
    simulate,
    tables,
)

MACHINE = msgspec.json.decode(Path(MEASURED).read_bytes(), type=Measured)
PLENTY = Setup("plenty", 8, 8, 1, 64)


def test_mean_wait_equals_that_of_an_md1_queue() -> None:
    """For Poisson arrivals and equal jobs, the mean wait is busy / (2 (1 - busy)) jobs."""
    rng, queue, now, waits = random.Random(1), Queue(1), 0.0, []
    for _ in range(200_000):
        now += rng.expovariate(0.8)
        waits.append(queue.done(now, 1.0) - 1.0 - now)
    assert statistics.fmean(waits) == pytest.approx(0.8 / (2 * 0.2), rel=0.05)
    assert queue.work == 200_000


def test_workers_run_jobs_at_once() -> None:
    queue = Queue(2)
    assert [queue.done(0.0, 1.0) for _ in range(5)] == [1.0, 1.0, 2.0, 2.0, 3.0]


def test_requests_during_a_commit_share_the_next() -> None:
    commits = Commits(1.0)
    assert commits.done(0.0) == 1.0
    assert [commits.done(at) for at in (0.1, 0.5, 0.9)] == [2.0, 2.0, 2.0]
    assert commits.done(1.5) == 3.0
    assert commits.done(10.0) == 11.0
    assert commits.made == 4


def test_bot_jobs_share_the_cores() -> None:
    thinkers = Thinkers(2)
    parts = []
    for _ in range(4):
        parts.append(thinkers.part(0.0))
        thinkers.done(0.0, 1.0)
    assert parts == [1.0, 1.0, pytest.approx(2 / 3), 0.5]
    assert thinkers.part(10.0) == 1.0


def test_load_is_proportional_to_people() -> None:
    few, many = (simulate(people, PLENTY, MACHINE, Habits(), seconds=60) for people in (100, 1000))
    assert many.entries == pytest.approx(10 * few.entries, rel=0.15)
    assert many.server == pytest.approx(10 * few.server, rel=0.15)
    assert many.sent >= many.entries


def test_overloaded_server_is_named() -> None:
    slow = msgspec.structs.replace(MACHINE, server_one=40.0, server_four=80.0)
    small = Setup("small", 1, 0, 1, 64)
    assert overloaded_parts(simulate(100, small, MACHINE, Habits())) == ""
    seen = simulate(100, small, slow, Habits())
    assert "servers" in overloaded_parts(seen)
    assert seen.latency > 10 * simulate(100, small, MACHINE, Habits()).latency


def test_overloaded_bot_cores_are_named() -> None:
    busy = msgspec.structs.replace(MACHINE, thinking=dict.fromkeys(MACHINE.thinking, 5.0))
    assert "thinking" in overloaded_parts(simulate(100, Setup("small", 1, 0, 1, 1), busy, Habits()))


def test_page_has_the_tables_of_the_program() -> None:
    page = PAGE.read_text()
    for line in tables(MACHINE, Habits(), Prices(), (10, 100, 1_000)).splitlines():
        assert line in page
