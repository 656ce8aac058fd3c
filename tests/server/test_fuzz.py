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
from acesaround.server.live.table_clients import PLACE_NEEDED
from acesaround.server.table_client import TRY_LATER
from acesaround.store import Store
from acesaround.table import entries as log
from acesaround.table.folding import fold
from acesaround.table.games import game_records
from acesaround.table.messages import RefusalCode
from tests.multiprocess.server import Server
from tests.postgres import Postgres
from tests.server.fuzz_inputs import BREACHES, HostileInputs
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
    """One run against one server. `sent_counts` counts messages, `refusal_counts` refusals.

    `second_server`: a server on the same database, where a spectator watches the tables.
    """

    def __init__(
        self, server: Server, rng: random.Random, second_server: Server | None = None
    ) -> None:
        self.port, self.rng, self.second_server = server.port, rng, second_server
        self.pid = server.process.pid
        self.sent_counts: Counter[str] = Counter()
        self.refusal_counts: Counter[str] = Counter()
        self.is_over = False
        self.abandoned_sockets: list[Socket] = []  # neither read nor closed

    async def run(self, messages: int) -> None:
        """Set up tables, send hostile messages, and then play one honest deal."""
        honest = [
            Guest(n, self.port, random.Random(n), pause_seconds=0.02)
            for n in ("Ann", "Dora", "Eve")
        ]
        others = [
            Guest(n, self.port, random.Random(n), pause_seconds=0.02) for n in ("Bob", "Carol")
        ]
        self.mallory = Guest("Mallory", self.port, self.rng)
        self.nick = Guest("Nick", self.port, self.rng)
        for guest in (*honest, *others, self.mallory, self.nick):
            await guest.enter()
        self.table = await honest[0].open_table(variant="partnership", options=ENDLESS)
        self.other = await others[0].open_table(variant="two-handed", options=ENDLESS)
        if self.second_server is not None:  # spectators
            for table in (self.table, self.other):
                self.abandoned_sockets.append(
                    await open_socket(self.second_server.port, f"/ws/{table}", ignore_message)
                )
        for seat, guest in enumerate((self.mallory, *honest[1:]), 1):
            await self._sit(guest, self.table, seat)
        await self._sit(others[1], self.other, 1)
        async with asyncio.TaskGroup() as tasks:
            for guest in honest:
                tasks.create_task(guest.play(self.table, self._is_over_state))
            for guest in others:
                tasks.create_task(guest.play(self.other, self._is_over_state))
            await self._cause_each_refusal()
            await self._send_hostile(messages // 5)
            before = self.read_memory_mb()
            await self._send_hostile(messages)
            self.grown = self.read_memory_mb() - before
            await self._play_on(honest[0])
        self.blamed = refusal_codes(honest)
        self.undisturbed = refusal_codes(others)
        assert [guest.lost_connections for guest in others] == [0, 0]
        for socket in self.abandoned_sockets:
            socket.transport.abort()
            await close_code(socket)

    def _is_over_state(self, state: Message) -> bool:
        return self.is_over or bool(state["table"]["over"])

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
        self.is_over = True
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

    async def _assert_refused(self, cookie: str, **messages_by_code: Message) -> None:
        """Send messages, and assert that each is refused with the code of its keyword."""
        received = ReceivedMessages()
        socket = await open_socket(self.port, f"/ws/{self.table}", received, cookie)
        await wait_until_async(lambda: received.state and received.state["table"]["started"])
        for message in messages_by_code.values():
            socket.send(**message)
        await wait_until_async(lambda: len(received.refusals) == len(messages_by_code))
        assert [refusal["code"] for refusal in received.refusals] == list(messages_by_code)
        socket.close()
        await close_code(socket)

    async def _send_hostile(self, messages: int) -> None:
        until = self._sent_count() + messages

        async def one(rng: random.Random) -> None:
            while self._sent_count() < until:
                kind = rng.random()
                if kind < 0.75:
                    await self.use_socket(rng)
                elif kind < 0.9:
                    await self.send_requests(rng)
                elif kind < 0.95:
                    await self.flood(rng)
                else:
                    await self.abandon_sockets(rng)

        async with asyncio.TaskGroup() as tasks:
            for _ in range(HOSTILE_SOCKETS):  # each has its own seed
                tasks.create_task(one(random.Random(self.rng.getrandbits(64))))

    def _sent_count(self) -> int:
        """Return the number of messages and requests so far, without floods."""
        return self.sent_counts["message"] + self.sent_counts["request"] + self.sent_counts["abuse"]

    def _choose_table_and_cookie(self, rng: random.Random) -> tuple[str, str]:
        """Return a table and a cookie: of a player, a spectator, nobody, or a forged one."""
        cookies = (
            self.mallory.cookie, self.mallory.cookie, self.nick.cookie, "",
            self.nick.cookie[:-2] + "xx",
        )  # fmt: skip
        return rng.choice((self.table, self.table, self.other)), rng.choice(cookies)

    async def use_socket(self, rng: random.Random) -> None:
        """Send hostile messages on one socket."""
        table, cookie = self._choose_table_and_cookie(rng)
        hostile, received = HostileInputs(rng), ReceivedMessages()
        path = f"/ws/{table}" + rng.choice(("", "", "?seq=1", "?seq=-1", "?seq=9999999999"))
        socket = await open_socket(self.port, path, received, cookie)
        for number in range(rng.randrange(1, 20)):
            refused_count = 0
            for _ in range(BATCH_SIZE):
                good = hostile.good(received.state) if rng.random() < 0.1 else None
                sent, refused = (frame(good), False) if good else hostile.message(received.state)
                socket.write(sent)
                refused_count += refused
            socket.send(type=f"mark {number}")
            self.sent_counts["message"] += BATCH_SIZE + 1
            before = len(received.refusals)
            if not await received.wait_for_mark(number, socket):
                break  # rate limited, or too slow to read
            assert len(received.refusals) - before > refused_count, "something was not refused"
        else:
            if rng.random() < 0.5:
                sent, codes = hostile.abuse()
                socket.write(sent)
                socket.close()  # if the server waits for more
                self.sent_counts["abuse"] += 1
                # None: the connection was reset before the code was read.
                # 1013: this process read too slowly.
                assert await close_code(socket) in codes | {1000, 1013, None}
            elif rng.random() < 0.5:
                socket.transport.abort()
        for refusal in received.refusals:
            assert refusal["code"] in REFUSAL_CODES
            assert refusal["sentence"]
        self.refusal_counts.update(refusal["code"] for refusal in received.refusals)
        socket.transport.abort()

    async def flood(self, rng: random.Random) -> None:
        """Send more messages than allowed, at once."""
        table, cookie = self._choose_table_and_cookie(rng)
        received = ReceivedMessages()
        socket = await open_socket(self.port, f"/ws/{table}", received, cookie)
        sent = frame(b'{"type":"talk","phrase":"oops"}')
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not socket.closed.done():
                socket.write(sent * 100)
                self.sent_counts["flood"] += 100
                await asyncio.sleep(0.05)
        # 1011: no pong got through the flood; None: nor did the code.
        if (code := await close_code(socket)) != TRY_LATER:
            assert code in (1008, 1011, None)
        elif received.state is not None:  # otherwise it was refused before the flood
            assert socket.close_reason in ("", PLACE_NEEDED)  # no reason: it was read too slowly
        self.refusal_counts.update(refusal["code"] for refusal in received.refusals)

    async def abandon_sockets(self, rng: random.Random) -> None:
        """Open sockets that are half open or unread, and leave them."""
        table, cookie = self._choose_table_and_cookie(rng)
        for _ in range(rng.randrange(10)):
            with contextlib.suppress(Closed):
                socket = await open_socket(self.port, f"/ws/{table}", ignore_message, cookie)
                socket.transport.pause_reading()
                self.abandoned_sockets.append(socket)
                self.sent_counts["left open"] += 1
        loop = asyncio.get_running_loop()
        _, half = await loop.create_connection(
            lambda: Socket(b"GET /ws/x HTTP/1.1\r\nHost: x\r\n", ignore_message),
            "127.0.0.1",
            self.port,
        )
        half.opened.add_done_callback(asyncio.Future.exception)
        self.abandoned_sockets.append(half)
        while len(self.abandoned_sockets) > 200:
            self.abandoned_sockets.pop(rng.randrange(len(self.abandoned_sockets))).transport.abort()

    async def send_requests(self, rng: random.Random) -> None:
        """Send HTTP requests, some of which are invalid."""
        hostile = HostileInputs(rng)
        for _ in range(rng.randrange(1, 15)):
            table, cookie = self._choose_table_and_cookie(rng)
            sent = hostile.request(table, cookie)
            self.sent_counts["request"] += 1
            async with asyncio.timeout(PATIENCE_SECONDS):
                raw = await exchange(self.port, sent)
            if raw:
                answer = Answer(raw)
                page = re.match(rb"\w+ /([tr]/| )", sent) is not None  # the page is not built
                assert answer.status < 500 or (answer.status == 503 and page), sent
                assert b"Traceback" not in answer.body

    def read_memory_mb(self) -> float:
        """Return the memory of the server in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        resident_kb = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert resident_kb is not None
        return int(resident_kb[1]) / 1024


def ignore_message(_: bytes) -> None:
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

    async def wait_for_mark(self, number: int, socket: Socket) -> bool:
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
    found = [json.loads(text) for guest in guests for text in guest.received]
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
    limits: dict[str, Any] = {"max_messages_per_websocket": 100, "rate_window_seconds": 2.0}
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
        log_text = log_file.read_text()
        assert "Traceback" not in log_text, log_text
        assert "ERROR" not in log_text, log_text
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
    assert fuzz.refusal_counts


async def test_hostile_messages_harm_nobody(tmp_path: Path) -> None:
    fuzz = await run_fuzz(tmp_path, 1_000, seed=1)
    assert fuzz.refusal_counts


@pytest.mark.soak
async def test_a_hundred_thousand_hostile_messages_harm_nobody(tmp_path: Path) -> None:
    fuzz = await run_fuzz(tmp_path, 100_000, seed=2, grows=True)
    assert set(fuzz.refusal_counts) >= {
        "malformed",
        "seat",
        "host",
        "turn",
        "rule",
        "stale",
        "rate",
    }


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    server = Server(f"sqlite:///{folder / 'tables.sqlite'}", folder / "log")
    server.start()
    try:
        yield server
    finally:
        server.stop()
    log_text = server.log.read_text()
    assert "ERROR" not in log_text
    assert "Traceback" not in log_text


async def test_protocol_violation_is_closed_with_its_code(shared_server: Server) -> None:
    ann = Guest("Ann", shared_server.port, random.Random(1))
    await ann.enter()
    table = await ann.open_table(variant="partnership")
    for breach, code in BREACHES:
        socket = await open_socket(shared_server.port, f"/ws/{table}", ignore_message, ann.cookie)
        socket.write(breach)
        assert await close_code(socket) == code, breach[:20]


async def test_five_hundred_sockets_open_and_close(shared_server: Server) -> None:
    ann = Guest("Ann", shared_server.port, random.Random(1))
    await ann.enter()
    table = await ann.open_table(variant="partnership")
    received = ReceivedMessages()
    own = await open_socket(shared_server.port, f"/ws/{table}", received, ann.cookie)
    sockets = await asyncio.gather(
        *(open_socket(shared_server.port, f"/ws/{table}", ignore_message) for _ in range(500))
    )
    own.send(type="start")
    await wait_until_async(lambda: received.state and received.state["view"])
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
