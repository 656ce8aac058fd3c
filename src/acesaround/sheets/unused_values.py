"""Values of a sheet that have no effect, given its other values.

`Rules` accepts such values, because stored games have them. The author of a sheet gets a fault,
because they probably meant something different.
"""

from __future__ import annotations

from collections.abc import Iterator

from acesaround.errors import Fault
from acesaround.rules import Rules


def vain(rules: Rules) -> Iterator[Fault]:
    """Yield a fault for each value without effect, with the fields of which one should change."""
    yield from _players(rules)
    yield from _raises(rules)
    yield from _payment(rules)


def _players(rules: Rules) -> Iterator[Fault]:
    if len(set(rules.players)) < len(rules.players):
        said = list(rules.players)
        yield Fault(f"players = {said}: each number of players is said once.", ("players",))


def _raises(rules: Rules) -> Iterator[Fault]:
    """Yield a fault for each raise that leads to no legal bid."""
    law = rules.auction
    if law is None:
        return
    for by, step in ((by, step) for by in law.raises for _, step in law.steps if by % step):
        yield Fault(
            f"A raise by {by} leads to no bid: bids are multiples of {step}.",
            ("auction.raises", "auction.steps"),
        )


def _payment(rules: Rules) -> Iterator[Fault]:
    """Yield a fault for each payment multiplier in a game without payments."""
    law = rules.scoring
    for name in () if law.pays else ("spades_pay", "set_pays"):
        if (times := getattr(law, name)) > 1:
            yield Fault(
                f"{name} = {times} multiplies what is paid for a bid, and nothing is paid here.",
                (f"scoring.{name}",),
            )
