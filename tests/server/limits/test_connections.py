"""Connection limits: half-sent requests, more connections than files, limits for each address.

Everything is on this machine, bounded in number and time. For limits by address, clients have
addresses of the loopback net that the test treats as remote.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import random
import re
import runpy
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from acesaround.server.accounts import sessions
from acesaround.server.limits import capacity, connections
from acesaround.server.limits.capacity import ConnectionCapacity
from acesaround.server.limits.connections import ConnectionLimiter
from acesaround.server.limits.open_websockets import TooManyConnections, WebSocketLimits
from acesaround.server.observability.logging import RepeatFilter
from acesaround.server.observability.metrics import Metrics
from acesaround.server.transport import http_protocol
from tests.multiprocess.server import ROOT, Server
from tests.server.clock import Clock
from tests.server.http_client import Seat, create_table, make_app, open_clients, open_seat, set_name
from tests.server.in_process_server import RecordedConnection, open_connection, serve_in_process
from tests.server.random_client import Guest
from tests.waiting import PATIENCE_SECONDS, wait_until_async
from websocket_client import Closed, ask, exchange, open_socket

HALF_REQUEST = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODILESS = b"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 90\r\n\r\n{"
HOMES = [f"2001:db8:1:{number << 8:x}::1" for number in range(64)]
"""Addresses of one /48, each with a /56 of its own."""
TIME_LIMIT_SHARE = 0.6
"""Two of these exceed a time limit, one does not."""


@contextlib.contextmanager
def start_server(folder: Path, **settings: Any) -> Iterator[Server]:
    server = Server(f"sqlite:///{folder / 'tables.sqlite'}", folder / "log", **settings)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def server_with_few_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server that may open few files, so that few connections exhaust it."""
    with start_server(tmp_path_factory.mktemp("narrow"), files=256) as server:
        yield server
    assert "Traceback" not in server.log.read_text()


@contextlib.contextmanager
def open_half_sent_requests(
    port: int, number: int, text: bytes = HALF_REQUEST
) -> Iterator[list[socket.socket]]:
    """Open connections, each with the beginning of a request."""
    with contextlib.ExitStack() as stack:
        held = []
        for _ in range(number):
            address = "127.0.0.1", port
            one = stack.enter_context(socket.create_connection(address, PATIENCE_SECONDS))
            one.sendall(text)
            held.append(one)
        yield held


@contextlib.asynccontextmanager
async def open_half_sent_requests_in_thread(
    port: int, number: int, text: bytes
) -> AsyncIterator[None]:
    """Open such connections in a thread, so that the event loop is not blocked."""
    with contextlib.ExitStack() as stack:
        await asyncio.to_thread(stack.enter_context, open_half_sent_requests(port, number, text))
        yield


@contextlib.asynccontextmanager
async def play_meanwhile(server: Server) -> AsyncIterator[None]:
    """Let a guest play against bots meanwhile and afterwards."""
    ann, over = Guest("Ann", server.port, random.Random(1)), asyncio.Event()
    await ann.enter()
    opened = await ann.open_table(
        variant="partnership", bots="thumb", options={"target": 1_000_000}, start=True
    )
    playing = asyncio.create_task(ann.play(opened, lambda _: over.is_set()))
    try:
        await wait_until_async(lambda: ann.received)
        yield
        received_count = len(ann.received)
        await wait_until_async(lambda: len(ann.received) > received_count)
    finally:
        over.set()
        await asyncio.wait_for(playing, PATIENCE_SECONDS)
    assert ann.lost_connections == 0


async def assert_healthy(port: int) -> None:
    """Assert that /health answers."""
    answer = await asyncio.wait_for(ask(port, "/health"), PATIENCE_SECONDS)
    assert answer.status == 200


