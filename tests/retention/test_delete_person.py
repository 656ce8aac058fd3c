"""A deleted person is mentioned nowhere, and what was played stays."""

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
from acesaround.server.routes import person_results
from acesaround.store import Store, admin_notices, people, schema, table_lists
from acesaround.store.people import PERSON_IDS, SECRET_COLUMNS
from acesaround.store.schema import METADATA
from acesaround.table import Entry, Person, begin, commands, entries, fold, game_records
from acesaround.table.anonymize import FORMER_PLAYER
from tests.retention.store_fixtures import entries_of, store_person, store_table
from tests.server.visibility_oracle import PEOPLE, make_random_log
from tests.table.table_log import (
    ANN,
    BOB,
    CLEO,
    TableLog,
    make_finished_game,
    make_random_log_with_chat,
    table_config,
)

OTHER_COLUMNS = {
    *("tables.id", "entries.table_id", "games.table_id", "seats.table_id", "links.table_id"),
    *(
        "links.token",
        "links.kind",
        "people.name",
        "people.avatar",
        "notices.kind",
        "notices.subject",
    ),
    *("seats.list_section", "devices.device_id", "devices.name", "pairing_codes.code_hash"),
    *("sheets.key", "reviews.table_id", "practice.position", "practice.theme"),
}
"""String columns without ids of persons: tables, tokens, kinds, names, notices.

The id of a device is that of its first person, and stays.
"""


def test_every_column_with_person_ids_is_known() -> None:
    """Any string column must be in `PERSON_IDS` or in `OTHER_COLUMNS`."""
    columns = [column for table in METADATA.tables.values() for column in table.columns]
    words = {str(column) for column in columns if type(column.type) is String}
    assert words - OTHER_COLUMNS == {str(column) for column in PERSON_IDS}


def test_export_contains_no_secret() -> None:
    """Columns with secrets are left out of `rows`."""
    own = (schema.TABLES, schema.PEOPLE, schema.SEATS)
    shown = {
        column.name
        for held in PERSON_IDS
        if held.table not in own
        for column in held.table.columns
        if column.name not in SECRET_COLUMNS
    }
    devices = {"device_id", "name", "first_seen_ms"}
    sheets = {"key", "text"}
    practice = {"position", "theme", "right_count", "wrong_count", "was_right", "answered_ms"}
    others = {*devices, *sheets, *practice}
    assert shown <= {"person_id", "last_seen_ms", "changed_ms", "expires_ms", *others}


def with_unique_names(log: list[Entry], tag: str) -> list[Entry]:
    """Return the log with ids and names that occur nowhere else by chance."""
    bodies = [entries.encode(entry) for entry in log]
    for person in PEOPLE:
        bodies = [
            body.replace(
                f'"{person.id}"'.encode(), f'"{unique_person(person, tag).id}"'.encode()
            ).replace(f'"{person.name}"'.encode(), f'"{unique_person(person, tag).name}"'.encode())
            for body in bodies
        ]
    return [entries.decode(body) for body in bodies]


def unique_person(person: Person, tag: str) -> Person:
    return Person(f"secret-{person.id}-{tag}", f"Name{person.name}{tag}")


def words_in_files(folder: Path, *words: str) -> list[str]:
    """Return which of the words occur in any file of a folder."""
    files = b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())
    return [word for word in words if word.encode() in files]


@given(st.integers(0, 2**32))
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_deletion_removes_name_and_id_from_files_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    import asyncio

    asyncio.run(_check_deletion(tmp_path_factory.mktemp("kept"), random.Random(seed)))


