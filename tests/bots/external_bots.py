"""Small programs that play or fail: written in Python, run like any program of `cmd:`."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from acesaround import game, variants
from acesaround.game.state import Decision
from acesaround.game.view import View, view_for
from tests.processes import is_running
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
    offer, hand = message["decision"], message["view"]["hand"]
    if "bids" in offer:
        return ["pass"] if offer["may_pass"] else ["bid", offer["bids"][0]]
    if "sizes" in offer:
        return [offer["kind"], hand[: offer["sizes"][-1]]]
    return offer["legal"][0]

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


def program_command(folder: Path, body: str = "", loop: str = _LOOP) -> list[str]:
    """Return the command of a program that plays the first legal card, changed by `body`."""
    path = folder / f"program{len(list(folder.iterdir()))}.py"
    path.write_text(_HEAD + body + loop, encoding="utf-8")
    return [sys.executable, "-I", "-S", str(path)]


def program_bot(folder: Path, body: str = "", loop: str = _LOOP) -> str:
    """Return the name of the bot that runs such a program."""
    return "cmd:" + shlex.join(program_command(folder, body, loop))


def first_bid() -> tuple[View, Decision]:
    """Return a first bid in the partnership variant: pass, 250 and 260 are legal."""
    table = Table(variants.PARTNERSHIP, deal(variants.PARTNERSHIP, {}))
    decision = game.decision(table.state)
    assert decision.seat is not None
    return view_for(table.state, decision.seat), decision


def process_exists(pid: int) -> bool:
    """Return True if a process exists, a zombie included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def has_ended(pid: int) -> bool:
    """Wait until a process has ended."""
    return wait_until(lambda: not is_running(pid), f"process {pid} has ended")


def file_content(path: Path) -> str:
    """Wait until a program has written a file, and return its content."""
    return wait_until(lambda: path.read_text() if path.exists() else "", f"{path} has content")
