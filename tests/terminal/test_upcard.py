"""Choices, prompt and melds at the terminal with the dealer's upcard."""

from __future__ import annotations

from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Discard
from acesaround.cards import Card
from acesaround.game.narration import Names
from acesaround.game.state import DecisionKind
from acesaround.game.view import view_for
from acesaround.terminal import info_pages, prompts
from tests.game.phases.test_upcard import after_leaving, dealt

NAMES = Names(variants.get("classic"), 1)


def test_with_a_nine_the_upcard_may_be_taken_or_left() -> None:
    state = dealt((1, 3))
    decision = game.decision(state)
    seen = view_for(state, 1)
    choices = prompts.upcard_choices(decision, seen)
    assert [choice.label for choice in choices] == ["1 Take the A♥", "2 Leave it"]
    line = prompts.prompt_text(decision, seen, NAMES, card=None, marked_count=0, meld_count=0)
    assert line.startswith("Give your nine for the A♥?")
    assert prompts.TASK_TEXTS[DecisionKind.UPCARD] == "take the upcard or leave it"


def test_the_melds_page_does_not_list_a_taken_upcard() -> None:
    state, _ = game.apply(dealt((1, 3)), Discard((Card("9H"),)))
    stale = view_for(dealt((1, 3)), 1).table
    assert "still on the table" not in str(
        info_pages.melds_page(replace(view_for(state, 1), table=stale), NAMES)
    )


def test_without_a_nine_the_upcard_can_only_be_left() -> None:
    state = after_leaving(dealt((1, 3)), 1)
    decision, seen = game.decision(state), view_for(state, 2)
    choices = prompts.upcard_choices(decision, seen)
    assert [choice.label for choice in choices] == ["1 Leave it"]
    line = prompts.prompt_text(
        decision, seen, Names(variants.get("classic"), 2), card=None, marked_count=0, meld_count=0
    )
    assert line == "You have no nine to give for the A♥: press Enter."
