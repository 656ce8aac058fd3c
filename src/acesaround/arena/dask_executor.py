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
from acesaround.arena.executors import Job
from acesaround.arena.leg import Leg, play_serialized
from acesaround.arena.match import Match, serialize
from acesaround.errors import AcesAroundError, RulesError
from acesaround.workers.dask_client import (
    connect,
    disconnect,
    missing_package_error,
    require_same_version,
)

_WORKER_WAIT_SECONDS: Final = 4.0
"""Seconds to wait for the first worker, and until the loss of all workers is reported."""
_LEGS_PER_THREAD: Final = 2
"""Legs submitted for each thread of the cluster, so that no thread is idle between legs."""


class DaskExecutor:
    """An executor on the workers of a scheduler.

    Raises RulesError if the scheduler cannot be reached or has no workers. The callback `on_stall`
    gets a message, on another thread, if the match has to wait for a new worker.
    """

    def __init__(
        self,
        match: Match,
        address: str,
        with_record: bool = False,
        on_stall: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        if match.programs:
            raise RulesError(
                f"{match.programs[0]!r} is a program on this machine: it cannot play on a cluster."
            )
        self._match, self._address, self._record, self._on_stall = (
            match,
            address,
            with_record,
            on_stall,
        )
        self._client = connect(address)
        try:
            self._client.wait_for_workers(1, timeout=_WORKER_WAIT_SECONDS)
        except (TimeoutError, OSError):
            self.close()
            raise RulesError(f"The cluster at {address} has no workers.") from None
        self._legs: dict[Any, Job] = {}
        self._completed = as_completed(loop=self._client.loop)

    def has_capacity(self) -> bool:
        """Return whether the workers may soon need more legs."""
        try:
            threads: int = sum(self._client.nthreads().values())
        except OSError:
            raise self._cluster_lost_error() from None
        return len(self._legs) < _LEGS_PER_THREAD * max(threads, 1)

    def submit(self, job: Job) -> None:
        """Submit a leg to be played."""
        future = self._client.submit(
            _play_leg,
            serialize(self._match),
            *job,
            self._record,
            __version__,
            pure=False,
            retries=0,
        )
        self._legs[future] = job
        self._completed.add(future)

    def next_result(self) -> Leg:
        """Wait for a finished leg and return it. Raise AcesAroundError if it cannot be played."""
        with self._watching_for_workers():
            future = next(self._completed)
            while future.status == "lost":  # its worker is gone, and the leg is being rerun
                self._completed.add(future)
                future = next(self._completed)
        board, seating = self._legs.pop(future)
        if future.cancelled():
            raise self._cluster_lost_error()
        error = future.exception()
        if error is None:
            finished_leg = future.result()
            assert isinstance(finished_leg, Leg)
            return finished_leg
        if isinstance(error, KilledWorker):
            raise RulesError(
                f"The cluster cannot play board {board} in seating {seating}: every worker that "
                "tried ended."
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
    def _watching_for_workers(self) -> Iterator[None]:
        """Wait for a leg; if that takes long and no worker is left, report it."""
        timer = threading.Timer(_WORKER_WAIT_SECONDS, self._report_no_workers)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _report_no_workers(self) -> None:
        with contextlib.suppress(Exception):  # `next_result` reports a cluster that is lost
            if not self._client.nthreads():
                self._on_stall(
                    f"The cluster at {self._address} has lost all workers: the match waits for a "
                    "new one. With --out FILE you can stop the match and continue it later."
                )

    def _cluster_lost_error(self) -> RulesError:
        return RulesError(
            f"The connection to the cluster at {self._address} is lost. You can continue a match "
            "with --out FILE."
        )


def _play_leg(match: bytes, board: int, seating: int, with_record: bool, version: str) -> Leg:
    """Play a leg, on a worker of the cluster."""
    require_same_version(version)
    return play_serialized(match, board, seating, with_record)
