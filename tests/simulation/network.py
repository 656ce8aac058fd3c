"""The network between clients and servers: latency, stalls, lost connections and silent ones.

A connection carries its messages in order, as TCP does, or it ends. Messages of different
connections overtake each other. The server's side of a connection speaks ASGI. Clients answer pings
by themselves, as browsers do.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

from acesaround.server.table_client import CONNECTION_EXTENSION
from tests.simulation.loop import OUTSIDE

if TYPE_CHECKING:
    from tests.simulation.server import SimulatedServer
    from tests.simulation.world import World

_BUFFER_BYTES: Final = 64 * 1024
"""Bytes that a connection accepts before its client reads; then the server's send waits."""
_KEEPALIVE_SECONDS: Final = (4.0, 9.0)
"""Seconds after which the server notices that the other end is gone, as with uvicorn's pings."""
_CLIENT_TIMEOUT_SECONDS: Final = (2.0, 6.0)
"""Seconds after which a client gives up a silent connection."""
_LOST_CODE: Final = 1006
_PONG: Final[dict[str, Any]] = {"type": "pong"}
Headers = list[tuple[bytes, bytes]]


class ClientDisconnected(OSError):  # noqa: N818 - as uvicorn names it
    """The server sends to a client that is gone; uvicorn then ends the request without a word."""


class SocketOwner(Protocol):
    """The methods of a client that its connection calls."""

    named_cards: set[str]
    """The cards that the client has named in a command, which an answer may repeat."""

    def on_opened(self, connection: Connection) -> None:
        """Record that the server has accepted the connection."""

    def on_message(self, connection: Connection, text: str) -> None:
        """Receive a message of the server."""

    def on_closed(self, connection: Connection, code: int, reason: str) -> None:
        """Record that the connection has ended."""


