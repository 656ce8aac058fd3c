"""Starting a server: addresses, cookie keys, and refused settings."""

from __future__ import annotations

import os
import socket
import stat
import sys
import webbrowser
from pathlib import Path
from shutil import copy

import pytest

from acesaround.server import startup as serving
from acesaround.server.accounts.cookie import parse_keys
from acesaround.server.cluster.database_lock import DatabaseInUseError, is_locked, lock_database
from acesaround.server.limits import capacity
from acesaround.server.limits.token_buckets import TokenBucket
from acesaround.server.settings import SECRET_VARIABLE, ServeError, Settings, secret_for
from acesaround.server.startup import serve, startup_banner
from acesaround.store import StoreError
from tests.multiprocess.server import Server


@pytest.fixture(autouse=True)
def _no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SECRET_VARIABLE, raising=False)


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.sqlite'}"


def test_key_is_stored_beside_the_database_for_its_owner_only(tmp_path: Path) -> None:
    key = secret_for(url(tmp_path / "new"))
    assert len(key) >= 32
    assert secret_for(url(tmp_path / "new")) == key
    assert secret_for(url(tmp_path / "other")) != key
    [path] = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_key_may_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET_VARIABLE, "x" * 16)
    assert secret_for(url(tmp_path)) == "x" * 16
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv(SECRET_VARIABLE, "y" * 16 + "," + "x" * 16)
    assert secret_for(url(tmp_path)) == "y" * 16 + "," + "x" * 16
    for short in ("short", "y" * 16 + ",short"):
        monkeypatch.setenv(SECRET_VARIABLE, short)
        with pytest.raises(ServeError, match="too short"):
            secret_for(url(tmp_path))


