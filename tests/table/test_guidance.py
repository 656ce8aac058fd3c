"""The line that says what to do and what it is for: at every decision, for everybody."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from acesaround import game, variants
from acesaround.bots.heuristic.hand_reasons import bid_reason
from acesaround.cards import SUITS, Rank, counts
from acesaround.game.state import GameState
from acesaround.game.view import turn_of, view_for
from acesaround.rules.melds import count_marriages
from acesaround.rules.tricks import points_of
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


@pytest.mark.parametrize("variant", ["partnership", "double-deck", "three-handed"])
def test_a_bidder_without_a_marriage_is_told_that_trump_needs_one(variant: str) -> None:
    rules = variants.get(variant, options={"marriage_needed": True})
    said = Counter[bool]()
    for seed in range(60):
        state = game.start(rules, rules.seats - 1)
        state, _ = game.apply(state, game.decision(state).legal.sample(random.Random(seed)))
        seat = turn_of(state)
        assert seat is not None
        held = counts(state.hands[seat])
        has_marriage = any(count_marriages(held, suit) for suit in SUITS)
        _, long = read_sentences(state, seat)
        assert ("marriage" in long) is not has_marriage
        assert len(long) <= LONG
        said[has_marriage] += 1
        if said[False]:
            reason = bid_reason(view_for(state, seat), SUITS[0])
            assert bool(reason.notes) is not has_marriage


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_guidance_names_the_counters_by_the_rules(variant: str) -> None:
    rules = variants.VARIANTS[variant]
    points = points_of(rules.scoring.card_points)
    others = {f"{rank.word}s" for rank in (Rank.KING, Rank.QUEEN, Rank.JACK) if not points[rank]}
    for turn in turns(rules, 1, deals=1):
        if (seat := turn_of(turn.before)) is None:
            continue
        for reader in (seat, (seat + 1) % rules.seats):
            _, long = read_sentences(turn.before, reader)
            assert "counters" not in long.lower()
            if "score" in long:
                assert not others & set(re.findall("kings|queens|jacks", long.lower()))
