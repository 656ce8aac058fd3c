"""The server under load: hundreds of tables of four persons, and thousands of idle sockets.

One server process runs on one core with SQLite, this client on the other core. Each table acts once
in two seconds, whether or not the server keeps up. Latency is the time from sending an action until
all four persons have been shown it, which is after the commit. The limits of the machine are
measured in the same run: commits of bare SQLite, and a bare echo of messages of the same size to as
many sockets at the same pace.

`--flat-out` lets each table act as soon as everybody has seen its last action. `--postgres` serves
from a temporary PostgreSQL, `--servers 2` with two processes on it; then nothing is pinned to a
core. The persons of a table are all at one process (`--sticky`) or each at the next.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import msgspec

import database
from database import Database
from websocket_client import Socket, ask, frame, open_socket

SEATS: Final = 4
TURN_SECONDS: Final = 2.0  # seconds from one action of a table to the next
RETRY_SECONDS: Final = 0.5  # seconds until a refused action is tried again
WARM_SECONDS: Final = 3.0  # seconds of play before anything is measured
MAX_READY_SECONDS: Final = 600.0  # seconds that bots may take to get ready
MAX_OPENING_SOCKETS: Final = 40  # sockets opened at the same time
SEQ: Final = re.compile(rb'^\{"type":"state","seq":(\d+)')
NO_DECISION: Final = b'"decision":null'


class Server:
    """A server process, pinned to one core if there are several."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.process, self.port = process, port

    @property
    def rss(self) -> float:
        """The memory in use, in MB."""
        said = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", said)
        assert found is not None
        return int(found[1]) / 1024

    @property
    def cpu(self) -> float:
        """The processor seconds used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running_server(*command: str, pinned: bool = True) -> Iterator[Server]:
    """Run a server that prints its address; terminate it afterwards.

    `pinned`: keep the server on one core.
    """
    process = subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=(lambda: pin_to_core(0)) if pinned else None,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if (found := re.search(rb"http://127\.0\.0\.1:(\d+)/", line)) is not None:
                yield Server(process, int(found[1]))
                break
        else:
            raise SystemExit("The server did not start.")
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait()


def pin_to_core(index: int) -> None:
    """Pin this process to one of its cores; the client uses the last."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[index]})


def serve(url: str) -> tuple[str, ...]:
    """Return the command that serves from a database."""
    where = ("--host", "127.0.0.1", "--port", "0", "--database-url", url)
    return ("-m", "acesaround", "serve", *where)


async def wait_until_ready(port: int) -> None:
    """Wait until the bots of a server are ready; some compile first."""
    until = time.monotonic() + MAX_READY_SECONDS
    while True:
        if b"\nacesaround_bot_pool_ready 1.0\n" in (await ask(port, "/metrics")).body:
            return
        if time.monotonic() > until:
            raise SystemExit("The bots that search did not get ready.")
        await asyncio.sleep(0.5)


