"""A former player: of a log nothing changes but what it tells of one person."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround.record.model import encode
from acesaround.table import Entry, Person, encode_state, entries, fold, fold_games, records
from acesaround.table import commands as say
from acesaround.table.anonymize import FORMER_PLAYER, anonymized_log, entries_on_deletion
from acesaround.table.entries import decode
from acesaround.table.folding import apply_entry
from tests.server.visibility_oracle import PEOPLE, a_log
from tests.table.test_table import ANN, BOB, CLEO, Log, config


def without(log: list[Entry], person: Person, stands_for: str = "nobody") -> list[Entry]:
    """The log as it is when a person has been deleted."""
    found = anonymized_log(log, person.id, stands_for)
    return [found.changed_entries.get(number, entry) for number, entry in enumerate(log)]


def a_chat(rng: random.Random) -> list[Entry]:
    """A random log in which those who sit have their say, and take other names."""
    log = a_log(rng, rng.choice([1, 2, 4]), 500)
    told, table = log[:1], fold(log[:1])
    for entry in log[1:]:
        table, _ = apply_entry(table, entry)
        told.append(entry)
        if table.occupied_seats and rng.random() < 0.1:
            seat = rng.choice(table.occupied_seats)
            held = table.seats[seat].person
            assert held is not None
            named = entries.ProfileChanged(seat, held.name)
            new = named if rng.random() < 0.5 else entries.Said(seat, "oops")
            told.append(new)
            table, _ = apply_entry(table, new)
    return told


@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_deleted_person_is_in_no_entry_and_all_else_is_as_it_was(seed: int) -> None:
    rng = random.Random(seed)
    log = a_chat(rng)
    person = rng.choice(PEOPLE)
    anew = without(log, person)

    def renamed(text: bytes) -> bytes:
        """What a text is to be, made of its letters alone."""
        id_, name = person.id.encode(), f'"{person.name}"'.encode()
        return text.replace(b'"' + id_ + b'"', b'"nobody"').replace(
            name, b'"%s"' % FORMER_PLAYER.encode()
        )

    assert len(anew) == len(log)
    for was, now in zip(log, anew, strict=True):
        if now != entries.ChatRedacted():
            assert entries.encode(now) == renamed(entries.encode(was))
        else:
            assert isinstance(was, entries.Said)
    told = b"".join(map(entries.encode, anew))
    assert person.id.encode() not in told.replace(b'"nobody"', b"")
    assert person.name.encode() not in told

    before, after_it = fold(log), fold(anew)
    assert after_it == fold([decode(entries.encode(entry)) for entry in anew])
    assert anonymized_log(log, person.id, "nobody").table == after_it
    assert (after_it.game, after_it.sheet, after_it.seq) == (before.game, before.sheet, before.seq)
    assert (after_it.moved_seq, after_it.undoable, after_it.history) == (
        before.moved_seq,
        before.undoable,
        before.history,
    )
    for one, other in zip(records(log), records(anew), strict=True):
        assert encode(other) == renamed(encode(one))
    for line, same in zip(fold_games(log)[1], fold_games(anew)[1], strict=True):
        assert (line.steps, line.rules) == (same.steps, same.rules)
    for who in PEOPLE:
        if who.id != person.id:
            seen = encode_state(fold(quiet(log)), "t", who.id)
            assert encode_state(fold(quiet(anew)), "t", who.id) == renamed(seen)


def quiet(log: list[Entry]) -> list[Entry]:
    """A log in which nothing was ever said."""
    return [entries.ChatRedacted() if isinstance(one, entries.Said) else one for one in log]


@given(st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_where_old_talk_is_cleared_nothing_else_changes(seed: int) -> None:
    """The same game, scores, wishes and undo at every step, whatever part of the talk goes."""
    rng = random.Random(seed)
    log = a_chat(rng)
    until = rng.randrange(len(log))
    cleared = quiet(log[:until]) + log[until:]
    one, other = fold(log[:1]), fold(cleared[:1])
    for was, now in zip(log[1:], cleared[1:], strict=True):
        one, events = apply_entry(one, was)
        other, same = apply_entry(other, now)
        assert events == same
        assert {**fields(one), "chat": ()} == {**fields(other), "chat": ()}
    assert [encode(record) for record in records(log)] == [
        encode(record) for record in records(cleared)
    ]


def fields(table: object) -> dict[str, object]:
    return {name: getattr(table, name) for name in table.__struct_fields__}  # type: ignore[attr-defined]


def test_a_second_former_player_at_a_table_is_told_from_the_first() -> None:
    log = Log(config())
    log.do(BOB, say.Sit(1))
    anew = without(without(log.entries, ANN, "x1"), BOB, "x2")
    held = [seat.person for seat in fold(anew).seats[:2]]
    assert held == [Person("x1", FORMER_PLAYER), Person("x2", f"{FORMER_PLAYER} 2")]


def test_every_name_that_somebody_ever_took_is_gone() -> None:
    log = Log(config())
    log.do(BOB, say.Sit(1))
    log.add(
        entries.ProfileChanged(1, "Bobby"),
        entries.ProfileChanged(0, "Anna"),
        entries.ProfileChanged(1, "Robert"),
    )
    anew = without(log.entries, BOB)
    told = b"".join(map(entries.encode, anew))
    assert not [name for name in (b"Bob", b"Bobby", b"Robert") if name in told]
    assert [seat.person and seat.person.name for seat in fold(anew).seats[:2]] == [
        "Anna",
        FORMER_PLAYER,
    ]


def test_who_only_knocked_or_was_removed_leaves_no_trace_either() -> None:
    log = Log(config())
    log.do(ANN, say.Joining("ask"))
    log.do(CLEO, say.Knock(2))
    log.add(entries.SeatTaken(1, BOB), entries.Removed(1), entries.Forgiven(BOB.id))
    for person in (BOB, CLEO):
        told = b"".join(map(entries.encode, without(log.entries, person)))
        assert person.id.encode() not in told
        assert person.name.encode() not in told
    assert fold(without(log.entries, BOB)).removed_people == ()


def test_a_person_leaves_a_running_deal_and_nobody_else_sees_the_hand() -> None:
    """The bot of the seat holds it; a newcomer is refused it whatever the host says."""
    log = Log(config())
    log.do(BOB, say.Sit(1))
    log.do(ANN, say.Start())
    log.bots_but_deal()
    log.bots()
    assert log.table.is_dealt
    log.add(*entries_on_deletion(log.table, ANN.id))
    assert log.table.seats[0].person is None
    assert log.table.host == BOB
    assert log.refusal(CLEO, say.Sit(0)) == "rule"
    assert log.refusal(CLEO, say.Knock(0)) == "rule"
    assert log.refusal(BOB, say.Sit(0)) == "rule"


def test_who_leaves_nobody_behind_stays_the_host_until_somebody_sits_down() -> None:
    log = Log(config())
    log.add(*entries_on_deletion(log.table, ANN.id))
    assert log.table.occupied_seats == ()
    log.do(BOB, say.Sit(2))
    assert log.table.acts_as_host(BOB.id)
    assert entries_on_deletion(log.table, "stranger") == ()


@pytest.mark.parametrize("why", ["closed", "removed", "cleared"])
def test_at_a_table_that_has_ended_nobody_asks_for_anything(why: entries.EndKind) -> None:
    log = Log(config())
    log.do(ANN, say.Start())
    log.bots()
    log.add(entries.Ended(why))
    for command in (say.Sit(1), say.Stand(), say.Pause(), say.Start(), say.Act(0, ["pass"])):
        assert log.refusal(ANN, command) == "rule"
