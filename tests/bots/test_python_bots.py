"""Bots that are Python classes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from acesaround import bots
from acesaround.bots import python_bots
from acesaround.errors import RulesError

SOURCE = '''
class Careful:
    """Plays its first legal action."""

    def __init__(self, rng, depth="1"):
        self.name, self.depth = "careful", int(depth)

    def choose(self, view, decision):
        return next(iter(decision.legal))


class Statue:
    pass


def Function(rng):
    return None
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, with a module of bots."""
    (tmp_path / "own_bots.py").write_text(SOURCE)
    (tmp_path / "broken_bots.py").write_text("import no_such_module\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    sys.modules.pop("own_bots", None)


def test_a_class_of_a_module_in_this_folder_is_a_bot(folder: Path) -> None:
    assert bots.check("own_bots:Careful") == "own_bots:Careful"
    bot: Any = bots.make("own_bots:Careful:depth=3", random.Random(1))
    assert (bot.name, bot.depth) == ("careful", 3)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("no_bots:Careful", "There is no module 'no_bots', neither in this folder nor installed"),
        ("own_bots:Wild", "'own_bots:Wild' is not a bot: expected a class with a method `choose`"),
        ("own_bots:Statue", "expected a class with a method `choose`"),
        ("own_bots:Function", "expected a class with a method `choose`"),
        ("broken_bots:Careful", "Cannot import the module 'broken_bots': ModuleNotFoundError"),
        ("own_bots:Careful:width=3", "Cannot create the bot 'own_bots': TypeError"),
        ("own_bots", "'own_bots' is not a bot: expected one of .*cmd:PROGRAM or MODULE:CLASS"),
        ("../own_bots:Careful", "is not a bot: expected one of"),
    ],
)
def test_what_is_no_bot_is_refused(folder: Path, name: str, sentence: str) -> None:
    with pytest.raises(RulesError, match=sentence):
        bots.make(name, random.Random(1))


def test_people_at_a_table_cannot_choose_a_class(folder: Path) -> None:
    with pytest.raises(RulesError, match="is not a bot that you can choose"):
        bots.require_selectable("own_bots:Careful")


def test_packages_register_bots_by_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = {
        "careful": EntryPoint("careful", "own_bots:Careful", python_bots.ENTRY_POINT_GROUP),
        "lost": EntryPoint("lost", "lost_bots:Lost", python_bots.ENTRY_POINT_GROUP),
    }
    monkeypatch.setattr(
        python_bots, "entry_points", lambda group, name: [points[name]] if name in points else []
    )
    monkeypatch.syspath_prepend(str(folder))
    python_bots._load_entry_point.cache_clear()
    assert bots.make("careful:depth=2", random.Random(1)).name == "careful"
    with pytest.raises(RulesError, match="Cannot load the bot 'lost' of 'lost_bots:Lost'"):
        bots.make("lost", random.Random(1))
    python_bots._load_entry_point.cache_clear()


def test_workers_of_the_arena_find_the_module(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "acesaround", "arena", "two-handed", "own_bots:Careful", "random",
         "--deals", "4", "--processes", "2"],
        cwd=folder, env={**os.environ, "PYTHONSAFEPATH": "1"}, capture_output=True, check=False,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "own_bots:Careful" in done.stdout
