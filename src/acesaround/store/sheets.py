"""The games that persons have made for themselves: sheets by the keys of the games."""

from __future__ import annotations

import msgspec
from sqlalchemy import delete, exists, func, insert, or_, select, update

from acesaround.store import retention_queries
from acesaround.store.schema import DEVICES, PEOPLE, SEATS, SHEETS, TABLES
from acesaround.store.store import Store


class Kept(msgspec.Struct, frozen=True):
    """A sheet that is kept. `changed`: when it was saved last, in ms."""

    key: str
    text: str
    changed: int


async def of(store: Store, person: str) -> list[Kept]:
    """The sheets of a person, the one saved last first. Raises Unsaved."""
    asked = (
        select(SHEETS)
        .where(SHEETS.c.person_id == person)
        .order_by(SHEETS.c.changed.desc(), SHEETS.c.key)
    )
    async with store.reading() as connection:
        rows = await connection.execute(asked)
        return [Kept(row.key, row.text, row.changed) for row in rows]


async def put(store: Store, person: str, key: str, text: str, most: int) -> bool:
    """Keep a sheet, in the place of one of that key; False where that would be more than `most`.

    Raises Unsaved.
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
    """Take a sheet away; whether it was there. Raises Unsaved."""
    its = (SHEETS.c.person_id == person) & (SHEETS.c.key == key)
    async with store.writing() as connection:
        return bool((await connection.execute(delete(SHEETS).where(its))).rowcount)


async def drop_ownerless(store: Store, before: int) -> int:
    """Take away sheets of some who gave no name, have no table and no device, saved before a time.

    How many. `before`: in ms. Raises Unsaved.
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
