"""The server put together: routes, what an error becomes, and what lives as long as it runs."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from acesaround import bots, extras
from acesaround.errors import AcesAroundError, NotationError
from acesaround.minds.beside import Beside, spare
from acesaround.minds.question import Mind
from acesaround.server import devices, games, headers, http, own, pages, room
from acesaround.server.arrivals import Arrivals
from acesaround.server.codes import Guesses
from acesaround.server.crowd import Crowd
from acesaround.server.door import Door, Seldom
from acesaround.server.headers import SafeHeaders
from acesaround.server.hosts import Hosts, KnownHosts
from acesaround.server.identity import Identity
from acesaround.server.keeper import keeping
from acesaround.server.limits import Allowance, Saying, TooLarge, TooMany
from acesaround.server.live import Hub
from acesaround.server.metrics import Metrics
from acesaround.server.neighbours import listening
from acesaround.server.noticing import noticing
from acesaround.server.parts import Parts, parts
from acesaround.server.people import People
from acesaround.server.players import Players
from acesaround.server.previews.gallery import Gallery
from acesaround.server.pulse import beating
from acesaround.server.records import Records
from acesaround.server.settings import Settings
from acesaround.server.sockets import play
from acesaround.server.thinkers import Thinkers
from acesaround.server.visits import HEADER, Visits
from acesaround.store import Damaged, Store, Unsaved

_ROUTES: Final[tuple[Route | WebSocketRoute, ...]] = (
    Route("/", http.home),
    Route("/preview.png", http.home_picture),
    Route("/t/{table}", http.table),
    Route("/w/{table}", http.table),
    Route("/r/{table}/{game}", games.review),
    Route("/t/{table}/preview.png", http.table_picture),
    Route("/w/{table}/preview.png", http.table_picture),
    Route("/r/{table}/{game}/preview.png", games.picture),
    Route("/api/me", http.me),
    Route("/api/me", http.rename, methods=["POST"]),
    Route("/api/devices", devices.listed),
    Route("/api/devices/code", devices.offer, methods=["POST"]),
    Route("/api/devices/look", devices.look, methods=["POST"]),
    Route("/api/devices/take", devices.take, methods=["POST"]),
    Route("/api/devices/out", devices.sign_out, methods=["POST"]),
    Route("/rules.json", http.all_rules),
    Route("/api/variants", http.all_variants),
    Route("/api/rules", http.rules),
    Route("/api/sheet", own.blank),
    Route("/api/sheet", own.check, methods=["POST"]),
    Route("/api/sheet/file", own.opened, methods=["POST"]),
    Route("/api/own", own.listed),
    Route("/api/own", own.save, methods=["POST"]),
    Route("/api/own/delete", own.delete, methods=["POST"]),
    Route("/api/bots", http.all_bots),
    Route("/api/tables", http.lobby),
    Route("/api/tables", http.open_table, methods=["POST"]),
    Route("/api/mine", http.mine),
    Route("/api/mine", http.put, methods=["POST"]),
    Route("/api/tables/{table}/rules", games.rules),
    Route("/api/tables/{table}/invitation", games.invitation),
    Route("/api/tables/{table}/games", games.listed),
    Route("/api/tables/{table}/replay", games.replayed),
    Route("/api/tables/{table}/why", games.why),
    Route("/api/tables/{table}/record.{form}", games.record),
    Route("/health", http.health),
    Route("/metrics", http.metrics),
    WebSocketRoute("/ws/{table}", play),
)


def create_app(settings: Settings) -> Starlette:
    """The server as an ASGI application. Its database is opened when it starts."""

    @contextlib.asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        store = await Store.open(settings.database_url)
        store.examine()
        metrics = Metrics()
        thinkers = Thinkers(mind(settings))
        players = Players(settings.bots, settings.programs, thinkers)
        store.committed = metrics.commit.note
        hub = Hub(store, settings.pace, metrics, players, settings.away, settings.heartbeat_seconds)
        identity = Identity(settings.secret, secure=settings.secure)
        people = People(identity, store)
        allowance = Allowance(settings.http_credits, settings.http_credit_seconds, settings.crowd)
        drafting = Allowance(
            own.DRAFTS * settings.http_credits, settings.http_credit_seconds, settings.crowd
        )
        said = (settings.credits, settings.credit_seconds, settings.talk, settings.talk_seconds)
        space = room.there_is()
        records = Records(store, hub.logs)
        app.state.parts = Parts(
            settings=settings,
            identity=identity,
            people=people,
            guesses=Guesses(),
            metrics=metrics,
            allowance=allowance,
            drafting=drafting,
            crowd=Crowd(settings.each, settings.person_sockets, settings.lookers),
            saying=Saying(*said),
            store=store,
            hub=hub,
            records=records,
            gallery=Gallery(records),
            arrivals=Arrivals(store),
        )
        beside = noticing(store, hub, app.state.parts.records, identity)
        kept = keeping(store, hub, metrics, settings.keep)
        try:
            async with (
                listening(hub, store.channel()),
                people.looking(),
                beating(metrics.lag),
                beside,
                kept,
            ):
                try:
                    if settings.prepare:
                        thinkers.prepare()
                    with bots.also(settings.bots):
                        door = Door(space, settings.each, settings.proxy, metrics)
                        yield {"door": door}
                finally:
                    await hub.close()
                    await app.state.parts.records.close()
        finally:
            await store.close()

    return Starlette(
        routes=[*_ROUTES, Mount("/", _Files(settings.static))],
        middleware=[
            Middleware(
                Visits,
                proxy=settings.proxy,
                routes=_ROUTES,
                metrics=lambda scope: scope["app"].state.parts.metrics,
                access=settings.access,
            ),
            Middleware(SafeHeaders, public_url=settings.public_url),
            Middleware(KnownHosts, hosts=Hosts(settings.public_url, settings.hosts)),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={
            AcesAroundError: _refused,
            TooLarge: _too_large,
            TooMany: _too_many,
            Damaged: _damaged,
            Unsaved: _unsaved,
            HTTPException: _http,
            ClientDisconnect: _gone,
            Exception: _broken,
        },
        lifespan=running,
    )


def mind(settings: Settings) -> Mind:
    """Where bots that search think. Raises RulesError where that cannot be."""
    if settings.think is None:
        return Beside(settings.thinkers or spare(), settings.thought)
    with extras.needed("A cluster", "cluster"):
        from acesaround.minds.afar import Afar
    return Afar(settings.think, settings.thought)


class _Files:
    """The built files. Those under /assets/ have their content's hash in the name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = StaticFiles(directory=folder, check_dir=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":  # no table has that address
            await send({"type": "websocket.close", "code": 1008})
            return
        if not self._folder.is_dir():  # nothing is built yet
            raise HTTPException(HTTPStatus.NOT_FOUND)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == HTTPStatus.OK:
                hashed = scope["path"].startswith("/assets/")
                kept = b"public, max-age=31536000, immutable" if hashed else b"no-cache"
                message["headers"] = [*message["headers"], (b"cache-control", kept)]
            await send(message)

        await self._files(scope, receive, sending)


