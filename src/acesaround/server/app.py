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

from acesaround import bots, optional_dependencies
from acesaround.bots.pool.local import LocalPool, default_pool_size
from acesaround.bots.pool.request import BotPool
from acesaround.errors import AcesAroundError, ContradictionError, NotationError
from acesaround.server.accounts.cookie import CookieSigner
from acesaround.server.accounts.last_seen import LastSeen
from acesaround.server.accounts.pairing_codes import LIFETIME_SECONDS
from acesaround.server.accounts.sessions import DeviceSessions
from acesaround.server.background.retention import run_retention
from acesaround.server.bots.dispatch import BotDispatcher
from acesaround.server.bots.scheduler import BotScheduler
from acesaround.server.cluster.admin_notices import poll_admin_notices
from acesaround.server.cluster.peers import sync_with_peers
from acesaround.server.context import ServerContext, context_of
from acesaround.server.limits import capacity
from acesaround.server.limits.body_size import TooLarge
from acesaround.server.limits.connections import ConnectionLimiter
from acesaround.server.limits.fair_queue import FairQueue
from acesaround.server.limits.open_websockets import WebSocketLimits
from acesaround.server.limits.pairing_attempts import PairingAttempts
from acesaround.server.limits.rate_limiters import (
    CommandRateLimiter,
    JoinRateLimiter,
    RateLimited,
    RequestRateLimiter,
    ServerStopping,
)
from acesaround.server.live.game_record_cache import RecordCache
from acesaround.server.live.gauges import GaugeCollector
from acesaround.server.live.review_jobs import ReviewJobs
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.middleware import security_headers
from acesaround.server.middleware.concurrent_request_limit import ConcurrentRequestLimitMiddleware
from acesaround.server.middleware.request_log import REQUEST_ID_HEADER, RequestLogMiddleware
from acesaround.server.middleware.security_headers import SecurityHeadersMiddleware
from acesaround.server.middleware.trusted_hosts import AllowedHosts, TrustedHostsMiddleware
from acesaround.server.observability.loop_lag import measure_loop_lag
from acesaround.server.observability.metrics import Metrics
from acesaround.server.routes import (
    app_pages,
    devices,
    games,
    health,
    lessons,
    lobby,
    person_results,
    practice,
    profiles,
    rule_sheets,
    tables,
    variants,
)
from acesaround.server.routes.http_messages import ErrorAnswer
from acesaround.server.routes.link_preview import PICTURE
from acesaround.server.routes.responses import fault_answers, json_response, message_response
from acesaround.server.routes.reviews import encode_review, get_review, start_review
from acesaround.server.routes.table_websocket import table_websocket
from acesaround.server.settings import Settings
from acesaround.store import CorruptData, DatabaseUnavailable, Store

_LOG: Final = logging.getLogger(__name__)
_PEOPLE_PER_ADDRESS: Final = 3
"""The limit on changes of an address as a multiple of the limit of one guest."""
_ROUTES: Final[tuple[Route | WebSocketRoute, ...]] = (
    Route("/", app_pages.index_page),
    Route("/practice", app_pages.index_page),
    Route("/t/{table}", app_pages.table),
    Route("/w/{table}", app_pages.table),
    Route("/r/{table}/{game}", games.replay_page),
    Route("/api/me", profiles.me),
    Route("/api/me", profiles.rename, methods=["POST"]),
    Route("/api/devices", devices.list_devices),
    Route("/api/devices/code", devices.create_code, methods=["POST"]),
    Route("/api/devices/look", devices.preview_code, methods=["POST"]),
    Route("/api/devices/take", devices.redeem_code, methods=["POST"]),
    Route("/api/devices/out", devices.sign_out, methods=["POST"]),
    Route("/rules.json", variants.all_rules),
    Route("/api/variants", variants.all_variants),
    Route("/api/rules", variants.rules),
    Route("/api/sheet", rule_sheets.blank_form),
    Route("/api/sheet", rule_sheets.check_draft, methods=["POST"]),
    Route("/api/sheet/file", rule_sheets.open_file, methods=["POST"]),
    Route("/api/own", rule_sheets.list_sheets),
    Route("/api/own", rule_sheets.save_sheet, methods=["POST"]),
    Route("/api/own/delete", rule_sheets.delete_sheet, methods=["POST"]),
    Route("/api/bots", variants.all_bots),
    Route("/api/tables", lobby.lobby),
    Route("/api/tables", tables.open_table, methods=["POST"]),
    Route("/api/lessons", lessons.list_lessons),
    Route("/api/lessons", lessons.open_lesson_table, methods=["POST"]),
    Route("/api/mine", tables.my_tables),
    Route("/api/mine", tables.move_table, methods=["POST"]),
    Route("/api/mine/results", person_results.own_results),
    Route("/api/tables/{table}/rules", games.table_rules),
    Route("/api/tables/{table}/invitation", games.invitation),
    Route("/api/tables/{table}/games", games.list_games),
    Route("/api/tables/{table}/replay", games.get_replay),
    Route("/api/tables/{table}/why", games.explain_step),
    Route("/api/tables/{table}/review", get_review),
    Route("/api/tables/{table}/review", start_review, methods=["POST"]),
    Route("/api/tables/{table}/review/again", practice.retry_position),
    Route("/api/tables/{table}/review/again", practice.answer_retry, methods=["POST"]),
    Route("/api/practice", practice.next_position),
    Route("/api/practice", practice.answer_position, methods=["POST"]),
    Route("/api/tables/{table}/record.{form}", games.record),
    Route("/health", health.health),
    Route("/metrics", health.metrics),
    WebSocketRoute("/ws/{table}", table_websocket),
)


