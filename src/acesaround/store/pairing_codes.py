"""Pairing codes in the database, and the devices that sign in by them.

Only hashes of codes are stored: `server.accounts.pairing_codes` says how codes are made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy import delete, insert, select, update

from acesaround.store.devices import (
    NotSignedIn,
    OpenConnection,
    insert_first_device,
    is_signed_in,
)
from acesaround.store.schema import DEVICES, PAIRING_CODES, PEOPLE


class PairingCodes:
    """Queries on pairing codes. Every write is durable when it returns.

    `begin_read`, `begin_write`: functions that open connections of the store. `upsert`: its insert
    statement with conflict handling. `now`: milliseconds since 1970. All methods raise
    DatabaseUnavailable.
    """

    def __init__(
        self,
        begin_read: OpenConnection,
        begin_write: OpenConnection,
        upsert: Callable[..., Any],
        now: Callable[[], int],
    ) -> None:
        self._begin_read = begin_read
        self._begin_write = begin_write
        self._upsert = upsert
        self._now = now

    async def save(
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
        async with self._begin_write() as connection:
            if device == person:
                await insert_first_device(connection, self._upsert, now, person, device_name)
            if not await is_signed_in(connection, device, person):
                raise NotSignedIn
            if person_name is not None:
                row = {"id": person, "name": person_name, "created_ms": now, "last_seen_ms": now}
                await connection.execute(self._upsert(PEOPLE).values(row).on_conflict_do_nothing())
            is_invalid = (PAIRING_CODES.c.person_id == person) | (PAIRING_CODES.c.expires_ms <= now)
            await connection.execute(delete(PAIRING_CODES).where(is_invalid))
            row = {"code_hash": code_hash, "person_id": person, "expires_ms": now + 1000 * seconds}
            await connection.execute(insert(PAIRING_CODES), row)

    async def find(self, code_hashes: Collection[str]) -> tuple[str, str | None] | None:
        """Return the id and name of the person whose code has one of these hashes, or None."""
        query = (
            select(PAIRING_CODES.c.person_id, PEOPLE.c.name)
            .join(PEOPLE, PEOPLE.c.id == PAIRING_CODES.c.person_id, isouter=True)
            .where(
                PAIRING_CODES.c.code_hash.in_(code_hashes), PAIRING_CODES.c.expires_ms > self._now()
            )
        )
        async with self._begin_read() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else (row.person_id, row.name)

    async def redeem(
        self, code_hashes: Collection[str], device: str, person: str, *, device_name: str
    ) -> bool:
        """Sign a device in by a code with one of these hashes; return False if there is none.

        `device`: the requesting device, with `device_name`. `person`: its person so far. Each code
        works for one device only, even if several use it at once. Raises NotSignedIn.
        """
        now = self._now()
        is_valid = (PAIRING_CODES.c.code_hash.in_(code_hashes)) & (PAIRING_CODES.c.expires_ms > now)
        async with self._begin_write() as connection:
            row = (await connection.execute(select(PAIRING_CODES).where(is_valid))).first()
            if row is None:
                return False
            deleted = await connection.execute(
                delete(PAIRING_CODES).where(PAIRING_CODES.c.code_hash == row.code_hash)
            )
            if deleted.rowcount != 1:
                return False
            if device == person:
                await insert_first_device(connection, self._upsert, now, person, device_name)
            its = (DEVICES.c.device_id == device) & (DEVICES.c.person_id == person)
            new_values = {"person_id": row.person_id, "name": device_name}
            new_values |= {"last_seen_ms": now, "changed_ms": now}
            moved = await connection.execute(update(DEVICES).where(its).values(new_values))
            if moved.rowcount != 1:
                raise NotSignedIn
            return True
