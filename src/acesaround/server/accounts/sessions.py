"""The person that each device is signed in as, and the open WebSockets of each device.

The cookie names the device. The database says which person the device is, and this process caches
the answer. Changes are polled every `POLL_SECONDS` seconds: those by other processes, and writes of
this one that were reported as failed but were stored. Until then a device may still act as its
previous person.

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
from acesaround.server.table_client import TableClient
from acesaround.store import DatabaseUnavailable, SequenceConflict, Store
from acesaround.store.devices import DeviceIdentity
from acesaround.store.people import has_played
from acesaround.store.store import current_ms
from acesaround.table import Person
from acesaround.table.avatars import avatar_or_empty

POLL_SECONDS: Final = 1.0
"""Seconds between two polls for changes in the database."""
SIGNED_OUT_CODE: Final = 4401
"""The WebSocket close code for a device that was signed out or is somebody else now."""
NOT_YOU: Final = (
    "This device was signed out or is now signed in as somebody else: open the page again."
)
_OVERLAP_MS: Final = 30_000  # milliseconds that allow for clock differences and late commits
_SEEN_UPDATE_SECONDS: Final = (
    60.0  # seconds between two updates of `last_seen` for connected devices
)
_SEEN_STALE_MS: Final = 300_000  # milliseconds after which a request updates `last_seen`
_MAX_CACHED_DEVICES: Final = 50_000  # cached devices
_MAX_ADDRESSES: Final = 50_000  # persons whose last address is known
_MAX_PLAYERS: Final = 50_000  # persons of whom it is known that they have played a deal

_LOG: Final = logging.getLogger(__name__)


class DeviceSessions:
    """A cache of the person that each requesting device is signed in as, and of their addresses."""

    def __init__(self, cookies: CookieSigner, store: Store) -> None:
        self._cookies = cookies
        self._store = store
        self._identities: OrderedDict[str, tuple[DeviceIdentity | None, int]] = (
            OrderedDict()
        )  # with the time of the read
        self._invalidation_count = 0  # number of invalidations so far
        self._clients_by_device: dict[str, dict[TableClient, Guest]] = {}
        self._last_addresses: OrderedDict[str, str] = OrderedDict()  # by person
        self._players: OrderedDict[str, None] = OrderedDict()  # persons who have played a deal

    async def find_guest(self, connection: HTTPConnection) -> Guest | None:
        """Return the guest of a valid cookie, or None. Raises DatabaseUnavailable.

        The result is None without a valid cookie, and for a device that is signed out or whose
        person was deleted.
        """
        cookie = self._cookies.read_cookie(connection)
        guest = None if cookie is None else await self._guest_of_cookie(cookie)
        if guest is not None:
            self._note_address(guest.id, connection)
        return guest

    async def find_or_create_guest(self, connection: HTTPConnection) -> Guest:
        """Return the guest of the cookie, or a new one. Raises DatabaseUnavailable."""
        known_guest = await self.find_guest(connection)
        if known_guest is not None:
            return known_guest
        device = identity.new_id()
        self._note_address(device, connection)
        return Guest(device, None, device, needs_cookie=True)

    def last_address(self, person_id: str) -> str | None:
        """Return the address of a person's last request, or None if it is unknown."""
        return self._last_addresses.get(person_id)

    async def has_played(self, person_id: str) -> bool:
        """Return whether a person has played a deal to its end; False if that is not known."""
        if person_id not in self._players:
            with contextlib.suppress(DatabaseUnavailable):
                if await has_played(self._store, person_id):
                    self._players[person_id] = None
                    if len(self._players) > _MAX_PLAYERS:
                        self._players.popitem(last=False)
        return person_id in self._players

    def _note_address(self, person_id: str, connection: HTTPConnection) -> None:
        if connection.client is not None:
            self._last_addresses[person_id] = connection.client.host
            self._last_addresses.move_to_end(person_id)
            if len(self._last_addresses) > _MAX_ADDRESSES:
                self._last_addresses.popitem(last=False)

    def ensure_cookie(self, connection: HTTPConnection, response: Response) -> None:
        """Set a cookie if the request has none or its cookie is due for renewal."""
        cookie = self._cookies.read_cookie(connection) or Cookie(
            identity.new_id(), must_be_sent=True
        )
        if cookie.must_be_sent:
            self._cookies.set_cookie(response, cookie)

    def set_guest_cookie(self, response: Response, guest: Guest, *, changed: bool = False) -> None:
        """Set the cookie of a guest's device on a response.

        `changed`: this response changes the person or the name. The cookie then carries the
        current time, so that every process reads the device again.
        """
        changed_at = current_ms() if changed else guest.changed_at
        self._cookies.set_cookie(
            response, Cookie(guest.device, guest.name, at=changed_at, avatar=guest.avatar)
        )

    def is_connected(self, device: str) -> bool:
        """Return whether a device has a WebSocket open in this process."""
        return device in self._clients_by_device

    async def _guest_of_cookie(self, cookie: Cookie) -> Guest | None:
        device_identity = await self._identity_of(cookie.id, cookie.at)
        if device_identity is None:
            if self._cookies.is_deleted(cookie.id):
                return None
            return Guest(
                cookie.id, cookie.name, cookie.id, cookie.must_be_sent, cookie.at, cookie.avatar
            )
        if device_identity.person is None or self._cookies.is_deleted(device_identity.person):
            return None
        name = identity.valid_name_or_none(device_identity.name)
        return Guest(
            device_identity.person,
            name,
            cookie.id,
            cookie.must_be_sent,
            cookie.at,
            device_identity.avatar,
        )

    async def _identity_of(self, device: str, changed_at: int = 0) -> DeviceIdentity | None:
        """Return the identity of a device, or None if the database does not know it.

        `changed_at`: the time of the last change that the device's cookie records. An older cache
        entry is read again.
        """
        device_identity, read_at = self._identities.get(device, (None, -1))
        if read_at < changed_at or read_at < 0:
            count_before, now = self._invalidation_count, current_ms()
            device_identity = await self._store.devices.identity_of(device)
            if (
                count_before == self._invalidation_count
            ):  # otherwise the row may have been read before the change
                self._cache_identity(device, device_identity, now)
        else:
            self._identities.move_to_end(device)
        if (
            device_identity is not None
            and current_ms() - device_identity.last_seen > _SEEN_STALE_MS
        ):
            await self._touch_devices({device})
        return device_identity

    def _cache_identity(
        self, device: str, device_identity: DeviceIdentity | None, read_at: int
    ) -> None:
        self._identities[device] = device_identity, read_at
        if len(self._identities) > _MAX_CACHED_DEVICES:
            self._identities.popitem(last=False)

    async def _touch_devices(self, devices: Collection[str]) -> None:
        """Update `last_seen` of devices.

        A failure is ignored, because the next update writes the same.
        """
        with contextlib.suppress(DatabaseUnavailable, SequenceConflict):
            await self._store.devices.touch(devices)
            for device in devices:
                self._identities.pop(device, None)

    async def invalidate(self, devices: Collection[str]) -> None:
        """Drop the cached identity of devices after a sign-in, a sign-out or a new name.

        Closes the WebSockets of every device that now belongs to another person. If the database is
        unavailable, it closes the WebSockets of all these devices; the clients may reconnect.
        """
        self._invalidation_count += 1
        for device in devices:
            self._identities.pop(device, None)
        for device in [candidate for candidate in devices if candidate in self._clients_by_device]:
            try:
                device_identity = await self._identity_of(device)
            except DatabaseUnavailable:
                for client in self._clients_by_device.get(device, {}):
                    client.close()
                continue
            for client, guest in self._clients_by_device.get(device, {}).items():
                if (device if device_identity is None else device_identity.person) != guest.id:
                    client.close(SIGNED_OUT_CODE, NOT_YOU)
                elif (
                    client.person is not None
                    and device_identity is not None
                    and device_identity.name is not None
                ):
                    client.person = Person(
                        guest.id, device_identity.name, avatar_or_empty(device_identity.avatar)
                    )

    async def invalidate_renamed(self, guest: Guest) -> None:
        """Invalidate all devices of a person whose name changed. Raises DatabaseUnavailable."""
        await self.invalidate(await self._store.devices.mark_renamed(guest.id))

    @contextlib.asynccontextmanager
    async def register_client(
        self, guest: Guest | None, client: TableClient
    ) -> AsyncIterator[None]:
        """Register an open WebSocket of a guest's device. Raises DatabaseUnavailable."""
        if guest is None:
            yield
            return
        open_clients = self._clients_by_device.setdefault(guest.device, {})
        open_clients[client] = guest
        try:
            device_identity = await self._identity_of(guest.device)
            if (
                guest.device if device_identity is None else device_identity.person
            ) != guest.id:  # changed since
                client.close(SIGNED_OUT_CODE, NOT_YOU)
            yield
        finally:
            del open_clients[client]
            if not open_clients and self._clients_by_device.get(guest.device) is open_clients:
                del self._clients_by_device[guest.device]

    @contextlib.asynccontextmanager
    async def poll_changes(self) -> AsyncIterator[None]:
        """Poll for changes in the database and update `last_seen` of connected devices."""
        task = asyncio.create_task(self._poll_forever(), name="people")
        task.add_done_callback(_log_failure)
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _poll_forever(self) -> None:
        since, touched_at, is_failing = current_ms(), time.monotonic(), False
        while True:
            await asyncio.sleep(POLL_SECONDS)
            now = current_ms()
            try:
                await self.invalidate(await self._store.devices.changed_since(since - _OVERLAP_MS))
                since = now
                if time.monotonic() - touched_at > _SEEN_UPDATE_SECONDS:
                    touched_at = time.monotonic()
                    stored_devices = [
                        device
                        for device in self._clients_by_device
                        if self._identities.get(device, (0,))[0]
                    ]
                    await self._touch_devices(stored_devices)
                is_failing = False
            except DatabaseUnavailable as error:
                if not is_failing:
                    _LOG.warning("cannot read which devices have signed out: %s", error)
                is_failing = True


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOG.error("the task that looks for signed-out devices has stopped", exc_info=error)
