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
from acesaround.minds.beside import LocalPool, default_pool_size
from acesaround.minds.question import BotPool
from acesaround.server import devices, games, headers, http, own, pages, room
from acesaround.server.arrivals import LastSeen
from acesaround.server.codes import CodeAttempts
from acesaround.server.crowd import WebSocketLimits
from acesaround.server.door import ConnectionLimiter, ThrottledLog
from acesaround.server.headers import SafeHeaders
from acesaround.server.hosts import AllowedHosts, TrustedHostsMiddleware
from acesaround.server.identity import CookieSigner
from acesaround.server.keeper import run_retention
from acesaround.server.limits import ChatRateLimiter, RateLimited, RequestRateLimiter, TooLarge
from acesaround.server.live import TableRegistry
from acesaround.server.metrics import Metrics
from acesaround.server.neighbours import sync_with_peers
from acesaround.server.noticing import poll_admin_notices
from acesaround.server.parts import ServerContext, context_of
from acesaround.server.people import DeviceSessions
from acesaround.server.players import BotRunner
from acesaround.server.previews.gallery import ImageCache
from acesaround.server.pulse import measure_loop_lag
from acesaround.server.records import RecordCache
from acesaround.server.settings import Settings
from acesaround.server.sockets import table_websocket
from acesaround.server.thinkers import BotScheduler
from acesaround.server.visits import HEADER, RequestLogMiddleware
from acesaround.store import CorruptData, DatabaseUnavailable, Store

_ROUTES: Final[tuple[Route | WebSocketRoute, ...]] = (
    Route("/", http.index_page),
    Route("/preview.png", http.home_picture),
    Route("/t/{table}", http.table),
    Route("/w/{table}", http.table),
    Route("/r/{table}/{game}", games.replay_page),
    Route("/t/{table}/preview.png", http.table_picture),
    Route("/w/{table}/preview.png", http.table_picture),
    Route("/r/{table}/{game}/preview.png", games.picture),
    Route("/api/me", http.me),
    Route("/api/me", http.rename, methods=["POST"]),
    Route("/api/devices", devices.listed),
    Route("/api/devices/code", devices.create_code, methods=["POST"]),
    Route("/api/devices/look", devices.preview_code, methods=["POST"]),
    Route("/api/devices/take", devices.redeem_code, methods=["POST"]),
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
    Route("/api/mine", http.my_tables),
    Route("/api/mine", http.move_table, methods=["POST"]),
    Route("/api/tables/{table}/rules", games.rules),
    Route("/api/tables/{table}/invitation", games.invitation),
    Route("/api/tables/{table}/games", games.listed),
    Route("/api/tables/{table}/replay", games.get_replay),
    Route("/api/tables/{table}/why", games.why),
    Route("/api/tables/{table}/record.{form}", games.record),
    Route("/health", http.health),
    Route("/metrics", http.metrics),
    WebSocketRoute("/ws/{table}", table_websocket),
)


