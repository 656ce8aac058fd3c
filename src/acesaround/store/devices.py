"""Devices in the database: the person of each, pairing codes, and signing out.

A device may have been several persons. Its current person is the latest one that it is not signed
out of. After sign-out it reverts to the previous one. A device without a row is the person with the
same id, because cookies held only a person id before devices existed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from acesaround.store.schema import CODES, DEVICES, PEOPLE

_Connecting: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncConnection]]
_AT_ONCE: Final = 500  # devices in one query


class LastDevice(Exception):  # noqa: N818 - a fact about the devices, not a fault
    """The person would have no device left and lose all their data."""


class NotSignedIn(Exception):  # noqa: N818 - a fact about the devices, not a fault
    """The requesting device is not signed in as that person, or no longer."""


class DeviceIdentity(msgspec.Struct, frozen=True):
    """The person that a device is, with the name. `person` None: all its persons are gone.

    `was`: for each other person that the device has been, when it last ceased to be that person, in
    milliseconds. `before`: the person that the device reverts to after sign-out, or None.
    """

    person: str | None
    name: str | None
    seen: int
    was: dict[str, int]
    before: str | None = None
    before_name: str | None = None
    avatar: str = ""
    before_avatar: str = ""


class Device(msgspec.Struct, frozen=True):
    """A device of a person. `awake`: the device is that person now, not another one."""

    id: str
    name: str
    first: int
    seen: int
    awake: bool


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
            rows = (await connection.execute(asked)).all()
        if not rows:
            return None
        now = _awake(rows)
        was = {row.person_id: row.until for row in rows if row is not now}
        if now is None:
            return DeviceIdentity(None, None, 0, was)
        before = _awake([row for row in rows if row is not now])
        if before is None:
            return DeviceIdentity(now.person_id, now.called, now.seen, was, avatar=now.avatar or "")
        return DeviceIdentity(
            now.person_id,
            now.called,
            now.seen,
            was,
            before.person_id,
            before.called,
            now.avatar or "",
            before.avatar or "",
        )

    async def devices_of(self, person: str) -> list[Device]:
        """Return the devices that are signed in as a person, the last seen first."""
        async with self._reading() as connection:
            found = await _of(connection, person)
        return sorted(found, key=lambda device: -device.seen)

    async def touch(self, devices: Collection[str]) -> None:
        """Record that devices were seen just now, in the rows of their current persons."""
        known, now = sorted(devices), self._now()
        async with self._writing() as connection:
            for at in range(0, len(known), _AT_ONCE):
                its = DEVICES.c.device_id.in_(known[at : at + _AT_ONCE])
                rows = (await connection.execute(select(DEVICES).where(its))).all()
                for device in {row.device_id for row in rows}:
                    awake = _awake([row for row in rows if row.device_id == device])
                    if awake is not None:
                        await connection.execute(_row(awake).values(seen=now))

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
            await self._know(connection, device, person, name, called)
            if await _other(connection, device, person):
                raise NotSignedIn
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
        self, codes: Collection[str], device: str, person: str, *, name: str, called: str | None
    ) -> bool:
        """Sign a device in by a code with one of these hashes; return False if there is none.

        `device`: the requesting device, with `name`. `person`: its person so far, named `called`.
        Each code works for one device only, even if several use it at once. Raises NotSignedIn.
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
            await self._know(connection, device, person, name, called)
            before = await _now_of(connection, device)
            if before is None or before.person_id != person:
                raise NotSignedIn
            await connection.execute(_row(before).values(until=now, changed=now))
            made = {
                "device_id": device,
                "person_id": row.person_id,
                "name": name,
                "first": now,
                "seen": now,
                "since": max(now, before.since + 1),
                "until": 0,
                "out": False,
                "changed": now,
            }
            again = {key: made[key] for key in ("name", "seen", "since", "out", "changed")}
            await connection.execute(
                self._insert(DEVICES)
                .values(made)
                .on_conflict_do_update(index_elements=["device_id", "person_id"], set_=again)
            )
            return True

    async def sign_out(
        self, person: str, by: str, wanted: Callable[[str], bool], fresh: Callable[[], str]
    ) -> list[str]:
        """Sign out the devices of a person that `wanted` accepts; return their ids.

        Each device reverts to its previous person. A device without one becomes a new person with
        an id from `fresh`. All codes of the person become invalid. `by`: the requesting device.
        Raises LastDevice and NotSignedIn without changing anything.
        """
        if await self._nothing_to_sign_out(person, by, wanted):
            return []
        now = self._now()
        async with self._writing() as connection:
            if await _other(connection, by, person):
                raise NotSignedIn
            # Delete codes first, so that a device that redeems one now is among the devices below.
            await connection.execute(delete(CODES).where(CODES.c.person_id == person))
            devices = await _of(connection, person, lock=True)
            if not devices and wanted(by):
                raise LastDevice  # the only device, which has no row yet
            if devices and not any(device.id == by and device.awake for device in devices):
                raise NotSignedIn
            going = [device for device in devices if wanted(device.id)]
            if devices and len(going) == len(devices):
                raise LastDevice
            for device in going:
                its = (DEVICES.c.device_id == device.id) & (DEVICES.c.person_id == person)
                changed: dict[str, Any] = {"out": True, "changed": now}
                if device.awake:
                    changed["until"] = now
                await connection.execute(update(DEVICES).where(its).values(changed))
                if await _now_of(connection, device.id) is None:
                    blank = _new(device.id, fresh(), device.name, now)
                    await connection.execute(insert(DEVICES), {**blank, "since": now})
        return [device.id for device in going]

    async def _nothing_to_sign_out(
        self, person: str, by: str, wanted: Callable[[str], bool]
    ) -> bool:
        """Return True if signing out would change nothing.

        This only reads, so that repeated requests take no write lock. Codes are checked before
        devices, because a code that is redeemed in between has created a device by then.
        """
        codes = select(CODES.c.code).where(CODES.c.person_id == person).limit(1)
        async with self._reading() as connection:
            if wanted(by) or await _other(connection, by, person):
                return False
            if (await connection.execute(codes)).first() is not None:
                return False
            return not any(wanted(device.id) for device in await _of(connection, person))

    async def _know(
        self, connection: AsyncConnection, device: str, person: str, name: str, called: str | None
    ) -> None:
        """Ensure that a device has a row, and that its person has a name if one is given."""
        if await _now_of(connection, device) is None and device == person:
            row = _new(device, person, name, self._now())
            await connection.execute(self._insert(DEVICES).values(row).on_conflict_do_nothing())
        if called is not None:
            row = {"id": person, "name": called, "created": self._now(), "seen": self._now()}
            await connection.execute(self._insert(PEOPLE).values(row).on_conflict_do_nothing())


