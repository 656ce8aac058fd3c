"""Executor on a Dask cluster, whose workers play legs.

Every worker needs the same version of this package. The scheduler reruns the legs of lost workers.
Bots that are external programs of this machine cannot play on a cluster.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

from distributed import as_completed
from distributed.scheduler import KilledWorker

from acesaround import __version__
from acesaround.arena import leg
from acesaround.arena.executors import Job
from acesaround.arena.leg import Leg
from acesaround.arena.match import Match, deserialize, serialize
from acesaround.errors import AcesAroundError, RulesError
from acesaround.workers.dask_client import (
    connect,
    disconnect,
    missing_package_error,
    require_same_version,
)

_PATIENCE: Final = 4.0
"""Seconds to wait for the first worker, and until the loss of all workers is reported."""
_AHEAD: Final = 2
"""Legs submitted for each thread of the cluster, so that no thread is idle between legs."""


class DaskExecutor:
    """An executor on the workers of a scheduler.

    Raises RulesError if the scheduler cannot be reached or has no workers. The callback `told` gets
    a message, on another thread, if the match has to wait for a new worker.
    """

    def __init__(
        self,
        match: Match,
        address: str,
        record: bool = False,
        told: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        if match.programs:
            raise RulesError(
                f"{match.programs[0]!r} is a program of this machine and cannot play on a cluster."
            )
        self._match, self._address, self._record, self._told = match, address, record, told
        self._client = connect(address)
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except (TimeoutError, OSError):
            self.close()
            raise RulesError(f"The cluster at {address} has no workers.") from None
        self._legs: dict[Any, Job] = {}
        self._done = as_completed(loop=self._client.loop)

    def has_capacity(self) -> bool:
        """Return whether the workers may soon need more legs."""
        try:
            threads: int = sum(self._client.nthreads().values())
        except OSError:
            raise self._lost() from None
        return len(self._legs) < _AHEAD * max(threads, 1)

    def submit(self, job: Job) -> None:
        """Submit a leg to be played."""
        future = self._client.submit(
            _play, serialize(self._match), *job, self._record, __version__, pure=False, retries=0
        )
        self._legs[future] = job
        self._done.add(future)

    def next_result(self) -> Leg:
        """Wait for a finished leg and return it. Raise AcesAroundError if it cannot be played."""
        with self._watched():
            future = next(self._done)
            while future.status == "lost":  # its worker is gone, and the leg is being rerun
                self._done.add(future)
                future = next(self._done)
        board, seating = self._legs.pop(future)
        if future.cancelled():
            raise self._lost()
        error = future.exception()
        if error is None:
            done = future.result()
            assert isinstance(done, Leg)
            return done
        if isinstance(error, KilledWorker):
            raise RulesError(
                f"Board {board} cannot be played in seating {seating}: each worker of the cluster "
                "that played it came to an end."
            )
        if isinstance(error, AcesAroundError):
            raise error
        if isinstance(error, ImportError | AttributeError):
            raise missing_package_error(error)
        raise error

    def close(self) -> None:
        """Cancel the unfinished legs and disconnect from the cluster."""
        with contextlib.suppress(Exception):
            self._client.cancel(list(getattr(self, "_legs", ())), force=True)
        disconnect(self._client)

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        """Wait for a leg; if that takes long and no worker is left, report it."""
        watch = threading.Timer(_PATIENCE, self._look)
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()

    def _look(self) -> None:
        with contextlib.suppress(Exception):  # `next_result` reports a cluster that is lost
            if not self._client.nthreads():
                self._told(
                    f"The cluster at {self._address} has no workers any more: the match waits for "
                    "a new one. A match with --out FILE can be left off meanwhile."
                )

    def _lost(self) -> RulesError:
        return RulesError(
            f"The cluster at {self._address} is lost. A match with --out FILE goes on from where "
            "it was."
        )


def _play(match: bytes, board: int, seating: int, record: bool, version: str) -> Leg:
    """Play a leg, on a worker of the cluster."""
    require_same_version(version)
    try:
        return leg.play(deserialize(match), board, seating, record)
    except AcesAroundError as error:
        raise RulesError(str(error)) from None  # can always be pickled, unlike the original error
