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

_OpenConnection: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncConnection]]
_DEVICES_PER_QUERY: Final = 500  # devices in one query


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
    """Queries on devices and pairing codes. Every write is durable when it returns.

    `reading`, `writing`: connections of the store. `upsert`: its insert statement with conflict
    handling. `now`: milliseconds since 1970. All methods raise DatabaseUnavailable.
    """

    def __init__(
        self,
        reading: _OpenConnection,
        writing: _OpenConnection,
        upsert: Callable[..., Any],
        now: Callable[[], int],
    ) -> None:
        self._reading = reading
        self._writing = writing
        self._upsert = upsert
        self._now = now

    async def identity_of(self, device: str) -> DeviceIdentity | None:
        """Return the identity of a device, or None for a device without a row."""
        query = (
            select(DEVICES, PEOPLE.c.name.label("called"), PEOPLE.c.avatar)
            .join(PEOPLE, PEOPLE.c.id == DEVICES.c.person_id, isouter=True)
            .where(DEVICES.c.device_id == device)
        )
        async with self._reading() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        return DeviceIdentity(row.person_id, row.called, row.seen, row.avatar or "")

    async def devices_of(self, person: str) -> list[Device]:
        """Return the devices that are signed in as a person, the last seen first."""
        async with self._reading() as connection:
            signed_in = await _signed_in_devices(connection, person)
        return sorted(signed_in, key=lambda device: -device.last_seen)

    async def touch(self, devices: Collection[str]) -> None:
        """Record that devices were seen just now."""
        ids, now = sorted(devices), self._now()
        async with self._writing() as connection:
            for start in range(0, len(ids), _DEVICES_PER_QUERY):
                condition = DEVICES.c.device_id.in_(ids[start : start + _DEVICES_PER_QUERY])
                await connection.execute(update(DEVICES).where(condition).values(seen=now))

    async def changed_since(self, since: int) -> set[str]:
        """Return the devices that have changed since a time in milliseconds."""
        query = select(DEVICES.c.device_id).where(DEVICES.c.changed >= since)
        async with self._reading() as connection:
            return set((await connection.execute(query)).scalars())

    async def mark_renamed(self, person: str) -> list[str]:
        """Have every process read the devices of a renamed person again; return these devices."""
        condition = DEVICES.c.person_id == person
        async with self._writing() as connection:
            await connection.execute(update(DEVICES).where(condition).values(changed=self._now()))
            return list(
                (await connection.execute(select(DEVICES.c.device_id).where(condition))).scalars()
            )

    async def save_code(
        self,
        code_hash: str,
        device: str,
        person: str,
        *,
        device_name: str,
        person_name: str | None,
        seconds: int,
    ) -> None:
        """Store the hash of a pairing code of a person, replacing any earlier code.

        `device`: the requesting device, with `device_name`. `person_name`: the name of the person.
        Raises NotSignedIn.
        """
        now = self._now()
        async with self._writing() as connection:
            await self._ensure_rows(connection, device, person, device_name)
            if not await _is(connection, device, person):
                raise NotSignedIn
            if person_name is not None:
                row = {"id": person, "name": person_name, "created": now, "seen": now}
                await connection.execute(self._upsert(PEOPLE).values(row).on_conflict_do_nothing())
            is_invalid = (CODES.c.person_id == person) | (CODES.c.expires <= now)
            await connection.execute(delete(CODES).where(is_invalid))
            row = {"code": code_hash, "person_id": person, "expires": now + 1000 * seconds}
            await connection.execute(insert(CODES), row)

    async def find_code(self, code_hashes: Collection[str]) -> tuple[str, str | None] | None:
        """Return the id and name of the person whose code has one of these hashes, or None."""
        query = (
            select(CODES.c.person_id, PEOPLE.c.name)
            .join(PEOPLE, PEOPLE.c.id == CODES.c.person_id, isouter=True)
            .where(CODES.c.code.in_(code_hashes), CODES.c.expires > self._now())
        )
        async with self._reading() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else (row.person_id, row.name)

    async def redeem_code(
        self, code_hashes: Collection[str], device: str, person: str, *, device_name: str
    ) -> bool:
        """Sign a device in by a code with one of these hashes; return False if there is none.

        `device`: the requesting device, with `device_name`. `person`: its person so far. Each code
        works for one device only, even if several use it at once. Raises NotSignedIn.
        """
        now = self._now()
        is_valid = (CODES.c.code.in_(code_hashes)) & (CODES.c.expires > now)
        async with self._writing() as connection:
            row = (await connection.execute(select(CODES).where(is_valid))).first()
            if row is None:
                return False
            deleted = await connection.execute(delete(CODES).where(CODES.c.code == row.code))
            if deleted.rowcount != 1:
                return False
            await self._ensure_rows(connection, device, person, device_name)
            its = (DEVICES.c.device_id == device) & (DEVICES.c.person_id == person)
            is_now = {"person_id": row.person_id, "name": device_name, "seen": now, "changed": now}
            moved = await connection.execute(update(DEVICES).where(its).values(is_now))
            if moved.rowcount != 1:
                raise NotSignedIn
            return True

    async def sign_out(
        self, person: str, requester: str, is_wanted: Callable[[str], bool]
    ) -> list[str]:
        """Sign out the devices of a person that `is_wanted` accepts; return their ids.

        All codes of the person become invalid. `requester`: the requesting device. Raises
        LastDevice and NotSignedIn without changing anything.
        """
        if await self._nothing_to_sign_out(person, requester, is_wanted):
            return []
        async with self._writing() as connection:
            if not await _is(connection, requester, person):
                raise NotSignedIn
            # Delete codes first, so that a device that redeems one now is among the devices below.
            await connection.execute(delete(CODES).where(CODES.c.person_id == person))
            devices = {
                device.id for device in await _signed_in_devices(connection, person, lock=True)
            }
            if not devices and is_wanted(requester):
                raise LastDevice  # the only device, which has no row yet
            if devices and requester not in devices:
                raise NotSignedIn
            to_sign_out = [device for device in devices if is_wanted(device)]
            if devices and len(to_sign_out) == len(devices):
                raise LastDevice
            out = update(DEVICES).where(DEVICES.c.device_id.in_(to_sign_out))
            await connection.execute(out.values(person_id=None, changed=self._now()))
        return to_sign_out

    async def _nothing_to_sign_out(
        self, person: str, requester: str, is_wanted: Callable[[str], bool]
    ) -> bool:
        """Return True if signing out would change nothing.

        This only reads, so that repeated requests take no write lock. Codes are checked before
        devices, because a code that is redeemed in between has created a device by then.
        """
        codes = select(CODES.c.code).where(CODES.c.person_id == person).limit(1)
        async with self._reading() as connection:
            if is_wanted(requester) or not await _is(connection, requester, person):
                return False
            if (await connection.execute(codes)).first() is not None:
                return False
            return not any(
                is_wanted(device.id) for device in await _signed_in_devices(connection, person)
            )

    async def _ensure_rows(
        self, connection: AsyncConnection, device: str, person: str, device_name: str
    ) -> None:
        """Ensure that a device has a row."""
        if device == person:
            times = dict.fromkeys(("first", "seen", "changed"), self._now())
            row = {"device_id": device, "person_id": person, "name": device_name, **times}
            await connection.execute(self._upsert(DEVICES).values(row).on_conflict_do_nothing())


async def _is(connection: AsyncConnection, device: str, person: str) -> bool:
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
    return [Device(row.device_id, row.name, row.seen) for row in rows]
