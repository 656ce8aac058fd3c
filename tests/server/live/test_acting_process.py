"""Which of several processes acts for the bots of a table, and that it acts once."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from acesaround.server.live.live_table import LiveTable
from acesaround.server.live.peer_presence import PeerPresence
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import BotDelays
from acesaround.server.table_client import TableClient
from acesaround.store import Store
from acesaround.table import Config, Person, automatic_actor, begin, commands, entries, fold
from acesaround.table.list_columns import person_seat_on_turn
from tests.table.table_log import choose_random_action
from tests.waiting import wait_until_async

ANN, BOB = Person("a", "Ann"), Person("b", "Bob")
TABLE = Config("partnership", 4, {"hands": 1}, bots="thumb")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    links = (entries.LinkCreated("watch", "abcdef1"), entries.LinkCreated("replay", "abcdef2"))
    first = [*begin(TABLE, ANN), entries.SeatTaken(2, BOB), *links, entries.Begun(0)]
    bodies = [entries.encode(entry) for entry in first]
    await store.create("t", bodies, config=b"{}", public=False, summary=b"{}")
    yield store
    await store.close()


def new_registry(store: Store) -> TableRegistry:
    """Return what one process holds in memory, with fast bots."""
    return TableRegistry(store, BotDelays(0, 0, 0, 0, 0), Metrics())


@pytest.fixture
def registry(store: Store) -> TableRegistry:
    return new_registry(store)


@pytest.fixture
async def live_table(registry: TableRegistry) -> AsyncIterator[LiveTable]:
    async with registry.acquire("t") as live_table:
        assert live_table is not None
        yield live_table
    await registry.close()


def announce(registry: TableRegistry, other: PeerPresence, *people: Person) -> None:
    """Let another process announce its connected persons."""
    for said in other.presence_messages({"t": [person.id for person in people]}, 7900):
        registry.broadcast_states(registry.services.peers.receive(said)[1])


def is_acting(live_table: LiveTable) -> bool:
    """Return True if this process acts for chance and bots, or is about to."""
    return "bots" in live_table._tasks


async def test_bots_act_for_a_spectator_if_no_seated_person_is_connected(
    live_table: LiveTable,
) -> None:
    assert not is_acting(live_table)  # nobody is connected
    await live_table.join(TableClient(None, "t"))
    assert is_acting(live_table)
    await wait_until_async(
        lambda: automatic_actor(live_table.table) is None, "it is a person's turn"
    )
    assert live_table.table.is_dealt


async def test_bots_act_only_where_a_seated_person_is_connected(
    registry: TableRegistry, live_table: LiveTable
) -> None:
    other = PeerPresence()
    announce(registry, other, ANN)
    await live_table.join(TableClient(None, "t"))
    assert not is_acting(live_table)  # Ann is at the other process
    await live_table.join(TableClient(BOB, "t"))
    assert is_acting(live_table)


@pytest.mark.parametrize("how", ["left", "ended", "silent"])
async def test_bots_act_here_when_the_person_elsewhere_has_gone(
    how: str, registry: TableRegistry, live_table: LiveTable
) -> None:
    other = PeerPresence()
    announce(registry, other, ANN)
    await live_table.join(TableClient(None, "t"))
    assert not is_acting(live_table)
    if how == "left":
        announce(registry, other)
    elif how == "ended":
        registry.broadcast_states(registry.services.peers.receive(other.encode_message("bye"))[1])
    else:
        registry.broadcast_states(registry.services.peers.drop_silent_peers(1e12))
    assert is_acting(live_table)


async def test_bots_stop_here_when_a_seated_person_is_elsewhere(
    registry: TableRegistry, live_table: LiveTable
) -> None:
    watcher = TableClient(None, "t")
    await live_table.join(watcher)
    announce(registry, PeerPresence(), ANN)
    await wait_until_async(
        lambda: not is_acting(live_table), "it leaves the bots to the other process"
    )
    live_table.leave(watcher)


async def test_two_processes_make_each_action_once(store: Store, chance: random.Random) -> None:
    """Both decide for three seats; the later one folds the entry of the other."""
    hubs = new_registry(store), new_registry(store)
    seq = len(await store.entries("t"))
    await store.append("t", seq, [entries.encode(entries.BotSubstituted(0))])
    async with hubs[0].acquire("t") as one, hubs[1].acquire("t") as two:
        assert one is not None
        assert two is not None
        announce(hubs[0], hubs[1].services.peers, BOB)
        announce(hubs[1], hubs[0].services.peers, ANN)
        await one.join(TableClient(ANN, "t"))
        await two.join(TableClient(BOB, "t"))
        assert is_acting(one)
        assert is_acting(two)
        while two.state != "over":
            await wait_until_async(
                lambda: person_seat_on_turn(two.table) == 2 or two.state == "over", "a turn"
            )
            if two.state != "over":
                act = commands.Act(two.table.seq, choose_random_action(two.table, chance))
                await two.handle_command(BOB, act)
                one.note_log_advance(two.table.seq)  # as a peer announces it
        await wait_until_async(lambda: one.state == "over", "the game is over there too")
        whole = [entries.decode(body) for body in await store.entries("t")]
        assert one.table == two.table == fold(whole)
        name = "acesaround_log_entries_total"
        counted = [
            registry.services.metrics.registry.get_sample_value(name) or 0 for registry in hubs
        ]
        assert sum(counted) == len(whole) - seq - 1
    for registry in hubs:
        await registry.close()
