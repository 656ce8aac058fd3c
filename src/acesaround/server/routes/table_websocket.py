"""The WebSocket of one client at one table: it receives commands and sends states and refusals."""

from __future__ import annotations

import asyncio
import contextlib
import random
from time import perf_counter
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from acesaround.errors import NotationError
from acesaround.server.bots.scheduler import hint_bot_name
from acesaround.server.client import ENDED, TRY_LATER, TableClient
from acesaround.server.context import ServerContext, context_of
from acesaround.server.limits.rates import RateLimited, TokenBucket, same_origin
from acesaround.server.limits.websockets import TooManyConnections
from acesaround.server.live.live_table import LiveTable
from acesaround.store import CorruptData, DatabaseUnavailable
from acesaround.table import (
    Person,
    Refusal,
    Refused,
    decode_command,
    encode,
    handle_command,
    hint_message,
    question,
)
from acesaround.table.commands import Act, Hint, Talk
from acesaround.table.refusals import ENDED as SAYS

ABUSED: Final = 1008
TOO_LARGE: Final = 1009
NO_TABLE: Final = 4404
DAMAGED: Final = 4500


async def table_websocket(websocket: WebSocket) -> None:
    """Serve one WebSocket until it closes."""
    server = context_of(websocket)
    if not same_origin(websocket, server.settings.public_url):
        await websocket.close(ABUSED)  # not accepted yet, so the browser gets status 403
        return
    token = websocket.path_params["table"]
    address = None if websocket.client is None else websocket.client.host
    try:
        guest = await server.people.guest_or_none(websocket)
        with server.crowd.counted(address, None if guest is None else guest.id):
            link = await server.store.resolve_token(token)
            if link is None or link.kind == "replay":
                await _close(websocket, NO_TABLE, "There is no such table.")
                return
            await websocket.accept()
            # A watch link gives the spectators' view, so that its client has no person.
            plays = guest is not None and link.kind == "play"
            watcher = TableClient(
                guest.person if plays and guest else None,
                token,
                reads=websocket.query_params.get("reads") == "1",
            )
            async with (
                server.people.connected(guest, watcher),
                server.hub.acquire(link.table_id) as live,
            ):
                if live is not None and live.table.ended is not None:
                    await websocket.close(ENDED, SAYS[live.table.ended])
                elif live is None or not live.link_grants_access(watcher):
                    await websocket.close(NO_TABLE, "There is no such table any more.")
                else:
                    if live.table.seat_of(watcher.id) is None:
                        server.crowd.check_spectators(live.spectator_count)
                    if watcher.id is not None:
                        await server.arrivals.touch(watcher.id)
                    await _serve(websocket, server, live, watcher)
    except TooManyConnections as full:
        server.metrics.refusals.labels("full").inc()
        await _close(websocket, TRY_LATER, str(full))
    except CorruptData:
        await _close(websocket, DAMAGED, "The log of this table is damaged: it cannot be shown.")
    except DatabaseUnavailable:
        await _close(websocket, TRY_LATER, "The database does not answer.")


async def _close(websocket: WebSocket, code: int, why: str) -> None:
    """Close a socket. Accept it first if needed, or the browser gets no code and no reason."""
    if websocket.application_state is WebSocketState.CONNECTING:
        await websocket.accept()
    await websocket.close(code, why)


async def _serve(
    websocket: WebSocket, server: ServerContext, live: LiveTable, watcher: TableClient
) -> None:
    server.metrics.websockets.inc()
    sender = asyncio.create_task(_send(websocket, server, watcher))
    try:
        await live.join(watcher, _seq(websocket))
        code = await _receive(websocket, server, live, watcher)
    finally:
        server.metrics.websockets.dec()
        live.leave(watcher)
        sender.cancel()
        await asyncio.wait([sender])
    if code is not None and websocket.application_state is WebSocketState.CONNECTED:
        with contextlib.suppress(WebSocketDisconnect):
            await websocket.close(code)


def _seq(websocket: WebSocket) -> int | None:
    """Return the last entry that the browser has seen, or None without a plausible number."""
    said = websocket.query_params.get("seq", "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else None


async def _send(websocket: WebSocket, server: ServerContext, watcher: TableClient) -> None:
    """Send the queued messages in order, then close the socket."""
    with contextlib.suppress(WebSocketDisconnect):
        while (message := await watcher.queue.get()) is not None:
            await websocket.send_text(message.decode())
            server.metrics.messages_sent.inc()
        await websocket.close(watcher.code, watcher.why)


async def _receive(
    websocket: WebSocket, server: ServerContext, live: LiveTable, watcher: TableClient
) -> int | None:
    """Handle messages until the socket ends. Return the code to close it with, None if closed."""
    settings = server.settings
    credits = TokenBucket(settings.credits, settings.credit_seconds)
    while True:
        received = await websocket.receive()
        if received["type"] == "websocket.disconnect" or watcher.closed:
            return None
        message = received.get("bytes") or (received.get("text") or "").encode()
        server.metrics.messages_received.inc()
        if len(message) > settings.message_bytes:
            return TOO_LARGE
        try:
            if not credits.spend():
                if credits.is_flooding:
                    return ABUSED
                raise Refused("rate", "Too many messages: wait a little.")
            await _answer(server, live, watcher, message)
        except Refused as refusal:
            server.metrics.refusals.labels(refusal.code).inc()
            watcher.send(encode(Refusal(refusal.code, str(refusal), live.table.seq)))


async def _answer(
    server: ServerContext, live: LiveTable, watcher: TableClient, message: bytes
) -> None:
    """Execute the command in a message. Raises Refused."""
    try:
        command = decode_command(message)
    except NotationError as error:
        raise Refused("malformed", str(error)) from None
    if watcher.person is None:
        raise Refused("seat", "You can only look on, by this link or for want of a valid cookie.")
    person = watcher.person
    try:
        if not isinstance(command, Act | Hint):  # turns limit actions, the scheduler limits hints
            server.saying.spend(person.id, live.id, talk=isinstance(command, Talk))
        if isinstance(command, Hint):
            watcher.send(await _hint(server, live, person))
        else:
            began = perf_counter()
            await live.command(person, command)
            if isinstance(command, Act):
                server.metrics.action_seconds.observe(perf_counter() - began)
    except RateLimited as error:
        raise Refused("rate", str(error)) from None


async def _hint(server: ServerContext, live: LiveTable, person: Person) -> bytes:
    table, chance = live.table, random.Random(f"{live.id}:{live.table.seq}")
    handle_command(table, person, Hint(), chance)
    seat = table.seat_of(person.id)
    assert seat is not None  # `handle_command` refuses a hint without a seat
    asked = question(table, seat, hint_bot_name(table.rules), chance.getrandbits(62))
    assert asked is not None  # `handle_command` refuses a hint out of turn
    found = await server.hub.players.thinkers.answer(person.id, asked)
    return encode(hint_message(table.seq, seat, asked.view, found))
