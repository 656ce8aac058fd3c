"""Hostile messages, frames and requests, generated from one seed.

A message is marked as certain to be refused, or as possibly accepted, because hostile clients also
send valid messages.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from tests.server.random_client import CARDS, Message
from websocket_client import BINARY, TEXT, frame

FrameAndVerdict = tuple[bytes, bool]  # and whether it is certain to be refused

TAGS = (
    "sit", "bot", "remove", "start", "act", "pause", "resume", "undo", "answer", "talk", "claim",
    "swap", "hints", "cover", "back", "rematch", "hint",
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 3, 99, 2**31, 2**63, 2**70, -(10**30), 1.5, 1e308, "", "0", "now",
    "AS", "\u0000", "\u202e", "'; DROP TABLE entries; --", "<script>", [], [[]], {}, {"a": 1},
    ["AS"] * 50, "x" * 1000, [None], [{}], "𝄞",
)  # fmt: skip


BREACHES: tuple[tuple[bytes, int], ...] = (
        (frame(b"x" * 17_000), 1009),  # too large
        (frame(b"[" * 60_000, BINARY), 1009),
        (frame(b"x", 0x3), 1002),  # an unknown opcode
        (bytes([0xF1]) + frame(b"x")[1:], 1002),  # reserved bits
        (b"\x81\x01x", 1002),  # not masked
        (frame(b"x" * 126, 0x9), 1002),  # a ping that is too long
        (frame(b"x", 0), 1002),  # a continuation of nothing
        (frame(b"x", TEXT, final=False) + frame(b"y", TEXT), 1002),
        (frame(b"x" * 9000, TEXT, final=False) + frame(b"y" * 9000, 0), 1009),
        (bytes([0x81, 0xFF]) + b"\x7f" * 8 + b"\0\0\0\0", 1009),  # 9 exabytes
        (frame((3).to_bytes(2, "big"), 0x8), 1002),  # an invalid close code
        (frame(b"\x03", 0x8), 1002),
)  # fmt: skip
"""Violations of the WebSocket protocol, with their close codes."""


class HostileInputs:
    """Makes messages from the last state of a table."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.sent: list[bytes] = []  # valid messages, to be replayed

    def message(self, state: Message | None) -> FrameAndVerdict:
        """Return a frame with one message, valid or not."""
        kinds: list[Callable[[Message | None], FrameAndVerdict]] = [
            self.junk, self.broken, self.mistyped, self.nested, self.no_message, self.act,
            self.act, self.command, self.replayed, self.forged, self.split,
        ]  # fmt: skip
        return self.rng.choice(kinds)(state)

    def junk(self, _: Message | None) -> FrameAndVerdict:
        """Return random text or bytes."""
        size = self.rng.choice((0, 1, 2, 30, 125, 126, 127, 4000, 15_000))
        if self.rng.random() < 0.5:  # mostly invalid UTF-8
            return frame(self.rng.randbytes(size), self.rng.choice((TEXT, BINARY))), True
        text = "".join(self.rng.choice('{}[]":,0e-\\ uactseq\n\t♠é') for _ in range(size // 3))
        return frame(text.encode()), True

    def broken(self, state: Message | None) -> FrameAndVerdict:
        """Return a valid message truncated, doubled or with a changed byte."""
        good = json.dumps(self._good(state)).encode()
        at = self.rng.randrange(len(good))
        match self.rng.randrange(4):
            case 0:
                return frame(good[:at]), True
            case 1:
                return frame(good + good), True
            case 2:
                return frame(good[:at] + b"\x00" + good[at:]), True
            case _:
                return frame(good[:at] + b"\xff" + good[at:], BINARY), True

    def mistyped(self, state: Message | None) -> FrameAndVerdict:
        """Return a valid message with a value of another type, or without a field."""
        good = self._good(state)
        field = self.rng.choice(list(good))
        if self.rng.random() < 0.3 and field != "type":
            del good[field]
            return frame(json.dumps(good).encode()), True
        was, good[field] = good[field], self.rng.choice(ODD)
        is_refused = type(was) is not type(good[field]) and not isinstance(good[field], float)
        return frame(json.dumps(good).encode()), is_refused

    def nested(self, _: Message | None) -> FrameAndVerdict:
        """Return deep nesting, alone or instead of a card."""
        deep = self.rng.choice(("[", '{"a":')) * self.rng.choice((50, 1000, 2500))
        if self.rng.random() < 0.5:
            closing = {"[": "]", "{": "}"}[deep[0]]
            deep += "1" + closing * deep.count(deep[0])
        inside = f'{{"type":"act","seq":1,"action":["play",{deep}]}}'
        return frame(self.rng.choice((deep, inside)).encode()), True

    def no_message(self, _: Message | None) -> FrameAndVerdict:
        """Return JSON that is no message, or has an unknown tag."""
        odd = self.rng.choice((*ODD, {"type": "fly"}, {"type": ""}, {"Type": "start"}))
        return frame(json.dumps(odd).encode()), True

    def act(self, state: Message | None) -> FrameAndVerdict:
        """Return an action: stale, early, out of turn, illegal, or fine."""
        now = 0 if state is None else int(state["seq"])
        seq = self.rng.choice((now, now, now, now - 1, 0, -1, now + 1, now + 1000, 2**62))
        card, cards = self.rng.choice(CARDS), self.rng.sample(CARDS, self.rng.randrange(1, 6))
        action: list[Any] = self.rng.choice(
            (
                ["play", card], ["play", card, card], ["play", "10h"], ["play", [card]], ["pass"],
                ["bid", self.rng.choice((-1, 0, 250, 10**9, 10**40))], ["bid", True], ["bid"],
                ["bury", cards], ["give", cards], ["discard", cards], ["meld", cards],
                ["trump", "X"], ["trump", "♠"], ["deal", cards], ["concede", 1], [], [1, "pass"],
                [0, "play", card], ["play", "ZZ"], ["bury", cards * 40], ["play", None],
            )
        )  # fmt: skip
        message = {"type": "act", "seq": seq, "action": action}
        return frame(json.dumps(message).encode()), False

    def command(self, _: Message | None) -> FrameAndVerdict:
        """Return any command, with a seat that may not exist."""
        tag = self.rng.choice(TAGS)
        if tag == "pause" and self.rng.random() < 0.9:
            tag = "cover"  # pauses are rare, because others have to end them
        seat = self.rng.choice((0, 1, 2, 3, 4, 8, 9, -1, 10**20))
        message: Message = {"type": tag, "seat": seat, "name": "thumb", "on": True, "agree": True}
        return frame(json.dumps({**message, "phrase": "oops", "action": ["pass"]}).encode()), False

    def replayed(self, state: Message | None) -> FrameAndVerdict:
        """Return a message that was valid when it was first sent."""
        if not self.sent:
            return self.no_message(state)
        return frame(self.rng.choice(self.sent)), False

    def forged(self, state: Message | None) -> FrameAndVerdict:
        """Return an action in another's name, in fields that the server ignores."""
        good = self._good(state)
        names = ("person", "id", "seat", "host", "you", "by")
        good |= {self.rng.choice(names): self.rng.choice((0, 1, "id-0", "Ann", True))}
        return frame(json.dumps(good).encode()), False

    def split(self, state: Message | None) -> FrameAndVerdict:
        """Return a message in several frames, with a ping between them."""
        text = b'{"type":"fly away"}'
        at = self.rng.randrange(len(text))
        ping = frame(b"?", 0x9)
        return frame(text[:at], TEXT, final=False) + ping + frame(text[at:], 0), True

    def good(self, state: Message | None) -> bytes | None:
        """Return the action that is due, or None."""
        if state is None or state["decision"] is None:
            return None
        text = json.dumps({"type": "act", "seq": state["seq"], "action": self._choice(state)})
        self.sent.append(text.encode())
        return text.encode()

    def _good(self, state: Message | None) -> Message:
        seq = 0 if state is None else state["seq"]
        return self.rng.choice(
            (
                {"type": "act", "seq": seq, "action": ["play", self.rng.choice(CARDS)]},
                {"type": "talk", "phrase": "hello"},
                {"type": "swap", "seat": 1},
                {"type": "answer", "agree": False},
                {"type": "hints", "on": True},
            )
        )

    def _choice(self, state: Message) -> list[Any]:
        decision, hand = state["decision"], state["view"]["hand"]
        if decision["kind"] == "bid":
            return ["pass"] if decision["pass"] else ["bid", decision["bids"][0]]
        if decision["kind"] == "trump":
            return ["trump", decision["trumps"][0]]
        if decision["kind"] == "upcard":
            return ["discard", []]
        if decision["kind"] == "play":
            return ["play", decision["plays"][0]]
        return [decision["kind"], hand[: decision["sizes"][-1]]]

    def abuse(self) -> tuple[bytes, set[int | None]]:
        """Return a protocol violation and the possible close codes."""
        if self.rng.random() < 0.2:
            return self.rng.randbytes(300), {
                1002,
                1007,
                1009,
            }  # 1007: a close reason that is not UTF-8
        breach, code = self.rng.choice(BREACHES)
        return breach, {code}

    def request(self, table: str, cookie: str) -> bytes:
        """Return an HTTP request that is mostly invalid."""
        rng = self.rng
        path = rng.choice(
            (
                "/", f"/t/{table}", "/t/../../etc/passwd", "/assets/../../../etc/passwd",
                "/%2e%2e/%2e%2e/etc/passwd", "/t/%00", "/t/" + "x" * 3000, "/api", "/api/",
                "/api/tables", "/api/me", "/api/mine", "/api/bots", "/api/variants", "/ws/" + table,
                f"/api/tables/{table}/record.json?game=" + rng.choice(("0", "-1", "9" * 40, "१")),
                f"/api/tables/{table}/record.exe", f"/api/tables/{table}/games",
                f"/api/tables/{table}/replay?game=1&deal=" + rng.choice(("1", "x", "9" * 30, "")),
                f"/r/{table}/" + rng.choice(("0", "1", "x", "9" * 30)), "/api/tables//games",
                "/api/rules?variant=partnership&players=" + rng.choice(("x", "9" * 5000, "-1")),
                "/api/rules?variant=partnership&options=" + "[" * 5000, "/api/rules?variant=%ff",
                '/api/rules?variant=partnership&options={"target":1e999}', "//evil.example/",
                "/api/devices", "/api/devices/code", "/api/devices/look", "/api/devices/take",
                "/api/devices/out", "/health", "/metrics", "/\xf0\x9f\x82\xa1",
            )
        )  # fmt: skip
        method = rng.choice(("GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "PATCH", "X"))
        body = rng.choice(
            (
                b"", b"{", b"[" * 9000, b"x" * 20_000, b"\xff\xfe", b"null", b'{"name":""}',
                b'{"name":"' + b"\\u0000" * 30 + b'"}', b'{"name":5}', b'{"variant":"whist"}',
                b'{"variant":"partnership","options":{"target":-1}}',
                b'{"variant":"partnership","players":' + b"9" * 400 + b"}",
                b'{"variant":"partnership","options":{"hands":1e400}}',
                b'{"variant":"partnership","clock":0}', b'{"variant":["partnership"]}',
                b'{"variant":"partnership","bots":"../../x"}', b'{"variant":"two-handed"}',
                b'{"code":"' + b"acorn " * 500 + b'"}', b'{"code":"\\ud800"}',
                b'{"code":["acorn"]}', b'{"which":"others"}', b'{"which":"\\u0000"}',
                b'{"which":null}',
            )
        )  # fmt: skip
        headers = rng.choice(
            (
                f"Cookie: {cookie}\r\n", f"Cookie: {cookie[:-3]}AAA\r\n", "Cookie: acesaround=\r\n",
                f"Cookie: {cookie}{cookie}\r\n", "Cookie: acesaround=" + "A" * 6000 + "\r\n",
                "Cookie: \xff\xfe=;;;=\r\n", "Origin: http://evil.example\r\n", "Origin: null\r\n",
                "Origin: http://[\r\n", "X-Forwarded-For: 1.1.1.1, evil\r\n", "Range: bytes=9-\r\n",
                "Content-Type: multipart/form-data\r\n", "Accept-Encoding: gzip;q=x\r\n", "",
                "Upgrade: websocket\r\nConnection: Upgrade\r\n", "Expect: 100-continue\r\n",
            )
        )  # fmt: skip
        if headers.startswith("Upgrade"):
            method, body = "GET", b""  # else uvicorn waits for more
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{headers}"
        length = rng.choice((len(body), len(body), len(body), 0))
        written = head.encode("latin-1", "replace") + f"Content-Length: {length}\r\n\r\n".encode()
        if rng.random() < 0.1:
            return rng.randbytes(200) + b"\r\n\r\n"
        return written + body[:length]
