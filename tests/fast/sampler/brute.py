"""All worlds of a view, found by trying all layouts of cards, with exact weights.

In a world the engine replays the past (`history`) and shows the seat the same view. The weight of a
world is the number of ways to distribute its copies, told apart. No bound or formula is used.

"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, islice, pairwise, product

from acesaround.actions import Play
from acesaround.cards import Card, pack
from acesaround.errors import IllegalAction
from acesaround.game.json_format import view_to_json
from acesaround.game.state import GameState
from acesaround.game.view import view_for
from tests.fast.sampler.history import LateError, replay_in_world
from tests.random_games import Turn

World = tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]


class TooManyError(Exception):
    """There are too many layouts to try."""


def unseen(state: GameState, seat: int) -> Counter[Card]:
    """Return the cards that a seat does not see: those of other hands and the rest."""
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
    """Yield all ways to distribute `number` equal things among places."""
    for bars in combinations_with_replacement(range(number + 1), places - 1):
        cuts = (0, *bars, number)
        yield tuple(b - a for a, b in pairwise(cuts))


def layouts(cards: Counter[Card], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield all layouts of cards at places of `sizes`: how many of each kind at each place."""
    if not cards:
        yield ()
        return
    (_, number), *more = cards.items()
    for shared in shares(number, len(sizes)):
        left = tuple(size - n for size, n in zip(sizes, shared, strict=True))
        if min(left) >= 0:
            for others in layouts(Counter(dict(more)), left):
                yield (shared, *others)


def count_distributions(totals: Sequence[int], kitty: int, declarer: int) -> int:
    """Return the number of ways to distribute the copies of a card among places.

    Copies are told apart. `totals`: how many are at each place. The first `kitty` copies were shown
    in the kitty: they are with the declarer or, last, buried.
    """
    found = 0
    for layout in product(range(len(totals)), repeat=sum(totals)):
        if all(place in (declarer, len(totals) - 1) for place in layout[:kitty]):
            found += all(layout.count(place) == total for place, total in enumerate(totals))
    return found


def every_world(past: Sequence[Turn], seat: int, max_layouts: int) -> dict[World, int]:
    """Return all worlds after `past`, as hands and sorted rest, with their weights.

    Raise TooManyError if there are more than `max_layouts` layouts.

    """
    state = past[-1].after
    deal, hidden = state.deal, [s for s in state.players if s != seat]
    cards = unseen(state, seat)
    sizes = [len(state.hand(s)) for s in hidden]
    seen = view_to_json(view_for(state, seat))
    played_or_passed = {s: Counter[Card]() for s in state.players}
    for turn in past:
        if isinstance(turn.action, Play) and turn.decision.seat is not None:
            played_or_passed[turn.decision.seat][turn.action.card] += 1
    for gift in deal.passed_cards:
        if seat in (gift.seat, gift.to):
            played_or_passed[gift.seat].update(gift.cards)
            played_or_passed[gift.to].subtract(gift.cards)
    for taken in deal.upcards_taken:  # the upcard, perhaps in exchange for a nine
        played_or_passed[taken.seat][taken.card] -= 1
        played_or_passed[taken.seat].update([] if taken.left is None else [taken.left])
    declarer = hidden.index(deal.declarer) if deal.kitty and deal.declarer in hidden else -1
    worlds: dict[World, int] = {}
    all_layouts = list(
        islice(layouts(cards, (*sizes, sum(cards.values()) - sum(sizes))), max_layouts + 1)
    )
    if len(all_layouts) > max_layouts:
        raise TooManyError
    for layout in all_layouts:
        places = [
            tuple(
                card for card, shared in zip(cards, layout, strict=True) for _ in range(shared[p])
            )
            for p in range(len(hidden) + 1)
        ]
        hands = {s: tuple(sorted(cards)) for s, cards in zip(hidden, places, strict=False)}
        hands[seat] = state.hand(seat)
        in_turn = tuple(hands[s] for s in state.players)
        rest = tuple(sorted(places[-1]))
        try:
            replayed = replay_in_world(past, seat, [pack(hand) for hand in in_turn], rest)
        except (IllegalAction, LateError, ValueError):  # a needed card is missing
            continue
        if view_to_json(view_for(replayed, seat)) != seen:
            continue
        weight = 1
        for card in set(state.rules.deck.cards):
            totals = [hands[s].count(card) + played_or_passed[s][card] for s in hidden] + [
                rest.count(card)
            ]
            if min(totals) < 0:
                weight = 0
                break
            kitty = deal.kitty.count(card) if declarer >= 0 else 0
            weight *= count_distributions(totals, kitty, declarer)
        if weight:
            worlds[in_turn, rest] = weight
    return worlds
