"""Debian's Firefox, driven by WebDriver BiDi: Playwright can only drive a Firefox of its own.

A small client: it opens pages, evaluates functions in them, clicks, takes screenshots, and records
errors of the page.
"""

from __future__ import annotations

import base64
import json
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from websockets.sync.client import ClientConnection, connect

from tests.ports import free_port
from tests.waiting import PATIENCE_SECONDS

_LIMIT: Final = 64 * 2**20  # bytes of a message: a picture is one
# Press the button that a person sees and that has this name; whether it was there. In one script,
# for what moves between two commands would have the press land elsewhere.
_PRESS: Final = """(name) => {
  const root = document.querySelector("dialog[open]") ?? document;
  const named = (node) =>
    (node.getAttribute("aria-label") ?? node.innerText).replace(/\\s+/g, " ").trim();
  const found = [...root.querySelectorAll("button, a")].find(
    (node) => named(node) === name && !node.disabled && node.checkVisibility());
  found?.click();
  return found !== undefined;
}"""


class Firefox:
    """A Firefox without a window, with one page."""

    def __init__(self, program: str, profile: Path) -> None:
        port = free_port()
        profile.mkdir(exist_ok=True)
        self._process = subprocess.Popen(
            [
                program,
                "--headless",
                "--no-remote",
                "--profile",
                str(profile),
                f"--remote-debugging-port={port}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._sent, self._open = 0, ExitStack()
        self.page_errors: list[str] = []
        try:
            self._wire = self._connected(f"ws://127.0.0.1:{port}/session")
            self._ask("session.new", capabilities={})
            self._ask("session.subscribe", events=["log.entryAdded"])
            tree = self._ask("browsingContext.getTree")
            self._page: str = tree["contexts"][0]["context"]
        except BaseException:
            self._process.kill()
            self._process.wait()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._open.close()
        self._process.terminate()
        try:
            self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _connected(self, url: str) -> ClientConnection:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return self._open.enter_context(connect(url, max_size=_LIMIT))
            except OSError:
                assert self._process.poll() is None, "Firefox has ended"
                assert time.monotonic() < deadline, "Firefox does not answer"
                time.sleep(0.1)  # of a loop that tries again

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the answer to a command. Events that come before it are errors of the page."""
        self._sent += 1
        self._wire.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while True:
            message = json.loads(self._wire.recv(PATIENCE_SECONDS))
            if message.get("method") == "log.entryAdded":
                entry = message["params"]
                if entry["level"] == "error":
                    self.page_errors.append(entry["text"])
            if message.get("id") == self._sent:
                assert message["type"] == "success", message
                result: dict[str, Any] = message["result"]
                return result

    def set_cookie(self, name: str, value: str, host: str) -> None:
        """Set a cookie before a page is opened."""
        self._ask(
            "storage.setCookie",
            cookie={"name": name, "value": {"type": "string", "value": value}, "domain": host},
        )

    def add_init_script(self, function: str) -> None:
        """Run a function in each page before its own scripts."""
        self._ask("script.addPreloadScript", functionDeclaration=function)

    def set_viewport(self, width: int, height: int) -> None:
        """Set the size of the page."""
        self._ask(
            "browsingContext.setViewport",
            context=self._page,
            viewport={"width": width, "height": height},
        )

    def open(self, url: str) -> None:
        """Go to a page and wait until it is there."""
        self._ask("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def evaluate(self, function: str, *given: Any) -> Any:
        """Return what a function returns in the page, through JSON."""
        called = f"({function})(...{json.dumps(given)})"
        call = f"Promise.resolve({called}).then((said) => JSON.stringify(said ?? null))"
        answer = self._ask(
            "script.evaluate", expression=call, target={"context": self._page}, awaitPromise=True
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def wait_until(self, function: str, *given: Any) -> Any:
        """Wait until a function returns a true value, and return it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := self.evaluate(function, *given)):
            assert time.monotonic() < deadline, (function, given)
            time.sleep(0.05)  # of a loop that asks again
        return found

    def press(self, name: str) -> None:
        """Press the button or link of that name, once it is there."""
        self.wait_until(_PRESS, name)

    def press_at(self, x: float, y: float) -> None:
        """Click there with the mouse. The target must not move."""
        mouse = {
            "type": "pointer",
            "id": "mouse",
            "actions": [
                {"type": "pointerMove", "x": round(x), "y": round(y)},
                {"type": "pointerDown", "button": 0},
                {"type": "pointerUp", "button": 0},
            ],
        }
        self._ask("input.performActions", context=self._page, actions=[mouse])

    def save_screenshot(self, path: Path) -> None:
        """Save a screenshot."""
        answer = self._ask("browsingContext.captureScreenshot", context=self._page)
        path.write_bytes(base64.b64decode(answer["data"]))
