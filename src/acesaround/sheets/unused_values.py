"""What a sheet says in vain: values that can do nothing beside the others it says.

Rules may hold them, for stored games do. Who writes a sheet is told: something else was meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from acesaround.errors import Fault
from acesaround.rules import Rules


def vain(rules: Rules) -> Iterator[Fault]:
    """What can do nothing, by the fields of which one is to be changed."""
    yield from _players(rules)
    yield from _raises(rules)
    yield from _payment(rules)


def _players(rules: Rules) -> Iterator[Fault]:
    if len(set(rules.players)) < len(rules.players):
        said = list(rules.players)
        yield Fault(f"players = {said}: each number of players is said once.", ("players",))


def _raises(rules: Rules) -> Iterator[Fault]:
    """A raise from one bid leads to another."""
    law = rules.auction
    if law is None:
        return
    for by, step in ((by, step) for by in law.raises for _, step in law.steps if by % step):
        yield Fault(
            f"A raise by {by} leads to no bid: bids are multiples of {step}.",
            ("auction.raises", "auction.steps"),
        )


def _payment(rules: Rules) -> Iterator[Fault]:
    """What multiplies a payment has one to multiply."""
    law = rules.scoring
    for name in () if law.pays else ("spades_pay", "set_pays"):
        if (times := getattr(law, name)) > 1:
            yield Fault(
                f"{name} = {times} multiplies what is paid for a bid, and nothing is paid here.",
                (f"scoring.{name}",),
            )
