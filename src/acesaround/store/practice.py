"""The answers of persons to practice positions, one row for each person and position."""

from __future__ import annotations

import msgspec
from sqlalchemy import delete, exists, insert, or_, select, update

from acesaround.store import retention_queries
from acesaround.store.errors import SequenceConflict
from acesaround.store.schema import (
    DEVICES,
    GAMES,
    PEOPLE,
    PRACTICE,
    REVIEWS,
    SEATS,
    TABLES,
)
from acesaround.store.store import Store


class StoredAnswers(msgspec.Struct, frozen=True):
    """A person's answers to a position. `right`, `wrong`: how many; `answered`: the last, in ms."""

    position: str
    theme: str
    right: int
    wrong: int
    was_right: bool
    answered: int


class StoredReview(msgspec.Struct, frozen=True):
    """A review of a game at a table in a person's list. `summary`: that of the game, as JSON."""

    table_id: str
    game: int
    seat: int
    summary: bytes
    body: str


async def answers_of(store: Store, person: str) -> list[StoredAnswers]:
    """Return all answers of a person. Raises DatabaseUnavailable."""
    query = select(PRACTICE).where(PRACTICE.c.person_id == person).order_by(PRACTICE.c.position)
    async with store.begin_read() as connection:
        return [
            StoredAnswers(
                row.position,
                row.theme,
                row.right_count,
                row.wrong_count,
                row.was_right,
                row.answered_ms,
            )
            for row in await connection.execute(query)
        ]


async def save_answer(
    store: Store, person: str, position: str, theme: str, *, is_right: bool
) -> None:
    """Count an answer of a person to a position. Raises DatabaseUnavailable."""
    condition = (PRACTICE.c.person_id == person) & (PRACTICE.c.position == position)
    counted = PRACTICE.c.right_count if is_right else PRACTICE.c.wrong_count
    last = {"theme": theme, "was_right": is_right, "answered_ms": store.now()}
    change = update(PRACTICE).where(condition).values({counted: counted + 1, **last})
    try:
        async with store.begin_write() as connection:
            if (await connection.execute(change)).rowcount:
                return
            counts = {"right_count": int(is_right), "wrong_count": int(not is_right)}
            row = {"person_id": person, "position": position, **counts, **last}
            await connection.execute(insert(PRACTICE), row)
    except SequenceConflict:  # another server has just stored the first answer
        async with store.begin_write() as connection:
            await connection.execute(change)


async def reviews_of(
    store: Store, person: str, version: int, max_reviews: int
) -> list[StoredReview]:
    """Return reviews of games at the tables in a person's list, the last changed tables first.

    The reviews are of any seat. `version`: the form that the caller can read. Raises
    DatabaseUnavailable.
    """
    query = (
        select(REVIEWS.c.table_id, REVIEWS.c.game, REVIEWS.c.seat, REVIEWS.c.body, GAMES.c.summary)
        .join(SEATS, SEATS.c.table_id == REVIEWS.c.table_id)
        .join(TABLES, TABLES.c.id == REVIEWS.c.table_id)
        .join(
            GAMES,
            (GAMES.c.table_id == REVIEWS.c.table_id) & (GAMES.c.number == REVIEWS.c.game),
        )
        .where(SEATS.c.person_id == person, REVIEWS.c.version == version)
        .order_by(TABLES.c.changed_ms.desc(), REVIEWS.c.table_id, REVIEWS.c.game, REVIEWS.c.seat)
        .limit(max_reviews)
    )
    async with store.begin_read() as connection:
        return [
            StoredReview(row.table_id, row.game, row.seat, row.summary, row.body)
            for row in await connection.execute(query)
        ]


async def delete_ownerless(store: Store, before: int) -> int:
    """Delete a piece of the answers whose persons have no name, table or device; return how many.

    `before`: only persons whose last answer is before this time in ms. Raises DatabaseUnavailable.
    """
    person_id = PRACTICE.c.person_id
    known_columns = (PEOPLE.c.id, SEATS.c.person_id, TABLES.c.host_id, DEVICES.c.person_id)
    is_ownerless = ~or_(*(exists().where(column == person_id) for column in known_columns))
    recent = PRACTICE.alias()
    is_recent = exists().where(recent.c.person_id == person_id, recent.c.answered_ms >= before)
    query = (
        select(person_id)
        .where(PRACTICE.c.answered_ms < before, is_ownerless, ~is_recent)
        .distinct()
        .limit(retention_queries.ROWS_PER_PIECE)
    )
    async with store.begin_read() as connection:
        owners = list((await connection.execute(query)).scalars())
    if not owners:
        return 0
    condition = person_id.in_(owners) & is_ownerless
    async with store.begin_write() as connection:
        return (await connection.execute(delete(PRACTICE).where(condition))).rowcount
