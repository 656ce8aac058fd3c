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
from acesaround.table import CommandRefused
from acesaround.table.commands import Claim, Pause, Rematch, Resume, Undo
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.session import Session, ShownEntry, assign_bots


def new_session(folder: Path, variant: str, **options: object) -> Session:
    rules = variants.get(variant, None, options)
    return Session.new(folder, rules, 0, assign_bots(rules, 0, ["random"]), SaveSettings(7))


def choose_action(session: Session, number: int) -> Action:
    """Choose for the person at random, by the number of the action."""
    decision = session.decision
    assert decision is not None
    return RandomBot(random.Random(f"person {number}")).choose(None, decision)


def play_action(session: Session, number: int) -> list[ShownEntry]:
    if session.decision is None:
        return session.add_entries([session.next_automatic_entry()])
    return session.send_action(choose_action(session, number))


@pytest.mark.parametrize("variant", ["three-handed", "two-handed", "seven-card", "partnership"])
def test_a_game_resumed_after_any_action_writes_the_same_file(tmp_path: Path, variant: str) -> None:
    uninterrupted = new_session(tmp_path / "whole", variant, hands=1)
    number = 0
    while not uninterrupted.is_over and number < 400:
        play_action(uninterrupted, number)
        number += 1
    resumed = new_session(tmp_path / "broken", variant, hands=1)
    play_action(resumed, 0)
    for again in range(1, number):
        if again % 5 == 0:
            before = resumed
            before.close()
            resumed = Session.resume(before.path)
            assert resumed.view == before.view
            assert resumed.deal_events == before.deal_events
        play_action(resumed, again)
    assert resumed.path.read_bytes() == uninterrupted.path.read_bytes()


def test_the_record_of_a_finished_game_is_valid(tmp_path: Path) -> None:
    session = new_session(tmp_path / "deep" / "games", "five-card", hands=1)
    number = 0
    while not session.is_over:
        assert session.finished_games() == []
        play_action(session, number)
        number += 1
    path = session.write_record()
    assert path.parent == tmp_path / "deep" / "records"
    record = load(path)
    assert verify(record) == []
    assert [seat.name for seat in record.seats] == ["You", *["bot:random"] * 3]
    assert record.winner is not None


def test_bots_are_assigned_from_the_left_of_the_person() -> None:
    rules = variants.get("partnership")
    seats = assign_bots(rules, 1, ["random", "thumb", "random"])
    assert (*seats[2:], seats[0]) == ("random", "thumb", "random")
    assert set(assign_bots(rules, 0, ["thumb"])) == {"thumb"}


@pytest.mark.parametrize(("seat", "names"), [(3, ["random"]), (0, []), (0, ["random"] * 3)])
def test_invalid_seats_and_numbers_of_bots_are_refused(seat: int, names: list[str]) -> None:
    with pytest.raises(RulesError):
        assign_bots(variants.get("three-handed"), seat, names)


def test_a_refused_action_changes_nothing_and_is_not_saved(tmp_path: Path) -> None:
    session = new_session(tmp_path, "three-handed")
    while session.is_automatic_turn:
        session.add_entries([session.next_automatic_entry()])
    before, saved = session.view, session.path.read_bytes()
    with pytest.raises(CommandRefused, match="at least 280"):
        session.send_action(Bid(1))
    assert session.view == before
    assert session.path.read_bytes() == saved


def test_deal_events_hide_cards_of_other_seats(tmp_path: Path) -> None:
    for variant in ("partnership", "two-handed", "seven-card"):
        session = new_session(tmp_path, variant)
        deal_events = []
        for number in range(60):
            play_action(session, number)
            deal_events += session.deal_events[-3:]
        for event in deal_events:
            if isinstance(event, Dealt):
                assert all(hand is None for seat, hand in enumerate(event.hands) if seat)
            if isinstance(event, Given):
                assert (event.cards is None) == (0 not in (event.seat, event.to))
            if isinstance(event, Drew):
                assert (event.cards is None) == (event.seat != 0)


def test_layable_melds_have_the_points_they_score(tmp_path: Path) -> None:
    session = new_session(tmp_path, "two-handed")
    laid = 0
    for number in range(120):
        melds = session.layable_melds()
        if melds:
            events = session.send_action(LayMeld(melds[0].cards))[0].events
            assert isinstance(events[0], MeldLaid)
            assert events[0].meld == melds[0]
            laid += 1
        else:
            play_action(session, number)
    assert laid


