"""Bots that do not search take turns too: tables of one address do not delay those of others."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from acesaround.server.bots import dispatch
from acesaround.server.bots.dispatch import BotDispatcher
from acesaround.table import Config, Entry, Person, Table, automatic_entry, begin, fold
from acesaround.table import entries as log
from tests.waiting import PATIENCE_SECONDS

GREEDY, HONEST = Person("greedy", "Gert"), Person("honest", "Hanna")


def started_table(host: Person) -> Table:
    config = Config(
        variant="partnership", players=4, options={}, public=False, clock=None, bots="thumb"
    )
    return fold((*begin(config, host), log.Begun(0)))


async def test_bots_of_many_tables_do_not_delay_those_of_another_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go_on = threading.Event()

    def wait_if_greedy(table: Table, *given: Any, **more: Any) -> Entry:
        if table.host == GREEDY:
            go_on.wait(PATIENCE_SECONDS)
        return automatic_entry(table, *given, **more)

    monkeypatch.setattr(dispatch, "automatic_entry", wait_if_greedy)
    bots = BotDispatcher({}, 1)
    bots.quick_executor.find_address = {"greedy": "192.0.2.1", "honest": "192.0.2.2"}.get
    greedy_table, honest_table = started_table(GREEDY), started_table(HONEST)
    many = [
        asyncio.create_task(bots.next_entry(f"table {number}", greedy_table))
        for number in range(40)
    ]
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            entry = await bots.next_entry("another", honest_table)
        assert isinstance(entry, log.Dealt)
        assert not any(task.done() for task in many)
    finally:
        go_on.set()
        await asyncio.gather(*many)
        await bots.close()
