"""The person that each device is signed in as, and the open WebSockets of each device.

The cookie names the device. The database says which person the device is, and this process caches
the answer. If other processes use the database, their changes are polled every `EVERY` seconds.
Until then a device may still act as its previous person.

When a device is signed out or becomes another person, its WebSockets are closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from acesaround.server.accounts import cookie as identity
from acesaround.server.accounts.cookie import Cookie, CookieSigner, Guest
from acesaround.server.client import TableClient
from acesaround.store import DatabaseUnavailable, SequenceConflict, Store
from acesaround.store.devices import DeviceIdentity
from acesaround.table import Person
from acesaround.table.avatars import known

EVERY: Final = 1.0
"""Seconds between two polls for changes by other processes."""
SIGNED_OUT: Final = 4401
"""The WebSocket close code for a device that was signed out or is somebody else now."""
NOT_YOU: Final = "This device was signed out, or is somebody else now: open the page again."
_OVERLAP: Final = 30_000  # milliseconds that allow for clock differences and late commits
_SEEN: Final = 60.0  # seconds between two updates of `seen` for connected devices
_STALE: Final = 300_000  # milliseconds after which a request updates `seen`
_MOST: Final = 50_000  # cached devices

_LOG: Final = logging.getLogger(__name__)


class DeviceSessions:
    """A cache of the person that each requesting device is signed in as."""

    def __init__(self, cookies: CookieSigner, store: Store) -> None:
        self._cookies = cookies
        self._store = store
        self._held: OrderedDict[str, tuple[DeviceIdentity | None, int]] = (
            OrderedDict()
        )  # with the time of the read
        self._dropped = 0  # number of invalidations so far
        self._sockets: dict[str, dict[TableClient, Guest]] = {}

    async def guest_or_none(self, connection: HTTPConnection) -> Guest | None:
        """Return the guest of a valid cookie, or None. Raises DatabaseUnavailable.

        The result is None without a valid cookie, and for a device that is signed out or whose
        person was deleted.
        """
        cookie = self._cookies.read_cookie(connection)
        return None if cookie is None else await self._guest(cookie)

    async def guest(self, connection: HTTPConnection) -> Guest:
        """Return the guest of the cookie, or a new one. Raises DatabaseUnavailable."""
        found = await self.guest_or_none(connection)
        if found is not None:
            return found
        device = identity.new_id()
        return Guest(device, None, device, fresh=True)

    def ensure_cookie(self, connection: HTTPConnection, response: Response) -> None:
        """Set a cookie if the request has none or its cookie is due for renewal."""
        cookie = self._cookies.read_cookie(connection) or Cookie(identity.new_id(), fresh=True)
        if cookie.fresh:
            self._cookies.set_cookie(response, cookie)

    def remember(self, response: Response, guest: Guest, *, changed: bool = False) -> None:
        """Set the cookie of a guest's device on a response.

        `changed`: this response changes the person or the name. The cookie then carries the current
        time, so that every process reads the device again.
        """
        at = identity.now_ms() if changed else guest.at
        self._cookies.set_cookie(
            response, Cookie(guest.device, guest.name, at=at, avatar=guest.avatar)
        )

    def is_connected(self, device: str) -> bool:
        """Return whether a device has a WebSocket open in this process."""
        return device in self._sockets

    async def _guest(self, cookie: Cookie) -> Guest | None:
        held = await self._look(cookie.id, cookie.at)
        if held is None:
            if self._cookies.is_deleted(cookie.id):
                return None
            return Guest(cookie.id, cookie.name, cookie.id, cookie.fresh, cookie.at, cookie.avatar)
        if held.person is None or self._cookies.is_deleted(held.person):
            return None
        name = identity.valid_name_or_none(held.name)
        return Guest(held.person, name, cookie.id, cookie.fresh, cookie.at, held.avatar)

    async def _look(self, device: str, since: int = 0) -> DeviceIdentity | None:
        """Return the identity of a device, or None if the database does not know it.

        `since`: the time of the last change that the device's cookie records. An older cache entry
        is read again.
        """
        held, read = self._held.get(device, (None, -1))
        if read < since or read < 0:
            before, now = self._dropped, identity.now_ms()
            held = await self._store.devices.identity_of(device)
            if before == self._dropped:  # otherwise the row may have been read before the change
                self._hold(device, held, now)
        else:
            self._held.move_to_end(device)
        if held is not None and identity.now_ms() - held.seen > _STALE:
            await self._note({device})
        return held

    def _hold(self, device: str, held: DeviceIdentity | None, now: int) -> None:
        self._held[device] = held, now
        if len(self._held) > _MOST:
            self._held.popitem(last=False)

    async def _note(self, devices: Collection[str]) -> None:
        """Update `seen` of devices. Failures are ignored, because a later update does as well."""
        with contextlib.suppress(DatabaseUnavailable, SequenceConflict):
            await self._store.devices.touch(devices)
            for device in devices:
                self._held.pop(device, None)

    async def invalidate(self, devices: Collection[str]) -> None:
        """Drop the cached identity of devices after a sign-in, a sign-out or a new name.

        Closes the WebSockets of every device that is somebody else now. Also closes them if the
        database is unavailable; clients may then reconnect.
        """
        self._dropped += 1
        for device in devices:
            self._held.pop(device, None)
        for device in [one for one in devices if one in self._sockets]:
            try:
                held = await self._look(device)
            except DatabaseUnavailable:
                for watcher in self._sockets.get(device, {}):
                    watcher.close()
                continue
            for watcher, guest in self._sockets.get(device, {}).items():
                if (device if held is None else held.person) != guest.id:
                    watcher.close(SIGNED_OUT, NOT_YOU)
                elif watcher.person is not None and held is not None and held.name is not None:
                    watcher.person = Person(guest.id, held.name, known(held.avatar))

    async def renamed(self, guest: Guest) -> None:
        """Invalidate all devices of a person whose name changed. Raises DatabaseUnavailable."""
        await self.invalidate(await self._store.devices.renamed(guest.id))

    @contextlib.asynccontextmanager
    async def connected(self, guest: Guest | None, watcher: TableClient) -> AsyncIterator[None]:
        """Register an open WebSocket of a guest's device. Raises DatabaseUnavailable."""
        if guest is None:
            yield
            return
        open_ = self._sockets.setdefault(guest.device, {})
        open_[watcher] = guest
        try:
            held = await self._look(guest.device)
            if (guest.device if held is None else held.person) != guest.id:  # changed since
                watcher.close(SIGNED_OUT, NOT_YOU)
            yield
        finally:
            del open_[watcher]
            if not open_ and self._sockets.get(guest.device) is open_:
                del self._sockets[guest.device]

    @contextlib.asynccontextmanager
    async def poll_changes(self) -> AsyncIterator[None]:
        """Poll for changes by other processes and update `seen` of connected devices."""
        running = asyncio.create_task(self._keep_looking(), name="people")
        running.add_done_callback(_ended)
        try:
            yield
        finally:
            running.cancel()
            await asyncio.wait([running])

    async def _keep_looking(self) -> None:
        since, noted, failing = identity.now_ms(), time.monotonic(), False
        while True:
            await asyncio.sleep(EVERY)
            now = identity.now_ms()
            try:
                if self._store.shared:
                    await self.invalidate(await self._store.devices.changed(since - _OVERLAP))
                    since = now
                if time.monotonic() - noted > _SEEN:
                    noted = time.monotonic()
                    several = [one for one in self._sockets if self._held.get(one, (0,))[0]]
                    await self._note(several)
                failing = False
            except DatabaseUnavailable as error:
                if not failing:
                    _LOG.warning("who signed out elsewhere is not known now: %s", error)
                failing = True


def _ended(running: asyncio.Task[None]) -> None:
    if not running.cancelled() and (error := running.exception()) is not None:
        _LOG.error("who signs out elsewhere is not looked for any more", exc_info=error)
