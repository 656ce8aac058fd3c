"""Running a server: addresses, the key of cookies, and what is refused before anything starts."""

from __future__ import annotations

import os
import socket
import stat
import sys
import webbrowser
from pathlib import Path
from shutil import copy

import pytest

from acesaround.server import serve as serving
from acesaround.server.accounts.cookie import parse_keys
from acesaround.server.cluster.database_lock import ServedAlreadyError, hold_database, is_served
from acesaround.server.limits import capacity
from acesaround.server.limits.rates import TokenBucket
from acesaround.server.serve import serve, startup_banner
from acesaround.server.settings import SECRET_VARIABLE, ServeError, secret_for
from acesaround.store import StoreError
from tests.multiprocess.server import Server


@pytest.fixture(autouse=True)
def _no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SECRET_VARIABLE, raising=False)


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.sqlite'}"


def test_the_key_is_kept_beside_the_database_for_its_owner_alone(tmp_path: Path) -> None:
    key = secret_for(url(tmp_path / "new"))
    assert len(key) >= 32
    assert secret_for(url(tmp_path / "new")) == key
    assert secret_for(url(tmp_path / "other")) != key
    [path] = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_key_may_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRET_VARIABLE, "x" * 16)
    assert secret_for(url(tmp_path)) == "x" * 16
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv(SECRET_VARIABLE, "y" * 16 + "," + "x" * 16)
    assert secret_for(url(tmp_path)) == "y" * 16 + "," + "x" * 16
    for short in ("short", "y" * 16 + ",short"):
        monkeypatch.setenv(SECRET_VARIABLE, short)
        with pytest.raises(ServeError, match="too short"):
            secret_for(url(tmp_path))


def test_a_key_file_of_several_lines_that_others_could_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "cookie.key"
    path.write_text("y" * 20 + "\n" + "x" * 20 + "\n")
    path.chmod(0o644)
    assert parse_keys(secret_for(url(tmp_path))) == ["y" * 20, "x" * 20]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "other users of this machine could read" in caplog.text


def test_an_emptied_key_file_is_not_taken_for_a_key(tmp_path: Path) -> None:
    secret_for(url(tmp_path))
    (tmp_path / "cookie.key").write_text("\n")
    with pytest.raises(ServeError, match="holds no valid key"):
        secret_for(url(tmp_path))


def test_an_address_in_use_and_a_bad_database_are_said_before_serving(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(OSError, match="cannot listen on"):
            serve("127.0.0.1", other.getsockname()[1], url(tmp_path))
    (tmp_path / "letter").write_text("Dear Ann, " * 500)
    with pytest.raises(StoreError, match="cannot be opened"):
        serve("127.0.0.1", 0, f"sqlite:///{tmp_path / 'letter'}")


@pytest.mark.parametrize(
    ("host", "port", "said"),
    [
        ("127.0.0.1", 99999, "99999 is not a port"),
        ("127.0.0.1", -1, "-1 is not a port"),
        ("x" * 300, 8000, "is not an address to listen on"),
        ("\udcff", 8000, "is not an address to listen on"),
    ],
)
def test_an_address_that_cannot_be_one_is_refused(
    tmp_path: Path, host: str, port: int, said: str
) -> None:
    with pytest.raises(ServeError, match=said):
        serve(host, port, url(tmp_path))


def test_the_greeting_names_every_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "lan_address", lambda: "192.168.1.7")
    said = startup_banner("0.0.0.0", 8000, None)
    assert "http://localhost:8000/" in said
    assert "http://192.168.1.7:8000/" in said
    assert "192.168.1.7" not in startup_banner("127.0.0.1", 8000, None)
    assert "https://cards.example" in startup_banner("127.0.0.1", 8000, "https://cards.example")
    assert "9950 people at once (20000 open files)" in startup_banner(
        "::", 8000, None, capacity.capacity_for(20_000)
    )


