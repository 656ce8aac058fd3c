"""`python -m tests.bots.positions [BOT ...]`: which of the positions each bot gets wrong."""

from __future__ import annotations

import sys

from acesaround import bots
from tests.bots.positions.position import answer, positions


def main(names: list[str]) -> None:
    """Tell the positions that each bot gets wrong, and how many."""
    every = positions()
    for name in names:
        wrong = 0
        for position in every:
            done, _ = answer(position, name)
            if not position.allows(done):
                wrong += 1
                sys.stdout.write(f"{name}: {position.fault}: {position.name}: {done}\n")
        sys.stdout.write(f"{name}: {wrong} of {len(every)} wrong\n")


main(sys.argv[1:] or list(bots.BOTS))
