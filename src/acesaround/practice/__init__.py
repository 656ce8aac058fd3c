"""Practice: decisions that are clear, dealt by theme, and how often a person was right.

`position` is a decision with its choices, `themes` says what a decision practices, `library` reads
the positions of the package, and `picking` chooses the next one. `find_positions` found them.
"""

from acesaround.practice.library import find_position, shipped_positions
from acesaround.practice.picking import PastAnswers, PracticeItem, pick_item, theme_weights
from acesaround.practice.position import (
    MARGIN,
    PracticeChoice,
    PracticePosition,
    Sample,
    Theme,
    read_position,
    write_position,
)
from acesaround.practice.themes import theme_of

__all__ = [
    "MARGIN",
    "PastAnswers",
    "PracticeChoice",
    "PracticeItem",
    "PracticePosition",
    "Sample",
    "Theme",
    "find_position",
    "pick_item",
    "read_position",
    "shipped_positions",
    "theme_of",
    "theme_weights",
    "write_position",
]
