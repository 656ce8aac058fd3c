"""Logs of tables at which bots have played."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from acesaround.table import (
    Config,
    Person,
    Table,
    apply_entry,
    automatic_entry,
    begin,
    fold,
)
from acesaround.table import entries as log


def play_table_until(
    config: Config,
    host: Person,
    condition: Callable[[Table], object],
    *,
    others: tuple[Person, ...] = (),
    dealer: int = 0,
) -> tuple[Any, ...]:
    """Return the log of a table at which bots play for everybody until a condition holds."""
    for seed in range(50):
        entries = list(begin(config, host))
        entries += [log.SeatTaken(seat, person) for seat, person in enumerate(others, 1)]
        entries.append(log.Begun(dealer))
        chance = random.Random(seed)
        table = fold(entries)
        while table.is_playing:
            if condition(table):
                return tuple(entries)
            entries.append(automatic_entry(table, chance, bot_name="thumb"))
            table, _ = apply_entry(table, entries[-1])
        if condition(table):
            return tuple(entries)
    raise AssertionError("the condition never held")
