"""Playing many deals for the command line: up to the size of the memory, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import prod

from acesaround.errors import RulesError
from acesaround.fast.playouts import Deals, deals
from acesaround.rules import Rules

_SHARE = 2  # deals may fill 1/2 of the memory; counting them takes little more


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check(rules: Rules, number: int, policy: str) -> None:
    """Raise RulesError for an unknown policy, or if the deals do not fit into memory."""
    none = deals(rules, 0, 0, policy)
    each = sum(column.dtype.itemsize * prod(column.shape[1:]) for column in none)
    most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // _SHARE // each
    if number > most:
        raise RulesError(
            f"{number} deals of {each} bytes each are too many for the memory here: "
            f"ask for {most} at most."
        )


def play_deals(
    rules: Rules,
    number: int,
    seed: int = 0,
    policy: str = "rules",
    *,
    threads: int | None = None,
    told: Callable[[int], None] | None = None,
) -> Deals:
    """Play `number` deals with a policy, on at most `threads` cores (None: all cores).

    `told` reports progress. Raises RulesError as `check` does, and if memory runs out.
    """
    check(rules, number, policy)
    at_once = min(cores(), threads or cores())
    try:
        return deals(rules, number, seed, policy, threads=at_once, told=told)
    except MemoryError:
        raise RulesError(f"There is no memory for {number} deals.") from None
