"""A table that is in use: its fold in memory, who watches it, and the bots' turns.

What is held here is a cache of the log. An action counts once the store has it and not before, so
a kill at any moment loses nothing that anybody was told. `Live` is one table, `Hub` all of them.

Other processes on the same database may hold the same table. The log settles who was first;
`neighbours` says what they did and who is connected to them.
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
from acesaround.server.live.peer_presence import EVERY, PeerPresence
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import AWAY, Pace
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
_KEPT: Final = 64  # entries that somebody may have missed and still be shown one by one
_WATCHING: Final = 12  # persons who look on that are told by name
_RETRY: Final = 1.0  # seconds until a bot's action that could not be saved is tried again
_CLOCKS: Final = 5_000
"""Milliseconds by which clocks may differ, and in which sockets of a device that is somebody else
now are closed at the latest."""
BLIND: Final = (
    "This device has held another hand of this deal as somebody else: it looks on until the deal is"
    " over."
)
REWRITTEN: Final = log.encode(log.LogRewritten())
ASKED: Final = 30.0
"""Seconds for which something is asked while clock and bots wait."""
READING: Final = 180.0
"""Seconds for which the next deal waits for those who read a result, where no clock runs."""
_STANDS: Final = "So many bots think here and at other tables of yours that these have to wait."


class LiveTable:
    """One table. Commands and bots take turns by the lock; others are told what came of it."""

    def __init__(self, table_id: str, table: Table, hub: TableRegistry) -> None:
        self.id = table_id
        self.table = table
        self.uses = 0
        self._hub = hub
        self._lock = asyncio.Lock()
        self._watchers: set[TableClient] = set()
        self._steps: deque[tuple[Table, tuple[Event, ...]]] = deque(maxlen=_KEPT)
        self._turn = Countdown(self._expire)  # for whose time it is, and since which move
        self._question = Countdown(self._lapse)  # for the entry with which it was asked
        self._reading = Countdown(self._read_on)  # for the action that ended the deal
        self._doing: set[asyncio.Task[None]] = set()
        self._runner: asyncio.Task[None] | None = None
        self._asleep = asyncio.Event()  # nobody watches: the bots stop where they are
        self._doubtful = False  # a write failed: what the log holds is to be read again
        self._heard = 0  # how many entries the log has, as another process says
        self._reader: asyncio.Task[None] | None = None
        self._noter: asyncio.Task[None] | None = None
        self._noted: int | None = -1  # whose turn lists say it is, as far as is known here
        self._since = asyncio.get_running_loop().time()
        self._were: set[str] = set()  # who was present when that was looked at last
        self._left_at: dict[str, float] = {}
        self._missing: asyncio.TimerHandle | None = None

    @property
    def presence(self) -> TablePresence:
        """Who is connected, and for whom the others need not wait any longer."""
        present, now = self.present, asyncio.get_running_loop().time()
        gone = (person for person in self._absent(present) if self._due(person) <= now)
        reads = (w.id for w in self._watchers if w.reads and w.id is not None)
        return TablePresence(frozenset(present), frozenset(gone), frozenset(reads), self._watching)

    @property
    def _watching(self) -> tuple[Person, ...]:
        """Some of those who look on here and have said who they are, by name."""
        found = {one.id: one.person for one in self._watchers if one.person is not None}
        looking = [who for who in found.values() if self.table.seat_of(who.id) is None]
        return tuple(sorted(looking, key=lambda who: (who.name, who.id))[:_WATCHING])

    def _absent(self, present: set[str]) -> set[str]:
        held = (seat.person for seat in self.table.seats)
        belong = {self.table.host.id, *(person.id for person in held if person is not None)}
        return belong - present

    def _due(self, person: str) -> float:
        """When somebody who is not connected is gone: a while after leaving, or after this began.

        Before that this process has not looked.
        """
        return self._left_at.get(person, self._since) + self._hub.away

    def _look_round(self) -> None:
        """Note who has left since the last look, and look again when the next of them is gone."""
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
        """Whether the link by which somebody came leads here: as it is, or for who belongs here."""
        links = self.table.links
        return watcher.link in (links.play or self.id, links.watch) or self.table.may_enter(
            watcher.id
        )

    @property
    def present(self) -> set[str]:
        """The ids of the persons who are connected, here or to another process."""
        return self._here - {""} | self._hub.presence.at(self.id)

    @property
    def local_people(self) -> list[str]:
        """The ids of those connected to this process, who sits before who looks on.

        `""` is anybody who has none.
        """
        return sorted(self._here, key=lambda person: self.table.seat_of(person) is None)

    @property
    def _here(self) -> set[str]:
        return {watcher.id or "" for watcher in self._watchers}

    @property
    def state(self) -> str:
        """`lobby` before the first game, then `playing`, and `over` until another begins."""
        if self.table.game is None:
            return "lobby"
        return "playing" if self.table.playing else "over"

    @property
    def spectator_count(self) -> int:
        """How many sockets here are of people who have no seat."""
        return sum(self.table.seat_of(watcher.id) is None for watcher in self._watchers)

    async def join(self, watcher: TableClient, seq: int | None = None) -> None:
        """Begin to watch: the table as it is now, then everything that happens.

        Somebody who has seen it up to entry `seq` is shown what was missed, if it is still known.
        """
        async with self._lock:
            with contextlib.suppress(DatabaseUnavailable):
                await self._trust()
            await self._blindfold(watcher)
            with contextlib.suppress(DatabaseUnavailable, SequenceConflict):
                await self._greet(watcher.person)
            came = watcher.id not in self.present
            self._watchers.add(watcher)
            self._hub.announce(self)
            self._asleep.clear()
            self._look_round()
            self._time()
            self._catch_up(watcher, seq)
            if watcher.blind is not None:
                watcher.send(encode(Refusal("seat", BLIND, self.table.seq)))
            if came and watcher.id is not None:
                self._tell(self._watchers - {watcher})
        self.log_advanced(0)
        self._wake()

    async def _blindfold(self, watcher: TableClient) -> None:
        """Let a device that has held a hand of this deal as somebody else see no other one.

        It is nobody here until the deal is over: who it is now does not count as present by it.
        """
        if watcher.person is None or not watcher.was or not self.table.dealt:
            return
        own = self.table.seat_of(watcher.id)
        others = {one for one, seat in self.table.looked if seat != own and one in watcher.was}
        if not others:
            return
        dealt = None
        with contextlib.suppress(DatabaseUnavailable):
            dealt = await self._hub.store.entry_time(self.id, self.table.deal)
        if any(watcher.was[one] > (dealt or 0) - _CLOCKS for one in others):
            watcher.person, watcher.blind = None, self.table.deal

    async def _greet(self, person: Person | None) -> None:
        """A person who comes back under another name or sign is called and drawn by it."""
        seat = None if person is None else self.table.seat_of(person.id)
        if person is None:
            return
        called = msgspec.structs.replace(person, name=display_name(self.table, person))
        if seat is not None and called != self.table.seats[seat].person:
            await self._append([log.ProfileChanged(seat, called.name, called.avatar)])
        await self._link()

    async def link(self) -> Links:
        """The table's links, all of them. Raises Unsaved."""
        async with self._lock:
            await self._trust()
            with contextlib.suppress(SequenceConflict):
                await self._link()
            return self.table.links

    async def _link(self) -> None:
        """A table of an earlier release gets the links that it lacks."""
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
        """Watch no longer. With nobody left, the table sleeps."""
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
        self._wake()  # perhaps nobody else was still reading

    async def _note(self) -> None:
        """Keep whose turn it is, for lists: nobody is here who would have to read the log."""
        if (now := turn(self.table)) != self._noted:
            with contextlib.suppress(DatabaseUnavailable):
                await self._hub.store.save_turn(self.id, now)
                self._noted = now

    def _noticed(self, _: asyncio.Task[None]) -> None:
        self._noter = None
        self._hub.release(self)

    async def command(self, person: Person, command: Command) -> None:
        """Do what a person asks, durably. Raises Refused; the table is then as it was."""
        async with self._lock:
            try:
                await self._do(person, command)
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                self.log_advanced(0)  # what became of it is found out as soon as can be
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
                continue  # ask again of the table as it is: an action is now refused as stale

    def broadcast_state(self) -> None:
        """Show the table as it is: who is connected has changed, and perhaps where bots act."""
        self._look_round()
        self._tell(self._watchers)
        self._wake()

    def log_advanced(self, seq: int | None) -> None:
        """The log has at least that many entries; None: it may have more than are known here."""
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
        """Read what the log has beyond what is known here, as soon as the store gives it."""
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
            self.log_advanced(0)  # for what was said between its last look and now
        self._wake()
        self._hub.release(self)

    async def _trust(self) -> None:
        if self._behind:
            await self._read()

    async def _read(self) -> None:
        """Take in entries of the log that are not known here yet.

        What is heard while the store is asked may not be in its answer, so it stays to be read.
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
            self._heard = self.table.seq  # also where somebody said more than there is

    async def _read_anew(self) -> None:
        """What stands before has been rewritten: fold the whole log, as nobody has seen it yet."""
        bodies = await self._hub.store.entries(self.id)
        table = await asyncio.to_thread(self._hub.logs.read, self.id, bodies, fold)
        self._steps.clear()
        self._take(table, ())
        self._steps.clear()  # who comes back is shown all of it

    def _take_in(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._take(*apply_entry(self.table, entry))

    async def _append(self, entries: Sequence[Entry]) -> None:
        """Append entries, then show them. Raises Taken, with the log read again, and Unsaved."""
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
        self._doubtful = True  # until it is known what became of it, whatever happens meanwhile
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
        self._hub.metrics.append.observe(time.perf_counter() - began)
        self._hub.metrics.entries += len(entries)
        for step in steps:
            self._take(*step)

    def _take(self, table: Table, events: tuple[Event, ...]) -> None:
        was, now = self.table, table
        moved = (was.links, was.out, was.ended) != (now.links, now.out, now.ended)
        self.table = table
        self._steps.append((table, events))
        if moved:
            self._send_away()
        self._see_again()
        self._time()
        self._tell(self._watchers, events)

    def _send_away(self) -> None:
        """Close the sockets of those whose link leads here no more; of all where it has ended."""
        ended = self.table.ended
        for watcher in [one for one in self._watchers if ended or not self.link_grants_access(one)]:
            watcher.close() if ended is None else watcher.close(ENDED, SAYS[ended])
            self._watchers.discard(watcher)

    def _see_again(self) -> None:
        """Close the sockets of those who looked on until the deal was over: they come again."""
        for watcher in [one for one in self._watchers if one.blind is not None]:
            if not self.table.dealt or self.table.deal != watcher.blind:
                watcher.close()
                self._watchers.discard(watcher)

    def disconnect_people(self, gone: Callable[[str], bool], why: str) -> None:
        """Close the sockets of persons, by id, with a sentence."""
        for watcher in [one for one in self._watchers if one.id is not None and gone(one.id)]:
            watcher.close(ENDED, why)
            self._watchers.discard(watcher)  # nobody is told any more that they look on

    def _tell(self, watchers: Iterable[TableClient], events: tuple[Event, ...] = ()) -> None:
        """Show the table, to each what that person may see of it."""
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
        """Start, keep or stop what runs out. It does so while somebody is there to see it."""
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
        """Append what follows when the time for something is over, unless it was done in time."""
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
                return  # something happened in time
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                if countdown.has_expired(what):
                    countdown.restart(_RETRY)
        self._wake()

    @property
    def _pending(self) -> str | int | None:
        """Who of chance and bots is to act, and need not wait for those who read a result."""
        due = automatic_actor(self.table)
        return None if due == "deal" and self._being_read else due

    @property
    def _being_read(self) -> bool:
        """Whether the next deal waits for somebody who reads the result of the last one."""
        return bool(
            seats_still_reading(self.table, self.presence)
        ) and not self._reading.has_expired(self.table.scored)

    @property
    def _acts_here(self) -> bool:
        """Whether this process acts for chance and bots of the table.

        Somebody is to be there to see it. A process does it where a person is connected who sits at
        the table, or if no such person is connected anywhere, so that it goes on for those who look
        on. Several may act at once: the log decides who was first.
        """
        sit = {seat.person.id for seat in self.table.seats if seat.person is not None}
        elsewhere = self._hub.presence.at(self.id)
        return bool(self._watchers) and bool(sit & self._here or not sit & elsewhere)

    def _wake(self) -> None:
        """Let chance and bots act, if it is their turn and this is where they do."""
        if self._runner is None and self._acts_here and self._pending is not None:
            self._runner = asyncio.create_task(self._run(), name=f"bots of {self.id}")
            self._runner.add_done_callback(self._ran)
            self.uses += 1

    def _ran(self, runner: asyncio.Task[None]) -> None:
        self._runner = None
        if not runner.cancelled() and (error := runner.exception()) is not None:
            _LOG.error("table %s: its bots stopped", self.id, exc_info=error)
        else:
            self._wake()  # for what changed between its last look and now
        self._hub.release(self)

    async def _run(self) -> None:
        """Act for chance and bots as long as it is their turn, each at its time."""
        told = False
        while self._pending is not None:
            try:
                await self._step()
                told = False
            except SequenceConflict:
                continue
            except DatabaseUnavailable as error:
                _LOG.error("table %s: not saved: %s", self.id, error)
                if not told:  # or people would wait and not know for what
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
        """Tell everybody who watches why the table stands still."""
        message = encode(Refusal(code, sentence, self.table.seq))
        for watcher in self._watchers:
            watcher.send(message)

    async def _rest(self, seconds: float) -> None:
        """Wait, but not for the sake of nobody. Unlike a cancellation this cuts no write short."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._asleep.wait(), seconds)

    async def _step(self) -> None:
        """One action of chance or a bot, unless its turn is over before its time has come."""
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
        """Whether what was thought about a table can still be done: talk changes nothing."""
        seat = automatic_actor(table)
        if self.table.game is not table.game or self._pending != seat:
            return False
        return not isinstance(seat, int) or self.table.seats[seat].bot == table.seats[seat].bot

    def _seated_before(self, entry: Entry) -> tuple[Entry, ...]:
        """Who has waited for a place sits down before the cards are dealt."""
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
        """Close every socket and let the bots finish what they are at."""
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
    """The tables in memory: each is read when it is first used and dropped when nobody uses it."""

    def __init__(
        self,
        store: Store,
        pace: Pace,
        metrics: Metrics,
        players: BotRunner | None = None,
        away: float = AWAY,
        heartbeat: float = EVERY,
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
        self._changed: set[str] = set()  # of those being read, the ones to be read again
        self._closed = False

    def __len__(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    @property
    def loaded_tables(self) -> Iterable[LiveTable]:
        """The tables in memory."""
        return self._tables.values()

    def present(self, table_id: str) -> int:
        """How many persons are connected to a table."""
        live = self._tables.get(table_id)
        return len(self.presence.at(table_id) if live is None else live.present)

    def turns(self) -> dict[str, int | None]:
        """Whose turn it is at each table in memory."""
        return {live.id: turn(live.table) for live in self._tables.values()}

    @property
    def tables(self) -> set[str]:
        """The ids of the tables at which some person is present."""
        here = {live.id for live in self._tables.values() if any(live.local_people)}
        return here | self.presence.tables

    @property
    def local_presence(self) -> dict[str, list[str]]:
        """Who is connected to each table in this process."""
        return {live.id: people for live in self._tables.values() if (people := live.local_people)}

    @property
    def loaded_ids(self) -> KeysView[str]:
        """The ids of the tables in memory."""
        return self._tables.keys()

    def in_use(self, table_id: str) -> bool:
        """Whether a table is held here, or somebody is connected to it anywhere."""
        return (
            table_id in self._tables
            or table_id in self._reading
            or self.presence.is_in_use(table_id)
        )

    def dismiss(self, gone: Callable[[str], bool], why: str) -> None:
        """Close the sockets of persons, by id, with a sentence."""
        for live in list(self._tables.values()):
            live.disconnect_people(gone, why)

    def show(self, tables: Iterable[str]) -> None:
        """Show tables anew: who is connected to them elsewhere has changed."""
        for table_id in tables:
            if (live := self._tables.get(table_id)) is not None:
                live.broadcast_state()

    def hear(self, table_id: str, seq: int | None) -> None:
        """Another process appended to the log of a table, which now has `seq` entries."""
        if (live := self._tables.get(table_id)) is not None:
            live.log_advanced(seq)
        elif table_id in self._reading:
            self._changed.add(table_id)

    def refresh_all(self) -> None:
        """Anything may have been appended by others: look at every table that is held."""
        for live in list(self._tables.values()):
            live.log_advanced(None)
        self._changed |= self._reading.keys()

    @contextlib.asynccontextmanager
    async def acquire(self, table_id: str) -> AsyncIterator[LiveTable | None]:
        """A table, kept in memory meanwhile; None if there is no such table. Raises Unsaved."""
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
        """One use of a table less."""
        live.uses -= 1
        if live.uses == 0:
            self._tables.pop(live.id, None)
            self.players.stop_table(live.id)

    async def _read(self, table_id: str) -> LiveTable | None:
        """Read a log; of several who want the same table at once only the first does."""
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
        """Let every table sleep."""
        self._closed = True
        lives = [live.close() for live in list(self._tables.values())]
        await asyncio.gather(self.players.thinkers.close(), *lives)
        await self.players.close()


def turn_seconds(table: Table) -> float:
    """How long a turn may take; 0 where no clock runs."""
    return table.config.clock or 0
