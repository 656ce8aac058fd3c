"""A worker that always exits."""

from __future__ import annotations

import os


def play(*_: object) -> None:
    """Exit with status 3."""
    os._exit(3)
