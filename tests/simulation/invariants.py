"""What always holds, checked at every step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acesaround.table import Table, apply_entry, fold
from acesaround.table import entries as log
from tests.simulation.memory_store import Operation, StoreFaults

if TYPE_CHECKING:
    from tests.simulation.network import Connection
    from tests.simulation.world import World


class Invariants(StoreFaults):
    """Checks every message and every entry of one world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.actions = 0
        self._lengths: dict[str, int] = {}

    async def after(self, operation: Operation) -> None:
        for table_id in operation.table_ids:
            new = self._world.database.log(table_id, self._lengths.get(table_id, 0))
            self._lengths[table_id] = self._lengths.get(table_id, 0) + len(new)
            for body in new:
                entry = log.decode(body)
                if isinstance(entry, log.Acted) and not entry.bot:
                    self.actions += 1
            self._world.note("stored", table_id, *new)

    def check_message(self, connection: Connection, text: str) -> None:
        if '"over":true' in text:
            self._world.end()
