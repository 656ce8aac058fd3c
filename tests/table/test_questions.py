"""Questions that hold up play: what stands still, when they lapse, how often they come."""

from __future__ import annotations

import json

import pytest

from acesaround.errors import NotationError
from acesaround.table import (
    Person,
    TablePresence,
    automatic_actor,
    clock_paused,
    decode_command,
    encode_state,
    entries,
    expire_proposal,
    fold,
    seat_on_clock,
    seats_still_reading,
)
from acesaround.table import commands as say
from tests.table.test_claiming import claimed
from tests.table.test_table import ANN, BOB, CLEO, Log, choice, config

HERE = TablePresence(present=frozenset({ANN.id, BOB.id, CLEO.id}))


def asked(*, clock: int | None = None, seed: int = 2) -> tuple[Log, Person, Person]:
    """A table where somebody has bid or passed and asks the other person to take it back."""
    log = Log(config(clock=clock), seed)
    log.do(BOB, say.Sit(2))
    log.do(ANN, say.Start())
    log.bots()
    first, second = (ANN, BOB) if log.table.view(0).turn == 0 else (BOB, ANN)
    log.do(first, say.Act(log.table.seq, choice(log.table, log.rng)))
    log.do(first, say.Undo())
    assert log.table.proposal is not None
    return log, first, second


def shown(log: Log, person: Person) -> dict[str, object]:
    table: dict[str, object] = json.loads(encode_state(log.table, "t", person.id))["table"]
    return table


def test_all_are_told_what_was_taken_back_and_by_whom_until_somebody_acts() -> None:
    log, first, second = asked()
    seat = log.table.seat_of(first.id)
    log.do(second, say.Answer(True))
    for person in (first, second, CLEO):
        taken = shown(log, person)["taken"]
        assert isinstance(taken, dict)
        assert (taken["seat"], taken["seq"]) == (seat, log.table.seq)
        assert taken["event"]["type"] in ("BidMade", "Passed")
        assert taken["event"]["seat"] == seat
    log.do(first, say.Talk("oops"))
    assert shown(log, second)["taken"] is not None
    log.do(first, say.Act(log.table.seq, choice(log.table, log.rng)))
    assert shown(log, second)["taken"] is None


def test_cards_buried_and_taken_back_are_told_to_nobody_else() -> None:
    for seed in range(60):
        log = Log(config("three-handed", options={}), seed)
        log.do(ANN, say.Start())
        log.bots()
        while log.table.game is not None and log.table.game.deals == 0:
            kind = log.table.view(0).kind
            log.do(ANN, say.Act(log.table.seq, choice(log.table, log.rng)))
            if kind is not None and kind.value == "bury":
                log.do(ANN, say.Undo())
                own, other = shown(log, ANN)["taken"], shown(log, BOB)["taken"]
                assert isinstance(own, dict)
                assert isinstance(other, dict)
                assert len(own["event"]["cards"]) == 3
                assert other["event"]["cards"] is None
                return
            log.bots()
    raise AssertionError("Ann never had the bid")


def test_the_turns_time_stands_still_while_something_is_asked_that_play_could_make_void() -> None:
    log, first, _ = asked(clock=30)
    assert clock_paused(log.table)
    assert seat_on_clock(log.table) is None
    assert automatic_actor(log.table) is None
    log.do(first, say.Answer(False))
    assert not clock_paused(log.table)
    log.bots()
    assert seat_on_clock(log.table) is not None
    log.do(first, say.Hints(True))
    assert not clock_paused(log.table)
    assert seat_on_clock(log.table) is not None


def gone(*people: Person) -> TablePresence:
    """All others are connected, these have been away for long."""
    absent = frozenset(person.id for person in people)
    return TablePresence(HERE.present - absent, absent)


