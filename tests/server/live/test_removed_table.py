"""A removed table is unknown, not damaged, while its log is deleted."""

from __future__ import annotations

import pytest

from acesaround.retention.close_table import delete_log
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import Pace
from acesaround.table import Config, Person, begin
from acesaround.table import entries as log
from tests.simulation.memory_store import MemoryDatabase


@pytest.mark.parametrize("is_rewritten", [False, True])
async def test_partly_deleted_log_is_no_table(
    caplog: pytest.LogCaptureFixture, is_rewritten: bool
) -> None:
    database = MemoryDatabase()
    store = database.open_store()
    first = begin(Config("partnership", 4), Person("id", "Ann"))
    await store.create(
        "table", [log.encode(one) for one in first], config=b"{}", public=False, summary=b"{}"
    )
    registry = TableRegistry(store, Pace(), Metrics())
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
