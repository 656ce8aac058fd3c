"""Rescue of a damaged database: all undamaged data, and a prefix of damaged logs."""

from __future__ import annotations

import random
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from acesaround.store.rescue import _main, rescue
from tests.server.http_client import make_app, open_clients, open_seat
from tests.store.conftest import Played


def logs(path: Path) -> dict[str, list[tuple[int, str]]]:
    found: dict[str, list[tuple[int, str]]] = {}
    asked = "SELECT table_id, seq, body FROM entries ORDER BY 1, 2"
    with closing(sqlite3.connect(path)) as database:
        for one, seq, body in database.execute(asked):
            found.setdefault(one, []).append((seq, body))
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    return found


def test_sound_database_is_copied_and_can_be_served(played: Played) -> None:
    path, opened = played
    mended = path.parent / "new" / "tables.sqlite"
    saved = rescue(path, mended)
    assert logs(mended) == logs(path)
    assert saved["tables"] == len(opened)
    assert stat.S_IMODE(mended.stat().st_mode) == 0o600
    ours = "FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
    with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(mended)) as new:
        for [name] in old.execute(f"SELECT name {ours} AND type = 'table'").fetchall():
            rows = [sorted(one.execute(f"SELECT * FROM {name}").fetchall()) for one in (old, new)]
            assert rows[0] == rows[1]
            assert len(rows[0]) == saved[name]
        schema = f"SELECT type, name, sql {ours} ORDER BY name"
        assert old.execute(schema).fetchall() == new.execute(schema).fetchall()
    with open_clients(make_app(mended.parent)) as [bob], open_seat(bob, opened[0]) as sitting:
        assert sitting.state["table"]["started"]


@pytest.mark.parametrize("seed", range(5))
def test_undamaged_logs_are_rescued(played: Played, seed: int) -> None:
    path, opened = played
    before, size = logs(path), 4096
    content = path.read_bytes()
    pages = [content[at : at + size] for at in range(0, len(content), size)]
    # Leaf pages of the log, a table without rowid.
    leaves = [n for n, page in enumerate(pages) if page[:1] == b"\x0a" and b'"linked"' in page]
    hit = random.Random(seed).sample(leaves, 2)
    lost = {one for one in opened for number in hit if one.encode() in pages[number]}
    assert 0 < len(lost) < len(opened)
    for number in hit:
        pages[number] = b"\xa5" * size
    path.write_bytes(b"".join(pages))
    with pytest.raises(sqlite3.DatabaseError):
        logs(path)
    mended = path.parent / "mended.sqlite"
    rescue(path, mended)
    after = logs(mended)
    other = {one for one in opened if after.get(one) != before[one]}
    assert other
    assert len(other - lost) <= 2 * len(hit)  # neighbours of damaged pages
    for one in opened:
        log = after.get(one, [])
        assert log == before[one][: len(log)]


def test_existing_files_and_other_formats_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str) -> tuple[int, str]:
        return _main(list(words)), capsys.readouterr().err

    monkeypatch.chdir(tmp_path)
    (tmp_path / "old").write_bytes(b"no database" * 1000)
    (tmp_path / "there").write_text("mine")
    assert said() == (2, "usage: python -m acesaround.store.rescue OLD NEW\n")
    assert said("old", "there")[0] == 1
    assert (tmp_path / "there").read_text() == "mine"
    assert said("old", "new") == (1, "old cannot be rescued: file is not a database\n")
    assert said("gone", "new")[0] == 1
    assert not (tmp_path / "new").exists()


def test_rescue_is_a_program(played: Played) -> None:
    words = [sys.executable, "-m", "acesaround.store.rescue", str(played.path)]
    mended = played.path.with_name("mended.sqlite")
    done = subprocess.run([*words, str(mended)], capture_output=True, text=True, check=True)
    assert f"{len(played.tables)} tables\n" in done.stdout
    assert logs(mended) == logs(played.path)