def _new(device: str, person: str, name: str, now: int) -> dict[str, Any]:
    """Return the row of a device that is its own person."""
    return {
        "device_id": device,
        "person_id": person,
        "name": name,
        "first": now,
        "seen": now,
        "since": 0,
        "until": 0,
        "out": False,
        "changed": now,
    }


def _awake(rows: Sequence[Row[Any]]) -> Row[Any] | None:
    """Return the row of the current person from the rows of one device."""
    return max((row for row in rows if not row.out), key=lambda row: row.since, default=None)


def _row(row: Row[Any]) -> Any:
    """Return an update statement for one row."""
    its = (DEVICES.c.device_id == row.device_id) & (DEVICES.c.person_id == row.person_id)
    return update(DEVICES).where(its)


async def _now_of(connection: AsyncConnection, device: str) -> Row[Any] | None:
    asked = select(DEVICES).where(DEVICES.c.device_id == device)
    return _awake((await connection.execute(asked)).all())


async def _other(connection: AsyncConnection, device: str, person: str) -> bool:
    """Return whether a device is another person than the given one."""
    asked = select(DEVICES).where(DEVICES.c.device_id == device)
    rows = (await connection.execute(asked)).all()
    awake = _awake(rows)
    return (device if not rows else awake and awake.person_id) != person


async def _of(connection: AsyncConnection, person: str, *, lock: bool = False) -> list[Device]:
    """Return the devices signed in as a person. `lock`: lock their rows against changes."""
    theirs = (
        select(DEVICES)
        .where(DEVICES.c.person_id == person, ~DEVICES.c.out)
        .order_by(DEVICES.c.device_id)
    )
    rows = (await connection.execute(theirs.with_for_update() if lock else theirs)).all()
    found = []
    for row in rows:
        awake = await _now_of(connection, row.device_id)
        found.append(
            Device(
                row.device_id,
                row.name,
                row.first,
                row.seen,
                awake is not None and awake.person_id == person,
            )
        )
    return found
