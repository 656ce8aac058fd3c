"""Legs in processes: the same result as in one, whatever becomes of a process."""

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
from acesaround.arena.results_ledger import Ledger
from acesaround.arena.run_match import play_match as fill
from acesaround.bots import fallback_action
from acesaround.errors import RulesError
from acesaround.workers import process
from tests.arena import crashing_worker
from tests.arena.fixtures import Odd, known, match, played, timeless
from tests.waiting import PATIENCE_SECONDS, wait_until
from tests.workers.jobs import Never


def test_two_processes_come_to_the_same_result_as_one() -> None:
    of = match("random", "thumb", seed=5)
    assert timeless(of, played(of, 24, processes=2)) == timeless(of, played(of, 24))


def test_a_leg_whose_process_is_killed_is_played_again() -> None:
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


def test_a_process_that_is_killed_while_it_has_nothing_to_do_is_replaced() -> None:
    of = match("random", "thumb")
    workers = ProcessExecutor(of, 1)
    try:
        workers.submit((0, 0))
        workers.next_result()
        [worker] = workers._idle
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        wait_until(lambda: not worker.is_alive(), "it is gone")
        workers.submit((0, 1))
        assert workers.next_result().deals == play_leg(of, 0, 1).deals
    finally:
        workers.close()


def test_a_leg_that_kills_every_process_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "play_serialized", crashing_worker.play)
    said = (
        "Board 0 cannot be played in seating 0: 3 times the process that played it came to an end"
    )
    refused(match("thumb", "random"), f"{said}, with status 3.")


def test_a_process_that_never_begins_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "end_with_parent", Never())
    refused(match("thumb", "random"), "ended before it could begin, with status 4.")


def refused(of: Match, said: str) -> None:
    """A match in a process of its own comes to nothing, for that reason."""
    workers = ProcessExecutor(of, 1)
    try:
        with pytest.raises(RulesError, match=re.escape(said)):
            fill(workers, Ledger(of, 5))
    finally:
        workers.close()


def test_a_process_that_does_not_know_a_bot_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process knows it, and others, which import everything anew, do not."""
    known(monkeypatch, "mine", lambda _: Odd(fallback_action))
    refused(
        match("mine", "random"),
        "cannot load what this process uses: 'mine' is not a bot: expected one of",
    )


def test_a_bot_that_cannot_be_made_is_named_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(_: object) -> None:
        raise ImportError("there is no model here.")

    known(monkeypatch, "mine", fails)
    said = "Cannot create the bot 'mine': ImportError: there is no model here."
    with pytest.raises(RulesError, match=said):
        play_leg(match("mine", "random"), 0, 0)


def test_processes_are_gone_after_the_match() -> None:
    workers = ProcessExecutor(match("thumb", "random"), 2)
    for job in ((0, 0), (0, 1)):
        workers.submit(job)
    pids = [worker.pid for worker, _ in workers._busy.values()]
    workers.close()
    for pid in pids:
        assert pid is not None
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


RUBBISH = """
import sys
for line in sys.stdin:
    print("what?", flush=True)
"""
DIES = "import sys\nsys.stdin.readline()\nsys.exit(4)\n"


@pytest.mark.parametrize(("program", "failure"), [(RUBBISH, "rubbish"), (DIES, "died")])
def test_a_program_that_fails_does_not_end_the_match(
    tmp_path: Path, program: str, failure: str
) -> None:
    script = tmp_path / "bot.py"
    script.write_text(program)
    of = match(
        f"cmd:{sys.executable} {script}", "thumb", "two-handed", max_deals=1, limit=PATIENCE_SECONDS
    )
    ledger = played(of, 1)
    assert ledger.has_enough_deals
    assert failure in ledger.bot_stats[0].faults
    assert ledger.bot_stats[1].faults == {}
