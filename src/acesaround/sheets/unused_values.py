"""Values of a sheet that have no effect, given its other values.

`Rules` accepts such values, because stored games have them. The author of a sheet gets a fault,
because they probably meant something different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from acesaround.errors import Fault
from acesaround.rules import AllPass, Phase, Rules, Tie
from acesaround.rules.meld_table import as_values
from acesaround.sheets.fields import fields, values_of
from acesaround.sheets.format_values import to_toml


class _Condition(NamedTuple):
    """A condition under which some fields have effect. `reason`: the end of `It is used only`."""

    paths: tuple[str, ...]
    is_met: Callable[[Rules], bool]
    reason: str


_CONDITIONS: Final = (
    _Condition(("exchange.exchange",), lambda rules: rules.has_partners, "by partners"),
    _Condition(
        ("scoring.least_hand",),
        lambda rules: rules.scoring.min_twenty or "min_twenty" in rules.options,
        "if min_twenty is true",
    ),
    _Condition(
        ("ending.target_step",),
        lambda rules: rules.ending.tie is Tie.RAISE_TARGET,
        f'if tie is "{Tie.RAISE_TARGET.value}"',
    ),
    _Condition(
        ("deal.hand_of_24_each",),
        lambda rules: rules.deal.copies is None or "deck" in rules.options,
        'if copies is "none"',
    ),
    _Condition(
        ("deal.all_asked", "deal.nine_must_take"),
        lambda rules: Phase.UPCARD in rules.phases,
        "if a nine of trump may take the dealer's upcard",
    ),
    _Condition(
        (
            *("melds.meld_from_hand", "melds.grown_scores_whole", "melds.meld_before_draw"),
            *("melds.meld_after_stock", "melds.nine_beside", "melds.nine_turned_up"),
        ),
        lambda rules: Phase.STOCK_PLAY in rules.phases,
        "if the stock is played out before the play-off",
    ),
)


def unused_value_faults(rules: Rules) -> Iterator[Fault]:
    """Yield a fault for each value without effect, with the fields of which one should change."""
    yield from _repeated_player_faults(rules)
    yield from _useless_raise_faults(rules)
    yield from _unused_payment_faults(rules)
    yield from _missing_nine_faults(rules)
    yield from _unused_stuck_bid_faults(rules)
    yield from _unmet_condition_faults(rules)


def _unmet_condition_faults(rules: Rules) -> Iterator[Fault]:
    """Yield a fault for each changed value whose condition is not met."""
    values = values_of(rules)
    for condition in _CONDITIONS:
        for path in () if condition.is_met(rules) else condition.paths:
            if values[path] != fields()[path].default:
                reason = f"is used only {condition.reason}."
                name = fields()[path].name
                yield Fault(f"{name} = {to_toml(values[path])} {reason}", (path,), f"It {reason}")


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