def test_a_question_that_lapses_is_granted_by_those_who_are_there() -> None:
    """Bob neither answers nor is there for a minute: Cleo's yes is enough."""
    log = Log(config(), 2)
    log.do(BOB, say.Sit(1))
    log.do(CLEO, say.Sit(2))
    log.do(ANN, say.Start())
    log.bots()
    people = {0: ANN, 1: BOB, 2: CLEO}
    turn = log.table.view(0).turn
    assert turn is not None
    first, absent, agrees = people.pop(turn), *people.values()
    before = log.table.game
    log.do(first, say.Act(log.table.seq, choice(log.table, log.rng)))
    log.do(first, say.Undo())
    there, denied = gone(absent), (entries.ProposalExpired(agree=False),)
    assert expire_proposal(log.table, there) == denied  # Cleo has not answered
    log.do(agrees, say.Answer(True))
    assert expire_proposal(log.table, HERE) == denied  # all are there
    dropped = TablePresence(present=there.present)
    assert expire_proposal(log.table, dropped) == denied  # Bob may be back any moment
    assert expire_proposal(log.table, gone(absent, first)) == denied  # who asked has gone
    log.add(*expire_proposal(log.table, there))
    assert log.table.game == before
    assert log.table.undone is not None
    assert log.table.proposal is None
    assert absent.id not in there.present
    assert fold([entries.decode(entries.encode(one)) for one in log.entries]) == log.table


def test_silence_of_who_is_there_grants_nothing_and_is_told() -> None:
    log, first, second = asked()
    after_it = log.table.game
    log.add(*expire_proposal(log.table, HERE))
    assert log.table.game == after_it
    assert log.table.proposal is None
    denied = shown(log, first)["denied"]
    assert denied == {
        "kind": "undo",
        "seat": log.table.seat_of(first.id),
        "by": [log.table.seat_of(second.id)],
        "late": True,
        "seq": log.table.seq,
    }
    assert expire_proposal(log.table, HERE) == ()


def test_who_is_away_gives_no_seat_by_it() -> None:
    log = Log(config())
    log.do(BOB, say.Sit(2))
    log.do(ANN, say.Swap(2))
    log.add(*expire_proposal(log.table, gone(BOB)))
    assert [log.table.seat_of(one.id) for one in (ANN, BOB)] == [0, 2]
    assert log.table.proposal is None


def test_a_claim_that_lapses_among_those_who_are_away_is_played_out() -> None:
    log = claimed("partnership", people=2)
    log.do(ANN, say.Claim())
    before = log.table.game
    assert before is not None
    log.add(*expire_proposal(log.table, gone(BOB)))
    assert log.table.game is not None
    assert log.table.game.deals == before.deals + 1 or not log.table.is_playing


def test_a_no_names_who_said_it_and_a_withdrawal_nobody() -> None:
    log, first, second = asked()
    log.do(second, say.Answer(False))
    denied = shown(log, first)["denied"]
    assert isinstance(denied, dict)
    assert (denied["by"], denied["late"]) == ([log.table.seat_of(second.id)], False)
    log.do(first, say.Undo())
    assert shown(log, first)["denied"] is None
    log.do(first, say.Answer(False))
    assert shown(log, first)["denied"] is None


@pytest.mark.parametrize("begun", [False, True])
def test_hints_are_asked_for_three_times_and_not_for_ever(begun: bool) -> None:
    log = Log(config())
    log.do(BOB, say.Sit(2))
    if begun:
        log.do(ANN, say.Start())
        log.bots()
    for _ in range(3):
        log.do(ANN, say.Hints(True))
        log.do(BOB, say.Answer(False))
    assert log.refusal(ANN, say.Hints(True)) == "rule"
    may = shown(log, ANN)["may"]
    assert isinstance(may, dict)
    assert not may["hints"]
    log.do(BOB, say.Hints(True))  # the other seat has asked for nothing yet


