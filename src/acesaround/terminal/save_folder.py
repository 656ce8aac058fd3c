"""The saved games of this machine: a folder with a file for each game, newest first.

Names the files, reads what the list of games shows, and makes the first entries of a new table.
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
    """A file of the folder. `when`: the time of its last change.

    `table` is None for an invalid file, and `wrong` is then a sentence that says why.
    """

    path: Path
    when: float
    table: Table | None
    wrong: str = ""

    @property
    def over(self) -> bool:
        """Whether the game cannot be continued."""
        return self.table is None or not self.table.playing


def listed(folder: Path) -> list[Listed]:
    """Return the files of the folder: unfinished games first, then by time, newest first."""
    found = []
    for path in folder.glob(f"*{ENDING}"):
        try:
            state = path.stat()
        except OSError:  # deleted since the listing
            continue
        found.append(_listed(path, state.st_mtime, state.st_size))
    return sorted(found, key=lambda one: (one.over, -one.when, one.path.name))


@lru_cache(maxsize=512)
def _listed(path: Path, when: float, size: int) -> Listed:
    """Read a file. Cached by time and size, so that the list reads only changed files again."""
    try:
        return Listed(path, when, load_table(path, save_file.read(path)[0]))
    except RecordError as error:
        return Listed(path, when, None, str(error))


def load_table(path: Path, found: Sequence[Line]) -> Table:
    """Return the table of the lines of a file. Raises RecordError."""
    try:
        table = fold(save_file.entries(found))
    except Exception as error:  # entries that no table has written can raise anything
        raise save_file.damaged(path, error if str(error) else type(error).__name__) from None
    if table.seat_of(ME.id) is None or not table.games:
        raise save_file.damaged(path, "nobody plays there")
    return table


def latest(folder: Path, variant: str | None = None) -> Path:
    """Return the file of the unfinished game played last, of that variant. Raises RecordError."""
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
    """Return the path of a new file, named by the time."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(when))
    return folder / f"{stamp}-{secrets.token_hex(3)}{ENDING}"


def record_of(path: Path, number: int) -> Path:
    """Return the path for the record of a game, in the folder `records` next to the saved games."""
    return path.parent.parent / "records" / f"{path.stem}-game-{number}.json"


def delete(path: Path) -> None:
    """Delete a game. Raises RecordError if it is being played, and OSError."""
    held = save_file.SaveFile(path)
    held.lock()
    try:
        path.unlink()
    finally:
        held.close()


def opening_entries(rules: Rules, seat: int, names: Sequence[str]) -> list[Entry]:
    """Return the entries that seat a person and bots at a new table.

    `names`: a bot for every seat.
    """
    options = msgspec.to_builtins(changed_options(rules))
    usual = names[(seat + 1) % rules.seats]
    config = Config(rules.variant, rules.seats, options, bots=usual)
    made = [*begin(config, ME, rules)]
    if seat:
        made += handle_command(
            fold(made), ME, Sit(seat), random.Random(0)
        )  # taking a seat uses no random numbers
    made += [log.BotSet(at, name) for at, name in enumerate(names) if at != seat and name != usual]
    return made
