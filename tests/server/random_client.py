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
Over = Callable[[Message], bool]
CARDS = [rank + suit for suit in "SHDC" for rank in "ATKQJ9"]


class Guest:
    """A guest who records every received byte and does a little of everything."""

    def __init__(
        self, name: str, port: int, rng: random.Random, restless: float = 0.0, pause: float = 0.0
    ) -> None:
        self.name, self.port, self.rng = name, port, rng
        self.restless, self.pause = restless, pause
        self.heard: list[bytes] = []
        self.said: set[str] = set()  # cards named in commands of this guest
        self.downloaded: list[tuple[str, bytes]] = []
        self.lost = 0  # connections closed by the server
        self._news = asyncio.Event()
        self._started = False
        self.cookie = ""

    async def enter(self) -> None:
        """Get a cookie and set the name."""
        answer = await wire.ask(self.port, "/api/me", {"name": self.name})
        assert answer.status == 200
        self.cookie = answer.cookie

    async def opens(self, **wanted: Any) -> str:
        """Open a table, and return its id."""
        answer = await wire.ask(self.port, "/api/tables", wanted, self.cookie)
        found: str = answer.json()["id"]
        return found

    async def play(self, table_id: str, over: Over) -> None:
        """Play until it is over; sometimes lose the connection, and download everything."""
        while not await self._play_connected(table_id, over):
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

    async def _play_connected(self, table_id: str, over: Over) -> bool:
        """Play until the end (True) or until the connection is given up (False)."""
        seen = max((json.loads(text)["seq"] for text in self.heard), default=0)
        path = f"/ws/{table_id}?seq={seen}" if seen else f"/ws/{table_id}"
        at, state, acted = len(self.heard), None, False
        socket = await wire.open_socket(self.port, path, self._hear, self.cookie)
        socket.closed.add_done_callback(lambda _: self._news.set())
        try:
            while True:  # steady: each message has its own limit
                async with asyncio.timeout(PATIENCE_SECONDS):
                    while at == len(self.heard):
                        if socket.closed.done():
                            self.lost += 1
                            return False
                        self._news.clear()
                        await self._news.wait()
                message = json.loads(self.heard[at])
                at += 1
                if message["type"] == "state":
                    state = message
                # The answer to an action has events; chat may come before.
                acted &= message["type"] != "refused" and not message.get("events")
                if state is None or state["missed"]:
                    continue
                if over(state):
                    return True
                if self.rng.random() < self.restless / 20:
                    return False
                wish = self._wish(state, acted)
                if wish is not None:
                    await asyncio.sleep(self.pause)
                    acted |= wish["type"] == "act"
                    self.said |= find_cards(json.dumps(wish))
                    socket.send(**wish)
        finally:
            socket.close()
            await asyncio.wait([socket.closed], timeout=PATIENCE_SECONDS)
            socket.transport.abort()

    def _hear(self, text: bytes) -> None:
        self.heard.append(text)
        self._news.set()

    def _wish(self, state: dict[str, Any], acted: bool) -> dict[str, Any] | None:
        table, you = state["table"], state["table"]["you"]
        asked, seat = table["asked"], self.rng.randrange(table["players"])
        if you is None:
            sits = self.rng.random() < self.restless and not table["seats"][seat]["person"]
            return {"type": "sit", "seat": seat} if sits else None
        if not table["started"]:
            ready = table["host"] and not self._started and self.rng.random() < 0.5
            self._started |= ready
            return {"type": "start"} if ready else {"type": "talk", "phrase": "hello"}
        if asked is not None and you in asked["waiting"]:
            return {"type": "answer", "agree": self.rng.random() < 0.7}
        if table["paused"]:
            return {"type": "resume"}
        if table["may"]["back"]:
            return {"type": "back"}
        if self.rng.random() < self.restless:
            kinds: list[dict[str, Any]] = [
                {"type": "undo"}, {"type": "undo"}, {"type": "claim"}, {"type": "pause"},
                {"type": "hint"}, {"type": "hints", "on": True}, {"type": "swap", "seat": seat},
                {"type": "cover", "seat": seat}, {"type": "sit", "seat": seat},
                {"type": "act", "seq": state["seq"], "action": ["play", self.rng.choice(CARDS)]},
            ]  # fmt: skip
            return self.rng.choice(kinds)
        if state["decision"] is None or acted or asked is not None:
            return None
        return {"type": "act", "seq": state["seq"], "action": self._choice(state)}

    def _choice(self, state: dict[str, Any]) -> list[Any]:
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
