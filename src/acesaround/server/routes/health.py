"""The health of the server, and its metrics."""

from __future__ import annotations

from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import Response

from acesaround.server.context import context_of
from acesaround.server.routes.http_messages import (
    Health,
)
from acesaround.server.routes.responses import json_response
from acesaround.store import DatabaseUnavailable


async def health(request: Request) -> Response:
    """Return the health of the server: whether the database answers, and known damage in it.

    A damaged database still counts as healthy, because the sound tables are served and a restart
    would repair nothing.
    """
    store = context_of(request).store
    try:
        await store.ping()
    except DatabaseUnavailable:
        return json_response(Health(False, "The database does not answer."), 503)
    return json_response(Health(True, damaged=store.damage))


async def metrics(request: Request) -> Response:
    """Return the metrics of this process in the format that Prometheus asks for."""
    encode, media_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(context_of(request).metrics.registry), media_type=media_type)
