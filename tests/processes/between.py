"""A network between two ends that a test makes slow, silent or cut: a proxy of the test's own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Self

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Between:
    """Listens at `port` and passes on to the other end that `opens`, as the test has set it.

    `delay`: seconds that everything takes; `silent`: what is sent is kept back; `shut`: nobody new
    is let in.
    """

    def __init__(self, opens: Callable[[], Coroutine[Any, Any, Ends]]) -> None:
        self._opens = opens
        self._open: set[asyncio.StreamWriter] = set()
        self._heard = asyncio.Event()
        self._heard.set()
        self.delay = 0.0
        self.shut = False
        self.port = 0
        self.passed = 0

    @classmethod
    async def unix(cls, path: str) -> Self:
        """Before a socket in a folder."""
        return await cls(lambda: asyncio.open_unix_connection(path))._listen()

    @classmethod
    async def tcp(cls, host: str, port: int) -> Self:
        """Before an address."""
        return await cls(lambda: asyncio.open_connection(host, port))._listen()

    async def _listen(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    @property
    def silent(self) -> bool:
        return not self._heard.is_set()

    @silent.setter
    def silent(self, silent: bool) -> None:
        (self._heard.clear if silent else self._heard.set)()

    def cut(self) -> None:
        """Cut every connection, as a cable is."""
        for writer in self._open:
            writer.transport.abort()

    async def close(self) -> None:
        self._server.close()
        self.cut()
        self._heard.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.shut:
            writer.transport.abort()
            return
        try:
            await self._heard.wait()
            other_reader, other = await self._opens()
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, other}
        try:
            await asyncio.gather(self._pass(reader, other), self._pass(other_reader, writer))
        finally:
            self._open -= {writer, other}
            writer.transport.abort()
            other.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self._heard.wait()
                self.passed += len(data)
                writer.write(data)
                await writer.drain()
        writer.transport.abort()
