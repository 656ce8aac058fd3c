"""Which process is the home of a table, as the processes on one PostgreSQL have agreed.

A process has one lease, which it renews, and with it all the tables whose home it is. Time is the
database's. All this is for speed: whoever appends, the log says who was first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager
from typing import Final, TypeAlias

import msgspec
from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection

_Using: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncConnection]]

_NOW: Final = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_LIVES: Final = f"processes.id = homes.process AND processes.until > {_NOW}"
_RENEW: Final = text(
    "INSERT INTO processes (id, address, since, until)"
    f" VALUES (:id, :address, {_NOW}, {_NOW} + :lease)"
    " ON CONFLICT (id) DO UPDATE SET until = excluded.until"
)
_CLAIM: Final = text(
    "INSERT INTO homes (table_id, process) VALUES (:table, :id)"
    " ON CONFLICT (table_id) DO UPDATE SET process = excluded.process"
    f" WHERE NOT EXISTS (SELECT FROM processes WHERE {_LIVES})"
)
_OF: Final = text(
    f"SELECT table_id, id, address FROM homes, processes WHERE table_id = ANY(:tables) AND {_LIVES}"
)
_LIVING: Final = text(f"SELECT id FROM processes WHERE until > {_NOW}")
_LET_GO: Final = text("DELETE FROM homes WHERE process = :id AND table_id = ANY(:tables)")
_END: Final = (
    text("DELETE FROM processes WHERE id = :id"),
    text("DELETE FROM homes WHERE process = :id"),
)
_SWEEP: Final = (
    text(f"DELETE FROM processes WHERE until < {_NOW} - 60000"),
    text("DELETE FROM homes WHERE process NOT IN (SELECT id FROM processes)"),
)


class Home(msgspec.Struct, frozen=True):
    """A process that is the home of a table, and the address at which the others reach it."""

    process: str
    address: str


class Leases:
    """Reads and writes them. Every method raises Unsaved."""

    def __init__(self, reading: _Using, writing: _Using) -> None:
        self._reading = reading
        self._writing = writing

    async def renew(self, process: str, address: str, seconds: float) -> None:
        """Say that a process lives, for so many seconds from now on."""
        lease = {"id": process, "address": address, "lease": round(1000 * seconds)}
        await self._do((_RENEW,), lease)

    async def sweep(self) -> None:
        """Forget processes that are long gone, and what they were the home of."""
        await self._do(_SWEEP, {})

    async def end(self, process: str) -> None:
        """Say that a process ends: it is the home of nothing any more."""
        await self._do(_END, {"id": process})

    async def claim(self, table_id: str, process: str) -> Home | None:
        """Make a process the home of a table that has none; the home that it has then."""
        await self._do((_CLAIM,), {"table": table_id, "id": process})
        return (await self.of([table_id])).get(table_id)

    async def let_go(self, table_ids: Collection[str], process: str) -> None:
        """Be the home of these tables no longer."""
        await self._do((_LET_GO,), {"tables": list(table_ids), "id": process})

    async def of(self, table_ids: Collection[str]) -> dict[str, Home]:
        """The homes of these tables; those that have none are left out."""
        async with self._reading() as connection:
            found = await connection.execute(_OF, {"tables": list(table_ids)})
            return {row.table_id: Home(row.id, row.address) for row in found}

    async def living(self) -> set[str]:
        """The processes whose lease has not ended."""
        async with self._reading() as connection:
            return set((await connection.execute(_LIVING)).scalars())

    async def _do(self, statements: Collection[TextClause], values: dict[str, object]) -> None:
        async with self._writing() as connection:
            for statement in statements:
                await connection.execute(statement, values)
