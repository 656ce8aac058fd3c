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
from acesaround.table import Config, Entry, Person, Table, begin, entries, fold, handle_command
from acesaround.table.commands import Sit
from acesaround.terminal import save_file
from acesaround.terminal.save_file import Line
from acesaround.variants import changed_options

PERSON = Person("you", "You")
"""The person at a table in the terminal."""
SAVE_SUFFIX = ".jsonl"


class SavedGame(NamedTuple):
    """A file of the folder. `changed_at`: the time of its last change.

    `table` is None for an invalid file, and `error` is then a sentence that says why.
    """

    path: Path
    changed_at: float
    table: Table | None
    error: str = ""

    @property
    def is_over(self) -> bool:
        """Whether the game cannot be continued."""
        return self.table is None or not self.table.is_playing


def list_saved_games(folder: Path) -> list[SavedGame]:
    """Return the files of the folder: unfinished games first, then by time, newest first."""
    saved_games = []
    for path in folder.glob(f"*{SAVE_SUFFIX}"):
        try:
            file_status = path.stat()
        except OSError:  # deleted since the listing
            continue
        saved_games.append(_read_saved_game(path, file_status.st_mtime, file_status.st_size))
    return sorted(saved_games, key=lambda one: (one.is_over, -one.changed_at, one.path.name))


@lru_cache(maxsize=512)
def _read_saved_game(path: Path, changed_at: float, size: int) -> SavedGame:
    """Read a file. Cached by time and size, so that the list reads only changed files again."""
    try:
        return SavedGame(path, changed_at, load_table(path, save_file.read_lines(path)[0]))
    except RecordError as error:
        return SavedGame(path, changed_at, None, str(error))


def load_table(path: Path, lines: Sequence[Line]) -> Table:
    """Return the table of the lines of a file. Raises RecordError."""
    try:
        table = fold(save_file.log_entries(lines))
    except Exception as error:  # entries that no table has written can raise anything
        raise save_file.damaged_error(path, error if str(error) else type(error).__name__) from None
    if table.seat_of(PERSON.id) is None or not table.game_count:
        raise save_file.damaged_error(path, "nobody plays there")
    return table


def latest_unfinished(folder: Path, variant: str | None = None) -> Path:
    """Return the file of the unfinished game played last, of that variant. Raises RecordError."""
    games = list_saved_games(folder)
    for game in games:
        is_of_variant = game.table is not None and variant in (None, game.table.rules.variant)
        if is_of_variant and not game.is_over:
            return game.path
    for game in games:
        if game.error:
            raise RecordError(game.error)
    of_variant = "" if variant is None else f" of {variant}"
    raise RecordError(f"There is no unfinished saved game{of_variant} in {folder}.")


def new_save_path(folder: Path) -> Path:
    """Return the path of a new file, named by the time."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    return folder / f"{stamp}-{secrets.token_hex(3)}{SAVE_SUFFIX}"


def record_path(path: Path, game_number: int) -> Path:
    """Return the path for the record of a game, in the folder `records` next to the saved games."""
    return path.parent.parent / "records" / f"{path.stem}-game-{game_number}.json"


def delete_game(path: Path) -> None:
    """Delete a game. Raises RecordError if it is being played, and OSError."""
    save = save_file.SaveFile(path)
    save.lock()
    try:
        path.unlink()
    finally:
        save.close()


def opening_entries(rules: Rules, seat: int, names: Sequence[str]) -> list[Entry]:
    """Return the entries that seat a person and bots at a new table.

    `names`: a bot for every seat.
    """
    options = msgspec.to_builtins(changed_options(rules))
    common_bot = names[(seat + 1) % rules.seats]
    config = Config(rules.variant, rules.seats, options, bots=common_bot)
    new_entries = [*begin(config, PERSON, rules)]
    if seat:
        new_entries += handle_command(
            fold(new_entries), PERSON, Sit(seat), random.Random(0)
        )  # taking a seat uses no random numbers
    new_entries += [
        entries.BotSet(other_seat, name)
        for other_seat, name in enumerate(names)
        if other_seat != seat and name != common_bot
    ]
    return new_entries
