"""Personal variants in the database: rule sheets of persons, by the key of the variant."""

from __future__ import annotations

import msgspec
from sqlalchemy import delete, exists, func, insert, or_, select, update

from acesaround.store import retention_queries
from acesaround.store.schema import DEVICES, PEOPLE, SEATS, SHEETS, TABLES
from acesaround.store.store import Store


class StoredSheet(msgspec.Struct, frozen=True):
    """A stored rule sheet. `changed`: when it was last saved, in ms."""

    key: str
    text: str
    changed: int


async def sheets_of(store: Store, person: str) -> list[StoredSheet]:
    """Return the sheets of a person, the last saved first. Raises DatabaseUnavailable."""
    query = (
        select(SHEETS)
        .where(SHEETS.c.person_id == person)
        .order_by(SHEETS.c.changed_ms.desc(), SHEETS.c.key)
    )
    async with store.begin_read() as connection:
        rows = await connection.execute(query)
        return [StoredSheet(row.key, row.text, row.changed_ms) for row in rows]


async def save_sheet(
    store: Store, person: str, key: str, text: str, max_sheets: int, *, is_new: bool = False
) -> bool:
    """Save a sheet under its key; return False if the person would have more than `max_sheets`.

    `is_new`: the sheet replaces no other. Raises DatabaseUnavailable, and SequenceConflict if a new
    sheet would replace one.
    """
    condition = (SHEETS.c.person_id == person) & (SHEETS.c.key == key)
    sheet_count = select(func.count()).select_from(SHEETS).where(SHEETS.c.person_id == person)
    row = {"text": text, "changed_ms": store.now()}
    async with store.begin_write() as connection:
        if not is_new:
            replaced = await connection.execute(update(SHEETS).where(condition).values(row))
            if replaced.rowcount:
                return True
        if (await connection.execute(sheet_count)).scalar_one() >= max_sheets:
            return False
        await connection.execute(insert(SHEETS), {"person_id": person, "key": key, **row})
        return True


async def delete_sheet(store: Store, person: str, key: str) -> bool:
    """Delete a sheet; return whether it existed. Raises DatabaseUnavailable."""
    condition = (SHEETS.c.person_id == person) & (SHEETS.c.key == key)
    async with store.begin_write() as connection:
        return bool((await connection.execute(delete(SHEETS).where(condition))).rowcount)


async def delete_ownerless(store: Store, before: int) -> int:
    """Delete a piece of the old sheets whose owners have no name, table or device; return how many.

    `before`: only sheets saved before this time in ms. Raises DatabaseUnavailable.
    """
    person_id = SHEETS.c.person_id
    known_columns = (PEOPLE.c.id, SEATS.c.person_id, TABLES.c.host_id, DEVICES.c.person_id)
    is_ownerless = ~or_(*(exists().where(column == person_id) for column in known_columns))
    query = (
        select(person_id)
        .where(SHEETS.c.changed_ms < before, is_ownerless)
        .distinct()
        .limit(retention_queries.ROWS_PER_PIECE)
    )
    async with store.begin_read() as connection:
        owners = list((await connection.execute(query)).scalars())
    if not owners:
        return 0
    condition = person_id.in_(owners) & (SHEETS.c.changed_ms < before) & is_ownerless
    async with store.begin_write() as connection:
        return (await connection.execute(delete(SHEETS).where(condition))).rowcount
