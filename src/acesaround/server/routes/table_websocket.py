"""The WebSocket of one client at one table: it receives commands and sends states and refusals."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Iterator
from time import perf_counter
from typing import Final

from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from acesaround.errors import NotationError
from acesaround.server.bots.scheduler import HINT_NOT_READY, hint_bot_name
from acesaround.server.context import ServerContext, context_of
from acesaround.server.limits.client_addresses import rate_limit_keys
from acesaround.server.limits.connections import FULL
from acesaround.server.limits.open_websockets import TooManyConnections
from acesaround.server.limits.rate_limiters import MessageRateLimiter, RateLimited
from acesaround.server.limits.same_origin import is_same_origin
from acesaround.server.limits.seat_priority import check_websocket_slot
from acesaround.server.live.live_table import LiveTable
from acesaround.server.table_client import (
    CLOSED_BY_OPERATOR,
    CONNECTION_EXTENSION,
    DAMAGED_CODE,
    DAMAGED_SENTENCE,
    TRY_LATER,
    TableClient,
)
from acesaround.store import CorruptData, DatabaseUnavailable
from acesaround.table import (
    CommandRefused,
    Person,
    Pong,
    RefusalMessage,
    bot_request,
    decode_command,
    encode,
    handle_command,
    hint_message,
)
from acesaround.table.command_refusals import ENDED_SENTENCES as SAYS
from acesaround.table.commands import Act, Command, Ping, RequestHint, SendChat

_LOG: Final = logging.getLogger(__name__)
ABUSE_CODE: Final = 1008
TOO_LARGE_CODE: Final = 1009
NO_TABLE_CODE: Final = 4404


async def table_websocket(websocket: WebSocket) -> None:
    """Serve one WebSocket until it closes."""
    server = context_of(websocket)
    if not is_same_origin(websocket, server.settings.public_url):
        await websocket.close(ABUSE_CODE)  # not accepted yet, so the browser gets status 403
        return
    token = websocket.path_params["table"]
    address = None if websocket.client is None else websocket.client.host
    try:
        guest = await server.sessions.find_guest(websocket)
        with server.websocket_limits.count_open(address, None if guest is None else guest.id):
            link = await server.store.resolve_token(token)
            if link is None or link.kind == "replay":
                await _refuse(websocket, NO_TABLE_CODE, "There is no such table.")
                return
            if not server.join_limiter.spend_join(address):
                raise TooManyConnections(
                    "Your address has opened tables too often: wait a little and try again."
                )
            # A watch link gives the spectators' view, so that its client has no person.
            may_play = guest is not None and link.kind == "play"
            client = TableClient(
                guest.person if may_play and guest else None,
                token,
                address=next(iter(rate_limit_keys(address)), None),
                reads_results=websocket.query_params.get("reads") == "1",
                connection=websocket.scope.get("extensions", {}).get(CONNECTION_EXTENSION),
            )
            async with (
                server.sessions.register_client(guest, client),
                server.registry.acquire(link.table_id) as live,
            ):
                if live is not None and live.table.ended is not None:
                    await _refuse(websocket, CLOSED_BY_OPERATOR, SAYS[live.table.ended])
                elif live is None or not live.link_grants_access(client):
                    await _refuse(websocket, NO_TABLE_CODE, "This table no longer exists.")
                else:
                    await _check_seat_priority(server, live, client)
                    await websocket.accept()
                    if client.person_id is not None:
                        await server.last_seen.touch(client.person_id)
                    await _serve_client(websocket, server, live, client)
    except TooManyConnections as error:
        server.metrics.refusals.labels("full").inc()
        _LOG.warning("WebSocket refused: %s", error)
        await _refuse(websocket, TRY_LATER, str(error))
    except CorruptData:
        await _refuse(websocket, DAMAGED_CODE, DAMAGED_SENTENCE)
    except DatabaseUnavailable:
        await _refuse(websocket, TRY_LATER, "The database does not answer.")


async def _check_seat_priority(server: ServerContext, live: LiveTable, client: TableClient) -> None:
    """Raise TooManyConnections if process or table prefer other clients (see `seat_priority`).

    For a client without a seat, another spectator may be closed.
    """
    person = client.person_id
    is_seated = person is not None and live.table.seat_of(person) is not None

    async def has_played() -> bool:
        return person is not None and await server.sessions.has_played(person)

    await check_websocket_slot(server.connections, is_seated=is_seated, has_played=has_played)
    if not is_seated and not live.admit_spectator(client, server.settings.max_spectators_per_table):
        raise TooManyConnections("This table has too many spectators: try again later.")


async def _refuse(websocket: WebSocket, code: int, reason: str) -> None:
    """Close a socket. Accept it first if needed, or the browser gets no code and no reason.

    A closing handshake may take seconds. If the socket would meanwhile hold a slot that is reserved
    for people with a seat, answer with status 503 and close at once.
    """
    is_new = websocket.application_state is WebSocketState.CONNECTING
    if is_new and context_of(websocket).connections.is_seat_reserve_in_use:
        response = PlainTextResponse(FULL.sentence, FULL.status, {"retry-after": "60"})
        await websocket.send_denial_response(response)
        return
    if is_new:
        await websocket.accept()
    await websocket.close(code, reason)


async def _serve_client(
    websocket: WebSocket, server: ServerContext, live: LiveTable, client: TableClient
) -> None:
    server.metrics.websockets.inc()
    sender = asyncio.create_task(_send_queued(websocket, server, client))
    try:
        await live.join(client, _missed_since(websocket, server, live))
        code = await _receive_commands(websocket, server, live, client)
    finally:
        server.metrics.websockets.dec()
        live.leave(client)
        sender.cancel()
        await asyncio.wait([sender])
    if code is not None and websocket.application_state is WebSocketState.CONNECTED:
        with contextlib.suppress(WebSocketDisconnect):
            await websocket.close(code, client.close_reason)


def _missed_since(websocket: WebSocket, server: ServerContext, live: LiveTable) -> int | None:
    """Return the last entry that the browser has seen, or None if it may not have the next ones.

    A browser that reconnects too often gets the current state only.
    """
    seq = _last_seen_seq(websocket)
    address = None if websocket.client is None else websocket.client.host
    is_allowed = server.join_limiter.spend_missed_steps(address, live.missed_step_count(seq))
    return seq if is_allowed else None


def _last_seen_seq(websocket: WebSocket) -> int | None:
    """Return the last entry that the browser has seen, or None without a plausible number."""
    text = websocket.query_params.get("seq", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


async def _send_queued(websocket: WebSocket, server: ServerContext, client: TableClient) -> None:
    """Send the queued messages in order, then close the socket."""
    with contextlib.suppress(WebSocketDisconnect):
        while (message := await client.queue.get()) is not None:
            await websocket.send_text(message.decode())
            server.metrics.messages_sent.inc()
        await websocket.close(client.close_code, client.close_reason)


async def _receive_commands(
    websocket: WebSocket, server: ServerContext, live: LiveTable, client: TableClient
) -> int | None:
    """Handle messages until the socket ends. Return the code to close it with, None if closed."""
    settings = server.settings
    address = None if websocket.client is None else websocket.client.host
    message_limiter = MessageRateLimiter(
        settings.max_messages_per_websocket, settings.rate_window_seconds
    )
    hint_task: asyncio.Task[None] | None = None
    try:
        while True:
            received = await websocket.receive()
            if received["type"] == "websocket.disconnect":
                return None
            if client.is_closed:  # the sender may not have told it yet
                return client.close_code
            await server.fair_queue.wait(address)
            message = received.get("bytes") or (received.get("text") or "").encode()
            server.metrics.messages_received.inc()
            if len(message) > settings.max_message_bytes:
                return TOO_LARGE_CODE
            with _refusals_sent(server, live, client):
                message_limiter.spend()
                command = _decode(message)
                if isinstance(command, Ping):
                    client.send(encode(Pong()))
                    continue
                person = _person_of(client)
                if not isinstance(command, RequestHint):
                    await _execute(server, live, person, address, command)
                elif hint_task is None or hint_task.done():
                    hint_task = asyncio.create_task(_send_hint(server, live, client, person))
                else:
                    raise RateLimited(HINT_NOT_READY)
            if message_limiter.is_flooding:
                return ABUSE_CODE
    finally:
        if hint_task is not None:
            hint_task.cancel()
            await asyncio.wait([hint_task])


@contextlib.contextmanager
def _refusals_sent(server: ServerContext, live: LiveTable, client: TableClient) -> Iterator[None]:
    """Send the client the refusal with which the `with` block ends."""
    try:
        yield
    except (CommandRefused, RateLimited) as refusal:
        code = refusal.code if isinstance(refusal, CommandRefused) else "rate"
        server.metrics.refusals.labels(code).inc()
        client.send(encode(RefusalMessage(code, str(refusal), live.table.seq)))


def _decode(message: bytes) -> Command | Ping:
    """Return the command in a message. Raises CommandRefused."""
    try:
        return decode_command(message)
    except NotationError as error:
        raise CommandRefused("malformed", str(error)) from None


def _person_of(client: TableClient) -> Person:
    """Return the person who sends commands. Raises CommandRefused for a spectator."""
    if client.person is None:
        raise CommandRefused(
            "seat", "You can only watch: this link does not seat you, or you have no valid cookie."
        )
    return client.person


async def _execute(
    server: ServerContext, live: LiveTable, person: Person, address: str | None, command: Command
) -> None:
    """Execute a command other than a hint. Raises CommandRefused and RateLimited."""
    if not isinstance(command, Act):  # actions are limited by turns in the game
        server.command_limiter.spend(
            person.id,
            live.id,
            address=address,
            spectators=live.spectator_count,
            is_chat=isinstance(command, SendChat),
        )
    started_at = perf_counter()
    await live.handle_command(person, command)
    if isinstance(command, Act):
        server.metrics.action_seconds.observe(perf_counter() - started_at)


async def _send_hint(
    server: ServerContext, live: LiveTable, client: TableClient, person: Person
) -> None:
    """Send a client the hint that its person asked for, or why there is none.

    This runs beside the socket's other commands.
    """
    with _refusals_sent(server, live, client):
        client.send(await _hint_reply(server, live, person))


async def _hint_reply(server: ServerContext, live: LiveTable, person: Person) -> bytes:
    table, rng = live.table, random.Random(f"{live.id}:{live.table.seq}")
    handle_command(table, person, RequestHint(), rng)
    seat = table.seat_of(person.id)
    assert seat is not None  # `handle_command` refuses a hint without a seat
    request = bot_request(table, seat, hint_bot_name(table.rules), rng.getrandbits(62))
    assert request is not None  # `handle_command` refuses a hint out of turn
    scheduler = server.registry.services.bot_dispatcher.scheduler
    advice = await scheduler.answer_one_at_a_time(person.id, request)
    return encode(hint_message(table.seq, seat, request.view, advice))
