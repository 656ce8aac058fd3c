from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from acesaround import variants
from acesaround.actions import Action, Bid, LayMeld
from acesaround.bots.preparing import Preparation
from acesaround.bots.random_bot import RandomBot
from acesaround.errors import IllegalAction, RecordError, RulesError
from acesaround.events import Dealt, Drew, Given, MeldLaid
from acesaround.record import faults, load
from acesaround.state import Kind
from acesaround.terminal.match import Match, seating
from acesaround.terminal.save import Playing


def new_match(save: Path, variant: str, **options: object) -> Match:
    rules = variants.get(variant, None, options)
    return Match(rules, Playing(0, seating(rules, 0, ["random"]), seed=7), save)


def person(match: Match, number: int) -> Action:
    """What the person does: by lot, the same at the same place in the game."""
    decision = match.decision
    assert decision is not None
    return RandomBot(random.Random(f"person {number}")).choose(None, decision)


def play_on(match: Match, number: int) -> None:
    match.do(match.think() if match.decision is None else person(match, number))


@pytest.mark.parametrize("variant", ["three-handed", "two-handed", "seven-card", "partnership"])
def test_a_game_killed_after_any_action_goes_on_as_if_nothing_had_happened(
    tmp_path: Path, variant: str
) -> None:
    whole = new_match(tmp_path / "whole.json", variant, hands=1)
    number = 0
    while not whole.over and number < 400:
        play_on(whole, number)
        number += 1
    broken = new_match(tmp_path / "broken.json", variant, hands=1)
    play_on(broken, 0)
    for again in range(1, number):
        if again % 5 == 0:
            before = broken
            broken = Match.resume(tmp_path / "broken.json")
            assert broken.view == before.view
            assert broken.story == before.story
        play_on(broken, again)
    assert (tmp_path / "broken.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


def test_the_saved_file_is_a_sound_record(tmp_path: Path) -> None:
    save = tmp_path / "deep" / "game.json"
    match = new_match(save, "five-card", hands=1)
    for number in range(30):
        if match.over:
            break
        play_on(match, number)
        assert faults(load(save)) == []
    assert load(save).seats[0].name == "You"


def test_bots_sit_round_the_table_from_the_left_of_the_person() -> None:
    rules = variants.get("partnership")
    assert seating(rules, 1, ["random", "thumb", "random"])[2:] + seating(
        rules, 1, ["random", "thumb", "random"]
    )[:1] == ("random", "thumb", "random")
    assert set(seating(rules, 0, ["thumb"])) == {"thumb"}


@pytest.mark.parametrize(("seat", "names"), [(3, ["random"]), (0, []), (0, ["random"] * 3)])
def test_seats_and_bots_that_do_not_exist_are_refused(seat: int, names: list[str]) -> None:
    with pytest.raises(RulesError):
        seating(variants.get("three-handed"), seat, names)


def test_a_refused_action_changes_nothing_and_is_not_saved(tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    match = new_match(save, "three-handed")
    while match.decision is None:
        match.do(match.think())
    before, saved = match.view, save.read_bytes()
    with pytest.raises(IllegalAction):
        match.do(Bid(1))
    assert match.view == before
    assert save.read_bytes() == saved


def test_the_story_hides_what_the_seat_may_not_see(tmp_path: Path) -> None:
    for variant in ("partnership", "two-handed", "seven-card"):
        match = new_match(tmp_path / f"{variant}.json", variant)
        story = []
        for number in range(60):
            play_on(match, number)
            story += match.story[-3:]
        for event in story:
            if isinstance(event, Dealt):
                assert all(hand is None for seat, hand in enumerate(event.hands) if seat)
            if isinstance(event, Given):
                assert (event.cards is None) == (0 not in (event.seat, event.to))
            if isinstance(event, Drew):
                assert (event.cards is None) == (event.seat != 0)


def test_a_meld_is_offered_at_what_it_then_scores(tmp_path: Path) -> None:
    match = new_match(tmp_path / "game.json", "two-handed")
    laid = 0
    for number in range(120):
        melds = match.lays()
        if melds:
            events = match.do(LayMeld(melds[0].cards)).events
            assert isinstance(events[0], MeldLaid)
            assert events[0].meld == melds[0]
            laid += 1
        else:
            play_on(match, number)
    assert laid


def test_a_game_that_cannot_be_saved_goes_on_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    match = new_match(tmp_path / "file" / "game.json", "three-handed")
    match.do(match.think())
    assert match.unsaved is not None
    assert match.unsaved.startswith("The game could not be saved")
    assert match.view.kind is Kind.BID


def test_a_save_whose_actions_break_the_rules_is_damaged(tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    match = new_match(save, "three-handed")
    for number in range(8):
        play_on(match, number)
    saved = msgspec.json.decode(save.read_bytes())
    saved["deals"][0]["actions"][0] = [1, "play", "AS"]
    save.write_bytes(msgspec.json.encode(saved))
    with pytest.raises(RecordError, match="damaged"):
        Match.resume(save)


def test_thumb_plays_for_a_level_that_cannot_be_got_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Preparation()
    broken.failed = RuntimeError("numba is too old")
    monkeypatch.setattr("acesaround.terminal.match.preparation", lambda: broken)
    rules = variants.get("two-handed")
    match = Match(rules, Playing(0, ("hard", "hard"), 1), tmp_path / "game.json")
    for _ in range(6):
        match.do(match.think() if match.decision is None else match.hint()().action)
    assert sorted(match.complaints()) == [
        "The bot 'expert' cannot play here: numba is too old. Thumb does.",
        "The bot 'hard' cannot play here: numba is too old. Thumb does.",
    ]
