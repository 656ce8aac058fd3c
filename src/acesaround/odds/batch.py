"""Playing many deals for the command: as many as there is memory for, on every core."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import prod

from acesaround.errors import RulesError
from acesaround.fast.playouts import Deals, deals
from acesaround.rules import Rules

_SHARE = 2  # deals may fill this part of the memory: 1/2; counting them takes little more


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check(rules: Rules, number: int, policy: str) -> None:
    """Raises RulesError for an unknown policy, and where the deals do not fit into the memory."""
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
    """`number` deals played out by a policy, on `threads` cores at most (None: all there are).

    Raises RulesError as `check` does.
    """
    check(rules, number, policy)
    at_once = min(cores(), threads or cores())
    try:
        return deals(rules, number, seed, policy, threads=at_once, told=told)
    except MemoryError:
        raise RulesError(f"There is no memory for {number} deals.") from None
