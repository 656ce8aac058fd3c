"""Getting `search` ready: what is compiled once is found again, and progress is told."""

from __future__ import annotations

import threading

import pytest

from acesaround.bots.search import compile_kernels
from acesaround.bots.warmup import Warmup
from acesaround.fast import warmup


def test_it_is_ready_once_it_was_prepared() -> None:
    told: list[tuple[int, int, str]] = []
    compile_kernels.prepare(lambda *step: told.append(step))
    assert compile_kernels.is_ready()
    done, of, name = told[-1]
    assert done == of
    assert name == ""
    assert [step[0] for step in told] == sorted(step[0] for step in told)
    assert set(compile_kernels.STEPS) <= set(warmup.WARMUP_CALLS)


def test_it_is_prepared_in_the_background_and_once() -> None:
    its, threads = Warmup(), threading.active_count()
    its.start()
    its.start()
    assert threading.active_count() <= threads + 1
    assert its.ready.wait(300)
    assert its.error is None
    assert not its.is_compiling
    assert str(its) == "The bots are starting …"


def test_why_it_cannot_be_prepared_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(told: object) -> None:
        raise RuntimeError("no room")

    monkeypatch.setattr(compile_kernels, "prepare", broken)
    its = Warmup()
    its.start()
    assert its.ready.wait(60)
    assert str(its.error) == "no room"
