"""The line that says what to do and what it is for: at every decision, for everybody."""

from __future__ import annotations

import re

import pytest

from acesaround import variants
from acesaround.game.state import GameState
from acesaround.game.view import turn_of, view_for
from acesaround.table.client_state import bid_progress
from acesaround.table.guidance import compose_guidance
from acesaround.table.legal_choices import legal_choices
from tests.random_games import turns

SHORT = 48  # letters: as many fit into a line of 320 pixels
LONG = 150  # three such lines
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo")


def read_sentences(
    state: GameState, seat: int | None, *, is_turn_silent: bool = False
) -> tuple[str, str]:
    """Return the short and the long sentence as a seat reads them."""
    view = view_for(state, seat)
    offered = legal_choices(state, seat) if seat is not None and seat == turn_of(state) else None
    parts = compose_guidance(view, offered, bid_progress(view), is_turn_silent=is_turn_silent)
    assert parts is not None

    def read(parts: tuple[str | int, ...]) -> str:
        return "".join(NAMES[part] if isinstance(part, int) else part for part in parts)

    return read(parts.short), read(parts.long)


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_guidance_at_each_decision_fits_the_line_of_each_seat(variant: str) -> None:
    for players in sorted(variants.VARIANTS[variant].players):
        rules = variants.get(variant, players)
        for turn in turns(rules, 1, deals=2):
            state = turn.before
            if turn_of(state) is None:
                continue
            for seat in (None, *range(players)):
                short, long = read_sentences(state, seat)
                assert len(short) <= SHORT, short
                assert len(long) <= LONG, long
                assert re.fullmatch(r"[A-Z].*[.]", long), long
                if seat is not None and seat == turn_of(state):
                    assert "Waiting" not in short


def test_guidance_says_that_the_connection_of_the_person_on_turn_does_not_answer() -> None:
    for turn in turns(variants.get("partnership"), 1, deals=1):
        on_turn = turn_of(turn.before)
        if on_turn is None:
            continue
        for seat in (None, *range(4)):
            short, long = read_sentences(turn.before, seat, is_turn_silent=True)
            if seat == on_turn:
                assert "connection" not in short + long
                continue
            assert short == f"The connection of {NAMES[on_turn]} does not answer"
            assert long.startswith(f"Waiting for {NAMES[on_turn]} to ")
            assert long.endswith(f". {short}.")
            assert len(short) <= SHORT
            assert len(long) <= LONG