async def _check_deletion(folder: Path, rng: random.Random) -> None:
    store = await Store.open(f"sqlite:///{folder / 'tables.sqlite'}")
    logs = {f"t{n}": with_unique_names(make_random_log_with_chat(rng), "zq") for n in range(3)}
    logs["over"] = with_unique_names(make_random_log(rng, 9, 3000), "zq")
    for name, log in logs.items():
        await store_table(store, name, log)
    for person in PEOPLE:
        await store_person(store, unique_person(person, "zq"))
    deleted = unique_person(rng.choice(PEOPLE[:4]), "zq")
    mentioned = [
        name for name, log in logs.items() if any(deleted.id in str(entry) for entry in log)
    ]
    assert words_in_files(folder, deleted.id, deleted.name) == [deleted.id, deleted.name]

    done = await delete_person(store, deleted.id, poll_grace_seconds=0)
    await people.vacuum(store)
    assert sorted(done.tables) == sorted(mentioned)
    assert done.garbled == []
    assert words_in_files(folder, deleted.id, deleted.name) == []
    assert not await people.tables_mentioning(store, deleted.id)
    for other in PEOPLE:
        if unique_person(other, "zq") != deleted:
            assert words_in_files(folder, unique_person(other, "zq").name) != []

    for name, log in logs.items():
        rewritten = await entries_of(store, name)
        before, after = fold(log), fold(rewritten)
        assert (after.game, after.sheet) == (before.game, before.sheet)
        assert [anonymized(encode(record), deleted.name) for record in game_records(log)] == [
            anonymized(encode(record), deleted.name) for record in game_records(rewritten)
        ]
        for line in await store.game_summaries(name):
            assert deleted.id.encode() not in line
        assert (rewritten == log) == (name not in mentioned)
        if name in mentioned:
            assert rewritten[-1] == entries.LogRewritten()
            assert after.seat_of(deleted.id) is None
    await store.close()


def anonymized(record: bytes, name: str) -> bytes:
    """Return a record in which a name is replaced by that of a former player."""
    return record.replace(f'"{name}"'.encode(), f'"{FORMER_PLAYER}"'.encode())


async def test_seat_of_a_deleted_host_goes_to_a_bot_and_host_rights_pass_on(store: Store) -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.Start())
    log.play_bots()
    log.send(ANN, commands.SendChat("hello"))
    await store_table(store, "t", log.entries)
    await delete_person(store, ANN.id, poll_grace_seconds=0)
    table = fold(await entries_of(store, "t"))
    assert table.seats[0].person is None
    assert table.closed_seats == {0}
    assert table.host == BOB
    assert table.chat == ()
    (line,) = await table_lists.listings(store, ["t"])
    assert b"Ann" not in bytes(line.summary)
    assert [spot.host for spot in await table_lists.lobby_tables(store)] == [BOB.id]
    log.add(*(await entries_of(store, "t"))[len(log.entries) :])
    assert log.send_refused(CLEO, commands.Sit(0)) == "rule"


async def test_former_player_has_another_id_at_each_table(store: Store) -> None:
    for name in ("a", "b"):
        await store_table(store, name, make_finished_game().entries)
    await delete_person(store, BOB.id, poll_grace_seconds=0)
    held = []
    for name in ("a", "b"):
        table = fold(await entries_of(store, name))
        player = table.players[1]
        assert isinstance(player, Person)
        assert player.name == FORMER_PLAYER
        held.append(player.id)
    assert held[0] != held[1]


async def test_process_with_the_old_log_cannot_append(store: Store) -> None:
    """Its next number is taken, so that it reads the log again."""
    from acesaround.store import SequenceConflict

    log = make_finished_game()
    await store_table(store, "t", log.entries)
    await delete_person(store, BOB.id, poll_grace_seconds=0)
    with pytest.raises(SequenceConflict):
        await store.append("t", log.table.seq, [b"{}"])
    found = await entries_of(store, "t")
    assert entries.LogRewritten() in found[log.table.seq :]


