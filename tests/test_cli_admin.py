"""`acesaround admin`: lists, details, confirmations and refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from acesaround.cli import admin_commands
from acesaround.retention import delete_person, remove_table
from acesaround.retention.policy import DAY_MS
from acesaround.server.cluster.database_lock import lock_database
from acesaround.store import Store, admin_listing
from acesaround.store import people as persons
from acesaround.store.store import current_ms
from acesaround.table import commands
from tests.cli_runner import Answer, Command
from tests.postgres import Postgres
from tests.retention.store_fixtures import store_person, store_table
from tests.table.table_log import ANN, BOB, CLEO, TableLog, make_finished_game, table_config


@pytest.fixture(autouse=True)
def _no_waiting_for_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delete_person, "POLL_GRACE_SECONDS", 0.0)
    monkeypatch.setattr(remove_table, "POLL_GRACE_SECONDS", 0.0)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'tables.sqlite'}"


@pytest.fixture
def admin(url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the command on a database with three tables."""
    command = Command(capsys, monkeypatch)

    async def fill(store: Store) -> None:
        await store_table(
            store,
            "over-table",
            make_finished_game().entries,
            current_ms() - 100 * DAY_MS,
        )
        await store_table(
            store,
            "running-table",
            running_game().entries,
            current_ms() - 2 * DAY_MS,
        )
        await store_table(
            store,
            "-dashed-table",
            TableLog(table_config("double-deck")).entries,
            current_ms() - 50 * DAY_MS,
        )
        for person in (ANN, BOB, CLEO):
            await store_person(store, person)

    with_store(url, fill)

    def run(*words: str, **more: bytes) -> Answer:
        return command("admin", *words, "--database-url", url, **more)

    return run


def running_game() -> TableLog:
    log = TableLog(table_config())
    log.send(CLEO, commands.Sit(1))
    log.send(ANN, commands.Start())
    log.play_bots()
    return log


def with_store(url: str, call: Callable[[Store], Awaitable[Any]]) -> Any:
    """Open the store, await the call and return its result."""

    async def run() -> Any:
        store = await Store.open(url)
        try:
            return await call(store)
        finally:
            await store.close()

    return asyncio.run(run())


def ids(answer: Answer) -> list[str]:
    return [line.split()[0] for line in answer.out.splitlines()]


def test_tables_are_listed_by_last_change_and_filtered(admin: Any) -> None:
    assert ids(admin("tables")) == ["running-table", "-dashed-table", "over-table"]
    assert "Ann, Cleo, bot, bot" in admin("tables").out
    assert ids(admin("tables", "--state", "over")) == ["over-table"]
    assert ids(admin("tables", "--state", "open")) == ["running-table", "-dashed-table"]
    assert ids(admin("tables", "--older", "40d")) == ["-dashed-table", "over-table"]
    assert ids(admin("tables", "cleo")) == ["running-table"]
    assert ids(admin("tables", "DOUBLE")) == ["-dashed-table"]
    none = admin("tables", "100%")
    assert (none.status, none.out, none.err) == (0, "", "no tables\n")


def test_json_lists_are_json_lines(admin: Any) -> None:
    lines = [json.loads(line) for line in admin("tables", "--json").out.splitlines()]
    assert [line["state"] for line in lines] == ["playing", "waiting", "over"]
    assert lines[0]["seats"] == ["Ann", "Cleo", None, None]
    people = [json.loads(line) for line in admin("people", "--json").out.splitlines()]
    assert {line["name"]: line["tables"] for line in people} == {"Ann": 3, "Bob": 1, "Cleo": 1}


def test_a_long_list_has_pages(admin: Any, url: str) -> None:
    async def many(store: Store) -> None:
        for number in range(25):
            await store_table(
                store,
                f"many{number:02}",
                TableLog(table_config()).entries,
                current_ms() - 500 * DAY_MS,
            )

    with_store(url, many)
    first, second = admin("tables"), admin("tables", "--page", "2")
    assert len(ids(first)) == 20
    assert first.err == "page 1 of 2: 28 tables\n"
    assert len({*ids(first), *ids(second)}) == 28
    assert len(ids(admin("tables", "--all"))) == 28
    beyond = admin("tables", "--page", "9")
    assert (beyond.out, beyond.err) == ("", "page 9 of 2: 28 tables\n")


