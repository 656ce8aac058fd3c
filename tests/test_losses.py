"""The lost meld or play of each side, and the reason."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.rules import Rules
from acesaround.rules.scoring import DealScore, Loss, LossReason, Outcome, losses_by_side

DOUBLE = variants.get("double-deck")
CLASSIC = variants.get("double-deck-classic", options={"min_twenty": True})
PARTNERSHIP = variants.get("partnership")


def scored(
    outcome: Outcome,
    meld: tuple[int, int],
    play: tuple[int, int],
    change: tuple[int, int],
    bid: int = 50,
) -> DealScore:
    """Return the score of a deal that seat 0 declared."""
    return DealScore(outcome, bid, 0, None, meld, play, change)


@pytest.mark.parametrize(
    ("rules", "score", "lost"),
    [
        # meld 16 and play 17: both are below 20, and the play decides
        (
            DOUBLE,
            scored(Outcome.MADE, (40, 16), (33, 17), (73, 0)),
            (None, Loss(LossReason.PLAY, 20)),
        ),
        (
            DOUBLE,
            scored(Outcome.MADE, (40, 16), (26, 24), (66, 24)),
            (None, Loss(LossReason.MELD, 20)),
        ),
        (DOUBLE, scored(Outcome.MADE, (40, 20), (26, 24), (66, 44)), (None, None)),
        # a missed bid without lost points
        (DOUBLE, scored(Outcome.SET, (20, 20), (22, 28), (-50, 48)), (None, None)),
        # a bid missed because of lost points
        (
            DOUBLE,
            scored(Outcome.SET, (40, 20), (18, 32), (-50, 52)),
            (Loss(LossReason.PLAY, 20), None),
        ),
        (
            PARTNERSHIP,
            scored(Outcome.MADE, (300, 40), (250, 0), (550, 0), bid=300),
            (None, Loss(LossReason.POINT, 0)),
        ),
        (
            variants.get("three-handed"),
            DealScore(Outcome.MADE, 250, 0, None, (300, 40, 0), (240, 0, 10), (540, 0, 10)),
            (None, Loss(LossReason.COUNTER, 0), None),
        ),
        (
            variants.get("classic"),
            DealScore(Outcome.NO_BID, None, None, None, (100, 60), (250, 0), (350, 0)),
            (None, Loss(LossReason.TRICK, 0)),
        ),
        (
            CLASSIC,
            scored(Outcome.MADE, (40, 4), (40, 10), (80, 0)),
            (None, Loss(LossReason.HAND, 20)),
        ),
        (PARTNERSHIP, scored(Outcome.CONCEDED, (300, 40), (0, 0), (-250, 40)), (None, None)),
    ],
)
def test_losses_by_side_gives_the_reason(
    rules: Rules, score: DealScore, lost: tuple[Loss | None, ...]
) -> None:
    assert losses_by_side(rules, score) == lost
