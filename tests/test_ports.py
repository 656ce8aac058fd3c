"""Ports that tests give their servers."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests import ports
from tests.ports import free_port


@pytest.fixture(autouse=True)
def counter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter of this test's own."""
    monkeypatch.setattr(ports, "_COUNTER", tmp_path / "counter")


def test_ports_are_unique_and_below_those_of_the_system() -> None:
    with ThreadPoolExecutor(8) as many:
        given = list(many.map(lambda _: free_port(), range(100)))
    assert len(set(given)) == 100
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        assert max(given) < asking.getsockname()[1]


def test_browsers_open_pages_at_every_port() -> None:
    assert free_port() > 10_080  # the highest that Chromium and Firefox refuse


def test_a_port_in_use_is_skipped() -> None:
    port = free_port()
    ports._COUNTER.write_text(str(port - 1))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        assert free_port() > port


def test_after_the_last_port_the_first_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_first_of_the_system", lambda: ports._LOWEST + 3)
    monkeypatch.setattr(ports, "_is_free", lambda port: True)
    given = [free_port() for _ in range(4)]
    assert given[3] == given[0]


def test_a_system_without_free_ports_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = tmp_path / "range"
    written.write_text("1024\t65535\n")
    monkeypatch.setattr(ports, "_RANGE", written)
    with pytest.raises(RuntimeError, match="tests need ports below it"):
        free_port()
