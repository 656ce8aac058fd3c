"""The theme of a position: what a decision practices, found from the view and the choices.

A position has one theme: the first of `theme_of` that fits. Everything is read from the view, so
the theme of a position says nothing about hidden cards. docs/practice.md states the conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from acesaround.actions import Action, Bury, Concede, Discard, Give, LayMeld, Pass, Play
from acesaround.cards import RANK_COUNT, SUITS, Card, Rank, Suit, pack
from acesaround.game.state import DecisionKind
from acesaround.game.view import View, is_strict_play
from acesaround.practice.position import Theme
from acesaround.rules import KeepMeld
from acesaround.rules.melds import find_melds, total_points
from acesaround.rules.scoring import has_counter_by_side
from acesaround.rules.tricks import beats, meld_saving_kinds

ENDGAME_CARDS: Final = 4
"""The number of cards in hand from which a decision belongs to the endgame."""
_CARD_THEMES: Final = {
    DecisionKind.GIVE: Theme.PASSING,
    DecisionKind.BURY: Theme.BURYING,
    DecisionKind.DISCARD: Theme.EXCHANGING,
}


def theme_of(view: View, kind: DecisionKind, best: Action, wrong: Sequence[Action]) -> Theme:
    """Return the theme of a decision. `best`: the right action; `wrong`: those done."""
    match kind:
        case DecisionKind.BID:
            return Theme.BIDDING
        case DecisionKind.TRUMP:
            return Theme.TRUMP
        case DecisionKind.GIVE | DecisionKind.BURY | DecisionKind.DISCARD:
            if all(_meld_kept(view, best) > _meld_kept(view, action) for action in wrong):
                return Theme.SAVING_MELD
            return _CARD_THEMES[kind]
        case DecisionKind.UPCARD:
            return Theme.EXCHANGING
    if isinstance(best, LayMeld | Pass) or any(isinstance(one, LayMeld | Pass) for one in wrong):
        return Theme.MELDING
    cards = [action.card for action in wrong if isinstance(action, Play)]
    if not isinstance(best, Play):
        assert isinstance(best, Concede)
        return Theme.LEADS
    return _play_theme(view, best.card, cards)


def possible_themes(view: View, kind: DecisionKind) -> frozenset[Theme]:
    """Return the themes that a decision may have, whatever is best."""
    match kind:
        case DecisionKind.BID:
            return frozenset({Theme.BIDDING})
        case DecisionKind.TRUMP:
            return frozenset({Theme.TRUMP})
        case DecisionKind.GIVE:
            return frozenset({Theme.PASSING, Theme.SAVING_MELD})
        case DecisionKind.BURY:
            return frozenset({Theme.BURYING, Theme.SAVING_MELD})
        case DecisionKind.DISCARD | DecisionKind.UPCARD:
            return frozenset({Theme.EXCHANGING, Theme.SAVING_MELD})
    impossible = {Theme.BIDDING, Theme.TRUMP, Theme.PASSING, Theme.BURYING, Theme.EXCHANGING}
    if view.trick or not _known_voids(view):
        impossible.add(Theme.FORCING)
    if is_strict_play(view) and not _has_meld_to_save(view):
        impossible.add(Theme.SAVING_MELD)
    return frozenset(Theme) - impossible


def _play_theme(view: View, best: Card, wrong: Sequence[Card]) -> Theme:
    if _saves_meld(view, best, wrong) or _spares_meld(view, best, wrong):
        return Theme.SAVING_MELD
    if is_strict_play(view) and len(view.hand) <= ENDGAME_CARDS:
        return Theme.ENDGAME
    if not view.trick and _forces(view, best):
        return Theme.FORCING
    if _depends_on_count(view, best):
        return Theme.COUNTING
    if _smears(view, best, wrong):
        return Theme.SMEARING
    return Theme.FOLLOWING if view.trick else Theme.LEADS


def _meld_kept(view: View, action: Action) -> int:
    """Return the meld of the hand without the cards of an action, with the best trump if open."""
    assert isinstance(action, Give | Bury | Discard)
    trumps: Iterable[Suit] = SUITS if view.trump is None else (view.trump,)
    return max(_meld_without(view, action.cards, trump) for trump in trumps)


def _meld_without(view: View, cards: Iterable[Card], trump: Suit) -> int:
    rest = list(view.hand)
    for card in cards:
        rest.remove(card)
    return total_points(find_melds(view.rules.melds, pack(rest), trump))


def _spares_meld(view: View, best: Card, wrong: Sequence[Card]) -> bool:
    """Return whether the best card leaves more meld in the hand, while melds may still be laid."""
    if is_strict_play(view) or view.trump is None:
        return False
    kept = _meld_without(view, (best,), view.trump)
    return bool(wrong) and all(kept > _meld_without(view, (card,), view.trump) for card in wrong)


def _has_meld_to_save(view: View) -> bool:
    """Return whether the own side has melded, and not yet won what keeps its meld.

    Only after a third of the tricks, because at first no side has won it.
    """
    assert view.seat is not None
    side = view.rules.side_of(view.seat)
    meld = sum(shown.points or 0 for shown in view.melds if view.rules.side_of(shown.seat) == side)
    if view.rules.scoring.keep_meld is KeepMeld.ALWAYS or not meld:
        return False
    if len(view.hand) > 2 * len(view.tricks) or not is_strict_play(view):
        return False
    won = [(one.winner, one.cards) for one in view.tricks]
    return not has_counter_by_side(view.rules, won)[side]


def _saves_meld(view: View, best: Card, wrong: Sequence[Card]) -> bool:
    """Return whether the best card takes a trick that the side's meld still needs."""
    assert view.seat is not None
    if not _has_meld_to_save(view):
        return False
    own = (view.seat, *view.rules.partners_of(view.seat))
    saving = meld_saving_kinds(view.rules.scoring.keep_meld)

    def saves(card: Card) -> bool:
        return _winner_after(view, card)[0] in own and any(
            saving[one] for one in (*view.trick, card)
        )

    return saves(best) and not any(saves(card) for card in wrong)


