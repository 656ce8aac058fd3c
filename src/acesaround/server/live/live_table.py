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
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, KeysView, Sequence
from typing import Final

import msgspec

from acesaround.game.events import DealScored, Event, TrickWon
from acesaround.server import chance
from acesaround.server.bots.pacing import Pacing
from acesaround.server.bots.runner import BotRunner
from acesaround.server.client import ENDED, TableClient
from acesaround.server.limits.rates import RateLimited
from acesaround.server.live.countdown import Countdown
from acesaround.server.live.log_reader import LogReader
from acesaround.server.live.peer_presence import PeerPresence
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import AWAY, HEARTBEAT_SECONDS, Pace
from acesaround.store import DatabaseUnavailable, SequenceConflict, Store
from acesaround.table import (
    Command,
    Entry,
    Links,
    Person,
    Refusal,
    Refused,
    Table,
    TablePresence,
    TimeLeft,
    apply_entry,
    automatic_actor,
    clock_paused,
    display_name,
    encode,
    encode_state,
    expire_proposal,
    fold,
    handle_command,
    key_of,
    new_link,
    seat_on_clock,
    seat_waiting_people,
    seats_still_reading,
)
from acesaround.table import entries as log
from acesaround.table.index_fields import games_kept, keys, summary, turn
from acesaround.table.messages import RefusalCode
from acesaround.table.refusals import ENDED as SAYS

_LOG: Final = logging.getLogger(__name__)
_KEPT: Final = 64  # entries kept to be sent one by one to a client that reconnects
_WATCHING: Final = 12  # spectators listed by name
_RETRY: Final = 1.0  # seconds until a failed read or write is tried again
REWRITTEN: Final = log.encode(log.LogRewritten())
ASKED: Final = 30.0
"""Seconds until a proposal expires. Clock and bots may wait for it until then."""
READING: Final = 180.0
"""Seconds for which the next deal waits for people who read a result, at a table without clock."""
_STANDS: Final = "So many bots think here and at other tables of yours that these have to wait."