def create_app(settings: Settings) -> Starlette:
    """The server as an ASGI application. Its database is opened when it starts."""

    @contextlib.asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        store = await Store.open(settings.database_url)
        store.check_integrity()
        metrics = Metrics()
        thinkers = BotScheduler(make_bot_pool(settings))
        players = BotRunner(settings.bots, settings.programs, thinkers)
        store.committed = metrics.commit.observe
        hub = TableRegistry(
            store, settings.pace, metrics, players, settings.away, settings.heartbeat_seconds
        )
        identity = CookieSigner(settings.secret, secure=settings.secure)
        people = DeviceSessions(identity, store)
        allowance = RequestRateLimiter(
            settings.http_credits, settings.http_credit_seconds, settings.crowd
        )
        drafting = RequestRateLimiter(
            own.DRAFTS * settings.http_credits, settings.http_credit_seconds, settings.crowd
        )
        said = (settings.credits, settings.credit_seconds, settings.talk, settings.talk_seconds)
        space = room.current_capacity()
        records = RecordCache(store, hub.logs)
        app.state.parts = ServerContext(
            settings=settings,
            identity=identity,
            people=people,
            guesses=CodeAttempts(),
            metrics=metrics,
            allowance=allowance,
            drafting=drafting,
            crowd=WebSocketLimits(settings.each, settings.person_sockets, settings.lookers),
            saying=ChatRateLimiter(*said),
            store=store,
            hub=hub,
            records=records,
            gallery=ImageCache(records),
            arrivals=LastSeen(store),
        )
        beside = poll_admin_notices(store, hub, app.state.parts.records, identity)
        kept = run_retention(store, hub, metrics, settings.keep)
        try:
            async with (
                sync_with_peers(hub, store.channel()),
                people.poll_changes(),
                measure_loop_lag(metrics.lag),
                beside,
                kept,
            ):
                try:
                    if settings.prepare:
                        thinkers.prepare()
                    with bots.registered(settings.bots):
                        door = ConnectionLimiter(space, settings.each, settings.proxy, metrics)
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
                RequestLogMiddleware,
                proxy=settings.proxy,
                routes=_ROUTES,
                metrics=lambda scope: scope["app"].state.parts.metrics,
                access=settings.access,
            ),
            Middleware(SafeHeaders, public_url=settings.public_url),
            Middleware(
                TrustedHostsMiddleware, hosts=AllowedHosts(settings.public_url, settings.hosts)
            ),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={
            AcesAroundError: _refused,
            TooLarge: _too_large,
            RateLimited: _too_many,
            CorruptData: _damaged,
            DatabaseUnavailable: _unsaved,
            HTTPException: _http,
            ClientDisconnect: _gone,
            Exception: _broken,
        },
        lifespan=running,
    )


def make_bot_pool(settings: Settings) -> BotPool:
    """Where bots that search think. Raises RulesError where that cannot be."""
    if settings.think is None:
        return LocalPool(settings.thinkers or default_pool_size(), settings.thought)
    with extras.require_extra("A cluster", "cluster"):
        from acesaround.minds.afar import DaskPool
    return DaskPool(settings.think, settings.thought)


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
    return pages.message_response(request, str(error), status)


def _too_large(request: Request, error: Exception) -> Response:
    return pages.message_response(request, "That request is too large.", 413)


def _too_many(request: Request, error: Exception) -> Response:
    response = pages.message_response(request, str(error), 429)
    response.headers["retry-after"] = "60"
    return response


_NO_ANSWER: Final = ThrottledLog()


def _unsaved(request: Request, error: Exception) -> Response:
    why = str(error).replace("{", "(").replace("}", ")")
    _NO_ANSWER.say(f"requests for which the database had no answer: {{}}, now for {why}")
    return pages.message_response(
        request, "The database does not answer: nothing was changed. Try again soon.", 503
    )


def _damaged(request: Request, error: Exception) -> Response:
    return pages.message_response(
        request, "That is damaged in the database, and cannot be shown.", 500
    )


def _broken(request: Request, error: Exception) -> Response:
    """What nobody thought of. It is in the log, and this answer passes by no middleware."""
    named = request.scope["request_id"]
    response = pages.message_response(
        request, f"Something broke here: the server's log says what, under {named}.", 500
    )
    response.headers[HEADER] = named
    public_url = context_of(request).settings.public_url
    headers.add_security_headers(response.headers, request.headers.get("host", ""), public_url)
    return response


def _gone(request: Request, error: Exception) -> Response:
    return pages.message_response(
        request, "The request was not sent whole.", 400
    )  # which nobody hears


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    default = HTTPStatus(error.status_code).phrase
    sentence = error.detail if error.detail != default else f"{default}: {request.url.path}"
    response = pages.message_response(request, sentence, error.status_code)
    response.headers.update(error.headers or {})
    return response
