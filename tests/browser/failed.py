"""What a failed test of the browser leaves: pictures, traces, and what its server wrote."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import pytest
from playwright.sync_api import Error

from tests.browser.page import Visitor
from tests.browser.server import Server
from tests.command import ROOT

FAILED: Final = pytest.StashKey[bool]()
"""In the stash of a test: whether it has failed."""


def keep(test_id: str, visitors: Iterable[Visitor], servers: Iterable[Server]) -> None:
    """Write a picture and a trace of each visitor and the servers' logs into `build/failed`.

    `playwright show-trace` opens a trace.
    """
    folder = ROOT / "build" / "failed" / re.sub(r"[^\w.\[\]-]+", "-", test_id)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for server in servers:
        (folder / f"server-{server.port}.log").write_text(server.said())
    for number, visitor in enumerate(visitors, 1):
        with suppress(Error):  # a page that hangs or is closed has no picture
            visitor.page.screenshot(path=folder / f"page-{number}.png", timeout=30_000)
        with suppress(Error):
            (folder / f"page-{number}.html").write_text(visitor.page.content())
        with suppress(Error):
            visitor.context.tracing.stop(path=folder / f"trace-{number}.zip")
