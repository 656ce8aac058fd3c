"""The process that test servers are forked from: `python -m tests.multiprocess.zygote FD`.

It has imported all that a server needs, which takes longer than everything else about a start.
Each request comes by the socket FD with a socket of its own, the server's line: by it come signals
for the server, and its id and exit status go back. Who closes the line, or dies, has it killed.
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
"""Bytes of everything that is said by a line, and of the length before a request."""
_LATE = ("asyncpg", "uvloop", "sqlalchemy.dialects.postgresql.asyncpg", "uvicorn.loops.uvloop")
"""What a server imports when it needs it."""
# Those who think for a server are started anew and import this module: it imports little.


def main() -> int:
    """Fork until the socket is closed. In a server: serve; its exit status."""
    control = socket.socket(fileno=int(sys.argv[1]))
    serve: Callable[..., int] = importlib.import_module("tests.multiprocess.fast_server").main
    for name in _LATE:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_open(f"sqlite:///{folder}/any.sqlite"))  # for what a database imports
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who keep a server
    while True:
        length, fds, _, _ = socket.recv_fds(control, WORD, 1)
        if not length:
            return 0
        asked = json.loads(control.recv(int(length), socket.MSG_WAITALL))
        if os.fork() == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            if (served := _kept(asked, socket.socket(fileno=fds[0]))) is None:
                os._exit(0)
            return serve(*served)
        os.close(fds[0])


async def _open(url: str) -> None:
    store = importlib.import_module("acesaround.store").Store
    await (await store.open(url)).close()


def _kept(asked: dict[str, Any], line: socket.socket) -> list[Any] | None:
    """Fork the server and stay with it to its end: None. In the server: what it is to serve."""
    ended, held = os.pipe()
    pid = os.fork()
    if pid == 0:  # `held` stays open as long as this process is there
        line.close()
        os.close(ended)
        _settle(asked)
        served: list[Any] = asked["served"]
        return served
    os.close(held)
    line.send(word(pid))
    while True:
        ready, _, _ = select.select([line.fileno(), ended], [], [])
        if ended in ready:
            break
        told = line.recv(WORD, socket.MSG_WAITALL)
        os.kill(pid, int(told) if told else signal.SIGKILL)  # not waited for yet, so it is its id
        if not told:
            break
    _, status = os.waitpid(pid, 0)
    with suppress(OSError):  # nobody is there who would want to know
        line.send(word(os.waitstatus_to_exitcode(status)))
    return None


def word(number: int) -> bytes:
    """A number as it is said by a line."""
    return b"%*d" % (WORD, number)


def _settle(asked: dict[str, Any]) -> None:
    """Be a process like any other that the tests start."""
    os.environ.clear()
    os.environ.update(asked["environment"])
    nothing = os.open(os.devnull, os.O_RDONLY)
    log = os.open(asked["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    os.dup2(nothing, 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(nothing)
    os.close(log)
    if (files := asked["files"]) is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    random.seed()  # steady: a new process draws as any other would
    gc.unfreeze()


if __name__ == "__main__":
    sys.exit(main())