def test_credits_come_back_with_time() -> None:
    now = [0.0]
    credits = TokenBucket(2, 20.0, lambda: now[0])
    assert [credits.spend() for _ in range(4)] == [True, True, False, False]
    now[0] = 10.0
    assert [credits.spend() for _ in range(2)] == [True, False]
    assert not credits.is_flooding


def test_a_steady_flood_is_abuse_although_one_message_of_it_passes_now_and_then() -> None:
    now = [0.0]
    credits = TokenBucket(2, 20.0, lambda: now[0])
    for _ in range(100):
        credits.spend()
        now[0] += 1.0
    assert credits.is_flooding


def test_the_first_free_port_is_taken_where_none_is_asked_for(
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


def test_a_browser_is_opened_only_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not serving._has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert serving._has_screen()


def test_an_sqlite_database_is_served_by_one_server_at_a_time(tmp_path: Path) -> None:
    """A second one would not hear of the first one's moves; it says where to go instead."""
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with (
        hold_database(url, "http://localhost:8000/"),
        pytest.raises(ServedAlreadyError, match=r"at http://localhost:8000/ already uses"),
        hold_database(url, "http://localhost:8001/"),
    ):
        pass
    with hold_database(url, "http://localhost:8002/"):  # the first has let go
        assert (tmp_path / "tables.sqlite.served").read_text() == "http://localhost:8002/"
    with hold_database("postgresql://host/name", "x"), hold_database("postgresql://host/name", "y"):
        pass


def test_a_second_server_is_refused_by_the_file_and_not_by_its_name(tmp_path: Path) -> None:
    """Each would think itself alone, and take moves that the other never hears of."""
    path, other = tmp_path / "tables.sqlite", tmp_path / "other"
    other.mkdir()
    server = Server(f"sqlite:///{path}", tmp_path / "log")
    server.start()
    try:
        (other / "symbolic.db").symlink_to(path)
        (tmp_path / "linked").symlink_to(tmp_path)
        names = [other / "symbolic.db", tmp_path / "linked" / path.name, other / ".." / path.name]
        for name in names:
            with pytest.raises(ServedAlreadyError, match="already uses this database"):
                serve("127.0.0.1", 0, f"sqlite:///{name}")
        assert server.answers()
        path.rename(other / "moved")
        copy(other / "moved", path)
        with pytest.raises(ServedAlreadyError, match="already uses this database"):
            serve("127.0.0.1", 0, url(tmp_path))
    finally:
        server.kill()
    for name in names:
        with hold_database(f"sqlite:///{name}", "here"):  # the system has let go of it
            pass


def test_a_database_with_a_hard_link_is_refused_by_both_names(tmp_path: Path) -> None:
    path, other = tmp_path / "tables.sqlite", tmp_path / "other" / "linked.sqlite"
    path.touch()
    other.parent.mkdir()
    with hold_database(url(tmp_path), "here"):
        os.link(path, other)
        with pytest.raises(ServeError, match="has a hard link"):
            serve("127.0.0.1", 0, f"sqlite:///{other}")
    with pytest.raises(ServeError, match="has a hard link"):
        serve("127.0.0.1", 0, url(tmp_path))
    other.unlink()
    with hold_database(url(tmp_path), "here"):
        pass


def test_nothing_is_locked_on_a_system_without_flock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with hold_database(url(tmp_path), "a"), hold_database(url(tmp_path), "b"):
        assert not is_served(tmp_path / "tables.sqlite")


def test_opening_the_table_again_leads_to_the_one_that_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    opened: list[str] = []
    monkeypatch.setattr(serving, "_has_screen", lambda: True)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    with hold_database(url, "http://localhost:8000/"):
        assert serve(host="127.0.0.1", port=0, database_url=url, open_browser=True) == 0
        assert opened == ["http://localhost:8000/"]
        assert "open already: http://localhost:8000/" in capsys.readouterr().out
        with pytest.raises(ServedAlreadyError):
            serve(host="127.0.0.1", port=0, database_url=url)
