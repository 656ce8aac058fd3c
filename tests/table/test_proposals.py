"""Proposals that hold up play: the turn clock, expiry, consent, limits on repeats."""

from __future__ import annotations

import json

import pytest

from acesaround.errors import NotationError
from acesaround.table import (
    Person,
    TablePresence,
    automatic_actor,
    clock_paused,
    commands,
    decode_command,
    encode_state,
    entries,
    expire_proposal,
    fold,
    seat_on_clock,
    seats_still_reading,
)
from tests.table.table_log import ANN, BOB, CLEO, TableLog, make_table_with_claim, table_config

ALL_PRESENT = TablePresence(present=frozenset({ANN.id, BOB.id, CLEO.id}))


def make_table_with_undo_proposal(
    *, clock: int | None = None, seed: int = 2
) -> tuple[TableLog, Person, Person]:
    """Return a table where the first person called and asks the second to undo it."""
    log = TableLog(table_config(clock=clock), seed)
    log.send(BOB, commands.Sit(2))
    log.send(ANN, commands.Start())
    log.play_bots()
    first, second = (ANN, BOB) if log.table.view(0).turn == 0 else (BOB, ANN)
    log.act_randomly(first)
    log.send(first, commands.Undo())
    assert log.table.proposal is not None
    return log, first, second


def read_sent_table(log: TableLog, person: Person) -> dict[str, object]:
    table: dict[str, object] = json.loads(encode_state(log.table, "t", person.id))["table"]
    return table


def test_an_undone_action_is_sent_until_the_next_action() -> None:
    log, first, second = make_table_with_undo_proposal()
    seat = log.table.seat_of(first.id)
    log.send(second, commands.AnswerProposal(True))
    for person in (first, second, CLEO):
        taken = read_sent_table(log, person)["undone"]
        assert isinstance(taken, dict)
        assert (taken["seat"], taken["seq"]) == (seat, log.table.seq)
        assert taken["event"]["type"] in ("BidMade", "Passed")
        assert taken["event"]["seat"] == seat
    log.send(first, commands.SendChat("oops"))
    assert read_sent_table(log, second)["undone"] is not None
    log.act_randomly(first)
    assert read_sent_table(log, second)["undone"] is None


def test_cards_of_an_undone_bury_are_sent_to_the_own_seat_only() -> None:
    for seed in range(60):
        log = TableLog(table_config("three-handed", options={}), seed)
        log.send(ANN, commands.Start())
        log.play_bots()
        while log.table.game is not None and log.table.game.deals == 0:
            kind = log.table.view(0).kind
            log.act_randomly(ANN)
            if kind is not None and kind.value == "bury":
                log.send(ANN, commands.Undo())
                own, other = (
                    read_sent_table(log, ANN)["undone"],
                    read_sent_table(log, BOB)["undone"],
                )
                assert isinstance(own, dict)
                assert isinstance(other, dict)
                assert len(own["event"]["cards"]) == 3
                assert other["event"]["cards"] is None
                return
            log.play_bots()
    raise AssertionError("Ann was never declarer")


def test_the_clock_is_paused_while_an_undo_is_proposed() -> None:
    log, first, _ = make_table_with_undo_proposal(clock=30)
    assert clock_paused(log.table)
    assert seat_on_clock(log.table) is None
    assert automatic_actor(log.table) is None
    log.send(first, commands.AnswerProposal(False))
    assert not clock_paused(log.table)
    log.play_bots()
    assert seat_on_clock(log.table) is not None
    log.send(first, commands.AllowHints(True))
    assert not clock_paused(log.table)
    assert seat_on_clock(log.table) is not None


def make_presence_without(*people: Person) -> TablePresence:
    """Return a presence where these people are absent and the others connected."""
    absent = frozenset(person.id for person in people)
    return TablePresence(ALL_PRESENT.present - absent, absent)


