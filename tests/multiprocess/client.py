"""A player over WebSockets who reconnects to other servers and remembers everything shown."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.waiting import PATIENCE_SECONDS

Message = dict[str, Any]
_RETRY_SECONDS = 0.1  # until another server is tried


class Player:
    """A guest with a name, who tries servers in turn.

    `seen`: every state received. `acted`: every action that a later state on the same connection
    followed, with the seq at which it was chosen.
    """

    def __init__(self, name: str, ports: list[int]) -> None:
        self.name = name
        self.seen: list[Message] = []
        self.acted: list[tuple[int, list[Any]]] = []
        self.connections = 0
        self.refused: dict[str, int] = {}
        self._ports = ports
        self.cookie = ""

    def servers(self, ports: list[int]) -> None:
        """Use these servers from now on, in this order."""
        self._ports = ports

    async def open_table(self, **wanted: Any) -> str:
        """Open a table with quick bots, and return its id."""
        answer = await self._ask("POST", "/api/tables", {"bots": "thumb", **wanted})
        found: str = answer.json()["id"]
        return found

    async def enter(self) -> None:
        """Get a cookie and set the name."""
        answer = await self._ask("POST", "/api/me", {"name": self.name})
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    async def get(self, path: str) -> bytes:
        """Return the body of a GET request."""
        return (await self._ask("GET", path)).content

    async def _ask(self, method: str, path: str, sent: Message | None = None) -> httpx2.Response:
        headers = {"cookie": self.cookie} if self.cookie else {}
        while True:
            url = f"http://127.0.0.1:{self._ports[0]}{path}"
            try:
                async with httpx2.AsyncClient(trust_env=False, timeout=PATIENCE_SECONDS) as client:
                    answer = await client.request(method, url, json=sent, headers=headers)
                if answer.status_code < 400:
                    return answer
                assert answer.status_code == 503, answer.text
                why = f"status {answer.status_code}"
            except httpx2.HTTPError as error:
                why = repr(error)
            await self._switch_server(why)

    async def _switch_server(self, why: str) -> None:
        self._ports = [*self._ports[1:], self._ports[0]]
        await asyncio.sleep(_RETRY_SECONDS)

    async def play(
        self, table_id: str, seat: int = 0, waits: int | None = None, limit: float = 600.0
    ) -> None:
        """Sit at a table and play until its game is over.

        The host starts it when somebody sits in the seat `waits`.
        """
        async with asyncio.timeout(limit):
            while not (self.seen and self.seen[-1]["table"]["over"]):
                try:
                    await self._sit(table_id, seat, waits)
                except (OSError, WebSocketException, TimeoutError) as error:
                    await self._switch_server(repr(error))

    async def _sit(self, table_id: str, seat: int, waits: int | None) -> None:
        last = f"?seq={self.seen[-1]['seq']}" if self.seen else ""
        async with connect(
            f"ws://127.0.0.1:{self._ports[0]}/ws/{table_id}{last}",
            additional_headers={"cookie": self.cookie},
            compression=None,
            proxy=None,
            max_queue=None,
            open_timeout=PATIENCE_SECONDS,
            close_timeout=PATIENCE_SECONDS,
            ping_interval=None,  # a slow server is not lost
        ) as socket:
            self.connections += 1
            await self._follow(socket, lambda state: self._wish(state, seat, waits))

    async def _follow(
        self, socket: ClientConnection, wish: Callable[[Message], Message | None]
    ) -> None:
        """Send what `wish` returns for each state, once, until the game is over."""
        pending: tuple[int, list[Any]] | None = None
        sent: tuple[int, str] | None = None
        first = True
        async for text in socket:
            message: Message = json.loads(text)
            if message["type"] == "refused":
                code = message["code"]
                self.refused[code] = self.refused.get(code, 0) + 1
                pending = None
                if code == "unsaved":
                    await asyncio.sleep(_RETRY_SECONDS)
                    sent = None
                    message = self.seen[-1]
                elif code != "stale":
                    assert code in ("turn", "rule"), message
                    continue
                else:
                    continue
            else:
                # The seq never falls; it stays if only presence changes.
                assert first or message["seq"] >= self.seen[-1]["seq"]
                first = False
                if pending is not None and message["seq"] > pending[0]:
                    self.acted.append(pending)
                    pending = None
                self.saw(message)
            if message["table"]["over"]:
                return
            command = None if message["missed"] else wish(message)
            if command is not None and sent != (message["seq"], command["type"]):
                sent = message["seq"], command["type"]
                if command["type"] == "act":
                    pending = command["seq"], command["action"]
                await socket.send(json.dumps(command))

    def saw(self, state: Message) -> None:
        self.seen.append(state)

    def _wish(self, state: Message, seat: int, waits: int | None) -> Message | None:
        table = state["table"]
        if table["you"] is None:
            return {"type": "sit", "seat": seat}
        if not table["started"]:
            ready = waits is None or table["seats"][waits]["person"]
            return {"type": "start"} if table["host"] and ready else None
        if state["decision"] is None:
            return None
        return {"type": "act", "seq": state["seq"], "action": self._choice(state)}

    def _choice(self, state: Message) -> list[Any]:
        """Return a legal action, always the same one in the same state.

        So an action whose answer was lost may be sent again to another server.
        """
        decision, hand = state["decision"], state["view"]["hand"]
        rng = random.Random(f"{self.name} {state['seq']}")
        kind, choose = decision["kind"], rng.choice
        if kind == "bid":
            must = not decision["pass"]
            return ["bid", decision["bids"][0]] if must or rng.random() < 0.4 else ["pass"]
        if kind == "trump":
            return ["trump", choose(decision["trumps"])]
        if kind == "upcard":
            takes = decision["nine"] and rng.random() < 0.5
            return ["discard", [decision["nine"]] if takes else []]
        if kind == "play":
            return ["play", choose(decision["plays"])]
        chosen = rng.sample(range(len(hand)), choose(decision["sizes"]))
        return [kind, [hand[place] for place in sorted(chosen)]]  # in the order of the log
