"""The tables in memory, and the data that is collected from all of them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, KeysView

from acesaround.retention.remove_table import is_partly_deleted
from acesaround.server import random_source
from acesaround.server.bots.dispatch import BotDispatcher
from acesaround.server.bots.thinking_time_mask import ThinkingTimeMask
from acesaround.server.live.live_table import LiveTable
from acesaround.server.live.lobby_seat_limiter import LobbySeatLimiter
from acesaround.server.live.log_reader import LogReader
from acesaround.server.live.peer_presence import PeerPresence
from acesaround.server.live.table_services import TableServices
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import (
    ANSWER_SECONDS,
    AWAY_SECONDS,
    HEARTBEAT_SECONDS,
    MAX_LOBBY_SEATS,
    PING_SECONDS,
    BotDelays,
)
from acesaround.store import Store
from acesaround.table import fold
from acesaround.table.list_columns import person_seat_on_turn


class TableRegistry:
    """The tables in memory. Each is loaded at its first use, and dropped after its last."""

    def __init__(
        self,
        store: Store,
        bot_delays: BotDelays,
        metrics: Metrics,
        bot_dispatcher: BotDispatcher | None = None,
        away_seconds: float = AWAY_SECONDS,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        max_lobby_seats: int = MAX_LOBBY_SEATS,
        ping_seconds: float = PING_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self.services = TableServices(
            store=store,
            metrics=metrics,
            bot_dispatcher=bot_dispatcher or BotDispatcher({}, 1),
            bot_delays=bot_delays,
            thinking_time_mask=ThinkingTimeMask(random_source.RNG, bot_delays.tick),
            peers=PeerPresence(heartbeat_seconds),
            log_reader=LogReader(),
            seat_limiter=LobbySeatLimiter(
                max_lobby_seats, lambda: (live.table for live in self._tables.values())
            ),
            away_seconds=away_seconds,
            ping_seconds=ping_seconds,
            answer_seconds=answer_seconds,
        )
        self._tables: dict[str, LiveTable] = {}
        self._load_locks: dict[str, asyncio.Lock] = {}
        self._changed_while_loading: set[str] = set()  # tables to read again once they are loaded
        self._closed = False

    def __len__(self) -> int:
        """Return the number of tables in memory."""
        return len(self._tables)

    @property
    def loaded_tables(self) -> Iterable[LiveTable]:
        """The tables in memory."""
        return self._tables.values()

    def present_count(self, table_id: str) -> int:
        """Return the number of people connected to a table, over all processes."""
        live = self._tables.get(table_id)
        return len(self.services.peers.people_at(table_id) if live is None else live.present_ids)

    def seats_on_turn(self) -> dict[str, int | None]:
        """Return the seat of the person on turn at each table in memory, None if there is none."""
        return {live.id: person_seat_on_turn(live.table) for live in self._tables.values()}

    @property
    def occupied_table_ids(self) -> set[str]:
        """The ids of the tables with a person present, over all processes."""
        local_ids = {live.id for live in self._tables.values() if any(live.local_people)}
        return local_ids | self.services.peers.occupied_table_ids

    @property
    def local_presence(self) -> dict[str, list[str]]:
        """The people connected to each table in this process (see `LiveTable.local_people`)."""
        return {live.id: people for live in self._tables.values() if (people := live.local_people)}

    @property
    def local_silences(self) -> dict[str, str]:
        """The id of the person at each table whose clients in this process do not answer."""
        return {live.id: silent for live in self._tables.values() if (silent := live.local_silence)}

    @property
    def loaded_ids(self) -> KeysView[str]:
        """The ids of the tables in memory."""
        return self._tables.keys()

    def is_in_use(self, table_id: str) -> bool:
        """Return whether a table is in memory here or has clients in another process."""
        return (
            table_id in self._tables
            or table_id in self._load_locks
            or self.services.peers.is_in_use(table_id)
        )

    def disconnect_people(self, is_gone: Callable[[str], bool], reason: str) -> None:
        """Close the clients of people for whose id `is_gone` is true, with the given reason."""
        for live in list(self._tables.values()):
            live.disconnect_people(is_gone, reason)

    def broadcast_states(self, tables: Iterable[str]) -> None:
        """Send tables to their clients again, because presence in other processes has changed."""
        for table_id in tables:
            if (live := self._tables.get(table_id)) is not None:
                live.broadcast_state()

    def note_log_advance(self, table_id: str, seq: int | None) -> None:
        """Note that another process has appended to a table's log, which now has `seq` entries."""
        if (live := self._tables.get(table_id)) is not None:
            live.note_log_advance(seq)
        elif table_id in self._load_locks:
            self._changed_while_loading.add(table_id)

    def refresh_all(self) -> None:
        """Read the log of every table again, because other processes may have appended to any."""
        for live in list(self._tables.values()):
            live.note_log_advance(None)
        self._changed_while_loading |= self._load_locks.keys()

    @contextlib.asynccontextmanager
    async def acquire(self, table_id: str) -> AsyncIterator[LiveTable | None]:
        """Yield a table, and keep it in memory until the block ends.

        Yields None if there is no such table. Raises DatabaseUnavailable.
        """
        live = self._tables.get(table_id) or await self._load(table_id)
        if live is None:
            yield None
            return
        live.use_count += 1
        try:
            yield live
        finally:
            live.release()

    async def _load(self, table_id: str) -> LiveTable | None:
        """Load a table from its log. Of several callers at once, only the first reads the log."""
        async with self._load_locks.setdefault(table_id, asyncio.Lock()):
            try:
                if (live := self._tables.get(table_id)) is not None:
                    return live
                bodies = await self.services.store.entries(table_id)
                if not bodies or self._closed or is_partly_deleted(bodies):
                    return None
                table = await asyncio.to_thread(
                    self.services.log_reader.read, table_id, bodies, fold
                )
                live = self._tables.setdefault(
                    table_id, LiveTable(table_id, table, self.services, self._drop)
                )
                if table_id in self._changed_while_loading:
                    live.note_log_advance(None)
                return live
            finally:
                self._load_locks.pop(table_id, None)
                self._changed_while_loading.discard(table_id)

    def _drop(self, table_id: str) -> None:
        """Drop a table that nobody uses, and stop its bots."""
        self._tables.pop(table_id, None)
        self.services.bot_dispatcher.stop_programs_of_table(table_id)

    async def close(self) -> None:
        """Close all tables, the worker pool and the bots that are programs."""
        self._closed = True
        closing = [live.close() for live in list(self._tables.values())]
        await asyncio.gather(self.services.bot_dispatcher.scheduler.close(), *closing)
        await self.services.bot_dispatcher.close()
