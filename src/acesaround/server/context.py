"""The parts of the server that requests need, and how a request finds them."""

from __future__ import annotations

import msgspec
from starlette.requests import HTTPConnection

from acesaround.server.accounts.cookie import CookieSigner
from acesaround.server.accounts.last_seen import LastSeen
from acesaround.server.accounts.sessions import DeviceSessions
from acesaround.server.limits.connections import ConnectionLimiter
from acesaround.server.limits.fair_queue import FairQueue
from acesaround.server.limits.open_websockets import WebSocketLimits
from acesaround.server.limits.pairing_attempts import PairingAttempts
from acesaround.server.limits.rate_limiters import (
    CommandRateLimiter,
    JoinRateLimiter,
    RequestRateLimiter,
)
from acesaround.server.live.game_record_cache import RecordCache
from acesaround.server.live.review_jobs import ReviewJobs
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import Settings
from acesaround.store import Store


class ServerContext(msgspec.Struct, frozen=True):
    """The parts of one running server."""

    settings: Settings
    cookie_signer: CookieSigner
    sessions: DeviceSessions
    pairing_attempts: PairingAttempts
    metrics: Metrics
    creation_limiter: RequestRateLimiter
    draft_limiter: RequestRateLimiter
    change_limiter: RequestRateLimiter
    connections: ConnectionLimiter
    fair_queue: FairQueue
    websocket_limits: WebSocketLimits
    command_limiter: CommandRateLimiter
    join_limiter: JoinRateLimiter
    store: Store
    registry: TableRegistry
    records: RecordCache
    last_seen: LastSeen
    reviews: ReviewJobs


def context_of(connection: HTTPConnection) -> ServerContext:
    """Return the parts of the server that received a request or a WebSocket."""
    found = connection.app.state.server_context
    assert isinstance(found, ServerContext)
    return found