class Table:
    """Four open sockets at one table, and the seconds until all four have seen each action."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.sockets: list[Socket] = []
        self.seconds: list[float] = []
        self.sizes: list[int] = []
        self.seq = 0
        self.skipped = 0
        self.refused: Counter[str] = Counter()
        self.acts_at_once = False  # whether the table acts as soon as it can
        self._turn: tuple[int, bytes] | None = None
        self._last: tuple[int, bytes] | None = None
        self._sent = 0.0
        self._waiting: set[int] = set()
        self._wanted = 0

    def on_text_of(self, seat: int) -> Callable[[bytes], None]:
        """Return the callback for messages to a seat."""

        def hear(text: bytes) -> None:
            found = SEQ.match(text)
            if found is None:
                self._refuse(text)
                return
            seq = int(found[1])
            if seq > self.seq:
                self.seq, self._turn = seq, None
            if NO_DECISION not in text:
                self._turn = seat, text
            if seat in self._waiting and seq >= self._wanted:
                self._waiting.discard(seat)
                self.sizes.append(len(text))
                if not self._waiting:
                    self.seconds.append(time.perf_counter() - self._sent)
            if self.acts_at_once and self._turn is not None and not self._waiting:
                self.act()

        return hear

    def _refuse(self, text: bytes) -> None:
        """Count a refusal; the action is tried again."""
        said = msgspec.json.decode(text)
        if said["type"] != "refused":
            raise SystemExit(f"The server answered: {text.decode()}")
        self.refused[said["code"]] += 1
        self._waiting, self._turn = set(), self._last
        if self.acts_at_once:
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.act)

    def act(self) -> None:
        """Let the person on turn act; skip a table that is busy or being dealt."""
        if self._turn is None or self._waiting:
            self.skipped += 1
            return
        seat, text = self._turn
        state = msgspec.json.decode(text)
        message = {"type": "act", "seq": state["seq"], "action": choice(state)}
        self._turn, self._last = None, self._turn
        self._waiting, self._wanted = set(range(SEATS)), state["seq"] + 1
        self._sent = time.perf_counter()
        self.sockets[seat].write(frame(msgspec.json.encode(message)))


def choice(state: dict[str, Any]) -> list[Any]:
    """Return a legal action with which a deal is bid, trump is named and every card is played."""
    decision, hand = state["decision"], state["view"]["hand"]
    kind = decision["kind"]
    if kind == "bid":
        return ["pass"] if decision["pass"] else ["bid", decision["bids"][0]]
    if kind == "trump":
        return ["trump", decision["trumps"][0]]
    if kind == "upcard":
        return ["discard", [decision["nine"]] if decision["nine"] else []]
    if kind == "play":
        return ["play", decision["plays"][0]]
    return [kind, hand[: decision["sizes"][-1]]]


async def open_table(ports: Sequence[int], number: int, *, start: bool) -> Table:
    """Return a table with four persons, seated in turn at the servers on these ports."""
    table, port = Table(number), ports[0]
    guests = [(await ask(port, "/api/me")).cookie for _ in range(SEATS)]
    wanted = {"variant": "partnership", "public": True}
    table_id = (await ask(port, "/api/tables", wanted, guests[0])).json()["id"]
    for seat, guest in enumerate(guests):
        seat_port = ports[seat % len(ports)]
        table.sockets.append(
            await open_socket(seat_port, f"/ws/{table_id}", table.on_text_of(seat), guest)
        )
        if seat:
            table.sockets[seat].send(type="sit", seat=seat)
    while table.seq < 1 + SEATS:
        await asyncio.sleep(0.01)
    if start:
        table.sockets[0].send(type="start")
    return table


async def make_all(make: Callable[[int], Any], number: int) -> list[Any]:
    """Return `number` objects from `make`, made a few at a time."""
    at_once = asyncio.Semaphore(MAX_OPENING_SOCKETS // SEATS)

    async def one(index: int) -> Any:
        async with at_once:
            return await make(index)

    return await asyncio.gather(*(one(index) for index in range(number)))


class Figures(msgspec.Struct):
    """The results of a load. `late`: how late this client sent each action.

    `cpu`: processor seconds, by process. `commits`: those of PostgreSQL.
    """

    name: str
    seconds: list[float]
    late: list[float]
    skipped: int
    refused: Counter[str]
    duration: float
    cpu: dict[str, float]
    commits: int
    size: int

    def __str__(self) -> str:
        actions = len(self.seconds)
        return (
            f"{self.name:<22}{actions / self.duration:8.1f}/s"
            f"  p50 {quantile_ms(self.seconds, 0.5):7.1f} ms"
            f"  p99 {quantile_ms(self.seconds, 0.99):7.1f} ms"
            f"  worst {quantile_ms(self.seconds, 1):7.1f} ms"
            f"   ms of processor an action (and how busy): {self._spent(actions)}"
            f"   client late p99 {quantile_ms(self.late or [0.0], 0.99):.1f} ms"
            f"   skipped {self.skipped}   refused {dict(self.refused) or 0}"
            f"   {self.commits / self.duration:.0f} commits/s   {self.size} bytes"
        )

    def _spent(self, actions: int) -> str:
        return ", ".join(
            f"{who} {spent / max(1, actions) * 1000:.2f} ({spent / self.duration:.0%})"
            for who, spent in self.cpu.items()
        )


def quantile_ms(seconds: Sequence[float], share: float) -> float:
    """Return a quantile in ms."""
    ordered = sorted(seconds) or [float("nan")]
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Costs:
    """Processor seconds and commits since this object was made."""

    def __init__(self, servers: Sequence[Server], data: Database) -> None:
        self._servers, self._data = servers, data
        self._began = asyncio.get_running_loop().time()
        self._cpu, self._commits = self._now(), data.commits

    def _now(self) -> dict[str, float]:
        spent = {f"server {n}": one.cpu for n, one in enumerate(self._servers, 1)}
        if self._data.processor:
            spent["postgres"] = self._data.processor
        return {**spent, "client": time.process_time()}

    def figures(self, name: str, tables: Sequence[Table], late: list[float]) -> Figures:
        """Return the figures of these tables."""
        duration = asyncio.get_running_loop().time() - self._began
        cpu = {who: now - self._cpu[who] for who, now in self._now().items()}
        sizes = sorted(size for table in tables for size in table.sizes)
        return Figures(
            name,
            [s for table in tables for s in table.seconds],
            late,
            sum(table.skipped for table in tables),
            sum((table.refused for table in tables), Counter()),
            duration,
            cpu,
            self._data.commits - self._commits,
            sizes[len(sizes) // 2],
        )


async def play_at_pace(
    name: str, servers: Sequence[Server], data: Database, tables: list[Table], seconds: float
) -> Figures:
    """Let every table act once in two seconds, spread evenly, for `seconds`."""
    loop = asyncio.get_running_loop()
    late: list[float] = []
    began = loop.time() + 0.1
    spent: Costs | None = None
    for step in range(int((WARM_SECONDS + seconds) / TURN_SECONDS * len(tables))):
        due = began + step * TURN_SECONDS / len(tables)
        if (wait := due - loop.time()) > 0:
            await asyncio.sleep(wait)
        elif step % 16 == 0:
            await asyncio.sleep(0)
        if spent is None and due - began >= WARM_SECONDS:
            spent = Costs(servers, data)
            clear_figures(tables)
        late.append(max(0.0, loop.time() - due))
        tables[step % len(tables)].act()
    assert spent is not None
    return spent.figures(name, tables, late)


async def play_flat_out(
    name: str, servers: Sequence[Server], data: Database, tables: list[Table], seconds: float
) -> Figures:
    """Let every table act as soon as all have seen its last action, for `seconds`."""
    for table in tables:
        table.acts_at_once = True
        table.act()
    await asyncio.sleep(WARM_SECONDS)
    clear_figures(tables)
    spent = Costs(servers, data)
    await asyncio.sleep(seconds)
    found = spent.figures(name, tables, [])
    for table in tables:
        table.acts_at_once = False
    return found


def clear_figures(tables: Sequence[Table]) -> None:
    """Drop the figures so far."""
    for table in tables:
        table.seconds.clear()
        table.skipped = 0


async def load(data: Database, options: argparse.Namespace) -> Figures:
    """Measure persons at tables on servers started for that."""
    with ExitStack() as ending:
        many = data.url.startswith("postgres")
        servers = [
            ending.enter_context(running_server(*serve(data.url), pinned=not many))
            for _ in range(options.servers)
        ]
        ports = [server.port for server in servers]
        for port in ports:
            await wait_until_ready(port)

        def at_table(number: int) -> Coroutine[Any, Any, Table]:
            turn = number % len(ports)
            mine = [*ports[turn:], *ports[:turn]]
            return open_table(mine[:1] if options.sticky else mine, number, start=True)

        tables = await make_all(at_table, options.tables)
        play = play_flat_out if options.flat_out else play_at_pace
        return await play("Aces Around", servers, data, tables, options.seconds)


async def echo(number: int, seconds: float, size: int) -> Figures:
    """Measure the same sockets at a server that only forwards each message to all of a table."""
    with running_server(__file__, "--echo", str(size)) as server:

        async def four(index: int) -> Table:
            table = EchoTable(index)
            for seat in range(SEATS):
                path = f"/ws/{index}"
                table.sockets.append(await open_socket(server.port, path, table.on_text_of(seat)))
            return table

        tables = await make_all(four, number)
        return await play_at_pace("bare echo", [server], Database(""), tables, seconds)


class EchoTable(Table):
    """Four sockets, to all of which the server forwards a message of one of them."""

    def act(self) -> None:
        """Send a message."""
        if self._waiting:
            self.skipped += 1
            return
        self._waiting, self._wanted = set(range(SEATS)), self.seq + 1
        self._sent = time.perf_counter()
        self.sockets[0].write(frame(b"%d" % self._wanted))


def echo_server(size: int) -> None:
    """Serve the echo until terminated."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.routing import WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect

    groups: dict[str, list[WebSocket]] = {}

    async def play(websocket: WebSocket) -> None:
        await websocket.accept()
        group = groups.setdefault(websocket.path_params["table"], [])
        group.append(websocket)
        with suppress(WebSocketDisconnect):
            while True:
                seq = await websocket.receive_text()
                text = f'{{"type":"state","seq":{seq},'.ljust(size) + "}"
                for other in group:
                    await other.send_text(text)

    from acesaround.server.startup import _listen

    listening = _listen("127.0.0.1", 0)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/")
    config = uvicorn.Config(
        Starlette(routes=[WebSocketRoute("/ws/{table}", play)]),
        log_level="error",
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[listening])


