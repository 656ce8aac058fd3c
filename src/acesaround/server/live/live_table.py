"""One table in use: its state in memory, its connected clients, its clocks and its bots.

The state is a cache of the log. An action counts only once the store has it, so that a kill at any
moment loses nothing that a client was shown.

Other processes on the same database may hold the same table. The log decides whose entry is first.
`cluster.peers` reports their entries and the people connected to them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from acesaround.game.events import Event
from acesaround.server import random_source
from acesaround.server.live.bot_turn_loop import RETRY_SECONDS, BotTurnLoop, wait
from acesaround.server.live.countdown import Countdown
from acesaround.server.live.liveness_check import LivenessCheck
from acesaround.server.live.presence_tracker import PresenceTracker
from acesaround.server.live.table_clients import TableClients, send_missed, send_state
from acesaround.server.live.table_countdowns import TableCountdowns
from acesaround.server.live.table_log import TableLog
from acesaround.server.live.table_services import TableServices
from acesaround.server.table_client import (
    CLOSED_BY_OPERATOR,
    DAMAGED_CODE,
    DAMAGED_SENTENCE,
    TableClient,
)
from acesaround.store import CorruptData, DatabaseUnavailable, SequenceConflict
from acesaround.table import (
    Command,
    CommandRefused,
    Entry,
    Person,
    Table,
    TablePresence,
    display_name,
    entries,
    expire_proposal,
    handle_command,
    release_seats,
)
from acesaround.table.command_refusals import ENDED_SENTENCES
from acesaround.table.list_columns import person_seat_on_turn

_LOG: Final = logging.getLogger(__name__)
_PRESENCE_SECONDS_PER_CLIENT: Final = 0.005
"""Seconds for each client of a table between two states that only show who is present.

