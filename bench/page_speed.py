"""The page in Debian's chromium: its size, its first paint, a warm start, frames while dealing.

`python -m bench.page_speed` from the project's folder, with nothing else running on the machine.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from acesaround import variants
from tests.browser.build_page import build_page, compressed_sizes
from tests.browser.chromium import CHROMIUM_FLAGS
from tests.browser.page_objects.visitor import Visitor
from tests.browser.viewports import DESKTOP, PHONE

GAME: Final = "double-deck"
CARDS: Final = 80
# Records each frame once the table is shown: its time and the number of running animations.
WATCH: Final = """
window.frames80 = [];
const look = (now) => {
  const cards = document.querySelectorAll('.layer .card');
  if (cards.length) frames80.push([now, document.getAnimations().length]);
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, float]]:
    """Run `acesaround serve` as people do; yield its address and its start time."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["serve", "--host", "127.0.0.1", "--port", str(port)]
    words += ["--database-url", f"sqlite:///{folder / 'tables.sqlite'}"]
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "acesaround", *words],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "BROWSER": "true"},  # keeps the server from opening a browser
    )
    try:
        yield f"http://127.0.0.1:{port}/", started
    finally:
        process.terminate()
        process.wait()


def open_when_listening(page: Page, url: str) -> None:
    """Open a page as soon as its server listens."""
    port = int(url.rstrip("/").rpartition(":")[2])
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.01)
        else:
            break
    page.goto(url)


def start(browser: Browser, folder: Path) -> float:
    """Return the seconds from `acesaround serve` until an open browser can start a game."""
    page = browser.new_page()
    with serving(folder) as (url, started):
        open_when_listening(page, url)
        page.wait_for_function("() => document.querySelector('button.main:enabled')")
        seconds = time.perf_counter() - started
    page.context.close()
    return seconds


def paint(browser: Browser, url: str) -> float:
    """Return the milliseconds until the first content is painted, with an empty browser cache."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(url)
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    milliseconds: float = page.evaluate(
        "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
    )
    context.close()
    return milliseconds


def dealing(browser: Browser, url: str, viewport: ViewportSize) -> tuple[float, float]:
    """Return the frames per second while cards are dealt, and the longest frame in ms."""
    context = browser.new_context(viewport=viewport)
    visitor = Visitor(context, url.rstrip("/"))
    visitor.page.add_init_script(WATCH)
    visitor.open_home()
    visitor.play_now(GAME)
    visitor.wait_until_settled()
    visitor.page.wait_for_timeout(2500)
    cards: int = visitor.page.evaluate("() => document.querySelectorAll('.layer .card').length")
    frames: list[tuple[float, int]] = visitor.page.evaluate("() => frames80")
    context.close()
    assert cards == CARDS, cards
    last = max(i for i, (_, moving) in enumerate(frames) if moving)
    times = [now for now, _ in frames[: last + 1]]
    gaps = [b - a for a, b in itertools.pairwise(times)]
    return 1000 * len(gaps) / (times[-1] - times[0]), max(gaps)


# Records the times of the frames while a trick is swept.
SWEEP: Final = """() => {
  const times = [];
  const look = (now) => {
    const swept = [...document.querySelectorAll('.layer .card.sweep')];
    const ways = swept.flatMap((card) => card.getAnimations());
    if (ways.some((way) => way.playState === 'running')) times.push(now); // one that is over stays
    else if (times.length) return void (window.swept = times);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def sweeping(browser: Browser, url: str, viewport: ViewportSize) -> tuple[float, float]:
    """Return frames per second and the longest frame while a trick is swept to its winner."""
    context = browser.new_context(viewport=viewport)
    visitor = Visitor(context, url.rstrip("/"))
    visitor.open_home()
    visitor.play_now("partnership")
    while visitor.wait_until_asked()["asks"] != "play":
        visitor.take_action()
    visitor.page.evaluate(SWEEP)  # first, because the card may end the trick
    visitor.take_action()
    visitor.page.wait_for_function("() => window.swept")
    times: list[float] = visitor.page.evaluate("() => window.swept")
    context.close()
    gaps = [b - a for a, b in itertools.pairwise(times)]
    return 1000 * len(gaps) / (times[-1] - times[0]), max(gaps)


def print_rates(name: str, rates: Sequence[tuple[float, float]]) -> None:
    """Print a row of frames per second."""
    print(f"{name}: median {statistics.median(rate for rate, _ in rates):.1f} frames/s,", end=" ")
    print(f"slowest {min(rate for rate, _ in rates):.1f},", end=" ")
    print(f"longest frame {max(gap for _, gap in rates):.0f} ms")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="times each is measured")
    parser.add_argument(
        "--beside", metavar="URL", help="deal in turn at this server of another version, too"
    )
    options = parser.parse_args(arguments)
    rounds = range(options.rounds)
    assert len(variants.VARIANTS[GAME].deck.cards) == CARDS

    if trouble := build_page():
        raise SystemExit(trouble)
    found = compressed_sizes()
    for name, size in found.items():
        print(f"{name:40} {size / 1000:7.1f} kB")
    print(f"{'the whole page, gzip':40} {sum(found.values()) / 1000:7.1f} kB\n")

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS
        )
        start(browser, Path(folder))  # creates the database
        starts = [start(browser, Path(folder)) for _ in rounds]
        print(f"serve to playable page, warm: median {statistics.median(starts):.2f} s,", end=" ")
        print(f"longest {max(starts):.2f} s")
        with serving(Path(folder)) as (url, _):
            start_page = browser.new_page()
            open_when_listening(start_page, url)
            paints = [paint(browser, url) for _ in rounds]
            print(f"first paint: median {statistics.median(paints):.0f} ms,", end=" ")
            print(f"longest {max(paints):.0f} ms")
            for name, viewport in (("desktop", DESKTOP), ("phone", PHONE)):
                tables = [("", url), *([(" there", options.beside)] if options.beside else [])]
                deals: dict[str, list[tuple[float, float]]] = {where: [] for where, _ in tables}
                for _, (where, at) in itertools.product(rounds, tables):
                    deals[where].append(dealing(browser, at, viewport))
                for where, rates in deals.items():
                    print_rates(f"dealing {CARDS} cards, {name}{where}", rates)
                print_rates(
                    f"a trick swept, {name}", [sweeping(browser, url, viewport) for _ in rounds]
                )
        browser.close()


if __name__ == "__main__":
    main()
