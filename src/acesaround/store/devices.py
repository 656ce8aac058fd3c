"""Devices in the database: which person each is, codes by which it becomes one, and signing out.

A device has been one person or several. It is the one that it became last, of those from which it
is not signed out; signed out of that one, it is again who it was before. A device that the database
does not know is the person of its own id, as every cookie was before there were devices.
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
_AT_ONCE: Final = 500  # devices asked for by name


class LastDevice(Exception):  # noqa: N818 - a fact about the devices, not a fault
    """Nobody would be that person any more, and all that is theirs would be lost."""


class NotSignedIn(Exception):  # noqa: N818 - likewise
    """The device that asks is not that person, or not any more."""


class DeviceIdentity(msgspec.Struct, frozen=True):
    """Who a device is, and by which name; `person` None: nobody, for all of them are gone.

    `was`: when it last ceased to be each of the others that it has been, in milliseconds; `before`:
    the one of them that it is again when it is signed out, None for nobody.
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
    """A device of a person. `awake`: it is that person now, and not somebody else meanwhile."""

    id: str
    name: str
    first: int
    seen: int
    awake: bool


class Devices:
    """Reads and writes them. Every write is durable when it returns. All raise Unsaved.

    `reading`, `writing`: connections of the store; `upserting`: its insert that may find a row;
    `now`: milliseconds since 1970.
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
        """Who a device is; None for one that is the person of its own id."""
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
        """The devices of a person that are not signed out, the one seen last first."""
        async with self._reading() as connection:
            found = await _of(connection, person)
        return sorted(found, key=lambda device: -device.seen)

    async def touch(self, devices: Collection[str]) -> None:
        """Those devices have just been seen, as who they are."""
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
        """The devices of which something has changed since a time in milliseconds."""
        asked = select(DEVICES.c.device_id).where(DEVICES.c.changed >= since)
        async with self._reading() as connection:
            return set((await connection.execute(asked)).scalars())

    async def renamed(self, person: str) -> list[str]:
        """Have every process look anew at a person's devices; which those are."""
        its = DEVICES.c.person_id == person
        async with self._writing() as connection:
            await connection.execute(update(DEVICES).where(its).values(changed=self._now()))
            return list(
                (await connection.execute(select(DEVICES.c.device_id).where(its))).scalars()
            )

    async def save_code(
        self, code: str, device: str, person: str, *, name: str, called: str | None, seconds: int
    ) -> None:
        """Keep the hash of a code that makes other devices a person, in the place of any before.

        The device that asks is called `name`, the person `called`. Raises NotSignedIn.
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
        """Whose code has one of these hashes, the id and the name; None for nobody's."""
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
        """Make a device whose code has one of these hashes; whether there was such a code.

        The device has been `person` so far, who is `called` so, and is called `name` itself. Of
        several who take one code at once one gets it. Raises NotSignedIn.
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
        """Sign out those devices of a person that are `wanted`; which those are.

        Each is again who it was before; one that was nobody else is somebody new, by an id that
        `fresh` makes. No code of that person is good any more. `by`: the device that asks. Raises
        LastDevice and NotSignedIn; nothing is changed then.
        """
        if await self._nothing_to_sign_out(person, by, wanted):
            return []
        now = self._now()
        async with self._writing() as connection:
            if await _other(connection, by, person):
                raise NotSignedIn
            # Before the devices are looked at: one that takes a code just now is among them then.
            await connection.execute(delete(CODES).where(CODES.c.person_id == person))
            devices = await _of(connection, person, lock=True)
            if not devices and wanted(by):
                raise LastDevice  # of which nobody knew that there is one
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
        """Whether nothing is to be written, so that nobody waits for who asks that all the time.

        Codes are looked for first: one that is taken meanwhile has made a device then.
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
        """See to it that a device has a row, and its person a name where one was given."""
        if await _now_of(connection, device) is None and device == person:
            row = _new(device, person, name, self._now())
            await connection.execute(self._insert(DEVICES).values(row).on_conflict_do_nothing())
        if called is not None:
            row = {"id": person, "name": called, "created": self._now(), "seen": self._now()}
            await connection.execute(self._insert(PEOPLE).values(row).on_conflict_do_nothing())


def _new(device: str, person: str, name: str, now: int) -> dict[str, Any]:
    """The row of a device that is a person of its own."""
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
    """Of the rows of one device the one of the person that it is."""
    return max((row for row in rows if not row.out), key=lambda row: row.since, default=None)


def _row(row: Row[Any]) -> Any:
    """An update of one row."""
    its = (DEVICES.c.device_id == row.device_id) & (DEVICES.c.person_id == row.person_id)
    return update(DEVICES).where(its)


async def _now_of(connection: AsyncConnection, device: str) -> Row[Any] | None:
    asked = select(DEVICES).where(DEVICES.c.device_id == device)
    return _awake((await connection.execute(asked)).all())


async def _other(connection: AsyncConnection, device: str, person: str) -> bool:
    """Whether a device is somebody else than that person."""
    asked = select(DEVICES).where(DEVICES.c.device_id == device)
    rows = (await connection.execute(asked)).all()
    awake = _awake(rows)
    return (device if not rows else awake and awake.person_id) != person


async def _of(connection: AsyncConnection, person: str, *, lock: bool = False) -> list[Device]:
    """The devices of a person that are not signed out. `lock`: nobody else changes them now."""
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
