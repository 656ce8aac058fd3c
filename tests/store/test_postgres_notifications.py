"""The channel between processes on one PostgreSQL reconnects by itself."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest

from acesaround.store import postgres_notifications
from acesaround.store.postgres_notifications import NotificationChannel


class FailingConnection:
    """A connection that fails at the first message. `told`: all messages sent."""

    def __init__(self, error: Exception | None, told: list[str]) -> None:
        self._error, self._told = error, told

    def add_termination_listener(self, _: object) -> None:
        """Ignore the listener."""

    async def add_listener(self, *_: object) -> None:
        """Ignore the listener."""

    def is_closed(self) -> bool:
        return False

    async def execute(self, statement: str, *words: Any) -> None:
        if words:
            if self._error is not None:
                raise self._error
            self._told += words[1]

    def terminate(self) -> None:
        """Do nothing."""


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
async def test_unsent_messages_are_sent_by_the_next_connection(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    connections = iter([FailingConnection(error, told), FailingConnection(None, told)])

    async def connect(**_: Any) -> FailingConnection:
        return next(connections)

    monkeypatch.setattr(asyncpg, "connect", connect)
    monkeypatch.setattr(postgres_notifications, "_RETRY_SECONDS", 0.0)
    one, back = NotificationChannel({}), list[bool]()
    one.notify("somebody has left")
    one.notify_appended({"t": 7})
    running = asyncio.create_task(one.run(lambda *_: None, lambda: back.append(True)))
    await one._all_sent.wait()
    assert sorted(told) == ["somebody has left", "t:7"]
    assert back == [True, True]  # messages may be missed at each connection
    running.cancel()
    await asyncio.wait([running])