def test_key_file_is_made_private(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "cookie.key"
    path.write_text("y" * 20 + "\n" + "x" * 20 + "\n")
    path.chmod(0o644)
    assert parse_keys(secret_for(url(tmp_path))) == ["y" * 20, "x" * 20]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "other users of this machine could read" in caplog.text


def test_empty_key_file_is_refused(tmp_path: Path) -> None:
    secret_for(url(tmp_path))
    (tmp_path / "cookie.key").write_text("\n")
    with pytest.raises(ServeError, match="holds no valid key"):
        secret_for(url(tmp_path))


def test_used_port_and_invalid_database_are_reported_before_serving(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(OSError, match="cannot listen on"):
            serve("127.0.0.1", other.getsockname()[1], url(tmp_path))
    (tmp_path / "letter").write_text("Dear Ann, " * 500)
    with pytest.raises(StoreError, match="cannot be opened"):
        serve("127.0.0.1", 0, f"sqlite:///{tmp_path / 'letter'}")


@pytest.mark.parametrize(
    ("host", "port", "expected"),
    [
        ("127.0.0.1", 99999, "99999 is not a port"),
        ("127.0.0.1", -1, "-1 is not a port"),
        ("x" * 300, 8000, "is not an address to listen on"),
        ("\udcff", 8000, "is not an address to listen on"),
    ],
)
def test_invalid_address_is_refused(tmp_path: Path, host: str, port: int, expected: str) -> None:
    with pytest.raises(ServeError, match=expected):
        serve(host, port, url(tmp_path))


def test_startup_banner_lists_every_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "lan_address", lambda: "192.168.1.7")
    banner = startup_banner("0.0.0.0", 8000, None)
    assert "http://localhost:8000/" in banner
    assert "http://192.168.1.7:8000/" in banner
    assert "192.168.1.7" not in startup_banner("127.0.0.1", 8000, None)
    assert "https://cards.example" in startup_banner("127.0.0.1", 8000, "https://cards.example")
    assert "9950 people at once (20000 open files)" in startup_banner(
        "::", 8000, None, capacity.capacity_for(20_000)
    )


def test_token_bucket_refills_with_time() -> None:
    now = [0.0]
    bucket = TokenBucket(2, 20.0, lambda: now[0])
    assert [bucket.spend() for _ in range(4)] == [True, True, False, False]
    now[0] = 10.0
    assert [bucket.spend() for _ in range(2)] == [True, False]
    assert not bucket.is_flooding


def test_steady_flood_is_detected_although_some_messages_pass() -> None:
    now = [0.0]
    bucket = TokenBucket(2, 20.0, lambda: now[0])
    for _ in range(100):
        bucket.spend()
        now[0] += 1.0
    assert bucket.is_flooding


def test_page_whose_network_is_cut_counts_as_away_within_25_seconds() -> None:
    """Its connection is not closed, so only a missing answer shows it."""
    config = serving._uvicorn_config(Settings(database_url="sqlite://", secret="only for tests"))
    assert config.ws_ping_interval is not None
    assert config.ws_ping_timeout is not None
    assert config.ws_ping_interval + config.ws_ping_timeout <= 25


def test_first_free_port_is_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        with socket.create_server(("127.0.0.1", 0)) as other:
            free = other.getsockname()[1]
        monkeypatch.setattr(serving, "_DEFAULT_PORTS", [number, number, free])
        with serving._listen("127.0.0.1", None) as listening:
            assert listening.getsockname()[1] == free
        monkeypatch.setattr(serving, "_DEFAULT_PORTS", [number, number])
        with pytest.raises(OSError, match="cannot listen on"):
            serving._listen("127.0.0.1", None)


def test_has_screen_depends_on_the_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not serving._has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert serving._has_screen()


def test_sqlite_database_is_served_by_one_server(tmp_path: Path) -> None:
    """A second one would not see the actions of the first; its refusal names the first."""
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with (
        lock_database(url, "http://localhost:8000/"),
        pytest.raises(DatabaseInUseError, match=r"at http://localhost:8000/ already uses"),
        lock_database(url, "http://localhost:8001/"),
    ):
        pass
    with lock_database(url, "http://localhost:8002/"):  # the first is released
        assert (tmp_path / "tables.sqlite.served").read_text() == "http://localhost:8002/"
    with lock_database("postgresql://host/name", "x"), lock_database("postgresql://host/name", "y"):
        pass


def test_second_server_is_refused_under_any_name_of_the_file(tmp_path: Path) -> None:
    """Otherwise each would accept actions that the other never sees."""
    path, other = tmp_path / "tables.sqlite", tmp_path / "other"
    other.mkdir()
    server = Server(f"sqlite:///{path}", tmp_path / "log")
    server.start()
    try:
        (other / "symbolic.db").symlink_to(path)
        (tmp_path / "linked").symlink_to(tmp_path)
        names = [other / "symbolic.db", tmp_path / "linked" / path.name, other / ".." / path.name]
        for name in names:
            with pytest.raises(DatabaseInUseError, match="already uses this database"):
                serve("127.0.0.1", 0, f"sqlite:///{name}")
        assert server.answers()
        path.rename(other / "moved")
        copy(other / "moved", path)
        with pytest.raises(DatabaseInUseError, match="already uses this database"):
            serve("127.0.0.1", 0, url(tmp_path))
    finally:
        server.kill()
    for name in names:
        with lock_database(f"sqlite:///{name}", "here"):  # released by the system
            pass


def test_hard_linked_database_is_refused_by_both_names(tmp_path: Path) -> None:
    path, other = tmp_path / "tables.sqlite", tmp_path / "other" / "linked.sqlite"
    path.touch()
    other.parent.mkdir()
    with lock_database(url(tmp_path), "here"):
        os.link(path, other)
        with pytest.raises(ServeError, match="has a hard link"):
            serve("127.0.0.1", 0, f"sqlite:///{other}")
    with pytest.raises(ServeError, match="has a hard link"):
        serve("127.0.0.1", 0, url(tmp_path))
    other.unlink()
    with lock_database(url(tmp_path), "here"):
        pass


def test_no_lock_without_flock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with lock_database(url(tmp_path), "a"), lock_database(url(tmp_path), "b"):
        assert not is_locked(tmp_path / "tables.sqlite")


def test_second_start_opens_the_running_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    opened: list[str] = []
    monkeypatch.setattr(serving, "_has_screen", lambda: True)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    with lock_database(url, "http://localhost:8000/"):
        assert serve(host="127.0.0.1", port=0, database_url=url, open_browser=True) == 0
        assert opened == ["http://localhost:8000/"]
        assert "open already: http://localhost:8000/" in capsys.readouterr().out
        with pytest.raises(DatabaseInUseError):
            serve(host="127.0.0.1", port=0, database_url=url)
