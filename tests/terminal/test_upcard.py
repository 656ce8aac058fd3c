"""The dealer's upcard at the terminal: what is asked, and what is shown of it."""

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

WHO = Names(variants.get("classic"), 1)


def test_it_is_taken_or_left_by_number() -> None:
    state = dealt((1, 3))
    decision = game.decision(state)
    seen = view_for(state, 1)
    made = prompts.upcard_choices(decision, seen)
    assert [one.label for one in made] == ["1 Take the A♥", "2 Leave it"]
    line = prompts.prompt_text(decision, seen, WHO, card=None, marked_count=0, meld_count=0)
    assert line.startswith("Give your nine for the A♥?")
    assert prompts.TASK_TEXTS[DecisionKind.UPCARD] == "take the upcard or leave it"


def test_the_melds_do_not_say_that_it_still_lies_there() -> None:
    state, _ = game.apply(dealt((1, 3)), Discard((Card("9H"),)))
    stale = view_for(dealt((1, 3)), 1).table
    assert "still on the table" not in str(
        info_pages.melds_page(replace(view_for(state, 1), table=stale), WHO)
    )


def test_who_has_no_nine_is_asked_too_and_told_so() -> None:
    state = after_leaving(dealt((1, 3)), 1)
    decision, seen = game.decision(state), view_for(state, 2)
    assert [one.label for one in prompts.upcard_choices(decision, seen)] == ["1 Leave it"]
    line = prompts.prompt_text(
        decision, seen, Names(variants.get("classic"), 2), card=None, marked_count=0, meld_count=0
    )
    assert line == "You have no nine to give for the A♥: Enter leaves it."
