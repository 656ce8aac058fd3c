"""`python -m tests.bots.positions [BOT ...]`: print the positions that each bot gets wrong."""

from __future__ import annotations

import sys

from acesaround import bots
from tests.bots.positions.position import bot_choice, positions


def main(names: list[str]) -> None:
    """Print the positions that each bot gets wrong, and their number."""
    all_positions = positions()
    for name in names:
        wrong_count = 0
        for position in all_positions:
            chosen, _ = bot_choice(position, name)
            if not position.allows(chosen):
                wrong_count += 1
                sys.stdout.write(f"{name}: {position.fault}: {position.name}: {chosen}\n")
        sys.stdout.write(f"{name}: {wrong_count} of {len(all_positions)} wrong\n")


main(sys.argv[1:] or list(bots.BOTS))