def create_app(settings: Settings) -> Starlette:
    """Return the server as an ASGI application, which opens its database at startup."""
    fair_queue = FairQueue()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        store = await Store.open(settings.database_url, settings.database_timeouts)
        store.check_integrity()
        metrics = Metrics()
        scheduler = BotScheduler(make_bot_pool(settings), metrics)
        bot_dispatcher = BotDispatcher(settings.bot_programs, settings.max_bot_programs, scheduler)
        store.on_commit = metrics.append_batch_entries.observe
        registry = TableRegistry(
            store,
            settings.bot_delays,
            metrics,
            bot_dispatcher,
            settings.away_seconds,
            settings.heartbeat_seconds,
            settings.max_lobby_seats,
            settings.ping_seconds,
            settings.answer_seconds,
        )
        cookie_signer = CookieSigner(settings.secret, secure=settings.is_https)
        registry.services.is_deleted = cookie_signer.is_deleted
        registry.services.fair_queue = fair_queue
        sessions = DeviceSessions(cookie_signer, store)
        registry.services.find_address = sessions.last_address
        bot_dispatcher.quick_executor.find_address = sessions.last_address
        records = RecordCache(store, registry.services.log_reader)
        reviews = ReviewJobs(store, scheduler, encode_review)
        executors = scheduler.executor, records.executor
        for executor in executors:
            executor.find_address = sessions.last_address
            executor.has_played = sessions.has_played
        creation_limiter = RequestRateLimiter(
            settings.max_creations_per_guest,
            settings.creation_window_seconds,
            settings.creation_limit_address_factor,
        )
        draft_limiter = RequestRateLimiter(
            rule_sheets.DRAFTS_PER_TABLE * settings.max_creations_per_guest,
            settings.creation_window_seconds,
            settings.creation_limit_address_factor,
        )
        change_limiter = RequestRateLimiter(
            settings.max_writes_per_guest, settings.rate_window_seconds, _PEOPLE_PER_ADDRESS
        )
        chat_limits = (
            settings.max_messages_per_websocket,
            settings.rate_window_seconds,
            settings.max_chat_lines,
            settings.chat_window_seconds,
        )
        connections = ConnectionLimiter(
            capacity.current_capacity(),
            settings.max_connections_per_address,
            settings.trusted_proxies,
            metrics,
        )
        app.state.server_context = ServerContext(
            settings=settings,
            cookie_signer=cookie_signer,
            sessions=sessions,
            pairing_attempts=PairingAttempts(LIFETIME_SECONDS),
            metrics=metrics,
            creation_limiter=creation_limiter,
            draft_limiter=draft_limiter,
            change_limiter=change_limiter,
            connections=connections,
            fair_queue=fair_queue,
            websocket_limits=WebSocketLimits(
                settings.max_connections_per_address, settings.max_websockets_per_person
            ),
            command_limiter=CommandRateLimiter(*chat_limits),
            join_limiter=JoinRateLimiter(
                settings.max_joins_per_address, settings.rate_window_seconds
            ),
            store=store,
            registry=registry,
            records=records,
            last_seen=LastSeen(store),
            reviews=reviews,
        )
        notice_polling = poll_admin_notices(store, registry, records, cookie_signer)
        retention_task = run_retention(store, registry, metrics, settings.retention)
        try:
            async with (
                sync_with_peers(registry, store.notification_channel()),
                sessions.poll_changes(),
                measure_loop_lag(metrics.loop_lag_seconds),
                notice_polling,
                retention_task,
            ):
                try:
                    if settings.start_bots_early:
                        scheduler.prepare()
                    with bots.register_programs(settings.bot_programs):
                        metrics.registry.register(GaugeCollector(registry, connections))
                        yield {
                            "connections": connections,
                            "executors": executors,
                            "fair_queue": fair_queue,
                        }
                finally:
                    await reviews.close()
                    await registry.close()
                    await records.close()
        finally:
            await store.close()

    return Starlette(
        routes=[*_ROUTES, Mount("/", _StaticAssets(settings.static_folder))],
        middleware=[
            Middleware(
                RequestLogMiddleware,
                trusted_proxies=settings.trusted_proxies,
                routes=_ROUTES,
                find_metrics=lambda scope: scope["app"].state.server_context.metrics,
                log_access=settings.access_log,
            ),
            Middleware(ConcurrentRequestLimitMiddleware, fair_queue=fair_queue),
            Middleware(SecurityHeadersMiddleware, public_url=settings.public_url),
            Middleware(
                TrustedHostsMiddleware,
                hosts=AllowedHosts(settings.public_url, settings.allowed_hosts),
            ),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={
            AcesAroundError: _refusal_response,
            TooLarge: _too_large_response,
            RateLimited: _rate_limited_response,
            ServerStopping: _stopping_response,
            CorruptData: _corrupt_response,
            DatabaseUnavailable: _unavailable_response,
            HTTPException: _http_error_response,
            ClientDisconnect: _disconnected_response,
            Exception: _server_error_response,
        },
        lifespan=lifespan,
    )


def make_bot_pool(settings: Settings) -> BotPool:
    """Return the worker pool for search bots: local, or a Dask cluster if one is set.

    Raises RulesError if a package for the cluster is missing.
    """
    if settings.dask_scheduler is None:
        return LocalPool(settings.bot_workers or default_pool_size(), settings.max_bot_seconds)
    with optional_dependencies.require_extra("A cluster", "cluster"):
        from acesaround.bots.pool.dask import DaskPool
    return DaskPool(settings.dask_scheduler, settings.max_bot_seconds)


class _StaticAssets:
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

        async def send_with_caching(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    header for header in message["headers"] if header[0] != b"accept-ranges"
                ]
            if message["type"] == "http.response.start" and message["status"] == HTTPStatus.OK:
                hashed = scope["path"].startswith("/assets/")
                kept = b"public, max-age=31536000, immutable" if hashed else b"no-cache"
                message["headers"] = [*message["headers"], (b"cache-control", kept)]
                if scope["path"] == PICTURE:  # sites where people post links may embed it
                    embed = b"cross-origin-resource-policy", b"cross-origin"
                    message["headers"].append(embed)
            await send(message)

        # A part of a small file is never needed, and a hundred parts take thirty milliseconds.
        headers = [header for header in scope["headers"] if header[0] != b"range"]
        await self._files({**scope, "headers": headers}, receive, send_with_caching)


def _refusal_response(request: Request, error: Exception) -> Response:
    if isinstance(error, ContradictionError):
        answer = ErrorAnswer(str(error), fault_answers(error.faults))
        return json_response(answer, 422)
    status = 400 if isinstance(error, NotationError) else 422
    return message_response(request, str(error), status)


def _too_large_response(request: Request, error: Exception) -> Response:
    return message_response(request, "The request is too large.", 413)


def _rate_limited_response(request: Request, error: Exception) -> Response:
    response = message_response(request, str(error), 429)
    response.headers["retry-after"] = "60"
    return response


def _stopping_response(request: Request, error: Exception) -> Response:
    return message_response(request, str(error), 503)


def _unavailable_response(request: Request, error: Exception) -> Response:
    _LOG.warning("the database does not answer: %s", error)
    return message_response(
        request, "The database does not answer, so nothing was changed: try again soon.", 503
    )


def _corrupt_response(request: Request, error: Exception) -> Response:
    return message_response(
        request, "This is damaged in the database: the server cannot show it.", 500
    )


def _server_error_response(request: Request, error: Exception) -> Response:
    """Return the response to an unexpected error, which is in the log under the request id.

    This response bypasses all middleware, so its headers are added here.
    """
    request_id = request.scope["request_id"]
    response = message_response(
        request, f"The server failed: its log names the error under {request_id}.", 500
    )
    response.headers[REQUEST_ID_HEADER] = request_id
    public_url = context_of(request).settings.public_url
    security_headers.add_security_headers(
        response.headers, request.headers.get("host", ""), public_url
    )
    return response


def _disconnected_response(request: Request, error: Exception) -> Response:
    return message_response(
        request, "The request was incomplete.", 400
    )  # never delivered, because the client has disconnected


def _http_error_response(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    default = HTTPStatus(error.status_code).phrase
    sentence = error.detail if error.detail != default else f"{default}: {request.url.path}"
    response = message_response(request, sentence, error.status_code)
    response.headers.update(error.headers or {})
    return response
