"""The home of a table: the one process that serves it, whichever of them its people come to.

A socket that arrives elsewhere is handed on to the home as the bytes it sends and is sent
(`frames`). Who is the home stands in the database, with a lease that each process renews; a table
that has none gets the process at which somebody arrives.

A home makes tables quick, and nothing depends on it: where it cannot be reached, a process serves
the table itself, the log settles who was first, and people are sent home once that is possible.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from time import monotonic
from typing import Final, cast

from starlette.websockets import WebSocket

from acesaround.server.frames import EXTENSION, Frames
from acesaround.server.inner import HANDED, connect
from acesaround.server.live import Hub
from acesaround.server.notes import HEADER, Notes
from acesaround.store import Home, Leases, Unsaved

_LOG: Final = logging.getLogger(__name__)
EVERY: Final = 1.0
"""Seconds from one renewal of the lease to the next."""
LEASE: Final = 3.0
"""Seconds after which a process that renews it no more is the home of nothing."""
_ANSWER: Final = 1.5  # seconds in which another process is to answer
_SILENT: Final = 3.0  # seconds in which one is to answer that has people of ours
_APART: Final = 4.0  # seconds for which one that did not is left alone
_SURE: Final = 5.0  # seconds from one look at what the database says of our own tables to the next
_KEPT: Final = 5.0  # seconds for which this is the home of a table that nobody is at
_AWAY: Final = (b"x-forwarded-for", b"x-forwarded-proto", HEADER)  # what only the first door reads


class Homes:
    """What one process knows of homes. Without leases there is one process, the home of all.

    `address`: of its inner door. `draining`: it has been told to end, and soon does.
    """

    def __init__(self, hub: Hub, leases: Leases | None, address: str, secret: str) -> None:
        self.own = hub.presence.own
        self.notes = Notes(self.own, secret)
        self.draining = False
        self._hub = hub
        self._leases = leases
        self._address = address
        self._mine: dict[str, float] = {}  # since when nobody is known to be there
        self._lost: dict[str, float] = {}  # processes that do not answer, and until when that holds
        self._passages: defaultdict[Home, set[Frames]] = defaultdict(set)
        self._renewed = self._sure = monotonic()
        self._over = False

    def here(self, table_id: str) -> bool:
        """Whether this process is the home of a table, or there is no other."""
        return self._leases is None or table_id in self._mine

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Hold the lease meanwhile. Raises Unsaved where that cannot begin."""
        if self._leases is None:
            yield
            return
        await self._leases.sweep()
        await self._leases.renew(self.own, self._address, LEASE)
        self._renewed = monotonic()
        working = [
            asyncio.create_task(self._every(self._renew), name="lease"),
            asyncio.create_task(self._every(self._look), name="homes"),
        ]
        try:
            yield
        finally:
            for task in working:
                task.cancel()
            await asyncio.wait(working)
            await self.end()

    async def end(self) -> None:
        """Be the home of nothing any more, so that the others take over at once."""
        if self._leases is not None and not self._over:
            self._over = True
            self._mine.clear()
            with contextlib.suppress(Unsaved):
                await self._leases.end(self.own)

    async def hand_on(self, websocket: WebSocket, table_id: str) -> bool:
        """Let the home of a table serve a socket, to its end; False where that is to be done here.

        Raises Unsaved.
        """
        home = await self._home(table_id)
        frames: Frames | None = websocket.scope.get("extensions", {}).get(EXTENSION)
        if home is None or frames is None or websocket.scope["state"].get(HANDED):
            return False
        client = None if websocket.client is None else websocket.client.host
        headers = [pair for pair in websocket.scope["headers"] if pair[0] not in _AWAY]
        headers.append((HEADER, self.notes.write(home.process, client)))
        try:
            async with asyncio.timeout(_ANSWER):
                passage = await frames.hand_on(home.address, headers)
        except (OSError, TimeoutError) as error:
            self._lose(home, error)
            return False
        self._passages[home].add(frames)
        self._hub.metrics.handed += 1
        try:
            await passage
        finally:
            self._hub.metrics.handed -= 1
            self._passages[home].discard(frames)
        return True

    async def _home(self, table_id: str) -> Home | None:
        """The process to which a table's people are to go; None for this one."""
        if self._leases is None or self._over:
            return None
        if table_id in self._mine:
            self._mine[table_id] = monotonic()
            return None
        home = (await self._leases.of([table_id])).get(table_id)
        home = home or await self._leases.claim(table_id, self.own)
        if home is not None and home.process == self.own:
            self._have(table_id)
        elif home is not None and self._lost.get(home.process, 0.0) < monotonic():
            return home
        return None

    def _have(self, table_id: str) -> None:
        """Be the home of a table from now on."""
        self._mine[table_id] = monotonic()
        self._hub.hear(table_id, None)  # who was its home may have told nobody of the last entry

    def _lose(self, home: Home, why: Exception) -> None:
        if self._lost.get(home.process, 0.0) < monotonic():
            said = str(why) or "it does not answer"
            _LOG.warning("process %s cannot be reached at %s: %s", home.process, home.address, said)
        self._lost[home.process] = monotonic() + _APART

    async def _every(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(EVERY)
            with contextlib.suppress(Unsaved):
                await work()

    async def _renew(self) -> None:
        assert self._leases is not None
        if self._over:
            return
        await self._leases.renew(self.own, self._address, LEASE)
        if monotonic() - self._renewed > LEASE:  # meanwhile others may have become their homes
            self._mine.clear()
        self._renewed = monotonic()

    async def _look(self) -> None:
        """Put right what has changed: homes that ended or came back, tables that nobody is at."""
        assert self._leases is not None
        if self._over:
            return
        held = set(self._hub.held)
        if monotonic() - self._sure > _SURE:
            await self._make_sure()
        await self._settle(held - self._mine.keys())
        await self._let_go(held)
        await self._cut()

    async def _make_sure(self) -> None:
        """Be the home of what the database says, and of no more."""
        assert self._leases is not None
        self._sure, mine = monotonic(), list(self._mine)
        homes = await self._leases.of(mine)
        for table_id in mine:
            if table_id not in homes or homes[table_id].process != self.own:
                self._mine.pop(table_id, None)

    async def _settle(self, table_ids: set[str]) -> None:
        """Become the home of tables that are served here and have none; send people to others'."""
        assert self._leases is not None
        homes = await self._leases.of(table_ids) if table_ids else {}
        for table_id in table_ids:
            home = homes.get(table_id) or await self._leases.claim(table_id, self.own)
            if home is None:
                continue
            if home.process == self.own:
                self._have(table_id)
            elif await self._answers(home):
                self._hub.send_home(table_id)

    async def _let_go(self, held: Iterable[str]) -> None:
        """Be the home no longer of tables that nobody has been at for a while."""
        assert self._leases is not None
        now = monotonic()
        self._mine.update(dict.fromkeys(self._mine.keys() & set(held), now))
        if empty := [one for one, since in self._mine.items() if now - since > _KEPT]:
            for table_id in empty:
                del self._mine[table_id]
            await self._leases.let_go(empty, self.own)

    async def _cut(self) -> None:
        """End the passages to processes that live or answer no more: their people come again."""
        assert self._leases is not None
        self._passages = defaultdict(set, {to: some for to, some in self._passages.items() if some})
        if not self._passages:
            return
        living = await self._leases.living()
        for home, passages in list(self._passages.items()):
            if home.process not in living or not await self._answers(home, _SILENT):
                for frames in list(passages):
                    frames.cut()

    async def _answers(self, home: Home, seconds: float = _ANSWER) -> bool:
        """Whether another process is there, and says so within that time."""
        if self._lost.get(home.process, 0.0) > monotonic():
            return False
        asking = _Asking(self.notes.write(home.process, None))
        try:
            async with asyncio.timeout(seconds):
                await connect(home.address, asking)
                return await asking.answer
        except (OSError, TimeoutError) as error:
            self._lose(home, error)
            return False
        finally:
            asking.close()


class _Asking(asyncio.Protocol):
    """Asks another process whether it is there."""

    def __init__(self, note: bytes) -> None:
        self.answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._note = note
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport = cast(asyncio.Transport, transport)  # uvloop's is none by name
        transport.write(
            b"GET / HTTP/1.1\r\nhost: localhost\r\n%s: %s\r\n\r\n" % (HEADER, self._note)
        )

    def data_received(self, data: bytes) -> None:
        if not self.answer.done():
            self.answer.set_result(data.startswith(b"HTTP/1.1 204"))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.answer.done():
            self.answer.set_result(False)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()
