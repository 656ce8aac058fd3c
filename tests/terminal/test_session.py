from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.actions import Action, Bid, LayMeld
from acesaround.bots.random_bot import RandomBot
from acesaround.bots.warmup import Warmup
from acesaround.errors import RulesError
from acesaround.game.events import Dealt, Drew, Given, MeldLaid
from acesaround.game.state import DecisionKind
from acesaround.record import load, verify
from acesaround.table import Refused
from acesaround.table.commands import Claim, Pause, Rematch, Resume, Undo
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.session import Moment, Session, assign_bots


def new_match(folder: Path, variant: str, **options: object) -> Session:
    rules = variants.get(variant, None, options)
    return Session.new(folder, rules, 0, assign_bots(rules, 0, ["random"]), SaveSettings(7))


def person(match: Session, number: int) -> Action:
    """What the person does: by lot, the same at the same place in the game."""
    decision = match.decision
    assert decision is not None
    return RandomBot(random.Random(f"person {number}")).choose(None, decision)


def play_on(match: Session, number: int) -> list[Moment]:
    if match.decision is None:
        return match.add_entries([match.next_automatic_entry()])
    return match.send_action(person(match, number))


@pytest.mark.parametrize("variant", ["three-handed", "two-handed", "seven-card", "partnership"])
def test_a_game_killed_after_any_action_goes_on_as_if_nothing_had_happened(
    tmp_path: Path, variant: str
) -> None:
    whole = new_match(tmp_path / "whole", variant, hands=1)
    number = 0
    while not whole.is_over and number < 400:
        play_on(whole, number)
        number += 1
    broken = new_match(tmp_path / "broken", variant, hands=1)
    play_on(broken, 0)
    for again in range(1, number):
        if again % 5 == 0:
            before = broken
            before.close()
            broken = Session.resume(before.path)
            assert broken.view == before.view
            assert broken.deal_events == before.deal_events
        play_on(broken, again)
    assert broken.path.read_bytes() == whole.path.read_bytes()


def test_the_record_of_a_game_that_is_over_is_sound(tmp_path: Path) -> None:
    match = new_match(tmp_path / "deep" / "games", "five-card", hands=1)
    number = 0
    while not match.is_over:
        assert match.finished_games() == []
        play_on(match, number)
        number += 1
    path = match.write_record()
    assert path.parent == tmp_path / "deep" / "records"
    record = load(path)
    assert verify(record) == []
    assert [seat.name for seat in record.seats] == ["You", *["bot:random"] * 3]
    assert record.winner is not None


def test_bots_sit_round_the_table_from_the_left_of_the_person() -> None:
    rules = variants.get("partnership")
    assert assign_bots(rules, 1, ["random", "thumb", "random"])[2:] + assign_bots(
        rules, 1, ["random", "thumb", "random"]
    )[:1] == ("random", "thumb", "random")
    assert set(assign_bots(rules, 0, ["thumb"])) == {"thumb"}


@pytest.mark.parametrize(("seat", "names"), [(3, ["random"]), (0, []), (0, ["random"] * 3)])
def test_seats_and_bots_that_do_not_exist_are_refused(seat: int, names: list[str]) -> None:
    with pytest.raises(RulesError):
        assign_bots(variants.get("three-handed"), seat, names)


def test_a_refused_action_changes_nothing_and_is_not_saved(tmp_path: Path) -> None:
    match = new_match(tmp_path, "three-handed")
    while match.is_automatic_turn:
        match.add_entries([match.next_automatic_entry()])
    before, saved = match.view, match.path.read_bytes()
    with pytest.raises(Refused, match="at least 280"):
        match.send_action(Bid(1))
    assert match.view == before
    assert match.path.read_bytes() == saved


def test_the_story_hides_what_the_seat_may_not_see(tmp_path: Path) -> None:
    for variant in ("partnership", "two-handed", "seven-card"):
        match = new_match(tmp_path, variant)
        story = []
        for number in range(60):
            play_on(match, number)
            story += match.deal_events[-3:]
        for event in story:
            if isinstance(event, Dealt):
                assert all(hand is None for seat, hand in enumerate(event.hands) if seat)
            if isinstance(event, Given):
                assert (event.cards is None) == (0 not in (event.seat, event.to))
            if isinstance(event, Drew):
                assert (event.cards is None) == (event.seat != 0)


def test_a_meld_is_offered_at_what_it_then_scores(tmp_path: Path) -> None:
    match = new_match(tmp_path, "two-handed")
    laid = 0
    for number in range(120):
        melds = match.layable_melds()
        if melds:
            events = match.send_action(LayMeld(melds[0].cards))[0].events
            assert isinstance(events[0], MeldLaid)
            assert events[0].meld == melds[0]
            laid += 1
        else:
            play_on(match, number)
    assert laid


def test_a_game_that_cannot_be_saved_goes_on_and_says_so(tmp_path: Path) -> None:
    """And it is saved, whole, as soon as that can be done."""
    (tmp_path / "file").write_text("in the way")
    match = new_match(tmp_path / "file" / "games", "three-handed")
    match.add_entries([match.next_automatic_entry()])
    assert str(match.save_error).startswith("The game could not be saved")
    assert match.view.kind is DecisionKind.BID
    (tmp_path / "file").unlink()
    play_on(match, 1)
    assert match.save_error is None
    match.close()
    assert Session.resume(match.path).view == match.view


