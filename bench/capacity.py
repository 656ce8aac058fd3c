"""Simulate which resources people need, and which part is overloaded first.

    .venv/bin/python bench/capacity.py measure    # on this machine, minutes; writes capacity.json
    .venv/bin/python bench/capacity.py            # prints the tables
    .venv/bin/python bench/capacity.py --write    # puts them into docs/capacity.md

Every table is simulated as a list of turns: a person thinks, a server takes the action, a database
commits it, all viewers are shown it, and then the next person thinks. Each part is a queue with the
measured speed (`capacity.json`). The behaviour of people is assumed: see `Habits`.
"""

from __future__ import annotations

import argparse
import heapq
import random
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

HERE: Final = Path(__file__).parent
MEASURED: Final = HERE / "capacity.json"
PAGE: Final = HERE.parent / "docs" / "capacity.md"
PEOPLE: Final = (10, 100, 1_000, 10_000, 100_000)
SECONDS: Final = 20.0  # of simulation, after as long a warm-up
MAX_UTILIZATION: Final = 0.7
"""The utilization above which a part counts as overloaded, because queues then grow fast."""
MIN_BOT_TIME_SHARE: Final = 0.5
"""The share of their time below which bots count as too weak."""
MAX_LATENCY_SECONDS: Final = (
    0.1  # the highest acceptable 99% quantile of seconds from an action until it is shown
)
MONTH: Final = 30 * 86_400


class Measured(msgspec.Struct, frozen=True):
    """The figures of one machine.

    Milliseconds are processor time for one log entry on a busy server. A server with little load
    needs more for each entry, because less work is batched.
    """

    machine: str
    server_one: float
    """ms of a server with one viewer and three easy bots at the table."""
    server_four: float
    """ms of a server with four viewers."""
    postgres: float
    """ms of PostgreSQL."""
    postgres_server: float
    """ms of a server on PostgreSQL with four viewers."""
    sqlite_commits: float
    """Durable commits per second of bare SQLite."""
    postgres_commits: float
    """Durable commits per second of PostgreSQL, for one client that waits for each."""
    socket_kb: float
    """The memory of an open socket, with its share of a table."""
    rest_mb: float
    """The memory of an idle server."""
    message_bytes: float
    entry_bytes: float
    """The size of an entry on disk, with the data stored for it."""
    thinking: dict[str, float]
    """Seconds of a core per decision, by level; `hint` for a hint."""


class Habits(msgspec.Struct, frozen=True):
    """Assumptions about what people do. They are not measured, so change them and compare."""

    alone: float = 0.5
    """The share of people who play with three bots."""
    pairs: float = 0.2
    """The share of people who play with a partner and two bots. The rest sit four at a table."""
    think: float = 4.0
    """The median seconds before a person acts."""
    spread: float = 0.7
    """The standard deviation of their logarithm: one decision in twenty takes over twelve
    seconds."""
    levels: tuple[tuple[str, float], ...] = (
        ("easy", 0.25),
        ("medium", 0.5),
        ("hard", 0.15),
        ("expert", 0.1),
    )
    """The levels of the bots, with their shares."""
    choices: float = 0.6
    """The share of a bot's decisions that are not forced."""
    hints: float = 0.03
    """The mean number of hints requested per decision of a person."""
    pause: float = 0.45
    """The mean of the least seconds that a bot waits: see `BotDelays`."""


class Prices(msgspec.Struct, frozen=True):
    """Round prices of rented machines, per month. Offers differ by a factor of five either way."""

    core: float = 15.0
    """A core with 4 GB."""
    traffic: float = 0.01
    """A GB sent."""
    disk: float = 0.1
    """A GB stored."""


class Setup(NamedTuple):
    """A deployment. Without PostgreSQL there is one server, which contains SQLite."""

    name: str
    servers: int
    postgres: int
    """Cores of each PostgreSQL."""
    databases: int
    """The number of PostgreSQL databases, each with a share of the tables."""
    thinkers: int


SETUPS: Final = (
    Setup("2 cores: one process, SQLite", 1, 0, 1, 1),
    Setup("8 cores: one process, SQLite", 1, 0, 1, 7),
    Setup("32 cores: 6 processes, PostgreSQL", 6, 2, 1, 24),
    Setup("4 machines of 32 cores, one PostgreSQL", 12, 4, 1, 100),
    Setup("30 machines of 32 cores, one PostgreSQL", 48, 16, 1, 850),
    Setup("100 machines of 32 cores, two PostgreSQL", 160, 32, 2, 2900),
)


class Queue:
    """A queue with several workers, first come, first served. Times are in seconds."""

    def __init__(self, workers: int) -> None:
        self._free = [0.0] * max(1, workers)
        self.workers = max(1, workers)
        self.work = 0.0

    def done(self, now: float, takes: float) -> float:
        """Return when a job is done that arrives now and takes this long."""
        begun = max(now, self._free[0])
        heapq.heapreplace(self._free, begun + takes)
        self.work += takes
        return begun + takes


