"""What every request needs of the server, gathered in one place and found by the request."""

from __future__ import annotations

import msgspec
from starlette.requests import HTTPConnection

from acesaround.server.arrivals import LastSeen
from acesaround.server.codes import CodeAttempts
from acesaround.server.crowd import WebSocketLimits
from acesaround.server.identity import CookieSigner
from acesaround.server.limits import ChatRateLimiter, RequestRateLimiter
from acesaround.server.live import TableRegistry
from acesaround.server.metrics import Metrics
from acesaround.server.people import DeviceSessions
from acesaround.server.previews.gallery import ImageCache
from acesaround.server.records import RecordCache
from acesaround.server.settings import Settings
from acesaround.store import Store


class ServerContext(msgspec.Struct, frozen=True):
    """The parts of one running server."""

    settings: Settings
    identity: CookieSigner
    people: DeviceSessions
    guesses: CodeAttempts
    metrics: Metrics
    allowance: RequestRateLimiter
    drafting: RequestRateLimiter
    crowd: WebSocketLimits
    saying: ChatRateLimiter
    store: Store
    hub: TableRegistry
    records: RecordCache
    gallery: ImageCache
    arrivals: LastSeen


def context_of(connection: HTTPConnection) -> ServerContext:
    """The parts of the server that received a request or a WebSocket."""
    found = connection.app.state.parts
    assert isinstance(found, ServerContext)
    return found
