"""The match or tournament that `acesaround arena` plays. `arena` declares the arguments."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from acesaround import bots, optional_dependencies
from acesaround.arena import executors as crews
from acesaround.arena import text_report
from acesaround.arena.executors import LegExecutor
from acesaround.arena.match import BoardKind, Match
from acesaround.arena.match_file import open_match_file
from acesaround.arena.match_progress import MatchProgress
from acesaround.arena.progress_bar import progress_bar
from acesaround.arena.result import make_result
from acesaround.arena.run_match import play_match
from acesaround.arena.tournament import make_tournament_result, tournament_text
from acesaround.arena.warmup import uses_kernels
from acesaround.errors import RulesError
from acesaround.record.files import atomic_write
from acesaround.reporting import console
from acesaround.rules import Rules
from acesaround.simulate import MAX_DEALS
from acesaround.workers.process import available_cores

INTERRUPTED_STATUS = 130
"""The exit status of an interrupted match."""


def run(
    rules: Rules, arguments: argparse.Namespace, on_wait: Callable[[str], None]
) -> tuple[int, str]:
    """Play a match. Return the exit status and the text to print.

    `on_wait` is a callback that gets a sentence when the match has to wait.

    An interrupt ends the match, and the text gives the results so far. The status is 1 if a bot
    failed in every decision. Raises AcesAroundError, OSError, and KeyboardInterrupt if there are no
    results yet.
    """
    if arguments.more:
        return _run_tournament(rules, arguments, on_wait)
    match = _make_match(rules, arguments, (arguments.a, arguments.b))
    record_path: Path | None = arguments.record
    if record_path is not None and arguments.out is not None:
        raise RulesError("--record works only for a match from its start: leave out --out.")
    if arguments.dask_scheduler is None:
        _prepare([match])
    progress = MatchProgress(match, arguments.deals)
    status = 0
    with contextlib.ExitStack() as stack:
        executor = stack.enter_context(
            contextlib.closing(_make_executor(match, arguments, on_wait))
        )
        plot = None
        if arguments.plot is not None:
            with optional_dependencies.require_extra("Plotting", "plot"):
                from acesaround.arena import plot as figure
                from acesaround.reporting import plots
            plot_format = plots.format_of(arguments.plot)
            plot = stack.enter_context(atomic_write(arguments.plot))
        records = (
            stack.enter_context(atomic_write(record_path)) if record_path is not None else None
        )
        log = None
        if arguments.out is not None:
            log = stack.enter_context(open_match_file(arguments.out, match))
        try:
            with progress_bar(progress, arguments.deals) as update_progress:

                def after_each() -> None:
                    update_progress()
                    if records is not None:
                        records.writelines(r.encode() + b"\n" for r in progress.records)
                        progress.records.clear()

                play_match(executor, progress, log, after_each)
        except KeyboardInterrupt:
            if not progress.boards:
                raise
            status = INTERRUPTED_STATUS
        match_result = make_result(match, progress)
        assert match_result is not None
        if status == 0 and any(bot_stats.always_failed for bot_stats in progress.bot_stats):
            status = 1
        if plot is not None:
            figure.write_plot(match_result, progress, plot, plot_format)
    if arguments.json:
        return status, msgspec.json.encode(match_result).decode()
    return status, text_report.report_text(match_result)


def _run_tournament(
    rules: Rules, arguments: argparse.Namespace, on_wait: Callable[[str], None]
) -> tuple[int, str]:
    """Play a match of each pair of bots. Return and raise what `run` does.

    The pairs of the first bot come first, so that an interrupted tournament can rate the bots that
    have played. A bot that cannot play is refused before the first match.
    """
    names = (arguments.a, arguments.b, *arguments.more)
    if len(set(names)) < len(names):
        raise RulesError("In a tournament each bot plays under its own name: name it once.")
    for option in ("out", "record", "plot"):
        if getattr(arguments, option) is not None:
            raise RulesError(f"--{option} works only for two bots: leave it out.")
    matches = [_make_match(rules, arguments, pair) for pair in itertools.combinations(names, 2)]
    if arguments.dask_scheduler is None:
        _prepare(matches)
    played: list[tuple[Match, MatchProgress]] = []
    status = 0
    try:
        for match in matches:
            progress = MatchProgress(match, arguments.deals)
            on_wait(f"{match.bots[0]} and {match.bots[1]} play.")
            with (
                contextlib.closing(_make_executor(match, arguments, on_wait)) as executor,
                progress_bar(progress, arguments.deals) as update_progress,
            ):
                play_match(executor, progress, None, update_progress)
            played.append((match, progress))
            if any(bot_stats.always_failed for bot_stats in progress.bot_stats):
                status = 1
    except KeyboardInterrupt:
        if not played:
            raise
        status = INTERRUPTED_STATUS
    result = make_tournament_result(names, played, is_complete=status != INTERRUPTED_STATUS)
    if arguments.json:
        return status, msgspec.json.encode(result).decode()
    return status, tournament_text(result)


def _make_match(rules: Rules, arguments: argparse.Namespace, bot_names: tuple[str, str]) -> Match:
    is_single = arguments.single_deals or arguments.play_only is not None
    if is_single and arguments.max_deals is not None:
        raise RulesError("--max-deals applies only to whole games: leave it out.")
    if arguments.dask_scheduler is not None and arguments.processes is not None:
        raise RulesError(
            "--processes applies only to this machine: leave it out with --dask-scheduler."
        )
    board_kind = BoardKind.SINGLE_DEAL if is_single else BoardKind.GAMES
    return Match(
        rules=rules,
        bots=bot_names,
        seed=arguments.seed,
        board_kind=BoardKind.CARD_PLAY if arguments.play_only is not None else board_kind,
        before_play_bot=arguments.play_only,
        limit_seconds=arguments.time_limit,
        max_deals=arguments.max_deals or MAX_DEALS,
    )


def _prepare(matches: Sequence[Match]) -> None:
    """Make every bot once, so that errors show before the first match. Raises RulesError.

    Also compile the kernels once, because otherwise each process would compile them. The matches
    have the same rules and limits.
    """
    match = matches[0]
    names = dict.fromkeys(name for one in matches for name in one.bots)
    if match.before_play_bot is not None:
        names[match.before_play_bot] = None
    for name in names:
        bots.close(bots.make(name, random.Random(0), match.limit_seconds))
    if any(uses_kernels(name) for name in names):
        from acesaround.fast import warmup

        console.compile_kernels(*warmup.WARMUP_CALLS)
    console.measure_hand_weights(match.rules, names)


def _make_executor(
    match: Match, arguments: argparse.Namespace, on_wait: Callable[[str], None]
) -> LegExecutor:
    keeps_records = arguments.record is not None
    if arguments.dask_scheduler is not None:
        with optional_dependencies.require_extra("A cluster", "cluster"):
            from acesaround.arena.dask_executor import DaskExecutor
        return DaskExecutor(match, arguments.dask_scheduler, keeps_records, on_wait)
    return crews.local_executor(match, arguments.processes or available_cores(), keeps_records)