async def test_entry_during_the_deletion_is_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry appended between reading and writing is kept, and read too."""
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    await store_table(store, "t", log.entries)
    late: list[Entry] = [entries.ChatSent(0, "hello"), entries.ProfileChanged(1, "Bobby")]
    true_rewrite = people.rewrite_log

    async def append_first(store: Store, table_id: str, *rest: object, **more: object) -> None:
        if late:
            entry = late.pop()
            await store.append(
                table_id, len(await store.entries(table_id)), [entries.encode(entry)]
            )
        await true_rewrite(store, table_id, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(people, "rewrite_log", append_first)
    await delete_person(store, BOB.id, poll_grace_seconds=0)
    bodies = b"".join(map(entries.encode, await entries_of(store, "t")))
    assert b'"Bob' not in bodies
    assert b'"hello"' in bodies


async def test_damaged_log_is_reported_and_others_are_rewritten(store: Store) -> None:
    await store_table(store, "sound", make_finished_game().entries)
    await store_table(store, "bad", make_finished_game().entries)
    async with store.begin_write() as connection:
        garbled = text("UPDATE entries SET body = '[]' WHERE table_id = 'bad' AND seq = 2")
        await connection.execute(garbled)
    done = await delete_person(store, BOB.id, poll_grace_seconds=0)
    assert (done.tables, done.garbled) == (["sound"], ["bad"])


async def test_person_named_like_the_deleted_id_is_unchanged(store: Store) -> None:
    """Otherwise a name could prevent the deletion of a person."""
    ann = Person("4x1ZbTiV0hYo9vKc2LrPz0", "Ann")
    await store_table(store, "hers", begin(table_config(), ann))
    await store_table(store, "others", begin(table_config(), Person("zoe", ann.id)))
    before = await store.entries("others")
    done = await delete_person(store, ann.id, poll_grace_seconds=0)
    assert (done.tables, done.garbled) == (["hers"], [])
    assert await store.entries("others") == before


async def test_deleted_person_vanishes_from_the_results_of_the_others(store: Store) -> None:
    """The games stay, and count as games with people."""
    await store_table(store, "t", make_finished_game().entries)
    for person in (ANN, BOB):
        await store_person(store, person)

    async def results_of(person: Person) -> tuple[list[str], int, int]:
        found = await person_results.count_own_results(store, person.id)
        counts = [one.people for one in found.variants]
        names = [one.name for one in found.fellow_players]
        return names, found.games, sum(one.won + one.lost for one in counts)

    assert await results_of(ANN) == ([BOB.name], 1, 1)
    await delete_person(store, BOB.id, poll_grace_seconds=0)
    assert await results_of(ANN) == ([], 1, 1)
    assert await results_of(BOB) == ([], 0, 0)


async def test_notice_has_only_the_hash_of_the_id(store: Store) -> None:
    await store_person(store, ANN)
    await delete_person(store, ANN.id, poll_grace_seconds=0)
    (notice,) = await admin_notices.notices_of_kind(store, "person")
    assert notice.subject == admin_notices.person_hash(ANN.id)
    assert ANN.id not in notice.subject
    assert await people.find_person(store, ANN.id) is None


async def test_export_contains_only_finished_games(store: Store) -> None:
    log = make_finished_game()
    log.send(BOB, commands.SendChat("good-game"))
    log.send(ANN, commands.Rematch())
    log.send(BOB, commands.Rematch())
    log.play_bots()
    assert log.table.is_dealt
    await store_table(store, "t", log.entries)
    await store_table(store, "other", TableLog(table_config()).entries)
    await store_person(store, BOB)
    known = await people.find_person(store, BOB.id)
    assert known is not None
    found = await export_person(store, known)
    (exported,) = found.tables
    assert (exported.table, exported.seat, exported.names, exported.host) == (
        "t",
        1,
        ("Bob",),
        False,
    )
    assert [message.phrase for message in exported.talk] == ["good-game"]
    (played,) = exported.games
    assert played.over
    assert bytes(played.record) == encode(game_records(log.entries)[0])
    assert not re.search(rf"\b{ANN.id}\b", str(found))  # any token may contain two letters


async def test_export_excludes_games_of_others(store: Store) -> None:
    """A person who joined after a game sees the table but not its cards."""
    log = make_finished_game()
    log.send(CLEO, commands.Sit(2))
    await store_table(store, "t", log.entries)
    found = await export_person(store, people.StoredPerson(CLEO.id, "Cleo", 0, 0))
    assert [exported.games for exported in found.tables] == [()]
