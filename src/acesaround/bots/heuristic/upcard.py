"""The choice whether to give a nine of trump for the dealer's upcard."""

from __future__ import annotations

from acesaround.actions import Action, Discard
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic.hand_value import meld_points
from acesaround.cards import ONE_OF_KIND, Rank, card_of, pack
from acesaround.game.view import View


def choose_upcard(view: View) -> tuple[Action, Explanation]:
    """Take the upcard for a nine of trump, or leave it.

    The bot takes the upcard if it can, because the nine melds anyway. If a partner is the dealer
    and the upcard adds no meld, the bot leaves it, because it may be part of the partner's meld.
    """
    upcard = view.taken[0].card
    nine = card_of(upcard.suit, Rank.NINE)
    if nine not in view.hand:
        return Discard(()), Explanation(ReasonTemplate.NO_NINE_FOR_UPCARD)
    hand, table, trump = pack(view.hand), view.rules.melds, view.trump
    gain = meld_points(table, hand + ONE_OF_KIND[upcard], trump) - meld_points(table, hand, trump)
    partner = view.dealer in view.rules.partners_of(view.seat or 0)
    if partner and gain <= 0 and not view.rules.deal.nine_must_take:
        return Discard(()), Explanation(ReasonTemplate.LEAVE_UPCARD_MAY_BE_MELD, seat=view.dealer)
    why = Explanation(
        ReasonTemplate.UPCARD_RAISES_MELD if gain > 0 else ReasonTemplate.LAY_BRINGS_UPCARD,
        card=upcard,
    )
    return Discard((nine,)), why