def test_show_finds_a_table_by_id_link_and_address_and_hides_cards(admin: Any) -> None:
    shown = admin("show", "running-table")
    assert "state: playing" in shown.out
    assert "Cleo (c3)" in shown.out
    for written in ("link-running-table", "https://cards.example/t/link-running-table?seq=3"):
        assert admin("show", written).out == shown.out
    table = json.loads(admin("show", "-dashed-table", "--json").out)
    assert table["links"]["play"] == "link--dashed-table"
    assert not {"hands", "game", "cards", "stock"} & set(table)


def test_control_characters_in_stored_names_are_escaped(admin: Any, url: str) -> None:
    async def named(store: Store) -> None:
        await store.save_name("e5", "Eve\x1b[2J\nroot")

    with_store(url, named)
    for words in (("people", "Eve"), ("show", "e5"), ("delete", "e5")):
        said = admin(*words).out
        assert "\x1b" not in said
        assert "Eve\\x1b[2J\\nroot" in said


@pytest.mark.parametrize("start", ["-A", "--A", "---", "-h", "--yes", "-1"])
def test_ids_of_people_may_begin_with_dashes(admin: Any, url: str, start: str) -> None:
    """An id has 22 random characters. Every 64th begins with a dash, every 4,096th with two."""
    person_id = start.ljust(22, "x")
    with_store(url, lambda store: store.save_name(person_id, "Eve"))
    assert json.loads(admin("show", person_id, "--json").out)["name"] == "Eve"
    assert json.loads(admin("export", person_id).out)["person"]["name"] == "Eve"
    assert admin("delete", person_id, "--yes").status == 0
    assert admin("show", person_id).status == 2


def test_a_misspelled_option_is_not_an_id(admin: Any) -> None:
    assert "required: PERSON" in admin("delete", "--database-ulr").err
    assert "unrecognized arguments: --jsno" in admin("show", BOB.id, "--jsno").err


def test_show_lists_the_tables_of_a_person(admin: Any) -> None:
    person = json.loads(admin("show", CLEO.id, "--json").out)
    assert (person["name"], person["tables"]) == ("Cleo", ["running-table"])
    assert "name: Bob" in admin("show", BOB.id).out


@pytest.mark.parametrize("what", ["show", "close", "remove", "export", "delete"])
@pytest.mark.parametrize("unknown", ["nobody", "", "https://cards.example/t/", "'; DROP", "%", "é"])
def test_an_unknown_id_is_refused_and_changes_nothing(admin: Any, what: str, unknown: str) -> None:
    before = admin("tables", "--json").out
    answer = admin(what, unknown)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("acesaround: There is n")
    assert answer.err.count("\n") == 1
    assert admin("tables", "--json").out == before


@pytest.mark.parametrize(
    ("what", "which"), [("close", "running-table"), ("remove", "over-table"), ("delete", ANN.id)]
)
@pytest.mark.parametrize("reply", [b"no\n", b"", b"\n", b"yes no\n"])
def test_irreversible_commands_change_nothing_without_confirmation(
    admin: Any, what: str, which: str, reply: bytes
) -> None:
    before = admin("tables", "--json").out
    answer = admin(what, which, stdin=reply)
    assert answer.status == 1
    assert answer.out.splitlines()[-1].endswith("Nothing was changed.")
    assert admin("tables", "--json").out == before


def test_tables_can_be_closed_once_and_removed(admin: Any) -> None:
    assert admin("close", "running-table", stdin=b"yes\n").out.endswith("Closed.\n")
    assert admin("close", "running-table", "--yes").out.endswith("The table had already ended.\n")
    assert "state: closed" in admin("show", "running-table").out
    assert admin("remove", "-dashed-table", "--yes").status == 0
    assert admin("remove", "over-table", "--yes").status == 0
    assert ids(admin("tables")) == ["running-table"]
    assert admin("show", "over-table").status == 2