async def idle(folder: Path, number: int) -> str:
    """Open `number` sockets, four a table; return how much the server's memory grows, as text."""
    with database.lite(folder) as data, running_server(*serve(data.url)) as server:
        await wait_until_ready(server.port)
        await make_all(lambda n: open_table([server.port], n, start=False), 2)
        before = server.rss
        began = time.perf_counter()
        await make_all(lambda n: open_table([server.port], n, start=False), number // SEATS)
        took = time.perf_counter() - began
        await asyncio.sleep(5)
        cpu = server.cpu
        await asyncio.sleep(5)
        grown = server.rss - before
        return (
            f"{number} idle sockets: {grown:.0f} MB more than the {before:.0f} MB before"
            f" ({1024 * grown / number:.0f} kB each), opened in {took:.0f} s,"
            f" {(server.cpu - cpu) / 5:.1%} busy"
        )


def commits(folder: Path, seconds: float = 2.0) -> float:
    """Return the durable commits per second of bare SQLite, one row each."""
    connection = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, body TEXT)")
        began, number = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            connection.execute("INSERT INTO entries (body) VALUES (?)", ("x" * 80,))
            number += 1
        return number / (time.perf_counter() - began)
    finally:
        connection.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100, help="tables of four (default 100)")
    parser.add_argument("--seconds", type=float, default=15, help="measured time (default 15)")
    parser.add_argument("--idle", type=int, default=400, help="idle sockets (default 400)")
    parser.add_argument(
        "--full", action="store_true", help="500 tables for two minutes, 3000 idle sockets"
    )
    parser.add_argument("--flat-out", action="store_true", help="as fast as the servers answer")
    parser.add_argument("--postgres", action="store_true", help="serve from a PostgreSQL")
    parser.add_argument("--servers", type=int, default=1, help="processes on it (default 1)")
    parser.add_argument("--sticky", action="store_true", help="a table's persons at one process")
    parser.add_argument("--folder", type=Path, help="where the databases are made")
    parser.add_argument("--echo", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.echo is not None:
        echo_server(options.echo)
        return
    if options.full:
        options.tables, options.seconds, options.idle = 500, 120, 3000
    if options.servers > 1 and not options.postgres:
        parser.error("several servers need --postgres")
    raise_file_limit(max(SEATS * options.tables, options.idle) + 200)
    if not options.postgres:
        pin_to_core(-1)
    with tempfile.TemporaryDirectory(dir=options.folder) as made:
        folder = Path(made)
        print(f"bare SQLite           {commits(folder):8.1f} durable commits/s")
        if options.tables:
            with database.postgres() if options.postgres else database.lite(folder) as data:
                found = asyncio.run(load(data, options))
            if not options.flat_out:
                print(asyncio.run(echo(options.tables, min(15, options.seconds), found.size)))
            print(found)
        if options.idle:
            print(asyncio.run(idle(folder / "idle", options.idle)))


def raise_file_limit(files: int) -> None:
    """Raise the number of files that this process and its server may open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < files:
        raise SystemExit(f"{files} sockets are needed, and `ulimit -Hn` is {hard}.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, files), hard))


if __name__ == "__main__":
    main()
