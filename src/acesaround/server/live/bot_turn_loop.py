"""The steps of a table that need no person: deals and the actions of bots."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Final

from acesaround.game.events import DealScored, TrickWon
from acesaround.server.bots.scheduler import person_charged
from acesaround.server.limits.rate_limiters import RateLimited
from acesaround.server.live.acting_process import is_acting_process
from acesaround.server.live.presence_tracker import PresenceTracker
from acesaround.server.live.table_clients import TableClients
from acesaround.server.live.table_countdowns import TableCountdowns
from acesaround.server.live.table_log import TableLog
from acesaround.server.live.table_services import TableServices
from acesaround.store import CorruptData, DatabaseUnavailable, SequenceConflict
from acesaround.table import (
    Entry,
    RefusalMessage,
    Table,
    automatic_actor,
    encode,
    entries,
    seat_waiting_people,
    seats_still_reading,
)
from acesaround.table.messages import RefusalCode

_LOG: Final = logging.getLogger(__name__)
RETRY_SECONDS: Final = 1.0  # seconds until a failed read or write is tried again
_BOTS_WAIT_SENTENCE: Final = (
    "Your tables have more bots than can run at once, so these bots are waiting."
)
_UNSAVED_SENTENCE: Final = "The server cannot save anything now: play goes on as soon as it can."


class BotTurnLoop:
    """The deals and bot actions of one table in this process.

    `lock`: held while a step is appended. `no_clients`: set while no client is left, so that the
    steps stop.
    """

    def __init__(
        self,
        table_id: str,
        table_log: TableLog,
        clients: TableClients,
        tracker: PresenceTracker,
        countdowns: TableCountdowns,
        services: TableServices,
        *,
        lock: asyncio.Lock,
        no_clients: asyncio.Event,
    ) -> None:
        self._table_id = table_id
        self._log = table_log
        self._clients = clients
        self._tracker = tracker
        self._countdowns = countdowns
        self._services = services
        self._lock = lock
        self._no_clients = no_clients

    @property
    def are_due(self) -> bool:
        """Whether a step is due and belongs to this process."""
        return self._is_run_here and self._next_actor is not None

    @property
    def _next_actor(self) -> str | int | None:
        """The next automatic step: `"deal"`, a bot's seat, or None.

        None also while the next deal waits for people who read the last result.
        """
        actor = automatic_actor(self._log.table)
        return None if actor == "deal" and self._is_waiting_for_readers else actor

    @property
    def _is_waiting_for_readers(self) -> bool:
        """True while the next deal waits for people who read the result of the last one."""
        table = self._log.table
        return bool(
            seats_still_reading(table, self._tracker.presence(table))
        ) and not self._countdowns.reading.has_expired(table.scored_seq)

    @property
    def _is_run_here(self) -> bool:
        """Whether this process deals and runs the bots of the table."""
        return is_acting_process(self._log.table, self._clients, self._tracker)

    async def run(self) -> None:
        """Take steps as long as one is due here, each at its due time."""
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
                _LOG.error("table %s: not saved: %s", self._table_id, error)
                if not has_told:  # so that people know why they wait
                    self._send_refusal("unsaved", _UNSAVED_SENTENCE)
                has_told = True
                await wait(RETRY_SECONDS, self._no_clients)
            except RateLimited:
                if not has_told:
                    self._send_refusal("rate", _BOTS_WAIT_SENTENCE)
                has_told = True
                await wait(RETRY_SECONDS, self._no_clients)
            if not self._is_run_here:
                return

    def _send_refusal(self, code: RefusalCode, sentence: str) -> None:
        """Send all clients the reason why play waits."""
        self._clients.send(encode(RefusalMessage(code, sentence, self._log.table.seq)))

    async def _run_step(self) -> None:
        """Append one deal or bot action at its due time, if it is still that turn."""
        table, loop_time = self._log.table, asyncio.get_running_loop().time
        started_at = loop_time()
        entry = await self._services.bot_dispatcher.next_entry(self._table_id, table)
        due_at = started_at + self._services.thinking_time_mask.seconds_until_action(
            table, self._usual_delay(), loop_time() - started_at
        )
        await wait(due_at - loop_time(), self._no_clients)
        # Otherwise an address with hundreds of tables of bots would delay everybody else.
        await self._services.fair_queue.wait(self._services.find_address(person_charged(table)))
        if not self._is_run_here:
            return
        async with self._lock:
            await self._log.read_if_behind()
            if self._still_applies(table):
                await self._log.append([*self._seats_before_deal(entry), entry])

    def _still_applies(self, table: Table) -> bool:
        """Return whether a decision made for `table` still applies. Chat does not change that."""
        seat, now = automatic_actor(table), self._log.table
        if now.game is not table.game or self._next_actor != seat:
            return False
        return not isinstance(seat, int) or now.seats[seat].bot == table.seats[seat].bot

    def _seats_before_deal(self, entry: Entry) -> tuple[Entry, ...]:
        """Return the entries that seat waiting people, if the next entry deals the cards."""
        table = self._log.table
        if not isinstance(entry, entries.Dealt):
            return ()
        return seat_waiting_people(table, self._tracker.presence(table))

    def _usual_delay(self) -> float:
        delays, events = self._services.bot_delays, self._log.last_events
        if any(isinstance(event, DealScored) for event in events):
            return delays.deal
        trick_ended = any(isinstance(event, TrickWon) for event in events)
        delay = delays.trick if trick_ended else delays.action
        return delay if self._log.table.undoable is None else max(delay, delays.undo)


async def wait(seconds: float, until: asyncio.Event) -> None:
    """Wait for some seconds, or until an event.

    Unlike a cancellation, the end of this wait never interrupts a write.
    """
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(until.wait(), seconds)
