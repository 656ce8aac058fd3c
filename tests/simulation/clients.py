"""People with browsers: what each of them sends, by what they are sent."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tests.simulation.network import Connection, Headers

if TYPE_CHECKING:
    from tests.simulation.server import SimulatedServer
    from tests.simulation.world import World

Message = dict[str, Any]
_RESEND_SECONDS: Final = 4.0
"""Seconds without news after which a person sends an action again."""
_RETRY_SECONDS: Final = 0.5
_CARDS: Final = [rank + suit for suit in "SHDC" for rank in "ATKQJ9"]
_STATE: Final = '{"type":"state"'
_NOT_ON_TURN: Final = '"decision":null'


class Device:
    """A browser of a person: its cookie, and its socket at one table."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.rng: random.Random = world.choices.stream(f"person {name}")
        self.address = f"192.0.2.{self.rng.randrange(1, 255)}"
        self.cookie = ""
        self.table = ""  # the token by which this person comes
        self.connection: Connection | None = None
        self.last = ""  # the last state, as it came
        self.is_host = False
        self.is_away = False
        self.restless = self.rng.choice((0.0, 0.05, 0.2))
        self.pause = self.rng.choice((0.02, 0.1, 0.4))
        self._is_thinking = False
        self._sent: tuple[int, str] | None = None  # the state and the action last sent for it
        self._sent_at = 0.0
        self._reached_seq: int | None = None

    # HTTP

    @property
    def headers(self) -> Headers:
        """The headers of a request of this browser."""
        return [(b"cookie", f"acesaround={self.cookie}".encode())] if self.cookie else []

    def ask(
        self, method: str, path: str, body: Message | None, on_answer: Any = None,
        server: SimulatedServer | None = None,
    ) -> None:  # fmt: skip
        """Send a request to one of the servers. `on_answer` gets its status and its JSON."""

        def take(status: int, headers: Headers, answer: bytes) -> None:
            for name, value in headers:
                if name == b"set-cookie" and value.startswith(b"acesaround="):
                    self.cookie = value[len(b"acesaround=") :].split(b";")[0].decode()
            if on_answer is not None:
                on_answer(status, answer)

        self.world.note("ask", self.name, method, path)
        encoded = b"" if body is None else json.dumps(body).encode()
        self.world.network.request(
            server or self.world.some_server(self.rng), method, path, self.headers, encoded,
            self.address, take,
        )  # fmt: skip

    def enter(self) -> None:
        """Take a name, then come to the table or open one."""
        self.ask("POST", "/api/me", {"name": self.name}, self._on_named)

    def _on_named(self, status: int, _answer: bytes) -> None:
        if status != 200:
            self.world.network.later(_RETRY_SECONDS, self.enter)
        elif self.is_host:
            self.open_table()
        else:
            self.world.wait_for_table(self)

    def open_table(self) -> None:
        """Open the table that this person is the host of."""
        self.ask("POST", "/api/tables", self.world.table_wish(self), self._on_table)

    def _on_table(self, status: int, answer: bytes) -> None:
        if status != 201:
            self.world.network.later(_RETRY_SECONDS, self.open_table)
        else:
            self.world.announce_table(self, json.loads(answer)["id"])

    # the socket

    def connect(self) -> None:
        """Open a socket at the table, unless there is one."""
        if self.connection is not None or self.is_away:
            return
        query = "reads=1" if self.rng.random() < 0.3 else ""
        if self._reached_seq is not None and self.rng.random() < 0.7:
            query = f"{query}&seq={self._reached_seq}"
        server = self.world.some_server(self.rng)
        self.connection = self.world.network.open_socket(
            server, f"/ws/{self.table}", query, self.headers, self, self.address
        )
        self.connection.device = self
        self.world.note("connect", self.name, server.process.name, self.connection.number)

    def disconnect(self) -> None:
        """Close the socket."""
        if self.connection is not None:
            self.world.note("leave", self.name, self.connection.number)
            self.connection.close()
            self.connection = None

    def on_opened(self, connection: Connection) -> None:
        """Note that the server has accepted the connection."""

    def on_closed(self, connection: Connection, code: int, reason: str) -> None:
        """Come back a little later."""
        if connection is self.connection:
            self.world.note("closed", self.name, connection.number, code, reason)
            self.connection = None
            self.last = ""
            if code not in (4404, 4410, 4500):
                self.world.network.later(_RETRY_SECONDS * (1 + self.rng.random()), self.connect)
            else:
                self.world.on_shut_out(self, code)

    def on_message(self, connection: Connection, text: str) -> None:
        """Take a message, and think about it a little later."""
        if connection is not self.connection:
            return
        if not text.startswith(_STATE):
            self.world.note("told", self.name, text)
            self._sent = None if '"code":"stale"' not in text else self._sent
            self.think_later()
            return
        self.last = text
        if _NOT_ON_TURN not in text or self.rng.random() < 0.2:
            self.think_later()

    def think_later(self) -> None:
        """Think after a pause, once for all messages until then."""
        if not self._is_thinking:
            self._is_thinking = True
            pause = self.pause * (0.5 + self.rng.random())
            self.world.network.later(pause, self._think)

    def _think(self) -> None:
        self._is_thinking = False
        if self.connection is None or not self.last:
            return
        state = msgspec.json.decode(self.last)
        self._reached_seq = state["seq"]
        wish = self._wish(state)
        if wish is not None:
            self.send(wish)
        elif state["decision"] is not None:
            self.world.network.later(_RESEND_SECONDS, self.think_later)

    def send(self, wish: Message) -> None:
        """Send a command. The network may make two of it."""
        assert self.connection is not None
        text = json.dumps(wish)
        self.world.watch_command(self, wish)
        self.connection.say(text)

    def _wish(self, state: Message) -> Message | None:
        table, you = state["table"], state["table"]["you"]
        if you is None:
            if table["may"]["sit"] and not table["over"]:
                return {"type": "sit", "seat": self.rng.choice(table["may"]["sit"])}
            return None
        if table["may"]["start"]:
            if self.world.is_table_ready(self, table):
                return {"type": "start"}
            self.world.network.later(1.0, self.think_later)
            return None
        asked = table["asked"]
        if asked is not None and you in asked["waiting"]:
            return {"type": "answer", "agree": self.rng.random() < 0.7}
        if table["paused"]:
            return {"type": "resume"}
        if table["may"]["back"]:
            return {"type": "back"}
        if state["decision"] is None or asked is not None:
            return None
        return self._action(state)

    def _action(self, state: Message) -> Message | None:
        now = self.world.loop.time()
        if self._sent is not None and self._sent[0] == state["seq"]:
            if now - self._sent_at < _RESEND_SECONDS:
                return None
            action = json.loads(self._sent[1])  # asks twice, because nothing came
        else:
            action = self._choice(state)
        self._sent, self._sent_at = (state["seq"], json.dumps(action)), now
        return {"type": "act", "seq": state["seq"], "action": action}

    def _choice(self, state: Message) -> list[Any]:
        decision, hand = state["decision"], state["view"]["hand"]
        if decision["kind"] == "bid":
            bids: list[list[Any]] = [["bid", points] for points in decision["bids"][:1]]
            return self.rng.choice(bids + [["pass"]] * (4 * decision["pass"]))
        if decision["kind"] == "trump":
            return ["trump", self.rng.choice(decision["trumps"])]
        if decision["kind"] == "upcard":
            takes = decision["nine"] and self.rng.random() < 0.5
            return ["discard", [decision["nine"]] if takes else []]
        if decision["kind"] == "play":
            if decision["melds"] and self.rng.random() < 0.5:
                return ["meld", decision["melds"][0]["cards"]]
            return ["play", self.rng.choice(decision["plays"])]
        return [decision["kind"], self.rng.sample(hand, decision["sizes"][-1])]
