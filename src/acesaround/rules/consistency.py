"""Whether the parts of the rules fit together: the faults of a contradictory `Rules` object.

Cards that would be left over, sides of which the seats do not make whole ones, phases out of order:
each fault is a sentence and the fields that it is about. `Rules` raises them when it is made. Which
bots and kernels can play consistent rules is said by `feature_support`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from acesaround.cards import SUITS, Card, Rank
from acesaround.errors import Fault
from acesaround.rules.bid_heights import bid_step, is_legal_height
from acesaround.rules.meld_table import melds_laid_at_once
from acesaround.rules.number_limits import (
    MAX_COPIES,
    MAX_SEATS,
    MAX_SIDE_SIZE,
    fault_unless,
    pluralize,
)
from acesaround.rules.options import OPTIONS
from acesaround.rules.stage_rules import Phase, Tie

if TYPE_CHECKING:
    from acesaround.rules.model import Rules

_UPCARD_PHASE_ORDERS: Final = (
    (Phase.UPCARD, Phase.MELDING, Phase.PLAY),
    (Phase.MELDING, Phase.PLAY),
)
"""The orders of phases in which the dealer's last card names trump.

With `Phase.UPCARD` a nine of trump may take that card; without it no card is exchanged.
"""


def consistency_faults(rules: Rules) -> Iterator[Fault]:
    """Yield the faults by which parts of the rules contradict each other."""
    if seat_faults := tuple(_seat_faults(rules)):  # the other checks rely on the sides
        yield from seat_faults
        if 2 <= rules.seats <= MAX_SEATS and rules.seats in rules.players:
            yield from _deck_faults(rules)
        return
    yield from _deck_faults(rules)
    yield from _card_faults(rules)
    yield from _meld_faults(rules)
    yield from _phase_faults(rules)
    yield from _bid_faults(rules)
    yield from _payment_faults(rules)
    yield from _option_faults(rules)


def _has_hand_sizes(rules: Rules) -> bool:
    """Return whether `deal.hand` has one size for each number of players, or is not used."""
    return rules.deal.copies is None or len(rules.deal.hand) == len(rules.players)


def _seat_faults(rules: Rules) -> Iterator[Fault]:
    """Yield the faults in the number of players and in the size of a side."""
    if not rules.players:
        yield Fault("The game has no number of players.", ("players",))
        return
    *fewer, largest = sorted(rules.players)
    allowed_players = "".join(f"{number}, " for number in fewer) + pluralize(largest, "player")
    yield from fault_unless(
        rules.seats in rules.players,
        f"{rules.variant} cannot be played by {rules.seats}: it takes {allowed_players}.",
        "seats",
        "players",
        form_sentence=f"{rules.seats} cannot play it: it takes {allowed_players}.",
    )
    if not 2 <= rules.seats <= MAX_SEATS:
        message = f"A table has 2 to {MAX_SEATS} seats, not {rules.seats}."
        yield Fault(message, ("seats", "players"))
        return
    is_side_size_valid = 1 <= rules.side_size <= MAX_SIDE_SIZE
    yield from fault_unless(
        is_side_size_valid,
        f"A side has 1 to {MAX_SIDE_SIZE} seats, not {rules.side_size}.",
        "side_size",
    )
    yield from fault_unless(
        not is_side_size_valid
        or (rules.seats % rules.side_size == 0 and rules.seats >= 2 * rules.side_size),
        f"{rules.seats} players cannot form two or more sides of {rules.side_size}.",
        "side_size",
        "seats",
        "players",
    )


def _deck_faults(rules: Rules) -> Iterator[Fault]:
    """Yield the faults in the sizes of the deck and the hands, which sides do not change."""
    deal = rules.deal
    if not _has_hand_sizes(rules):
        yield Fault(
            "deal.hand needs one number for each of players: players is "
            f"{list(rules.players)}, and deal.hand is {list(deal.hand)}.",
            ("deal.hand", "players", "seats"),
            f"There are {pluralize(len(rules.players), 'number')} of players, and "
            f"{pluralize(len(deal.hand), 'size')} of a hand: each number needs one.",
        )
        return
    deck, hand = rules.deck, rules.hand_size
    yield from fault_unless(
        1 <= deck.copies <= MAX_COPIES,
        f"A deck has 1 to {MAX_COPIES} copies of each card, not {deck.copies}.",
        "deal.copies",
    )
    needed = hand * rules.seats + deal.kitty + (deal.upcard and deal.stock)
    left_over = deck.size - needed
    size_fields = "deal.hand", "deal.copies", "deal.nines", "deal.kitty"
    yield from fault_unless(
        left_over >= 0,
        f"{deck.size} cards are too few for {rules.seats} players: {needed} are needed.",
        *size_fields,
        "seats",
        "players",
    )
    yield from fault_unless(
        left_over <= 0 or deal.stock,
        f"{left_over} of {deck.size} cards would be left over, and there is no stock.",
        *size_fields,
        "deal.stock",
        "seats",
        "players",
    )


def _card_faults(rules: Rules) -> Iterator[Fault]:
    """Yield the faults in the sizes of the kitty and the exchange, and in what a tie needs."""
    if not _has_hand_sizes(rules):
        return
    deal, hand = rules.deal, rules.hand_size
    yield from fault_unless(
        deal.stock or rules.ending.tie is not Tie.TIED_PLAY_ON or len(rules.sides) == 2,
        "Tied players cannot play on by themselves: there is no stock for the cards left over.",
        "ending.tie",
        "deal.stock",
    )
    rounds = deal.rounds(hand)
    yield from fault_unless(
        deal.kitty <= rounds,
        f"With {pluralize(rounds, 'round')} of dealing, the kitty can have at most "
        f"{pluralize(rounds, 'card')}: use smaller packets or a smaller kitty.",
        "deal.kitty",
        "deal.packet",
    )
    passed_count = rules.exchange.exchange
    yield from fault_unless(
        0 <= passed_count <= hand or not rules.has_partners,
        f"A hand of {hand} cannot pass {passed_count} cards.",
        "exchange.exchange",
    )


def _meld_faults(rules: Rules) -> Iterator[Fault]:
    """Yield a fault for each house meld that no player can make."""
    for meld in rules.melds.others if _has_hand_sizes(rules) else ():
        faults = (
            _impossible_meld_faults(rules, meld.name, meld.cards_in_trump(trump)) for trump in SUITS
        )
        yield from islice(chain(*faults), 1)


def _impossible_meld_faults(rules: Rules, name: str, cards: tuple[Card, ...]) -> Iterator[Fault]:
    """Yield the reasons why no player can make a meld of these cards."""
    deck, laid_between_tricks = rules.deck, Phase.STOCK_PLAY in rules.phases
    excess = deck.first_excess_card(cards)
    if excess is not None:
        lacks_nines = excess.rank is Rank.NINE and not deck.nines
        deck_contents = "no nines" if lacks_nines else f"{deck.copies} of each card"
        number = cards.count(excess)
        yield Fault(
            f"{name} takes {number} {excess.pretty}, and the deck has {deck_contents}.",
            ("melds.others", "deal.copies", "deal.nines"),
        )
    yield from fault_unless(
        laid_between_tricks or len(cards) <= rules.hand_size,
        f"{name} takes {pluralize(len(cards), 'card')}, and a hand has {rules.hand_size}.",
        "melds.others",
        "deal.hand",
    )
    if not laid_between_tricks:
        return
    yield from fault_unless(
        all(cards.count(card) <= 2 for card in cards),
        f"A meld that is laid between tricks can use two of a card at most; {name} uses more.",
        "melds.others",
    )
    same_cards = [
        other for other, card_sets in melds_laid_at_once(rules.melds) if cards in card_sets
    ]
    yield from fault_unless(
        not same_cards,
        f"{name} has the same cards as {', '.join(same_cards)}: only one of them can be laid.",
        "melds.others",
    )


def _phase_faults(rules: Rules) -> Iterator[Fault]:
    """Yield the faults in the order of the phases, and in what each phase needs."""
    order = rules.phases
    ends_with_play = order and order[-1] is Phase.PLAY and len(set(order)) == len(order)
    yield from fault_unless(
        ends_with_play, "phases must end with play and may not repeat a phase.", "phases"
    )
    if ends_with_play:
        yield from _no_auction_faults(rules) if rules.auction is None else _auction_faults(rules)


def _no_auction_faults(rules: Rules) -> Iterator[Fault]:
    order, deal = rules.phases, rules.deal
    plays_out_stock = order == (Phase.STOCK_PLAY, Phase.PLAY) and deal.stock
    dealer_shows_trump = order in _UPCARD_PHASE_ORDERS and not deal.stock
    is_ordered = (plays_out_stock or dealer_shows_trump) and deal.upcard
    yield from fault_unless(
        is_ordered,
        "A game without an auction needs an upcard that names trump: its stock is played out "
        "first, or without a stock everybody melds before the play.",
        "phases",
        "auction",
        "deal.upcard",
        "deal.stock",
    )
    yield from fault_unless(
        not deal.kitty and not rules.exchange.bury,
        "Without an auction nobody takes a kitty or buries cards.",
        "exchange.bury",
        "deal.kitty",
        "auction",
    )
    yield from fault_unless(
        not rules.exchange.exchange,
        "Without an auction there is no declarer to pass cards to.",
        "exchange.exchange",
        "auction",
    )
    yield from fault_unless(
        not (is_ordered and dealer_shows_trump) or rules.melds.defenders_meld,
        "Without an auction there is no declarer, so it cannot be that only the declarer's "
        "side melds.",
        "melds.defenders_meld",
        "auction",
    )
    yield from fault_unless(
        Phase.UPCARD not in order or deal.nines,
        "A nine of trump takes the upcard, but the deck has no nines.",
        "phases",
        "deal.nines",
    )
    drawn_count = 0
    if is_ordered and plays_out_stock and _has_hand_sizes(rules):
        drawn_count = rules.deck.size - rules.hand_size * rules.seats
    yield from fault_unless(
        drawn_count % rules.seats == 0,
        f"{drawn_count} cards cannot be drawn evenly by {rules.seats} players.",
        "deal.hand",
        "deal.copies",
        "deal.nines",
        "players",
        "seats",
    )


def _auction_faults(rules: Rules) -> Iterator[Fault]:
    order, deal = rules.phases, rules.deal
    before_play = [phase for phase in order if phase is not Phase.KITTY]
    ranks = [tuple(Phase).index(phase) for phase in before_play]
    is_ordered = (
        order[0] is Phase.AUCTION
        and Phase.TRUMP in order
        and order[-2] is Phase.MELDING
        and not {Phase.UPCARD, Phase.STOCK_PLAY} & set(order)
        and ranks == sorted(ranks)
    )
    yield from fault_unless(
        is_ordered,
        "After an auction the phases are: trump, the exchanges, the melds and the play.",
        "phases",
    )
    yield from fault_unless(
        not is_ordered or not deal.upcard,
        "An upcard names trump, but in this game the declarer does.",
        "deal.upcard",
    )
    yield from fault_unless(
        not is_ordered or (Phase.KITTY in order) == bool(deal.kitty),
        "A deal has the phase kitty exactly if it has a kitty.",
        "phases",
        "deal.kitty",
    )
    bury = rules.exchange.bury
    yield from fault_unless(
        not is_ordered or deal.kitty or not bury,
        f"Without a kitty nobody buries: bury must be 0, not {bury}.",
        "exchange.bury",
        "deal.kitty",
    )
    yield from fault_unless(
        not is_ordered or not deal.kitty or bury == deal.kitty,
        f"The declarer buries as many cards as the kitty has: {deal.kitty}, not {bury}.",
        "exchange.bury",
        "deal.kitty",
    )
    yield from fault_unless(
        not is_ordered or Phase.REDRAW not in order or deal.stock,
        "Cards are drawn from a stock.",
        "phases",
        "deal.stock",
    )


def _bid_faults(rules: Rules) -> Iterator[Fault]:
    """Yield a fault if the lowest bid is not a legal bid."""
    auction = rules.auction
    if auction is not None and not is_legal_height(auction, auction.lowest_bid):
        start, step = bid_step(auction, auction.lowest_bid)
        since = f"from {start} on, bids" if start else "bids"
        reason = f"{auction.lowest_bid} is not a bid in this game: {since} are multiples of {step}."
        yield Fault(f"lowest_bid = {reason}", ("auction.lowest_bid", "auction.steps"), reason)


def _payment_faults(rules: Rules) -> Iterator[Fault]:
    """Yield a fault if deals are paid without an auction, or if a paying side may sit out."""
    scoring = rules.scoring
    yield from fault_unless(
        not scoring.pays or rules.auction is not None,
        "The bid decides what a deal pays, but there is no auction.",
        "scoring.pays",
        "auction",
    )
    yield from fault_unless(
        not scoring.pays or rules.ending.tie is not Tie.TIED_PLAY_ON or len(rules.sides) == 2,
        "Tied players cannot play on by themselves if all the others pay.",
        "ending.tie",
        "scoring.pays",
    )


def _option_faults(rules: Rules) -> Iterator[Fault]:
    """Yield a fault if an option is unknown, or belongs to a part that these rules lack."""
    unknown = [name for name in rules.options if name not in OPTIONS]
    yield from fault_unless(
        not unknown,
        f"{', '.join(unknown)}: there is no such house option. Possible are {', '.join(OPTIONS)}.",
        "options",
    )
    known = [name for name in rules.options if name in OPTIONS]
    without_part = [name for name in known if getattr(rules, OPTIONS[name].part) is None]
    part = OPTIONS[without_part[0]].part if without_part else ""
    yield from fault_unless(
        not without_part, f"{', '.join(without_part)}: there is no {part}.", "options"
    )
