"""Chromium, a server, and visitors with a browser each."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, sync_playwright

from acesaround.table import Person
from tests.browser.built import build
from tests.browser.page import Visitor
from tests.browser.server import Server
from tests.browser.wire import Wire
from tests.command import ROOT

V = TypeVar("V", bound=Visitor)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


# For this folder and not for the session: while it lives, its loop runs in this thread, and
# asynchronous tests of other folders could not run theirs.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Debian's chromium. Without it these tests are skipped, where CI is set they fail."""
    found = shutil.which("chromium")
    if found is None:
        sentence = "There is no chromium here: `make test` installs it where apt-get can."
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def page_built() -> None:
    """The built page, as new as its sources."""
    trouble = build()
    if trouble:
        pytest.fail(trouble)


@pytest.fixture(scope="package")
def server(page_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of most tests. One that is killed is a test's own."""
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.stop()


Visit = Callable[..., Any]


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[Visit]:
    """Makes visitors; after the test none of their pages may have complained."""
    visitors: list[Visitor] = []

    def come(
        kind: type[V] = Visitor,  # type: ignore[assignment]
        *,
        at: Server | Wire | None = None,
        person: Person | None = None,
        settings: dict[str, Any] | None = None,
        viewport: dict[str, int] = DESKTOP,
        **more: Any,
    ) -> V:
        context = chromium.new_context(viewport=viewport, **more)  # type: ignore[arg-type]
        kept = json.dumps({"speed": "instant", **(settings or {})})
        context.add_init_script(f"localStorage['acesaround.settings'] ??= {json.dumps(kept)};")
        if person is not None:
            context.add_cookies([server.cookie(person)])
        visitors.append(visitor := kind(context, (at or server).url))
        return visitor

    yield come
    for visitor in visitors:
        visitor.context.close()
    assert [said for visitor in visitors for said in visitor.unexpected()] == []


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    """A wire to the server that can be cut."""
    made = Wire(server.port)
    yield made
    made.close()


@pytest.fixture(scope="session")
def screens() -> Path:
    """Where the pictures of all screens go."""
    folder = ROOT / "build" / "screens"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
