"""Anonymizing a log changes the name, id and chat of one person and nothing else."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround.record.model import encode
from acesaround.table import (
    Entry,
    Person,
    commands,
    encode_state,
    entries,
    fold,
    fold_games,
    game_records,
)
from acesaround.table.acting_host import acts_as_host
from acesaround.table.anonymize import FORMER_PLAYER, anonymized_log, entries_on_deletion
from acesaround.table.entries import decode
from acesaround.table.folding import apply_entry
from tests.server.visibility_oracle import PEOPLE
from tests.table.table_log import ANN, BOB, CLEO, TableLog, make_random_log_with_chat, table_config


def anonymize_log(log: list[Entry], person: Person, new_id: str = "nobody") -> list[Entry]:
    """Return the log after the person has been deleted."""
    changes = anonymized_log(log, person.id, new_id).changed_entries
    return [changes.get(number, entry) for number, entry in enumerate(log)]


@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_deleting_a_person_changes_only_their_name_id_and_chat(seed: int) -> None:
    rng = random.Random(seed)
    log = make_random_log_with_chat(rng)
    person = rng.choice(PEOPLE)
    anonymized = anonymize_log(log, person)

    def renamed(text: bytes) -> bytes:
        id_, name = person.id.encode(), f'"{person.name}"'.encode()
        return text.replace(b'"' + id_ + b'"', b'"nobody"').replace(
            name, b'"%s"' % FORMER_PLAYER.encode()
        )

    assert len(anonymized) == len(log)
    for old, new in zip(log, anonymized, strict=True):
        if new != entries.ChatRedacted():
            assert entries.encode(new) == renamed(entries.encode(old))
        else:
            assert isinstance(old, entries.ChatSent)
    text = b"".join(map(entries.encode, anonymized))
    assert person.id.encode() not in text.replace(b'"nobody"', b"")
    assert person.name.encode() not in text

    before, after = fold(log), fold(anonymized)
    assert after == fold([decode(entries.encode(entry)) for entry in anonymized])
    assert anonymized_log(log, person.id, "nobody").table == after
    for field in ("game", "sheet", "seq", "moved_seq", "undoable", "history"):
        assert getattr(after, field) == getattr(before, field), field
    for record, changed in zip(game_records(log), game_records(anonymized), strict=True):
        assert encode(changed) == renamed(encode(record))
    for history, same in zip(fold_games(log)[1], fold_games(anonymized)[1], strict=True):
        assert (history.steps, history.rules) == (same.steps, same.rules)
    for other in PEOPLE:
        if other.id != person.id:
            shown = encode_state(fold(redact_all_chat(log)), "t", other.id)
            assert encode_state(fold(redact_all_chat(anonymized)), "t", other.id) == renamed(shown)


def redact_all_chat(log: list[Entry]) -> list[Entry]:
    """Return the log with all chat redacted."""
    redacted = entries.ChatRedacted()
    return [redacted if isinstance(entry, entries.ChatSent) else entry for entry in log]


@given(st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_redacting_old_chat_changes_nothing_else(seed: int) -> None:
    rng = random.Random(seed)
    log = make_random_log_with_chat(rng)
    until = rng.randrange(len(log))
    cleared = redact_all_chat(log[:until]) + log[until:]
    table, redacted = fold(log[:1]), fold(cleared[:1])
    for old, new in zip(log[1:], cleared[1:], strict=True):
        table, events = apply_entry(table, old)
        redacted, same = apply_entry(redacted, new)
        assert events == same
        assert {**list_fields(table), "chat": ()} == {**list_fields(redacted), "chat": ()}
    assert [encode(record) for record in game_records(log)] == [
        encode(record) for record in game_records(cleared)
    ]


def list_fields(table: object) -> dict[str, object]:
    return {name: getattr(table, name) for name in table.__struct_fields__}  # type: ignore[attr-defined]


def test_former_players_at_a_table_are_numbered() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    anonymized = anonymize_log(anonymize_log(log.entries, ANN, "x1"), BOB, "x2")
    people = [seat.person for seat in fold(anonymized).seats[:2]]
    assert people == [Person("x1", FORMER_PLAYER), Person("x2", f"{FORMER_PLAYER} 2")]


def test_all_names_a_person_ever_had_are_removed() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.add(
        entries.ProfileChanged(1, "Bobby"),
        entries.ProfileChanged(0, "Anna"),
        entries.ProfileChanged(1, "Robert"),
    )
    anonymized = anonymize_log(log.entries, BOB)
    text = b"".join(map(entries.encode, anonymized))
    assert not [name for name in (b"Bob", b"Bobby", b"Robert") if name in text]
    names = [seat.person and seat.person.name for seat in fold(anonymized).seats[:2]]
    assert names == ["Anna", FORMER_PLAYER]


def test_people_who_asked_for_a_seat_or_were_removed_are_anonymized() -> None:
    log = TableLog(table_config())
    log.send(ANN, commands.SetJoining("ask"))
    log.send(CLEO, commands.RequestSeat(2))
    log.add(entries.SeatTaken(1, BOB), entries.Removed(1), entries.Readmitted(BOB.id))
    for person in (BOB, CLEO):
        text = b"".join(map(entries.encode, anonymize_log(log.entries, person)))
        assert person.id.encode() not in text
        assert person.name.encode() not in text
    assert fold(anonymize_log(log.entries, BOB)).removed_people == ()


def test_nobody_takes_the_hand_of_a_deleted_person_in_a_deal() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.Start())
    log.play_bots_to_deal()
    log.play_bots()
    assert log.table.is_dealt
    log.add(*entries_on_deletion(log.table, ANN.id))
    assert log.table.seats[0].person is None
    assert log.table.host == BOB
    assert log.send_refused(CLEO, commands.Sit(0)) == "rule"
    assert log.send_refused(CLEO, commands.RequestSeat(0)) == "rule"
    assert log.send_refused(BOB, commands.Sit(0)) == "rule"


def test_the_next_person_to_sit_hosts_after_the_only_person_is_deleted() -> None:
    log = TableLog(table_config())
    log.add(*entries_on_deletion(log.table, ANN.id))
    assert log.table.occupied_seats == ()
    log.send(BOB, commands.Sit(2))
    assert acts_as_host(log.table, BOB.id)
    assert entries_on_deletion(log.table, "stranger") == ()


@pytest.mark.parametrize("why", ["closed", "removed", "cleared"])
def test_commands_are_refused_at_an_ended_table(why: entries.EndKind) -> None:
    log = TableLog(table_config())
    log.send(ANN, commands.Start())
    log.play_bots()
    log.add(entries.Ended(why))
    for command in (
        commands.Sit(1),
        commands.Stand(),
        commands.Pause(),
        commands.Start(),
        commands.Act(0, ["pass"]),
    ):
        assert log.send_refused(ANN, command) == "rule"
