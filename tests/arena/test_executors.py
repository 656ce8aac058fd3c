"""Legs in processes: the same result as in one, even if a process is killed."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from acesaround.arena import executors
from acesaround.arena.executors import ProcessExecutor
from acesaround.arena.leg import play_leg
from acesaround.arena.match import Match
from acesaround.arena.match_progress import MatchProgress
from acesaround.arena.run_match import play_match
from acesaround.bots import fallback_action
from acesaround.errors import RulesError
from acesaround.workers import process
from tests.arena import crashing_worker
from tests.arena.fixtures import (
    ScriptedBot,
    match,
    play_all_legs,
    register_bot,
    result_without_times,
)
from tests.waiting import PATIENCE_SECONDS, wait_until
from tests.workers.jobs import ExitsAtStart


def test_two_processes_give_the_result_of_one() -> None:
    of = match("random", "thumb", seed=5)
    assert result_without_times(of, play_all_legs(of, 24, processes=2)) == result_without_times(
        of, play_all_legs(of, 24)
    )


def test_legs_of_killed_processes_are_played_again() -> None:
    of = match("random", "thumb")
    workers = ProcessExecutor(of, 2)
    try:
        for job in ((0, 0), (0, 1)):
            workers.submit(job)
        assert not workers.has_capacity()
        for worker, _ in workers._busy.values():
            assert worker.pid is not None
            os.kill(worker.pid, signal.SIGKILL)
        found = sorted((workers.next_result() for _ in range(2)), key=lambda leg: leg.seating)
    finally:
        workers.close()
    assert [leg.deals for leg in found] == [play_leg(of, 0, s).deals for s in (0, 1)]


def test_killed_idle_process_is_replaced() -> None:
    of = match("random", "thumb")
    workers = ProcessExecutor(of, 1)
    try:
        workers.submit((0, 0))
        workers.next_result()
        [worker] = workers._idle
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        wait_until(lambda: not worker.is_alive(), "it has ended")
        workers.submit((0, 1))
        assert workers.next_result().deals == play_leg(of, 0, 1).deals
    finally:
        workers.close()


def test_leg_that_crashes_three_processes_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "play_serialized", crashing_worker.play)
    sentence = (
        "Board 0 cannot be played in seating 0: 3 times the process that played it came to an end"
    )
    assert_refused(match("thumb", "random"), f"{sentence}, with status 3.")


def test_process_that_fails_to_start_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "end_with_parent", ExitsAtStart())
    assert_refused(match("thumb", "random"), "ended before it could begin, with status 4.")


def assert_refused(of: Match, sentence: str) -> None:
    """Assert that a match in a worker process is refused for a reason."""
    workers = ProcessExecutor(of, 1)
    try:
        with pytest.raises(RulesError, match=re.escape(sentence)):
            play_match(workers, MatchProgress(of, 5))
    finally:
        workers.close()


def test_process_without_the_bot_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is registered in this process only; workers import everything again."""
    register_bot(monkeypatch, "mine", lambda _: ScriptedBot(fallback_action))
    assert_refused(
        match("mine", "random"),
        "cannot load what this process uses: 'mine' is not a bot: expected one of",
    )


def test_bot_that_cannot_be_created_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise ImportError("there is no model here.")

    register_bot(monkeypatch, "mine", fails)
    sentence = "Cannot create the bot 'mine': ImportError: there is no model here."
    with pytest.raises(RulesError, match=sentence):
        play_leg(match("mine", "random"), 0, 0)


def test_close_ends_all_processes() -> None:
    workers = ProcessExecutor(match("thumb", "random"), 2)
    for job in ((0, 0), (0, 1)):
        workers.submit(job)
    pids = [worker.pid for worker, _ in workers._busy.values()]
    workers.close()
    for pid in pids:
        assert pid is not None
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


INVALID_ANSWERS = """
import sys
for line in sys.stdin:
    print("what?", flush=True)
"""
EXITS = "import sys\nsys.stdin.readline()\nsys.exit(4)\n"


@pytest.mark.parametrize(("program", "failure"), [(INVALID_ANSWERS, "rubbish"), (EXITS, "died")])
def test_failing_program_does_not_end_the_match(tmp_path: Path, program: str, failure: str) -> None:
    script = tmp_path / "bot.py"
    script.write_text(program)
    of = match(
        f"cmd:{sys.executable} {script}",
        "thumb",
        "two-handed",
        max_deals=1,
        limit_seconds=PATIENCE_SECONDS,
    )
    progress = play_all_legs(of, 1)
    assert progress.has_enough_deals
    assert failure in progress.bot_stats[0].failures
    assert progress.bot_stats[1].failures == {}
