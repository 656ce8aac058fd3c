"""One table in memory as the fold of its log, and the appends to that log.

Other processes on the same database may append to the same log. Their entries are read when they
are announced, or when an append finds its sequence number taken.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from acesaround.game.events import Event
from acesaround.server.live.table_services import TableServices
from acesaround.store import CorruptData, SequenceConflict
from acesaround.table import Entry, Table, apply_entry, entries, fold
from acesaround.table.list_columns import (
    changed_summaries,
    encode_summary,
    list_columns,
    list_summary,
)

_MAX_RECENT_STEPS: Final = 64  # entries kept to be sent one by one to a client that reconnects
_REWRITTEN_BODY: Final = entries.encode(entries.LogRewritten())

Step: TypeAlias = tuple[Table, tuple[Event, ...]]
"""The table after an entry, and the events of that entry."""


class TableLog:
    """One table as the fold of its log, and the reading and appending of its entries.

    An action counts only once the store has it. `on_step`: called after each entry with the table
    before it and its events. `on_damage`: called if the log is damaged.
    """

    def __init__(
        self,
        table_id: str,
        table: Table,
        services: TableServices,
        on_step: Callable[[Table, tuple[Event, ...]], None],
        on_damage: Callable[[], None],
    ) -> None:
        self.table = table
        self._table_id = table_id
        self._services = services
        self._on_step = on_step
        self._on_damage = on_damage
        self._recent_steps: deque[Step] = deque(maxlen=_MAX_RECENT_STEPS)
        self._must_reread = False  # the log may hold unknown entries: read it again
        self._announced_seq = 0  # length of the log according to other processes

    @property
    def last_events(self) -> tuple[Event, ...]:
        """The events of the last entry; empty if it is unknown."""
        return self._recent_steps[-1][1] if self._recent_steps else ()

    def steps_after(self, seq: int | None) -> list[Step]:
        """Return all steps after the entries up to `seq`; empty if not all of them are kept."""
        steps = [step for step in self._recent_steps if seq is not None and step[0].seq > seq]
        return steps if seq is not None and steps and steps[0][0].seq == seq + 1 else []

    def announce(self, seq: int | None) -> None:
        """Note that the log has at least `seq` entries; None: it may have unknown entries."""
        self._announced_seq = max(self._announced_seq, seq or 0)
        self._must_reread = self._must_reread or seq is None

    @property
    def is_behind(self) -> bool:
        """Whether the log has, or may have, entries that are unknown here."""
        return self._must_reread or self.table.seq < self._announced_seq

    async def read_if_behind(self) -> None:
        """Apply the entries that are not known here yet. Raises CorruptData, DatabaseUnavailable.

        Entries that are announced during the read may be missing afterwards. In that case the log
        is still behind.
        """
        if self.is_behind:
            await self._read_new_entries()

    async def _read_new_entries(self) -> None:
        announced_before, self._must_reread = self._announced_seq, False
        try:
            bodies = await self._services.store.entries(self._table_id, self.table.seq)
            if _REWRITTEN_BODY in bodies:
                await self._reload()
            else:
                self._services.log_reader.read(
                    self._table_id, bodies, self._apply_entries, self.table.seq
                )
        except BaseException as error:
            self._must_reread = True
            if isinstance(error, CorruptData):
                self._on_damage()
            raise
        if self._announced_seq == announced_before:
            self._announced_seq = self.table.seq  # also if a process announced more than there is

    async def _reload(self) -> None:
        """Fold the whole log from the start, because earlier entries were rewritten."""
        bodies = await self._services.store.entries(self._table_id)
        table = await asyncio.to_thread(
            self._services.log_reader.read, self._table_id, bodies, fold
        )
        self._recent_steps.clear()
        self._advance(table, ())
        self._recent_steps.clear()  # a client that reconnects gets the whole state

    def _apply_entries(self, new_entries: Iterable[Entry]) -> None:
        for entry in new_entries:
            self._advance(*apply_entry(self.table, entry))

    def _advance(self, table: Table, events: tuple[Event, ...]) -> None:
        before, self.table = self.table, table
        self._recent_steps.append((table, events))
        self._on_step(before, events)

    async def append(self, new_entries: Sequence[Entry]) -> None:
        """Append entries to the log, then apply them.

        Raises DatabaseUnavailable, and SequenceConflict after reading the log again.
        """
        steps: list[Step] = []
        table, removed_people = self.table, []
        for entry in new_entries:
            if isinstance(entry, entries.Removed) and (holder := table.seats[entry.seat].person):
                removed_people.append(holder.id)
            table, events = apply_entry(table, entry)
            steps.append((table, events))
        new_summary, new_columns = list_summary(table), list_columns(table)
        games_before, games_after = (
            changed_summaries([self.table]),
            changed_summaries([self.table, *(step[0] for step in steps)]),
        )
        columns_changed = new_summary != list_summary(self.table) or new_columns != list_columns(
            self.table
        )
        self._must_reread = True  # until the write is known to have succeeded
        started_at = time.perf_counter()
        try:
            await self._services.store.append(
                self._table_id,
                self.table.seq,
                [entries.encode(entry) for entry in new_entries],
                summary=new_summary if columns_changed else None,
                list_columns=new_columns if columns_changed else None,
                games={
                    n: encode_summary(games_after[n], self._services.store.now())
                    for n in games_after
                    if games_after[n] != games_before.get(n)
                },
                people=[
                    entry.person.id for entry in new_entries if isinstance(entry, entries.SeatTaken)
                ],
                removed=removed_people,
                links={e.token: e.link for e in new_entries if isinstance(e, entries.LinkCreated)},
            )
        except SequenceConflict:
            await self._read_new_entries()
            raise
        self._must_reread = False
        self._services.metrics.append_seconds.observe(time.perf_counter() - started_at)
        self._services.metrics.entries.inc(len(new_entries))
        for step in steps:
            self._advance(*step)
