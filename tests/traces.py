"""Save what shows why a test failed, in a folder per test under `build/failed`.

The folder has the report with all output, the logs of the test's servers and databases, its small
files, and for a browser a picture of each page and, after `start_tracing`, Playwright's trace.
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
SNAPSHOTS_VARIABLE: Final = "ACESAROUND_TEST_SNAPSHOTS"
_MAX_FILE_BYTES: Final = 2 * 2**20
_MAX_FILES: Final = 40
_MAX_NAME_LENGTH: Final = 120
_SCREENSHOT_MS: Final = 30_000


def remove_old() -> None:
    """Remove the traces of the last run."""
    shutil.rmtree(FAILED, ignore_errors=True)


def trace_folder(nodeid: str) -> Path:
    """Return the folder for a test's traces, which may not exist."""
    name = nodeid.removeprefix("tests/").replace("/", ".").replace(".py::", "--")
    name = re.sub(r"[^A-Za-z0-9._\[\]-]+", "_", name)
    if len(name) > _MAX_NAME_LENGTH:  # two names may differ only in the part that is cut off
        name = f"{name[: _MAX_NAME_LENGTH - 9]}-{hashlib.sha256(nodeid.encode()).hexdigest()[:8]}"
    return FAILED / name


def save(item: pytest.Item, report: pytest.TestReport) -> None:
    """Save the report, files and pages of a failed test."""
    folder = trace_folder(item.nodeid)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    sections = [f"---- {title} ----\n{text}" for title, text in report.sections]
    written = "\n\n".join([item.nodeid, report.longreprtext, *sections])
    with contextlib.suppress(OSError, UnicodeError):
        (folder / f"{report.when}.txt").write_text(written, encoding="utf-8", errors="replace")
    fixtures: dict[str, Any] = getattr(item, "funcargs", {})
    for name, value in fixtures.items():
        with contextlib.suppress(Exception):  # the test's own failure is what counts
            _save_files(folder, name, value)
        if name == "chromium":
            save_pages(folder, value)


def start_tracing(context: Any) -> None:
    """Start Playwright's trace of a context.

    With `SNAPSHOTS_VARIABLE` set, it has the page at each step, which takes a third more time.
    """
    context.tracing.start(snapshots=SNAPSHOTS_VARIABLE in os.environ)


def _save_files(folder: Path, name: str, value: Any) -> None:
    if name == "tmp_path":
        found = (path for path in sorted(value.rglob("*")) if path.is_file())
        small = [path for path in found if path.stat().st_size <= _MAX_FILE_BYTES]
        for path in small[:_MAX_FILES]:
            target = folder / name / path.relative_to(value)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        return
    where = getattr(value, "folder", None)
    logs = [getattr(value, "log", None)]
    if isinstance(where, Path):
        logs += [where / "log", where / "server.log"]
    for log in logs:
        if isinstance(log, Path) and log.is_file():
            shutil.copyfile(log, folder / f"{name}-{log.name}")


def save_pages(folder: Path, browser: Any) -> None:
    """Save a picture and the source of each open page of a browser, and the traces."""
    folder.mkdir(parents=True, exist_ok=True)
    for at, context in enumerate(browser.contexts, start=1):
        for number, page in enumerate(context.pages, start=1):
            with contextlib.suppress(Exception):  # a page that does not answer has no picture
                page.screenshot(path=folder / f"page-{at}-{number}.png", timeout=_SCREENSHOT_MS)
                target = folder / f"page-{at}-{number}.html"
                target.write_text(page.content(), encoding="utf-8")
        with contextlib.suppress(Exception):  # if nothing was recorded, there is no trace
            context.tracing.stop(path=folder / f"trace-{at}.zip")