@pytest.mark.parametrize("ends", ["refused", "withdrawn", "lapsed"])
def test_nobody_freezes_a_table_by_asking_again_and_again(ends: str) -> None:
    """Three questions of a deal may come to nothing; in the next deal one may ask again."""
    log, first, second = asked()
    for again in range(3):
        if again:
            log.do(first, say.Undo())
        assert automatic_actor(log.table) is None
        if ends == "lapsed":
            log.add(*expire_proposal(log.table, HERE))
        else:
            log.do(second if ends == "refused" else first, say.Answer(False))
    assert log.refusal(first, say.Undo()) == "rule"
    may = shown(log, first)["may"]
    assert isinstance(may, dict)
    assert not may["undo"]
    assert log.refusal(first, say.Hints(True)) == "rule"
    assert [log.table.seat_of(first.id)] * 3 == list(log.table.denied_seats)
    people = {log.table.seat_of(one.id): one for one in (ANN, BOB)}
    deal = log.table.deal_seq
    while log.table.deal_seq == deal:
        log.bots_but_deal()
        if automatic_actor(log.table) == "deal":
            log.bots()
            break
        turn = log.table.view(0).turn
        log.do(people[turn], say.Act(log.table.seq, choice(log.table, log.rng)))
    assert not log.table.denied_seats


def over(log: Log, *people: Person) -> None:
    """Play until the result of a deal is to be read."""
    seats = {log.table.seat_of(one.id): one for one in people}
    log.bots()
    while log.table.unread_result is None:
        if automatic_actor(log.table) is not None:
            log.bots_but_deal() if log.table.sheet else log.bots()
            if automatic_actor(log.table) == "deal" and log.table.unread_result is None:
                log.bots()
            continue
        turn = log.table.view(0).turn
        log.do(seats[turn], say.Act(log.table.seq, choice(log.table, log.rng)))
        log.bots_but_deal()


READ = TablePresence(present=HERE.present, readers=frozenset({ANN.id, BOB.id}))


def test_a_result_is_read_by_all_whose_page_shows_it() -> None:
    log = Log(config(options={"target": 9000}), 3)
    log.do(BOB, say.Sit(2))
    log.do(ANN, say.Start())
    assert log.refusal(ANN, say.Continue(1)) == "stale"
    over(log, ANN, BOB)
    deal = log.table.unread_result
    assert deal is not None
    assert seats_still_reading(log.table, READ) == (0, 2)
    assert seats_still_reading(log.table, HERE) == ()  # nobody's page shows it
    assert automatic_actor(log.table) == "deal"
    for wrong in (0, deal + 1):
        assert log.refusal(ANN, say.Continue(wrong)) == "stale"
    assert log.refusal(CLEO, say.Continue(deal)) == "seat"
    log.do(ANN, say.Continue(deal))
    assert log.refusal(ANN, say.Continue(deal)) == "rule"
    assert seats_still_reading(log.table, READ) == (2,)
    log.add(entries.BotSubstituted(2))
    assert seats_still_reading(log.table, READ) == ()
    log.do(BOB, say.TakeOverFromBot())
    log.do(BOB, say.Pause())
    log.do(BOB, say.Continue(deal))
    log.do(BOB, say.Resume())
    assert seats_still_reading(log.table, READ) == ()
    log.bots()
    assert log.table.unread_result is None
    assert log.table.continued_seats == ()
    assert log.refusal(ANN, say.Continue(deal)) == "stale"


def test_alone_nobody_waits_for_the_page_but_where_a_clock_runs() -> None:
    for clock, waits in ((None, ()), (30, (0,))):
        log = Log(config(options={"target": 9000}, clock=clock), 3)
        log.do(ANN, say.Start())
        over(log, ANN)
        assert seats_still_reading(log.table, READ) == waits


@pytest.mark.parametrize(
    "message",
    [
        '{"type":"continue"}',
        '{"type":"continue","deal":-1}',
        '{"type":"continue","deal":"1"}',
        '{"type":"continue","deal":99999999999}',
    ],
)
def test_a_continue_that_names_no_deal_is_malformed(message: str) -> None:
    with pytest.raises(NotationError):
        decode_command(message)
