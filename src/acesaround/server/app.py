"""The ASGI application: routes, error responses, and the parts that live as long as the server."""

from __future__ import annotations

import contextlib
import logging
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
from acesaround.bots.pool.local import LocalPool, default_pool_size
from acesaround.bots.pool.request import BotPool
from acesaround.errors import AcesAroundError, NotationError
from acesaround.server.accounts.cookie import CookieSigner
from acesaround.server.accounts.last_seen import LastSeen
from acesaround.server.accounts.pairing_codes import CodeAttempts
from acesaround.server.accounts.sessions import DeviceSessions
from acesaround.server.background.retention import run_retention
from acesaround.server.bots.runner import BotRunner
from acesaround.server.bots.scheduler import BotScheduler
from acesaround.server.cluster.admin_notices import poll_admin_notices
from acesaround.server.cluster.peers import sync_with_peers
from acesaround.server.context import ServerContext, context_of
from acesaround.server.limits import capacity
from acesaround.server.limits.connections import ConnectionLimiter
from acesaround.server.limits.rates import (
    ChatRateLimiter,
    RateLimited,
    RequestRateLimiter,
    TooLarge,
)
from acesaround.server.limits.websockets import WebSocketLimits
from acesaround.server.live.live_table import TableRegistry
from acesaround.server.live.records_cache import RecordCache
from acesaround.server.live.state_collector import StateCollector
from acesaround.server.middleware import security_headers
from acesaround.server.middleware.request_log import HEADER, RequestLogMiddleware
from acesaround.server.middleware.security_headers import SafeHeaders
from acesaround.server.middleware.trusted_hosts import AllowedHosts, TrustedHostsMiddleware
from acesaround.server.observability.loop_lag import measure_loop_lag
from acesaround.server.observability.metrics import Metrics
from acesaround.server.routes import common, devices, games, rule_sheets
from acesaround.server.routes.link_preview import PICTURE
from acesaround.server.routes.table_websocket import table_websocket
from acesaround.server.settings import Settings
from acesaround.store import CorruptData, DatabaseUnavailable, Store

_LOG: Final = logging.getLogger(__name__)
_ROUTES: Final[tuple[Route | WebSocketRoute, ...]] = (
    Route("/", common.index_page),
    Route("/t/{table}", common.table),
    Route("/w/{table}", common.table),
    Route("/r/{table}/{game}", games.replay_page),
    Route("/api/me", common.me),
    Route("/api/me", common.rename, methods=["POST"]),
    Route("/api/devices", devices.listed),
    Route("/api/devices/code", devices.create_code, methods=["POST"]),
    Route("/api/devices/look", devices.preview_code, methods=["POST"]),
    Route("/api/devices/take", devices.redeem_code, methods=["POST"]),
    Route("/api/devices/out", devices.sign_out, methods=["POST"]),
    Route("/rules.json", common.all_rules),
    Route("/api/variants", common.all_variants),
    Route("/api/rules", common.rules),
    Route("/api/sheet", rule_sheets.blank),
    Route("/api/sheet", rule_sheets.check, methods=["POST"]),
    Route("/api/sheet/file", rule_sheets.opened, methods=["POST"]),
    Route("/api/own", rule_sheets.listed),
    Route("/api/own", rule_sheets.save, methods=["POST"]),
    Route("/api/own/delete", rule_sheets.delete, methods=["POST"]),
    Route("/api/bots", common.all_bots),
    Route("/api/tables", common.lobby),
    Route("/api/tables", common.open_table, methods=["POST"]),
    Route("/api/mine", common.my_tables),
    Route("/api/mine", common.move_table, methods=["POST"]),
    Route("/api/tables/{table}/rules", games.rules),
    Route("/api/tables/{table}/invitation", games.invitation),
    Route("/api/tables/{table}/games", games.listed),
    Route("/api/tables/{table}/replay", games.get_replay),
    Route("/api/tables/{table}/why", games.why),
    Route("/api/tables/{table}/record.{form}", games.record),
    Route("/health", common.health),
    Route("/metrics", common.metrics),
    WebSocketRoute("/ws/{table}", table_websocket),
)


