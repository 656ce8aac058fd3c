"""Keep what tells why a test failed, in a folder of its own under `build/failed`.

The report with all that was printed, the logs of the test's servers and databases, its small
files, and for a browser a picture of each page and, where `record` was called, Playwright's trace.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from tests.preflight import ROOT

FAILED: Final = ROOT / "build" / "failed"
SNAPSHOTS: Final = "ACESAROUND_TEST_SNAPSHOTS"
_LARGEST: Final = 2 * 2**20  # bytes of a file that is kept
_MOST: Final = 40  # files of a test's folder
_LETTERS: Final = 120  # of a folder's name
_PICTURE_MS: Final = 30_000


def clear() -> None:
    """Forget what failed in the run before."""
    shutil.rmtree(FAILED, ignore_errors=True)


def folder_of(nodeid: str) -> Path:
    """The folder of a test's traces. It need not be there."""
    name = nodeid.removeprefix("tests/").replace("/", ".").replace(".py::", "--")
    name = re.sub(r"[^A-Za-z0-9._\[\]-]+", "_", name)
    if len(name) > _LETTERS:  # what differs may be what is cut off
        name = f"{name[: _LETTERS - 9]}-{hashlib.sha256(nodeid.encode()).hexdigest()[:8]}"
    return FAILED / name


def keep(item: pytest.Item, report: pytest.TestReport) -> None:
    """Write down what tells why a test failed."""
    folder = folder_of(item.nodeid)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    sections = [f"---- {title} ----\n{text}" for title, text in report.sections]
    written = "\n\n".join([item.nodeid, report.longreprtext, *sections])
    with contextlib.suppress(OSError, UnicodeError):
        (folder / f"{report.when}.txt").write_text(written, encoding="utf-8", errors="replace")
    given: dict[str, Any] = getattr(item, "funcargs", {})
    for name, value in given.items():
        with contextlib.suppress(Exception):  # the test's own failure is what counts
            _keep_logs(folder, name, value)
        if name == "chromium":
            keep_pages(folder, value)


def record(context: Any) -> None:
    """Let Playwright write down what happens in a context, for the case that its test fails.

    With `SNAPSHOTS` in the environment it keeps the page at each step too: a third more to do.
    """
    context.tracing.start(snapshots=SNAPSHOTS in os.environ)


def _keep_logs(folder: Path, name: str, value: Any) -> None:
    if name == "tmp_path":
        found = (path for path in sorted(value.rglob("*")) if path.is_file())
        small = [path for path in found if path.stat().st_size <= _LARGEST]
        for path in small[:_MOST]:
            its = folder / name / path.relative_to(value)
            its.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, its)
        return
    where = getattr(value, "folder", None)
    logs = [getattr(value, "log", None)]
    if isinstance(where, Path):
        logs += [where / "log", where / "server.log"]
    for log in logs:
        if isinstance(log, Path) and log.is_file():
            shutil.copyfile(log, folder / f"{name}-{log.name}")


def keep_pages(folder: Path, browser: Any) -> None:
    """Write a picture, the source and the trace of every page that is open in a browser."""
    folder.mkdir(parents=True, exist_ok=True)
    for at, context in enumerate(browser.contexts, start=1):
        for number, page in enumerate(context.pages, start=1):
            with contextlib.suppress(Exception):  # a page that does not answer has no picture
                page.screenshot(path=folder / f"page-{at}-{number}.png", timeout=_PICTURE_MS)
                its = folder / f"page-{at}-{number}.html"
                its.write_text(page.content(), encoding="utf-8")
        with contextlib.suppress(Exception):  # where nothing was recorded there is no trace
            context.tracing.stop(path=folder / f"trace-{at}.zip")
