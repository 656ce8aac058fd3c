"""Buttons and prompt at the terminal where melds are laid before the draw."""

from __future__ import annotations

from acesaround import game
from acesaround.actions import LayMeld
from acesaround.game.narration import Names
from acesaround.game.view import view_for
from acesaround.terminal import prompts
from tests.game.phases.two_handed import MELD_BEFORE_DRAW, table_before_draw
from tests.scripted_games import Table

NAMES = Names(MELD_BEFORE_DRAW, 1)


def read_labels_and_prompt(table: Table) -> tuple[list[str], str]:
    """Return the labels of the buttons and the prompt of the winner of the trick."""
    decision = game.decision(table.state)
    melds = sum(isinstance(action, LayMeld) for action in decision.legal)
    choices = prompts.card_choices(decision, 0, melds)
    prompt = prompts.prompt_text(
        decision, view_for(table.state, 1), NAMES, card=None, marked_count=0, meld_count=melds
    )
    assert prompts.playable_cards(decision) == ()
    return [choice.label for choice in choices], prompt


def test_before_the_draw_a_meld_or_a_draw_is_offered() -> None:
    labels, prompt = read_labels_and_prompt(table_before_draw())
    assert labels == ["Enter Draw", "d Lay down a meld (5 possible)"]
    assert prompt == "Lay down a meld (d), or Enter draws."


def test_before_the_draw_without_melds_only_a_draw_is_offered() -> None:
    nothing = "AS TS KS AC AH TH JH AD TD KD AC TC"
    labels, prompt = read_labels_and_prompt(table_before_draw(mine=nothing, stock="9H TS TD"))
    assert labels == ["Enter Draw"]
    assert prompt == "No meld to lay: Enter draws."
