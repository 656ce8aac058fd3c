"""The reference of the solver for bridge: DDS, a double-dummy solver, through `endplay`.

Bridge hands of 12 cards each of 52: there is no duty to beat and there are no card points, so it is
only a related problem. As in the deals of pinochle the leader holds the best suit, which is trump.
One thread; processor time of the call alone.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from statistics import median
from typing import Final

from endplay.dds import solve_board
from endplay.dds.solve import SolveMode
from endplay.types import Deal, Denom, Player

_RANKS: Final = "23456789TJQKA"
_TRUMPS: Final = (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs)
VALUE: Final = "value"
CARDS: Final = "cards"
REACHES: Final = "reaches"


def boards(number: int, seed: int, cards: int = 12) -> Iterator[Deal]:
    """Yield `number` deals with `cards` cards a hand, taken from hands of 12."""
    rng = random.Random(seed)
    deck = [(suit, rank) for suit in range(4) for rank in range(13)]
    for _ in range(number):
        rng.shuffle(deck)
        hands = [deck[first : first + 12] for first in range(0, 48, 12)]
        worth = [
            sum(100 + rank for card_suit, rank in hands[0] if card_suit == suit)
            for suit in range(4)
        ]
        written = " ".join(_hand(hand[:cards]) for hand in hands)
        yield Deal(f"N:{written}", first=Player.north, trump=_TRUMPS[worth.index(max(worth))])


def _hand(cards: list[tuple[int, int]]) -> str:
    suits = [sorted((rank for of, rank in cards if of == suit), reverse=True) for suit in range(4)]
    return ".".join("".join(_RANKS[rank] for rank in suit) for suit in suits)


def solve(board: Deal, question: str, tricks: int = 7) -> float:
    """Return the processor seconds for the value, for all cards, or for reaching `tricks`."""
    started = time.thread_time()
    if question == CARDS:
        solve_board(board, SolveMode.Default)
    elif question == REACHES:
        solve_board(board, SolveMode.TargetOne, tricks)
    else:
        solve_board(board, SolveMode.OptimalOne)
    return time.thread_time() - started


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for cards, question in ((12, VALUE), (12, REACHES), (12, CARDS), (9, VALUE)):
        times = [solve(board, question) for board in boards(options.deals, options.seed, cards)]
        p95 = sorted(times)[len(times) * 95 // 100]
        print(f"{cards:>3} cards, {question:<8} median {median(times) * 1e3:7.2f} ms,", end=" ")
        print(f"p95 {p95 * 1e3:7.2f} ms")


if __name__ == "__main__":
    main()
