"""Every world there is, found by trying all, each weighed by naming the copies of its cards.

A world is one in which the engine, told the past anew (`history`), shows the seat the same view.
Nothing here knows a bound or a formula.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, islice, pairwise, product

from acesaround.actions import Play
from acesaround.cards import Card, pack
from acesaround.errors import IllegalAction
from acesaround.game.state import GameState
from acesaround.game.view import encode, view_for
from tests.fast.sampler.history import LateError, retold
from tests.random_games import Turn

World = tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]


class TooManyError(Exception):
    """There are more worlds than can be tried."""


def unseen(state: GameState, seat: int) -> Counter[Card]:
    """The cards that are neither played nor known to lie elsewhere than in hands and the rest."""
    deal = state.deal
    left = Counter(state.rules.deck.cards)
    left.subtract(state.hand(seat))
    for trick in deal.tricks:
        left.subtract(trick.cards)
    left.subtract(getattr(state.phase, "cards", ()))
    left.subtract([deal.upcard] if deal.upcard is not None else [])
    left.subtract(deal.buried if deal.declarer == seat else ())
    for throw in deal.discarded:
        left.subtract(throw.cards if throw.seat == seat else ())
    return +left


def shares(number: int, places: int) -> Iterator[tuple[int, ...]]:
    """All ways to share so many alike things among places."""
    for bars in combinations_with_replacement(range(number + 1), places - 1):
        cuts = (0, *bars, number)
        yield tuple(b - a for a, b in pairwise(cuts))


def lies(cards: Counter[Card], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to lay out those cards at places of those sizes: by kind, how many at each place."""
    if not cards:
        yield ()
        return
    (_, number), *more = cards.items()
    for shared in shares(number, len(sizes)):
        left = tuple(size - n for size, n in zip(sizes, shared, strict=True))
        if min(left) >= 0:
            for others in lies(Counter(dict(more)), left):
                yield (shared, *others)


def ways(totals: Sequence[int], kitty: int, declarer: int) -> int:
    """In how many ways the copies of a card, named apart, lie at places so many at each.

    Of these copies the first `kitty` were shown in the kitty: they are with the declarer or, last,
    buried.
    """
    found = 0
    for lie in product(range(len(totals)), repeat=sum(totals)):
        if all(place in (declarer, len(totals) - 1) for place in lie[:kitty]):
            found += all(lie.count(place) == total for place, total in enumerate(totals))
    return found


def every_world(past: Sequence[Turn], seat: int, most: int) -> dict[World, int]:
    """All worlds at the moment after `past`, as hands and rest in written order, with their weight.

    Raises TooManyError where more than `most` lies would have to be tried.
    """
    state = past[-1].after
    deal, hidden = state.deal, [s for s in state.players if s != seat]
    cards = unseen(state, seat)
    sizes = [len(state.hand(s)) for s in hidden]
    seen = encode(view_for(state, seat))
    went = {s: Counter[Card]() for s in state.players}
    for turn in past:
        if isinstance(turn.action, Play) and turn.decision.seat is not None:
            went[turn.decision.seat][turn.action.card] += 1
    for gift in deal.given:
        if seat in (gift.seat, gift.to):
            went[gift.seat].update(gift.cards)
            went[gift.to].subtract(gift.cards)
    for taken in deal.taken:  # from where everybody saw it lie, and for a nine that was held
        went[taken.seat][taken.card] -= 1
        went[taken.seat].update([] if taken.left is None else [taken.left])
    declarer = hidden.index(deal.declarer) if deal.kitty and deal.declarer in hidden else -1
    found: dict[World, int] = {}
    every = list(islice(lies(cards, (*sizes, sum(cards.values()) - sum(sizes))), most + 1))
    if len(every) > most:
        raise TooManyError
    for lie in every:
        places = [
            tuple(card for card, shared in zip(cards, lie, strict=True) for _ in range(shared[p]))
            for p in range(len(hidden) + 1)
        ]
        hands = {s: tuple(sorted(cards)) for s, cards in zip(hidden, places, strict=False)}
        hands[seat] = state.hand(seat)
        in_turn = tuple(hands[s] for s in state.players)
        rest = tuple(sorted(places[-1]))
        try:
            told = retold(past, seat, [pack(hand) for hand in in_turn], rest)
        except (IllegalAction, LateError, ValueError):  # a card that must be there is not
            continue
        if encode(view_for(told, seat)) != seen:
            continue
        weight = 1
        for card in set(state.rules.deck.cards):
            totals = [hands[s].count(card) + went[s][card] for s in hidden] + [rest.count(card)]
            if min(totals) < 0:
                weight = 0
                break
            kitty = deal.kitty.count(card) if declarer >= 0 else 0
            weight *= ways(totals, kitty, declarer)
        if weight:
            found[in_turn, rest] = weight
    return found
