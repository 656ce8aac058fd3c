"""A server under hostile messages: each is refused or accepted, and nobody else is disturbed.

The server runs in its own process with its normal limits, except that rate limits refill ten times
as fast. Honest clients play at the same table and at another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import pytest

from acesaround.record.replay import verify
from acesaround.server.client import TRY_LATER
from acesaround.server.live.table_clients import PLACE_NEEDED
from acesaround.store import Store
from acesaround.table import entries as log
from acesaround.table.folding import fold
from acesaround.table.games import game_records
from acesaround.table.messages import RefusalCode
from tests.multiprocess.server import Server
from tests.postgres import Postgres
from tests.server.fuzz_inputs import BREACHES, Hostile
from tests.server.random_client import Guest, Message
from tests.waiting import PATIENCE_SECONDS, wait_until_async
from websocket_client import Answer, Closed, Socket, ask, exchange, frame, open_socket

REFUSAL_CODES = frozenset(get_args(RefusalCode))
HOSTILE_SOCKETS = 12  # at the same time
BATCH_SIZE = 8  # messages until the answers are checked
ENDLESS = {"target": 1_000_000}
HONEST_REFUSALS = {"stale", "rule", "paused", "turn"}
"""Codes of refusals of honest players at a table where others undo, pause and propose."""


class Fuzz:
    """One run against one server. `done` counts what was sent, `answered` the refusals.

    `beside`: a server on the same database, where a spectator watches the tables.
    """

    def __init__(self, server: Server, rng: random.Random, beside: Server | None = None) -> None:
        self.port, self.rng, self.beside = server.port, rng, beside
        self.pid = server.process.pid
        self.done: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.over = False
        self.left: list[Socket] = []  # neither read nor closed

    async def run(self, messages: int) -> None:
        """Set up tables, send hostile messages, and then play one honest deal."""
        honest = [Guest(n, self.port, random.Random(n), pause=0.02) for n in ("Ann", "Dora", "Eve")]
        others = [Guest(n, self.port, random.Random(n), pause=0.02) for n in ("Bob", "Carol")]
        self.mallory = Guest("Mallory", self.port, self.rng)
        self.nick = Guest("Nick", self.port, self.rng)
        for guest in (*honest, *others, self.mallory, self.nick):
            await guest.enter()
        self.table = await honest[0].opens(variant="partnership", options=ENDLESS)
        self.other = await others[0].opens(variant="two-handed", options=ENDLESS)
        if self.beside is not None:  # spectators
            for table in (self.table, self.other):
                self.left.append(await open_socket(self.beside.port, f"/ws/{table}", ignore))
        for seat, guest in enumerate((self.mallory, *honest[1:]), 1):
            await self._sit(guest, self.table, seat)
        await self._sit(others[1], self.other, 1)
        async with asyncio.TaskGroup() as tasks:
            for guest in honest:
                tasks.create_task(guest.play(self.table, self._ends))
            for guest in others:
                tasks.create_task(guest.play(self.other, self._ends))
            await self._cause_each_refusal()
            await self._hostile(messages // 5)
            before = self.memory()
            await self._hostile(messages)
            self.grown = self.memory() - before
            await self._play_on(honest[0])
        self.blamed = refusal_codes(honest)
        self.undisturbed = refusal_codes(others)
        assert [guest.lost for guest in others] == [0, 0]
        for socket in self.left:
            socket.transport.abort()
            await close_code(socket)

    def _ends(self, state: Message) -> bool:
        return self.over or bool(state["table"]["over"])

    async def _sit(self, guest: Guest, table: str, seat: int) -> None:
        texts: list[bytes] = []
        socket = await open_socket(self.port, f"/ws/{table}", texts.append, guest.cookie)
        socket.send(type="sit", seat=seat)
        await wait_until_async(lambda: texts and json.loads(texts[-1])["table"]["you"] == seat)
        socket.close()
        await socket.closed

    async def _play_on(self, host: Guest) -> None:
        """Replace the hostile player by a bot, and wait until the table goes on."""
        texts: list[bytes] = []
        socket = await open_socket(self.port, f"/ws/{self.table}", texts.append, host.cookie)
        await wait_until_async(lambda: texts)
        table = json.loads(texts[-1])["table"]
        for seat, held in enumerate(table["seats"]):
            if held["name"] == "Mallory":
                socket.send(type="remove", seat=seat)
        seq = json.loads(texts[-1])["seq"]
        await wait_until_async(lambda: json.loads(texts[-1])["seq"] >= seq + 60)
        self.over = True
        socket.close()
        await close_code(socket)

    async def _cause_each_refusal(self) -> None:
        await self._assert_refused(
            self.mallory.cookie,
            malformed={"type": "fly"},
            host={"type": "start"},
            rule={"type": "rematch"},
            stale={"type": "act", "seq": 0, "action": ["pass"]},
        )
        await self._assert_refused(self.nick.cookie, seat={"type": "claim"})
        await self.flood(self.rng)

    async def _assert_refused(self, cookie: str, **sure: Message) -> None:
        """Send messages, and assert that each is refused with the code of its keyword."""
        heard = ReceivedMessages()
        socket = await open_socket(self.port, f"/ws/{self.table}", heard, cookie)
        await wait_until_async(lambda: heard.state and heard.state["table"]["started"])
        for message in sure.values():
            socket.send(**message)
        await wait_until_async(lambda: len(heard.refusals) == len(sure))
        assert [refusal["code"] for refusal in heard.refusals] == list(sure)
        socket.close()
        await close_code(socket)

    async def _hostile(self, messages: int) -> None:
        until = self._sent_count() + messages

        async def one(rng: random.Random) -> None:
            while self._sent_count() < until:
                kind = rng.random()
                if kind < 0.75:
                    await self.socket(rng)
                elif kind < 0.9:
                    await self.requests(rng)
                elif kind < 0.95:
                    await self.flood(rng)
                else:
                    await self.leave(rng)

        async with asyncio.TaskGroup() as tasks:
            for _ in range(HOSTILE_SOCKETS):  # each has its own seed
                tasks.create_task(one(random.Random(self.rng.getrandbits(64))))

    def _sent_count(self) -> int:
        """Return the number of messages and requests so far, without floods."""
        return self.done["message"] + self.done["request"] + self.done["abuse"]

    def _who(self, rng: random.Random) -> tuple[str, str]:
        """Return a table and a cookie: of a player, a spectator, nobody, or a forged one."""
        cookies = (
            self.mallory.cookie, self.mallory.cookie, self.nick.cookie, "",
            self.nick.cookie[:-2] + "xx",
        )  # fmt: skip
        return rng.choice((self.table, self.table, self.other)), rng.choice(cookies)

    async def socket(self, rng: random.Random) -> None:
        """Send hostile messages on one socket."""
        table, cookie = self._who(rng)
        hostile, heard = Hostile(rng), ReceivedMessages()
        path = f"/ws/{table}" + rng.choice(("", "", "?seq=1", "?seq=-1", "?seq=9999999999"))
        socket = await open_socket(self.port, path, heard, cookie)
        for number in range(rng.randrange(1, 20)):
            sure = 0
            for _ in range(BATCH_SIZE):
                good = hostile.good(heard.state) if rng.random() < 0.1 else None
                said, refused = (frame(good), False) if good else hostile.message(heard.state)
                socket.write(said)
                sure += refused
            socket.send(type=f"mark {number}")
            self.done["message"] += BATCH_SIZE + 1
            before = len(heard.refusals)
            if not await heard.mark(number, socket):
                break  # rate limited, or too slow to read
            assert len(heard.refusals) - before > sure, "something was not refused"
        else:
            if rng.random() < 0.5:
                said, codes = hostile.abuse()
                socket.write(said)
                socket.close()  # if the server waits for more
                self.done["abuse"] += 1
                # None: the connection was reset before the code was read.
                # 1013: this process read too slowly.
                assert await close_code(socket) in codes | {1000, 1013, None}
            elif rng.random() < 0.5:
                socket.transport.abort()
        for refusal in heard.refusals:
            assert refusal["code"] in REFUSAL_CODES
            assert refusal["sentence"]
        self.answered.update(refusal["code"] for refusal in heard.refusals)
        socket.transport.abort()

    async def flood(self, rng: random.Random) -> None:
        """Send more messages than allowed, at once."""
        table, cookie = self._who(rng)
        heard = ReceivedMessages()
        socket = await open_socket(self.port, f"/ws/{table}", heard, cookie)
        said = frame(b'{"type":"talk","phrase":"oops"}')
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not socket.closed.done():
                socket.write(said * 100)
                self.done["flood"] += 100
                await asyncio.sleep(0.05)
        # 1011: no pong got through the flood; None: nor did the code.
        if (code := await close_code(socket)) != TRY_LATER:
            assert code in (1008, 1011, None)
        elif heard.state is not None:  # otherwise it was refused before the flood
            assert socket.close_reason in ("", PLACE_NEEDED)  # no reason: it was read too slowly
        self.answered.update(refusal["code"] for refusal in heard.refusals)

    async def leave(self, rng: random.Random) -> None:
        """Open sockets that are half open or unread, and leave them."""
        table, cookie = self._who(rng)
        for _ in range(rng.randrange(10)):
            with contextlib.suppress(Closed):
                socket = await open_socket(self.port, f"/ws/{table}", ignore, cookie)
                socket.transport.pause_reading()
                self.left.append(socket)
                self.done["left open"] += 1
        loop = asyncio.get_running_loop()
        _, half = await loop.create_connection(
            lambda: Socket(b"GET /ws/x HTTP/1.1\r\nHost: x\r\n", ignore), "127.0.0.1", self.port
        )
        half.opened.add_done_callback(asyncio.Future.exception)
        self.left.append(half)
        while len(self.left) > 200:
            self.left.pop(rng.randrange(len(self.left))).transport.abort()

    async def requests(self, rng: random.Random) -> None:
        """Send HTTP requests, some of which are invalid."""
        hostile = Hostile(rng)
        for _ in range(rng.randrange(1, 15)):
            table, cookie = self._who(rng)
            said = hostile.request(table, cookie)
            self.done["request"] += 1
            async with asyncio.timeout(PATIENCE_SECONDS):
                raw = await exchange(self.port, said)
            if raw:
                answer = Answer(raw)
                page = re.match(rb"\w+ /([tr]/| )", said) is not None  # the page is not built
                assert answer.status < 500 or (answer.status == 503 and page), said
                assert b"Traceback" not in answer.body

    def memory(self) -> float:
        """Return the memory of the server in MB."""
        said = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", said)
        assert found is not None
        return int(found[1]) / 1024


def ignore(_: bytes) -> None:
    """Ignore a message."""


class ReceivedMessages:
    """The messages received on one socket."""

    def __init__(self) -> None:
        self.state: Message | None = None
        self.refusals: list[Message] = []
        self._news = asyncio.Event()

    def __call__(self, text: bytes) -> None:
        message = json.loads(text)
        assert message["type"] in ("state", "refused", "hint")
        if message["type"] == "state":
            self.state = message
        elif message["type"] == "refused":
            self.refusals.append(message)
        self._news.set()

    async def mark(self, number: int, socket: Socket) -> bool:
        """Wait until a mark is refused; return False if it will not be."""
        wanted = f"'mark {number}'"
        socket.closed.add_done_callback(lambda _: self._news.set())
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not any(wanted in refusal["sentence"] for refusal in self.refusals[-3:]):
                rated = any(refusal["code"] == "rate" for refusal in self.refusals[-BATCH_SIZE:])
                if rated or socket.closed.done():
                    return False
                self._news.clear()
                await self._news.wait()
        return True


async def close_code(socket: Socket) -> int | None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        return await socket.closed


def refusal_codes(guests: Sequence[Guest]) -> set[str]:
    found = [json.loads(text) for guest in guests for text in guest.heard]
    return {message["code"] for message in found if message["type"] == "refused"}


async def wait_until_ready(port: int) -> None:
    async with asyncio.timeout(300):  # kernels may be compiled
        while b"acesaround_bot_pool_ready 1.0\n" not in (await ask(port, "/metrics")).body:
            await asyncio.sleep(0.2)


async def run_fuzz(
    folder: Path, messages: int, seed: int, url: str = "", *, grows: bool = False
) -> Fuzz:
    """Run a fuzz test, then check the log of the server and those of the tables.

    `url`: a database on which a second server serves the tables too. `grows`: check the memory of
    the server, which takes many messages.
    """
    url, several = url or f"sqlite:///{folder / 'tables.sqlite'}", bool(url)
    limits: dict[str, Any] = {"socket_messages": 100, "socket_message_seconds": 2.0}
    beside = (
        Server(url, folder / "log_beside", **limits, start_bots_early=grows) if several else None
    )
    server = Server(url, folder / "log", **limits, start_bots_early=grows)
    try:
        for one in (beside, server):
            if one is not None:
                one.start()
        if grows:
            await wait_until_ready(server.port)  # so that loaded kernels do not count
        fuzz = Fuzz(server, random.Random(seed), beside)
        await fuzz.run(messages)
        assert server.answers()
    finally:
        for one in (server, beside):
            if one is not None:
                one.stop()
    for log_file in folder.glob("log*"):
        said = log_file.read_text()
        assert "Traceback" not in said, said
        assert "ERROR" not in said, said
    store = await Store.open(url)
    try:
        for table in (fuzz.table, fuzz.other):
            entries = [log.decode(body) for body in await store.entries(table)]
            assert fold(entries).seq == len(entries)
            [record] = game_records(entries)
            assert verify(record) == []
            assert len(record.deals) > 1
    finally:
        await store.close()
    assert fuzz.blamed <= HONEST_REFUSALS
    assert fuzz.undisturbed == set()
    if grows:
        assert fuzz.grown < 40, f"the server grew by {fuzz.grown:.0f} MB"
    return fuzz


async def test_hostile_messages_at_a_second_server(tmp_path: Path, postgres: Postgres) -> None:
    fuzz = await run_fuzz(tmp_path, 500, seed=3, url=postgres.url())
    assert fuzz.answered


async def test_hostile_messages_harm_nobody(tmp_path: Path) -> None:
    fuzz = await run_fuzz(tmp_path, 1_000, seed=1)
    assert fuzz.answered


@pytest.mark.soak
async def test_a_hundred_thousand_hostile_messages_harm_nobody(tmp_path: Path) -> None:
    fuzz = await run_fuzz(tmp_path, 100_000, seed=2, grows=True)
    assert set(fuzz.answered) >= {"malformed", "seat", "host", "turn", "rule", "stale", "rate"}


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    server = Server(f"sqlite:///{folder / 'tables.sqlite'}", folder / "log")
    server.start()
    try:
        yield server
    finally:
        server.stop()
    said = server.log.read_text()
    assert "ERROR" not in said
    assert "Traceback" not in said


async def test_protocol_violation_is_closed_with_its_code(shared_server: Server) -> None:
    ann = Guest("Ann", shared_server.port, random.Random(1))
    await ann.enter()
    table = await ann.opens(variant="partnership")
    for breach, code in BREACHES:
        socket = await open_socket(shared_server.port, f"/ws/{table}", ignore, ann.cookie)
        socket.write(breach)
        assert await close_code(socket) == code, breach[:20]


async def test_five_hundred_sockets_open_and_close(shared_server: Server) -> None:
    ann = Guest("Ann", shared_server.port, random.Random(1))
    await ann.enter()
    table = await ann.opens(variant="partnership")
    heard = ReceivedMessages()
    own = await open_socket(shared_server.port, f"/ws/{table}", heard, ann.cookie)
    sockets = await asyncio.gather(
        *(open_socket(shared_server.port, f"/ws/{table}", ignore) for _ in range(500))
    )
    own.send(type="start")
    await wait_until_async(lambda: heard.state and heard.state["view"])
    for number, socket in enumerate(sockets):
        socket.transport.abort() if number % 2 else socket.close()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (
            b"acesaround_websocket_connections 1.0\n"
            not in (await ask(shared_server.port, "/metrics")).body
        ):
            await asyncio.sleep(0.05)
    own.close()
    for socket in (own, *sockets):
        await close_code(socket)
