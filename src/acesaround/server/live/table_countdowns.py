"""The countdowns of one table: for a turn, for a proposal, and for people who read a result."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final

from acesaround.game.view import turn_of
from acesaround.server.live.countdown import Countdown
from acesaround.table import Table, TimeLeft, clock_paused, seat_on_clock

PROPOSAL_SECONDS: Final = 30.0
"""Seconds until a proposal expires. Clock and bots may wait for it until then."""
READING_SECONDS: Final = 180.0
"""Seconds for which the next deal waits for people who read a result, at a table without clock."""


class TableCountdowns:
    """The countdowns of one table, which run only while it has clients.

    `turn`: its key is the seat on the clock and `Table.moved_seq`. `proposal`: its key is the `seq`
    of the proposal. `reading`: its key is `Table.scored_seq`. Each calls back with its key.
    """

    def __init__(
        self,
        on_turn_expired: Callable[[Hashable], None],
        on_proposal_expired: Callable[[Hashable], None],
        on_reading_expired: Callable[[Hashable], None],
    ) -> None:
        self.turn = Countdown(on_turn_expired)
        self.proposal = Countdown(on_proposal_expired)
        self.reading = Countdown(on_reading_expired)

    def update(self, table: Table, *, has_clients: bool) -> None:
        """Start, keep, pause or stop the countdowns."""
        turn_seconds = table.config.clock or 0  # 0 without clock
        seat = seat_on_clock(table) if has_clients else None
        if has_clients and (clock_paused(table) or (seat is None and self._is_same_turn(table))):
            self.turn.pause()
        else:
            turn_key = None if seat is None else (seat, table.moved_seq)
            self.turn.update(turn_key, turn_seconds)
        proposal_key = None if table.proposal is None or not has_clients else table.proposal.seq
        self.proposal.update(proposal_key, PROPOSAL_SECONDS)
        reading_key = table.scored_seq if has_clients and table.unread_result is not None else None
        self.reading.update(reading_key, turn_seconds or READING_SECONDS)

    def _is_same_turn(self, table: Table) -> bool:
        """Return whether the countdown is that of the current turn, and its time is not over.

        A bot may play for its person for a while. The person gets no new time after that.
        """
        return (
            table.game is not None
            and table.is_playing
            and self.turn.is_running_for((turn_of(table.game), table.moved_seq))
        )

    @property
    def time_left(self) -> TimeLeft:
        """The remaining seconds of each countdown."""
        return TimeLeft(self.turn.remaining, self.proposal.remaining, self.reading.remaining)
