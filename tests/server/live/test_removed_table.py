"""A table that the operator closes or removes is neither damaged nor open to those who come."""

from __future__ import annotations

import pytest

from acesaround.retention.remove_table import delete_log
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import BotDelays
from acesaround.server.table_client import CLOSED_BY_OPERATOR, TableClient
from acesaround.store import Store
from acesaround.table import Config, Person, begin
from acesaround.table import entries as log
from acesaround.table.command_refusals import ENDED_SENTENCES
from tests.simulation.memory_store import MemoryDatabase


async def store_with_table(database: MemoryDatabase) -> Store:
    """Return a store with a table, whose log has two entries."""
    store = database.open_store()
    first = begin(Config("partnership", 4), Person("id", "Ann"))
    await store.create(
        "table", [log.encode(one) for one in first], config=b"{}", public=False, summary=b"{}"
    )
    return store


async def test_client_that_joins_while_its_table_is_closed_is_told_so() -> None:
    """Its new name is not stored: a closed table gets no entry."""
    database = MemoryDatabase()
    store = await store_with_table(database)
    registry = TableRegistry(store, BotDelays(), Metrics())
    client = TableClient(Person("id", "Another name"), "table")
    async with registry.acquire("table") as live:
        assert live is not None
        await store.append("table", 2, [log.encode(log.Ended("closed"))])
        live.note_log_advance(3)  # and a client that came a moment before joins
        await live.join(client)
        live.leave(client)
    await registry.close()
    assert (client.close_code, client.close_reason) == (
        CLOSED_BY_OPERATOR,
        ENDED_SENTENCES["closed"],
    )
    assert len(database.log("table")) == 3
    database.close()


@pytest.mark.parametrize("is_rewritten", [False, True])
async def test_partly_deleted_log_is_no_table(
    caplog: pytest.LogCaptureFixture, is_rewritten: bool
) -> None:
    database = MemoryDatabase()
    store = await store_with_table(database)
    registry = TableRegistry(store, BotDelays(), Metrics())
    async with registry.acquire("table") as live:
        assert live is not None
    await store.append("table", 2, [log.encode(log.Ended("removed"))])
    if is_rewritten:  # a person of the table is deleted meanwhile
        await store.append("table", 3, [log.encode(log.LogRewritten())])
    await delete_log(store, "table")
    assert len(database.log("table")) == 1
    async with registry.acquire("table") as live:
        assert live is None
    assert not caplog.records
    database.close()
