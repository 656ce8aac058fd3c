"""The linter of tests: what it reports, what it accepts, and exceptions with a reason."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.flaky_code import find_flaky_code

SLEEP = "a sleep before an assertion"
LIMIT = "a time limit under 30 s"
ELAPSED = "an assertion on elapsed time"
CHANCE = "chance without a seed"
ENDLESS = "a loop without an end"
RESIZED = "a page that has not followed its size"


def problems(source: str) -> list[str]:
    """Return the reported problems without their remedies."""
    return [finding.what.partition(":")[0] for finding in find_flaky_code(textwrap.dedent(source))]


REPORTED = {
    "size of a page": (
        RESIZED,
        """
        def test_it(page):
            page.set_viewport_size({"width": 320, "height": 568})
            assert page.locator(".felt").evaluate(MEASURE) == 0
        """,
    ),
    "sleep": (
        SLEEP,
        """
        def test_it():
            begin()
            time.sleep(0.1)
            assert done()
        """,
    ),
    "sleep in async": (
        SLEEP,
        """
        async def test_it():
            async with server():
                await asyncio.sleep(SHORT)
            assert done()
        """,
    ),
    "sleep in a loop that counts": (
        SLEEP,
        """
        def test_it():
            for _ in range(50):
                time.sleep(0.1)
            assert done()
        """,
    ),
    "sleep before expect": (
        SLEEP,
        """
        def test_it(page):
            page.wait_for_timeout(300)
            expect(page).to_have_title("Aces Around")
        """,
    ),
    "pause before raises": (
        SLEEP,
        """
        async def test_it(pilot):
            await pilot.pause(0.3)
            with pytest.raises(ValueError):
                it()
        """,
    ),
    "timeout of asyncio": (
        LIMIT,
        "async def f():\n    async with asyncio.timeout(20): await g()\n",
    ),
    "wait_for": (LIMIT, "async def f():\n    await asyncio.wait_for(g(), 5)\n"),
    "keyword": (LIMIT, "urlopen(url, timeout=10)\n"),
    "method": (LIMIT, "thread.join(10)\n"),
    "milliseconds": (LIMIT, "page.wait_for_function(F, timeout=4000)\n"),
    "constant": (LIMIT, "_PATIENCE = 20.0\n"),
    "constant with its type": (LIMIT, "PATIENCE: Final = 15_000\n"),
    "deadline": (LIMIT, "until = time.monotonic() + 20\n"),
    "elapsed": (
        ELAPSED,
        """
        def test_it():
            began = time.monotonic()
            it()
            assert time.monotonic() - began < 30
        """,
    ),
    "elapsed by a name": (
        ELAPSED,
        """
        def test_it():
            began = time.perf_counter()
            it()
            took = round(time.perf_counter() - began, 3)
            assert took < 1
        """,
    ),
    "Random": (CHANCE, "rng = random.Random()\n"),
    "SystemRandom": (CHANCE, "rng = random.SystemRandom()\n"),
    "module": (CHANCE, "x = random.choice([1, 2])\n"),
    "imported": (CHANCE, "from random import shuffle\n"),
    "numpy": (CHANCE, "rng = np.random.default_rng()\n"),
    "numpy's own": (CHANCE, "x = np.random.uniform(0, 1)\n"),
    "while True": (ENDLESS, "def f():\n    while True:\n        g()\n"),
    "looks for ever": (ENDLESS, "def f():\n    while not done():\n        time.sleep(0.1)\n"),
    "looks for ever with break": (
        ENDLESS,
        """
        async def f():
            while True:
                if done():
                    break
                await asyncio.sleep(0.01)
        """,
    ),
}


@pytest.mark.parametrize("name", REPORTED)
def test_unsteady_code_is_reported(name: str) -> None:
    what, source = REPORTED[name]
    assert problems(source) == [what]


ACCEPTED = {
    "yield to others": "async def test_it():\n    await asyncio.sleep(0)\n    assert done()\n",
    "pause until idle": "async def test_it(pilot):\n    await pilot.pause()\n    assert done()\n",
    "sleep after all": "def test_it():\n    assert done()\n    time.sleep(0.1)\n",
    "sleep of what is started": """
        def test_it():
            def slow():
                time.sleep(0.1)
            assert runs(slow)
        """,
    "sleep between looks": """
        def test_it():
            until = time.monotonic() + 60
            while not done():
                assert time.monotonic() < until
                time.sleep(0.01)
            assert done()
        """,
    "looks within a limit": """
        async def f():
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not done():
                    await asyncio.sleep(0.01)
        """,
    "until a time": """
        def f(until):
            while not done() and time.monotonic() < until:
                time.sleep(0.01)
        """,
    "while True with an end": """
        def f():
            while True:
                x = step()
                if x is None:
                    return
        """,
    "reads until it is closed": """
        def closed(socket):
            try:
                while True:
                    socket.recv(1000)
            except ConnectionClosed as left:
                return left.code
        """,
    "each turn within a limit": """
        async def f():
            while True:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await news()
                await asyncio.sleep(pause)
                if done():
                    return
        """,
    "reads to the end": """
        async def f(reader):
            while data := await reader.read(100):
                await asyncio.sleep(delay)
        """,
    "generator": "def f():\n    while True:\n        yield 1\n",
    "loop over what there is": "def f():\n    while stack:\n        stack.pop()\n",
    "long limits": "urlopen(url, timeout=60)\npage.click(timeout=60_000)\nPATIENCE = 60.0\n",
    "half an hour": "subprocess.run(words, timeout=1800)\n",
    "no waiting at all": "lock.acquire(timeout=0)\n",
    "join of text": "', '.join(words)\n",
    "own function": "result(1.0)\n",
    "seeded": "rng = random.Random(1)\nother = np.random.default_rng(seed)\nrng.choice([1, 2])\n",
    "annotated": "def f(rng: random.Random) -> None: ...\n",
    "measured and told": """
        def test_it():
            began = time.monotonic()
            it()
            sys.stdout.write(str(time.monotonic() - began))
            assert done()
        """,
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_steady_code_is_accepted(name: str) -> None:
    assert problems(ACCEPTED[name]) == []


def test_comment_with_a_reason_is_an_exception() -> None:
    assert problems("PATIENCE = 1.0  # steady: the limit is what is tested\n") == []
    assert problems("PATIENCE = (  # steady: the limit is tested\n    1.0)\n") == []
    assert problems("x = 1  # steady: the limit is what is tested\nPATIENCE = 1.0\n") == [LIMIT]


@pytest.mark.parametrize("comment", ["# steady", "# steady:", "# steady: yes", "# it is steady"])
def test_comment_without_a_reason_is_no_exception(comment: str) -> None:
    assert problems(f"PATIENCE = 1.0  {comment}\n") == [LIMIT]


def test_finding_has_a_line_and_a_remedy() -> None:
    (finding,) = find_flaky_code("x = 1\nPATIENCE = 1.0\n")
    assert finding.line == 2
    assert finding.what == "a time limit under 30 s: take PATIENCE_SECONDS"


def test_all_tests_are_steady() -> None:
    """Findings are listed with file and line."""
    tests = Path(__file__).parents[1]
    wrong = [
        f"{path.relative_to(tests.parent)}:{finding.line}: {finding.what}"
        for path in sorted(tests.rglob("*.py"))
        for finding in find_flaky_code(path.read_text(encoding="utf-8"))
    ]
    assert wrong == []
