"""Several processes that serve one listening socket: started, replaced when they die, stopped.

A worker ends when the process that started it does, however that ended: nobody is left behind
holding the address.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final, TypeVar

T = TypeVar("T")
Work = Callable[[T, socket.socket], object]
_LOG: Final = logging.getLogger(__name__)
_SOON: Final = 1.0  # seconds from one start to the next in the place of a worker
_SPAWN: Final = multiprocessing.get_context("spawn")


class _Stop(BaseException):
    """The process was told to end."""


def run_workers(
    work: Work[T], settings: T, listening: socket.socket, number: int, grace: float
) -> None:
    """Keep that many workers running until SIGINT or SIGTERM.

    Each calls `work(settings, listening)`, and has `grace` seconds to end when told to. The socket
    is closed as soon as they are told.
    """
    was = {told: signal.signal(told, _stop) for told in (signal.SIGINT, signal.SIGTERM)}
    lifeline, held = _SPAWN.Pipe(duplex=False)
    workers: list[SpawnProcess] = []
    try:
        for _ in range(number):
            workers.append(_started(work, settings, listening, lifeline))
        _keep(workers, lambda: _started(work, settings, listening, lifeline))
    except _Stop:
        pass
    finally:
        for told in was:
            signal.signal(told, signal.SIG_IGN)
        listening.close()  # whoever comes now is to go elsewhere, not to wait for nobody
        _end(workers, grace)
        lifeline.close()
        held.close()
        for told, handler in was.items():
            signal.signal(told, handler)


def _stop(_number: int, _frame: object) -> None:
    raise _Stop


def _started(
    work: Work[T], settings: T, listening: socket.socket, lifeline: Connection
) -> SpawnProcess:
    worker = _SPAWN.Process(target=_work, args=(work, settings, listening, lifeline))
    # A terminal sends Ctrl-C to everybody. Workers never take it: they are told by this process.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        worker.start()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    return worker


def _keep(workers: list[SpawnProcess], start: Callable[[], SpawnProcess]) -> None:
    while True:
        began = time.monotonic()
        wait([worker.sentinel for worker in workers])
        for place, worker in enumerate(workers):
            if worker.exitcode is not None:
                _LOG.error("worker %s ended with %s: another starts", worker.pid, worker.exitcode)
                time.sleep(max(0.0, began + _SOON - time.monotonic()))
                workers[place] = start()


def _end(workers: list[SpawnProcess], grace: float) -> None:
    for worker in workers:
        worker.terminate()
    until = time.monotonic() + grace
    for worker in workers:
        worker.join(max(0.0, until - time.monotonic()))
        if worker.exitcode is None:
            worker.kill()
            worker.join()


def _work(work: Work[T], settings: T, listening: socket.socket, lifeline: Connection) -> None:
    threading.Thread(target=_follow, args=(lifeline,), daemon=True).start()
    work(settings, listening)


def _follow(lifeline: Connection) -> None:
    """End this process when the other end of the line is gone."""
    try:
        lifeline.recv()
    except EOFError:
        os.kill(os.getpid(), signal.SIGTERM)
