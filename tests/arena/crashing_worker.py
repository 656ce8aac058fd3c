"""A process of the arena that always comes to an end."""

from __future__ import annotations

import os


def play(*_: object) -> None:
    """Come to an end."""
    os._exit(3)
