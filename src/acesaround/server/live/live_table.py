"""Tables in use: their state in memory, their connected clients, their clocks and their bots.

The state is a cache of the log. An action counts only once the store has it, so that a kill at any
moment loses nothing that a client was shown. `LiveTable` is one table, and `TableRegistry` holds
all tables in memory.

Other processes on the same database may hold the same table. The log decides whose entry is first.
`cluster.peers` reports their entries and the people connected to them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter, deque
from collections.abc import (
    AsyncIterator,
    Callable,
    Hashable,
    Iterable,
    Iterator,
    KeysView,
    Sequence,
)
from typing import Final

import msgspec

from acesaround.game.events import DealScored, Event, TrickWon
from acesaround.server import chance
from acesaround.server.bots.pacing import Pacing
from acesaround.server.bots.runner import BotRunner
from acesaround.server.client import (
    CLOSED_BY_OPERATOR,
    DAMAGED_CODE,
    DAMAGED_SENTENCE,
    TRY_LATER,
    TableClient,
)
from acesaround.server.limits.rates import RateLimited
from acesaround.server.live.countdown import Countdown
from acesaround.server.live.log_reader import LogReader
from acesaround.server.live.peer_presence import PeerPresence
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import AWAY_SECONDS, HEARTBEAT_SECONDS, MAX_LOBBY_SEATS, Pace
from acesaround.store import CorruptData, DatabaseUnavailable, SequenceConflict, Store
from acesaround.table import (
    Command,
    Entry,
    Person,
    Refusal,
    Refused,
    Table,
    TablePresence,
    TimeLeft,
    apply_entry,
    automatic_actor,
    can_get_seat,
    clock_paused,
    display_name,
    encode,
    encode_state,
    expire_proposal,
    fold,
    handle_command,
    release_seats,
    seat_on_clock,
    seat_waiting_people,
    seats_still_reading,
)
from acesaround.table import entries as log
from acesaround.table.commands import Sit
from acesaround.table.index_fields import (
    changed_summaries,
    index_fields,
    list_summary,
    person_seat_on_turn,
)
from acesaround.table.messages import RefusalCode
from acesaround.table.refusals import ENDED_SENTENCES as SAYS
from acesaround.table.refusals import too_many_seats

_LOG: Final = logging.getLogger(__name__)
_MAX_RECENT_STEPS: Final = 64  # entries kept to be sent one by one to a client that reconnects
_MAX_SPECTATOR_NAMES: Final = 12  # spectators listed by name
_RETRY_SECONDS: Final = 1.0  # seconds until a failed read or write is tried again
REWRITTEN_BODY: Final = log.encode(log.LogRewritten())
PROPOSAL_SECONDS: Final = 30.0
"""Seconds until a proposal expires. Clock and bots may wait for it until then."""
READING_SECONDS: Final = 180.0
"""Seconds for which the next deal waits for people who read a result, at a table without clock."""
_BOTS_WAIT_SENTENCE: Final = (
    "Your tables have more bots than can run at once, so these bots are waiting."
)
_ERROR_SENTENCE: Final = "This table leads to an error in the server, which cannot show it."


class LiveTable:
    """One table in memory, with its clients, its countdowns and the task that runs its bots.

    Commands and bot actions take the lock in turn. Every change is sent to all clients.
    """

    def __init__(self, table_id: str, table: Table, registry: TableRegistry) -> None:
        self.id = table_id
        self.table = table
        self.use_count = 0
        self._registry = registry
        self._lock = asyncio.Lock()
        self._clients: dict[TableClient, None] = {}  # the first to join first
        self._recent_steps: deque[tuple[Table, tuple[Event, ...]]] = deque(maxlen=_MAX_RECENT_STEPS)
        self._turn_countdown = Countdown(
            self._on_turn_expired
        )  # key: the seat on the clock and `Table.moved_seq`
        self._proposal_countdown = Countdown(
            self._on_proposal_expired
        )  # key: `seq` of the proposal
        self._reading_countdown = Countdown(self._on_reading_expired)  # key: `Table.scored_seq`
        self._timeout_tasks: set[asyncio.Task[None]] = set()
        self._bot_task: asyncio.Task[None] | None = None
        self._deserted = asyncio.Event()  # set when the last client leaves, so that bots stop
        self._must_reread = False  # the log may hold unknown entries: read it again
        self._announced_seq = 0  # length of the log according to other processes
        self._read_task: asyncio.Task[None] | None = None
        self._save_turn_task: asyncio.Task[None] | None = None
        self._saved_turn: int | None = -1  # the turn last saved for lists; -1: unknown
        self._loaded_at = asyncio.get_running_loop().time()
        self._people_before: set[str] = set()  # people present at the last check
        self._left_at: dict[str, float] = {}
        self._closed = asyncio.Event()
        self._release_task: asyncio.Task[None] | None = None
        self._absence_timer: asyncio.TimerHandle | None = None

    @property
    def presence(self) -> TablePresence:
        """The connected people, and the absent people who no longer hold up the others."""
        present, now = self.present_people, asyncio.get_running_loop().time()
        gone_people = (
            person for person in self._absent_people(present) if self._gone_at(person) <= now
        )
        readers = (
            client.person_id
            for client in self._clients
            if client.reads_results and client.person_id is not None
        )
        return TablePresence(
            frozenset(present), frozenset(gone_people), frozenset(readers), self._named_spectators
        )

    @property
    def _named_spectators(self) -> tuple[Person, ...]:
        """The first `_MAX_SPECTATOR_NAMES` spectators of this process by name."""
        people_by_id = {
            client.person_id: client.person for client in self._clients if client.person is not None
        }
        spectators = [
            person for person in people_by_id.values() if self.table.seat_of(person.id) is None
        ]
        return tuple(sorted(spectators, key=lambda who: (who.name, who.id))[:_MAX_SPECTATOR_NAMES])

    def _absent_people(self, present: set[str]) -> set[str]:
        holders = (seat.person for seat in self.table.seats)
        members = {self.table.host.id, *(person.id for person in holders if person is not None)}
        return members - present

    def _gone_at(self, person: str) -> float:
        """Return the loop time at which an absent person counts as gone.

        The waiting time begins when the person leaves. For a person absent from the start, it
        begins when this process loaded the table, because earlier presence is unknown here.
        """
        return self._left_at.get(person, self._loaded_at) + self._registry.away_seconds

    def _update_absences(self) -> None:
        """Note who has left since the last check, and schedule the next change from absent to gone.

        Clients are then sent the new state.
        """
        present, now = self.present_people, asyncio.get_running_loop().time()
        absent = self._absent_people(present)
        newly_left = dict.fromkeys(self._people_before & absent, now)
        self._left_at = {
            person_id: left_at
            for person_id, left_at in self._left_at.items()
            if person_id in absent
        } | newly_left
        self._people_before = present
        if self._absence_timer is not None:
            self._absence_timer.cancel()
            self._absence_timer = None
        deadlines = [left_at for person in absent if (left_at := self._gone_at(person)) > now]
        if deadlines and self._clients:
            delay = min(deadlines) - now + 0.01
            self._absence_timer = asyncio.get_running_loop().call_later(delay, self.broadcast_state)
        self._start_releasing_seats()

    def _start_releasing_seats(self) -> None:
        """Start the task that frees the releasable seats of absent people, if there are any.

        The table stays in memory until then, even if no client is left.
        """
        if self._release_task is None and self._next_release_at is not None:
            self._release_task = asyncio.create_task(self._release_seats(), name=f"seats {self.id}")
            self._release_task.add_done_callback(self._on_seats_released)
            self.use_count += 1

    @property
    def _next_release_at(self) -> float | None:
        """The loop time at which the next seat of an absent person is to be freed, if any."""
        if self._closed.is_set():
            return None
        holders = (self.table.seats[seat].person for seat in self.table.releasable_seats)
        absent = {holder.id for holder in holders if holder is not None} - self.present_people
        return min(map(self._gone_at, absent), default=None)

    async def _release_seats(self) -> None:
        """Free the releasable seats of absent people, each when its person counts as gone."""
        while (release_at := self._next_release_at) is not None:
            await self._wait(release_at - asyncio.get_running_loop().time(), self._closed)
            try:
                async with self._lock:
                    await self._read_if_behind()
                    if entries := release_seats(self.table, self.presence):
                        await self._append(entries)
            except SequenceConflict:
                continue  # another process was first
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                await self._wait(_RETRY_SECONDS, self._closed)

    def _on_seats_released(self, task: asyncio.Task[None]) -> None:
        self._release_task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.error("table %s: cannot free its seats", self.id, exc_info=error)
        else:
            self._start_releasing_seats()  # a person may have left after the task's last check
        self._registry.release(self)

    def link_grants_access(self, client: TableClient) -> bool:
        """Return whether a client may watch: by a current link, or as a person of this table."""
        links = self.table.links
        return client.link in (links.play or self.id, links.watch) or self.table.may_enter(
            client.person_id
        )

    @property
    def present_people(self) -> set[str]:
        """The ids of the people who are connected, here or to another process."""
        return self._local_ids - {""} | self._registry.presence.people_at(self.id)

    @property
    def local_people(self) -> list[str]:
        """The ids of the people connected to this process, seated people first.

        `""` represents clients without a person.
        """
        return sorted(self._local_ids, key=lambda person: self.table.seat_of(person) is None)

    @property
    def _local_ids(self) -> set[str]:
        return {client.person_id or "" for client in self._clients}

    @property
    def state(self) -> str:
        """`lobby` before the first game, `playing` during a game, `over` until the next."""
        if self.table.game is None:
            return "lobby"
        return "playing" if self.table.is_playing else "over"

    @property
    def spectator_count(self) -> int:
        """The number of clients in this process without a seat."""
        return sum(self.table.seat_of(client.person_id) is None for client in self._clients)

    def make_room(self, client: TableClient, max_spectators: int) -> bool:
        """Return whether a client without a seat may join; close another spectator if necessary.

        Beyond `max_spectators` only a person who can get a seat may join. Of the address with the
        most spectators, the first to join is closed then; people who ask for a seat stay.
        """
        if self.spectator_count < max_spectators:
            return True
        if client.person is None or not can_get_seat(self.table, client.person, self.presence):
            return False
        spectators = [one for one in self._clients if self.table.seat_of(one.person_id) is None]
        counts = Counter(spectator.address for spectator in spectators)
        asking = {knocker.person.id for knocker in self.table.knockers}
        closable = [spectator for spectator in spectators if spectator.person_id not in asking]
        if not closable:
            return False
        closed = max(closable, key=lambda spectator: counts[spectator.address])
        closed.close(TRY_LATER, "Somebody who can get a seat has come: try again later.")
        del self._clients[closed]
        return True

    async def join(self, client: TableClient, seq: int | None = None) -> None:
        """Add a client: send the current state, and from then on every change.

        `seq`: the last entry that the client has seen. Missed entries are sent one by one if they
        are still kept. Raises CorruptData.
        """
        async with self._lock:
            try:
                await self._read_if_behind()
                await self._update_profile(client.person)
            except CorruptData:
                raise
            except (DatabaseUnavailable, SequenceConflict):
                pass
            is_new_person = client.person_id not in self.present_people
            self._clients[client] = None
            self._registry.on_presence_change(self)
            self._deserted.clear()
            self._update_absences()
            self._update_countdowns()
            self._send_missed(client, seq)
            if is_new_person and client.person_id is not None:
                self._send_state(self._clients.keys() - {client})
        self.log_advanced(0)
        self._start_bots()

    async def _update_profile(self, person: Person | None) -> None:
        """Store a seated person's new display name and avatar."""
        seat = None if person is None else self.table.seat_of(person.id)
        if person is None:
            return
        renamed = msgspec.structs.replace(person, name=display_name(self.table, person))
        if seat is not None and renamed != self.table.seats[seat].person:
            await self._append([log.ProfileChanged(seat, renamed.name, renamed.avatar)])

    def _send_missed(self, client: TableClient, seq: int | None) -> None:
        missed = [step for step in self._recent_steps if seq is not None and step[0].seq > seq]
        if seq is None or not missed or missed[0][0].seq != seq + 1:
            self._send_state([client])
            return
        presence = self.presence
        with self._closing_on_error():
            for table, events in missed[:-1]:
                client.send(
                    encode_state(
                        table, client.link, client.person_id, events, presence, was_missed=True
                    )
                )
        self._send_state([client], missed[-1][1])

    def leave(self, client: TableClient) -> None:
        """Remove a client. Without clients, the bots stop and the turn is saved."""
        self._clients.pop(client, None)
        self._registry.on_presence_change(self)
        self._update_absences()
        if client.person_id is not None and (
            client.reads_results or client.person_id not in self.present_people
        ):
            self.broadcast_state()
        if not self._clients:
            self._deserted.set()
            if self._save_turn_task is None:
                self._save_turn_task = asyncio.create_task(
                    self._save_turn(), name=f"turn at {self.id}"
                )
                self._save_turn_task.add_done_callback(self._on_turn_saved)
                self.use_count += 1
        self._update_countdowns()
        self._start_bots()  # the next deal may have waited for this client only

    async def _save_turn(self) -> None:
        """Save whose turn it is, so that lists need not read the log."""
        if (current_turn := person_seat_on_turn(self.table)) != self._saved_turn:
            with contextlib.suppress(DatabaseUnavailable):
                await self._registry.store.save_turn(self.id, current_turn)
                self._saved_turn = current_turn

    def _on_turn_saved(self, _: asyncio.Task[None]) -> None:
        self._save_turn_task = None
        self._registry.release(self)

    async def command(self, person: Person, command: Command) -> None:
        """Apply a person's command, and store its entries. Raises Refused if it does not count."""
        async with self._lock:
            try:
                with self._registry.limit_seats(self, person.id, command):
                    await self._apply_command(person, command)
            except CorruptData:
                return  # all clients are closed
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                self.log_advanced(0)  # read the log soon, because the write may have succeeded
                raise Refused(
                    "unsaved",
                    "The server could not save that, so it does not count: try again soon.",
                ) from None
        self._start_bots()

    async def _apply_command(self, person: Person, command: Command) -> None:
        while True:
            await self._read_if_behind()
            try:
                entries = handle_command(self.table, person, command, chance.RNG, self.presence)
                return await self._append(entries)
            except SequenceConflict:
                continue  # retry with the new state, in which an old action is refused as stale

    def broadcast_state(self) -> None:
        """Send the current state to all clients, and let bots act if they may.

        Called after a change of presence, which can also change which process runs the bots.
        """
        self._update_absences()
        self._send_state(self._clients)
        self._start_bots()

    def log_advanced(self, seq: int | None) -> None:
        """Note that the log has at least `seq` entries, and read the unknown ones.

        None: the log may have entries that are unknown here.
        """
        self._announced_seq = max(self._announced_seq, seq or 0)
        self._must_reread = self._must_reread or seq is None
        if self._is_behind and self._read_task is None and not self._deserted.is_set():
            self._read_task = asyncio.create_task(self._catch_up_log(), name=f"reader of {self.id}")
            self._read_task.add_done_callback(self._on_log_read)
            self.use_count += 1

    @property
    def _is_behind(self) -> bool:
        return self._must_reread or self.table.seq < self._announced_seq

    async def _catch_up_log(self) -> None:
        """Read the log until no entry is unknown. Retry while the store does not answer."""
        while self._is_behind and not self._deserted.is_set():
            try:
                async with self._lock:
                    await self._read_if_behind()
            except DatabaseUnavailable:
                await self._wait(_RETRY_SECONDS)

    def _on_log_read(self, task: asyncio.Task[None]) -> None:
        self._read_task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.error("table %s: cannot read its log", self.id, exc_info=error)
        else:
            self.log_advanced(0)  # a notice may have arrived after the task's last check
        self._start_bots()
        self._registry.release(self)

    async def _read_if_behind(self) -> None:
        if self._is_behind:
            await self._read_new_entries()

    async def _read_new_entries(self) -> None:
        """Apply the log entries that are not known here yet.

        The result may lack entries that are announced during the read. In that case
        `_announced_seq` keeps its value, so that the log is read again. All clients are closed if
        the log is damaged. Raises CorruptData and DatabaseUnavailable.
        """
        announced_before, self._must_reread = self._announced_seq, False
        try:
            bodies = await self._registry.store.entries(self.id, self.table.seq)
            if REWRITTEN_BODY in bodies:
                await self._reload_log()
            else:
                self._registry.log_reader.read(self.id, bodies, self._apply_entries, self.table.seq)
        except BaseException as error:
            self._must_reread = True
            if isinstance(error, CorruptData):
                self._close_clients(DAMAGED_SENTENCE)
            raise
        if self._announced_seq == announced_before:
            self._announced_seq = self.table.seq  # also if a process announced more than there is

    async def _reload_log(self) -> None:
        """Fold the whole log from the start, because earlier entries were rewritten."""
        bodies = await self._registry.store.entries(self.id)
        table = await asyncio.to_thread(self._registry.log_reader.read, self.id, bodies, fold)
        self._recent_steps.clear()
        self._advance(table, ())
        self._recent_steps.clear()  # a client that reconnects gets the whole state

    def _apply_entries(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._advance(*apply_entry(self.table, entry))

    async def _append(self, entries: Sequence[Entry]) -> None:
        """Append entries to the log, then show them to the clients.

        Raises DatabaseUnavailable, and SequenceConflict after reading the log again.
        """
        steps: list[tuple[Table, tuple[Event, ...]]] = []
        table, removed_people = self.table, []
        for entry in entries:
            if isinstance(entry, log.Removed) and (holder := table.seats[entry.seat].person):
                removed_people.append(holder.id)
            table, events = apply_entry(table, entry)
            steps.append((table, events))
        new_summary, new_keys = list_summary(table), index_fields(table)
        games_before, games_after = (
            changed_summaries([self.table]),
            changed_summaries([self.table, *(step[0] for step in steps)]),
        )
        index_changed = new_summary != list_summary(self.table) or new_keys != index_fields(
            self.table
        )
        self._must_reread = True  # until the write is known to have succeeded
        started_at = time.perf_counter()
        try:
            await self._registry.store.append(
                self.id,
                self.table.seq,
                [log.encode(entry) for entry in entries],
                summary=new_summary if index_changed else None,
                keys=new_keys if index_changed else None,
                games={
                    n: msgspec.json.encode(games_after[n])
                    for n in games_after
                    if games_after[n] != games_before.get(n)
                },
                people=[entry.person.id for entry in entries if isinstance(entry, log.SeatTaken)],
                removed=removed_people,
                links={e.token: e.link for e in entries if isinstance(e, log.LinkCreated)},
            )
        except SequenceConflict:
            await self._read_new_entries()
            raise
        self._must_reread = False
        self._registry.metrics.append_seconds.observe(time.perf_counter() - started_at)
        self._registry.metrics.entries.inc(len(entries))
        for step in steps:
            self._advance(*step)

    def _advance(self, table: Table, events: tuple[Event, ...]) -> None:
        before, after = self.table, table
        access_changed = (before.links, before.removed_people, before.ended) != (
            after.links,
            after.removed_people,
            after.ended,
        )
        self.table = table
        self._recent_steps.append((table, events))
        if access_changed:
            self._close_unauthorized()
        self._update_countdowns()
        self._send_state(self._clients, events)

    def _close_unauthorized(self) -> None:
        """Close clients whose link no longer gives access; all clients if the table has ended."""
        ended = self.table.ended
        for client in [
            candidate
            for candidate in self._clients
            if ended or not self.link_grants_access(candidate)
        ]:
            client.close() if ended is None else client.close(CLOSED_BY_OPERATOR, SAYS[ended])
            del self._clients[client]

    def disconnect_people(self, is_gone: Callable[[str], bool], reason: str) -> None:
        """Close the clients of people for whose id `is_gone` is true, with the given reason."""
        for client in [
            candidate
            for candidate in self._clients
            if candidate.person_id is not None and is_gone(candidate.person_id)
        ]:
            client.close(CLOSED_BY_OPERATOR, reason)
            del self._clients[client]  # now, so that they no longer count as present

    def _send_state(self, clients: Iterable[TableClient], events: tuple[Event, ...] = ()) -> None:
        """Send the table to clients, each in the form that its person may see."""
        presence = self.presence
        time_left = TimeLeft(
            self._turn_countdown.remaining,
            self._proposal_countdown.remaining,
            self._reading_countdown.remaining,
        )
        messages: dict[tuple[str | None, str], bytes] = {}
        with self._closing_on_error():
            for client in clients:
                viewer = client.person_id, client.link
                if viewer not in messages:
                    messages[viewer] = encode_state(
                        self.table,
                        client.link,
                        client.person_id,
                        events,
                        presence,
                        time_left=time_left,
                    )
                client.send(messages[viewer])

    @contextlib.contextmanager
    def _closing_on_error(self) -> Iterator[None]:
        """On any error in the block close all clients, and write the error to the server's log."""
        try:
            yield
        except Exception as error:
            problem = f"its state after entry {self.table.seq - 1} cannot be shown"
            self._registry.log_reader.report(self.id, problem, error)
            self._close_clients(_ERROR_SENTENCE)

    def _close_clients(self, reason: str) -> None:
        """Close all clients of a table that cannot be read, shown or played on."""
        for client in self._clients:
            client.close(DAMAGED_CODE, reason)
        self._clients.clear()
        self._update_countdowns()

    def _update_countdowns(self) -> None:
        """Start, keep, pause or stop the countdowns, which run only while there are clients."""
        table, has_clients = self.table, bool(self._clients)
        if has_clients and clock_paused(table):
            self._turn_countdown.pause()
        else:
            seat = seat_on_clock(table) if has_clients else None
            turn_key = None if seat is None else (seat, table.moved_seq)
            self._turn_countdown.run(turn_key, turn_seconds(table))
        proposal_key = None if table.proposal is None or not has_clients else table.proposal.seq
        self._proposal_countdown.run(proposal_key, PROPOSAL_SECONDS)
        reading_key = table.scored_seq if has_clients and table.unread_result is not None else None
        self._reading_countdown.run(reading_key, turn_seconds(table) or READING_SECONDS)

    def _on_turn_expired(self, turn_key: Hashable) -> None:
        assert isinstance(turn_key, tuple)
        self._start_timeout_task(
            self._turn_countdown, turn_key, lambda: (log.BotSubstituted(turn_key[0], late=True),)
        )

    def _on_proposal_expired(self, proposal_key: Hashable) -> None:
        self._start_timeout_task(
            self._proposal_countdown,
            proposal_key,
            lambda: expire_proposal(self.table, self.presence),
        )

    def _on_reading_expired(self, _: Hashable) -> None:
        self.broadcast_state()

    def _start_timeout_task(
        self, countdown: Countdown, key: Hashable, make_entries: Callable[[], Sequence[Entry]]
    ) -> None:
        """Start a task that appends the entries due at the end of a countdown.

        The task does nothing if the countdown has changed before it gets the lock.
        """
        task = asyncio.create_task(
            self._append_on_timeout(countdown, key, make_entries), name=f"clock: {self.id}"
        )
        self._timeout_tasks.add(task)
        task.add_done_callback(self._timeout_tasks.discard)

    async def _append_on_timeout(
        self, countdown: Countdown, key: Hashable, make_entries: Callable[[], Sequence[Entry]]
    ) -> None:
        async with self._lock:
            if not countdown.has_expired(key):
                return
            try:
                await self._append(make_entries())
            except (SequenceConflict, CorruptData):
                return  # an entry of another process came in time, or all clients are closed
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                if countdown.has_expired(key):
                    countdown.restart(_RETRY_SECONDS)
        self._start_bots()

    @property
    def _next_actor(self) -> str | int | None:
        """The next automatic step: `"deal"`, a bot's seat, or None.

        None also while the next deal waits for people who read the last result.
        """
        actor = automatic_actor(self.table)
        return None if actor == "deal" and self._waits_for_readers else actor

    @property
    def _waits_for_readers(self) -> bool:
        """True while the next deal waits for people who read the result of the last one."""
        return bool(
            seats_still_reading(self.table, self.presence)
        ) and not self._reading_countdown.has_expired(self.table.scored_seq)

    @property
    def _runs_bots_here(self) -> bool:
        """True if this process deals and runs the bots of the table.

        At least one client must be connected here. The process acts if a seated person is connected
        to it. It also acts if no seated person is connected to any other process, so that play goes
        on for spectators. Several processes may act at once: the log decides which is first.
        """
        seated = {seat.person.id for seat in self.table.seats if seat.person is not None}
        remote_people = self._registry.presence.people_at(self.id)
        return bool(self._clients) and bool(seated & self._local_ids or not seated & remote_people)

    def _start_bots(self) -> None:
        """Start the task that deals and runs the bots, if a step is due and belongs here."""
        if self._bot_task is None and self._runs_bots_here and self._next_actor is not None:
            self._bot_task = asyncio.create_task(self._run_bots(), name=f"bots of {self.id}")
            self._bot_task.add_done_callback(self._on_bots_stopped)
            self.use_count += 1

    def _on_bots_stopped(self, task: asyncio.Task[None]) -> None:
        self._bot_task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.error("table %s: its bots stopped", self.id, exc_info=error)
            self._close_clients(_ERROR_SENTENCE)
        else:
            self._start_bots()  # the state may have changed after the task's last check
        self._registry.release(self)

    async def _run_bots(self) -> None:
        """Deal and run the bots as long as it is their turn, each step at its due time."""
        has_told = False
        while self._next_actor is not None:
            try:
                await self._run_step()
                has_told = False
            except SequenceConflict:
                continue
            except CorruptData:
                return  # all clients are closed
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                if not has_told:  # so that people know why they wait
                    sentence = (
                        "The server cannot save anything now: play goes on as soon as it can."
                    )
                    self._send_refusal("unsaved", sentence)
                has_told = True
                await self._wait(_RETRY_SECONDS)
            except RateLimited:
                if not has_told:
                    self._send_refusal("rate", _BOTS_WAIT_SENTENCE)
                has_told = True
                await self._wait(_RETRY_SECONDS)
            if not self._runs_bots_here:
                return

    def _send_refusal(self, code: RefusalCode, sentence: str) -> None:
        """Send all clients the reason why play waits."""
        message = encode(Refusal(code, sentence, self.table.seq))
        for client in self._clients:
            client.send(message)

    async def _wait(self, seconds: float, until: asyncio.Event | None = None) -> None:
        """Wait for some seconds, or until an event: by default, until no client is left.

        Unlike a cancellation, the end of this wait never interrupts a write.
        """
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for((until or self._deserted).wait(), seconds)

    async def _run_step(self) -> None:
        """Append one deal or bot action at its due time, if it is still that turn."""
        table, loop_time = self.table, asyncio.get_running_loop().time
        started_at = loop_time()
        entry = await self._registry.bot_runner.next_entry(self.id, table)
        due_at = started_at + self._registry.pacing.seconds_until_action(
            table, self._usual_delay(), loop_time() - started_at
        )
        await self._wait(due_at - loop_time())
        if not self._runs_bots_here:
            return
        async with self._lock:
            await self._read_if_behind()
            if self._still_applies(table):
                await self._append([*self._seats_before_deal(entry), entry])

    def _still_applies(self, table: Table) -> bool:
        """Return whether a decision made for `table` still applies. Chat does not change that."""
        seat = automatic_actor(table)
        if self.table.game is not table.game or self._next_actor != seat:
            return False
        return not isinstance(seat, int) or self.table.seats[seat].bot == table.seats[seat].bot

    def _seats_before_deal(self, entry: Entry) -> tuple[Entry, ...]:
        """Return the entries that seat waiting people, if the next entry deals the cards."""
        return (
            seat_waiting_people(self.table, self.presence) if isinstance(entry, log.Dealt) else ()
        )

    def _usual_delay(self) -> float:
        pace = self._registry.pace
        events = self._recent_steps[-1][1] if self._recent_steps else ()
        if any(isinstance(event, DealScored) for event in events):
            return pace.deal
        trick_ended = any(isinstance(event, TrickWon) for event in events)
        delay = pace.trick if trick_ended else pace.action
        return delay if self.table.undoable is None else max(delay, pace.undo)

    async def close(self) -> None:
        """Close all clients, wait for the running tasks, and save the turn."""
        for client in self._clients:
            client.close()
        self._clients.clear()
        self._deserted.set()
        self._closed.set()
        self._update_absences()
        self._update_countdowns()
        tasks = (self._bot_task, self._read_task, self._save_turn_task, self._release_task)
        if running := [task for task in tasks if task is not None]:
            await asyncio.wait(running)
        await self._save_turn()


class TableRegistry:
    """The tables in memory. Each is loaded at its first use, and dropped after its last."""

    def __init__(
        self,
        store: Store,
        pace: Pace,
        metrics: Metrics,
        bot_runner: BotRunner | None = None,
        away_seconds: float = AWAY_SECONDS,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        max_lobby_seats: int = MAX_LOBBY_SEATS,
    ) -> None:
        self.store = store
        self.away_seconds = away_seconds
        self.pacing = Pacing(chance.RNG, pace.tick)
        self.pace = pace
        self.metrics = metrics
        self.bot_runner = bot_runner or BotRunner({}, 1)
        self.presence = PeerPresence(heartbeat_seconds)
        self.log_reader = LogReader()
        self.on_presence_change: Callable[[LiveTable], None] = lambda _: None
        self._tables: dict[str, LiveTable] = {}
        self._load_locks: dict[str, asyncio.Lock] = {}
        self._max_lobby_seats = max_lobby_seats
        self._sitting_down: list[str] = []  # the people whose seats in lobbies are being stored
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
        return len(self.presence.people_at(table_id) if live is None else live.present_people)

    def turns(self) -> dict[str, int | None]:
        """Return whose turn it is at each table in memory."""
        return {live.id: person_seat_on_turn(live.table) for live in self._tables.values()}

    @property
    def occupied_table_ids(self) -> set[str]:
        """The ids of the tables with a person present, over all processes."""
        local_ids = {live.id for live in self._tables.values() if any(live.local_people)}
        return local_ids | self.presence.occupied_table_ids

    @property
    def local_presence(self) -> dict[str, list[str]]:
        """The people connected to each table in this process (see `LiveTable.local_people`)."""
        return {live.id: people for live in self._tables.values() if (people := live.local_people)}

    @property
    def loaded_ids(self) -> KeysView[str]:
        """The ids of the tables in memory."""
        return self._tables.keys()

    def is_in_use(self, table_id: str) -> bool:
        """Return whether a table is in memory here or has clients in another process."""
        return (
            table_id in self._tables
            or table_id in self._load_locks
            or self.presence.is_in_use(table_id)
        )

    @contextlib.contextmanager
    def limit_seats(self, live: LiveTable, person_id: str, command: Command) -> Iterator[None]:
        """Refuse a seat to a person who holds seats in too many public lobbies. Raises Refused.

        Only tables in memory count, and not those of which the person is the host. Inside the
        `with` block the wanted seat counts too.
        """
        table = live.table
        if not isinstance(command, Sit) or not table.is_public_lobby or table.host.id == person_id:
            yield
            return
        held = sum(
            other is not live and other.table.seat_of(person_id) in other.table.releasable_seats
            for other in self._tables.values()
        )
        if held + self._sitting_down.count(person_id) >= self._max_lobby_seats:
            rejection = too_many_seats(self._max_lobby_seats)
            raise Refused(rejection.code, rejection.sentence)
        self._sitting_down.append(person_id)
        try:
            yield
        finally:
            self._sitting_down.remove(person_id)

    def disconnect_people(self, is_gone: Callable[[str], bool], reason: str) -> None:
        """Close the clients of people for whose id `is_gone` is true, with the given reason."""
        for live in list(self._tables.values()):
            live.disconnect_people(is_gone, reason)

    def broadcast_states(self, tables: Iterable[str]) -> None:
        """Send tables to their clients again, because presence in other processes has changed."""
        for table_id in tables:
            if (live := self._tables.get(table_id)) is not None:
                live.broadcast_state()

    def log_advanced(self, table_id: str, seq: int | None) -> None:
        """Note that another process has appended to a table's log, which now has `seq` entries."""
        if (live := self._tables.get(table_id)) is not None:
            live.log_advanced(seq)
        elif table_id in self._load_locks:
            self._changed_while_loading.add(table_id)

    def refresh_all(self) -> None:
        """Read the log of every table again, because other processes may have appended to any."""
        for live in list(self._tables.values()):
            live.log_advanced(None)
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
            self.release(live)

    def release(self, live: LiveTable) -> None:
        """Count one use of a table less. Drop the table and stop its bots after the last use."""
        live.use_count -= 1
        if live.use_count == 0:
            self._tables.pop(live.id, None)
            self.bot_runner.stop_table(live.id)

    async def _load(self, table_id: str) -> LiveTable | None:
        """Load a table from its log. Of several callers at once, only the first reads the log."""
        async with self._load_locks.setdefault(table_id, asyncio.Lock()):
            try:
                if (live := self._tables.get(table_id)) is not None:
                    return live
                bodies = await self.store.entries(table_id)
                if not bodies or self._closed:
                    return None
                table = await asyncio.to_thread(self.log_reader.read, table_id, bodies, fold)
                live = self._tables.setdefault(table_id, LiveTable(table_id, table, self))
                if table_id in self._changed_while_loading:
                    live.log_advanced(None)
                return live
            finally:
                self._load_locks.pop(table_id, None)
                self._changed_while_loading.discard(table_id)

    async def close(self) -> None:
        """Close all tables, the worker pool and the bots that are programs."""
        self._closed = True
        closing = [live.close() for live in list(self._tables.values())]
        await asyncio.gather(self.bot_runner.scheduler.close(), *closing)
        await self.bot_runner.close()


def turn_seconds(table: Table) -> float:
    """Return the seconds that a turn may take; 0 for a table without clock."""
    return table.config.clock or 0
