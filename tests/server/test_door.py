"""Crowds at the door: half-sent requests, more connections than files, more than one may hold.

Everything is on this machine, bounded in number and time. Where connections are counted by address,
the attack comes from addresses of the loopback net that the test declares to be others.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from acesaround.server import door, room
from acesaround.server.crowd import Crowd, Full
from acesaround.server.door import Requests, Seldom
from acesaround.server.frames import Frames
from tests.processes.server import ROOT, Server
from tests.server.browser import app, browsers, named, seat, table
from tests.server.guest import Guest
from wire import Closed, ask, open_socket

HALF = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODILESS = b"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 90\r\n\r\n{"
PATIENCE = 30.0


@contextlib.contextmanager
def served(folder: Path, **settings: Any) -> Iterator[Server]:
    server = Server(f"sqlite:///{folder / 'tables.sqlite'}", folder / "log", **settings)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def said(folder: Path) -> str:
    return (folder / "log").read_text()


@contextlib.contextmanager
def half_sent(port: int, number: int, text: bytes = HALF) -> Iterator[list[socket.socket]]:
    """That many connections, each with the beginning of a request."""
    with contextlib.ExitStack() as stack:
        held = []
        for _ in range(number):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
            one.sendall(text)
            held.append(one)
        yield held


async def plays_on(server: Server, folder: Path, over: asyncio.Event) -> Guest:
    """Somebody who plays against bots until told that it is over."""
    ann = Guest("Ann", server.port, random.Random(1))
    await ann.enter()
    opened = await ann.opens(
        variant="partnership", bots="thumb", options={"target": 1_000_000}, start=True
    )
    await ann.play(opened, lambda _: over.is_set())
    return ann


class TestHalfSentRequests:
    async def test_more_than_there_are_files_silence_nobody(self, tmp_path: Path) -> None:
        """Before, `/health` was dead until they went, and nothing was logged."""
        over = asyncio.Event()
        with served(tmp_path, files=256) as server:
            playing = asyncio.create_task(plays_on(server, tmp_path, over))
            await asyncio.sleep(0.5)
            for text in (
                HALF,
                b"",
                b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
            ):
                with half_sent(server.port, 400, text):
                    assert (await asyncio.wait_for(ask(server.port, "/health"), 5)).status == 200
                    assert not playing.done()
            over.set()
            ann = await asyncio.wait_for(playing, PATIENCE)
        assert ann.lost == 0
        log = said(tmp_path)
        assert log.count("unfinished requests cut for newcomers") == 1  # once a minute
        assert "Traceback" not in log

    async def test_a_request_that_drips_is_cut_in_time(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(door, "HEAD", 0.4)
        async with inside(app(tmp_path)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            answer = asyncio.create_task(reader.read())
            for letter in b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: " + b"x" * 1000:
                writer.write(bytes([letter]))
                await asyncio.sleep(0.02)
                if answer.done():
                    break
            assert (await answer).startswith(b"HTTP/1.1 408 ")
            writer.close()

    async def test_nor_does_a_second_one_on_the_same_connection_last(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(door, "HEAD", 0.4)
        async with inside(app(tmp_path)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(HALF + b"\r\n" + HALF)
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
            assert answer.startswith(b"HTTP/1.1 200 ")
            assert b"HTTP/1.1 408 " in answer
            writer.close()

    @pytest.mark.parametrize("path", ["/api/me", "/health"])
    async def test_a_body_that_does_not_come_is_not_waited_for(
        self, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(door, "BODY", 0.4)
        monkeypatch.setattr(door, "HEAD", 0.4)
        async with inside(app(tmp_path)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(
                f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 90\r\n\r\n".encode()
            )
            answer = asyncio.create_task(reader.read())
            for _ in range(80):
                writer.write(b" ")
                await asyncio.sleep(0.02)
                if answer.done():
                    break
            first = (await asyncio.wait_for(answer, PATIENCE)).split(b" ")[1]
            assert first == (b"408" if path == "/api/me" else b"404")
            writer.close()

    async def test_who_leaves_in_the_middle_of_a_body_leaves_no_traceback(
        self, tmp_path: Path
    ) -> None:
        with served(tmp_path) as server:
            with half_sent(server.port, 3, BODILESS):
                await asyncio.sleep(0.2)
            assert server.answers()
        assert "Traceback" not in said(tmp_path)

    async def test_an_answer_that_is_not_read_is_not_kept(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(door, "UNREAD", 0.4)
        assets = tmp_path / "static" / "assets"
        assets.mkdir(parents=True)
        (assets / "large.js").write_bytes(random.Random(1).randbytes(30_000_000))
        asked = b"GET /assets/large.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        async with inside(app(tmp_path)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
            writer.write(asked)
            await asyncio.sleep(1.5)
            read = 0
            with contextlib.suppress(ConnectionError):
                while part := await asyncio.wait_for(reader.read(1 << 20), PATIENCE):
                    read += len(part)
            assert read < 30_000_000
            writer.close()

    def test_what_is_no_request_is_logged_once_a_minute(self, tmp_path: Path) -> None:
        with served(tmp_path) as server:
            for _ in range(20):
                with half_sent(server.port, 1, b"\0\0\0\r\n\r\n") as [one]:
                    assert one.recv(100).startswith(b"HTTP/1.1 400 ")
        assert said(tmp_path).count("Invalid HTTP request") == 1


class TestCrowds:
    async def test_sockets_beyond_the_files_are_refused_and_who_sits_plays_on(
        self, tmp_path: Path
    ) -> None:
        over = asyncio.Event()
        with served(tmp_path, files=200) as server:
            playing = asyncio.create_task(plays_on(server, tmp_path, over))
            bob = Guest("Bob", server.port, random.Random(2))
            await bob.enter()
            opened = await bob.opens(variant="two-handed")
            await asyncio.sleep(0.5)
            held, refused = [], []
            for _ in range(150):
                try:
                    held.append(await open_socket(server.port, f"/ws/{opened}", lambda _: None))
                except Closed as closed:
                    refused.append(closed.code)
            assert len(held) >= 40
            assert set(refused) == {503}
            assert (await ask(server.port, "/health")).status == 200
            assert not playing.done()
            over.set()
            ann = await asyncio.wait_for(playing, PATIENCE)
            assert ann.lost == 0
            for one in held:
                one.transport.abort()
        assert said(tmp_path).count("sockets sent away") == 1

    async def test_one_address_cannot_take_all(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(door, "network", lambda address: address)  # loopback as any other
        async with inside(app(tmp_path, each=5)) as port:
            with half_sent(port, 5), socket.socket() as one:
                one.setblocking(False)
                await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", port))
                reader, writer = await asyncio.open_connection(sock=one)
                writer.write(HALF + b"\r\n")
                answer = await asyncio.wait_for(reader.read(), PATIENCE)
                assert answer.startswith(b"HTTP/1.1 429 ")
                assert b"your address" in answer
                elsewhere, writing = await asyncio.open_connection(
                    "127.0.0.1", port, local_addr=("127.0.0.2", 0)
                )
                writing.write(HALF + b"Connection: close\r\n\r\n")
                assert (await elsewhere.read()).startswith(b"HTTP/1.1 200 ")
                writing.close()
                writer.close()
            await asyncio.sleep(0.1)
            assert (await ask(port, "/health")).status == 200  # they are gone

    async def test_a_named_proxy_is_everybody(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(door, "network", lambda address: address)
        async with inside(app(tmp_path, each=5, proxy="127.0.0.0/8")) as port:
            with half_sent(port, 20):
                assert (await ask(port, "/health")).status == 200

    def test_one_person_and_one_table_have_so_many_sockets(self, tmp_path: Path) -> None:
        with browsers(app(tmp_path, person_sockets=2, lookers=1), 3) as [ann, bob, eve]:
            opened = table(named(ann, "Ann"))
            with seat(ann, opened), seat(ann, opened):
                assert "too many tables open" in turned_away(ann, opened)
                with seat(bob, opened):
                    assert "look on" in turned_away(eve, opened)
                with seat(eve, opened):
                    pass
            with seat(ann, opened):
                figures = ann.get("/metrics").text
        assert 'acesaround_refused_total{code="full"} 2' in figures

    def test_who_has_a_seat_is_let_in_whoever_looks_on(self, tmp_path: Path) -> None:
        with browsers(app(tmp_path, lookers=1), 2) as [ann, bob]:
            opened = table(named(ann, "Ann"))
            with seat(bob, opened), seat(ann, opened) as sitting:
                assert sitting.state["table"]["you"] == 0

    def test_sockets_of_an_address_are_counted_as_it_was_forwarded(self) -> None:
        crowd = Crowd(2, 20, 500)
        with crowd.among("203.0.113.7", None), crowd.among("203.0.113.7", "a"):
            with pytest.raises(Full, match="your address"), crowd.among("203.0.113.7", "b"):
                pass
            with crowd.among("203.0.113.8", "b"), crowd.among("127.0.0.1", "c"):
                pass
        with crowd.among("203.0.113.7", "b"):
            pass
        assert not crowd._open


def turned_away(client: Any, opened: str) -> str:
    with client.websocket_connect(f"/ws/{opened}") as websocket:
        closed = websocket.receive()
    assert closed["code"] == 1013
    reason: str = closed["reason"]
    return reason


def test_the_room_is_less_than_the_files() -> None:
    for files in (256, 1024, 4096, 20_000, 65_536):
        there = room.room(files)
        assert there.sockets + 2 * there.requests < files
        assert there.sockets > files // 4
    assert room.there_is().files > 0


def test_something_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    seldom = Seldom(lambda: now[0])
    with caplog.at_level(logging.WARNING):
        for _ in range(100):
            seldom.say("{} times")
            now[0] += 1.0
    assert [record.getMessage() for record in caplog.records] == ["1 times", "60 times"]


@contextlib.asynccontextmanager
async def inside(server: Any) -> AsyncIterator[int]:
    """The server in this process, on a port of its own, as `serve` runs it."""
    config = uvicorn.Config(
        server, port=0, http=Requests, ws=Frames, lifespan="on", log_level="warning"
    )
    running = uvicorn.Server(config)
    task = asyncio.create_task(running.serve())
    while not running.started:
        await asyncio.sleep(0.01)
    try:
        yield running.servers[0].sockets[0].getsockname()[1]
    finally:
        running.should_exit = True
        await task


@contextlib.contextmanager
def slowly(port: int, number: int, seconds: float) -> Iterator[None]:
    """That many connections, dripping, while there is something to be done beside them."""
    words = [sys.executable, "-m", "tests.server.slow", str(port), str(number), str(seconds)]
    attack = subprocess.Popen(words, cwd=ROOT)
    try:
        yield
        assert attack.poll() is None  # it lasted
    finally:
        attack.kill()
        attack.wait()


async def test_who_plays_notices_nothing_of_slow_requests(tmp_path: Path) -> None:
    over = asyncio.Event()
    with served(tmp_path, files=512) as server, slowly(server.port, 1_000, PATIENCE):
        playing = asyncio.create_task(plays_on(server, tmp_path, over))
        for _ in range(10):
            assert (await asyncio.wait_for(ask(server.port, "/health"), 5)).status == 200
            await asyncio.sleep(0.3)
        assert not playing.done()
        over.set()
        ann = await asyncio.wait_for(playing, PATIENCE)
        assert ann.lost == 0


@pytest.mark.soak
async def test_nor_of_five_thousand(tmp_path: Path) -> None:
    """Beside 5,000 connections that drip, what is said comes back about as soon as before."""
    with served(tmp_path) as server:
        calm = await paced(server.port, 15.0)
        with slowly(server.port, 5_000, 60):
            await asyncio.sleep(4.0)
            busy = await paced(server.port, 30.0)
    figures = f"p99 {1000 * calm:.1f} ms alone, {1000 * busy:.1f} ms beside 5,000 slow requests"
    print(figures)  # noqa: T201 - the result of the soak
    assert "Traceback" not in said(tmp_path)


async def paced(port: int, seconds: float) -> float:
    """The 99th percentile of the time in which talk comes back to who said it."""
    ann = Guest("Ann", port, random.Random(1))
    await ann.enter()
    opened = await ann.opens(variant="partnership")
    heard = asyncio.Event()
    sock = await open_socket(port, f"/ws/{opened}", lambda _: heard.set(), ann.cookie)
    took = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        heard.clear()
        began = time.perf_counter()
        sock.send(type="talk", phrase="hello")
        await asyncio.wait_for(heard.wait(), PATIENCE)
        took.append(time.perf_counter() - began)
        await asyncio.sleep(0.05)
    sock.close()
    await sock.closed
    return sorted(took)[int(0.99 * len(took))]
