"""The one game that earlier releases kept. `saves` holds files that such a release has written."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from acesaround import variants
from acesaround.bots.random_bot import RandomBot
from acesaround.record import GameRecord, load, verify
from acesaround.terminal import save_folder
from acesaround.terminal.app import StartOptions, build
from acesaround.terminal.legacy_save import import_legacy_save
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.session import Session, seating
from acesaround.variants import VARIANTS
from acesaround.variants.legacy_presets import legacy_rules

SAVES = Path(__file__).parent / "saves"


def brought(tmp_path: Path, name: str) -> Session:
    """The game of an old file, brought over."""
    old, folder = tmp_path / "game.json", tmp_path / "games"
    shutil.copy(SAVES / name, old)
    told = import_legacy_save(old, folder)
    assert told == "Your saved game was brought over; the old file is now game.json.old."
    assert not old.exists()
    assert (tmp_path / "game.json.old").read_bytes() == (SAVES / name).read_bytes()
    (one,) = save_folder.listed(folder)
    return Session.resume(one.path)


def play_out(match: Session, number: int) -> None:
    """Play as the person did who played the old games: by lot, named by the place in the game."""
    while not match.over:
        decision = match.decision
        if decision is None:
            match.take([match.think()])
        else:
            match.do(RandomBot(random.Random(f"person {number}")).choose(None, decision))
        number += 1


def deals(record: GameRecord) -> list[tuple[int, list[list[str]], list[list[Any]]]]:
    """Dealers, cards and actions of a game."""
    return [
        (deal.dealer, [sorted(hand) for hand in deal.hands], deal.actions) for deal in record.deals
    ]


def is_the_whole_game(match: Session) -> bool:
    """Whether that was the game of `two-handed-whole.json`, card by card."""
    return deals(match.lines()[0].record()) == deals(load(SAVES / "two-handed-whole.json"))


def test_a_half_played_game_goes_on_exactly_as_it_would_have(tmp_path: Path) -> None:
    match = brought(tmp_path, "two-handed-half.json")
    assert match.seat == 1
    play_out(match, 65)
    assert is_the_whole_game(match)
    assert verify(load(match.write_record())) == []


def test_a_game_that_is_over_can_be_looked_through(tmp_path: Path) -> None:
    match = brought(tmp_path, "two-handed-whole.json")
    assert match.over
    assert is_the_whole_game(match)


def test_the_same_seed_makes_the_same_game_as_before(tmp_path: Path) -> None:
    rules = legacy_rules("two-handed", 3, {"hands": 2})  # the rules of that release
    match = Session.new(tmp_path, rules, 1, seating(rules, 1, ["random"]), SaveSettings(11))
    play_out(match, 0)
    assert is_the_whole_game(match)


def test_seat_bots_settings_and_rules_are_brought_over(tmp_path: Path) -> None:
    match = brought(tmp_path, "partnership-third.json")
    assert match.seat == 2
    assert match.others == ("thumb", "random", "random")
    assert match.playing == SaveSettings(5, before=2, pace="fast", auto=True)
    assert match.rules == legacy_rules("partnership", 4, {"target": 700, "concede": "always"})
    assert match.view.hand


def test_presets_that_have_changed_meanwhile_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "before").mkdir()
    was = brought(tmp_path / "before", "partnership-third.json")
    preset = VARIANTS["partnership"]
    ending = msgspec.structs.replace(preset.ending, target=99)
    changed = msgspec.structs.replace(preset, ending=ending, title="Another game")
    monkeypatch.setitem(VARIANTS, "partnership", changed)
    again = brought(tmp_path, "partnership-third.json")
    assert again.view == was.view
    was.close()
    assert Session.resume(was.path).view == again.view


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"format": "acesaround/1"}', b"\xff\xfe\x00", b"{}"]
)
def test_a_damaged_old_game_is_left_as_it_is_and_another_can_be_played(
    tmp_path: Path, content: bytes
) -> None:
    old = tmp_path / "game.json"
    old.write_bytes(content)
    told = import_legacy_save(old, tmp_path / "games")
    assert "game.json is damaged and was left as it is" in told
    assert old.read_bytes() == content
    app = build(variants.get("two-handed"), StartOptions(0, ("random",), 1), tmp_path / "games")
    assert app.match is not None


def test_an_old_game_whose_actions_break_the_rules_is_damaged(tmp_path: Path) -> None:
    saved = msgspec.json.decode((SAVES / "two-handed-half.json").read_bytes())
    saved["deals"][0]["actions"][0] = [1, "bid", 250]
    old = tmp_path / "game.json"
    old.write_bytes(msgspec.json.encode(saved))
    assert "is damaged" in import_legacy_save(old, tmp_path / "games")
    assert old.exists()


def test_without_an_old_game_nothing_is_said(tmp_path: Path) -> None:
    assert import_legacy_save(tmp_path / "game.json", tmp_path / "games") == ""
