"""Prefers people with a seat over spectators when WebSockets or a table are full.

`check_websocket_slot` applies to the process, `spectator_to_close` to one table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Protocol, TypeVar

from acesaround.server.limits.connections import FULL, ConnectionLimiter
from acesaround.server.limits.open_websockets import TooManyConnections


class Spectator(Protocol):
    """The part of a client without a seat that is compared here."""

    @property
    def address(self) -> str | None:
        """The rate-limit key of the client's address."""

    @property
    def person_id(self) -> str | None:
        """The id of the client's person."""


SpectatorT = TypeVar("SpectatorT", bound=Spectator)


async def check_websocket_slot(
    connections: ConnectionLimiter, *, is_seated: bool, has_played: Callable[[], Awaitable[bool]]
) -> None:
    """Raise TooManyConnections if only slots that are reserved for other people are free.

    `has_played`: whether the person has played a deal; called for a seated person only.
    """
    if not is_seated:
        is_refused = connections.is_seat_reserve_in_use
    else:
        is_refused = connections.is_player_reserve_in_use and not await has_played()
    if is_refused:
        raise TooManyConnections(FULL.sentence)


def spectator_to_close(
    spectators: Sequence[SpectatorT], ids_asking_for_seat: Collection[str]
) -> SpectatorT | None:
    """Return the spectator to close in favour of a person who can get a seat, or None.

    Of the address with the most spectators, this is the first to join. People who ask for a seat
    stay.
    """
    counts = Counter(spectator.address for spectator in spectators)
    return max(
        (one for one in spectators if one.person_id not in ids_asking_for_seat),
        key=lambda spectator: counts[spectator.address],
        default=None,
    )
