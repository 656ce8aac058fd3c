"""What every request needs of the server, gathered in one place and found by the request."""

from __future__ import annotations

import msgspec
from starlette.requests import HTTPConnection

from acesaround.server.arrivals import Arrivals
from acesaround.server.codes import Guesses
from acesaround.server.crowd import Crowd
from acesaround.server.identity import Identity
from acesaround.server.limits import Allowance, Saying
from acesaround.server.live import Hub
from acesaround.server.metrics import Metrics
from acesaround.server.people import People
from acesaround.server.previews.gallery import Gallery
from acesaround.server.records import Records
from acesaround.server.settings import Settings
from acesaround.store import Store


class Parts(msgspec.Struct, frozen=True):
    """The parts of one running server."""

    settings: Settings
    identity: Identity
    people: People
    guesses: Guesses
    metrics: Metrics
    allowance: Allowance
    drafting: Allowance
    crowd: Crowd
    saying: Saying
    store: Store
    hub: Hub
    records: Records
    gallery: Gallery
    arrivals: Arrivals


def parts(connection: HTTPConnection) -> Parts:
    """The parts of the server that received a request or a WebSocket."""
    found = connection.app.state.parts
    assert isinstance(found, Parts)
    return found