class Thinkers(Queue):
    """Cores that run bots. When many jobs wait, each gets less time, as on the servers."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self._under_way: list[float] = []  # end times of the running jobs

    def part(self, now: float) -> float:
        """Return the share of its time that a job gets if it arrives now."""
        while self._under_way and self._under_way[0] <= now:
            heapq.heappop(self._under_way)
        return min(1.0, self.workers / (len(self._under_way) + 1))

    def done(self, now: float, takes: float) -> float:
        """Return when a job is done; `takes` is already reduced to its share."""
        ended = super().done(now, takes)
        heapq.heappush(self._under_way, ended)
        return ended


class Commits:
    """Group commits of one writer: requests during a commit share the next one."""

    def __init__(self, takes: float) -> None:
        self._takes = takes
        self._ends = 0.0  # the end of the last commit that is running or scheduled
        self.made = 0

    def done(self, now: float) -> float:
        """Return when a request that arrives now is on disk."""
        if now >= self._ends:  # no commit is running
            self._ends = now + self._takes
            self.made += 1
        elif now >= self._ends - self._takes:  # the last commit has begun, so another follows
            self._ends += self._takes
            self.made += 1
        return self._ends


class Seen(NamedTuple):
    """The results of a simulation, per second or as shares of a second."""

    entries: float
    commits: float
    sent: float
    """Messages sent."""
    latency: float
    """The 99% quantile of the seconds from an action until it is shown."""
    waits: float
    """The 99% quantile of the seconds that a bot's decision waits, without its own computing
    time."""
    thought: float
    """The mean share of its time that a bot's decision gets."""
    server: float
    """The utilization of the servers; above 1 they fall behind."""
    postgres: float
    thinking: float
    commit: float
    """The utilization of the disk: 1 if commits follow each other without a pause."""


def simulate(
    people: int, setup: Setup, of: Measured, habits: Habits, seed: int = 1, seconds: float = SECONDS
) -> Seen:
    """Simulate `people` people for a while."""
    rng = random.Random(seed)
    servers = [Queue(1) for _ in range(setup.servers)]
    postgres = [Queue(setup.postgres) for _ in range(setup.databases)]
    thinkers = Thinkers(setup.thinkers)
    takes = 1 / (of.postgres_commits if setup.postgres else of.sqlite_commits)
    commits = [Commits(takes) for _ in servers]
    tables = list(_tables(people, habits, rng))
    levels, weights = zip(*habits.levels, strict=True)
    bots = rng.choices(levels, weights, k=len(tables))
    turns = [(rng.random() * 2 * habits.think, number, 0) for number in range(len(tables))]
    heapq.heapify(turns)
    latencies: list[float] = []
    waits: list[float] = []
    shares: list[float] = []
    entries = sent = 0
    work = [0.0] * 4
    settled = False
    while turns[0][0] < 2 * seconds:
        now, number, turn = heapq.heappop(turns)
        if not settled and now >= seconds:
            settled, entries, sent = True, 0, 0
            work = _work(servers, postgres, thinkers, commits)
            latencies.clear()
            waits.clear()
            shares.clear()
        persons, server_index = tables[number], number % len(servers)
        taken = servers[server_index].done(now, _server(of, persons, setup) / 1000)
        shown = commits[server_index].done(taken)
        if setup.postgres:
            shown = max(shown, postgres[number % setup.databases].done(taken, of.postgres / 1000))
        latencies.append(shown - now)
        entries += 1
        sent += persons
        turn = (turn + 1) % 4
        if turn < persons:
            if rng.random() < habits.hints:
                thinkers.done(shown, of.thinking["hint"] * thinkers.part(shown))
            due = shown + rng.lognormvariate(0, habits.spread) * habits.think
        else:
            due = shown + habits.pause
            if (core := of.thinking[bots[number]]) and rng.random() < habits.choices:
                share = thinkers.part(shown)
                ended = thinkers.done(shown, core * share)
                shares.append(share)
                waits.append(ended - core * share - shown)
                due = max(due, ended)
        heapq.heappush(turns, (due, number, turn))
    spent = [b - a for a, b in zip(work, _work(servers, postgres, thinkers, commits), strict=True)]
    return Seen(
        entries=entries / seconds,
        commits=spent[3] / seconds,
        sent=sent / seconds,
        latency=_late(latencies),
        waits=_late(waits),
        thought=statistics.fmean(shares or [1.0]),
        server=spent[0] / seconds / len(servers),
        postgres=spent[1] / seconds / sum(q.workers for q in postgres) if setup.postgres else 0.0,
        thinking=spent[2] / seconds / thinkers.workers,
        commit=spent[3] / seconds * takes / len(commits),
    )


def _work(
    servers: Sequence[Queue], postgres: Sequence[Queue], thinkers: Queue, commits: Sequence[Commits]
) -> list[float]:
    return [
        sum(queue.work for queue in servers),
        sum(queue.work for queue in postgres),
        thinkers.work,
        float(sum(writer.made for writer in commits)),
    ]


def _tables(people: int, habits: Habits, rng: random.Random) -> Iterator[int]:
    """Yield the number of persons at each table."""
    yield from [1] * round(people * habits.alone)
    yield from [2] * round(people * habits.pairs / 2)
    yield from [4] * round(people * (1 - habits.alone - habits.pairs) / 4)


