"""Stored reviews of finished games, each for one seat."""

from __future__ import annotations

import contextlib

from sqlalchemy import delete, insert, literal, select

from acesaround.store.errors import SequenceConflict
from acesaround.store.schema import REVIEWS, TABLES
from acesaround.store.store import Store


async def load_review(
    store: Store, table_id: str, game: int, seat: int, version: int
) -> str | None:
    """Return the stored review of a seat in a game, or None. Raises DatabaseUnavailable.

    `version`: the form that the caller can read.
    """
    condition = (
        (REVIEWS.c.table_id == table_id)
        & (REVIEWS.c.game == game)
        & (REVIEWS.c.seat == seat)
        & (REVIEWS.c.version == version)
    )
    async with store.begin_read() as connection:
        found = await connection.execute(select(REVIEWS.c.body).where(condition))
        return found.scalar_one_or_none()


async def save_review(
    store: Store, table_id: str, game: int, seat: int, version: int, body: str
) -> None:
    """Store a review, unless its table was removed. Raises DatabaseUnavailable."""
    key = {REVIEWS.c.table_id: table_id, REVIEWS.c.game: game, REVIEWS.c.seat: seat}
    row = {**key, REVIEWS.c.version: version, REVIEWS.c.body: body}
    values = select(*[literal(value, column.type) for column, value in row.items()])
    of_seat = [column == value for column, value in key.items()]
    with contextlib.suppress(SequenceConflict):  # another server has stored the same review
        async with store.begin_write() as connection:
            await connection.execute(delete(REVIEWS).where(*of_seat))
            await connection.execute(
                insert(REVIEWS).from_select(list(row), values.where(TABLES.c.id == table_id))
            )