class Network:
    """Carries everything between clients and servers."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._rng = world.choices.stream("network")
        self.latency = self._rng.choice((0.001, 0.01, 0.05, 0.2))
        self.connections: dict[Connection, None] = {}
        self._count = 0

    def delay(self) -> float:
        """Return the seconds that a message takes."""
        return self.latency * (0.5 + self._rng.random())

    def draw_seconds(self, limits: tuple[float, float]) -> float:
        """Return a random number of seconds between two limits."""
        return self._rng.uniform(*limits)

    def later(self, seconds: float, callback: Callable[..., object], *args: object) -> None:
        """Call back after some seconds, even if the current process ends."""
        self.world.loop.call_later(seconds, callback, *args, context=OUTSIDE)

    def open_socket(
        self, server: SimulatedServer, path: str, query: str, headers: Headers, owner: SocketOwner,
        address: str,
    ) -> Connection:  # fmt: skip
        """Open a WebSocket of a client at a server."""
        self._count += 1
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws",
            "server": ("testserver", 80),
            "client": (address, 10_000 + self._count % 50_000),
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(b"host", b"testserver"), *headers],
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
        }
        connection = Connection(self, server, scope, owner, self._count)
        self.connections[connection] = None
        self.later(self.delay(), connection.arrive)
        return connection

    def request(
        self, server: SimulatedServer, method: str, path: str, headers: Headers, body: bytes,
        address: str, on_answer: Callable[[int, Headers, bytes], object],
    ) -> None:  # fmt: skip
        """Send a request. `on_answer` gets status 0 if the answer is lost."""
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "server": ("testserver", 80),
            "client": (address, 9_999),
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(b"host", b"testserver"), *headers],
            "extensions": {},
        }
        exchange = Exchange(self, server, scope, body, on_answer)
        self.later(self.delay(), exchange.arrive)


class Connection:
    """A WebSocket: what is under way in both directions, and the server's side as ASGI."""

    def __init__(
        self, network: Network, server: SimulatedServer, scope: dict[str, Any], owner: SocketOwner,
        number: int,
    ) -> None:  # fmt: skip
        self.network, self.server, self.owner, self.number = network, server, owner, number
        self.address: str = scope["client"][0]
        self.path: str = scope["path"]
        self.device_id: str | None = None
        self.persons: tuple[str, ...] = ()
        self.table_id, self.link_kind = "", "play"
        self.process_name = ""
        reached = scope["query_string"].rpartition(b"seq=")[2]
        self.reached_seq = int(reached) if reached.isdigit() else -1  # that the client had seen
        self.shown_seq: int | None = None  # of the last state that was sent
        self.joined_at = 0.0  # when the first state was sent
        self.is_accepted = False  # as the server knows
        self.is_open = False  # accepted, as the client knows
        self.has_ended = False  # as the client knows
        self.is_reading = True
        self.on_received: Callable[[], None] = lambda: None
        scope["extensions"][CONNECTION_EXTENSION] = self
        self._scope = scope
        self._inbox: deque[dict[str, Any]] = deque([{"type": "websocket.connect"}])
        self._reader: asyncio.Future[None] | None = None
        self._drained: asyncio.Future[None] | None = None
        self._unread: deque[tuple[Any, ...]] = deque()
        self._bytes_under_way = 0
        self._is_cut = False
        self._server_has_ended = False
        self._last_up = self._last_down = 0.0

    def arrive(self) -> None:
        """Begin to be served, or be refused if the server is down."""
        if not self.server.is_up or self._is_cut:
            self._end_for_client(_LOST_CODE, "")
            return
        self.server.connections[self] = None
        self.process_name = self.server.process.name
        self.network.world.watch_arrival(self, self._scope)
        self.server.serve(self._scope, self.receive, self.send, self._on_application_end)

    def _on_application_end(self, _task: object) -> None:
        """End the connection as uvicorn does when the application returns without closing it."""
        if not self._server_has_ended:
            self._server_has_ended = True
            self._forget_server()
            self._carry_down(0, self._end_for_client, _LOST_CODE, "")

    def say(self, data: str | bytes) -> None:
        """Send a message of the client to the server."""
        kind = "text" if isinstance(data, str) else "bytes"
        message = {"type": "websocket.receive", kind: data, "data": data}
        self._carry_up(message)

    def close(self) -> None:
        """Close the connection by the client."""
        if not self.has_ended:
            self.has_ended = True
            self._forget()
            self._carry_up({"type": "websocket.disconnect", "code": 1005})

    @property
    def is_being_read(self) -> bool:
        """Whether the server waits for the next event."""
        return self._reader is not None

    def send_ping(self) -> None:
        """Send a ping of the server."""
        self._carry_down(0, self._carry_up, _PONG)

    def stall(self, seconds: float) -> None:
        """Hold back everything in both directions for some seconds."""
        until = self.network.world.loop.time() + seconds
        self._last_up, self._last_down = max(self._last_up, until), max(self._last_down, until)

    def cut(self) -> None:
        """Lose every message from now on, without telling either end."""
        if not self._is_cut:
            self._is_cut = True
            network = self.network
            network.later(network.draw_seconds(_KEEPALIVE_SECONDS), self._end_for_server)
            network.later(
                network.draw_seconds(_CLIENT_TIMEOUT_SECONDS), self._end_for_client, _LOST_CODE, ""
            )

    @property
    def is_whole(self) -> bool:
        """Whether both ends are there, and messages arrive."""
        return (
            self.is_open
            and self.is_reading
            and not (self.has_ended or self._server_has_ended or self._is_cut)
        )

    def shut_down(self) -> None:
        """End the connection as a server does that stops."""
        if not self._server_has_ended:
            self._server_has_ended = True
            self._give({"type": "websocket.disconnect", "code": 1012})
            self._carry_down(0, self._end_for_client, 1012, "")

    def reset(self) -> None:
        """End the connection for both ends at once, after the latency."""
        if not self._is_cut:
            self._is_cut = True
            self.network.later(self.network.delay(), self._end_for_server)
            self.network.later(self.network.delay(), self._end_for_client, _LOST_CODE, "")

    def read_again(self) -> None:
        """Receive the messages that came while the client did not read."""
        self.is_reading = True
        while self._unread and self.is_reading and not self.has_ended:
            self._take(*self._unread.popleft())

    def _carry_up(self, message: dict[str, Any]) -> None:
        if self._is_cut:
            return
        loop = self.network.world.loop
        self._last_up = max(self._last_up + 1e-6, loop.time() + self.network.delay())
        loop.call_at(self._last_up, self._take_up, message, context=OUTSIDE)

    def _take_up(self, message: dict[str, Any]) -> None:
        if not self._is_cut and not self._server_has_ended:
            self.server.run_in_process(self.on_received)
            if message is not _PONG:
                self._give(message)

    def _give(self, message: dict[str, Any]) -> None:
        self._inbox.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _end_for_server(self) -> None:
        if not self._server_has_ended:
            self._server_has_ended = True
            self._give({"type": "websocket.disconnect", "code": _LOST_CODE})
            if self._drained is not None and not self._drained.done():
                self._drained.set_result(None)

    def _end_for_client(self, code: int, reason: str) -> None:
        if not self.has_ended:
            self.has_ended = True
            self._forget()
            self.owner.on_closed(self, code, reason)

    def _forget(self) -> None:
        self.network.connections.pop(self, None)

    async def receive(self) -> dict[str, Any]:
        """Return the next event for the server, as ASGI."""
        while not self._inbox:
            self._reader = self.network.world.loop.create_future()
            await self._reader
            self._reader = None
        message = self._inbox.popleft()
        if message["type"] == "websocket.receive":
            self.network.world.watch_receipt(self, message["data"])
        elif message["type"] == "websocket.disconnect":
            self._server_has_ended = True
            self._forget_server()
        return message

    def _forget_server(self) -> None:
        if self in self.server.connections:
            del self.server.connections[self]
            self.network.world.watch_loss(self)

    async def send(self, message: dict[str, Any]) -> None:
        """Take an event of the server, as ASGI. Waits while the client does not read."""
        kind = message["type"]
        if self._server_has_ended:
            raise ClientDisconnected
        if kind == "websocket.send":
            text: str = message["text"]
            self.network.world.watch_message(self, text)
            self._carry_down(len(text), self._deliver, text)
            if self._bytes_under_way > _BUFFER_BYTES:
                self._drained = self.network.world.loop.create_future()
                await self._drained
        elif kind == "websocket.accept":
            self.is_accepted = True
            self._carry_down(0, self._open)
        elif kind == "websocket.close":
            self._finish(message.get("code", 1000), message.get("reason") or "")
        elif kind == "websocket.http.response.start":
            self._finish(message["status"], "")

    def _finish(self, code: int, reason: str) -> None:
        self._server_has_ended = True
        self._forget_server()
        self._give({"type": "websocket.disconnect", "code": code})
        self.network.world.watch_close(self, code, reason)
        self._carry_down(0, self._end_for_client, code, reason)

    def _carry_down(self, size: int, callback: Callable[..., None], *args: object) -> None:
        if self._is_cut:
            return
        loop = self.network.world.loop
        self._bytes_under_way += size
        self._last_down = max(self._last_down + 1e-6, loop.time() + self.network.delay())
        loop.call_at(self._last_down, self._take, size, callback, args, context=OUTSIDE)

    def _take(self, size: int, callback: Callable[..., None], args: tuple[object, ...]) -> None:
        if self._is_cut or self.has_ended:
            return
        if not self.is_reading:
            self._unread.append((size, callback, args))
            return
        self._bytes_under_way -= size
        if self._drained is not None and self._bytes_under_way <= _BUFFER_BYTES:
            if not self._drained.done():
                self._drained.set_result(None)
            self._drained = None
        callback(*args)

    def _open(self) -> None:
        self.is_open = True
        self.owner.on_opened(self)

    def _deliver(self, text: str) -> None:
        self.owner.on_message(self, text)


