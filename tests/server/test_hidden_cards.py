"""Hidden cards reach no wrong seat: every byte sent is scanned, and depends on no hidden card.

Two tests check the same by different means. The scan reads every message for cards that its reader
may not know, by an oracle independent of the server. The other builds, for a reader and a moment,
another deal by which the reader would have learned the same, and asserts that the server would have
sent the same bytes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import pickle
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path

import msgspec
import pytest

from acesaround import bots
from acesaround.errors import AcesAroundError
from acesaround.game.view import view_for
from acesaround.record import from_text, to_text
from acesaround.record.model import decode
from acesaround.record.model import encode as encode_record
from acesaround.store import Store
from acesaround.table import (
    Command,
    CommandRefused,
    RefusalMessage,
    Table,
    TablePresence,
    bot_request,
    commands,
    encode,
    encode_state,
    fold,
    handle_command,
    hint,
    hint_message,
    may_hint,
)
from acesaround.table import entries as log
from acesaround.table.entries import Entry
from acesaround.table.games import fold_games, public_record
from acesaround.table.list_columns import list_summary
from acesaround.table.replay_message import replay
from acesaround.variants import VARIANTS
from tests.multiprocess.server import Server
from tests.postgres import Postgres
from tests.server.random_client import CARDS, Guest, Message
from tests.server.visibility_oracle import (
    ONLOOKER,
    PEOPLE,
    Allowed,
    find_cards,
    hide_buried_of_sheet,
    list_steps,
    make_other_world,
    make_random_log,
)
from tests.variant_sample import sample_variants

CONNECTED = tuple(person.id for person in PEOPLE)
ALL_PRESENT, SOME_PRESENT = (
    TablePresence(frozenset(CONNECTED)),
    TablePresence(frozenset(CONNECTED[:2])),
)
READERS = (*CONNECTED, None)
CHANCE = random.Random(0)


def scan_states(entries: Sequence[Entry]) -> int:
    """Scan every state of a table for each reader; return the number of states."""
    history = list_steps(entries)
    allowed = Allowed(history)
    messages = 0
    for table, events in history:
        for reader in READERS:
            seat = table.seat_of(reader)
            sent = encode_state(table, "t", reader, events, SOME_PRESENT)
            leaked = find_cards(hide_buried_of_sheet(sent, table)) - allowed(table.seq, seat)
            assert not leaked, f"seat {seat} was shown {leaked} by {sent!r}"
            if table.game is not None:
                hand = [] if seat is None else [str(card) for card in table.game.hand(seat)]
                assert msgspec.json.decode(sent)["view"]["hand"] == hand
            messages += 1
    return messages


def list_answers(table: Table, reader: str) -> list[bytes]:
    """Return all answers of the server to requests of a reader at a moment."""
    person = next(person for person in PEOPLE if person.id == reader)
    found = [list_summary(table)]
    for command in list_commands(table):
        try:
            handle_command(table, person, command, CHANCE)
        except CommandRefused as refusal:
            found.append(encode(RefusalMessage(refusal.code, str(refusal), table.seq)))
        else:
            found.append(b"done")
    seat = table.seat_of(reader)
    if seat is not None and may_hint(table, seat) and table.game is not None:
        request = bot_request(table, seat, "expert", 1)
        if request is not None:
            found.append(pickle.dumps(request))  # as it is sent to workers
        for name in ("thumb", "expert:time=0.001"):
            advice = hint(table, seat, bots.make(name, random.Random(1)))
            if advice is not None:
                found.append(
                    encode(hint_message(table.seq, seat, view_for(table.game, seat), advice))
                )
    return found


def list_commands(table: Table) -> list[Command]:
    """Return many commands: every card, claims, undo, seats."""
    plays = [commands.Act(table.seq, ["play", card]) for card in CARDS]
    sets = [
        commands.Act(table.seq, [verb, CARDS[at : at + number]])
        for verb in ("bury", "give", "discard", "meld")
        for number in (1, 3)
        for at in (0, 7)
    ]
    bids = [commands.Act(table.seq, ["bid", points]) for points in (1, 50, 250, 300)]
    trumps = [commands.Act(table.seq, ["trump", suit]) for suit in "SHDC"]
    rest: list[Command] = [
        commands.Claim(),
        commands.Undo(),
        commands.TakeOverFromBot(),
        commands.Start(),
        commands.Rematch(),
        commands.AnswerProposal(True),
    ]
    every = range(table.rules.seats)
    sits: list[Command] = [commands.Sit(seat) for seat in every]
    sits += [commands.RequestSeat(seat) for seat in every]
    swaps = [commands.Swap(seat) for seat in every]
    return [
        *plays,
        *sets,
        *bids,
        *trumps,
        *rest,
        *sits,
        *swaps,
        commands.Act(table.seq, ["concede"]),
    ]


def list_downloads(entries: Sequence[Entry]) -> list[bytes]:
    """Return all downloads of a table's games: lists, records and replays."""
    found = []
    for number, line in enumerate(fold_games(entries)[1], 1):
        record = public_record(line)
        found.append(encode_record(record))
        found.append(to_text(record).encode())
        for deal in range(1, len(record.deals) + 2):
            try:
                found.append(encode(replay(line, "t", number, deal)))
            except AcesAroundError as refusal:
                found.append(str(refusal).encode())
    return found


