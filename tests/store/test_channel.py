"""The connection by which processes on one PostgreSQL hear each other comes back by itself."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest

from acesaround.store import channel
from acesaround.store.channel import Channel


class Broken:
    """A connection that ends while the first thing is told by it. `told`: all that is."""

    def __init__(self, error: Exception | None, told: list[str]) -> None:
        self._error, self._told = error, told

    def add_termination_listener(self, _: object) -> None:
        """It never calls back."""

    async def add_listener(self, *_: object) -> None:
        """Nothing is heard."""

    def is_closed(self) -> bool:
        return False

    async def execute(self, statement: str, *words: Any) -> None:
        if words:
            if self._error is not None:
                raise self._error
            self._told += words[1]

    def terminate(self) -> None:
        """It has ended."""


@pytest.mark.parametrize(
    "error",
    [
        ConnectionResetError(),
        asyncpg.PostgresConnectionError("gone"),
        asyncpg.InterfaceError("gone"),
        asyncpg.InternalClientError("cannot switch to state 12; another operation is in progress"),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_what_a_broken_connection_did_not_tell_the_next_one_tells(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    connections = iter([Broken(error, told), Broken(None, told)])

    async def connect(**_: Any) -> Broken:
        return next(connections)

    monkeypatch.setattr(asyncpg, "connect", connect)
    monkeypatch.setattr(channel, "_RETRY_SECONDS", 0.0)
    one, back = Channel({}), list[bool]()
    one.notify("somebody has left")
    one.notify_appended({"t": 7})
    running = asyncio.create_task(one.run(lambda *_: None, lambda: back.append(True)))
    await one._all_sent.wait()
    assert sorted(told) == ["somebody has left", "t:7"]
    assert back == [True, True]  # each time it may have missed something
    running.cancel()
    await asyncio.wait([running])