class Exchange:
    """One request and its answer."""

    def __init__(
        self, network: Network, server: SimulatedServer, scope: dict[str, Any], body: bytes,
        on_answer: Callable[[int, Headers, bytes], object],
    ) -> None:  # fmt: skip
        self.path: str = scope["path"]
        self._network, self.server, self._scope = network, server, scope
        self.body = self._body = body
        self._on_answer = on_answer
        self._status, self._answer = 0, b""
        self._headers: Headers = []
        self._is_answered = False

    def arrive(self) -> None:
        """Begin to be served. A server that is down, or that crashes, does not answer."""
        self._network.later(30.0, self._lose)
        if not self.server.is_up:
            self._network.later(self._network.delay(), self._lose)
        else:
            self.server.serve(self._scope, self._receive, self._send)

    async def _receive(self) -> dict[str, Any]:
        body, self._body = self._body, b""
        return {"type": "http.request", "body": body, "more_body": False}

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self._status, self._headers = message["status"], list(message["headers"])
        else:
            self._answer += message.get("body", b"")
            if not message.get("more_body"):
                self._network.world.watch_answer(self, self._status, self._headers, self._answer)
                self._network.later(self._network.delay(), self._arrive_back)

    def _arrive_back(self) -> None:
        if not self._is_answered:
            self._is_answered = True
            self._on_answer(self._status, self._headers, self._answer)

    def _lose(self) -> None:
        if not self._is_answered:
            self._is_answered = True
            self._on_answer(0, [], b"")
