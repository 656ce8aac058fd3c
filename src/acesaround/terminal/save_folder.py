"""The games that are kept on this machine: a folder with a file for each, newest first.

Which file is whose, what a list shows of it, and how people and bots sit down at a new table.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from acesaround.errors import RecordError
from acesaround.rules import Rules
from acesaround.table import Config, Entry, Person, Table, begin, fold, handle_command
from acesaround.table import entries as log
from acesaround.table.commands import Sit
from acesaround.terminal import save_file
from acesaround.terminal.save_file import Line
from acesaround.variants import changed_options

ME = Person("you", "You")
"""The person at a table in the terminal."""
ENDING = ".jsonl"


class Listed(NamedTuple):
    """A file of the folder. `table` None: it is `wrong`, a sentence says why. `when`: changed."""

    path: Path
    when: float
    table: Table | None
    wrong: str = ""

    @property
    def over(self) -> bool:
        """Whether there is nothing to go on with."""
        return self.table is None or not self.table.playing


def listed(folder: Path) -> list[Listed]:
    """What the folder holds: games that can be gone on with first, then by time, newest first."""
    found = []
    for path in folder.glob(f"*{ENDING}"):
        try:
            state = path.stat()
        except OSError:  # deleted meanwhile
            continue
        found.append(_listed(path, state.st_mtime, state.st_size))
    return sorted(found, key=lambda one: (one.over, -one.when, one.path.name))


@lru_cache(maxsize=512)
def _listed(path: Path, when: float, size: int) -> Listed:
    """One file; who comes back to the list waits only for those that have changed, `size` too."""
    try:
        return Listed(path, when, load_table(path, save_file.read(path)[0]))
    except RecordError as error:
        return Listed(path, when, None, str(error))


def load_table(path: Path, found: Sequence[Line]) -> Table:
    """The table that the lines of a file make. Raises RecordError."""
    try:
        table = fold(save_file.entries(found))
    except Exception as error:  # whatever entries do that no table has written
        raise save_file.damaged(path, error if str(error) else type(error).__name__) from None
    if table.seat_of(ME.id) is None or not table.games:
        raise save_file.damaged(path, "nobody plays there")
    return table


def latest(folder: Path, variant: str | None = None) -> Path:
    """The game that was played last and is not over, of that variant. Raises RecordError."""
    games = listed(folder)
    for one in games:
        fits = one.table is not None and variant in (None, one.table.rules.variant)
        if fits and not one.over:
            return one.path
    for one in games:
        if one.wrong:
            raise RecordError(one.wrong)
    of = "" if variant is None else f" of {variant}"
    raise RecordError(f"There is no saved game{of} that is not over in {folder}.")


def new(folder: Path, when: float | None = None) -> Path:
    """A file that is not there yet, named by the time."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(when))
    return folder / f"{stamp}-{secrets.token_hex(3)}{ENDING}"


def record_of(path: Path, number: int) -> Path:
    """Where the record of a game of the table in a file is written: beside the folder."""
    return path.parent.parent / "records" / f"{path.stem}-game-{number}.json"


def delete(path: Path) -> None:
    """Delete a game. Raises RecordError where it is being played, and OSError."""
    held = save_file.SaveFile(path)
    held.lock()
    try:
        path.unlink()
    finally:
        held.close()


def opening_entries(rules: Rules, seat: int, names: Sequence[str]) -> list[Entry]:
    """The entries by which a person and bots sit down at a table. `names`: a bot for every seat."""
    options = msgspec.to_builtins(changed_options(rules))
    usual = names[(seat + 1) % rules.seats]
    config = Config(rules.variant, rules.seats, options, bots=usual)
    made = [*begin(config, ME, rules)]
    if seat:
        made += handle_command(
            fold(made), ME, Sit(seat), random.Random(0)
        )  # a seat is taken without lots
    made += [log.BotSet(at, name) for at, name in enumerate(names) if at != seat and name != usual]
    return made
