"""A limit on the seats that one person may hold in public lobbies."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator

from acesaround.table import Command, CommandRefused, Table, releasable_seats
from acesaround.table.command_refusals import too_many_seats
from acesaround.table.commands import Sit


class LobbySeatLimiter:
    """A limit on the seats that one person may hold in public lobbies.

    `loaded_tables`: returns the tables in memory, the only ones that count.
    """

    def __init__(self, max_seats: int, loaded_tables: Callable[[], Iterable[Table]]) -> None:
        self._max_seats = max_seats
        self._loaded_tables = loaded_tables
        self._sitting_down: list[str] = []  # the people whose seats in lobbies are being stored

    @contextlib.contextmanager
    def reserve_seat(self, table: Table, person_id: str, command: Command) -> Iterator[None]:
        """Count the seat that a person wants, or raise CommandRefused at too many public lobbies.

        Tables of which the person is the host do not count. Inside the `with` block the wanted
        seat counts too.
        """
        if not isinstance(command, Sit) or not table.is_public_lobby or table.host.id == person_id:
            yield
            return
        held = sum(
            other is not table and other.seat_of(person_id) in releasable_seats(other)
            for other in self._loaded_tables()
        )
        if held + self._sitting_down.count(person_id) >= self._max_seats:
            refusal = too_many_seats(self._max_seats)
            raise CommandRefused(refusal.code, refusal.sentence)
        self._sitting_down.append(person_id)
        try:
            yield
        finally:
            self._sitting_down.remove(person_id)
