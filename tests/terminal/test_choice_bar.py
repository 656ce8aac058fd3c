"""The bar of choices: all trumps fit 80 columns, and marks show that there are more choices."""

from __future__ import annotations

import random

from textual.app import App, ComposeResult

from acesaround import game, variants
from acesaround.actions import PASS
from acesaround.game.state import DecisionKind
from acesaround.game.view import view_for
from acesaround.legal_bids import Bids
from acesaround.terminal import prompts
from acesaround.terminal.choice_bar import Bar, Choice


class BarApp(App[None]):
    """An app that shows only a bar."""

    CSS = "#bar { height: 1; }"

    def compose(self) -> ComposeResult:
        yield Bar()


async def read_bar(choices: list[Choice], cursor: int | None) -> str:
    """Return the text of a bar in 80 columns."""
    app = BarApp()
    async with app.run_test(size=(80, 3)):
        bar = app.query_one(Bar)
        bar.show_choices(choices, cursor)
        return bar.render().plain


async def test_all_trumps_fit_eighty_columns() -> None:
    state = game.start(variants.get("partnership"))
    rng, has_bid = random.Random(3), False
    while (decision := game.decision(state)).kind is not DecisionKind.TRUMP:
        legal = decision.legal
        may_pass = isinstance(legal, Bids) and legal.may_pass and has_bid
        action = PASS if may_pass else legal.sample(rng)
        has_bid |= isinstance(legal, Bids) and action is not PASS
        state, _ = game.apply(state, action)
    assert decision.seat is not None
    choices = prompts.trump_choices(decision, view_for(state, decision.seat))
    line = await read_bar([*choices, Choice("b Pause", "break")], cursor=0)
    for suit in ("♠ spades", "♥ hearts", "♦ diamonds", "♣ clubs"):
        assert suit in line


async def test_marks_show_that_there_are_more_choices() -> None:
    choices = [Choice(f"choice {number:02}", str(number)) for number in range(12)]
    start = await read_bar(choices, cursor=0)
    middle = await read_bar(choices, cursor=6)
    end = await read_bar(choices, cursor=11)
    assert ("choice 00" in start, start.strip()[0], start.strip()[-1]) == (True, "[", "▶")
    assert ("choice 06" in middle, middle.strip()[0], middle.strip()[-1]) == (True, "◀", "▶")
    assert ("choice 11" in end, end.strip()[0], end.strip()[-1]) == (True, "◀", "]")
    assert max(len(line) for line in (start, middle, end)) <= 80
    assert "▶" not in await read_bar(choices[:5], cursor=0)


async def test_a_click_presses_the_choice_under_the_mouse() -> None:
    app = BarApp()
    async with app.run_test(size=(80, 3)):
        bar = app.query_one(Bar)
        bar.show_choices([Choice(f"choice {number:02}", str(number)) for number in range(12)], 11)
        line = bar.render().plain
        for left, right, value in bar._spans:
            assert line[left:right] in (f" choice {int(value):02} ", f"[choice {int(value):02}]")
