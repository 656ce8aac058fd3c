"""The sentences of refusals: each stands in one place, and reads as one."""

from __future__ import annotations

import ast
from pathlib import Path

from acesaround import table
from acesaround.table import command_refusals
from acesaround.table.command_refusals import Refusal

_PACKAGE = Path(table.__file__).parent


def test_every_refusal_of_a_table_is_worded_in_one_file() -> None:
    found = []
    for path in _PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                worded = any(isinstance(arg, ast.JoinedStr) for arg in node.args) or (
                    len([arg for arg in node.args if isinstance(arg, ast.Constant)]) > 1
                )
                if node.func.id in ("Refusal", "CommandRefused") and worded:
                    found.append(path.name)
    assert set(found) == {"command_refusals.py"}
    assert len(found) > 40


def test_a_refusal_is_one_short_sentence_and_said_of_one_thing() -> None:
    said = [its.sentence for its in vars(command_refusals).values() if isinstance(its, Refusal)]
    said += [
        its.sentence
        for its in (command_refusals.no_seat(9, 4), command_refusals.person_gone("Bob"))
    ]
    assert len(said) == len(set(said)) > 40
    for sentence in said:
        assert sentence[0].isupper(), sentence
        assert sentence.endswith("."), sentence
        assert sentence.count(".") == 1, sentence
        assert len(sentence.split()) <= 16, sentence


def test_rejection_names_the_refused_thing() -> None:
    assert command_refusals.no_seat(9, 4) == Refusal(
        "seat", "There is no seat 9: seats are 0 to 3."
    )
    assert (
        command_refusals.person_present("Bob").sentence
        == "Bob is here: a bot can play only for people who are away."
    )
    assert (
        command_refusals.no_phrase("x", ("a", "b")).sentence
        == "'x' is not a phrase: expected a, b."
    )
