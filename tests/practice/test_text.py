"""Practice positions as text and as JSON, and the command that asks."""

from __future__ import annotations

from collections import Counter

from acesaround.practice import shipped_positions, text


def test_a_position_shows_its_hand_and_choices_but_no_solution() -> None:
    for position in shipped_positions()[:30]:
        shown = text.position_text(position)
        view, _ = position.replay()
        assert all(len(line) <= 80 or line.startswith("Your hand") for line in shown.splitlines())
        assert all(card.pretty in shown for card in view.hand)
        assert f"{len(position.choices):>3}. " in shown.splitlines()[-1]
        assert "Theme" not in shown


def test_a_solution_says_right_or_wrong_and_why() -> None:
    position = shipped_positions()[0]
    wrong = next(choice for choice in position.choices if not choice.is_right)
    assert text.solution_text(position, position.best).startswith("Right.\n")
    told = text.solution_text(position, wrong)
    assert told.startswith("Wrong: it lowers your chance to win by ")
    assert text.as_json(position)["reason"].split()[0] in told
    assert "±" in told


def test_each_wrong_choice_has_a_reason_of_its_own() -> None:
    told = Counter[str]()
    for position in shipped_positions():
        for choice, shown in zip(position.choices, text.as_json(position)["choices"], strict=True):
            if choice.is_right:
                assert not choice.fault
                continue
            told[shown["fault"]] += 1
            assert shown["fault"] in " ".join(text.solution_text(position, choice).split())
    assert len(told) > 6
    assert told[""] < told.total() / 20
