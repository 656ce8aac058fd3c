"""Values of a sheet that have no effect, given its other values.

`Rules` accepts such values, because stored games have them. The author of a sheet gets a fault,
because they probably meant something different.
"""

from __future__ import annotations

from collections.abc import Iterator

from acesaround.errors import Fault
from acesaround.rules import AllPass, Rules
from acesaround.rules.meld_table import as_values


def unused_value_faults(rules: Rules) -> Iterator[Fault]:
    """Yield a fault for each value without effect, with the fields of which one should change."""
    yield from _repeated_player_faults(rules)
    yield from _useless_raise_faults(rules)
    yield from _unused_payment_faults(rules)
    yield from _missing_nine_faults(rules)
    yield from _unused_stuck_bid_faults(rules)


def _repeated_player_faults(rules: Rules) -> Iterator[Fault]:
    if len(set(rules.players)) < len(rules.players):
        players = list(rules.players)
        reason = "give each number of players once."
        yield Fault(f"players = {players}: {reason}", ("players",), reason.capitalize())


def _useless_raise_faults(rules: Rules) -> Iterator[Fault]:
    """Yield a fault for each raise that leads to no legal bid."""
    auction = rules.auction
    if auction is None:
        return
    for jump, step in (
        (jump, step) for jump in auction.raises for _, step in auction.steps if jump % step
    ):
        yield Fault(
            f"A raise by {jump} leads to no bid: bids are multiples of {step}.",
            ("auction.raises", "auction.steps"),
        )


def _unused_payment_faults(rules: Rules) -> Iterator[Fault]:
    """Yield a fault for each payment multiplier in a game without payments."""
    scoring = rules.scoring
    for name in () if scoring.pays else ("spades_pay", "set_pays"):
        if (multiplier := getattr(scoring, name)) > 1:
            reason = "multiplies the payment for a bid, but this game pays nothing for bids."
            yield Fault(f"{name} = {multiplier} {reason}", (f"scoring.{name}",), f"It {reason}")


def _missing_nine_faults(rules: Rules) -> Iterator[Fault]:
    """Yield a fault for a value of the dix in a deck without nines."""
    if any(as_values(rules.melds.dix)) and not rules.deal.nines:
        yield Fault("A dix is a nine of trump, and the deck has no nines.", ("melds.dix",))


def _unused_stuck_bid_faults(rules: Rules) -> Iterator[Fault]:
    """Yield a fault for the bid of a forced dealer if nobody forces the dealer."""
    auction = rules.auction
    if auction is None or auction.stuck_bid is None or auction.all_pass is AllPass.DEALER:
        return
    yield Fault(
        f'stuck_bid = {auction.stuck_bid} is used only if all_pass is "{AllPass.DEALER.value}".',
        ("auction.stuck_bid",),
        "It is used only if the dealer becomes declarer when all pass.",
    )
