"""Melds laid before cards are drawn, at the terminal: what is asked and by which keys."""

from __future__ import annotations

from acesaround import game
from acesaround.actions import LayMeld
from acesaround.game.narration import Names
from acesaround.game.view import view_for
from acesaround.terminal import prompts
from tests.game.phases.two_handed import MELD_BEFORE_DRAW, table_before_draw
from tests.scripted_games import Table

WHO = Names(MELD_BEFORE_DRAW, 1)


def asked(at: Table) -> tuple[list[str], str]:
    """The buttons and the prompt of the seat that has won the trick."""
    decision = game.decision(at.state)
    lays = sum(isinstance(action, LayMeld) for action in decision.legal)
    made = prompts.card_choices(decision, 0, lays)
    line = prompts.prompt_text(
        decision, view_for(at.state, 1), WHO, card=None, marked_count=0, meld_count=lays
    )
    assert prompts.playable_cards(decision) == ()
    return [one.label for one in made], line


def test_a_meld_is_laid_or_cards_are_drawn() -> None:
    labels, line = asked(table_before_draw())
    assert labels == ["Enter Draw", "d Lay down a meld (5 possible)"]
    assert line == "Lay down a meld (d), or Enter draws."


def test_who_has_none_is_told_so() -> None:
    nothing = "AS TS KS AC AH TH JH AD TD KD AC TC"
    labels, line = asked(table_before_draw(mine=nothing, stock="9H TS TD"))
    assert labels == ["Enter Draw"]
    assert line == "No meld to lay: Enter draws."
