"""Simulated people with browsers: they answer what the server sends."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tests.server.visibility_oracle import find_cards
from tests.simulation.environment import WORLD
from tests.simulation.network import Connection, Headers
from tests.simulation.wishes import PONG, Message, choose_action, nonsense, odd_wish, rare_wish

if TYPE_CHECKING:
    from tests.simulation.world import World

_RESEND_SECONDS: Final = 4.0
"""Seconds without news after which a person sends an action again."""
_RETRY_SECONDS: Final = 0.5
_RARE_WISH_RATE: Final = 0.2
_LATE_WISHES: Final[tuple[Message, ...]] = (
    {"type": "undo"}, {"type": "claim"}, {"type": "hints", "on": True},
)  # fmt: skip
"""The proposals that people make even after the faults."""
_SHUT_OUT_CODES: Final = (4404, 4410)
_DAMAGED_CODE: Final = 4500
_SIGNED_OUT_CODE: Final = 4401
_MAX_SHUT_OUT: Final = 3
_STATE: Final = '{"type":"state"'
_NOT_ON_TURN: Final = '"decision":null'


class Device:
    """A browser of a person: its cookie, and its socket at one table.

    `restless`: the rate of odd wishes; `chatty`: that of chat; `pause`: the seconds that its person
    thinks; `answers`: whether the person answers what others propose; `dawdles`: the rate of turns
    that the person lets pass, or nearly, at a table with a clock; `pairs_in_second_tab`: whether
    the person types pairing codes in a second tab, so that the tab with the table stays open.
    """

    def __init__(self, world: World, name: str, place: int) -> None:
        self.world, self.name, self.place = world, name, place
        self.rng: random.Random = world.choices.stream(f"person {name}")
        self.address = f"192.0.2.{self.rng.randrange(1, 255)}"
        self.named_cards: set[str] = set()
        self.cookie = ""
        self.token = ""  # by which this person comes to the table
        self.connection: Connection | None = None
        self.last = ""  # the last state, as it came
        self.is_host = False
        self.is_away = False
        self.is_gone = False  # for ever
        self.restless = self.rng.choice((0.0, 0.02, 0.1, 0.3))
        self.pause = self.rng.choice((0.02, 0.05, 0.2))
        self.chatty = self.rng.choice((0.0, 0.0, 0.5))
        self.answers = self.rng.random() < (0.6 if world.is_curious else 0.85)
        habits = world.choices.stream(f"habits of {name}")
        self.only_watches = habits.random() < 0.1
        self.dawdles = habits.choice((0.0, 0.1, 0.3))
        self.proposes = habits.choice((0.0, 0.01, 0.05))
        self.pairs_in_second_tab = habits.random() < 0.5
        self.curious_rng = world.choices.stream(f"curiosity of {name}")
        self._idle_until = 0.0  # when the person acts whose turn it is
        self._may_delay = True  # the others, once after the faults, so that games end
        self._is_thinking = False
        self._sent: tuple[int, list[Any]] | None = None  # the state, and the action sent for it
        self._sent_at = 0.0
        self._reached_seq: int | None = None
        self._shut_out_count = 0

    @property
    def is_coming(self) -> bool:
        """Whether this person is not connected yet, but will be."""
        return (
            not self.is_gone
            and self._shut_out_count <= _MAX_SHUT_OUT
            and (self.connection is None or not self.connection.is_whole)
        )

    # HTTP

    @property
    def headers(self) -> Headers:
        """The headers of a request of this browser."""
        return [(b"cookie", f"acesaround={self.cookie}".encode())] if self.cookie else []

    def ask(
        self, method: str, path: str, body: Message | None = None, on_answer: Any = None
    ) -> None:
        """Send a request to one of the servers. `on_answer` gets its status and its body."""

        def take_answer(status: int, headers: Headers, answer: bytes) -> None:
            for name, value in headers:
                if name == b"set-cookie" and value.startswith(b"acesaround="):
                    self.cookie = value[len(b"acesaround=") :].split(b";")[0].decode()
                    self.world.invariants.device_of(self.cookie)
            if on_answer is not None:
                on_answer(status, answer)

        self.world.note("ask", self.name, method, path, body)
        encoded = b"" if body is None else json.dumps(body).encode()
        take: Callable[[int, Headers, bytes], None] = take_answer
        for _ in range(2 if self.world.faults.happens("doubled") and method == "POST" else 1):
            self.world.network.request(
                self.world.some_server(self.rng), method, path, self.headers, encoded,
                self.address, take,
            )  # fmt: skip
            take = _ignore

    def enter(self) -> None:
        """Take a name, then come to the table or open one."""
        if not self.is_gone:
            self.ask("POST", "/api/me", {"name": self.name}, self._on_named)

    def _on_named(self, status: int, _answer: bytes) -> None:
        if status != 200:
            self.world.network.later(_RETRY_SECONDS, self.enter)
        elif self.is_host and not self.token:
            self.open_table()
        else:
            self.world.come_to_table(self)

    def open_table(self) -> None:
        """Open the table that this person is the host of."""
        self.ask("POST", "/api/tables", self.world.table_wish(self), self._on_table)

    def _on_table(self, status: int, answer: bytes) -> None:
        if status != 201:
            self.world.network.later(_RETRY_SECONDS, self.open_table)
        else:
            self.world.announce_table(self, json.loads(answer)["id"])

    def rename(self) -> None:
        """Take another name, or the same again."""
        self.ask("POST", "/api/me", {"name": self.rng.choice((self.name, f"{self.name} II"))})

    def flood(self, count: int) -> None:
        """Send many lines at once."""
        for _ in range(count):
            if self.connection is not None:
                self.send({"type": "talk", "phrase": "hello"})

    def pair(self, others: Sequence[Device]) -> None:
        """Sign in another browser as this person: `others` try the code."""

        def redeem(status: int, answer: bytes) -> None:
            if status == 201:
                code = json.loads(answer)["code"]
                for other in others:
                    other.ask("POST", "/api/devices/take", {"code": code}, other._on_paired)

        self.ask("POST", "/api/devices/code", {}, redeem)

    def _on_paired(self, status: int, _answer: bytes) -> None:
        if status == 200 and not self.pairs_in_second_tab:
            self.disconnect()
            self.connect()

    # the socket

    def connect(self) -> None:
        """Open a socket at the table, unless there is one."""
        if self.connection is not None or self.is_away or self.is_gone or not self.token:
            return
        query = "reads=1" if self.rng.random() < 0.3 else ""
        if self._reached_seq is not None and self.rng.random() < 0.7:
            query = f"{query}&seq={self._reached_seq}"
        server = self.world.some_server(self.rng)
        self.connection = self.world.network.open_socket(
            server, f"/ws/{self.token}", query, self.headers, self, self.address
        )
        self.connection.device_id = self.world.invariants.device_of(self.cookie)
        self.world.note("connect", self.name, server.process.name, self.connection.number)

    def disconnect(self) -> None:
        """Close the socket."""
        if self.connection is not None:
            self.world.note("disconnect", self.name, self.connection.number)
            self.connection.close()
            self.connection, self.last = None, ""

    def leave_for(self, seconds: float) -> None:
        """Disconnect, and come back later."""
        self.world.note("leave", self.name, seconds)
        self.is_away = True
        self.disconnect()
        self.world.network.later(seconds, self.come_back)

    def come_back(self) -> None:
        """Come back later."""
        self.is_away = False
        self.connect()

    def vanish(self) -> None:
        """Disappear forever without closing the connection."""
        self.world.note("vanish", self.name)
        self.is_gone = True
        if self.connection is not None:
            self.connection.cut()

    def on_opened(self, connection: Connection) -> None:
        """Note that the server has accepted the connection."""

    def on_closed(self, connection: Connection, code: int, reason: str) -> None:
        """Come back after a short time."""
        if connection is not self.connection:
            return
        self.world.note("closed", self.name, connection.number, code, reason)
        self.connection, self.last = None, ""
        if code == _DAMAGED_CODE:
            self.world.fail("error", f"a table is shut: {reason}")
        elif code in _SHUT_OUT_CODES:
            self._shut_out_count += 1
            if self._shut_out_count <= _MAX_SHUT_OUT:
                self.world.network.later(2.0, self.world.come_to_table, self)
        elif code == _SIGNED_OUT_CODE:
            self.world.network.later(1.0, self.enter)
        elif not self.world.is_calm and self.world.choices.happens(
            "give up", self.world.give_up_rate
        ):
            self.vanish()
        else:
            pause = _RETRY_SECONDS * (1 + self.rng.random())
            self.world.network.later(pause, self.connect)

    def on_message(self, connection: Connection, text: str) -> None:
        """Receive a message, and react to it a little later."""
        if connection is not self.connection:
            return
        if not text.startswith(_STATE):
            self.world.note("told", self.name, text)
            if text != PONG and '"code":"stale"' not in text:
                self._sent = None
            self.think_later()
            return
        self.last = text
        if _NOT_ON_TURN not in text or self.rng.random() < 0.1:
            self.think_later()

    def think_later(self) -> None:
        """React after a pause, once to all messages until then."""
        if not self._is_thinking:
            self._is_thinking = True
            self.world.network.later(self.pause * (0.5 + self.rng.random()), self._think)

    def _think(self) -> None:
        self._is_thinking = False
        if self.connection is None or not self.last:
            return
        state = msgspec.json.decode(self.last)
        self._reached_seq = state["seq"]
        if not self.world.is_calm:
            if self.world.choices.happens("odd wish", self.restless):
                self.send(odd_wish(state, self.rng))
            if self.world.is_curious and self.world.choices.happens("rare wish", _RARE_WISH_RATE):
                self.send(rare_wish(state, self.curious_rng))
            if state["table"]["you"] is not None and self.world.choices.happens(
                "chat", self.chatty
            ):
                self.send({"type": "talk", "phrase": "hello"})
            if self.world.choices.happens("nonsense", self.restless / 10):
                text = nonsense(self.rng)
                self.world.note("nonsense", self.name, text)
                self.named_cards |= find_cards(text)
                self.connection.say(text if self.rng.random() < 0.8 else text.encode())
        elif state["table"]["allowed"]["claim"] and self.world.is_curious:
            self.send({"type": "claim"})
        elif (
            self._may_delay
            and state["decision"]
            and self.world.choices.happens("late wish", self.proposes)
        ):
            self._may_delay = False
            self.send(self.rng.choice(_LATE_WISHES))
        wish = self._wish(state)
        if wish is not None:
            self.send(wish)

    def send(self, wish: Message) -> None:
        """Send a command. A person may press twice."""
        assert self.connection is not None
        text = json.dumps(wish)
        if wish["type"] == "act":
            self.named_cards |= find_cards(text)
        self.world.note("say", self.name, self.connection.number, text)
        self.connection.say(text)
        if self.world.faults.happens("doubled"):
            self.world.note("say", self.name, self.connection.number, text)
            self.connection.say(text)

    def _wish(self, state: Message) -> Message | None:
        """Return the command that continues the game, if it is this person's turn."""
        table, you = state["table"], state["table"]["you"]
        may = table["allowed"]
        if you is None:
            if may["sit"] and not table["over"]:
                return {"type": "sit", "seat": self.rng.choice(may["sit"])}
            if may["request_seat"] and not table["over"]:
                return {"type": "knock", "seat": self.rng.choice(may["request_seat"])}
            return None
        if may["admit"]:
            return {"type": "admit", "knock": may["admit"][0], "yes": self.rng.random() < 0.7}
        if may["start"]:
            if table["host"] and table["joining"] == "open" and self.world.has_doorkeepers:
                return {"type": "joining", "joining": "ask"}
            return {"type": "start"} if self.world.is_time_to_begin else None
        if may["substitute_bot"]:
            return {"type": "cover", "seat": may["substitute_bot"][0]}
        asked = table["proposal"]
        if asked is not None and you in asked["waiting"] and self.answers:
            return {"type": "answer", "agree": self.rng.random() < 0.7}
        if table["paused"]:
            return {"type": "resume"}
        if may["take_over"]:
            return {"type": "back"}
        reading = table["readers"]
        if reading is not None and you in reading["waiting"]:
            return {"type": "continue", "deal": reading["deal"]}
        if may["rematch"] and self.world.wants_rematch and not self.world.is_calm:
            return {"type": "rematch"}
        if state["decision"] is None or (asked is not None and asked["kind"] != "hints"):
            return None
        return self._action(state)

    def _action(self, state: Message) -> Message | None:
        if self._sent is not None and self._sent[0] == state["seq"]:
            if WORLD.now - self._sent_at < _RESEND_SECONDS:
                return None
            action = self._sent[1]  # asks twice, because nothing came
        elif self._is_dawdling(state):
            return None
        else:
            action = choose_action(state, self.rng)
        self._sent, self._sent_at = (state["seq"], action), WORLD.now
        return {"type": "act", "seq": state["seq"], "action": action}

    def _is_dawdling(self, state: Message) -> bool:
        """Return whether the person lets the time run, until shortly before its end or beyond."""
        left = state["table"]["turn_seconds_left"]
        if WORLD.now < self._idle_until:
            return True
        if not left or not self._may_delay:
            return False
        if not self.world.choices.happens("dawdle", self.dawdles):
            return False
        self._may_delay = not self.world.is_calm
        seconds = left + self.rng.choice((2.0, -self.rng.random(), -self.rng.random()))
        self._idle_until = WORLD.now + seconds
        self.world.network.later(seconds, self.think_later)
        return True


def _ignore(_status: int, _headers: Headers, _answer: bytes) -> None:
    """Ignore the answer to a doubled request."""