class LiveTable:
    """One table in memory, with its clients, its countdowns and the task that runs its bots.

    Commands and bot actions take the lock in turn. Every change is sent to all clients.
    """

    def __init__(self, table_id: str, table: Table, hub: TableRegistry) -> None:
        self.id = table_id
        self.table = table
        self.uses = 0
        self._hub = hub
        self._lock = asyncio.Lock()
        self._watchers: set[TableClient] = set()
        self._steps: deque[tuple[Table, tuple[Event, ...]]] = deque(maxlen=_KEPT)
        self._turn = Countdown(self._expire)  # key: the seat on the clock and `Table.moved`
        self._question = Countdown(self._lapse)  # key: `seq` of the proposal
        self._reading = Countdown(self._read_on)  # key: `Table.scored`
        self._doing: set[asyncio.Task[None]] = set()
        self._runner: asyncio.Task[None] | None = None
        self._asleep = asyncio.Event()  # set when the last client leaves, so that bots stop
        self._doubtful = False  # the log may hold unknown entries: read it again
        self._heard = 0  # length of the log according to other processes
        self._reader: asyncio.Task[None] | None = None
        self._noter: asyncio.Task[None] | None = None
        self._noted: int | None = -1  # the turn last saved for lists; -1: unknown
        self._since = asyncio.get_running_loop().time()
        self._were: set[str] = set()  # people present at the last check
        self._left_at: dict[str, float] = {}
        self._missing: asyncio.TimerHandle | None = None

    @property
    def presence(self) -> TablePresence:
        """The connected people, and the absent people who no longer hold up the others."""
        present, now = self.present, asyncio.get_running_loop().time()
        gone = (person for person in self._absent(present) if self._due(person) <= now)
        reads = (w.id for w in self._watchers if w.reads and w.id is not None)
        return TablePresence(frozenset(present), frozenset(gone), frozenset(reads), self._watching)

    @property
    def _watching(self) -> tuple[Person, ...]:
        """The first spectators of this process in the order of their names, at most `_WATCHING`."""
        found = {one.id: one.person for one in self._watchers if one.person is not None}
        looking = [who for who in found.values() if self.table.seat_of(who.id) is None]
        return tuple(sorted(looking, key=lambda who: (who.name, who.id))[:_WATCHING])

    def _absent(self, present: set[str]) -> set[str]:
        held = (seat.person for seat in self.table.seats)
        belong = {self.table.host.id, *(person.id for person in held if person is not None)}
        return belong - present

    def _due(self, person: str) -> float:
        """Return the loop time at which an absent person counts as gone.

        The waiting time begins when the person leaves. For a person absent from the start, it
        begins when this process loaded the table, because earlier presence is unknown here.
        """
        return self._left_at.get(person, self._since) + self._hub.away

    def _look_round(self) -> None:
        """Note who has left since the last check, and schedule the next change from absent to gone.

        Clients are then sent the new state.
        """
        present, now = self.present, asyncio.get_running_loop().time()
        absent = self._absent(present)
        left = dict.fromkeys(self._were & absent, now)
        self._left_at = {p: at for p, at in self._left_at.items() if p in absent} | left
        self._were = present
        if self._missing is not None:
            self._missing.cancel()
            self._missing = None
        due = [at for person in absent if (at := self._due(person)) > now]
        if due and self._watchers:
            later = min(due) - now + 0.01
            self._missing = asyncio.get_running_loop().call_later(later, self.broadcast_state)

    def link_grants_access(self, watcher: TableClient) -> bool:
        """Return whether a client may watch: by a current link, or as a person of this table."""
        links = self.table.links
        return watcher.link in (links.play or self.id, links.watch) or self.table.may_enter(
            watcher.id
        )

    @property
    def present(self) -> set[str]:
        """The ids of the people who are connected, here or to another process."""
        return self._here - {""} | self._hub.presence.at(self.id)

    @property
    def local_people(self) -> list[str]:
        """The ids of the people connected to this process, seated people first.

        `""` represents clients without a person.
        """
        return sorted(self._here, key=lambda person: self.table.seat_of(person) is None)

    @property
    def _here(self) -> set[str]:
        return {watcher.id or "" for watcher in self._watchers}

    @property
    def state(self) -> str:
        """`lobby` before the first game, `playing` during a game, `over` until the next begins."""
        if self.table.game is None:
            return "lobby"
        return "playing" if self.table.playing else "over"

    @property
    def spectator_count(self) -> int:
        """The number of clients in this process without a seat."""
        return sum(self.table.seat_of(watcher.id) is None for watcher in self._watchers)

    async def join(self, watcher: TableClient, seq: int | None = None) -> None:
        """Add a client: send the current state, and from then on every change.

        `seq`: the last entry that the client has seen. Missed entries are sent one by one if they
        are still kept.
        """
        async with self._lock:
            with contextlib.suppress(DatabaseUnavailable):
                await self._trust()
            with contextlib.suppress(DatabaseUnavailable, SequenceConflict):
                await self._greet(watcher.person)
            came = watcher.id not in self.present
            self._watchers.add(watcher)
            self._hub.announce(self)
            self._asleep.clear()
            self._look_round()
            self._time()
            self._catch_up(watcher, seq)
            if came and watcher.id is not None:
                self._tell(self._watchers - {watcher})
        self.log_advanced(0)
        self._wake()

    async def _greet(self, person: Person | None) -> None:
        """Store a seated person's new display name and avatar, then create missing links."""
        seat = None if person is None else self.table.seat_of(person.id)
        if person is None:
            return
        called = msgspec.structs.replace(person, name=display_name(self.table, person))
        if seat is not None and called != self.table.seats[seat].person:
            await self._append([log.ProfileChanged(seat, called.name, called.avatar)])
        await self._link()

    async def link(self) -> Links:
        """Return the table's links, and create missing ones. Raises DatabaseUnavailable."""
        async with self._lock:
            await self._trust()
            with contextlib.suppress(SequenceConflict):
                await self._link()
            return self.table.links

    async def _link(self) -> None:
        """Create the links that a table of an earlier release lacks."""
        has, new = self.table.links, list[Entry]()
        key = key_of(self.table, chance.SOURCE)
        if has.watch is None:
            new.append(new_link("watch", key, chance.SOURCE))
        if has.replay is None:
            new.append(new_link("replay", key, chance.SOURCE))
        if new:
            await self._append(new)

    def _catch_up(self, watcher: TableClient, seq: int | None) -> None:
        missed = [step for step in self._steps if seq is not None and step[0].seq > seq]
        if seq is None or not missed or missed[0][0].seq != seq + 1:
            self._tell([watcher])
            return
        there = self.presence
        for table, events in missed[:-1]:
            watcher.send(encode_state(table, watcher.link, watcher.id, events, there, missed=True))
        self._tell([watcher], missed[-1][1])

    def leave(self, watcher: TableClient) -> None:
        """Remove a client. Without clients, the bots stop and the turn is saved."""
        self._watchers.discard(watcher)
        self._hub.announce(self)
        self._look_round()
        if watcher.id is not None and (watcher.reads or watcher.id not in self.present):
            self.broadcast_state()
        if not self._watchers:
            self._asleep.set()
            if self._noter is None:
                self._noter = asyncio.create_task(self._note(), name=f"turn at {self.id}")
                self._noter.add_done_callback(self._noticed)
                self.uses += 1
        self._time()
        self._wake()  # the next deal may have waited for this client only

    async def _note(self) -> None:
        """Save whose turn it is, so that lists need not read the log."""
        if (now := turn(self.table)) != self._noted:
            with contextlib.suppress(DatabaseUnavailable):
                await self._hub.store.save_turn(self.id, now)
                self._noted = now

    def _noticed(self, _: asyncio.Task[None]) -> None:
        self._noter = None
        self._hub.release(self)

    async def command(self, person: Person, command: Command) -> None:
        """Apply a person's command, and store its entries. Raises Refused if it does not count."""
        async with self._lock:
            try:
                await self._do(person, command)
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                self.log_advanced(0)  # read the log soon, because the write may have succeeded
                raise Refused(
                    "unsaved", "That could not be saved, so it does not count: try again soon."
                ) from None
        self._wake()

    async def _do(self, person: Person, command: Command) -> None:
        while True:
            await self._trust()
            try:
                asked = handle_command(self.table, person, command, chance.SOURCE, self.presence)
                return await self._append(asked)
            except SequenceConflict:
                continue  # retry with the new state, in which an old action is refused as stale

    def broadcast_state(self) -> None:
        """Send the current state to all clients, and let bots act if they may.

        Called after a change of presence, which can also change which process runs the bots.
        """
        self._look_round()
        self._tell(self._watchers)
        self._wake()

    def log_advanced(self, seq: int | None) -> None:
        """Note that the log has at least `seq` entries, and read the unknown ones.

        None: the log may have entries that are unknown here.
        """
        self._heard = max(self._heard, seq or 0)
        self._doubtful = self._doubtful or seq is None
        if self._behind and self._reader is None and not self._asleep.is_set():
            self._reader = asyncio.create_task(self._catch_up_log(), name=f"reader of {self.id}")
            self._reader.add_done_callback(self._caught_up)
            self.uses += 1

    @property
    def _behind(self) -> bool:
        return self._doubtful or self.table.seq < self._heard

    async def _catch_up_log(self) -> None:
        """Read the log until no entry is unknown. Retry while the store does not answer."""
        while self._behind and not self._asleep.is_set():
            try:
                async with self._lock:
                    await self._trust()
            except DatabaseUnavailable:
                await self._rest(_RETRY)

    def _caught_up(self, reader: asyncio.Task[None]) -> None:
        self._reader = None
        if not reader.cancelled() and (error := reader.exception()) is not None:
            _LOG.error("table %s: its log cannot be read", self.id, exc_info=error)
        else:
            self.log_advanced(0)  # a notice may have arrived after the task's last check
        self._wake()
        self._hub.release(self)

    async def _trust(self) -> None:
        if self._behind:
            await self._read()

    async def _read(self) -> None:
        """Apply the log entries that are not known here yet.

        The result may lack entries that are announced during the read. In that case `_heard`
        keeps its value, so that the log is read again.
        """
        heard, self._doubtful = self._heard, False
        try:
            bodies = await self._hub.store.entries(self.id, self.table.seq)
        except BaseException:
            self._doubtful = True
            raise
        try:
            if REWRITTEN in bodies:
                await self._read_anew()
            else:
                self._hub.logs.read(self.id, bodies, self._take_in, self.table.seq)
        except BaseException:
            self._doubtful = True
            raise
        if self._heard == heard:
            self._heard = self.table.seq  # also if a process announced more than there is

    async def _read_anew(self) -> None:
        """Fold the whole log from the start, because earlier entries were rewritten."""
        bodies = await self._hub.store.entries(self.id)
        table = await asyncio.to_thread(self._hub.logs.read, self.id, bodies, fold)
        self._steps.clear()
        self._take(table, ())
        self._steps.clear()  # a client that reconnects gets the whole state

    def _take_in(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._take(*apply_entry(self.table, entry))

    async def _append(self, entries: Sequence[Entry]) -> None:
        """Append entries to the log, then show them to the clients.

        Raises DatabaseUnavailable, and SequenceConflict after reading the log again.
        """
        steps: list[tuple[Table, tuple[Event, ...]]] = []
        table, removed = self.table, []
        for entry in entries:
            if isinstance(entry, log.Removed) and (held := table.seats[entry.seat].person):
                removed.append(held.id)
            table, events = apply_entry(table, entry)
            steps.append((table, events))
        line, found = summary(table), keys(table)
        was, now = games_kept([self.table]), games_kept([self.table, *(step[0] for step in steps)])
        changed = line != summary(self.table) or found != keys(self.table)
        self._doubtful = True  # until the write is known to have succeeded
        began = time.perf_counter()
        try:
            await self._hub.store.append(
                self.id,
                self.table.seq,
                [log.encode(entry) for entry in entries],
                summary=line if changed else None,
                keys=found if changed else None,
                games={n: msgspec.json.encode(now[n]) for n in now if now[n] != was.get(n)},
                people=[entry.person.id for entry in entries if isinstance(entry, log.SeatTaken)],
                removed=removed,
                links={e.token: e.link for e in entries if isinstance(e, log.LinkCreated)},
            )
        except SequenceConflict:
            await self._read()
            raise
        self._doubtful = False
        self._hub.metrics.append_seconds.observe(time.perf_counter() - began)
        self._hub.metrics.entries.inc(len(entries))
        for step in steps:
            self._take(*step)

    def _take(self, table: Table, events: tuple[Event, ...]) -> None:
        was, now = self.table, table
        moved = (was.links, was.out, was.ended) != (now.links, now.out, now.ended)
        self.table = table
        self._steps.append((table, events))
        if moved:
            self._send_away()
        self._time()
        self._tell(self._watchers, events)

    def _send_away(self) -> None:
        """Close clients whose link no longer gives access; all clients if the table has ended."""
        ended = self.table.ended
        for watcher in [one for one in self._watchers if ended or not self.link_grants_access(one)]:
            watcher.close() if ended is None else watcher.close(ENDED, SAYS[ended])
            self._watchers.discard(watcher)

    def disconnect_people(self, gone: Callable[[str], bool], why: str) -> None:
        """Close the clients of people for whose id `gone` is true, with the sentence `why`."""
        for watcher in [one for one in self._watchers if one.id is not None and gone(one.id)]:
            watcher.close(ENDED, why)
            self._watchers.discard(watcher)  # now, so that they no longer count as present

    def _tell(self, watchers: Iterable[TableClient], events: tuple[Event, ...] = ()) -> None:
        """Send the table to clients, each in the form that its person may see."""
        there = self.presence
        left = TimeLeft(self._turn.remaining, self._question.remaining, self._reading.remaining)
        made: dict[tuple[str | None, str], bytes] = {}
        for watcher in watchers:
            who = watcher.id, watcher.link
            if who not in made:
                made[who] = encode_state(
                    self.table, watcher.link, watcher.id, events, there, left=left
                )
            watcher.send(made[who])

    def _time(self) -> None:
        """Start, keep, pause or stop the countdowns, which run only while there are clients."""
        table, watched = self.table, bool(self._watchers)
        if watched and clock_paused(table):
            self._turn.pause()
        else:
            seat = seat_on_clock(table) if watched else None
            turn = None if seat is None else (seat, table.moved)
            self._turn.run(turn, turn_seconds(table))
        asked = None if table.wish is None or not watched else table.wish.seq
        self._question.run(asked, ASKED)
        read = table.scored if watched and table.result is not None else None
        self._reading.run(read, turn_seconds(table) or READING)

    def _expire(self, turn: Hashable) -> None:
        assert isinstance(turn, tuple)
        self._soon(self._turn, turn, lambda: (log.BotSubstituted(turn[0], late=True),))

    def _lapse(self, asked: Hashable) -> None:
        self._soon(self._question, asked, lambda: expire_proposal(self.table, self.presence))

    def _read_on(self, _: Hashable) -> None:
        self.broadcast_state()

    def _soon(
        self, countdown: Countdown, what: Hashable, entries: Callable[[], Sequence[Entry]]
    ) -> None:
        """Start a task that appends the entries due at the end of a countdown.

        The task does nothing if the countdown has changed before it gets the lock.
        """
        doing = asyncio.create_task(self._late(countdown, what, entries), name=f"clock: {self.id}")
        self._doing.add(doing)
        doing.add_done_callback(self._doing.discard)

    async def _late(
        self, countdown: Countdown, what: Hashable, entries: Callable[[], Sequence[Entry]]
    ) -> None:
        async with self._lock:
            if not countdown.has_expired(what):
                return
            try:
                await self._append(entries())
            except SequenceConflict:
                return  # an entry of another process came in time
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                if countdown.has_expired(what):
                    countdown.restart(_RETRY)
        self._wake()

    @property
    def _pending(self) -> str | int | None:
        """The next automatic step: `"deal"`, a bot's seat, or None.

        None also while the next deal waits for people who read the last result.
        """
        due = automatic_actor(self.table)
        return None if due == "deal" and self._being_read else due

    @property
    def _being_read(self) -> bool:
        """True while the next deal waits for people who read the result of the last one."""
        return bool(
            seats_still_reading(self.table, self.presence)
        ) and not self._reading.has_expired(self.table.scored)

    @property
    def _acts_here(self) -> bool:
        """True if this process deals and runs the bots of the table.

        At least one client must be connected here. The process acts if a seated person is connected
        to it. It also acts if no seated person is connected to any other process, so that play goes
        on for spectators. Several processes may act at once: the log decides which is first.
        """
        sit = {seat.person.id for seat in self.table.seats if seat.person is not None}
        elsewhere = self._hub.presence.at(self.id)
        return bool(self._watchers) and bool(sit & self._here or not sit & elsewhere)

    def _wake(self) -> None:
        """Start the task that deals and runs the bots, if a step is due and belongs here."""
        if self._runner is None and self._acts_here and self._pending is not None:
            self._runner = asyncio.create_task(self._run(), name=f"bots of {self.id}")
            self._runner.add_done_callback(self._ran)
            self.uses += 1

    def _ran(self, runner: asyncio.Task[None]) -> None:
        self._runner = None
        if not runner.cancelled() and (error := runner.exception()) is not None:
            _LOG.error("table %s: its bots stopped", self.id, exc_info=error)
        else:
            self._wake()  # the state may have changed after the task's last check
        self._hub.release(self)

    async def _run(self) -> None:
        """Deal and run the bots as long as it is their turn, each step at its due time."""
        told = False
        while self._pending is not None:
            try:
                await self._step()
                told = False
            except SequenceConflict:
                continue
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                if not told:  # so that people know why they wait
                    sentence = "Nothing can be saved at the moment: play goes on when it can."
                    self._say("unsaved", sentence)
                told = True
                await self._rest(_RETRY)
            except RateLimited:
                if not told:
                    self._say("rate", _STANDS)
                told = True
                await self._rest(_RETRY)
            if not self._acts_here:
                return

    def _say(self, code: RefusalCode, sentence: str) -> None:
        """Send all clients the reason why play waits."""
        message = encode(Refusal(code, sentence, self.table.seq))
        for watcher in self._watchers:
            watcher.send(message)

    async def _rest(self, seconds: float) -> None:
        """Wait for some seconds, or until no client is left.

        Unlike a cancellation, the end of this wait never interrupts a write.
        """
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._asleep.wait(), seconds)

    async def _step(self) -> None:
        """Append one deal or bot action at its due time, if it is still that turn."""
        table, now = self.table, asyncio.get_running_loop().time
        began = now()
        entry = await self._hub.players.next_entry(self.id, table)
        due = began + self._hub.pacing.due(table, self._pause(), now() - began)
        await self._rest(due - now())
        if not self._acts_here:
            return
        async with self._lock:
            await self._trust()
            if self._turn_of(table):
                await self._append([*self._seated_before(entry), entry])

    def _turn_of(self, table: Table) -> bool:
        """Return whether a decision made for `table` still applies. Chat does not change that."""
        seat = automatic_actor(table)
        if self.table.game is not table.game or self._pending != seat:
            return False
        return not isinstance(seat, int) or self.table.seats[seat].bot == table.seats[seat].bot

    def _seated_before(self, entry: Entry) -> tuple[Entry, ...]:
        """Return the entries that seat waiting people, if the next entry deals the cards."""
        return (
            seat_waiting_people(self.table, self.presence) if isinstance(entry, log.Dealt) else ()
        )

    def _pause(self) -> float:
        pace = self._hub.pace
        events = self._steps[-1][1] if self._steps else ()
        if any(isinstance(event, DealScored) for event in events):
            return pace.deal
        ended = any(isinstance(event, TrickWon) for event in events)
        usual = pace.trick if ended else pace.action
        return usual if self.table.undo is None else max(usual, pace.undo)

    async def close(self) -> None:
        """Close all clients, wait for the running tasks, and save the turn."""
        for watcher in self._watchers:
            watcher.close()
        self._watchers.clear()
        self._asleep.set()
        self._look_round()
        self._time()
        tasks = (self._runner, self._reader, self._noter)
        if working := [task for task in tasks if task is not None]:
            await asyncio.wait(working)
        await self._note()


