"""Devices in the database: the person of each, and signing out.

A device is one person. A device without a row is the person with the same id, because an only
device is not stored. A device that is signed out keeps a row without a person, because without a
row it would be that person again. It is never used again: its browser gets a new cookie.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from acesaround.store.schema import DEVICES, PAIRING_CODES, PEOPLE

OpenConnection: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncConnection]]
_DEVICES_PER_QUERY: Final = 500  # devices in one query
_CHANGED_SINCE: Final = select(DEVICES.c.device_id).where(
    DEVICES.c.changed_ms >= bindparam("since")
)


class LastDevice(Exception):  # noqa: N818 - a fact about the devices, not a fault
    """The person would have no device left and lose all their data."""


class NotSignedIn(Exception):  # noqa: N818 - a fact about the devices, not a fault
    """The requesting device is not signed in as that person, or no longer."""


class DeviceIdentity(msgspec.Struct, frozen=True):
    """The person that a device is, with the name. `person` None: the device is signed out."""

    person: str | None
    name: str | None
    last_seen: int
    avatar: str


class Device(msgspec.Struct, frozen=True):
    """A device of a person. `last_seen`: when it was last used, in milliseconds."""

    id: str
    name: str
    last_seen: int


class Devices:
    """Queries on devices. Every write is durable when it returns.

    `begin_read`, `begin_write`: functions that open connections of the store. `now`: milliseconds
    since 1970. All methods raise DatabaseUnavailable.
    """

    def __init__(
        self,
        begin_read: OpenConnection,
        begin_write: OpenConnection,
        now: Callable[[], int],
    ) -> None:
        self._begin_read = begin_read
        self._begin_write = begin_write
        self._now = now

    async def identity_of(self, device: str) -> DeviceIdentity | None:
        """Return the identity of a device, or None for a device without a row."""
        query = (
            select(DEVICES, PEOPLE.c.name.label("called"), PEOPLE.c.avatar)
            .join(PEOPLE, PEOPLE.c.id == DEVICES.c.person_id, isouter=True)
            .where(DEVICES.c.device_id == device)
        )
        async with self._begin_read() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        return DeviceIdentity(row.person_id, row.called, row.last_seen_ms, row.avatar or "")

    async def devices_of(self, person: str) -> list[Device]:
        """Return the devices that are signed in as a person, the last seen first."""
        async with self._begin_read() as connection:
            signed_in = await _signed_in_devices(connection, person)
        return sorted(signed_in, key=lambda device: -device.last_seen)

    async def touch(self, devices: Collection[str]) -> None:
        """Record that devices were seen just now."""
        ids, now = sorted(devices), self._now()
        async with self._begin_write() as connection:
            for start in range(0, len(ids), _DEVICES_PER_QUERY):
                condition = DEVICES.c.device_id.in_(ids[start : start + _DEVICES_PER_QUERY])
                await connection.execute(update(DEVICES).where(condition).values(last_seen_ms=now))

    async def changed_since(self, since: int) -> set[str]:
        """Return the devices that have changed since a time in milliseconds."""
        async with self._begin_read() as connection:
            return set((await connection.execute(_CHANGED_SINCE, {"since": since})).scalars())

    async def mark_renamed(self, person: str) -> list[str]:
        """Have every process read the devices of a renamed person again; return these devices."""
        condition = DEVICES.c.person_id == person
        async with self._begin_write() as connection:
            await connection.execute(
                update(DEVICES).where(condition).values(changed_ms=self._now())
            )
            return list(
                (await connection.execute(select(DEVICES.c.device_id).where(condition))).scalars()
            )

    async def sign_out(
        self, person: str, requester: str, is_wanted: Callable[[str], bool]
    ) -> list[str]:
        """Sign out the devices of a person that `is_wanted` accepts; return their ids.

        All codes of the person become invalid. `requester`: the requesting device. Raises
        LastDevice and NotSignedIn without changing anything.
        """
        if await self._nothing_to_sign_out(person, requester, is_wanted):
            return []
        async with self._begin_write() as connection:
            if not await is_signed_in(connection, requester, person):
                raise NotSignedIn
            # Delete codes first, so that a device that redeems one now is among the devices below.
            await connection.execute(
                delete(PAIRING_CODES).where(PAIRING_CODES.c.person_id == person)
            )
            devices = [
                device.id for device in await _signed_in_devices(connection, person, lock=True)
            ]
            if not devices and is_wanted(requester):
                raise LastDevice  # the only device, which has no row yet
            if devices and requester not in devices:
                raise NotSignedIn
            to_sign_out = [device for device in devices if is_wanted(device)]
            if devices and len(to_sign_out) == len(devices):
                raise LastDevice
            out = update(DEVICES).where(DEVICES.c.device_id.in_(to_sign_out))
            await connection.execute(out.values(person_id=None, changed_ms=self._now()))
        return to_sign_out

    async def _nothing_to_sign_out(
        self, person: str, requester: str, is_wanted: Callable[[str], bool]
    ) -> bool:
        """Return True if signing out would change nothing.

        This only reads, so that repeated requests take no write lock. Codes are checked before
        devices, because a code that is redeemed in between has created a device by then.
        """
        codes = (
            select(PAIRING_CODES.c.code_hash).where(PAIRING_CODES.c.person_id == person).limit(1)
        )
        async with self._begin_read() as connection:
            if is_wanted(requester) or not await is_signed_in(connection, requester, person):
                return False
            if (await connection.execute(codes)).first() is not None:
                return False
            return not any(
                is_wanted(device.id) for device in await _signed_in_devices(connection, person)
            )


async def insert_first_device(
    connection: AsyncConnection,
    upsert: Callable[..., Any],
    now: int,
    person: str,
    device_name: str,
) -> None:
    """Insert the row of a person's first device, unless it is there.

    `upsert`: the store's insert statement with conflict handling. `now`: milliseconds since 1970.
    """
    times = dict.fromkeys(("first_seen_ms", "last_seen_ms", "changed_ms"), now)
    row = {"device_id": person, "person_id": person, "name": device_name, **times}
    await connection.execute(upsert(DEVICES).values(row).on_conflict_do_nothing())


async def is_signed_in(connection: AsyncConnection, device: str, person: str) -> bool:
    """Return whether a device is signed in as a person."""
    asked = select(DEVICES.c.person_id).where(DEVICES.c.device_id == device)
    row = (await connection.execute(asked)).first()
    return (device if row is None else row.person_id) == person


async def _signed_in_devices(
    connection: AsyncConnection, person: str, *, lock: bool = False
) -> list[Device]:
    """Return the devices signed in as a person. `lock`: lock their rows against changes."""
    query = select(DEVICES).where(DEVICES.c.person_id == person).order_by(DEVICES.c.device_id)
    rows = await connection.execute(query.with_for_update() if lock else query)
    return [Device(row.device_id, row.name, row.last_seen_ms) for row in rows]