class TestHalfSentRequests:
    async def test_more_connections_than_files_block_nobody(
        self, server_with_few_files: Server
    ) -> None:
        async with play_meanwhile(server_with_few_files):
            for text in (
                HALF_REQUEST,
                b"",
                b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
            ):
                async with open_half_sent_requests_in_thread(server_with_few_files.port, 400, text):
                    await assert_healthy(server_with_few_files.port)
        assert "closed an unfinished request to make room" in server_with_few_files.log.read_text()

    async def test_complete_request_is_not_closed_for_later_connections(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The server is blocked while a request and many half-sent ones arrive."""
        monkeypatch.setattr(capacity, "current_capacity", lambda: ConnectionCapacity(256, 40, 39))
        whole = HALF_REQUEST + b"Connection: close\r\n\r\n"
        async with serve_in_process(make_app(tmp_path)) as port:
            with (
                open_half_sent_requests(port, 1, whole) as [asking],
                open_half_sent_requests(port, 200),
            ):  # blocks the loop
                asking.setblocking(False)
                loop = asyncio.get_running_loop()
                async with asyncio.timeout(PATIENCE_SECONDS):
                    assert (await loop.sock_recv(asking, 100)).startswith(b"HTTP/1.1 200 ")

    async def test_slow_request_is_closed_after_the_time_limit(self, tmp_path: Path) -> None:
        clock, made = Clock(asyncio.get_running_loop()), list[RecordedConnection]()
        async with (
            serve_in_process(make_app(tmp_path), made) as port,
            open_connection(port) as (reader, writer),
        ):
            for part in (HALF_REQUEST, b"X-Slow: x", b"x"):
                assert not reader.at_eof()
                await drip(writer, part, made)
                clock.advance(TIME_LIMIT_SHARE * http_protocol.HEADERS_SECONDS)
            assert (await reader.read()).startswith(b"HTTP/1.1 408 ")

    async def test_second_slow_request_on_a_connection_is_closed(self, tmp_path: Path) -> None:
        clock, made = Clock(asyncio.get_running_loop()), list[RecordedConnection]()
        async with (
            serve_in_process(make_app(tmp_path), made) as port,
            open_connection(port) as (reader, writer),
        ):
            clock.advance(TIME_LIMIT_SHARE * http_protocol.HEADERS_SECONDS)
            await drip(writer, HALF_REQUEST + b"\r\n", made)
            assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200 ")
            for part in (HALF_REQUEST, b"X-Slow: x"):
                await drip(writer, part, made)
                clock.advance(TIME_LIMIT_SHARE * http_protocol.HEADERS_SECONDS)
            assert (await reader.read()).startswith(b"HTTP/1.1 408 ")

    @pytest.mark.parametrize("path", ["/api/me", "/health"])
    async def test_missing_body_is_not_awaited(self, path: str, tmp_path: Path) -> None:
        """The answer may have been given already."""
        clock, made = Clock(asyncio.get_running_loop()), list[RecordedConnection]()
        begun = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 90\r\n\r\n"
        async with (
            serve_in_process(make_app(tmp_path), made) as port,
            open_connection(port) as (reader, writer),
        ):
            await drip(writer, begun.encode(), made)
            if path == "/health":
                assert (await reader.readuntil(b"</html>\n")).startswith(b"HTTP/1.1 404 ")
            for _ in range(2):
                await drip(writer, b" ", made)
                clock.advance(
                    TIME_LIMIT_SHARE
                    * max(http_protocol.HEADERS_SECONDS, http_protocol.BODY_SECONDS)
                )
            assert (await reader.read()).startswith(b"HTTP/1.1 408 ")

    async def test_disconnect_within_a_body_leaves_no_traceback(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        made: list[RecordedConnection] = []
        async with serve_in_process(make_app(tmp_path), made) as port:
            with open_half_sent_requests(port, 3, BODILESS):
                await wait_until_async(
                    lambda: sum(one.received_bytes for one in made) == 3 * len(BODILESS)
                )
            await wait_until_async(lambda: all(one.is_closed and not one.tasks for one in made))
            await assert_healthy(port)
        assert [one for one in caplog.records if one.exc_info] == []

    async def test_unread_response_is_aborted(self, tmp_path: Path) -> None:
        clock, made = Clock(asyncio.get_running_loop()), list[RecordedConnection]()
        assets = tmp_path / "static" / "assets"
        assets.mkdir(parents=True)
        (assets / "large.js").touch()
        os.truncate(assets / "large.js", 30_000_000)
        asked = b"GET /assets/large.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        async with (
            serve_in_process(make_app(tmp_path), made) as port,
            open_connection(port, 1024) as (reader, writer),
        ):
            writer.write(asked)

            def cut() -> bool:
                if made and made[0].is_full:
                    clock.advance(http_protocol.UNREAD_SECONDS)
                return bool(made and made[0].is_closed)

            await wait_until_async(cut)
            read = 0
            with contextlib.suppress(ConnectionError):
                while part := await reader.read(1 << 20):
                    read += len(part)
            assert read < 30_000_000

    def test_invalid_requests_are_logged_seldom(self, server_with_few_files: Server) -> None:
        for _ in range(20):
            with open_half_sent_requests(server_with_few_files.port, 1, b"\0\0\0\r\n\r\n") as [one]:
                assert one.recv(100).startswith(b"HTTP/1.1 400 ")
        assert 1 <= server_with_few_files.log.read_text().count("Invalid HTTP request") < 20


class TestCrowds:
    async def test_sockets_beyond_the_files_are_refused(
        self, server_with_few_files: Server
    ) -> None:
        async with play_meanwhile(server_with_few_files):
            bob = Guest("Bob", server_with_few_files.port, random.Random(2))
            await bob.enter()
            opened = await bob.open_table(variant="two-handed")
            held, refused = [], []
            for _ in range(150):
                try:
                    held.append(
                        await open_socket(
                            server_with_few_files.port, f"/ws/{opened}", lambda _: None
                        )
                    )
                except Closed as closed:
                    refused.append(closed.code)
            assert len(held) >= 40
            assert set(refused) == {503}
            await assert_healthy(server_with_few_files.port)
        for one in held:
            one.transport.abort()
        assert "WebSocket refused" in server_with_few_files.log.read_text()

    async def test_connections_of_an_address_are_limited(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            connections, "rate_limit_keys", lambda address: {address: 1}
        )  # limits apply to loopback
        made: list[RecordedConnection] = []
        async with serve_in_process(
            make_app(tmp_path, max_connections_per_address=5), made
        ) as port:
            with open_half_sent_requests(port, 5), socket.socket() as one:
                one.setblocking(False)
                await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", port))
                reader, writer = await asyncio.open_connection(sock=one)
                writer.write(HALF_REQUEST + b"\r\n")
                answer = await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
                assert answer.startswith(b"HTTP/1.1 429 ")
                assert b"Your address" in answer
                elsewhere, writing = await asyncio.open_connection(
                    "127.0.0.1", port, local_addr=("127.0.0.2", 0)
                )
                writing.write(HALF_REQUEST + b"Connection: close\r\n\r\n")
                assert (await elsewhere.read()).startswith(b"HTTP/1.1 200 ")
                writing.close()
                writer.close()
            await wait_until_async(lambda: all(one.is_closed for one in made))
            await assert_healthy(port)

    async def test_trusted_proxy_has_no_connection_limit(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connections, "rate_limit_keys", lambda address: {address: 1})
        async with serve_in_process(
            make_app(tmp_path, max_connections_per_address=5, trusted_proxies="127.0.0.0/8")
        ) as port:
            with open_half_sent_requests(port, 20):
                await assert_healthy(port)

    def test_sockets_of_a_person_and_a_table_are_limited(self, tmp_path: Path) -> None:
        with open_clients(
            make_app(tmp_path, max_websockets_per_person=2, max_spectators_per_table=1), 3
        ) as [
            ann,
            bob,
            eve,
        ]:
            opened = create_table(set_name(ann, "Ann"))
            watched = read_watch_token(ann, opened)
            with open_seat(ann, opened), open_seat(ann, opened):
                assert "too many tables open" in read_refusal(ann, opened)
                with open_seat(bob, watched):
                    assert "too many spectators" in read_refusal(eve, watched)
                with open_seat(eve, watched):
                    pass
            with open_seat(ann, opened):
                figures = ann.get("/metrics").text
        assert 'acesaround_refusals_total{code="full"} 2.0' in figures

    def test_seated_person_enters_a_table_full_of_spectators(self, tmp_path: Path) -> None:
        with open_clients(make_app(tmp_path, max_spectators_per_table=1), 2) as [ann, bob]:
            opened = create_table(set_name(ann, "Ann"))
            with open_seat(bob, opened), open_seat(ann, opened) as sitting:
                assert sitting.state["table"]["you"] == 0

    def test_newcomer_who_can_sit_replaces_a_spectator(self, tmp_path: Path) -> None:
        """The first spectator who asks for no seat is closed; a watch link displaces nobody."""
        with open_clients(make_app(tmp_path, max_spectators_per_table=2), 5) as [
            ann,
            bob,
            cleo,
            dan,
            eve,
        ]:
            opened = create_table(set_name(ann, "Ann"))
            with (
                open_seat(ann, opened) as host,
                open_seat(bob, opened) as asking,
                open_seat(cleo, opened) as idle,
            ):
                host.send(type="joining", joining="locked")
                asking.read_until(lambda m: m["table"]["joining"] == "locked")
                assert "too many spectators" in read_refusal(dan, opened)
                host.send(type="joining", joining="ask")
                asking.read_until(lambda m: m["table"]["joining"] == "ask")
                asking.send(type="knock", seat=1)
                host.read_until(lambda m: m["table"]["seat_requests"])
                assert "too many spectators" in read_refusal(dan, read_watch_token(ann, opened))
                with open_seat(dan, opened) as newcomer:
                    assert read_close_code(idle) == 1013
                    newcomer.send(type="knock", seat=2)
                    host.read_until(lambda m: len(m["table"]["seat_requests"]) == 2)
                    assert "too many spectators" in read_refusal(eve, opened)

    def test_spectator_of_the_most_crowded_address_is_replaced(self, tmp_path: Path) -> None:
        server = make_app(tmp_path, max_spectators_per_table=3, trusted_proxies="*")
        with open_clients(server, 3) as [ann, honest, eve]:
            opened = create_table(set_name(ann, "Ann"))
            first, other = ({"x-forwarded-for": f"203.0.113.{n}"} for n in (7, 8))
            with (
                open_seat(honest, opened, headers=first) as looking,
                open_seat(eve, opened, headers=other) as crowd,
                open_seat(eve, opened, headers=other),
                open_seat(eve, opened, headers=other),
            ):
                assert read_close_code(crowd) == 1013
                looking.send(type="sit", seat=1)
                looking.read_until(lambda m: m["table"]["you"] == 1)

    async def test_last_sockets_are_reserved_for_seated_persons(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Others are refused before the handshake, whatever they ask for.

        The last place is for people who have played, because anybody can sit at an own table.
        """
        monkeypatch.setattr(capacity, "current_capacity", lambda: ConnectionCapacity(256, 16, 39))
        async with serve_in_process(make_app(tmp_path)) as port:
            ann, eve = (Guest(name, port, random.Random(1)) for name in ("Ann", "Eve"))
            await ann.enter()
            await eve.enter()
            opened = await ann.open_table(variant="partnership")
            held = [
                await open_socket(port, f"/ws/{opened}", lambda _: None, eve.cookie)
                for _ in range(14)
            ]
            for path, cookie in ((opened, eve.cookie), (opened, ""), ("nowhere", ann.cookie)):
                with pytest.raises(Closed) as closed:
                    await open_socket(port, f"/ws/{path}", lambda _: None, cookie)
                assert closed.value.code == 503
            for _ in range(2):
                held.append(await open_socket(port, f"/ws/{opened}", lambda _: None, ann.cookie))
                with pytest.raises(Closed) as closed:
                    await open_socket(port, f"/ws/{opened}", lambda _: None, ann.cookie)
                assert closed.value.code == 503
                monkeypatch.setattr(sessions, "has_played", has_played)
            for one in held:
                one.close()
                await one.closed

    def test_sockets_are_counted_by_address(self) -> None:
        crowd = WebSocketLimits(2, 20)
        with crowd.count_open("203.0.113.7", None), crowd.count_open("203.0.113.7", "a"):
            with (
                pytest.raises(TooManyConnections, match="Your address"),
                crowd.count_open("203.0.113.7", "b"),
            ):
                pass
            with crowd.count_open("203.0.113.8", "b"), crowd.count_open("127.0.0.1", "c"):
                pass
        with crowd.count_open("203.0.113.7", "b"):
            pass
        assert not crowd._open_counts

    def test_a_48_may_open_sixteen_times_the_sockets_of_a_64(self) -> None:
        crowd = WebSocketLimits(2, 20)
        with contextlib.ExitStack() as stack:
            for home in HOMES[:32]:
                stack.enter_context(crowd.count_open(home, None))
            with pytest.raises(TooManyConnections), crowd.count_open(HOMES[32], None):
                pass
            with crowd.count_open("2001:db8:2::1", None):
                pass
        assert not crowd._open_counts

    def test_a_48_may_open_sixteen_times_the_connections_of_a_64(self) -> None:
        limiter = ConnectionLimiter(ConnectionCapacity(999, 99, 99), 2, None, Metrics())

        def opened(home: str) -> FakeConnection:
            connection = FakeConnection(home)
            connection.refusal = limiter.register(connection)
            return connection

        arrived = [opened(home) for home in HOMES[:33]]
        assert [one.refusal for one in arrived] == [None] * 32 + [connections.TOO_MANY]
        assert opened("2001:db8:2::1").refusal is None
        for one in arrived:
            limiter.release(one)
        assert opened(HOMES[0]).refusal is None


class FakeConnection:
    """A connection from an address."""

    refusal: connections.ConnectionRefusal | None = None

    def __init__(self, address: str) -> None:
        self.client: tuple[str, int] | None = (address, 1)

    def abort(self) -> None:
        """Do nothing; it is not called below the total limit."""


async def has_played(_store: object, _person_id: str) -> bool:
    return True


def read_watch_token(client: Any, opened: str) -> str:
    with open_seat(client, opened) as sitting:
        links: dict[str, str] = sitting.state["table"]["links"]
    return links["watch"].removeprefix("/w/")


def read_close_code(sitting: Seat) -> int:
    """Return the code with which the server closes a socket."""
    while True:  # steady: each message has its own limit
        try:
            sitting.receive()
        except WebSocketDisconnect as closed:
            return closed.code


def read_refusal(client: Any, opened: str) -> str:
    with client.websocket_connect(f"/ws/{opened}") as websocket:
        closed = websocket.receive()
    assert closed["code"] == 1013
    reason: str = closed["reason"]
    return reason


def test_capacity_is_less_than_the_open_files() -> None:
    for files in (256, 1024, 4096, 20_000, 65_536):
        there = capacity.capacity_for(files)
        assert there.sockets + 2 * there.requests < files
        assert there.sockets > files // 4
    assert capacity.current_capacity().open_files > 0


def test_capacity_is_small_if_the_file_limit_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)  # as on Windows
    module = runpy.run_path(capacity.__file__)
    assert module["raise_file_limit"]().open_files == 512


