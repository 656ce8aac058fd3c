"""The counting trainer of the terminal."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from acesaround import variants
from acesaround.cards import Rank
from acesaround.game.view import view_for
from acesaround.terminal.counting_trainer import TITLE, question_after_trick
from acesaround.terminal.save_file import latest_settings, read_lines
from tests.random_games import turns
from tests.terminal.table_driver import (
    SIZE,
    get_session,
    has_decision,
    make_table_app,
    play_until,
    read_body,
    read_heading,
    read_text,
    wait_for,
    wait_for_page,
)


@pytest.mark.parametrize("variant", ["partnership", "double-deck"])
def test_right_answer_is_the_number_of_cards_in_the_other_hands(variant: str) -> None:
    sentences = Counter[str]()
    for turn in turns(variants.get(variant), seed=1, deals=6):
        state, view = turn.after, view_for(turn.after, 0)
        if len(view.tricks) == len(view_for(turn.before, 0).tricks):
            continue
        question = question_after_trick(view)
        if question is None:
            continue
        sentences[question.sentence] += 1
        others = [card for seat in (1, 2, 3) for card in state.hand(seat)]
        if "aces" in question.sentence:
            expected = sorted(card for card in others if card.rank is Rank.ACE)
        else:
            expected = sorted(card for card in others if card.suit == view.trump)
        assert list(question.out) == expected
        assert [number for number in question.numbers if question.is_right(str(number))] == [
            len(expected)
        ]
    assert set(sentences) == {
        "How many trumps are still out?",
        "How many aces are still out?",
    }


async def test_trainer_asks_counts_the_answers_and_can_be_ended(tmp_path: Path) -> None:
    app = make_table_app(tmp_path / "games", "partnership")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app))
        await pilot.press("k")
        assert "how many trumps or aces are out" in read_text(app)
        await play_until(app, pilot, lambda: read_heading(app) == TITLE)
        question = question_after_trick(get_session(app).view)
        assert question is not None
        assert read_body(app).startswith(question.sentence)
        await pilot.press("enter")  # is no answer
        right = question.numbers.index(len(question.out))
        await pilot.press("abcdef"[right])
        await wait_for(lambda: "Right." in read_body(app))
        assert "1 of 1 right so far." in read_body(app)
        assert all(card.pretty in read_body(app) for card in question.out)
        await pilot.press("enter")

        await play_until(app, pilot, lambda: read_heading(app) == TITLE)
        question = question_after_trick(get_session(app).view)
        assert question is not None
        wrong = (question.numbers.index(len(question.out)) + 1) % len(question.numbers)
        await pilot.press("abcdef"[wrong])
        await wait_for(lambda: "Not quite." in read_body(app))
        assert "1 of 2 right so far." in read_body(app)
        await pilot.press("k")
        await wait_for(lambda: not get_session(app).settings.counting)
        path = get_session(app).path
    settings = latest_settings(read_lines(path)[0])
    assert (settings.counting, settings.count_questions, settings.right_counts) == (False, 2, 1)


async def test_escape_skips_a_question(tmp_path: Path) -> None:
    app = make_table_app(tmp_path / "games", "partnership")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app))
        await pilot.press("k")
        await play_until(app, pilot, lambda: read_heading(app) == TITLE)
        await wait_for_page(app, TITLE)
        await pilot.press("escape")
        await wait_for(lambda: read_heading(app) != TITLE)
        assert get_session(app).settings.count_questions == 0
        assert get_session(app).settings.counting
