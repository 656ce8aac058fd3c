"""A server under hostile messages: each is refused or taken, and nobody else is any the wiser.

The server is a process of its own with its ordinary limits, but for credits that come back ten
times as fast. Honest people play through it all, at the same table and at another one.
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
from acesaround.store import Store
from acesaround.table import entries as log
from acesaround.table.folding import fold
from acesaround.table.games import records
from acesaround.table.messages import RefusalCode
from tests.multiprocess.server import Server
from tests.postgres import Postgres
from tests.server.fuzz_inputs import BREACHES, Hostile
from tests.server.random_client import Guest, Message
from tests.waiting import PATIENCE_SECONDS, wait_until_async
from websocket_client import Answer, Closed, Socket, ask, exchange, frame, open_socket

CODES = frozenset(get_args(RefusalCode))
AT_ONCE = 12  # hostile sockets at the same time
BATCH = 8  # messages until the answers are looked at
ENDLESS = {"target": 1_000_000}
BUSY = {"stale", "rule", "paused", "turn"}
"""Why somebody honest may be refused at a table where others undo, pause and ask for things."""


class Fuzz:
    """One run against one server. `done` counts what was sent, and how it was answered.

    `beside`: a server on the same database, at which somebody looks on at the tables meanwhile.
    """

    def __init__(self, server: Server, rng: random.Random, beside: Server | None = None) -> None:
        self.port, self.rng, self.beside = server.port, rng, beside
        self.pid = server.process.pid
        self.done: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.over = False
        self.left: list[Socket] = []  # opened and then neither read nor closed

    async def run(self, messages: int) -> None:
        """Set up the tables, be hostile that often, and play one honest deal afterwards."""
        honest = [Guest(n, self.port, random.Random(n), pause=0.02) for n in ("Ann", "Dora", "Eve")]
        others = [Guest(n, self.port, random.Random(n), pause=0.02) for n in ("Bob", "Carol")]
        self.mallory = Guest("Mallory", self.port, self.rng)
        self.nick = Guest("Nick", self.port, self.rng)
        for guest in (*honest, *others, self.mallory, self.nick):
            await guest.enter()
        self.table = await honest[0].opens(variant="partnership", options=ENDLESS)
        self.other = await others[0].opens(variant="two-handed", options=ENDLESS)
        if self.beside is not None:  # somebody looks on there to the end
            for table in (self.table, self.other):
                self.left.append(await open_socket(self.beside.port, f"/ws/{table}", ignored))
        for seat, guest in enumerate((self.mallory, *honest[1:]), 1):
            await self._sit(guest, self.table, seat)
        await self._sit(others[1], self.other, 1)
        async with asyncio.TaskGroup() as tasks:
            for guest in honest:
                tasks.create_task(guest.play(self.table, self._ends))
            for guest in others:
                tasks.create_task(guest.play(self.other, self._ends))
            await self._each_code()
            await self._hostile(messages // 5)
            before = self.memory()
            await self._hostile(messages)
            self.grown = self.memory() - before
            await self._a_deal_more(honest[0])
        self.blamed = refusals(honest)
        self.undisturbed = refusals(others)
        assert [guest.lost for guest in others] == [0, 0]
        for socket in self.left:
            socket.transport.abort()
            await closed(socket)

    def _ends(self, state: Message) -> bool:
        return self.over or bool(state["table"]["over"])

    async def _sit(self, guest: Guest, table: str, seat: int) -> None:
        texts: list[bytes] = []
        socket = await open_socket(self.port, f"/ws/{table}", texts.append, guest.cookie)
        socket.send(type="sit", seat=seat)
        await wait_until_async(lambda: texts and json.loads(texts[-1])["table"]["you"] == seat)
        socket.close()
        await socket.closed

    async def _a_deal_more(self, host: Guest) -> None:
        """With a bot for who was hostile, the table goes on as if nothing had been."""
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
        await closed(socket)

    async def _each_code(self) -> None:
        """Say what is surely refused, for each reason that no chance is to leave out."""
        await self._refused(
            self.mallory.cookie,
            malformed={"type": "fly"},
            host={"type": "start"},
            rule={"type": "rematch"},
            stale={"type": "act", "seq": 0, "action": ["pass"]},
        )
        await self._refused(self.nick.cookie, seat={"type": "claim"})
        await self.flood(self.rng)

    async def _refused(self, cookie: str, **sure: Message) -> None:
        """Send messages, each of which is refused with the code that stands before it."""
        heard = Heard()
        socket = await open_socket(self.port, f"/ws/{self.table}", heard, cookie)
        await wait_until_async(lambda: heard.state and heard.state["table"]["started"])
        for message in sure.values():
            socket.send(**message)
        await wait_until_async(lambda: len(heard.refusals) == len(sure))
        assert [refusal["code"] for refusal in heard.refusals] == list(sure)
        socket.close()
        await closed(socket)

    async def _hostile(self, messages: int) -> None:
        until = self._told() + messages

        async def one(rng: random.Random) -> None:
            while self._told() < until:
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
            for _ in range(AT_ONCE):  # each draws for itself, whichever is the quicker
                tasks.create_task(one(random.Random(self.rng.getrandbits(64))))

    def _told(self) -> int:
        """Messages and requests so far; floods are not counted among them."""
        return self.done["message"] + self.done["request"] + self.done["abuse"]

    def _who(self, rng: random.Random) -> tuple[str, str]:
        """A table and a cookie: of who sits there, who looks on, of nobody, or forged."""
        cookies = (
            self.mallory.cookie, self.mallory.cookie, self.nick.cookie, "",
            self.nick.cookie[:-2] + "xx",
        )  # fmt: skip
        return rng.choice((self.table, self.table, self.other)), rng.choice(cookies)

    async def socket(self, rng: random.Random) -> None:
        """A socket that says hostile things until it is through with them or is closed."""
        table, cookie = self._who(rng)
        hostile, heard = Hostile(rng), Heard()
        path = f"/ws/{table}" + rng.choice(("", "", "?seq=1", "?seq=-1", "?seq=9999999999"))
        socket = await open_socket(self.port, path, heard, cookie)
        for number in range(rng.randrange(1, 20)):
            sure = 0
            for _ in range(BATCH):
                good = hostile.good(heard.state) if rng.random() < 0.1 else None
                said, refused = (frame(good), False) if good else hostile.message(heard.state)
                socket.write(said)
                sure += refused
            socket.send(type=f"mark {number}")
            self.done["message"] += BATCH + 1
            before = len(heard.refusals)
            if not await heard.mark(number, socket):
                break  # its credits are spent, or it was too slow to read
            assert len(heard.refusals) - before > sure, "something was not refused"
        else:
            if rng.random() < 0.5:
                said, codes = hostile.abuse()
                socket.write(said)
                socket.close()  # for what only makes the server wait for more
                self.done["abuse"] += 1
                # None: the system tells of what was not read any more before it hands out the code.
                # 1013: too slow to read, where this process has too much else to do.
                assert await closed(socket) in codes | {1000, 1013, None}
            elif rng.random() < 0.5:
                socket.transport.abort()
        for refusal in heard.refusals:
            assert refusal["code"] in CODES
            assert refusal["sentence"]
        self.answered.update(refusal["code"] for refusal in heard.refusals)
        socket.transport.abort()

    async def flood(self, rng: random.Random) -> None:
        """More than anybody may say, all at once."""
        table, cookie = self._who(rng)
        heard = Heard()
        socket = await open_socket(self.port, f"/ws/{table}", heard, cookie)
        said = frame(b'{"type":"talk","phrase":"oops"}')
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not socket.closed.done():
                socket.write(said * 100)
                self.done["flood"] += 100
                await asyncio.sleep(0.05)
        # 1011: no answer to a ping got through the flood; None: nor did the code itself. Who holds
        # too many sockets already is not let in, and is not the flood that is tried here.
        if (code := await closed(socket)) != TRY_LATER or heard.state is not None:
            assert code in (1008, 1011, None)
        self.answered.update(refusal["code"] for refusal in heard.refusals)

    async def leave(self, rng: random.Random) -> None:
        """Sockets that are opened, half opened or not read, and left as they are."""
        table, cookie = self._who(rng)
        for _ in range(rng.randrange(10)):
            with contextlib.suppress(Closed):
                socket = await open_socket(self.port, f"/ws/{table}", ignored, cookie)
                socket.transport.pause_reading()
                self.left.append(socket)
                self.done["left open"] += 1
        loop = asyncio.get_running_loop()
        _, half = await loop.create_connection(
            lambda: Socket(b"GET /ws/x HTTP/1.1\r\nHost: x\r\n", ignored), "127.0.0.1", self.port
        )
        half.opened.add_done_callback(asyncio.Future.exception)
        self.left.append(half)
        while len(self.left) > 200:
            self.left.pop(rng.randrange(len(self.left))).transport.abort()

    async def requests(self, rng: random.Random) -> None:
        """HTTP requests, some of which are not answered because they are none."""
        hostile = Hostile(rng)
        for _ in range(rng.randrange(1, 15)):
            table, cookie = self._who(rng)
            said = hostile.request(table, cookie)
            self.done["request"] += 1
            async with asyncio.timeout(PATIENCE_SECONDS):
                raw = await exchange(self.port, said)
            if raw:
                answer = Answer(raw)
                page = re.match(rb"\w+ /([tr]/| )", said) is not None  # which is not built, here
                assert answer.status < 500 or (answer.status == 503 and page), said
                assert b"Traceback" not in answer.body

    def memory(self) -> float:
        """MB that the server holds."""
        said = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", said)
        assert found is not None
        return int(found[1]) / 1024


def ignored(_: bytes) -> None:
    """What comes back is not looked at."""


class Heard:
    """What came back on one socket."""

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
        """Wait until a mark is refused, so all before it is answered; False if it will not be."""
        wanted = f"'mark {number}'"
        socket.closed.add_done_callback(lambda _: self._news.set())
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not any(wanted in refusal["sentence"] for refusal in self.refusals[-3:]):
                rated = any(refusal["code"] == "rate" for refusal in self.refusals[-BATCH:])
                if rated or socket.closed.done():
                    return False
                self._news.clear()
                await self._news.wait()
        return True


async def closed(socket: Socket) -> int | None:
    """The code with which a socket was closed."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        return await socket.closed


