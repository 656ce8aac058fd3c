"""Conversion of the single saved game of earlier releases into a log.

The old file was a record with an additional key, `terminal`, for the settings of play.
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
"""The name of the old file, in the parent of the folder of games."""
READ: Final = ".old"
"""The suffix of the old file after the conversion."""


class _Played(msgspec.Struct):
    """The settings of play. `bots`: one for every seat; the person's own entry is not used."""

    seat: int
    bots: tuple[str, ...]
    seed: int
    game: int = 1
    pace: str = "normal"
    auto: bool = False


class _Extra(msgspec.Struct):
    terminal: _Played


def import_legacy_save(old: Path, folder: Path) -> str:
    """Convert the old game, if there is one. Return a sentence about it, "" without an old game.

    The old file is renamed. A damaged file is left unchanged.
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
    """Return the log of the game. Raises AcesAroundError."""
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