def test_repeated_warnings_are_logged_once_a_minute() -> None:
    now = [0.0]
    calm = RepeatFilter(lambda: now[0])
    said = []
    for second in range(100):
        now[0] = float(second)
        for level, words in ((logging.WARNING, "one"), (logging.WARNING, "two"), (40, "three")):
            if calm.filter(logging.LogRecord("uvicorn.error", level, "", 0, words, None, None)):
                said.append((second, words))
    assert [one for one in said if one[1] != "three"] == [
        (0, "one"), (0, "two"), (60, "one"), (60, "two"),
    ]  # fmt: skip
    assert len(said) == 4 + 100


async def drip(
    writer: asyncio.StreamWriter, text: bytes, made: Sequence[RecordedConnection]
) -> None:
    """Send a piece of a request, and wait until it has arrived."""
    before = sum(one.received_bytes for one in made)
    writer.write(text)
    await wait_until_async(lambda: sum(one.received_bytes for one in made) == before + len(text))


@contextlib.contextmanager
def open_slow_connections(port: int, number: int) -> Iterator[None]:
    """Run a process that holds `number` slow connections."""
    words = [sys.executable, "-m", "tests.server.slowloris", str(port), str(number)]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE) as attack:
        try:
            yield
            assert attack.poll() is None  # it lasted
        finally:
            attack.kill()


