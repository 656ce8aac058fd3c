"""Preparing `search`: kernels are compiled once, and progress is reported."""

from __future__ import annotations

import threading

import pytest

from acesaround.bots.search import compile_kernels
from acesaround.bots.warmup import Warmup
from acesaround.fast import warmup


def test_prepare_makes_kernels_ready() -> None:
    progress: list[tuple[int, int, str]] = []
    compile_kernels.prepare(lambda *step: progress.append(step))
    assert compile_kernels.is_ready()
    done, total, name = progress[-1]
    assert done == total
    assert name == ""
    assert [step[0] for step in progress] == sorted(step[0] for step in progress)
    assert set(compile_kernels.STEPS) <= set(warmup.WARMUP_CALLS)


def test_warmup_runs_once_in_the_background() -> None:
    background, threads = Warmup(), threading.active_count()
    background.start()
    background.start()
    assert threading.active_count() <= threads + 1
    assert background.ready.wait(300)
    assert background.error is None
    assert not background.is_compiling
    assert str(background) == "The bots are starting …"


def test_warmup_keeps_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(on_progress: object) -> None:
        raise RuntimeError("no room")

    monkeypatch.setattr(compile_kernels, "prepare", broken)
    background = Warmup()
    background.start()
    assert background.ready.wait(60)
    assert str(background.error) == "no room"
