"""Small programs that play, or do not: written as Python, run as `cmd:` runs any program."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from acesaround import game, variants
from acesaround.game.state import Decision
from acesaround.game.view import View, view_for
from tests.orphans import runs
from tests.scripted_games import Table, deal
from tests.waiting import wait_until

_HEAD = """
import json, os, signal, sys, time

def say(line):
    sys.stdout.write((line if isinstance(line, str) else json.dumps(line)) + "\\n")
    sys.stdout.flush()

def act(action, **more):
    say({"type": "act", "action": action, **more})

ACT = '{"type": "act", "action": ["bid", %s]}'

def first(message):
    made, hand = message["decision"], message["view"]["hand"]
    if "bids" in made:
        return ["pass"] if made["may_pass"] else ["bid", made["bids"][0]]
    if "sizes" in made:
        return [made["kind"], hand[: made["sizes"][-1]]]
    return made["legal"][0]

def hello():
    say({"type": "hello", "name": "test"})

def decide(message):
    act(first(message))

def over():
    pass
"""

_LOOP = """
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        hello()
    elif message["type"] == "decide":
        decide(message)
    else:
        over()
        break
"""


def words(folder: Path, body: str = "", loop: str = _LOOP) -> list[str]:
    """The words of a program that passes and plays the first legal card, changed by `body`."""
    path = folder / f"program{len(list(folder.iterdir()))}.py"
    path.write_text(_HEAD + body + loop, encoding="utf-8")
    return [sys.executable, "-I", "-S", str(path)]


def named(folder: Path, body: str = "", loop: str = _LOOP) -> str:
    """The same as the name of a bot."""
    return "cmd:" + shlex.join(words(folder, body, loop))


def asked() -> tuple[View, Decision]:
    """A first bid in the partnership variant: a pass, 250 and 260 are legal."""
    table = Table(variants.PARTNERSHIP, deal(variants.PARTNERSHIP, {}))
    decision = game.decision(table.state)
    assert decision.seat is not None
    return view_for(table.state, decision.seat), decision


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not waited for counts as running."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def gone(pid: int) -> bool:
    """Whether a process has ended; waits for that."""
    return wait_until(lambda: not runs(pid), f"process {pid} has ended")


def written(path: Path) -> str:
    """What a program writes into a file, once it is there."""
    return wait_until(
        lambda: path.read_text() if path.exists() else "", f"something stands in {path}"
    )
