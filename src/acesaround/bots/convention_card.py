"""The convention card: what bids and cards say at a table, as Markdown.

The card is made from the conventions that the bots follow and from their model of hands.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from acesaround import game
from acesaround.bots.call_meanings import CONVENTION_CLAUSES, meaning_of_call
from acesaround.bots.heuristic.ace_signals import uses_ace_signals
from acesaround.bots.heuristic.bidding_conventions import (
    meaning_of_first_bid,
    uses_conventions,
)
from acesaround.bots.heuristic.hand_value import best_hand_value
from acesaround.cards import pack
from acesaround.game.state import Call
from acesaround.game.view import View, view_for
from acesaround.legal_bids import legal_bids
from acesaround.rulebook import body
from acesaround.rulebook.markdown import bullets, paragraph, section, table
from acesaround.rules import Auction, Rules, bid_step

_LISTED_BIDS: Final = (0, 1, 2, 4, 6, 10, 14)  # the bids of the table, counted from the lowest
_SAMPLE_HANDS: Final = 240  # dealt hands from which the table takes its usual hands
_NEAREST_HANDS: Final = 24  # of these the nearest to the value of a bid


def convention_card(rules: Rules, *, is_natural: bool = False) -> str:
    """Return the card as sections of Markdown; "" if there is nothing to say.

    `is_natural`: whether the bots play without conventions.
    """
    sections = []
    if rules.auction is not None:
        sections.append(section("What a bid says", *_bid_parts(rules, is_natural)))
    if uses_ace_signals(rules) and not is_natural:
        sections.append(section("What a card says", *_card_parts()))
    return "\n\n".join(sections)


def rules_with_convention_card(rules: Rules, *, is_natural: bool = False) -> str:
    """Return the rules of a table and its convention card as one page of Markdown."""
    card = convention_card(rules, is_natural=is_natural)
    return f"{body(rules)}\n{card}\n" if card else body(rules)


def _bid_parts(rules: Rules, is_natural: bool) -> Iterator[str]:
    """Yield the paragraphs on bids."""
    auction = rules.auction
    assert auction is not None
    if is_natural:
        yield "The bots play without conventions here: their bids and cards promise nothing."
    elif uses_conventions(rules):
        yield paragraph(
            "Partners tell each other with their first bid what they hold. The bots speak this "
            "language, and they read your bids by it. Every later bid of the same seat says "
            "nothing by it."
        )
        yield table(("first bid", "what it says"), list(_opening_rows(rules, auction)))
        yield bullets(
            "Over another bid, a raise of 1 shows aces around, and a raise of 3 shows 30 meld or "
            "more.",
            "Over an opponent's first bid that was itself a raise of 1, a raise of 1 asks the "
            "partner to show meld. It promises nothing.",
            "Any other first bid says nothing by the convention.",
            f"From {_last_single_bid(auction) + 1} on, bids go up by more than 1, and none says "
            "anything."
            if len(auction.steps) > 1
            else "",
        )
        yield paragraph(
            "A bot makes such a bid only if it is true. It need not: if its hand is too weak for "
            "the bid, it passes."
        )
    else:
        yield paragraph("Partners have no agreement about bids in this game." * rules.has_partners)
    yield paragraph(
        "A bid also says what a hand is worth: what its side may expect from meld and tricks with "
        "the hand's best trump. These are the values from which the bots usually bid, at the start "
        "of a game, over an opponent's bid. Close to the end of the game they bid more boldly."
    )
    yield table(("bid", "worth at least", "usual meld", "usual trumps"), _value_rows(rules))


def _opening_rows(rules: Rules, auction: Auction) -> Iterator[tuple[str, str]]:
    """Yield the first bids if nobody has bid before, with what they say."""
    for bid in range(auction.lowest_bid, auction.lowest_bid + 4):
        meaning = meaning_of_first_bid(rules, [Call(0, bid)], 0)
        says = "says nothing by the convention" if meaning is None else CONVENTION_CLAUSES[meaning]
        yield str(bid), says


@lru_cache(64)
def _value_rows(rules: Rules) -> tuple[tuple[str, ...], ...]:
    """Return a row for each listed bid: the hand value from which bots usually make it.

    The other columns are the middle half of the dealt hands that are just worth the bid.
    """
    assert rules.auction is not None
    bids = _rising_bids(rules.auction)
    view = view_for(game.start(rules), None)
    seat, opponent = view.players[0], view.players[1]
    lowest_values = []
    for before, bid in zip((None, *bids), bids, strict=False):
        auction = () if before is None else (Call(opponent, before),)
        meaning = meaning_of_call(view, auction, Call(seat, bid), is_natural=True)
        assert meaning is not None
        lowest_values.append(max(meaning.least, 0.0))
    hands = _sample_hands(rules, view)
    rows = []
    for index in _LISTED_BIDS:
        worth = lowest_values[index]
        nearest = sorted(hands, key=lambda hand: abs(hand.value - worth))[:_NEAREST_HANDS]
        meld, trumps = (
            sorted(column) for column in zip(*((h.meld, h.trumps) for h in nearest), strict=True)
        )
        quarter = _NEAREST_HANDS // 4
        rows.append(
            (
                str(bids[index]),
                str(int(worth)),
                _range_text(meld[quarter], meld[-quarter - 1]),
                _range_text(trumps[quarter], trumps[-quarter - 1]),
            )
        )
    return tuple(rows)


def _range_text(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def _rising_bids(auction: Auction) -> tuple[int, ...]:
    """Return the bids of an auction in which everybody bids as little as possible."""
    bids: list[int] = []
    for _ in range(_LISTED_BIDS[-1] + 1):
        standing = bids[-1] if bids else None
        bids.append(legal_bids(auction, standing, may_pass=True).lowest_bid)
    return tuple(bids)


class _SampleHand(NamedTuple):
    """A dealt hand with its best trump: its value, its meld and its trumps."""

    value: float
    meld: int
    trumps: int


def _sample_hands(rules: Rules, view: View) -> list[_SampleHand]:
    """Return hands that were dealt at random, always the same ones."""
    rng, deck, hands = random.Random(1), rules.deck.cards, []
    for _ in range(_SAMPLE_HANDS):
        cards = rng.sample(deck, rules.hand_size)
        best = best_hand_value(view, pack(cards))
        trumps = sum(card.suit == best.trump for card in cards)
        hands.append(_SampleHand(best.total, best.meld, trumps))
    return hands


def _last_single_bid(auction: Auction) -> int:
    """Return the highest bid below which bids go up by one."""
    bid = auction.lowest_bid
    while bid_step(auction, bid + 1)[1] == 1:
        bid += 1
    return bid


def _card_parts() -> Iterator[str]:
    """Yield the paragraphs on signals."""
    yield paragraph(
        "An opponent leads an ace of another suit than trump, and nobody has trumped it. Then a "
        "low card of that suit tells the partner something:"
    )
    yield bullets(
        "A **queen** shows the ace of the same suit.",
        "A **jack** shows weakness: no ace of that suit.",
        "A king or a ten says nothing, and neither does a card of another suit.",
    )
    yield paragraph(
        "Who holds a queen but no jack has no choice, and neither has who holds a jack but no "
        "queen. So a queen means the ace or no jack, and a jack means no ace or no queen. The bots "
        "give these signals truthfully, and they read yours."
    )