People who come and go all the time would otherwise keep the server busy with telling the others.
"""
_ERROR_SENTENCE: Final = "This table causes an error in the server, so it cannot be shown."
_BOTS: Final = "bots"
_LOG_READING: Final = "log reading"
_TURN_SAVING: Final = "turn saving"
_SEAT_RELEASE: Final = "seat release"


class LiveTable:
    """One table in memory, with its clients, its countdowns and its tasks.

    Commands and automatic steps take the lock in turn. Every change is sent to all clients.

    Tasks keep the table in memory. There are four kinds: deals and bots, reading of the log, saving
    of the turn for lists, and release of the seats of absent people. At most one task of each kind
    runs.

    `on_unused`: called with the id of the table after its last use.
    """

    def __init__(
        self,
        table_id: str,
        table: Table,
        services: TableServices,
        on_unused: Callable[[str], None],
    ) -> None:
        self.id = table_id
        self.use_count = 0
        self._services = services
        self._on_unused = on_unused
        self._lock = asyncio.Lock()
        self._log = TableLog(
            table_id, table, services, self._on_step, lambda: self._close_all(DAMAGED_SENTENCE)
        )
        self._clients = TableClients()
        self._liveness_check = LivenessCheck(
            self._clients, services.ping_seconds, services.answer_seconds, self._on_answer_change
        )
        self._tracker = PresenceTracker(
            table_id,
            self._clients,
            services.peers,
            services.away_seconds,
            self.broadcast_state,
            self._liveness_check,
        )
        self._countdowns = TableCountdowns(
            self._on_turn_expired, self._on_proposal_expired, lambda _: self.broadcast_state()
        )
        self._no_clients = asyncio.Event()  # set when the last client leaves, so that bots stop
        self._automatic_play = BotTurnLoop(
            table_id,
            self._log,
            self._clients,
            self._tracker,
            self._countdowns,
            services,
            lock=self._lock,
            no_clients=self._no_clients,
        )
        self._timeout_tasks: set[asyncio.Task[None]] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}  # by kind
        self._closed = asyncio.Event()
        self._saved_turn: int | None = -1  # the turn last saved for lists; -1: unknown
        self._announced_silence: str | None = None  # as the other processes know it
        self._presence_timer: asyncio.TimerHandle | None = None
        self._presence_due_at = 0.0  # loop time of the next state that only shows who is present

    @property
    def table(self) -> Table:
        """The state of the table, after the last entry that is known here."""
        return self._log.table

    @property
    def present_ids(self) -> set[str]:
        """The ids of the people who are connected, here or to another process."""
        return self._tracker.present_ids

    @property
    def local_people(self) -> list[str]:
        """The ids of the people connected to this process (see `TableClients.people`)."""
        return self._clients.people(self.table)

    @property
    def local_silence(self) -> str | None:
        """The id of the person on turn if none of this person's clients here answers, or None."""
        return self._liveness_check.silent_id

    @property
    def state(self) -> str:
        """`lobby` before the first game, `playing` during a game, `over` until the next."""
        if self.table.game is None:
            return "lobby"
        return "playing" if self.table.is_playing else "over"

    @property
    def _presence(self) -> TablePresence:
        return self._tracker.presence(self.table)

    @property
    def spectator_count(self) -> int:
        """The number of clients in this process without a seat."""
        return len(self._clients.spectators(self.table))

    def missed_step_count(self, seq: int | None) -> int:
        """Return how many steps after entry `seq` a client would be sent one by one."""
        return len(self._log.steps_after(seq))

    def link_grants_access(self, client: TableClient) -> bool:
        """Return whether a client may watch: by a current link, or as a person of this table."""
        links = self.table.links
        return client.link in (links.play or self.id, links.watch) or self.table.may_enter(
            client.person_id
        )

    def admit_spectator(self, client: TableClient, max_spectators: int) -> bool:
        """Return whether a spectator may join (see `TableClients.close_spectator_for`)."""
        return self._clients.close_spectator_for(client, self.table, self._presence, max_spectators)

    async def join(self, client: TableClient, seq: int | None = None) -> None:
        """Add a client: send the current state, and from then on every change.

        `seq`: the last entry that the client has seen. Missed entries are sent one by one if they
        are still kept. A client of a table that has ended is closed. Raises CorruptData.
        """
        async with self._lock:
            try:
                await self._log.read_if_behind()
                if self.table.ended is None:
                    await self._update_profile(client.person)
            except CorruptData:
                raise
            except (DatabaseUnavailable, SequenceConflict):
                pass
            if (ended := self.table.ended) is not None:  # while the client waited
                client.close(CLOSED_BY_OPERATOR, ENDED_SENTENCES[ended])
                return
            is_new_person = client.person_id not in self.present_ids
            self._clients.add(client)
            self._no_clients.clear()
            has_silence_changed = self._update_absences()
            self._announce_presence()
            self._update_countdowns()
            self._send_missed(client, seq)
            if (is_new_person and client.person_id is not None) or has_silence_changed:
                self._send_presence([other for other in self._clients if other is not client])
        self.note_log_advance(0)
        self._start_bots()

    async def _update_profile(self, person: Person | None) -> None:
        """Store a seated person's new display name and avatar."""
        seat = None if person is None else self.table.seat_of(person.id)
        if person is None:
            return
        renamed = msgspec.structs.replace(person, name=display_name(self.table, person))
        if seat is not None and renamed != self.table.seats[seat].person:
            await self._log.append([entries.ProfileChanged(seat, renamed.name, renamed.avatar)])

    def leave(self, client: TableClient) -> None:
        """Remove a client. Without clients, the bots stop and the turn is saved."""
        self._clients.remove(client)
        has_silence_changed = self._update_absences()
        self._announce_presence()
        if has_silence_changed or (
            client.person_id is not None
            and (client.reads_results or client.person_id not in self.present_ids)
        ):
            self.broadcast_state()
        if not self._clients:
            self._no_clients.set()
            if _TURN_SAVING not in self._tasks:
                self._start_task(_TURN_SAVING, self._save_turn(), lambda _: None)
        self._update_countdowns()
        self._start_bots()  # the next deal may have waited for this client only

    def _announce_presence(self) -> None:
        """Tell the other processes who is connected here, and who does not answer."""
        self._announced_silence = self.local_silence
        self._services.on_presence_change(self.id, self.local_people, self.local_silence)

    def _check_answers(self) -> bool:
        """Ask the person on turn for answers. Return whether another person or nobody is silent."""
        self._tracker.check_answers(self.table)
        has_changed = self.local_silence != self._announced_silence
        if has_changed:
            self._announce_presence()
        return has_changed

    def _on_answer_change(self) -> None:
        """Tell everybody that the person on turn does not answer, or answers again."""
        self._announce_presence()
        self.broadcast_state()

    async def handle_command(self, person: Person, command: Command) -> None:
        """Apply a person's command, and store its entries. Raises CommandRefused."""
        async with self._lock:
            try:
                with self._services.seat_limiter.reserve_seat(self.table, person.id, command):
                    await self._apply_command(person, command)
            except CorruptData:
                return  # all clients are closed
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                self.note_log_advance(0)  # read the log soon, because the write may have succeeded
                raise CommandRefused(
                    "unsaved",
                    "The server could not save that, so it does not count: try again soon.",
                ) from None
        self._start_bots()

    async def _apply_command(self, person: Person, command: Command) -> None:
        while True:
            await self._log.read_if_behind()
            if self._services.is_deleted(person.id):  # while the command waited
                raise CommandRefused("seat", "Your data on this server was deleted.")
            try:
                entries = handle_command(
                    self.table, person, command, random_source.RNG, self._presence
                )
                return await self._log.append(entries)
            except SequenceConflict:
                continue  # retry with the new state, in which an old action is refused as stale

    def broadcast_state(self) -> None:
        """Send the current state to all clients, soon or now, and let bots act if they may.

        Called after a change of presence, which can also change which process runs the bots.
        """
        self._update_absences()
        self._send_presence(self._clients)
        self._start_bots()

    def disconnect_people(self, is_gone: Callable[[str], bool], reason: str) -> None:
        """Close the clients of people for whose id `is_gone` is true, with the given reason."""
        self._clients.close_where(
            lambda client: client.person_id is not None and is_gone(client.person_id),
            CLOSED_BY_OPERATOR,
            reason,
        )

    def _send_presence(self, clients: Iterable[TableClient]) -> None:
        """Send the state to these clients now, or to all clients later.

        It is sent later if a state was sent a short time ago.
        """
        loop = asyncio.get_running_loop()
        if self._presence_timer is not None:
            return
        if loop.time() < self._presence_due_at:
            self._presence_timer = loop.call_at(self._presence_due_at, self._send_due_presence)
            return
        seconds = _PRESENCE_SECONDS_PER_CLIENT * len(self._clients)
        self._presence_due_at = loop.time() + seconds
        self._send_state(clients)

    def _send_due_presence(self) -> None:
        self._presence_timer, self._presence_due_at = None, 0.0
        self._send_presence(self._clients)

    def note_log_advance(self, seq: int | None) -> None:
        """Note that the log has at least `seq` entries, and read the unknown ones.

        None: the log may have entries that are unknown here.
        """
        self._log.announce(seq)
        if (
            self._log.is_behind
            and _LOG_READING not in self._tasks
            and not self._no_clients.is_set()
        ):
            self._start_task(_LOG_READING, self._catch_up_log(), self._on_log_read)

    def release(self) -> None:
        """End one use of the table."""
        self.use_count -= 1
        if self.use_count == 0:
            self._on_unused(self.id)

    async def close(self) -> None:
        """Close all clients, wait for the running tasks, and save the turn."""
        self._clients.close_where(lambda _: True)
        self._no_clients.set()
        self._closed.set()
        self._update_absences()
        self._update_countdowns()
        if running := list(self._tasks.values()):
            await asyncio.wait(running)
        await self._save_turn()

    def _start_task(
        self,
        kind: str,
        work: Coroutine[Any, Any, None],
        on_end: Callable[[BaseException | None], None],
    ) -> None:
        """Start a task that keeps the table in memory. `on_end` gets the error with which it ends.

        There must be no task of that kind.
        """

        def finish(task: asyncio.Task[None]) -> None:
            del self._tasks[kind]
            error = None if task.cancelled() else task.exception()
            if error is not None:
                _LOG.error("table %s: its %s stopped", self.id, kind, exc_info=error)
            on_end(error)
            self.release()

        self.use_count += 1
        self._tasks[kind] = asyncio.create_task(work, name=f"{kind} of {self.id}")
        self._tasks[kind].add_done_callback(finish)

    async def _save_turn(self) -> None:
        """Save whose turn it is, so that lists need not read the log."""
        if (current_turn := person_seat_on_turn(self.table)) != self._saved_turn:
            with contextlib.suppress(DatabaseUnavailable):
                await self._services.store.save_turn(self.id, current_turn)
                self._saved_turn = current_turn

    async def _catch_up_log(self) -> None:
        """Read the log until no entry is unknown. Retry while the store does not answer."""
        while self._log.is_behind and not self._no_clients.is_set():
            try:
                async with self._lock:
                    await self._log.read_if_behind()
            except DatabaseUnavailable:
                await wait(RETRY_SECONDS, self._no_clients)

    def _on_log_read(self, error: BaseException | None) -> None:
        if error is None:
            self.note_log_advance(0)  # a notice may have arrived after the task's last check
        self._start_bots()

    def _on_step(self, before: Table, events: tuple[Event, ...]) -> None:
        """Show the clients an entry that has been applied."""
        after = self.table
        if (before.links, before.removed_people, before.ended) != (
            after.links,
            after.removed_people,
            after.ended,
        ):
            self._close_unauthorized()
        self._update_countdowns()
        self._check_answers()
        self._send_state(self._clients, events)

    def _close_unauthorized(self) -> None:
        """Close clients whose link no longer gives access; all clients if the table has ended."""
        if ended := self.table.ended:
            self._clients.close_where(lambda _: True, CLOSED_BY_OPERATOR, ENDED_SENTENCES[ended])
        else:
            self._clients.close_where(lambda client: not self.link_grants_access(client))

    def _send_state(self, clients: Iterable[TableClient], events: tuple[Event, ...] = ()) -> None:
        presence, time_left = self._presence, self._countdowns.time_left
        with self._closing_on_error():
            send_state(clients, self.table, events, presence, time_left)

    def _send_missed(self, client: TableClient, seq: int | None) -> None:
        """Send a client the entries after `seq` one by one, or only the current state."""
        presence, steps = self._presence, self._log.steps_after(seq)
        with self._closing_on_error():
            send_missed(client, steps[:-1], presence)
        self._send_state([client], steps[-1][1] if steps else ())

    @contextlib.contextmanager
    def _closing_on_error(self) -> Iterator[None]:
        """On any error in the block close all clients, and write the error to the server's log."""
        try:
            yield
        except Exception as error:
            problem = f"its state after entry {self.table.seq - 1} cannot be shown"
            self._services.log_reader.report(self.id, problem, error)
            self._close_all(_ERROR_SENTENCE)

    def _close_all(self, reason: str) -> None:
        """Close all clients of a table that cannot be read, shown or played on."""
        self._clients.close_where(lambda _: True, DAMAGED_CODE, reason)
        self._update_countdowns()

    def _update_absences(self) -> bool:
        """Note who is absent, and return whether another person or nobody is silent."""
        self._tracker.update(self.table)
        self._start_releasing_seats()
        return self._check_answers()

    def _start_releasing_seats(self) -> None:
        """Start the task that frees the releasable seats of absent people, if there are any.

        The table stays in memory until then, even if no client is left.
        """
        if _SEAT_RELEASE not in self._tasks and self._next_release_at is not None:
            self._start_task(_SEAT_RELEASE, self._release_seats(), self._on_seats_released)

    @property
    def _next_release_at(self) -> float | None:
        return None if self._closed.is_set() else self._tracker.next_release_at(self.table)

    async def _release_seats(self) -> None:
        """Free the releasable seats of absent people, each when its person counts as gone."""
        while (release_at := self._next_release_at) is not None:
            await wait(release_at - asyncio.get_running_loop().time(), self._closed)
            try:
                async with self._lock:
                    await self._log.read_if_behind()
                    if entries := release_seats(self.table, self._presence):
                        await self._log.append(entries)
            except SequenceConflict:
                continue  # another process was first
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                await wait(RETRY_SECONDS, self._closed)

    def _on_seats_released(self, error: BaseException | None) -> None:
        if error is None:
            self._start_releasing_seats()  # a person may have left after the task's last check

    def _update_countdowns(self) -> None:
        self._countdowns.update(self.table, has_clients=bool(self._clients))

    def _on_turn_expired(self, turn_key: Hashable) -> None:
        assert isinstance(turn_key, tuple)
        self._start_timeout_task(
            self._countdowns.turn,
            turn_key,
            lambda: (entries.BotSubstituted(turn_key[0], late=True),),
        )

    def _on_proposal_expired(self, proposal_key: Hashable) -> None:
        self._start_timeout_task(
            self._countdowns.proposal,
            proposal_key,
            lambda: expire_proposal(self.table, self._presence),
        )

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
                await self._log.append(make_entries())
            except (SequenceConflict, CorruptData):
                return  # an entry of another process came in time, or all clients are closed
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                if countdown.has_expired(key):
                    countdown.restart(RETRY_SECONDS)
        self._start_bots()

    def _start_bots(self) -> None:
        """Start the task that deals and runs the bots, if a step is due and belongs here."""
        if _BOTS not in self._tasks and self._automatic_play.are_due:
            self._start_task(_BOTS, self._automatic_play.run(), self._on_bots_stopped)

    def _on_bots_stopped(self, error: BaseException | None) -> None:
        if error is not None:
            self._close_all(_ERROR_SENTENCE)
        else:
            self._start_bots()  # the state may have changed after the task's last check