def create_app(settings: Settings) -> Starlette:
    """Return the server as an ASGI application, which opens its database at startup."""

    @contextlib.asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        store = await Store.open(settings.database_url)
        store.check_integrity()
        metrics = Metrics()
        thinkers = BotScheduler(make_bot_pool(settings), metrics)
        players = BotRunner(settings.bots, settings.programs, thinkers)
        store.committed = metrics.commit_entries.observe
        hub = TableRegistry(
            store, settings.pace, metrics, players, settings.away, settings.heartbeat_seconds
        )
        identity = CookieSigner(settings.secret, secure=settings.secure)
        people = DeviceSessions(identity, store)
        allowance = RequestRateLimiter(
            settings.http_credits, settings.http_credit_seconds, settings.crowd
        )
        drafting = RequestRateLimiter(
            rule_sheets.DRAFTS * settings.http_credits, settings.http_credit_seconds, settings.crowd
        )
        said = (settings.credits, settings.credit_seconds, settings.talk, settings.talk_seconds)
        app.state.parts = ServerContext(
            settings=settings,
            identity=identity,
            people=people,
            guesses=CodeAttempts(),
            metrics=metrics,
            allowance=allowance,
            drafting=drafting,
            crowd=WebSocketLimits(
                settings.max_connections_per_address, settings.person_sockets, settings.lookers
            ),
            saying=ChatRateLimiter(*said),
            store=store,
            hub=hub,
            records=RecordCache(store, hub.logs),
            arrivals=LastSeen(store),
        )
        beside = poll_admin_notices(store, hub, app.state.parts.records, identity)
        kept = run_retention(store, hub, metrics, settings.retention)
        try:
            async with (
                sync_with_peers(hub, store.channel()),
                people.poll_changes(),
                measure_loop_lag(metrics.loop_lag_seconds),
                beside,
                kept,
            ):
                try:
                    if settings.prepare:
                        thinkers.prepare()
                    with bots.registered(settings.bots):
                        limiter = ConnectionLimiter(
                            capacity.current_capacity(),
                            settings.max_connections_per_address,
                            settings.trusted_proxies,
                            metrics,
                        )
                        metrics.registry.register(StateCollector(hub, limiter))
                        yield {"connections": limiter}
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
                proxy=settings.trusted_proxies,
                routes=_ROUTES,
                metrics=lambda scope: scope["app"].state.parts.metrics,
                access=settings.access_log,
            ),
            Middleware(SafeHeaders, public_url=settings.public_url),
            Middleware(
                TrustedHostsMiddleware,
                hosts=AllowedHosts(settings.public_url, settings.allowed_hosts),
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
    """Return the worker pool for search bots: local, or a Dask cluster if one is set.

    Raises RulesError if a package for the cluster is missing.
    """
    if settings.dask_scheduler is None:
        return LocalPool(settings.bot_workers or default_pool_size(), settings.thought)
    with extras.require_extra("A cluster", "cluster"):
        from acesaround.bots.pool.dask import DaskPool
    return DaskPool(settings.dask_scheduler, settings.thought)


class _Files:
    """The built static files. Browsers may keep files under /assets/, named by content hash."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = StaticFiles(directory=folder, check_dir=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":  # no WebSocket route has matched
            await send({"type": "websocket.close", "code": 1008})
            return
        if not self._folder.is_dir():  # nothing is built yet
            raise HTTPException(HTTPStatus.NOT_FOUND)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == HTTPStatus.OK:
                hashed = scope["path"].startswith("/assets/")
                kept = b"public, max-age=31536000, immutable" if hashed else b"no-cache"
                message["headers"] = [*message["headers"], (b"cache-control", kept)]
                if scope["path"] == PICTURE:  # sites where people post links may embed it
                    embed = b"cross-origin-resource-policy", b"cross-origin"
                    message["headers"].append(embed)
            await send(message)

        await self._files(scope, receive, sending)


def _refused(request: Request, error: Exception) -> Response:
    status = 400 if isinstance(error, NotationError) else 422
    return common.message_response(request, str(error), status)


def _too_large(request: Request, error: Exception) -> Response:
    return common.message_response(request, "That request is too large.", 413)


def _too_many(request: Request, error: Exception) -> Response:
    response = common.message_response(request, str(error), 429)
    response.headers["retry-after"] = "60"
    return response


def _unsaved(request: Request, error: Exception) -> Response:
    _LOG.warning("the database does not answer: %s", error)
    return common.message_response(
        request, "The database does not answer: nothing was changed. Try again soon.", 503
    )


def _damaged(request: Request, error: Exception) -> Response:
    return common.message_response(
        request, "That is damaged in the database, and cannot be shown.", 500
    )


def _broken(request: Request, error: Exception) -> Response:
    """Return the response to an unexpected error, which is in the log under the request id.

    This response bypasses all middleware, so its headers are added here.
    """
    named = request.scope["request_id"]
    response = common.message_response(
        request, f"Something broke here: the server's log says what, under {named}.", 500
    )
    response.headers[HEADER] = named
    public_url = context_of(request).settings.public_url
    security_headers.add_security_headers(
        response.headers, request.headers.get("host", ""), public_url
    )
    return response


def _gone(request: Request, error: Exception) -> Response:
    return common.message_response(
        request, "The request was not sent whole.", 400
    )  # never delivered, because the client has disconnected


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    default = HTTPStatus(error.status_code).phrase
    sentence = error.detail if error.detail != default else f"{default}: {request.url.path}"
    response = common.message_response(request, sentence, error.status_code)
    response.headers.update(error.headers or {})
    return response