def test_an_expired_proposal_is_granted_by_all_present_people() -> None:
    log = TableLog(table_config(), 2)
    log.send(BOB, commands.Sit(1))
    log.send(CLEO, commands.Sit(2))
    log.send(ANN, commands.Start())
    log.play_bots()
    people = {0: ANN, 1: BOB, 2: CLEO}
    turn = log.table.view(0).turn
    assert turn is not None
    first, absent, agrees = people.pop(turn), *people.values()
    before = log.table.game
    log.act_randomly(first)
    log.send(first, commands.Undo())
    presence, denied = make_presence_without(absent), (entries.ProposalExpired(agree=False),)
    assert expire_proposal(log.table, presence) == denied  # no answer yet
    log.send(agrees, commands.AnswerProposal(True))
    assert expire_proposal(log.table, ALL_PRESENT) == denied  # all are present
    disconnected = TablePresence(present=presence.present)
    assert expire_proposal(log.table, disconnected) == denied  # may be back any moment
    assert (
        expire_proposal(log.table, make_presence_without(absent, first)) == denied
    )  # the requester is absent
    log.add(*expire_proposal(log.table, presence))
    assert log.table.game == before
    assert log.table.undone is not None
    assert log.table.proposal is None
    assert fold([entries.decode(entries.encode(entry)) for entry in log.entries]) == log.table


def test_an_unanswered_proposal_is_denied_and_sent_as_late() -> None:
    log, first, second = make_table_with_undo_proposal()
    after_it = log.table.game
    log.add(*expire_proposal(log.table, ALL_PRESENT))
    assert log.table.game == after_it
    assert log.table.proposal is None
    denied = read_sent_table(log, first)["denied_proposal"]
    assert denied == {
        "kind": "undo",
        "seat": log.table.seat_of(first.id),
        "denied_by": [log.table.seat_of(second.id)],
        "expired": True,
        "seq": log.table.seq,
    }
    assert expire_proposal(log.table, ALL_PRESENT) == ()


def test_an_expired_swap_with_an_absent_person_is_denied() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(2))
    log.send(ANN, commands.Swap(2))
    log.add(*expire_proposal(log.table, make_presence_without(BOB)))
    assert [log.table.seat_of(person.id) for person in (ANN, BOB)] == [0, 2]
    assert log.table.proposal is None


def test_an_expired_claim_is_played_out_if_the_others_are_absent() -> None:
    log = make_table_with_claim("partnership", people=2)
    log.send(ANN, commands.Claim())
    before = log.table.game
    assert before is not None
    log.add(*expire_proposal(log.table, make_presence_without(BOB)))
    assert log.table.game is not None
    assert log.table.game.deals == before.deals + 1 or not log.table.is_playing


def test_a_denied_proposal_names_the_seat_and_a_withdrawn_one_does_not() -> None:
    log, first, second = make_table_with_undo_proposal()
    log.send(second, commands.AnswerProposal(False))
    denied = read_sent_table(log, first)["denied_proposal"]
    assert isinstance(denied, dict)
    assert (denied["denied_by"], denied["expired"]) == ([log.table.seat_of(second.id)], False)
    log.send(first, commands.Undo())
    assert read_sent_table(log, first)["denied_proposal"] is None
    log.send(first, commands.AnswerProposal(False))
    assert read_sent_table(log, first)["denied_proposal"] is None


@pytest.mark.parametrize("started", [False, True])
def test_hints_may_be_proposed_three_times(started: bool) -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(2))
    if started:
        log.send(ANN, commands.Start())
        log.play_bots()
    for _ in range(3):
        log.send(ANN, commands.AllowHints(True))
        log.send(BOB, commands.AnswerProposal(False))
    assert log.send_refused(ANN, commands.AllowHints(True)) == "rule"
    may = read_sent_table(log, ANN)["allowed"]
    assert isinstance(may, dict)
    assert not may["propose_hints"]
    log.send(BOB, commands.AllowHints(True))  # the limit is per seat


@pytest.mark.parametrize("ends", ["refused", "withdrawn", "lapsed"])
def test_a_seat_may_make_three_failed_proposals_in_a_deal(ends: str) -> None:
    log, first, second = make_table_with_undo_proposal()
    for again in range(3):
        if again:
            log.send(first, commands.Undo())
        assert automatic_actor(log.table) is None
        if ends == "lapsed":
            log.add(*expire_proposal(log.table, ALL_PRESENT))
        else:
            log.send(second if ends == "refused" else first, commands.AnswerProposal(False))
    assert log.send_refused(first, commands.Undo()) == "rule"
    may = read_sent_table(log, first)["allowed"]
    assert isinstance(may, dict)
    assert not may["undo"]
    assert log.send_refused(first, commands.AllowHints(True)) == "rule"
    assert [log.table.seat_of(first.id)] * 3 == list(log.table.denied_seats)
    people = {log.table.seat_of(person.id): person for person in (ANN, BOB)}
    deal = log.table.deal_seq
    while log.table.deal_seq == deal:
        log.play_bots_to_deal()
        if automatic_actor(log.table) == "deal":
            log.play_bots()
            break
        turn = log.table.view(0).turn
        log.act_randomly(people[turn])
    assert not log.table.denied_seats


