"""The services that all tables of one process share."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from acesaround.server.bots.dispatch import BotDispatcher
from acesaround.server.bots.thinking_time_mask import ThinkingTimeMask
from acesaround.server.limits.fair_queue import FairQueue
from acesaround.server.live.lobby_seat_limiter import LobbySeatLimiter
from acesaround.server.live.log_reader import LogReader
from acesaround.server.live.peer_presence import PeerPresence
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import BotDelays
from acesaround.store import Store


class TableServices(msgspec.Struct):
    """The parts of one process that its tables use.

    `away_seconds`: seconds without a connection after which a person counts as gone.
    `ping_seconds`: seconds between two pings to the person on turn; `answer_seconds`: seconds
    without an answer after which that person counts as silent. `on_presence_change`: called with
    the id of a table, the people connected to it in this process (see `TableClients.people`), and
    the one of them who is silent, or None. `is_deleted`: returns whether a person was deleted.
    `find_address`: returns the address of a person, or None if it is unknown.
    """

    store: Store
    metrics: Metrics
    bot_dispatcher: BotDispatcher
    bot_delays: BotDelays
    thinking_time_mask: ThinkingTimeMask
    peers: PeerPresence
    log_reader: LogReader
    seat_limiter: LobbySeatLimiter
    away_seconds: float
    ping_seconds: float
    answer_seconds: float
    on_presence_change: Callable[[str, list[str], str | None], None] = lambda *_: None
    is_deleted: Callable[[str], bool] = lambda _: False
    find_address: Callable[[str], str | None] = lambda _: None
    fair_queue: FairQueue = msgspec.field(default_factory=FairQueue)