def _refused(request: Request, error: Exception) -> Response:
    status = 400 if isinstance(error, NotationError) else 422
    return pages.said(request, str(error), status)


def _too_large(request: Request, error: Exception) -> Response:
    return pages.said(request, "That request is too large.", 413)


def _too_many(request: Request, error: Exception) -> Response:
    response = pages.said(request, str(error), 429)
    response.headers["retry-after"] = "60"
    return response


_NO_ANSWER: Final = Seldom()


def _unsaved(request: Request, error: Exception) -> Response:
    why = str(error).replace("{", "(").replace("}", ")")
    _NO_ANSWER.say(f"requests for which the database had no answer: {{}}, now for {why}")
    return pages.said(
        request, "The database does not answer: nothing was changed. Try again soon.", 503
    )


def _damaged(request: Request, error: Exception) -> Response:
    return pages.said(request, "That is damaged in the database, and cannot be shown.", 500)


def _broken(request: Request, error: Exception) -> Response:
    """What nobody thought of. It is in the log, and this answer passes by no middleware."""
    named = request.scope["request_id"]
    response = pages.said(
        request, f"Something broke here: the server's log says what, under {named}.", 500
    )
    response.headers[HEADER] = named
    public_url = parts(request).settings.public_url
    headers.add(response.headers, request.headers.get("host", ""), public_url)
    return response


def _gone(request: Request, error: Exception) -> Response:
    return pages.said(request, "The request was not sent whole.", 400)  # which nobody hears


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    default = HTTPStatus(error.status_code).phrase
    sentence = error.detail if error.detail != default else f"{default}: {request.url.path}"
    response = pages.said(request, sentence, error.status_code)
    response.headers.update(error.headers or {})
    return response
