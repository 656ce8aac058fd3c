"""The one game that earlier releases kept, brought over into a log of its own.

It was a record with one more key, `terminal`, that said how it was being played.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import msgspec

from acesaround.errors import AcesAroundError
from acesaround.record.model import GameRecord, decode
from acesaround.record.replay import rules_of
from acesaround.table import entries as log
from acesaround.table.entries import Entry
from acesaround.terminal import save_file, save_folder
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.speed import PACES

NAME: Final = "game.json"
"""What it is called, beside the folder of games."""
READ: Final = ".old"
"""What is added to its name when it has been brought over."""


class _Played(msgspec.Struct):
    """How it was played. `bots`: for every seat, not used for the person's own."""

    seat: int
    bots: tuple[str, ...]
    seed: int
    game: int = 1
    pace: str = "normal"
    auto: bool = False


class _Extra(msgspec.Struct):
    terminal: _Played


def import_legacy_save(old: Path, folder: Path) -> str:
    """Make a log of the old game, if there is one; says what was done in a sentence, else "".

    The old file is kept under another name. One that is damaged is left as it is.
    """
    try:
        data, when = old.read_bytes(), old.stat().st_mtime
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"The saved game {old} cannot be read: {error.strerror}."
    try:
        record, played = decode(data), msgspec.json.decode(data, type=_Extra).terminal
        made = [*_entries(record, played)]
    except (AcesAroundError, msgspec.MsgspecError, LookupError) as error:
        return str(save_file.damaged(old, error))
    playing = SaveSettings(
        played.seed,
        played.game - 1,
        played.pace if played.pace in PACES else "normal",
        played.auto,
    )
    try:
        save_folder.load_table(old, made)
        file = save_file.SaveFile(save_folder.new(folder, when))
        file.add([playing, *made])
        file.close()
        os.utime(file.path, (when, when))
        old.replace(old.with_name(old.name + READ))
    except AcesAroundError as error:
        return str(error)
    except OSError as error:
        return f"The saved game {old} could not be brought over: {error.strerror}."
    return f"Your saved game was brought over; the old file is now {old.name}{READ}."


def _entries(record: GameRecord, played: _Played) -> list[Entry]:
    """The log of the game. Raises AcesAroundError."""
    rules = rules_of(record)
    if len(played.bots) != rules.seats or not 0 <= played.seat < rules.seats:
        raise AcesAroundError("its seats and bots do not agree")
    if not record.deals:
        raise AcesAroundError("no card was dealt")
    made = save_folder.opening_entries(rules, played.seat, played.bots)
    made.append(log.Begun(record.deals[0].dealer))
    for deal in record.deals:
        made.append(log.Dealt(deal.hands, deal.kitty, deal.stock, deal.upcard))
        made += [log.Acted(seat, action, bot=seat != played.seat) for seat, *action in deal.actions]
    return made
