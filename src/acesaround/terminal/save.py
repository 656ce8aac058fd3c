"""The saved game: a record with one more key, `terminal`, that says how it is being played.

Owns the file's shape and its errors. Records are read and written by `record`; a file appears
whole or not at all, so a kill at any moment leaves the game as it was after the last action.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from acesaround import bots
from acesaround.errors import AcesAroundError, RecordError, RulesError
from acesaround.record.files import replacing
from acesaround.record.model import GameRecord, decode


class Playing(msgspec.Struct, frozen=True):
    """How a game is played here: who sits where, the seed of all chance, the table's settings.

    `seat`: the person's; `bots`: a bot's name for every seat, not used for the person's own.
    `game`: 1 for the first game in a row, 2 for the one after it.
    """

    seat: int
    bots: tuple[str, ...]
    seed: int
    game: int = 1
    pace: str = "normal"
    auto: bool = False


class _Extra(msgspec.Struct):
    terminal: Playing


def write(path: Path, record: GameRecord, playing: Playing) -> None:
    """Save the game. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = {**msgspec.to_builtins(record), "terminal": msgspec.to_builtins(playing)}
    with replacing(path) as out:
        out.write(msgspec.json.encode(whole) + b"\n")


def read(path: Path) -> tuple[GameRecord, Playing]:
    """A saved game. Raises RecordError with one sentence; the file is left as it is."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise RecordError(f"There is no saved game at {path}.") from None
    except OSError as error:
        raise RecordError(f"The saved game {path} cannot be read: {error.strerror}.") from None
    try:
        record = decode(data)
        playing = msgspec.json.decode(data, type=_Extra).terminal
    except (AcesAroundError, msgspec.DecodeError) as error:
        raise damaged(path, error) from None
    if not record.deals or len(playing.bots) != len(record.seats):
        raise damaged(path, "its seats and bots do not agree")
    if not 0 <= playing.seat < len(record.seats):
        raise damaged(path, f"there is no seat {playing.seat}")
    for name in playing.bots:
        try:
            bots.check(name)
        except RulesError as error:
            raise RecordError(f"The saved game {path} cannot go on: {error}") from None
    return record, playing


def damaged(path: Path, why: object) -> RecordError:
    """The error for a saved game that cannot be continued."""
    reason = str(why).rstrip(".")
    return RecordError(
        f"The saved game {path} is damaged and was left as it is ({reason}): "
        "move it away to start a new one."
    )
