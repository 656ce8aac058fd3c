"""Reports on many games: progress, the table of results, faults of records."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from acesaround import bots
from acesaround.errors import AcesAroundError
from acesaround.record import read_games, to_text, verify
from acesaround.record.files import atomic_write
from acesaround.record.model import GameRecord, encode
from acesaround.record.text import quote_name
from acesaround.rules import Rules
from acesaround.simulate import FinishedGame


class Summary:
    """A running total over games; it keeps no game in memory."""

    def __init__(self, rules: Rules, names: Sequence[str], seed: int) -> None:
        self._rules, self._names, self._seed = rules, names, seed
        self.games = self.unfinished = self.deals = self.actions = 0
        self.games_won = [0] * len(rules.sides)
        self.points = [0] * len(rules.sides)

    def add(self, game: FinishedGame) -> None:
        """Count one game."""
        self.games += 1
        self.deals += game.state.deals
        self.actions += game.actions
        for side, score in enumerate(game.state.scores):
            self.points[side] += score
        if game.state.winner is None:
            self.unfinished += 1
        else:
            self.games_won[game.state.winner] += 1

    def text(self) -> str:
        """Return the table of results."""
        games = max(self.games, 1)
        sides = [
            " + ".join(f"{seat} {_shorten(self._names[seat])}" for seat in seats)
            for seats in self._rules.sides
        ]
        width = max(28, *map(len, sides))
        unfinished = f", {self.unfinished} unfinished" if self.unfinished else ""
        lines = [
            f"{self._rules.variant}: {_pluralize(self.games, 'game')}, "
            f"{_pluralize(self.deals, 'deal')}, "
            f"{self.actions} actions, seed {self._seed}{unfinished}",
            f"{'side':<{width}}{'won':>7}{'':>8}{'points a game':>16}{'a deal':>10}",
        ]
        for side, side_text in enumerate(sides):
            won, points = self.games_won[side], self.points[side]
            lines.append(
                f"{side_text:<{width}}{won:>7}{won / games:>8.1%}{points / games:>16.1f}"
                f"{points / max(self.deals, 1):>10.1f}"
            )
        return "\n".join(lines)


def _shorten(name: str) -> str:
    """Return a bot's name with the middle left out if it is long."""
    return name if len(name) <= 32 else f"{name[:14]}...{name[-15:]}"


@contextlib.contextmanager
def progress_bar(unit: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error if that is a terminal.

    Yield a callback that takes the number done so far. `unit`: the counted things, such as games.
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(unit), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(unit, total=total)
        yield lambda done: bar.update(task, completed=done)


def compile_kernels(*names: str) -> None:
    """Compile kernels if this is their first use, with a progress bar if stderr is a terminal.

    `names`: the kernels to compile, see `warmup.WARMUP_CALLS`.
    """
    from acesaround.fast import warmup

    if warmup.is_ready(names):
        return
    if not sys.stderr.isatty():
        with _reraise_interrupts():
            warmup.warm_up(None, names)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    text = TextColumn("Compiling the kernels, once: {task.description}")
    columns = (text, BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    with _reraise_interrupts(), bar:
        task = bar.add_task("", total=len(names))

        def show_progress(done: int, total: int, name: str) -> None:
            bar.update(task, completed=done, total=total, description=name)

        warmup.warm_up(show_progress, names)


def measure_hand_weights(rules: Rules, names: Iterable[str]) -> None:
    """Calibrate hand values for the rules, for those bots that use them, and show the progress."""
    if all(bots.has_hand_weights(name, rules) for name in names):
        return
    from acesaround.fast import warmup
    from acesaround.fast.calibration import PROGRESS_STEPS

    compile_kernels(warmup.CALIBRATION)
    with progress_bar("What hands are worth by these rules", PROGRESS_STEPS) as on_progress:
        bots.measure_hand_weights(rules, lambda done, _: on_progress(done))


@contextlib.contextmanager
def _reraise_interrupts() -> Iterator[None]:
    """Make Ctrl-C during compilation raise KeyboardInterrupt even if LLVM swallowed it.

    An interrupt inside a callback from LLVM is printed and dropped there. The compiler then
    continues, or fails because the callback returned nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupts: list[int] = []
    previous_handler, previous_hook = signal.getsignal(signal.SIGINT), sys.unraisablehook

    def hear(number: int, _frame: Any) -> None:
        interrupts.append(number)
        raise KeyboardInterrupt

    def show(error: Any) -> None:
        if not issubclass(error.exc_type, KeyboardInterrupt):
            previous_hook(error)

    signal.signal(signal.SIGINT, hear)
    sys.unraisablehook = show
    try:
        yield
    except Exception:
        if not interrupts:
            raise
    finally:
        signal.signal(signal.SIGINT, previous_handler)
        sys.unraisablehook = previous_hook
    if interrupts:
        raise KeyboardInterrupt


def write_records(
    path: Path, games: Iterable[FinishedGame], summary: Summary, on_progress: Callable[[int], None]
) -> None:
    """Write each game's record as it is played. Raise OSError.

    The file appears when all games are written. `on_progress`: a callback that takes the number of
    games so far.
    """
    with atomic_write(path) as out:
        for game in games:
            assert game.record is not None
            out.write(encode(game.record) + b"\n")
            summary.add(game)
            on_progress(summary.games)


def verify_file(path: Path | None, output_format: str) -> Iterator[tuple[bool, str]]:
    """Verify every game of a file; yield (valid, line), one line for each fault or valid game.

    `output_format`: "summary", or "text" or "json" to print valid games completely. Raise OSError.
    """
    name = "standard input" if path is None else str(path)
    for number, game in enumerate(read_games(path), 1):
        if isinstance(game, AcesAroundError):
            yield False, f"{name}: game {number}: {game}"
        elif faults := verify(game):
            for fault in faults:
                yield False, f"{name}: game {number}, {fault}"
        else:
            yield True, _format_game(number, game, output_format)


def _format_game(number: int, game: GameRecord, output_format: str) -> str:
    if output_format == "text":
        return to_text(game)
    if output_format == "json":
        return encode(game).decode()
    outcome = "unfinished"
    if game.winner is not None:
        outcome = "won by " + " and ".join(
            quote_name(game.seats[s].name) for s in game.sides[game.winner]
        )
    totals = " ".join(map(str, game.totals))
    deals = _pluralize(len(game.deals), "deal")
    return (
        f"game {number}: {game.variant}, {deals}, {totals}, {outcome}: every action and score holds"
    )


def _pluralize(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
