"""A client on a real socket that does a little of everything that people do."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import websocket_client as wire
from tests.server.visibility_oracle import find_cards
from tests.waiting import PATIENCE_SECONDS

Message = dict[str, Any]
IsOver = Callable[[Message], bool]
CARDS = [rank + suit for suit in "SHDC" for rank in "ATKQJ9"]


class Guest:
    """A guest who records every received byte and acts at random.

    `restlessness`: how often it does something else than playing, from 0 to 1.
    """

    def __init__(
        self,
        name: str,
        port: int,
        rng: random.Random,
        restlessness: float = 0.0,
        pause_seconds: float = 0.0,
    ) -> None:
        self.name, self.port, self.rng = name, port, rng
        self.restlessness, self.pause_seconds = restlessness, pause_seconds
        self.received: list[bytes] = []
        self.named_cards: set[str] = set()  # in its own commands
        self.downloaded: list[tuple[str, bytes]] = []
        self.lost_connections = 0  # closed by the server
        self._news = asyncio.Event()
        self._started = False
        self.cookie = ""

    async def enter(self) -> None:
        """Get a cookie and set the name."""
        answer = await wire.ask(self.port, "/api/me", {"name": self.name})
        assert answer.status == 200
        self.cookie = answer.cookie

    async def open_table(self, **wanted: Any) -> str:
        """Open a table, and return its id."""
        answer = await wire.ask(self.port, "/api/tables", wanted, self.cookie)
        table_id: str = answer.json()["id"]
        return table_id

    async def play(self, table_id: str, is_over: IsOver) -> None:
        """Play until it is over; sometimes lose the connection, and download everything."""
        while not await self._play_connected(table_id, is_over):
            for path in (
                "/api/tables", "/api/mine", "/api/mine/results", f"/api/tables/{table_id}/games",
                f"/api/tables/{table_id}/record.json", f"/api/tables/{table_id}/record.txt",
                f"/api/tables/{table_id}/replay?game=1&deal=1",
            ):  # fmt: skip
                answer = await self._download(path)
                if answer.status == 200:
                    self.downloaded.append((path.rpartition("/")[2], answer.body))
                else:
                    assert answer.status in (403, 404), answer.body

    async def _download(self, path: str) -> wire.Answer:
        """Return the response of a path, repeated while the server is busy."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (answer := await wire.ask(self.port, path, cookie=self.cookie)).status == 503:
                await asyncio.sleep(0.05)
        return answer

    async def _play_connected(self, table_id: str, is_over: IsOver) -> bool:
        """Play until the end (True) or until the connection is given up (False)."""
        seen = max((json.loads(text)["seq"] for text in self.received), default=0)
        path = f"/ws/{table_id}?seq={seen}" if seen else f"/ws/{table_id}"
        at, state, acted = len(self.received), None, False
        socket = await wire.open_socket(self.port, path, self._on_message, self.cookie)
        socket.closed.add_done_callback(lambda _: self._news.set())
        try:
            while True:  # steady: each message has its own limit
                async with asyncio.timeout(PATIENCE_SECONDS):
                    while at == len(self.received):
                        if socket.closed.done():
                            self.lost_connections += 1
                            return False
                        self._news.clear()
                        await self._news.wait()
                message = json.loads(self.received[at])
                at += 1
                if message["type"] == "state":
                    state = message
                # The answer to an action has events; chat may come before.
                acted &= message["type"] != "refused" and not message.get("events")
                if state is None or state["missed"]:
                    continue
                if is_over(state):
                    return True
                if self.rng.random() < self.restlessness / 20:
                    return False
                message_to_send = self._choose_message(state, acted)
                if message_to_send is not None:
                    await asyncio.sleep(self.pause_seconds)
                    acted |= message_to_send["type"] == "act"
                    self.named_cards |= find_cards(json.dumps(message_to_send))
                    socket.send(**message_to_send)
        finally:
            socket.close()
            await asyncio.wait([socket.closed], timeout=PATIENCE_SECONDS)
            socket.transport.abort()

    def _on_message(self, text: bytes) -> None:
        self.received.append(text)
        self._news.set()

    def _choose_message(self, state: dict[str, Any], acted: bool) -> dict[str, Any] | None:
        table, you = state["table"], state["table"]["you"]
        asked, seat = table["proposal"], self.rng.randrange(table["players"])
        if you is None:
            sits = self.rng.random() < self.restlessness and not table["seats"][seat]["person"]
            return {"type": "sit", "seat": seat} if sits else None
        if not table["started"]:
            ready = table["host"] and not self._started and self.rng.random() < 0.5
            self._started |= ready
            return {"type": "start"} if ready else {"type": "talk", "phrase": "hello"}
        if asked is not None and you in asked["waiting"]:
            return {"type": "answer", "agree": self.rng.random() < 0.7}
        if table["paused"]:
            return {"type": "resume"}
        if table["allowed"]["take_over"]:
            return {"type": "back"}
        if self.rng.random() < self.restlessness:
            kinds: list[dict[str, Any]] = [
                {"type": "undo"}, {"type": "undo"}, {"type": "claim"}, {"type": "pause"},
                {"type": "hint"}, {"type": "hints", "on": True}, {"type": "swap", "seat": seat},
                {"type": "cover", "seat": seat}, {"type": "sit", "seat": seat},
                {"type": "act", "seq": state["seq"], "action": ["play", self.rng.choice(CARDS)]},
            ]  # fmt: skip
            return self.rng.choice(kinds)
        if state["decision"] is None or acted or asked is not None:
            return None
        return {"type": "act", "seq": state["seq"], "action": self._choose_action(state)}

    def _choose_action(self, state: dict[str, Any]) -> list[Any]:
        decision, hand = state["decision"], state["view"]["hand"]
        if decision["kind"] == "bid":
            bids = [["bid", points] for points in decision["bids"][:1]]
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