def test_a_game_that_cannot_be_saved_is_reported_and_saved_later(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    session = new_session(tmp_path / "file" / "games", "three-handed")
    session.add_entries([session.next_automatic_entry()])
    assert str(session.save_error).startswith("The game could not be saved")
    assert session.view.kind is DecisionKind.BID
    (tmp_path / "file").unlink()
    play_action(session, 1)
    assert session.save_error is None
    session.close()
    assert Session.resume(session.path).view == session.view


def test_the_heuristic_bot_plays_for_levels_whose_warmup_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = Warmup()
    failed.error = RuntimeError("numba is too old")
    monkeypatch.setattr("acesaround.terminal.session.process_warmup", lambda: failed)
    rules = variants.get("two-handed")
    session = Session.new(tmp_path, rules, 0, ("hard", "hard"), SaveSettings(1))
    for _ in range(6):
        if session.decision is None:
            session.add_entries([session.next_automatic_entry()])
        else:
            advised = session.prepare_hint()()
            assert advised is not None
            session.send_action(advised.action)
    assert sorted(session.take_bot_warnings()) == [
        "The bot expert cannot play here: numba is too old. Thumb plays instead.",
        "The bot hard cannot play here: numba is too old. Thumb plays instead.",
    ]


def undo(session: Session) -> None:
    assert session.accepts(Undo())
    session.send_command(Undo())


def play_bots_while_undoable(session: Session) -> None:
    """Let bots act while the person's last action can be undone."""
    while session.is_automatic_turn and session.accepts(Undo()):
        session.add_entries([session.next_automatic_entry()])


def test_after_an_undo_bots_act_as_before(tmp_path: Path) -> None:
    session = new_session(tmp_path, "three-handed")
    while session.is_automatic_turn:
        play_action(session, 0)
    before, deal_events = session.view, list(session.deal_events)
    session.send_action(Bid(900))
    play_bots_while_undoable(session)
    first = list(session.deal_events)
    assert len(first) > len(deal_events) + 1
    undo(session)
    assert session.view.undone
    assert replace(session.view, undone=()) == before
    assert session.deal_events == deal_events
    session.send_action(Bid(900))
    play_bots_while_undoable(session)
    assert session.deal_events == first
    undo(session)
    session.close()
    again = Session.resume(session.path)
    assert replace(again.view, undone=()) == before
    assert again.deal_events == deal_events


def test_undone_actions_are_not_in_the_record(tmp_path: Path) -> None:
    session = new_session(tmp_path, "three-handed", hands=1)
    undone, number = 0, 0
    while not session.is_over:
        is_own_turn = not session.is_automatic_turn
        play_action(session, number)
        if is_own_turn and undone < 5 and session.accepts(Undo()):
            undo(session)
            undone += 1
            play_action(session, number)
        number += 1
    assert undone == 5
    assert verify(load(session.write_record())) == []


def test_an_accepted_claim_wins_all_tricks_left(tmp_path: Path) -> None:
    claimed = 0
    for seed in range(1, 9):
        rules = variants.get("two-handed", None, {"hands": 1})
        session = Session.new(tmp_path, rules, 0, ("random",) * 2, SaveSettings(seed))
        number = 0
        while not session.is_over:
            if session.accepts(Claim()):
                won, deals = len(session.view.tricks), session.view.deals
                shown_entries = session.send_command(Claim())
                assert session.view.deals == deals + 1
                tricks = shown_entries[-1].view_before.tricks
                assert all(trick.winner == 0 for trick in tricks[won:])
                claimed += 1
            else:
                with pytest.raises(CommandRefused):
                    session.send_command(Claim())
                play_action(session, number)
            number += 1
        assert verify(load(session.write_record())) == []
    assert claimed


def test_a_paused_game_stays_paused_when_resumed_from_its_file(tmp_path: Path) -> None:
    session = new_session(tmp_path, "two-handed")
    session.add_entries([session.next_automatic_entry()])
    session.send_command(Pause())
    assert session.is_paused
    assert not session.is_automatic_turn
    session.close()
    again = Session.resume(session.path)
    assert again.is_paused
    with pytest.raises(CommandRefused):
        again.send_command(Pause())
    again.send_command(Resume())
    assert not again.is_paused


def test_a_rematch_is_saved_in_the_same_file(tmp_path: Path) -> None:
    session = new_session(tmp_path, "five-card", hands=1)
    number = 0
    for game in (1, 2):
        while not session.is_over:
            play_action(session, number)
            number += 1
        assert len(session.finished_games()) == game
        assert session.write_record().name.endswith(f"game-{game}.json")
        session.send_command(Rematch())
        assert session.game_number == game + 1
        assert session.scored_deals == ()
    session.close()
    assert Session.resume(session.path).game_number == 3


def test_a_cut_off_rematch_can_be_repeated(tmp_path: Path) -> None:
    session = new_session(tmp_path, "five-card", hands=1)
    number = 0
    while not session.is_over:
        play_action(session, number)
        number += 1
    session.send_command(Rematch())
    session.close()
    data = session.path.read_bytes()
    session.path.write_bytes(data[:-10])
    again = Session.resume(session.path)
    assert again.game_number == 1
    again.send_command(Rematch())
    assert again.game_number == 2
    assert session.path.read_bytes() == data