async def measure_refusal(port: int) -> int:
    """Return the number of refusals for lack of capacity; 0 if this request was closed for it too.

    While the slow connections open, more of them than there are slots may come before it is read.
    """
    answer = await exchange(port, b"GET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
    if not answer:
        return 0
    figures = answer.decode()
    found = re.search(r'^acesaround_refusals_total\{code="full"\} (\d+)\.0$', figures, re.MULTILINE)
    assert found is not None, figures
    return int(found[1])


async def test_thousand_slow_requests_do_not_disturb_players(server_with_few_files: Server) -> None:
    async with play_meanwhile(server_with_few_files):
        before = await measure_refusal(server_with_few_files.port)
        with open_slow_connections(server_with_few_files.port, 1_000):
            async with asyncio.timeout(PATIENCE_SECONDS):
                while await measure_refusal(server_with_few_files.port) < before + 1_000:
                    await asyncio.sleep(0.05)
            await assert_healthy(server_with_few_files.port)


@pytest.mark.soak
async def test_five_thousand_slow_requests_hardly_delay_chat(tmp_path: Path) -> None:
    """The figures with 5,000 slow connections are printed."""
    with start_server(tmp_path) as server:
        calm = await measure_pace(server.port, 15.0)
        with open_slow_connections(server.port, 5_000):
            async with asyncio.timeout(PATIENCE_SECONDS):
                while await measure_refusal(server.port) < 5_000:
                    await asyncio.sleep(0.5)
            busy = await measure_pace(server.port, 30.0)
    figures = f"p99 {1000 * calm:.1f} ms alone, {1000 * busy:.1f} ms beside 5,000 slow requests"
    print(figures)  # noqa: T201 - the result of the soak
    assert "Traceback" not in server.log.read_text()


async def measure_pace(port: int, seconds: float) -> float:
    """Return the 99th percentile of the time in which chat comes back to its author."""
    ann = Guest("Ann", port, random.Random(1))
    await ann.enter()
    opened = await ann.open_table(variant="partnership")
    received_count = asyncio.Event()
    sock = await open_socket(port, f"/ws/{opened}", lambda _: received_count.set(), ann.cookie)
    took = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        received_count.clear()
        began = time.perf_counter()
        sock.send(type="talk", phrase="hello")
        await asyncio.wait_for(received_count.wait(), PATIENCE_SECONDS)
        took.append(time.perf_counter() - began)
        await asyncio.sleep(0.05)
    sock.close()
    await sock.closed
    return sorted(took)[int(0.99 * len(took))]
