"""Playing many deals for the command line: up to the size of the memory, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import prod

from acesaround.errors import RulesError
from acesaround.fast.playouts import DealResults, simulate_deals
from acesaround.rules import Rules
from acesaround.workers.process import available_cores

_MEMORY_DIVISOR = 2  # deals may fill 1/2 of the memory; counting them takes little more


def check_deal_count(rules: Rules, number: int, policy: str) -> None:
    """Raise RulesError for an unknown policy, or if the deals do not fit into memory."""
    no_deals = simulate_deals(rules, 0, 0, policy)
    bytes_per_deal = sum(column.dtype.itemsize * prod(column.shape[1:]) for column in no_deals)
    max_deals = (
        os.sysconf("SC_PAGE_SIZE")
        * os.sysconf("SC_PHYS_PAGES")
        // _MEMORY_DIVISOR
        // bytes_per_deal
    )
    if number > max_deals:
        raise RulesError(
            f"{number} deals of {bytes_per_deal} bytes each do not fit into memory: ask for at "
            f"most {max_deals}."
        )


def play_deals(
    rules: Rules,
    number: int,
    seed: int = 0,
    policy: str = "heuristic",
    *,
    threads: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> DealResults:
    """Play `number` deals with a policy, on at most `threads` cores (None: all cores).

    `on_progress` reports progress. Raises RulesError as `check_deal_count` does, and if memory runs
    out.
    """
    check_deal_count(rules, number, policy)
    thread_count = min(available_cores(), threads or available_cores())
    try:
        return simulate_deals(
            rules, number, seed, policy, threads=thread_count, on_progress=on_progress
        )
    except MemoryError:
        raise RulesError(f"There is not enough memory for {number} deals.") from None
