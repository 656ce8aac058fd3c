"""One person deleted: nothing tells of him any more, and what was played is as it was."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import String, text

from acesaround.record.model import encode
from acesaround.retention.delete_person import delete_person
from acesaround.retention.export_person import export_person
from acesaround.store import Store, admin_notices, people, schema, table_lists
from acesaround.store.people import PERSON_IDS, SECRET_COLUMNS
from acesaround.store.schema import METADATA
from acesaround.table import Entry, Person, begin, entries, fold, records
from acesaround.table import commands as say
from acesaround.table.anonymize import FORMER_PLAYER
from tests.retention.store_fixtures import call, entries_of, put
from tests.server.visibility_oracle import PEOPLE, a_log
from tests.table.test_anonymize import a_chat
from tests.table.test_games import finished
from tests.table.test_table import ANN, BOB, CLEO, Log, config

NOBODYS = {
    *("tables.id", "entries.table_id", "games.table_id", "seats.table_id", "links.table_id"),
    *("links.token", "links.kind", "people.name", "people.avatar", "notices.kind", "notices.what"),
    *("seats.shelf", "devices.device_id", "devices.name", "codes.code"),
    "sheets.key",
}
"""Columns of words that are no ids of persons: tables, tokens, kinds, names, marks.

A device has the id of the person that it was first, and keeps it whoever that is now.
"""


def test_every_column_that_can_hold_a_persons_id_is_known() -> None:
    """One that is called `person_id` is; any other has to be named here or in `PERSON_IDS`."""
    columns = [column for table in METADATA.tables.values() for column in table.columns]
    words = {str(column) for column in columns if type(column.type) is String}
    assert words - NOBODYS == {str(column) for column in PERSON_IDS}


def test_no_secret_is_among_what_is_exported() -> None:
    """A column whose values open something is left out of `rows`."""
    own = (schema.TABLES, schema.PEOPLE, schema.SEATS)
    shown = {
        column.name
        for held in PERSON_IDS
        if held.table not in own
        for column in held.table.columns
        if column.name not in SECRET_COLUMNS
    }
    devices = {"device_id", "name", "first"}
    sheets = {"key", "text"}
    assert shown <= {"person_id", "seen", "changed", "expires", *devices, *sheets}


def unique(log: list[Entry], tag: str) -> list[Entry]:
    """The log with ids and names that stand nowhere else by chance."""
    told = [entries.encode(entry) for entry in log]
    for person in PEOPLE:
        told = [
            body.replace(f'"{person.id}"'.encode(), f'"{called(person, tag).id}"'.encode()).replace(
                f'"{person.name}"'.encode(), f'"{called(person, tag).name}"'.encode()
            )
            for body in told
        ]
    return [entries.decode(body) for body in told]


def called(person: Person, tag: str) -> Person:
    return Person(f"secret-{person.id}-{tag}", f"Name{person.name}{tag}")


def remains(folder: Path, *words: str) -> list[str]:
    """Which of these words stand in any file of a folder."""
    files = b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())
    return [word for word in words if word.encode() in files]


@given(st.integers(0, 2**32))
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_neither_name_nor_id_stands_in_the_files_and_all_else_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    import asyncio

    asyncio.run(_deleted(tmp_path_factory.mktemp("kept"), random.Random(seed)))


async def _deleted(folder: Path, rng: random.Random) -> None:
    store = await Store.open(f"sqlite:///{folder / 'tables.sqlite'}")
    logs = {f"t{n}": unique(a_chat(rng), "zq") for n in range(3)}
    logs["over"] = unique(a_log(rng, 9, 3000), "zq")
    for name, log in logs.items():
        await put(store, name, log)
    for person in PEOPLE:
        await call(store, called(person, "zq"))
    gone = called(rng.choice(PEOPLE[:4]), "zq")
    told = [name for name, log in logs.items() if any(gone.id in str(entry) for entry in log)]
    assert remains(folder, gone.id, gone.name) == [gone.id, gone.name]

    done = await delete_person(store, gone.id, notice_seconds=0)
    await people.vacuum(store)
    assert sorted(done.tables) == sorted(told)
    assert done.garbled == []
    assert remains(folder, gone.id, gone.name) == []
    assert not await people.tables_mentioning(store, gone.id)
    for other in PEOPLE:
        if called(other, "zq") != gone:
            assert remains(folder, called(other, "zq").name) != []

    for name, log in logs.items():
        anew = await entries_of(store, name)
        before, after = fold(log), fold(anew)
        assert (after.game, after.sheet) == (before.game, before.sheet)
        assert [nameless(encode(one), gone.name) for one in records(log)] == [
            nameless(encode(one), gone.name) for one in records(anew)
        ]
        for line in await store.game_lines(name):
            assert gone.id.encode() not in line
        assert (anew == log) == (name not in told)
        if name in told:
            assert anew[-1] == entries.LogRewritten()
            assert after.seat_of(gone.id) is None
    await store.close()


def nameless(record: bytes, name: str) -> bytes:
    """A record in which that name and a former player are the same."""
    return record.replace(f'"{name}"'.encode(), f'"{FORMER_PLAYER}"'.encode())


async def test_the_seat_of_a_running_deal_goes_to_a_bot_and_the_hosts_rights_pass_on(
    store: Store,
) -> None:
    log = Log(config())
    log.do(BOB, say.Sit(1))
    log.do(ANN, say.Start())
    log.bots()
    log.do(ANN, say.Talk("hello"))
    await put(store, "t", log.entries)
    await delete_person(store, ANN.id, notice_seconds=0)
    table = fold(await entries_of(store, "t"))
    assert table.seats[0].person is None
    assert table.closed_seats == {0}
    assert table.host == BOB
    assert table.chat == ()
    (line,) = await table_lists.listings(store, ["t"])
    assert b"Ann" not in bytes(line.summary)
    assert [spot.host for spot in await table_lists.lobby_tables(store)] == [BOB.id]
    log.add(*(await entries_of(store, "t"))[len(log.entries) :])
    assert log.refusal(CLEO, say.Sit(0)) == "rule"


async def test_at_two_tables_two_ids_stand_for_a_former_player(store: Store) -> None:
    for name in ("a", "b"):
        await put(store, name, finished().entries)
    await delete_person(store, BOB.id, notice_seconds=0)
    held = []
    for name in ("a", "b"):
        table = fold(await entries_of(store, name))
        player = table.players[1]
        assert isinstance(player, Person)
        assert player.name == FORMER_PLAYER
        held.append(player.id)
    assert held[0] != held[1]


async def test_a_process_that_holds_the_old_log_cannot_append_to_it(store: Store) -> None:
    """Its number is taken, as if somebody had acted: then it reads that all is to be read anew."""
    from acesaround.store import SequenceConflict

    log = finished()
    await put(store, "t", log.entries)
    await delete_person(store, BOB.id, notice_seconds=0)
    with pytest.raises(SequenceConflict):
        await store.append("t", log.table.seq, [b"{}"])
    found = await entries_of(store, "t")
    assert entries.LogRewritten() in found[log.table.seq :]


async def test_who_plays_on_while_somebody_is_deleted_loses_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry that comes between the reading and the writing is kept, and read once more."""
    log = Log(config())
    log.do(BOB, say.Sit(1))
    await put(store, "t", log.entries)
    late: list[Entry] = [entries.Said(0, "hello"), entries.ProfileChanged(1, "Bobby")]
    true_rewrite = people.rewrite_log

    async def slow(store: Store, table_id: str, *rest: object, **more: object) -> None:
        if late:
            now = late.pop()
            await store.append(table_id, len(await store.entries(table_id)), [entries.encode(now)])
        await true_rewrite(store, table_id, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(people, "rewrite_log", slow)
    await delete_person(store, BOB.id, notice_seconds=0)
    told = b"".join(map(entries.encode, await entries_of(store, "t")))
    assert b'"Bob' not in told
    assert b'"hello"' in told


async def test_a_damaged_log_is_named_and_the_others_are_written_anew(store: Store) -> None:
    await put(store, "sound", finished().entries)
    await put(store, "bad", finished().entries)
    async with store.writing() as connection:
        garbled = text("UPDATE entries SET body = '[]' WHERE table_id = 'bad' AND seq = 2")
        await connection.execute(garbled)
    done = await delete_person(store, BOB.id, notice_seconds=0)
    assert (done.tables, done.garbled) == (["sound"], ["bad"])


async def test_somebody_whose_name_is_the_id_of_another_is_left_alone(store: Store) -> None:
    """Or nobody could be deleted whose id somebody had taken for a name."""
    ann = Person("4x1ZbTiV0hYo9vKc2LrPz0", "Ann")
    await put(store, "hers", begin(config(), ann))
    await put(store, "others", begin(config(), Person("zoe", ann.id)))
    before = await store.entries("others")
    done = await delete_person(store, ann.id, notice_seconds=0)
    assert (done.tables, done.garbled) == (["hers"], [])
    assert await store.entries("others") == before


async def test_a_mark_tells_no_id_and_stays(store: Store) -> None:
    await call(store, ANN)
    await delete_person(store, ANN.id, notice_seconds=0)
    (notice,) = await admin_notices.notices_of_kind(store, "person")
    assert notice.what == admin_notices.person_hash(ANN.id)
    assert ANN.id not in notice.what
    assert await people.find_person(store, ANN.id) is None


async def test_an_export_tells_what_the_person_may_see_and_no_running_deal(store: Store) -> None:
    log = finished()
    log.do(BOB, say.Talk("good-game"))
    log.do(ANN, say.Rematch())
    log.do(BOB, say.Rematch())
    log.bots()
    assert log.table.is_dealt
    await put(store, "t", log.entries)
    await put(store, "other", Log(config()).entries)
    await call(store, BOB)
    known = await people.find_person(store, BOB.id)
    assert known is not None
    found = await export_person(store, known)
    (at,) = found.tables
    assert (at.table, at.seat, at.names, at.host) == ("t", 1, ("Bob",), False)
    assert [one.phrase for one in at.talk] == ["good-game"]
    (played,) = at.games
    assert played.over
    assert bytes(played.record) == encode(records(log.entries)[0])
    assert not re.search(rf"\b{ANN.id}\b", str(found))  # two letters may stand in any token


async def test_an_export_leaves_out_games_of_others(store: Store) -> None:
    """Who came after a game has its table, and not its cards."""
    log = finished()
    log.do(CLEO, say.Sit(2))
    await put(store, "t", log.entries)
    found = await export_person(store, people.Person(CLEO.id, "Cleo", 0, 0))
    assert [at.games for at in found.tables] == [()]
