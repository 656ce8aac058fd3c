"""Perft: how many sequences of plays there are from fixed positions, counted two independent ways.

The engine counts through `decision` and `apply`, the referee by its own naive law of play. The
committed counts were the same from both. `bench` and the kernels to come count the same positions.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Play
from acesaround.cards import Suit, pack
from acesaround.game.state import DealState, GameState, Playing
from acesaround.record.text import parse_hand
from acesaround.rules import Phase
from tests.referee.legal import perft as referee_perft

# variant, trump, leader, hands by seat, {depth: sequences}
POSITIONS: list[tuple[str, str, int, list[str], dict[int, int]]] = [
    (
        "three-handed",
        "H",
        1,
        [
            "S:ATKQ9 H:AQ9 D:AKQQ9 C:QQ",
            "S:TKJ9 H:TTQ D:TK C:AKKJJ9",
            "S:AQJ H:AKJJ9 D:ATJJ C:TT9",
        ],
        {3: 51, 6: 2565, 7: 27186},
    ),
    (
        "five-card",
        "D",
        0,
        [
            "S:- H:T D:AK9 C:T",
            "S:A H:K9 D:J C:T",
            "S:9 H:Q D:TQ C:J",
            "S:JJ H:A D:Q C:A",
        ],
        {4: 3, 12: 54, 20: 264},
    ),
    (
        "five-card",
        "S",
        3,
        [
            "S:AK H:Q D:- C:Q9",
            "S:J9 H:Q D:TJ C:-",
            "S:- H:AAJ D:A C:J",
            "S:- H:- D:TK9 C:A9",
            "S:A H:K9 D:J9 C:-",
            "S:TT9 H:9 D:A C:-",
            "S:Q H:TK D:QQ C:-",
            "S:QJ H:T D:- C:KQ",
            "S:- H:J D:- C:ATTK",
        ],
        {9: 256, 13: 6432},
    ),
    (
        "seven-card",
        "C",
        2,
        [
            "S:K H:KQ D:AT9 C:9",
            "S:K H:TK D:K C:TJ9",
            "S:TQ9 H:Q D:Q9 C:A",
        ],
        {3: 8, 9: 502, 12: 2852},
    ),
    (
        "seven-card",
        "H",
        5,
        [
            "S:A H:ATK D:A C:J9",
            "S:JJ H:A D:K C:TJ9",
            "S:9 H:Q D:TQ C:AAQ",
            "S:K H:QJ D:AT9 C:K",
            "S:AK9 H:TK D:JJ C:-",
            "S:TTQQ H:- D:9 C:KQ",
        ],
        {6: 20, 12: 448},
    ),
    (
        "partnership",
        "S",
        3,
        [
            "S:ATK H:TJ9 D:ATKQ C:AJ",
            "S:- H:AATKQ D:QJ C:ATTQ9",
            "S:KQ H:KQ D:ATJ99 C:KK9",
            "S:ATQJJ99 H:J9 D:K C:QJ",
        ],
        {4: 297, 8: 34739},
    ),
    (
        "two-handed",
        "H",
        1,
        [
            "S:ATKQ H:KQ D:KQJ9 C:AT",
            "S:KJ9 H:AAQ9 D:AK C:QJ9",
        ],
        {2: 29, 6: 12196},
    ),
    (
        "two-handed",
        "C",
        2,
        [
            "S:TKQ H:- D:QJ9 C:-",
            "S:9 H:AQ D:A C:QJ",
            "S:A H:KQ D:K C:AT",
            "S:KJ H:A9 D:K C:9",
        ],
        {4: 57, 8: 2419, 12: 54818},
    ),
    # Here trumps are overtrumped, so "must win if able" leaves more than a duty to trump would.
    (
        "two-handed",
        "S",
        0,
        ["S:KQ H:T9 D:AJ9 C:9", "S:J H:QJJ D:TK9 C:A", "S:Q H:AK D:Q C:ATKJ"],
        {3: 19, 6: 319, 9: 5742},
    ),
    (
        "two-handed",
        "S",
        0,
        ["S:K H:AK9 D:A C:9", "S:TJ9 H:T D:T C:Q", "S:Q H:QJ D:J C:AJ", "S:AA H:K D:AQ C:T"],
        {4: 10, 8: 143, 12: 1956},
    ),
    (
        "double-deck",
        "D",
        0,
        [
            "S:TTKQQ H:AAATJ D:ATKKKJJ C:AKJ",
            "S:AATJJJ H:KKKQJJ D:TKJ C:ATTTK",
            "S:TKQQ H:TTQJ D:AAATQQJ C:KQQQJ",
            "S:AAKKJ H:ATKQQ D:TQQ C:AATKQJJ",
        ],
        {4: 205, 7: 12225},
    ),
    (
        "double-deck-classic",
        "C",
        1,
        [
            "S:AATTJ H:KKJ D:TKKQJ C:TKQQQJJ",
            "S:AKQQJJ H:AKQQJJ D:TKJJJ C:ATT",
            "S:AKKKQQ H:ATQQ D:AATKQ C:AAAQJ",
            "S:TTJ H:AATTTKJ D:AATQQ C:TKKKJ",
        ],
        {4: 207, 7: 12989},
    ),
    (
        "partnership",
        "D",
        0,
        ["S:AK D:9 C:T", "S:T H:KQ D:A", "H:A D:TJ C:9", "S:9 H:J D:KQ"],
        {12: 336, 16: 336},
    ),
]


def position(variant: str, trump: str, leader: int, hands: list[str]) -> GameState:
    """Return a state before the first trick with this leader, trump and hands."""
    rules = variants.get(variant, len(hands))
    state = game.start(rules)
    sides = len(rules.sides)
    deal = DealState(
        declarer=leader if Phase.AUCTION in rules.phases else None,
        bid=rules.auction.lowest_bid if rules.auction else None,
        trump=Suit(trump),
        won=(0,) * sides,
        has_counter=(False,) * sides,
    )
    packed = tuple(pack(parse_hand(hand.split())) for hand in hands)
    phase = Playing(leader, leader, (), -1, -1, not rules.play.trump_must_be_broken)
    return replace(state, hands=packed, deal=deal, phase=phase)


def engine_perft(state: GameState, depth: int) -> int:
    """Return the number of sequences of so many plays, with equal cards counted once."""
    plays = [action for action in game.decision(state).legal if isinstance(action, Play)]
    if depth == 1:
        return len(plays)
    return sum(engine_perft(game.apply(state, action)[0], depth - 1) for action in plays)


ARGUMENTS = ("variant", "trump", "leader", "hands", "depth", "count")
_MAX_REFEREE_COUNT = 10_000  # in `make test`: the referee is slower than the engine


def list_cases(max_count: int | None = None) -> list[Any]:
    """Return a case for each position and depth. Higher counts than `max_count` are for soak."""
    return [
        pytest.param(
            *case[:4],
            depth,
            count,
            id=f"{case[0]}-{len(case[3])}-{depth}",
            marks=[pytest.mark.soak] if max_count is not None and count > max_count else [],
        )
        for case in POSITIONS
        for depth, count in case[4].items()
    ]


@pytest.mark.parametrize(ARGUMENTS, list_cases())
def test_the_engine_counts_the_expected_number_of_sequences(
    variant: str, trump: str, leader: int, hands: list[str], depth: int, count: int
) -> None:
    assert engine_perft(position(variant, trump, leader, hands), depth) == count


@pytest.mark.parametrize(ARGUMENTS, list_cases(_MAX_REFEREE_COUNT))
def test_the_referee_counts_the_expected_number_of_sequences(
    variant: str, trump: str, leader: int, hands: list[str], depth: int, count: int
) -> None:
    cards = [[str(card) for card in parse_hand(hand.split())] for hand in hands]
    assert referee_perft(variant, trump, cards, leader, depth, broken=False) == count
