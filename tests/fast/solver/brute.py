"""The value of a position by trying every play without pruning: the oracle of the solver."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from msgspec.structs import astuple, replace

from acesaround.cards import CARDS, SUITS, Card, Suit
from acesaround.fast import Position, SolverSetup
from acesaround.fast.solver import legal_plays
from acesaround.rules import MustBeat, PlayRules

ONES, TENS = (1, 1, 1, 0, 0, 0), (10, 10, 10, 0, 0, 0)
FIVES, TRADITIONAL = (10, 10, 5, 5, 0, 0), (11, 10, 4, 3, 2, 0)
WIN_IF_ABLE = PlayRules(void_must_trump=False)
BEAT_IN_TRUMP = PlayRules(must_beat=MustBeat.TRUMP)
NEED_NOT_BEAT = PlayRules(must_beat=MustBeat.NEVER)
NEED_NOT_BEAT_OR_TRUMP = PlayRules(must_beat=MustBeat.NEVER, void_must_trump=False)
ARRANGEMENTS = {
    "partners": SolverSetup((0, 1, 0, 1), 2, ONES, 1),
    "partners, tens": SolverSetup((1, 0, 1, 0), 2, TENS, 10),
    "partners, kings five": SolverSetup((0, 1, 0, 1), 2, FIVES, 10),
    "partners, traditional": SolverSetup((0, 1, 0, 1), 2, TRADITIONAL, 10),
    "declarer against two": SolverSetup((0, 1, 1), 2, ONES, 1),
    "two against declarer": SolverSetup((0, 1, 0), 2, TENS, 10),
    "two hands": SolverSetup((0, 1), 2, TRADITIONAL, 10),
    "double deck": SolverSetup((0, 1, 0, 1), 4, ONES[:5], 2),
    "one of five": SolverSetup((1, 0, 1, 1, 1), 2, TENS, 10),
    "three against three": SolverSetup((0, 1, 0, 1, 0, 1), 2, ONES, 1),
    "one of nine": SolverSetup((0, 1, 1, 1, 1, 1, 1, 1, 1), 2, TENS, 10),
    "one of three, 72 cards": SolverSetup((1, 0, 1), 3, TRADITIONAL, 10),
    "one of four, 96 cards": SolverSetup((0, 1, 1, 1), 4, TENS, 10),
    "partners, six copies": SolverSetup((0, 1, 0, 1), 6, ONES[:5], 2),
    "partners, one copy": SolverSetup((0, 1, 0, 1), 1, TENS, 10),
    "one of three, five copies": SolverSetup((0, 1, 1), 5, TRADITIONAL, 10),
    "three against three, six copies": SolverSetup((0, 1, 0, 1, 0, 1), 6, ONES[:5], 2),
    "two of six, six copies and nines": SolverSetup((0, 1, 1, 0, 1, 1), 6, FIVES, 10),
    "one of three, win if able": SolverSetup((1, 0, 1), 2, FIVES, 10, WIN_IF_ABLE),
    "one of four, win if able": SolverSetup((0, 1, 1, 1), 2, FIVES, 10, WIN_IF_ABLE),
    "two against one, win if able": SolverSetup((0, 1, 0), 3, TENS, 10, WIN_IF_ABLE),
    "one of four, 96 cards, win if able": SolverSetup(
        (0, 1, 1, 1), 4, TRADITIONAL, 10, WIN_IF_ABLE
    ),
    "declarer against two, beat trump": SolverSetup((0, 1, 1), 2, TRADITIONAL, 10, BEAT_IN_TRUMP),
    "partners, beat trump": SolverSetup((0, 1, 0, 1), 2, ONES, 1, BEAT_IN_TRUMP),
    "partners, need not beat": SolverSetup((0, 1, 0, 1), 2, TENS, 10, NEED_NOT_BEAT),
    "two hands, need not beat": SolverSetup((0, 1), 2, TRADITIONAL, 10, NEED_NOT_BEAT),
    "one of three, four copies, need not beat or trump": SolverSetup(
        (1, 0, 1), 4, FIVES, 10, NEED_NOT_BEAT_OR_TRUMP
    ),
}


def values(position: Position) -> tuple[int, dict[Card, int]]:
    """Return the points that side 0 wins from here with best play, and those by each legal card."""

    @cache
    def search(here: Position) -> int:
        if not any(here.hands):
            return 0
        return best_of(here)(
            won + search(after) for after, won in map(here.after_playing, legal_plays(here))
        )

    def best_of(here: Position) -> Callable[[Iterable[int]], int]:
        return max if here.setup.sides[here.turn] == 0 else min

    found = {}
    for card in legal_plays(position):
        after, won = position.after_playing(card)
        found[card] = won + search(after)
    return best_of(position)(found.values()), found


def value(position: Position) -> int:
    """Return the points that side 0 wins from here with best play."""
    return values(position)[0]


def dealt(setup: SolverSetup, cards: int, rng: random.Random, suits: int = 4) -> Position:
    """Return a random ending: any trump and leader, trump broken or not.

    With fewer suits, cards of adjacent ranks more often must beat each other.

    """
    used = rng.sample(SUITS, suits)
    deck = [card for card in CARDS if card.rank < setup.ranks and card.suit in used]
    deck = [card for card in deck for _ in range(setup.copies)]
    rng.shuffle(deck)
    return Position(
        setup=setup,
        trump=rng.choice(used),
        hands=tuple(tuple(sorted(deck[p * cards : (p + 1) * cards])) for p in range(setup.players)),
        leader=rng.randrange(setup.players),
        is_trump_broken=rng.random() < 0.5,
    )


def endings(setup: SolverSetup, cards: int, number: int, seed: int) -> Iterator[Position]:
    """Yield random endings of all suits or of two, half of them in the middle of a trick."""
    rng = random.Random(f"{astuple(setup)} {cards} {seed}")
    two_suffice = setup.players * cards <= 2 * setup.ranks * setup.copies
    for _ in range(number):
        position = dealt(setup, cards, rng, rng.choice([2, 4]) if two_suffice else 4)
        for _ in range(rng.choice([0, rng.randrange(setup.players)])):
            position, _ = position.after_playing(rng.choice(legal_plays(position)))
        yield position


def exchanged(position: Position, rng: random.Random) -> Position:
    """Return the position with cards of equal suit and points shuffled among the hands."""
    worth = position.setup.points
    equal_cards: dict[tuple[Suit, int], list[Card]] = {}
    for card in (card for hand in position.hands for card in hand):
        equal_cards.setdefault((card.suit, worth[card.rank]), []).append(card)
    for cards in equal_cards.values():
        rng.shuffle(cards)
    hands = (
        tuple(sorted(equal_cards[card.suit, worth[card.rank]].pop() for card in hand))
        for hand in position.hands
    )
    return replace(position, hands=tuple(hands))


def relabelled(position: Position, turn: int, suits: dict[Suit, Suit]) -> Position:
    """Return the position with the players moved by `turn` places and the suits renamed."""

    def renamed(card: Card) -> Card:
        return CARDS[6 * suits[card.suit] + card.rank]

    def moved(items: tuple[object, ...]) -> tuple[object, ...]:
        return (*items[-turn:], *items[:-turn]) if turn else items

    setup = position.setup
    return Position(
        setup=replace(setup, sides=moved(setup.sides)),
        trump=suits[position.trump],
        hands=moved(tuple(tuple(map(renamed, hand)) for hand in position.hands)),  # type: ignore[arg-type]
        leader=(position.leader + turn) % setup.players,
        trick=tuple(map(renamed, position.trick)),
        is_trump_broken=position.is_trump_broken,
    )