def compare_worlds(entries: Sequence[Entry], rng: random.Random) -> Counter[str]:
    """Compare two worlds that are the same to one reader, at one moment of a deal."""
    dealt = [at for at, entry in enumerate(entries) if isinstance(entry, log.Dealt)]
    if not dealt:
        return Counter()
    first = rng.choice(dealt)
    later = [at for at in dealt if at > first]
    cut = rng.randrange(first + 1, (later[0] if later else len(entries)) + 1)
    start = fold(entries[:first])
    reader = rng.choice((ONLOOKER, *(person.id for person in PEOPLE)))
    table, seats = start, {start.seat_of(reader)}
    for step, _ in list_steps(entries[:cut])[first - 1 :]:
        seats.add(step.seat_of(reader))
    other, other_steps, moved = make_other_world(entries[first:cut], start, seats, rng)
    if not moved:
        return Counter(same=1)
    here = list_steps(entries[:cut])[first - 1 :]
    for (table, events), (else_table, else_events) in zip(here, other_steps, strict=True):
        sent = encode_state(table, "t", reader, events, ALL_PRESENT)
        assert sent == encode_state(else_table, "t", reader, else_events, ALL_PRESENT)
    whole = [*entries[:first], *other]
    assert list_answers(table, reader) == list_answers(else_table, reader)
    assert table.game is not None
    assert start.game is not None
    if table.game.deals == start.game.deals:
        # During the deal nobody may download a card of it.
        assert list_downloads(entries[:cut]) == list_downloads(whole)
    return Counter(moved=moved, worlds=1)


def check_games(number_of_games: int, seed: int) -> Counter[str]:
    """Scan and compare `number_of_games` games; return the counts."""
    found: Counter[str] = Counter()
    for number in range(number_of_games):
        rng = random.Random(f"{seed} {number}")
        entries = make_random_log(rng, deals=rng.choice((1, 1, 1, 2, 3)))
        try:
            found["messages"] += scan_states(entries)
            for _ in range(4):
                found += compare_worlds(entries, rng)
        except AssertionError as error:
            error.add_note(f"in game {number} of seed {seed}")
            raise
        found["games"] += 1
        found.update(type(entry).__name__ for entry in entries)
    return found


def test_no_byte_shows_or_depends_on_a_hidden_card() -> None:
    found = check_games(20, seed=1)
    assert found["worlds"] > 50
    assert found["moved"] > 250
    assert found["Proposed"] > 25


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_no_byte_of_many_games_shows_or_depends_on_a_hidden_card(seed: int) -> None:
    assert check_games(500, seed)["worlds"] > 1500


