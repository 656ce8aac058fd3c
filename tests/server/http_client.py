"""Test clients: cookies, tables, and a seat that plays from the states it is sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.testclient import TestClient, WebSocketTestSession

from acesaround.server import Settings, create_app
from acesaround.server.settings import BotDelays
from tests.store.opening import PATIENT
from tests.waiting import PATIENCE_SECONDS

Message = dict[str, Any]
NO_WAITING = BotDelays(0, 0, 0, 0, 0)


def make_app(folder: Path, **changes: Any) -> Starlette:
    """Return a server whose bots do not wait, on a database in that folder."""
    settings = {
        "database_url": f"sqlite:///{folder / 'tables.sqlite'}",
        "secret": "a secret only for tests",
        "bot_delays": NO_WAITING,
        "database_timeouts": PATIENT,
        "static_folder": folder / "static",
        "max_messages_per_websocket": 100_000,
        "max_joins_per_address": 100_000,
        "allowed_hosts": ("testserver",),
        **changes,
    }
    return create_app(Settings(**settings))


@contextmanager
def open_clients(server: Starlette, number: int = 1) -> Iterator[list[TestClient]]:
    """Yield several clients of one running server, each with its own cookies."""
    with TestClient(server) as first:
        others = [TestClient(server) for _ in range(number - 1)]
        for other in others:  # shares the loop of the server
            other.portal = first.portal
        for client in (first, *others):
            client.get("/")
        yield [first, *others]
        for other in others:
            other.portal = None


def set_name(client: TestClient, name: str) -> TestClient:
    """Set the name of a client's guest, and return the client."""
    assert client.post("/api/me", json={"name": name}).status_code == 200
    return client


def create_table(client: TestClient, variant: str = "partnership", **config: Any) -> str:
    """Return the token of a new table of the guest, with fast bots."""
    answer = client.post("/api/tables", json={"variant": variant, "bots": "thumb", **config})
    assert answer.status_code == 201, answer.text
    table_id: str = answer.json()["id"]
    return table_id


class Seat:
    """An open socket at a table. `state`: the last state, `seen`: all states.

    `action_count`: the actions sent.
    """

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.state: Message = {}
        self.seen: list[Message] = []
        self.action_count = 0

    def receive(self) -> Message:
        received = self.socket.portal.call(self._within, PATIENCE_SECONDS)
        self.socket._raise_on_close(received)
        message: Message = json.loads(received["text"])
        if message["type"] == "state":
            self.state = message
            self.seen.append(message)
        return message

    async def _within(self, seconds: float) -> Any:
        with anyio.fail_after(seconds):  # fails instead of waiting forever
            return await self.socket._send_rx.receive()

    def read_until(self, done: Callable[[Message], object]) -> Message:
        """Read until a message satisfies a condition, and return it."""
        while True:
            message = self.receive()
            if done(message):
                return message

    def read_past_seq(self, seq: int) -> Message:
        """Read until the table has a later seq."""
        return self.read_until(lambda m: m["seq"] > seq)

    def send(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def send_refused(self, **message: Any) -> str:
        """Send a message that is refused, and return the code."""
        self.send(**message)
        code: str = self.read_until(lambda m: m["type"] == "refused")["code"]
        return code

    def act(self) -> None:
        """Send a legal action; it must be the turn of this seat."""
        self.send(type="act", seq=self.state["seq"], action=self.choice())
        self.action_count += 1

    def choice(self) -> list[Any]:
        """Return a legal action, from the decision only."""
        decision, hand = self.state["decision"], self.state["view"]["hand"]
        kind = decision["kind"]
        if kind == "bid":
            return ["pass"] if decision["pass"] else ["bid", decision["bids"][0]]
        if kind == "trump":
            return ["trump", decision["trumps"][0]]
        if kind == "upcard":
            return ["discard", [decision["nine"]] if decision["nine"] else []]
        if kind == "play":
            return ["play", decision["plays"][0]]
        return [kind, hand[: decision["sizes"][-1]]]

    def play(self, done: Callable[[Message], object]) -> Message:
        """Play until a state satisfies a condition. Presence may repeat a seq."""
        acted = -1
        while not done(self.state):
            if self.state["decision"] is not None and self.state["seq"] != acted:
                acted = self.state["seq"]
                self.act()
            message = self.receive()
            assert message["type"] == "state", message
        return self.state


@contextmanager
def open_seat(client: TestClient, table_id: str, **more: Any) -> Iterator[Seat]:
    """Open a socket at a table, and read its first state."""
    with client.websocket_connect(f"/ws/{table_id}", **more) as socket:
        sitting = Seat(socket)
        sitting.receive()
        yield sitting


def has_scored_deals(deals: int = 1) -> Callable[[Message], bool]:
    """Return a condition: at least so many deals are scored."""
    return lambda state: len(state["sheet"]) >= deals


def read_png_size(picture: bytes) -> tuple[int, int]:
    """Return the width and height in the header of a PNG picture."""
    assert picture.startswith(b"\x89PNG")
    return int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")
