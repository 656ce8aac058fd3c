"""Fixtures: Chromium, a server, and visitors, each with a browser context."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from acesaround.table import Person
from tests.browser.build_page import build_page
from tests.browser.chromium import CHROMIUM_FLAGS
from tests.browser.cuttable_proxy import CuttableProxy
from tests.browser.page_objects.browser_page import PATIENCE_MS
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.screen_checks import CheckScreen, ScreenChecker
from tests.browser.server_process import Server
from tests.browser.viewports import DESKTOP
from tests.cli_runner import ROOT
from tests.traces import save_pages, start_tracing, trace_folder

V = TypeVar("V", bound=Visitor)
_LAUNCH_MS = 120_000

expect.set_options(timeout=PATIENCE_MS)


# For this folder and not for the session: while it lives, its loop runs in this thread, and
# asynchronous tests of other folders could not run theirs.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Launch Debian's chromium. Without it, skip the tests, or fail if CI is set."""
    program = shutil.which("chromium")
    if program is None:
        sentence = "There is no chromium here: `make test` installs it where apt-get can."
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=CHROMIUM_FLAGS, timeout=_LAUNCH_MS
        )
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def built_page() -> None:
    """Build the page, unless it is newer than its sources."""
    trouble = build_page()
    if trouble:
        pytest.fail(trouble)


@pytest.fixture(scope="package")
def server(built_page: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return the server of most tests, ready to give hints. It is never killed."""
    running = Server(tmp_path_factory.mktemp("server"), hints=True)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def person(request: pytest.FixtureRequest) -> Person:
    """Return a person of one test, whose first page lists only tables of that test."""
    return Person(request.node.nodeid, "Ada")


@pytest.fixture
def final_cleanup() -> Iterator[ExitStack]:
    """Return a stack that is closed after all pages, which would report errors without a server."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def new_visitor(
    chromium: Browser, server: Server, final_cleanup: ExitStack, request: pytest.FixtureRequest
) -> Iterator[NewVisitor]:
    """Return a function that opens a visitor's page. At the end no page may have reported an error.

    `at`: the server or proxy, if not the fixture `server`. `person`: who the visitor is, by cookie.
    `settings`: those of the page. At instant speed, which is the default, the browser asks for
    reduced motion too, because drawing what fades takes time. `worker`: allow a service worker. It
    fetches the whole page again at some time, so most tests do without it.
    """
    visitors: list[Visitor] = []

    def open_visitor(
        kind: type[V] = Visitor,  # type: ignore[assignment]
        *,
        at: Server | CuttableProxy | None = None,
        person: Person | None = None,
        settings: dict[str, Any] | None = None,
        viewport: ViewportSize = DESKTOP,
        worker: bool = False,
        **context_options: Any,
    ) -> V:
        page_settings = {"speed": "instant", **(settings or {})}
        if page_settings["speed"] == "instant":
            context_options.setdefault("reduced_motion", "reduce")
        context = chromium.new_context(
            viewport=viewport,
            service_workers="allow" if worker else "block",
            **context_options,
        )
        start_tracing(context)
        stored = json.dumps(json.dumps(page_settings))
        context.add_init_script(f"localStorage['acesaround.settings'] ??= {stored};")
        if person is not None:
            context.add_cookies([server.cookie(person)])
        visitors.append(visitor := kind(context, (at or server).url))
        return visitor

    yield open_visitor
    errors = [error for visitor in visitors for error in visitor.unexpected_errors()]
    if errors:  # after another failure, pages are saved elsewhere
        save_pages(trace_folder(request.node.nodeid), chromium)
    for visitor in visitors:
        visitor.context.close()
    assert errors == []


@pytest.fixture
def proxy(server: Server, final_cleanup: ExitStack) -> CuttableProxy:
    """Return a proxy to the server that can be cut."""
    made = CuttableProxy(server.port)
    final_cleanup.callback(made.close)
    return made


@pytest.fixture
def own_server(built_page: None, tmp_path: Path, final_cleanup: ExitStack) -> Server:
    """Return a server for one test, which can be killed. It does not wait for hints to be ready."""
    made = Server(tmp_path)
    final_cleanup.callback(made.stop)
    made.start()
    return made


@pytest.fixture(scope="session")
def screenshot_folder() -> Path:
    """Return the folder of screenshots."""
    folder = ROOT / "build" / "screens"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(params=["sample", pytest.param("all", marks=pytest.mark.soak)])
def check_screen(screenshot_folder: Path, request: pytest.FixtureRequest) -> Iterator[CheckScreen]:
    """Return a function that checks a screen. The test fails at its end, with all faults."""
    checker = ScreenChecker(screenshot_folder, thorough=request.param == "all")
    yield checker.check_screen
    assert not checker.faults, "\n".join(checker.faults)
