"""The process that servers of tests are forked from.

`python -m tests.multiprocess.server_fork_process FD`.

It has imported all that a server needs, which takes most of the time of a start. Each request comes
through the socket FD with a socket of its own, the server's line. Signals for the server come
through the line, and its id and exit status go back. When the other end is closed, the server is
killed.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import os
import random
import resource
import select
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any

WORD = 8
"""Bytes of each number on a line, and of the length before a request."""
_LATE = ("asyncpg", "uvloop", "sqlalchemy.dialects.postgresql.asyncpg", "uvicorn.loops.uvloop")
"""Modules that a server imports later."""
# Bot workers import this module too, so it imports little.


def main() -> int:
    """Fork until the socket is closed. In a server: serve, and return the exit status."""
    control = socket.socket(fileno=int(sys.argv[1]))
    serve: Callable[..., int] = importlib.import_module("tests.multiprocess.fast_server").main
    for name in _LATE:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_open(f"sqlite:///{folder}/any.sqlite"))  # imports the modules of a database
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # reaps supervisors
    while True:
        length, fds, _, _ = socket.recv_fds(control, WORD, 1)
        if not length:
            return 0
        request = json.loads(control.recv(int(length), socket.MSG_WAITALL))
        if os.fork() == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            if (served := _supervise(request, socket.socket(fileno=fds[0]))) is None:
                os._exit(0)
            return serve(*served)
        os.close(fds[0])


async def _open(url: str) -> None:
    store = importlib.import_module("acesaround.store").Store
    await (await store.open(url)).close()


def _supervise(request: dict[str, Any], line: socket.socket) -> list[Any] | None:
    """Fork a server, supervise it to its end, and return None.

    In the server: return the arguments of `fast_server.main`.
    """
    ended, held = os.pipe()
    pid = os.fork()
    if pid == 0:  # `held` is closed when this process ends
        line.close()
        os.close(ended)
        _settle(request)
        served: list[Any] = request["served"]
        return served
    os.close(held)
    line.send(word(pid))
    while True:
        ready, _, _ = select.select([line.fileno(), ended], [], [])
        if ended in ready:
            break
        received = line.recv(WORD, socket.MSG_WAITALL)
        os.kill(
            pid, int(received) if received else signal.SIGKILL
        )  # not reaped yet, so the id is valid
        if not received:
            break
    _, status = os.waitpid(pid, 0)
    with suppress(OSError):  # the other end is closed
        line.send(word(os.waitstatus_to_exitcode(status)))
    return None


def word(number: int) -> bytes:
    """Return a number as it is sent through a line."""
    return b"%*d" % (WORD, number)


def _settle(request: dict[str, Any]) -> None:
    """Set environment, output and limits as for any process that the tests start."""
    os.environ.clear()
    os.environ.update(request["environment"])
    nothing = os.open(os.devnull, os.O_RDONLY)
    log = os.open(request["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    os.dup2(nothing, 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(nothing)
    os.close(log)
    if (files := request["files"]) is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    random.seed()  # steady: a new process has its own seed
    gc.unfreeze()


if __name__ == "__main__":
    sys.exit(main())
