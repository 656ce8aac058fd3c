"""Records of games: JSON and a text notation, written, read and replayed.

`model` holds the JSON shapes, `recorder` writes a record during play, `replay` verifies records,
`text` is the notation for people, and `files` reads and writes both.
"""

from acesaround.record.files import load, read_game, read_games, write_games
from acesaround.record.model import FORMAT, DealRecord, GameRecord
from acesaround.record.recorder import Recorder
from acesaround.record.replay import Step, steps, verify
from acesaround.record.text import from_text, to_text

__all__ = [
    "FORMAT",
    "DealRecord",
    "GameRecord",
    "Recorder",
    "Step",
    "from_text",
    "load",
    "read_game",
    "read_games",
    "steps",
    "to_text",
    "verify",
    "write_games",
]