def test_a_deleted_person_is_anonymized_in_finished_games(
    admin: Any, url: str, tmp_path: Path
) -> None:
    assert json.loads(admin("export", BOB.id).out)["person"]["name"] == "Bob"
    answer = admin("delete", BOB.id, "--yes")
    assert answer.status == 0
    assert "of 1 tables" in answer.out
    assert admin("show", BOB.id).status == 2
    assert "Ann, bot, bot, bot" in admin("tables", "--state", "over").out
    (played,) = json.loads(admin("export", ANN.id).out)["tables"][1]["games"]
    assert played["record"]["seats"][1]["name"] == "a former player"
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b'"Bob"' not in files


def test_a_large_database_in_use_is_rewritten_only_by_tidy(
    admin: Any, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin_commands, "_SMALL_DATABASE_BYTES", 1000)
    with lock_database(url, "http://localhost:8000/"):
        answer = admin("delete", BOB.id, "--yes")
        assert "`acesaround admin tidy`" in answer.out
        assert "Rewriting the database" not in answer.out
        tidied = admin("tidy", stdin=b"yes\n")
        assert "it cannot save moves for about 1 s." in tidied.out
        assert "Rewritten: " in tidied.out
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b'"Bob"' not in files
    assert "Rewriting the database" in admin("delete", CLEO.id, "--yes").out
    assert "no move" not in admin("tidy", "--yes").out


def test_an_interrupted_deletion_can_be_repeated(admin: Any, url: str) -> None:
    async def delete_rows(store: Store) -> None:
        await persons.delete_rows(store, CLEO.id)

    with_store(url, delete_rows)
    assert json.loads(admin("export", CLEO.id).out)["tables"][0]["table"] == "running-table"
    assert admin("delete", CLEO.id, "--yes").status == 0
    assert admin("delete", CLEO.id, "--yes").status == 2
    assert admin("delete", "Ann", "--yes").status == 2  # a name, not an id


def test_a_damaged_log_can_be_removed_and_not_closed(admin: Any, url: str) -> None:
    from sqlalchemy import text

    async def damage_log(store: Store) -> None:
        async with store.begin_write() as connection:
            change = "UPDATE entries SET body = '[]' WHERE table_id = 'over-table' AND seq = 3"
            await connection.execute(text(change))

    with_store(url, damage_log)
    assert "is damaged" in admin("show", "over-table").out
    closed = admin("close", "over-table", "--yes")
    assert closed.status == 1
    assert "you can only remove the table" in closed.err
    deleted = admin("delete", BOB.id, "--yes")
    assert deleted.status == 1
    assert "over-table is damaged and may still contain the name" in deleted.out
    assert json.loads(admin("export", ANN.id).out)["garbled"] == ["over-table"]
    assert admin("remove", "over-table", "--yes").status == 0


def test_a_missing_database_is_refused_and_not_created(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command = Command(capsys, monkeypatch)
    for what in (("tables",), ("tidy", "--yes"), ("copy", "postgresql://localhost/tables")):
        mistyped = tmp_path / "no" / "folder" / "nothing.sqlite"
        said = command.refuses("admin", *what, "--database-url", f"sqlite:///{mistyped}")
        assert said == f"acesaround: There is no database at {mistyped}."
        assert list(tmp_path.iterdir()) == []
    path = tmp_path / "nothing.sqlite"
    path.write_bytes(b"")  # a file without a schema
    assert "Another version" in command.refuses(
        "admin", "tables", "--database-url", f"sqlite:///{path}"
    )
    assert "not a database" in command.refuses("admin", "tables", "--database-url", "mysql://x")


def test_a_database_is_copied_to_postgresql_only_without_a_server(
    admin: Any, url: str, tmp_path: Path, postgres: Postgres
) -> None:
    target = postgres.url()
    with lock_database(url, "http://somewhere/"):
        refused = admin("copy", target)
    assert refused.status == 1
    assert "A server runs on this database" in refused.err
    assert admin("copy", f"sqlite:///{tmp_path / 'other.sqlite'}").status == 1
    assert not (tmp_path / "other.sqlite").exists()
    listed = admin("tables").out
    assert admin("copy", target).status == 0
    assert with_store(target, lambda store: admin_listing.count_tables(store)) == 3
    assert admin("tables").out == listed  # what was copied stays as it was
    again = admin("copy", target)
    assert again.status == 1
    assert "not empty" in again.err