class TableRegistry:
    """The tables in memory. Each is loaded at its first use, and dropped after its last."""

    def __init__(
        self,
        store: Store,
        pace: Pace,
        metrics: Metrics,
        players: BotRunner | None = None,
        away: float = AWAY,
        heartbeat: float = HEARTBEAT_SECONDS,
    ) -> None:
        self.store = store
        self.away = away
        self.pacing = Pacing(chance.SOURCE, pace.tick)
        self.pace = pace
        self.metrics = metrics
        self.players = players or BotRunner({}, 1)
        self.presence = PeerPresence(heartbeat)
        self.logs = LogReader()
        self.announce: Callable[[LiveTable], None] = lambda _: None
        self._tables: dict[str, LiveTable] = {}
        self._reading: dict[str, asyncio.Lock] = {}
        self._changed: set[str] = set()  # tables to read again once they are loaded
        self._closed = False

    def __len__(self) -> int:
        """Return the number of tables in memory."""
        return len(self._tables)

    @property
    def loaded_tables(self) -> Iterable[LiveTable]:
        """The tables in memory."""
        return self._tables.values()

    def present(self, table_id: str) -> int:
        """Return the number of people connected to a table, over all processes."""
        live = self._tables.get(table_id)
        return len(self.presence.at(table_id) if live is None else live.present)

    def turns(self) -> dict[str, int | None]:
        """Return whose turn it is at each table in memory."""
        return {live.id: turn(live.table) for live in self._tables.values()}

    @property
    def tables(self) -> set[str]:
        """The ids of the tables with a person present, over all processes."""
        here = {live.id for live in self._tables.values() if any(live.local_people)}
        return here | self.presence.tables

    @property
    def local_presence(self) -> dict[str, list[str]]:
        """The people connected to each table in this process (see `LiveTable.local_people`)."""
        return {live.id: people for live in self._tables.values() if (people := live.local_people)}

    @property
    def loaded_ids(self) -> KeysView[str]:
        """The ids of the tables in memory."""
        return self._tables.keys()

    def in_use(self, table_id: str) -> bool:
        """Return whether a table is in memory here or has clients in another process."""
        return (
            table_id in self._tables
            or table_id in self._reading
            or self.presence.is_in_use(table_id)
        )

    def dismiss(self, gone: Callable[[str], bool], why: str) -> None:
        """Close the clients of people for whose id `gone` is true, with the sentence `why`."""
        for live in list(self._tables.values()):
            live.disconnect_people(gone, why)

    def show(self, tables: Iterable[str]) -> None:
        """Send tables to their clients again, because presence in other processes has changed."""
        for table_id in tables:
            if (live := self._tables.get(table_id)) is not None:
                live.broadcast_state()

    def hear(self, table_id: str, seq: int | None) -> None:
        """Note that another process has appended to a table's log, which now has `seq` entries."""
        if (live := self._tables.get(table_id)) is not None:
            live.log_advanced(seq)
        elif table_id in self._reading:
            self._changed.add(table_id)

    def refresh_all(self) -> None:
        """Read the log of every table again, because other processes may have appended to any."""
        for live in list(self._tables.values()):
            live.log_advanced(None)
        self._changed |= self._reading.keys()

    @contextlib.asynccontextmanager
    async def acquire(self, table_id: str) -> AsyncIterator[LiveTable | None]:
        """Yield a table, and keep it in memory until the block ends.

        Yields None if there is no such table. Raises DatabaseUnavailable.
        """
        live = self._tables.get(table_id) or await self._read(table_id)
        if live is None:
            yield None
            return
        live.uses += 1
        try:
            yield live
        finally:
            self.release(live)

    def release(self, live: LiveTable) -> None:
        """Count one use of a table less. Drop the table and stop its bots after the last use."""
        live.uses -= 1
        if live.uses == 0:
            self._tables.pop(live.id, None)
            self.players.stop_table(live.id)

    async def _read(self, table_id: str) -> LiveTable | None:
        """Load a table from its log. Of several callers at once, only the first reads the log."""
        async with self._reading.setdefault(table_id, asyncio.Lock()):
            try:
                if (live := self._tables.get(table_id)) is not None:
                    return live
                bodies = await self.store.entries(table_id)
                if not bodies or self._closed:
                    return None
                table = await asyncio.to_thread(self.logs.read, table_id, bodies, fold)
                live = self._tables.setdefault(table_id, LiveTable(table_id, table, self))
                if table_id in self._changed:
                    live.log_advanced(None)
                return live
            finally:
                self._reading.pop(table_id, None)
                self._changed.discard(table_id)

    async def close(self) -> None:
        """Close all tables, the worker pool and the bots that are programs."""
        self._closed = True
        lives = [live.close() for live in list(self._tables.values())]
        await asyncio.gather(self.players.thinkers.close(), *lives)
        await self.players.close()


def turn_seconds(table: Table) -> float:
    """Return the seconds that a turn may take; 0 for a table without clock."""
    return table.config.clock or 0