def _winner_after(view: View, card: Card) -> tuple[int, Card]:
    """Return the seat that wins the trick so far after a card, and its card there."""
    assert view.seat is not None and view.trump is not None
    seats = _seats_of_trick(view)
    holder, best = seats[0], (*view.trick, card)[0]
    for seat, played in zip(seats, (*view.trick, card), strict=False):
        if beats(played, best, view.trump):
            holder, best = seat, played
    return holder, best


def _seats_of_trick(view: View) -> tuple[int, ...]:
    assert view.seat is not None
    leader = view.seat if view.leader is None or not view.trick else view.leader
    start = view.players.index(leader)
    return view.players[start:] + view.players[:start]


def _forces(view: View, best: Card) -> bool:
    """Return whether the lead is of a suit in which an opponent must trump.

    The opponent has shown that it is void in the suit, and may still hold trump.
    """
    assert view.seat is not None and view.trump is not None
    if best.suit is view.trump or not view.rules.play.void_must_trump or not is_strict_play(view):
        return False
    void = _known_voids(view)
    partners = view.rules.partners_of(view.seat)
    return bool(_unseen(view, view.trump)) and any(
        (seat, best.suit) in void and (seat, view.trump) not in void
        for seat in view.players
        if seat != view.seat and seat not in partners
    )


def _known_voids(view: View) -> set[tuple[int, Suit]]:
    """Return the seats that could not follow a suit, with the suit, in tricks of strict play."""
    found: set[tuple[int, Suit]] = set()
    if view.stock or view.rules.deal.stock:  # tricks before the stock was empty prove nothing
        return found
    for trick in view.tricks:
        start = view.players.index(trick.leader)
        led = trick.cards[0].suit
        seats = view.players[start:] + view.players[:start]
        for seat, card in zip(seats, trick.cards, strict=False):
            if card.suit is not led:
                found.add((seat, led))
                if card.suit is not view.trump and view.trump is not None:
                    found.add((seat, view.trump))
    return found


def _depends_on_count(view: View, best: Card) -> bool:
    """Return whether the best card is high because all higher ones have been played.

    Or because no trump is out any more, and some trumps have been played.
    """
    assert view.trump is not None
    if view.trick and _winner_after(view, best)[0] != view.seat:
        return False
    if _unseen(view, best.suit, best.rank):
        return False
    played = [card for trick in view.tricks for card in trick.cards]
    is_promoted = best.rank > Rank.ACE and any(
        card.suit is best.suit and card.rank < best.rank for card in played
    )
    trumps_are_gone = (
        best.suit is not view.trump
        and not view.trick
        and not _unseen(view, view.trump)
        and any(card.suit is view.trump for card in played)
    )
    return is_promoted or trumps_are_gone


def _unseen(view: View, suit: Suit, above: int = RANK_COUNT) -> int:
    """Return how many cards of a suit above a rank the seat has not seen.

    The default of `above` counts every card of the suit. Melded and passed cards count as unseen,
    because they may still be played.
    """
    deal = view.rules.deal
    copies = len(view.players) if deal.copies is None else deal.copies
    rank_count = min(above, RANK_COUNT if deal.nines else RANK_COUNT - 1)
    seen = (*view.hand, *view.trick, *(view.buried or ()))
    of_suit = [
        card
        for cards in (seen, *[trick.cards for trick in view.tricks])
        for card in cards
        if card.suit is suit and card.rank < rank_count
    ]
    return rank_count * copies - len(of_suit)


def _smears(view: View, best: Card, wrong: Sequence[Card]) -> bool:
    """Return whether the best card is a counter for a partner's trick, and a wrong one is not."""
    if not view.trick or view.trump is None:
        return False
    assert view.seat is not None
    holder, _ = _winner_after(view, best)
    return (
        holder in view.rules.partners_of(view.seat)
        and best.rank <= Rank.KING
        and any(card.rank > Rank.KING for card in wrong)
    )
