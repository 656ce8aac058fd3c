"""Names of bots: parsing, options, and refusals."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from acesaround import bots, optional_dependencies
from acesaround.bots import spec
from acesaround.bots.player import Player
from acesaround.bots.random_bot import RandomBot
from acesaround.errors import RulesError


def _configurable(
    rng: random.Random, time: float = 1.0, worlds: int = 10, how: str = "all"
) -> Player:
    player = RandomBot(rng)
    player.name = f"{time} {worlds} {how}"
    return player


@pytest.fixture
def configured(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {
        "time": spec.SECONDS_OPTION,
        "worlds": spec.NUMBER_OPTION,
        "how": spec.one_of("all", "sizes"),
    }
    monkeypatch.setitem(bots.BOTS, "paced", bots.Bot("It has options.", _configurable, options))


@pytest.mark.parametrize("name", ["random", "thumb", " thumb", "thumb:2026-11"])
def test_make_returns_the_named_bot(name: str) -> None:
    assert bots.make(bots.check(name), random.Random(0)).name == name.strip()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("paced", "1.0 10 all"),
        ("paced:time=0.25", "0.25 10 all"),
        ("paced:how=sizes:worlds=7:time=1e-2", "0.01 7 sizes"),
    ],
)
def test_options_follow_after_colons(configured: None, name: str, expected: str) -> None:
    assert bots.check(name) == name
    assert bots.make(name, random.Random(0)).name == expected


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "'' is not a bot: expected one of easy, medium"),
        ("nobody", "'nobody' is not a bot"),
        ("thumb:", "'' is not an option of a bot: expected NAME:KEY=VALUE"),
        ("thumb:fast", "The bot 'thumb' has no option 'fast': it has 2026-11, natural."),
        ("thumb:2026-11=1", "2026-11 of the bot 'thumb' cannot be '1': expected the word alone"),
        ("thumb:2026-11:2026-11", "'2026-11' is given twice for the bot 'thumb'."),
        ("thumb:fast=", "'fast=' is not an option of a bot"),
        ("thumb:=1", "'=1' is not an option of a bot"),
        ("random:time=1", "The bot 'random' has no option 'time': it has none."),
        ("paced:thyme=1", "has no option 'thyme': it has time, worlds, how."),
        ("paced:time=1:time=1", "'time' is given twice for the bot 'paced'."),
        ("paced:time=soon", "time of the bot 'paced' cannot be 'soon': expected a number of sec"),
        ("paced:time", "time of the bot 'paced' cannot be '': expected a number"),
        ("paced:time=0", "cannot be '0'"),
        ("paced:time=nan", "cannot be 'nan'"),
        ("paced:time=1e9", "cannot be '1e9'"),
        ("paced:time=\u0661", "cannot be"),
        ("paced:worlds=0", "cannot be '0': expected a whole number above 0."),
        ("paced:worlds=1.5", "cannot be '1.5'"),
        ("paced:worlds=99999999999999", "cannot be '99999999999999'"),
        ("paced:how=cards", "cannot be 'cards': expected one of all, sizes."),
    ],
)
def test_wrong_name_is_refused(configured: None, name: str, sentence: str) -> None:
    with pytest.raises(RulesError) as refused:
        bots.check(name)
    assert sentence in str(refused.value)
    with pytest.raises(RulesError):
        bots.make(name, random.Random(0))


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        ("thumb", ["thumb"]),
        ("thumb, random", ["thumb", "random"]),
        ("random,", ["random", ""]),
        ("paced:time=1:worlds=2,thumb", ["paced:time=1:worlds=2", "thumb"]),
        ("cmd:./bot a,cmd:./bot b", ["cmd:./bot a", "cmd:./bot b"]),
        ("cmd:./bot 'a,b',thumb", ["cmd:./bot 'a,b'", "thumb"]),
        ('cmd:./bot "a,\\",b",thumb', ['cmd:./bot "a,\\",b"', "thumb"]),
        ("cmd:./bot a\\,b,thumb", ["cmd:./bot a\\,b", "thumb"]),
        ("cmd:./bot '\\',thumb", ["cmd:./bot '\\'", "thumb"]),
    ],
)
def test_commas_separate_bots_except_inside_quotes(listed: str, names: list[str]) -> None:
    assert bots.split_bot_names(listed) == names


def test_command_of_a_program_is_split_like_a_shell() -> None:
    assert spec.parse_bot_name("cmd:'my bot' --name 'a b' c:d=e").command == (
        "my bot",
        "--name",
        "a b",
        "c:d=e",
    )
    for name in ("cmd:", "cmd: ", "cmd:''", "cmd", "cmd:'open", "cmd:./a\0b"):
        with pytest.raises(RulesError):
            spec.parse_bot_name(name)


def test_missing_extra_is_named_in_the_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        optional_dependencies.EXTRA_PACKAGES, "imagined", ("json", "no_such_package")
    )
    monkeypatch.setitem(
        bots.BOTS, "deep", bots.Bot("It needs.", RandomBot, required_extra="imagined")
    )
    assert "deep" not in bots.selectable_bots()
    with pytest.raises(RulesError) as refused:
        bots.check("deep")
    assert str(refused.value) == (
        "The bot 'deep' needs no_such_package, which is not installed: "
        "pip install 'acesaround[imagined]'."
    )


def test_experimental_bot_is_made_but_not_selectable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bots.BOTS, "seer", bots.Bot("It cheats.", RandomBot, is_selectable=False))
    assert bots.check("seer") == "seer"
    assert "seer" not in bots.selectable_bots()
    with pytest.raises(
        RulesError, match="'seer' is not a bot that you can choose: expected one of easy, medium"
    ):
        bots.require_selectable("seer")


@pytest.mark.parametrize(
    "name", ["thumb:time=1", "thumb:2026-11", "cmd:true", "cmd:sh", "nobody", " thumb"]
)
def test_only_plain_names_are_selectable(name: str) -> None:
    with pytest.raises(RulesError):
        bots.require_selectable(name)


def test_docs_list_every_bot_with_its_options() -> None:
    page = Path(__file__).parent.parent.parent / "docs" / "bots.md"
    rows = {line.split("`")[1]: line for line in page.read_text().splitlines() if "| `" in line}
    for name, bot in bots.BOTS.items():
        assert re.findall("`(.*?)`", rows[name].rsplit("|", 2)[1]) == list(bot.options)