async def check_play(
    variant: str, ports: Sequence[int], url: str, seed: int, deals: int = 2
) -> int:
    """Play deals of a variant at server processes; return the number of checked messages.

    With several servers, guests connect to them in turn, and all serve the table.
    """
    people = (("Ann", 0.1), ("Bob", 0.3), ("Cleo", 0.2), ("Zoe", 0.0))
    guests = [
        Guest(name, port, random.Random(f"{variant} {seed} {name}"), restless)
        for (name, restless), port in zip(people, cycle(ports), strict=False)
    ]
    for guest in guests:
        await guest.enter()
    rules = {"hands": deals} if "hands" in VARIANTS[variant].options else {}
    table_id = await guests[0].open_table(variant=variant, options=rules, public=True, bots="thumb")

    def is_over(state: Message) -> bool:
        return len(state["sheet"]) >= deals or state["table"]["over"]

    async with asyncio.TaskGroup() as playing:
        for guest in guests:
            playing.create_task(guest.play(table_id, is_over))
    store = await Store.open(url)
    try:
        entries = [log.decode(body) for body in await store.entries(table_id)]
    finally:
        await store.close()
    return check_messages(guests, entries, table_id.encode())


def check_messages(guests: Sequence[Guest], entries: Sequence[Entry], table_id: bytes) -> int:
    """Compare what was sent with the log of the table."""
    history = list_steps(entries)
    allowed = Allowed(history)
    tables = {table.seq: table for table, _ in history}
    ids = {e.person.name: e.person.id for e in entries if isinstance(e, log.SeatTaken)}
    for guest in guests:
        for sent in guest.received:
            message = json.loads(sent)
            table = tables[message["seq"]]
            seat = table.seat_of(ids.get(guest.name))
            allowed_cards = allowed(message["seq"], seat)
            text = sent.decode()
            if message["type"] == "state":
                assert message["table"]["you"] == seat
                text = hide_buried_of_sheet(sent, table)
            else:
                allowed_cards |= guest.named_cards
            leaked = find_cards(text.replace(table_id.decode(), "")) - allowed_cards
            assert not leaked, f"{guest.name} in seat {seat} was shown {leaked} by {sent!r}"
        for form, body in guest.downloaded:
            if form.startswith("record"):
                read = from_text(body.decode()) if form == "record.txt" else decode(body)
                assert all(deal.score is not msgspec.UNSET for deal in read.deals)
            elif form.startswith("replay"):
                shown = json.loads(body)
                assert shown["deal"] <= len(shown["sheet"])
                assert shown["steps"][-1]["events"][-1]["type"] in ("DealScored", "GameWon")
            else:
                assert find_cards(body.replace(table_id, b"").decode()) == set()
    return sum(len(guest.received) for guest in guests)


Served = tuple[list[int], str]
"""The ports of servers in processes of their own, and their database."""


@contextlib.contextmanager
def serve_processes(folder: Path, url: str, number: int) -> Iterator[Served]:
    servers = [Server(url, folder / f"log{place}") for place in range(number)]
    try:
        for server in servers:
            server.start()
        yield [server.port for server in servers], url
    finally:
        for server in servers:
            server.stop()
    for server in servers:
        log_text = server.log.read_text()
        assert "Traceback" not in log_text, log_text


@pytest.fixture(scope="module")
def one_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    with serve_processes(folder, f"sqlite:///{folder / 'tables.sqlite'}", 1) as served:
        yield served


@pytest.fixture(scope="module")
def two_processes(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Iterator[Served]:
    with serve_processes(tmp_path_factory.mktemp("served"), postgres.url(), 2) as served:
        yield served


TWO_PROCESS_VARIANTS = ("partnership", "three-handed", "two-handed")
"""Variants that also play two deals at two processes. At one process each plays one deal."""


@pytest.mark.parametrize("variant", sample_variants(VARIANTS))
async def test_no_bytes_show_a_hidden_card(variant: str, one_process: Served) -> None:
    assert await check_play(variant, *one_process, seed=1, deals=1) > 20


@pytest.mark.parametrize("variant", TWO_PROCESS_VARIANTS)
async def test_no_bytes_of_two_processes_show_a_hidden_card(
    variant: str, two_processes: Served
) -> None:
    assert await check_play(variant, *two_processes, seed=1) > 20


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 8))
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("way", ["one_process", "two_processes"])
async def test_no_bytes_of_many_games_show_a_hidden_card(
    way: str, variant: str, seed: int, request: pytest.FixtureRequest
) -> None:
    served: Served = request.getfixturevalue(way)
    assert await check_play(variant, *served, seed=seed) > 20