def _server(of: Measured, persons: int, setup: Setup) -> float:
    """Return the ms of a server for an entry with `persons` viewers."""
    each = max(0.0, of.server_four - of.server_one) / 3
    more = max(0.0, of.postgres_server - of.server_four) if setup.postgres else 0.0
    return of.server_one + each * (persons - 1) + more


def _late(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=100)[98] if len(seconds) > 1 else 0.0


class Need(NamedTuple):
    """The resources that a number of people need on any deployment."""

    people: int
    seen: Seen
    sockets: int
    memory: float
    """GB of servers."""
    server: float
    """Cores."""
    postgres: float
    thinking: float
    traffic: float
    """MB per second."""
    kept: float
    """GB per day."""


def need(people: int, of: Measured, habits: Habits) -> Need:
    """Return the resources that people need, simulated with plenty of each."""
    plenty = Setup("plenty", max(1, people // 50), max(1, people // 500), 1, max(4, people))
    seen = simulate(people, plenty, of, habits)
    return Need(
        people=people,
        seen=seen,
        sockets=people,
        memory=people * of.socket_kb / 1e6,
        server=seen.server * plenty.servers,
        postgres=seen.postgres * plenty.postgres,
        thinking=seen.thinking * plenty.thinkers,
        traffic=seen.sent * of.message_bytes / 1e6,
        kept=seen.entries * of.entry_bytes * 86_400 / 1e9,
    )


def overloaded_parts(seen: Seen) -> str:
    """Return the overloaded parts as text; "" if there are none."""
    parts = {"servers": seen.server, "PostgreSQL": seen.postgres}
    worst = sorted((busy, name) for name, busy in parts.items() if busy > MAX_UTILIZATION)[::-1]
    described = [f"{name} ({busy:.0%} of their cores)" for busy, name in worst]
    if seen.thought < MIN_BOT_TIME_SHARE:
        described.append(f"thinking (bots get {seen.thought:.0%} of their time)")
    if not described and seen.latency > MAX_LATENCY_SECONDS:
        described = [f"latency ({1000 * seen.latency:.0f} ms)"]
    return ", ".join(described)


def money(wanted: Need, setup: Setup, of: Measured, prices: Prices) -> float:
    """Return the price of a month, where a day's play is eight hours as busy as this."""
    cores = setup.servers + setup.postgres * setup.databases + setup.thinkers
    third = 1 / 3
    sent = wanted.traffic / 1000 * MONTH * third
    kept = wanted.kept * 30 * third * 12  # a year of games
    return cores * prices.core + sent * prices.traffic + kept * prices.disk


def tables(of: Measured, habits: Habits, prices: Prices, numbers: Sequence[int] = PEOPLE) -> str:
    """Return both tables for these numbers of people, in Markdown."""
    needs = [need(people, of, habits) for people in numbers]
    lines = [
        "| people at once | entries/s | sockets | cores of servers | of PostgreSQL"
        " | of thinking | memory of sockets | sent | kept a day |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for wanted in needs:
        lines.append(
            f"| {wanted.people:,} | {wanted.seen.entries:,.0f} | {wanted.sockets:,}"
            f" | {_short(wanted.server)}"
            f" | {_short(wanted.postgres)} | {_short(wanted.thinking)} | {_short(wanted.memory)} GB"
            f" | {_short(wanted.traffic)} MB/s | {_short(wanted.kept)} GB |"
        )
    lines += [
        "",
        "| people at once | on | an action is shown, p99 | bots get of their time"
        " | a bot waits, p99 | too small | a month |",
    ]
    lines += ["|---|---|---|---|---|---|---|"]
    for wanted in needs:
        for setup in SETUPS:
            seen = simulate(wanted.people, setup, of, habits)
            overloaded = overloaded_parts(seen)
            late = "falls behind" if seen.server > 1 else f"{1000 * seen.latency:,.0f} ms"
            waits = f"{seen.waits:,.2f} s"
            cost = "" if overloaded else f"{money(wanted, setup, of, prices):,.0f} €"
            lines.append(
                f"| {wanted.people:,} | {setup.name} | {late} | {seen.thought:.0%} | {waits}"
                f" | {overloaded or 'nothing'} | {cost} |"
            )
            if not overloaded:
                break
    return "\n".join(lines)


def _short(number: float) -> str:
    """Return a number with two significant digits."""
    return f"{number:.2g}" if number < 10 else f"{number:,.0f}"


BEGIN: Final = "<!-- tables -->"
END: Final = "<!-- end of tables -->"


def main() -> None:
    """Print or write the tables, or measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=["paper", "measure"], default="paper")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/capacity.md")
    options = parser.parse_args()
    if options.what == "measure":
        from capacity_measurements import measured

        MEASURED.write_bytes(msgspec.json.format(msgspec.json.encode(measured()), indent=2))
    machine = msgspec.json.decode(MEASURED.read_bytes(), type=Measured)
    text = tables(machine, Habits(), Prices())
    if not options.write:
        print(text)
        return
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
