"""Personal variants in the database: rule sheets of persons, by the key of the variant."""

from __future__ import annotations

import msgspec
from sqlalchemy import delete, exists, func, insert, or_, select, update

from acesaround.store import retention_queries
from acesaround.store.schema import DEVICES, PEOPLE, SEATS, SHEETS, TABLES
from acesaround.store.store import Store


class Kept(msgspec.Struct, frozen=True):
    """A stored rule sheet. `changed`: when it was last saved, in ms."""

    key: str
    text: str
    changed: int


async def of(store: Store, person: str) -> list[Kept]:
    """Return the sheets of a person, the last saved first. Raises DatabaseUnavailable."""
    asked = (
        select(SHEETS)
        .where(SHEETS.c.person_id == person)
        .order_by(SHEETS.c.changed.desc(), SHEETS.c.key)
    )
    async with store.reading() as connection:
        rows = await connection.execute(asked)
        return [Kept(row.key, row.text, row.changed) for row in rows]


async def put(store: Store, person: str, key: str, text: str, most: int) -> bool:
    """Save a sheet under its key; return False if the person would have more than `most`.

    Raises DatabaseUnavailable.
    """
    its = (SHEETS.c.person_id == person) & (SHEETS.c.key == key)
    many = select(func.count()).select_from(SHEETS).where(SHEETS.c.person_id == person)
    row = {"text": text, "changed": store.now()}
    async with store.writing() as connection:
        if (await connection.execute(update(SHEETS).where(its).values(row))).rowcount:
            return True
        if (await connection.execute(many)).scalar_one() >= most:
            return False
        await connection.execute(insert(SHEETS), {"person_id": person, "key": key, **row})
        return True


async def drop(store: Store, person: str, key: str) -> bool:
    """Delete a sheet; return whether it existed. Raises DatabaseUnavailable."""
    its = (SHEETS.c.person_id == person) & (SHEETS.c.key == key)
    async with store.writing() as connection:
        return bool((await connection.execute(delete(SHEETS).where(its))).rowcount)


async def drop_ownerless(store: Store, before: int) -> int:
    """Delete a piece of the old sheets whose owners have no name, table or device; return how many.

    `before`: only sheets saved before this time in ms. Raises DatabaseUnavailable.
    """
    theirs = SHEETS.c.person_id
    known = (PEOPLE.c.id, SEATS.c.person_id, TABLES.c.host, DEVICES.c.person_id)
    old = ~or_(*(exists().where(column == theirs) for column in known))
    asked = (
        select(theirs)
        .where(SHEETS.c.changed < before, old)
        .distinct()
        .limit(retention_queries.PIECE)
    )
    async with store.reading() as connection:
        gone = list((await connection.execute(asked)).scalars())
    if not gone:
        return 0
    its = theirs.in_(gone) & (SHEETS.c.changed < before) & old
    async with store.writing() as connection:
        return (await connection.execute(delete(SHEETS).where(its))).rowcount
