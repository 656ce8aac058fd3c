"""The inner door, by which the processes on one database reach each other and nobody else does.

A process listens on one more socket for it: in a folder that this user alone may open, or where
several machines share the tables at an address of its own (`--node`). Whoever brings no note of
another process (`notes`) is sent away. What is handed on by it is a WebSocket as its person opened
it, and passes the same checks here as if they had come to this process.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import tempfile
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from acesaround.server.door import Requests
from acesaround.server.notes import HEADER, Note, Notes

_UNIX: Final = "unix:"
_BACKLOG: Final = 2048
HANDED: Final = "handed"
"""What is true of the state of a scope that came by this door."""


@contextlib.contextmanager
def listening(node: str | None) -> Iterator[tuple[socket.socket, str]]:
    """A socket of the inner door, and the address by which the others find it. Raises OSError.

    `node`: as the settings have it.
    """
    if node is None:
        with tempfile.TemporaryDirectory(prefix="acesaround-") as folder:
            path = str(Path(folder) / "inner")
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made:
                made.bind(path)
                made.listen(_BACKLOG)
                yield made, _UNIX + path
        return
    node = _own(node)
    family, kind, protocol, _, address = socket.getaddrinfo(node, 0, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as made:
        made.bind(address)
        made.listen(_BACKLOG)
        host = f"[{node}]" if ":" in node else node
        yield made, f"{host}:{made.getsockname()[1]}"


def _own(node: str) -> str:
    """The address of this machine, in that network if it is one. Raises OSError."""
    try:
        network = ipaddress.ip_network(node)
    except ValueError:  # a name
        return node
    if network.num_addresses == 1:
        return str(network.network_address)
    family = socket.AF_INET if network.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect((str(network.network_address + 1), 9))  # for datagrams this sends nothing
        found: str = asking.getsockname()[0]
    if ipaddress.ip_address(found) not in network:
        raise OSError(f"this machine has no address in {node}")
    return found


async def connect(address: str, protocol: asyncio.Protocol) -> None:
    """Connect to the inner door of another process. Raises OSError."""
    loop = asyncio.get_running_loop()
    if address.startswith(_UNIX):
        await loop.create_unix_connection(lambda: protocol, address.removeprefix(_UNIX))
        return
    host, _, port = address.rpartition(":")
    await loop.create_connection(lambda: protocol, host.strip("[]"), int(port))


class Server(uvicorn.Server):
    """uvicorn's own, with an inner door. It gives its homes back before it sends people away.

    `drain`: seconds between its being told to end and that, in which `/health` says so.
    """

    def __init__(
        self, config: uvicorn.Config, inner: socket.socket | None, drain: float = 0.0
    ) -> None:
        super().__init__(config)
        self._inner = inner
        self._drain = drain

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open both doors."""
        await super().startup(sockets)
        if self._inner is None:
            return

        def made() -> Inner:
            return Inner(self.config, self.server_state, self.lifespan.state)

        loop, inner = asyncio.get_running_loop(), self._inner
        unix = inner.family == socket.AF_UNIX
        opened = (
            loop.create_unix_server(made, sock=inner)
            if unix
            else loop.create_server(made, sock=inner)
        )
        self.servers.append(await opened)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let the others be the home of what was at home here, then end."""
        loop, homes = asyncio.get_running_loop(), self.lifespan.state["homes"]
        homes.draining = True
        until = loop.time() + self._drain
        while loop.time() < until and not self.force_exit:
            await asyncio.sleep(0.1)
        await homes.end()
        await super().shutdown(sockets)


class Inner(Requests):
    """A connection by the inner door: a WebSocket with a note, or the question who is there."""

    def __init__(self, config: uvicorn.Config, server_state: Any, state: dict[str, Any]) -> None:
        super().__init__(config, server_state, state)
        self._notes: Notes = state["homes"].notes
        self.app = self._answer

    def who(self) -> None:
        """Nobody who is counted by address: for whom it comes, the note says."""
        return None

    def _note(self, headers: Headers) -> Note | None:
        return self._notes.read(headers.get(HEADER.decode(), "").encode("latin-1"))

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Let a socket in for whom the note says."""
        note = self._note(Headers(raw=self.headers))
        if note is None:
            self._say(HTTPStatus.FORBIDDEN, STRANGER)
            return
        client = None if note.client is None else (note.client, 0)
        self.app_state = {**self.app_state, HANDED: True, "client": client}
        super().handle_websocket_upgrade(event)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = self._note(Headers(scope=scope)) is not None
        answer = Response(status_code=204) if known else Response(STRANGER, 403)
        await answer(scope, receive, send)


STRANGER: Final = "This address is for the other processes of this server."