def test_thumb_plays_for_a_level_that_cannot_be_got_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Warmup()
    broken.error = RuntimeError("numba is too old")
    monkeypatch.setattr("acesaround.terminal.session.process_warmup", lambda: broken)
    rules = variants.get("two-handed")
    match = Session.new(tmp_path, rules, 0, ("hard", "hard"), SaveSettings(1))
    for _ in range(6):
        if match.decision is None:
            match.add_entries([match.next_automatic_entry()])
        else:
            advised = match.prepare_hint()()
            assert advised is not None
            match.send_action(advised.action)
    assert sorted(match.take_bot_warnings()) == [
        "The bot 'expert' cannot play here: numba is too old. Thumb plays instead.",
        "The bot 'hard' cannot play here: numba is too old. Thumb plays instead.",
    ]


def undo(match: Session) -> None:
    assert match.accepts(Undo())
    match.send_command(Undo())


def bots_go_on(match: Session) -> None:
    """Let bots act, as long as what the person did last can still be taken back."""
    while match.is_automatic_turn and match.accepts(Undo()):
        match.add_entries([match.next_automatic_entry()])


def test_what_was_undone_is_forgotten_and_bots_do_the_same_again(tmp_path: Path) -> None:
    """What bots draw depends on the place in the game alone."""
    match = new_match(tmp_path, "three-handed")
    while match.is_automatic_turn:
        play_on(match, 0)
    before, story = match.view, list(match.deal_events)
    match.send_action(Bid(900))
    bots_go_on(match)
    first = list(match.deal_events)
    assert len(first) > len(story) + 1
    undo(match)
    assert match.view.undone  # nobody who saw it can unsee it
    assert replace(match.view, undone=()) == before
    assert match.deal_events == story
    match.send_action(Bid(900))
    bots_go_on(match)
    assert match.deal_events == first
    undo(match)
    match.close()
    again = Session.resume(match.path)
    assert replace(again.view, undone=()) == before
    assert again.deal_events == story


def test_what_was_undone_is_not_in_the_record(tmp_path: Path) -> None:
    match = new_match(tmp_path, "three-handed", hands=1)
    undone, number = 0, 0
    while not match.is_over:
        mine = not match.is_automatic_turn
        play_on(match, number)
        if mine and undone < 5 and match.accepts(Undo()):
            undo(match)
            undone += 1
            play_on(match, number)
        number += 1
    assert undone == 5
    assert verify(load(match.write_record())) == []


def test_a_sure_claim_plays_the_deal_out(tmp_path: Path) -> None:
    claimed = 0
    for seed in range(1, 9):
        rules = variants.get("two-handed", None, {"hands": 1})
        match = Session.new(tmp_path, rules, 0, ("random",) * 2, SaveSettings(seed))
        number = 0
        while not match.is_over:
            if match.accepts(Claim()):
                won, deals = len(match.view.tricks), match.view.deals
                moments = match.send_command(Claim())
                assert match.view.deals == deals + 1
                tricks = moments[-1].view_before.tricks
                assert all(trick.winner == 0 for trick in tricks[won:])
                claimed += 1
            else:
                with pytest.raises(Refused):
                    match.send_command(Claim())
                play_on(match, number)
            number += 1
        assert verify(load(match.write_record())) == []
    assert claimed


def test_nothing_is_done_while_the_table_is_paused(tmp_path: Path) -> None:
    match = new_match(tmp_path, "two-handed")
    match.add_entries([match.next_automatic_entry()])
    match.send_command(Pause())
    assert match.is_paused
    assert not match.is_automatic_turn
    match.close()
    again = Session.resume(match.path)
    assert again.is_paused
    with pytest.raises(Refused):
        again.send_command(Pause())
    again.send_command(Resume())
    assert not again.is_paused


def test_another_game_at_the_table_is_kept_in_the_same_log(tmp_path: Path) -> None:
    match = new_match(tmp_path, "five-card", hands=1)
    number = 0
    for game in (1, 2):
        while not match.is_over:
            play_on(match, number)
            number += 1
        assert len(match.finished_games()) == game
        assert match.write_record().name.endswith(f"game-{game}.json")
        match.send_command(Rematch())
        assert match.game_number == game + 1
        assert match.scored_deals == ()
    match.close()
    assert Session.resume(match.path).game_number == 3


def test_a_next_game_whose_begin_was_cut_off_can_be_asked_for_again(tmp_path: Path) -> None:
    match = new_match(tmp_path, "five-card", hands=1)
    number = 0
    while not match.is_over:
        play_on(match, number)
        number += 1
    match.send_command(Rematch())
    match.close()
    data = match.path.read_bytes()
    match.path.write_bytes(data[:-10])
    again = Session.resume(match.path)
    assert again.game_number == 1
    again.send_command(Rematch())
    assert again.game_number == 2
    assert match.path.read_bytes() == data
