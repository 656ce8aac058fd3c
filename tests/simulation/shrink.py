"""Finds the shortest story that fails in the same way, by leaving out chance events."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.simulation.choices import Happening

_MAX_RUNS = 300


def shrink(
    happened: Sequence[Happening], still_fails: Callable[[Sequence[Happening]], bool]
) -> list[Happening]:
    """Return a smallest set of the chance events with which the world still fails.

    Halves, quarters and so on are left out in turn. At most `_MAX_RUNS` worlds are tried.
    """
    kept, size, runs = list(happened), max(1, len(happened) // 2), 0
    while kept:
        was_shortened = False
        start = 0
        while start < len(kept) and runs < _MAX_RUNS:
            shorter = kept[:start] + kept[start + size :]
            runs += 1
            if still_fails(shorter):
                kept, was_shortened = shorter, True
            else:
                start += size
        if runs >= _MAX_RUNS or (size == 1 and not was_shortened):
            break
        size = max(1, size // 2)
    return kept
