"""Devices in the database: the person of each, pairing codes, and signing out.

A device is one person. A device without a row is the person with the same id, because an only
device is not stored. A device that is signed out keeps a row without a person, because without a
row it would be that person again. It is never used again: its browser gets a new cookie.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from acesaround.store.schema import CODES, DEVICES, PEOPLE

_Connecting: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncConnection]]
_AT_ONCE: Final = 500  # devices in one query


class LastDevice(Exception):  # noqa: N818 - a fact about the devices, not a fault
    """The person would have no device left and lose all their data."""


class NotSignedIn(Exception):  # noqa: N818 - a fact about the devices, not a fault
    """The requesting device is not signed in as that person, or no longer."""


class DeviceIdentity(msgspec.Struct, frozen=True):
    """The person that a device is, with the name. `person` None: the device is signed out."""

    person: str | None
    name: str | None
    seen: int
    avatar: str


class Device(msgspec.Struct, frozen=True):
    """A device of a person. `seen`: when it was last used, in milliseconds."""

    id: str
    name: str
    seen: int


class Devices:
    """Queries on devices and pairing codes. Every write is durable when it returns.

    `reading`, `writing`: connections of the store. `upserting`: its insert statement with conflict
    handling. `now`: milliseconds since 1970. All methods raise DatabaseUnavailable.
    """

    def __init__(
        self,
        reading: _Connecting,
        writing: _Connecting,
        upserting: Callable[..., Any],
        now: Callable[[], int],
    ) -> None:
        self._reading = reading
        self._writing = writing
        self._insert = upserting
        self._now = now

    async def identity_of(self, device: str) -> DeviceIdentity | None:
        """Return the identity of a device, or None for a device without a row."""
        asked = (
            select(DEVICES, PEOPLE.c.name.label("called"), PEOPLE.c.avatar)
            .join(PEOPLE, PEOPLE.c.id == DEVICES.c.person_id, isouter=True)
            .where(DEVICES.c.device_id == device)
        )
        async with self._reading() as connection:
            row = (await connection.execute(asked)).first()
        if row is None:
            return None
        return DeviceIdentity(row.person_id, row.called, row.seen, row.avatar or "")

    async def devices_of(self, person: str) -> list[Device]:
        """Return the devices that are signed in as a person, the last seen first."""
        async with self._reading() as connection:
            found = await _of(connection, person)
        return sorted(found, key=lambda device: -device.seen)

    async def touch(self, devices: Collection[str]) -> None:
        """Record that devices were seen just now."""
        known, now = sorted(devices), self._now()
        async with self._writing() as connection:
            for at in range(0, len(known), _AT_ONCE):
                its = DEVICES.c.device_id.in_(known[at : at + _AT_ONCE])
                await connection.execute(update(DEVICES).where(its).values(seen=now))

    async def changed(self, since: int) -> set[str]:
        """Return the devices that have changed since a time in milliseconds."""
        asked = select(DEVICES.c.device_id).where(DEVICES.c.changed >= since)
        async with self._reading() as connection:
            return set((await connection.execute(asked)).scalars())

    async def renamed(self, person: str) -> list[str]:
        """Have every process read the devices of a renamed person again; return these devices."""
        its = DEVICES.c.person_id == person
        async with self._writing() as connection:
            await connection.execute(update(DEVICES).where(its).values(changed=self._now()))
            return list(
                (await connection.execute(select(DEVICES.c.device_id).where(its))).scalars()
            )

    async def save_code(
        self, code: str, device: str, person: str, *, name: str, called: str | None, seconds: int
    ) -> None:
        """Store the hash of a pairing code of a person, replacing any earlier code.

        `device`: the requesting device, with `name`. `called`: the name of the person. Raises
        NotSignedIn.
        """
        now = self._now()
        async with self._writing() as connection:
            await self._know(connection, device, person, name)
            if not await _is(connection, device, person):
                raise NotSignedIn
            if called is not None:
                row = {"id": person, "name": called, "created": now, "seen": now}
                await connection.execute(self._insert(PEOPLE).values(row).on_conflict_do_nothing())
            void = (CODES.c.person_id == person) | (CODES.c.expires <= now)
            await connection.execute(delete(CODES).where(void))
            row = {"code": code, "person_id": person, "expires": now + 1000 * seconds}
            await connection.execute(insert(CODES), row)

    async def find_code(self, codes: Collection[str]) -> tuple[str, str | None] | None:
        """Return the id and name of the person whose code has one of these hashes, or None."""
        asked = (
            select(CODES.c.person_id, PEOPLE.c.name)
            .join(PEOPLE, PEOPLE.c.id == CODES.c.person_id, isouter=True)
            .where(CODES.c.code.in_(codes), CODES.c.expires > self._now())
        )
        async with self._reading() as connection:
            row = (await connection.execute(asked)).first()
        return None if row is None else (row.person_id, row.name)

    async def redeem_code(
        self, codes: Collection[str], device: str, person: str, *, name: str
    ) -> bool:
        """Sign a device in by a code with one of these hashes; return False if there is none.

        `device`: the requesting device, with `name`. `person`: its person so far. Each code works
        for one device only, even if several use it at once. Raises NotSignedIn.
        """
        now = self._now()
        asked = (CODES.c.code.in_(codes)) & (CODES.c.expires > now)
        async with self._writing() as connection:
            row = (await connection.execute(select(CODES).where(asked))).first()
            if row is None:
                return False
            used = await connection.execute(delete(CODES).where(CODES.c.code == row.code))
            if used.rowcount != 1:
                return False
            await self._know(connection, device, person, name)
            its = (DEVICES.c.device_id == device) & (DEVICES.c.person_id == person)
            is_now = {"person_id": row.person_id, "name": name, "seen": now, "changed": now}
            moved = await connection.execute(update(DEVICES).where(its).values(is_now))
            if moved.rowcount != 1:
                raise NotSignedIn
            return True

    async def sign_out(self, person: str, by: str, wanted: Callable[[str], bool]) -> list[str]:
        """Sign out the devices of a person that `wanted` accepts; return their ids.

        All codes of the person become invalid. `by`: the requesting device. Raises LastDevice and
        NotSignedIn without changing anything.
        """
        if await self._nothing_to_sign_out(person, by, wanted):
            return []
        async with self._writing() as connection:
            if not await _is(connection, by, person):
                raise NotSignedIn
            # Delete codes first, so that a device that redeems one now is among the devices below.
            await connection.execute(delete(CODES).where(CODES.c.person_id == person))
            devices = {device.id for device in await _of(connection, person, lock=True)}
            if not devices and wanted(by):
                raise LastDevice  # the only device, which has no row yet
            if devices and by not in devices:
                raise NotSignedIn
            going = [device for device in devices if wanted(device)]
            if devices and len(going) == len(devices):
                raise LastDevice
            out = update(DEVICES).where(DEVICES.c.device_id.in_(going))
            await connection.execute(out.values(person_id=None, changed=self._now()))
        return going

    async def _nothing_to_sign_out(
        self, person: str, by: str, wanted: Callable[[str], bool]
    ) -> bool:
        """Return True if signing out would change nothing.

        This only reads, so that repeated requests take no write lock. Codes are checked before
        devices, because a code that is redeemed in between has created a device by then.
        """
        codes = select(CODES.c.code).where(CODES.c.person_id == person).limit(1)
        async with self._reading() as connection:
            if wanted(by) or not await _is(connection, by, person):
                return False
            if (await connection.execute(codes)).first() is not None:
                return False
            return not any(wanted(device.id) for device in await _of(connection, person))

    async def _know(self, connection: AsyncConnection, device: str, person: str, name: str) -> None:
        """Ensure that a device has a row."""
        if device == person:
            times = dict.fromkeys(("first", "seen", "changed"), self._now())
            row = {"device_id": device, "person_id": person, "name": name, **times}
            await connection.execute(self._insert(DEVICES).values(row).on_conflict_do_nothing())


async def _is(connection: AsyncConnection, device: str, person: str) -> bool:
    """Return whether a device is signed in as a person."""
    asked = select(DEVICES.c.person_id).where(DEVICES.c.device_id == device)
    row = (await connection.execute(asked)).first()
    return (device if row is None else row.person_id) == person


async def _of(connection: AsyncConnection, person: str, *, lock: bool = False) -> list[Device]:
    """Return the devices signed in as a person. `lock`: lock their rows against changes."""
    theirs = select(DEVICES).where(DEVICES.c.person_id == person).order_by(DEVICES.c.device_id)
    rows = await connection.execute(theirs.with_for_update() if lock else theirs)
    return [Device(row.device_id, row.name, row.seen) for row in rows]