def refusals(guests: Sequence[Guest]) -> set[str]:
    """The codes of what these guests were refused."""
    found = [json.loads(text) for guest in guests for text in guest.heard]
    return {message["code"] for message in found if message["type"] == "refused"}


async def ready(port: int) -> None:
    """Return when the bots of a server think."""
    async with asyncio.timeout(300):  # something may be compiled
        while b"acesaround_bot_pool_ready 1.0\n" not in (await ask(port, "/metrics")).body:
            await asyncio.sleep(0.2)


async def fuzzed(
    folder: Path, messages: int, seed: int, url: str = "", *, grows: bool = False
) -> Fuzz:
    """Run it, then read what is left: the log of the server and those of the tables.

    `url`: a database from which another server serves the tables as well. `grows`: it is watched
    whether the server grows, which takes many messages.
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
            await ready(server.port)  # or it would grow meanwhile by what bots think with
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
            [record] = records(entries)
            assert verify(record) == []
            assert len(record.deals) > 1
    finally:
        await store.close()
    assert fuzz.blamed <= BUSY
    assert fuzz.undisturbed == set()
    if grows:
        assert fuzz.grown < 40, f"the server grew by {fuzz.grown:.0f} MB"
    return fuzz


async def test_hostile_messages_at_one_of_two_servers_harm_nobody(
    tmp_path: Path, postgres: Postgres
) -> None:
    fuzz = await fuzzed(tmp_path, 500, seed=3, url=postgres.url())
    assert fuzz.answered


async def test_hostile_messages_harm_nobody(tmp_path: Path) -> None:
    fuzz = await fuzzed(tmp_path, 1_000, seed=1)
    assert fuzz.answered


@pytest.mark.soak
async def test_a_hundred_thousand_hostile_messages_harm_nobody(tmp_path: Path) -> None:
    fuzz = await fuzzed(tmp_path, 100_000, seed=2, grows=True)
    assert set(fuzz.answered) >= {"malformed", "seat", "host", "turn", "rule", "stale", "rate"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
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


async def test_each_breach_of_the_protocol_is_closed_with_its_code(served: Server) -> None:
    ann = Guest("Ann", served.port, random.Random(1))
    await ann.enter()
    table = await ann.opens(variant="partnership")
    for breach, code in BREACHES:
        socket = await open_socket(served.port, f"/ws/{table}", ignored, ann.cookie)
        socket.write(breach)
        assert await closed(socket) == code, breach[:20]


async def test_five_hundred_sockets_at_once_come_and_go(served: Server) -> None:
    ann = Guest("Ann", served.port, random.Random(1))
    await ann.enter()
    table = await ann.opens(variant="partnership")
    heard = Heard()
    own = await open_socket(served.port, f"/ws/{table}", heard, ann.cookie)
    sockets = await asyncio.gather(
        *(open_socket(served.port, f"/ws/{table}", ignored) for _ in range(500))
    )
    own.send(type="start")
    await wait_until_async(lambda: heard.state and heard.state["view"])
    for number, socket in enumerate(sockets):
        socket.transport.abort() if number % 2 else socket.close()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (
            b"acesaround_websocket_connections 1.0\n"
            not in (await ask(served.port, "/metrics")).body
        ):
            await asyncio.sleep(0.05)
    own.close()
    for socket in (own, *sockets):
        await closed(socket)
