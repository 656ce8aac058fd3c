"""Names: invisible characters, names that look alike, names reserved for bots."""

from __future__ import annotations

import random

import pytest

from acesaround import bots
from acesaround.errors import NotationError
from acesaround.table import Config, Person, apply_entry, begin, fold, handle_command, names
from acesaround.table.commands import Sit, Stand

CYRILLIC_A = "\u0410"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("  Ann\n\u202eMarie ", "Ann Marie"),
        ("A\u200bn\u2060n\ufeff", "Ann"),
        ("Ann\u3164", "Ann"),
        ("Ann\ufe0f\U000e0101", "Ann"),
        ("\U0001d49cnn", "Ann"),  # a letter of mathematics
        ("\uff21\uff4e\uff4e", "Ann"),  # wide letters
        ("Zoe\u0308", "Zo\u00eb"),
        ("O\u2019Brien-Smith 3", "O\u2019Brien-Smith 3"),
        ("\u0410\u043d\u043d\u0430", "\u0410\u043d\u043d\u0430"),
        ("Ken\u3055\u3093", "Ken\u3055\u3093"),
        ("Botond", "Botond"),
        ("Oma \u2665", "Oma \u2665"),
    ],
)
def test_checked_name_normalizes_and_removes_invisible_characters(given: str, shown: str) -> None:
    assert names.require_valid_name(given) == shown
    assert names.require_valid_name(shown) == shown


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("", "at least one letter"),
        ("\u200b\u3164\u2800\u202e", "at least one letter"),
        ("...", "at least one letter"),
        ("x" * 25, "too long"),
        ("\ufdfa\ufdfa", "too long"),  # one sign that stands for eighteen letters
        (CYRILLIC_A + "nn", "Cyrillic and Latin"),
        ("\u039fle", "Greek and Latin"),
        ("a" + "\u0336" * 9, "marks"),
    ],
)
def test_empty_long_and_deceptive_names_are_refused(given: str, says: str) -> None:
    with pytest.raises(NotationError, match=says):
        names.require_valid_name(given)


@pytest.mark.parametrize(
    "given",
    [
        *bots.BOTS, "bot:expert", "BOT", "Bot 2", "b0t", "Ann (bot)", "bot\uff1aeasy", "boteasy",
        "E\u200basy", "EXPERT.", "\u0435\u0430\u0455\u0443", "Easy\u0301", "You",
    ],
)  # fmt: skip
def test_names_of_bots_are_refused(given: str) -> None:
    with pytest.raises(NotationError, match="for bots"):
        names.require_valid_name(given)


def test_names_of_registered_programs_are_refused() -> None:
    with (
        bots.register_programs({"deep-thought": "true"}),
        pytest.raises(NotationError, match="for bots"),
    ):
        names.require_valid_name("Deep Thought")
    assert names.require_valid_name("Deep Thought") == "Deep Thought"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ANN"), ("Ann", "Ann."), ("Ann", "A nn"), ("Ian", "lan"), ("Bob", "B0b"),
        ("Zoe", "Zo\u00eb"), ("Ann", "\u0410\u043f\u043f"), ("ann", "\u1d00nn"),
        ("Ole", "\u00d8le"), ("corn", "com"), ("Tom", "\u03a4\u03bf\u043c"), ("Will", "Wi11"),
        ("ANN", "\ua4ee\ua4e0\ua4e0"), ("Ann.", "\ua4ee\ua4e0\ua4e0\ua4f8"),  # Lisu
        ("IDA", "\u13a5\u13a0\u13aa"), ("kim", "\uabb6\uab75\uab87"),  # Cherokee
        ("Ann", "\u15e9\u144e\u144e"), ("Non", "\u0548\u0585\u0578"),  # Canadian, Armenian
        ("Timo", "\u2ca6\u2c92\u2c98\u2c9e"), ("ANN", "\U00010300\U0001030d\U0001030d"),
        ("Ann", "Ann\u02bc"),
    ],
)  # fmt: skip
def test_names_that_look_the_same_are_confusable(one: str, other: str) -> None:
    assert names.are_confusable(one, other)
    assert names.are_confusable(other, one)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Ann", "Ann 2"), ("Bo", "Jo")])
def test_names_that_look_different_are_not_confusable(one: str, other: str) -> None:
    assert not names.are_confusable(one, other)


def test_a_confusable_name_at_a_table_is_numbered() -> None:
    table = fold(begin(Config("partnership", 4), Person("a", "Ann")))
    for seat, (who, name) in enumerate((("b", "ann"), ("c", "Ann 2"), ("d", "x" * 24)), 1):
        for entry in handle_command(table, Person(who, name), Sit(seat), random.Random(1)):
            table, _ = apply_entry(table, entry)
    assert [seat.person and seat.person.name for seat in table.seats] == [
        "Ann", "ann 2", "Ann 3", "x" * 24
    ]  # fmt: skip
    for person, command in (("d", "x" * 24), Stand()), (("e", "X" * 24), Sit(3)):
        [entry] = handle_command(table, Person(*person), command, random.Random(1))
        table, _ = apply_entry(table, entry)
    assert table.seats[3].person == Person("e", "X" * 24)


def test_a_letter_may_have_at_most_three_marks() -> None:
    assert names.require_valid_name("x" + "\u0336" * 3)
    with pytest.raises(NotationError, match="too many marks"):
        names.require_valid_name("x" + "\u0336" * 4)


def test_make_distinct_cuts_a_long_name_to_fit_its_number() -> None:
    long = "x" * names.MAX_NAME_LENGTH
    assert names.make_distinct(long, ["Ann"]) == long
    assert names.make_distinct(long, [long]) == "x" * 21 + " 2"
    nine = [long, *("x" * 21 + f" {number}" for number in range(2, 10))]
    assert names.make_distinct(long, nine) == "x" * 21 + " 10"


def test_a_person_who_changes_seats_keeps_the_name() -> None:
    table = fold(begin(Config("partnership", 4), Person("a", "Ann")))
    [sat] = handle_command(table, Person("a", "Ann"), Sit(2), random.Random(1))
    table, _ = apply_entry(table, sat)
    assert table.seats[2].person == Person("a", "Ann")
