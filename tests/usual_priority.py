"""A preload of Dask workers in tests: they keep the priority of the tests.

At a low priority a worker that shares the cores with tests needs half a minute to load the kernels,
or longer. Dask imports this module before the preload that it changes.
"""

from __future__ import annotations

from acesaround.workers import priority


def keep_priority(nice: int) -> None:
    """Do nothing, in place of `priority.lower_priority`."""


priority.lower_priority = keep_priority
