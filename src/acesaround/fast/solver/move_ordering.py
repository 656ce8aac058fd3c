"""Move ordering by scores with tuned weights. The order changes no answer.

`_WEIGHTS` has a number for each place in the trick (leader, second, between, last), outlook (wins
for sure, wins unless beaten, the partner can win it, lost), whether the card is worth points and
whether it is a trump. Then it has, for each place, the weight of a rank without a sure win and with
one. Random hill climbing on the logarithm of node counts found the weights, over 150 random deals
of 2, 3 and 4 hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

# fmt: off
_WEIGHTS: Final = (
    100, -30, 116, 29, 74, -24, -25, -135, 29, -59, 97, 27, 15, 25, -45, -41,
    34, -35, 85, 31, 60, 13, -10, 10, 25, 50, 97, 27, 75, 36, -21, -120,
    40, 68, 50, 70, 29, 40, -16, 14, 65, -45, 87, -62, 59, 11, -39, -39,
    44, 89, 66, 95, -92, 79, -14, 20, -41, 25, 12, 37, -20, 60, -155, 16,
    8, 0, -5, -9, -20, -5, -16, -19,
)
# fmt: on


def move_scores(points: tuple[int, ...]) -> Iterator[int]:
    """Yield the score of a move by place in the trick (2 bits), outlook (2) and code (5).

    Moves with higher scores are tried first. `points`: those of each rank, the lowest first. For
    codes see `board`.
    """
    for place in range(4):
        for outlook in range(4):
            for code in range(32):
                is_trump, rank = code < 8, code & 7
                has_points = rank < len(points) and points[rank] > 0
                weight = _WEIGHTS[((place * 4 + outlook) * 2 + has_points) * 2 + is_trump] * 8
                yield weight + _WEIGHTS[64 + place * 2 + (outlook == 0)] * rank
