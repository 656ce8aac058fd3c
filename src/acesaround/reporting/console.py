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
from acesaround.record.text import quoted
from acesaround.rules import Rules
from acesaround.simulate import FinishedGame


class Summary:
    """A running total over games; it keeps no game in memory."""

    def __init__(self, rules: Rules, names: Sequence[str], seed: int) -> None:
        self._rules, self._names, self._seed = rules, names, seed
        self.games = self.unfinished = self.deals = self.actions = 0
        self.won = [0] * len(rules.sides)
        self.points = [0] * len(rules.sides)

    def add(self, played: FinishedGame) -> None:
        """Count one game."""
        self.games += 1
        self.deals += played.state.deals
        self.actions += played.actions
        for side, score in enumerate(played.state.scores):
            self.points[side] += score
        if played.state.winner is None:
            self.unfinished += 1
        else:
            self.won[played.state.winner] += 1

    def text(self) -> str:
        """Return the table of results."""
        games = max(self.games, 1)
        sides = [
            " + ".join(f"{seat} {_short(self._names[seat])}" for seat in seats)
            for seats in self._rules.sides
        ]
        wide = max(28, *map(len, sides))
        unfinished = f", {self.unfinished} unfinished" if self.unfinished else ""
        lines = [
            f"{self._rules.variant}: {_many(self.games, 'game')}, {_many(self.deals, 'deal')}, "
            f"{self.actions} actions, seed {self._seed}{unfinished}",
            f"{'side':<{wide}}{'won':>7}{'':>8}{'points a game':>16}{'a deal':>10}",
        ]
        for side, who in enumerate(sides):
            won, points = self.won[side], self.points[side]
            lines.append(
                f"{who:<{wide}}{won:>7}{won / games:>8.1%}{points / games:>16.1f}"
                f"{points / max(self.deals, 1):>10.1f}"
            )
        return "\n".join(lines)


def _short(name: str) -> str:
    """Return a bot's name with the middle left out if it is long."""
    return name if len(name) <= 32 else f"{name[:14]}...{name[-15:]}"


@contextlib.contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error if that is a terminal.

    Yield a callback that takes the number done so far. `what`: the counted things, such as games.
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

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def compile_kernels(*names: str) -> None:
    """Compile kernels if this is their first use, with a progress bar if stderr is a terminal.

    `names`: the kernels to compile, see `warmup.CALLS`.
    """
    from acesaround.fast import warmup

    if warmup.ready(names):
        return
    if not sys.stderr.isatty():
        with _hearing_interrupts():
            warmup.warm(None, names)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    text = TextColumn("Compiling the kernels, once: {task.description}")
    columns = (text, BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    with _hearing_interrupts(), bar:
        task = bar.add_task("", total=len(names))

        def told(done: int, total: int, name: str) -> None:
            bar.update(task, completed=done, total=total, description=name)

        warmup.warm(told, names)


def judge(rules: Rules, names: Iterable[str]) -> None:
    """Calibrate hand values for the rules, for those bots that use them, and show the progress."""
    if all(bots.judged(name, rules) for name in names):
        return
    from acesaround.fast import warmup
    from acesaround.fast.calibration import STEPS

    compile_kernels(warmup.JUDGE)
    with progress("What hands are worth by these rules", STEPS) as told:
        bots.judge(rules, lambda done, _: told(done))


@contextlib.contextmanager
def _hearing_interrupts() -> Iterator[None]:
    """Make Ctrl-C during compilation raise KeyboardInterrupt even if LLVM swallowed it.

    An interrupt inside a callback from LLVM is printed and dropped there. The compiler then
    continues, or fails because the callback returned nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before, unraisable = signal.getsignal(signal.SIGINT), sys.unraisablehook

    def hear(number: int, _frame: Any) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    def show(lost: Any) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            unraisable(lost)

    signal.signal(signal.SIGINT, hear)
    sys.unraisablehook = show
    try:
        yield
    except Exception:
        if not heard:
            raise
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = unraisable
    if heard:
        raise KeyboardInterrupt


def write_records(
    path: Path, played: Iterable[FinishedGame], summary: Summary, told: Callable[[int], None]
) -> None:
    """Write each game's record as it is played. Raise OSError.

    The file appears when all games are written. `told`: a callback that takes the number of games
    so far.
    """
    with atomic_write(path) as out:
        for game in played:
            assert game.record is not None
            out.write(encode(game.record) + b"\n")
            summary.add(game)
            told(summary.games)


def verify_file(path: Path | None, form: str) -> Iterator[tuple[bool, str]]:
    """Verify every game of a file; yield (valid, line), one line for each fault or valid game.

    `form`: "summary", or "text" or "json" to print valid games completely. Raise OSError.
    """
    name = "standard input" if path is None else str(path)
    for number, game in enumerate(read_games(path), 1):
        if isinstance(game, AcesAroundError):
            yield False, f"{name}: game {number}: {game}"
        elif found := verify(game):
            for fault in found:
                yield False, f"{name}: game {number}, {fault}"
        else:
            yield True, _shown(number, game, form)


def _shown(number: int, game: GameRecord, form: str) -> str:
    if form == "text":
        return to_text(game)
    if form == "json":
        return encode(game).decode()
    end = "unfinished"
    if game.winner is not None:
        end = "won by " + " and ".join(quoted(game.seats[s].name) for s in game.sides[game.winner])
    totals = " ".join(map(str, game.totals))
    deals = _many(len(game.deals), "deal")
    return f"game {number}: {game.variant}, {deals}, {totals}, {end}: every action and score holds"


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