def test_a_proposal_counts_as_failed_if_its_person_leaves_the_seat() -> None:
    """Otherwise a person could ask again and again by standing up and sitting down."""
    log, first, second = make_table_with_undo_proposal()
    log.send(second, commands.AnswerProposal(False))
    seat = log.table.seat_of(first.id)
    assert seat is not None
    for _ in range(2):
        log.send(first, commands.AllowHints(True))
        log.send(first, commands.Stand())
        log.send(first, commands.Sit(seat))
    assert list(log.table.denied_seats) == [seat] * 3
    assert log.send_refused(first, commands.AllowHints(True)) == "rule"
    log.send(second, commands.AllowHints(True))
    log.send(first, commands.Stand())
    assert list(log.table.denied_seats) == [seat] * 3  # the proposal of another seat


def play_to_result(log: TableLog, *people: Person) -> None:
    """Play until the result of a deal is shown."""
    seats = {log.table.seat_of(person.id): person for person in people}
    log.play_bots()
    while log.table.unread_result is None:
        if automatic_actor(log.table) is not None:
            log.play_bots_to_deal() if log.table.sheet else log.play_bots()
            if automatic_actor(log.table) == "deal" and log.table.unread_result is None:
                log.play_bots()
            continue
        turn = log.table.view(0).turn
        log.act_randomly(seats[turn])
        log.play_bots_to_deal()


READING = TablePresence(present=ALL_PRESENT.present, readers=frozenset({ANN.id, BOB.id}))


def test_the_next_deal_waits_for_all_people_whose_page_shows_the_result() -> None:
    log = TableLog(table_config(options={"target": 9000}), 3)
    log.send(BOB, commands.Sit(2))
    log.send(ANN, commands.Start())
    assert log.send_refused(ANN, commands.Continue(1)) == "stale"
    play_to_result(log, ANN, BOB)
    deal = log.table.unread_result
    assert deal is not None
    assert seats_still_reading(log.table, READING) == (0, 2)
    assert seats_still_reading(log.table, ALL_PRESENT) == ()  # no page shows it
    assert automatic_actor(log.table) == "deal"
    for other_deal in (0, deal + 1):
        assert log.send_refused(ANN, commands.Continue(other_deal)) == "stale"
    assert log.send_refused(CLEO, commands.Continue(deal)) == "seat"
    log.send(ANN, commands.Continue(deal))
    assert log.send_refused(ANN, commands.Continue(deal)) == "rule"
    assert seats_still_reading(log.table, READING) == (2,)
    log.add(entries.BotSubstituted(2))
    assert seats_still_reading(log.table, READING) == ()
    log.send(BOB, commands.TakeOverFromBot())
    log.send(BOB, commands.Pause())
    log.send(BOB, commands.Continue(deal))
    log.send(BOB, commands.Resume())
    assert seats_still_reading(log.table, READING) == ()
    log.play_bots()
    assert log.table.unread_result is None
    assert log.table.continued_seats == ()
    assert log.send_refused(ANN, commands.Continue(deal)) == "stale"


def test_a_single_person_is_waited_for_only_with_a_clock() -> None:
    for clock, waits in ((None, ()), (30, (0,))):
        log = TableLog(table_config(options={"target": 9000}, clock=clock), 3)
        log.send(ANN, commands.Start())
        play_to_result(log, ANN)
        assert seats_still_reading(log.table, READING) == waits


@pytest.mark.parametrize(
    "message",
    [
        '{"type":"continue"}',
        '{"type":"continue","deal":-1}',
        '{"type":"continue","deal":"1"}',
        '{"type":"continue","deal":99999999999}',
    ],
)
def test_continue_without_a_valid_deal_is_refused(message: str) -> None:
    with pytest.raises(NotationError):
        decode_command(message)
