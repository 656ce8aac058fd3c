"""The match that `acesaround arena` plays. `arena` declares the arguments."""

from __future__ import annotations

import argparse
import contextlib
import random
from collections.abc import Callable
from pathlib import Path

import msgspec

from acesaround import bots, extras
from acesaround.arena import executors as crews
from acesaround.arena import progress, text_report
from acesaround.arena.executors import LegExecutor
from acesaround.arena.match import BoardKind, Match
from acesaround.arena.match_file import open_match_file
from acesaround.arena.result import result
from acesaround.arena.results_ledger import Ledger
from acesaround.arena.run_match import play
from acesaround.arena.warmup import uses_kernels
from acesaround.errors import RulesError
from acesaround.record.files import atomic_write
from acesaround.reporting import console
from acesaround.rules import Rules
from acesaround.simulate import MAX_DEALS
from acesaround.workers.process import cores

INTERRUPTED = 130
"""The exit status of an interrupted match."""


def run(
    rules: Rules, arguments: argparse.Namespace, told: Callable[[str], None]
) -> tuple[int, str]:
    """Play a match. Return the exit status and the text to print.

    `told` is a callback that gets a sentence when the match has to wait.

    An interrupt ends the match, and the text gives the results so far. The status is 1 if a bot
    failed in every decision. Raises AcesAroundError, OSError, and KeyboardInterrupt if there are no
    results yet.
    """
    match = _match(rules, arguments)
    path: Path | None = arguments.record
    if path is not None and arguments.out is not None:
        raise RulesError("--record is for a match from its begin: leave out --out.")
    ledger = Ledger(match, arguments.deals)
    status = 0
    with contextlib.ExitStack() as stack:
        crew = stack.enter_context(contextlib.closing(_crew(match, arguments, told)))
        plot = None
        if arguments.plot is not None:
            with extras.require_extra("Plotting", "plot"):
                from acesaround.arena import plot as figure
                from acesaround.reporting import plots
            form = plots.format_of(arguments.plot)
            plot = stack.enter_context(atomic_write(arguments.plot))
        records = stack.enter_context(atomic_write(path)) if path is not None else None
        log = None
        if arguments.out is not None:
            log = stack.enter_context(open_match_file(arguments.out, match))
        try:
            with progress.progress_bar(ledger, arguments.deals) as counted:

                def after_each() -> None:
                    counted()
                    if records is not None:
                        records.writelines(r.encode() + b"\n" for r in ledger.records)
                        ledger.records.clear()

                play(crew, ledger, log, after_each)
        except KeyboardInterrupt:
            if not ledger.boards:
                raise
            status = INTERRUPTED
        found = result(match, ledger)
        assert found is not None
        if status == 0 and any(conduct.always_failed for conduct in ledger.conduct):
            status = 1
        if plot is not None:
            figure.write(found, ledger, plot, form)
    if arguments.json:
        return status, msgspec.json.encode(found).decode()
    return status, text_report.text(found)


def _match(rules: Rules, arguments: argparse.Namespace) -> Match:
    alone = arguments.single_deals or arguments.play_only is not None
    if alone and arguments.max_deals is not None:
        raise RulesError("--max-deals is for whole games: leave it out.")
    if arguments.dask_scheduler is not None and arguments.processes is not None:
        raise RulesError("--processes is for this machine: leave it out with --dask-scheduler.")
    what = BoardKind.SINGLE if alone else BoardKind.GAMES
    return Match(
        rules=rules,
        bots=(arguments.a, arguments.b),
        seed=arguments.seed,
        play=BoardKind.CARDS if arguments.play_only is not None else what,
        before=arguments.play_only,
        limit=arguments.time_limit,
        max_deals=arguments.max_deals or MAX_DEALS,
    )


def _prepare(match: Match) -> None:
    """Make every bot once, so that errors show before the match. Raises RulesError.

    Also compile the kernels once, because otherwise each process would compile them.
    """
    names = dict.fromkeys((*match.bots, *([match.before] if match.before else [])))
    for name in names:
        bots.close(bots.make(name, random.Random(0), match.limit))
    if any(uses_kernels(name) for name in names):
        from acesaround.fast import warmup

        console.compile_kernels(*warmup.CALLS)
    console.judge(match.rules, names)


def _crew(match: Match, arguments: argparse.Namespace, told: Callable[[str], None]) -> LegExecutor:
    record = arguments.record is not None
    if arguments.dask_scheduler is not None:
        with extras.require_extra("A cluster", "cluster"):
            from acesaround.arena.dask_executor import DaskExecutor
        return DaskExecutor(match, arguments.dask_scheduler, record, told)
    _prepare(match)
    return crews.local_executor(match, arguments.processes or cores(), record)
