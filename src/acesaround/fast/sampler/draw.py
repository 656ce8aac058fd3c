"""Drawing of worlds: a walk through the tables from the first node to the end, then rejection.

The tables leave some constraints out: the split of the heap (see `plan`), conditions that are only
checked, and the value of hidden melds. A world that breaks one of them is rejected and drawn again.
After very many rejections less and less is checked, and the world is marked as relaxed.
"""

from __future__ import annotations

from math import factorial, prod
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from acesaround.cards import KINDS
from acesaround.fast.jit import arrayless_kernel, inlined, ones
from acesaround.fast.playouts.melding import melds, worth
from acesaround.fast.playouts.packed_deal import add_set, remove
from acesaround.fast.playouts.rng import advance, random_below, shuffle, stream
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.sampler.constraints import Constraints
from acesaround.fast.sampler.counting_tables import CHILD, OPTIONS, SCALE, SHARE, Floats, Tables
from acesaround.fast.sampler.plan import CellLayout

Array: TypeAlias = Any  # of int64 or float64; numba infers it

_LOW: Final = (1 << SHARE) - 1


class WorldChecks(NamedTuple):
    """The checks of a world drawn from tables. Sets of kinds are as in `playouts.packed_deal`."""

    kinds: Integers
    """The kind of each step."""
    place: Integers
    """The place of each cell, -1 for the heap: (cells,)."""
    heap: Integers
    """The places that share the heap."""
    first: Integers
    """How many cards of each step's kind the heap's places hold for certain: (steps,). These cards
    are dealt first, so that fewer splits of the remaining heap are rejected."""
    more: Integers
    """How many cards of the remaining heap each of its places gets: (places of the heap,)."""
    player: Integers
    """The player at each place except the rest: (places - 1,)."""
    own: Integers
    """The own hand as a row of sets, followed by the index of its player."""
    least: Integers
    """Kinds of which the place must have more than `copy` cards: (places, copies)."""
    none: Integers
    """Kinds of which the place must not have more than `copy` cards: (places, copies)."""
    odds: Floats
    """The relative weight of each number of cards of a kind at a place of the heap, at most 1:
    (places, kinds, copies + 1)."""
    conditions: Integers
    """(rows, 1 + copies): place, then a set of kinds for each copy. A condition is met if the place
    lacks one of the kinds in one of these copies."""
    floors: Integers
    """(rows, 3): places as bits, the value that their melds stay below, trump."""
    played: Integers
    """The cards each place has played since it melded, as rows of sets: (places, copies)."""
    came: Integers
    """Cards that a place got after it melded: rows of a place and a kind."""
    joints: Integers
    """(rows, 3): places as bits, a kind, the least number of its cards that they hold together."""
    naming: Integers
    """A row for each marriage of the `MarriageCondition`, one of which must be possible: place,
    others as bits, cards of the marriage not played by the place, cards not played by the
    others, `gone`, `kept`."""
    melds: Integers
    """The tables of `playouts.melding`, if there are floors."""


def checks(
    known: Constraints, high: list[list[int]], choice: CellLayout, order: Integers
) -> WorldChecks:
    """Return the checks for everything that the tables of `choice` leave out."""
    copies, places = known.rules.deck.copies, range(len(known.sizes))
    odds = np.ones((len(known.sizes), KINDS, copies + 1))
    for place in choice.heap:
        for kind, unseen in enumerate(known.unseen):
            row = _odds(known.parted[place][kind], known.low[place][kind], unseen)
            odds[place, kind, : unseen + 1] = [number / max(row) for number in row]
    conditions = [
        [place, *(_set(k for k in kinds if most - known.played[place][k] == copy)
                  for copy in range(copies))]
        for place, kinds, most in choice.checked
    ]  # fmt: skip
    naming = []
    if (its := known.naming) is not None:
        here = known.played[its.place]
        for cards in its.marriages:
            mine = [k for k in cards if not here[k]]
            gone = [k for k in cards if not any(known.played[other][k] for other in its.others)]
            others = sum(1 << other for other in its.others)
            naming.append([its.place, others, _set(mine), _set(gone), its.gone, its.kept])
    own = np.array([_set(k for k in range(KINDS) if (known.own >> 8 * k & 7) > copy)
                    for copy in range(copies)], np.int64)  # fmt: skip
    return WorldChecks(
        kinds=order,
        place=np.array([cell[0] if len(cell) == 1 else -1 for cell in choice.cells], np.int64),
        heap=np.array(choice.heap, np.int64),
        first=np.array([sum(known.low[p][k] for p in choice.heap) for k in order], np.int64),
        more=np.array([known.sizes[p] - sum(known.low[p]) for p in choice.heap], np.int64),
        player=np.array(known.hidden, np.int64),
        own=np.array([*own, known.players.index(known.seat)], np.int64),
        least=_sets(lambda p, k, copy: known.low[p][k] > copy, places, copies),
        none=_sets(lambda p, k, copy: high[p][k] <= copy, places, copies),
        odds=odds,
        conditions=np.array(conditions, np.int64).reshape(len(conditions), copies + 1),
        floors=np.array(
            [[sum(1 << p for p in f.places), f.less, known.trump] for f in known.floors], np.int64
        ).reshape(len(known.floors), 3),
        played=_sets(lambda p, k, copy: known.played[p][k] > copy, places, copies),
        came=np.array(
            [(p, k) for p in places for k in range(KINDS) for _ in range(-known.played[p][k])],
            np.int64,
        ).reshape(-1, 2),
        joints=np.array(
            [[sum(1 << p for p in j.places), j.kind, j.number] for j in known.joints], np.int64
        ).reshape(len(known.joints), 3),
        naming=np.array(naming, np.int64).reshape(len(naming), 6),
        melds=melds(known.rules) if known.floors else np.zeros(0, np.int64),
    )


def _set(kinds: Any) -> int:
    return sum(1 << kind for kind in kinds)


def _sets(holds: Any, places: range, copies: int) -> Integers:
    return np.array(
        [[_set(k for k in range(KINDS) if holds(p, k, c)) for c in range(copies)] for p in places],
        np.int64,
    )


def _odds(parted: int, low: int, unseen: int) -> list[float]:
    """Return, for each n, the factor that the heap's ways leave out: (n - low)! / (n + parted)!.

    `n`: cards of a kind at a place. `low`: how many of them are certain, so that they were not
    split.
    """
    if not unseen:
        return [1.0]  # the tables have no step for a kind without unseen cards
    return [
        factorial(number - low) / factorial(number + parted) if number >= max(low, -parted) else 0.0
        for number in range(unseen + 1)
    ]


def scale(known: Constraints, choice: CellLayout) -> float:
    """Return the factor by which the odds of the heap's places were reduced to be at most 1."""
    return prod(
        max(_odds(known.parted[place][kind], known.low[place][kind], unseen))
        for place in choice.heap
        for kind, unseen in enumerate(known.unseen)
    )


@inlined
def _walk(tables: Tables, checks: WorldChecks, rows: Array, cards: Array, chance: int) -> int:
    """Share out all kinds by the tables; return the random stream after that.

    Fills `rows`, the sets of each place, and `cards`, the cards of the heap in order of kinds.
    Places of the heap get only the cards that are certain.
    """
    node = number = 0
    copies = rows.shape[1]
    for place in range(rows.shape[0]):
        for copy in range(copies):
            rows[place, copy] = 0
    for at in range(checks.heap.shape[0]):
        for copy in range(copies):
            rows[checks.heap[at], copy] = checks.least[checks.heap[at], copy]
    for step in range(tables.at.shape[0] - 1):
        chance = advance(chance)
        drawn = random_below(chance, 1 << SCALE)
        edge = tables.first[node]
        while (tables.edges[edge] >> SHARE) <= drawn:
            edge += 1
        to = tables.edges[edge] & _LOW
        option = tables.at[step] + (to & (OPTIONS - 1))
        node = to >> CHILD
        kind = checks.kinds[step]
        for cell in range(tables.shared.shape[1]):
            many = tables.shared[option, cell]
            place = checks.place[cell]
            if place < 0:
                for _ in range(many - checks.first[step]):
                    cards[number] = kind
                    number += 1
            else:
                for copy in range(many):
                    rows[place, copy] |= 1 << kind
    return chance


@inlined
def _split(checks: WorldChecks, rows: Array, cards: Array, chance: int) -> int:
    """Deal the heap out to its places at random; return the random stream after that."""
    chance = shuffle(chance, cards, cards.shape[0])
    number = 0
    for at in range(checks.heap.shape[0]):
        place = checks.heap[at]
        for _ in range(checks.more[at]):
            add_set(rows, place, 1 << cards[number])
            number += 1
    return chance


@inlined
def _bounded(checks: WorldChecks, rows: Array) -> bool:
    """Return whether the places of the heap are within their bounds."""
    for at in range(checks.heap.shape[0]):
        place = checks.heap[at]
        for copy in range(rows.shape[1]):
            row = rows[place, copy]
            if checks.least[place, copy] & ~row or checks.none[place, copy] & row:
                return False
    return True


@inlined
def _taken(checks: WorldChecks, rows: Array, chance: int) -> bool:
    """Decide at random whether to keep the split, by what its places have parted with."""
    odds = 1.0
    for at in range(checks.heap.shape[0]):
        place = checks.heap[at]
        for kind in range(KINDS):
            number = 0
            while number < rows.shape[1] and rows[place, number] >> kind & 1:
                number += 1
            odds *= checks.odds[place, kind, number]
    stands: bool = random_below(chance, 1 << SCALE) < odds * (1 << SCALE)
    return stands


@inlined
def _met(checks: WorldChecks, rows: Array, number: int) -> bool:
    """Return whether the first `number` checked conditions are met."""
    for row in range(number):
        place, met = checks.conditions[row, 0], False
        for copy in range(rows.shape[1]):
            if checks.conditions[row, 1 + copy] & ~rows[place, copy]:
                met = True
        if not met:
            return False
    return True


@inlined
def _named(checks: WorldChecks, rows: Array) -> bool:
    """Return whether the declarer had a marriage from which to name trump."""
    for row in range(checks.naming.shape[0]):
        passed_on = checks.naming[row, 2] & ~rows[checks.naming[row, 0], 0]
        held_on = checks.naming[row, 3]
        for place in range(rows.shape[0]):
            if checks.naming[row, 1] >> place & 1:
                held_on &= ~rows[place, 0]
        enough = ones(passed_on) <= checks.naming[row, 4] and ones(held_on) <= checks.naming[row, 5]
        if enough and passed_on & held_on == 0:
            return True
    return len(checks.naming) == 0


@inlined
def _shared(checks: WorldChecks, rows: Array) -> bool:
    """Return whether places with a joint minimum hold at least that many cards of the kind."""
    for row in range(checks.joints.shape[0]):
        number, kind = 0, checks.joints[row, 1]
        for place in range(rows.shape[0]):
            if checks.joints[row, 0] >> place & 1:
                for copy in range(rows.shape[1]):
                    number += rows[place, copy] >> kind & 1
        if number < checks.joints[row, 2]:
            return False
    return True


@inlined
def _cheap(checks: WorldChecks, rows: Array, melded: Array) -> bool:
    """Return whether the hidden melds are worth less than their limits."""
    for row in range(checks.floors.shape[0]):
        total = 0
        for place in range(rows.shape[0]):
            if checks.floors[row, 0] >> place & 1:
                for copy in range(rows.shape[1]):
                    melded[0, copy] = rows[place, copy]
                for at in range(checks.came.shape[0]):
                    if checks.came[at, 0] == place:
                        remove(melded, 0, checks.came[at, 1])
                for copy in range(rows.shape[1]):
                    add_set(melded, 0, checks.played[place, copy])
                total += worth(checks.melds, melded, 0, checks.floors[row, 2])
        if total >= checks.floors[row, 1]:
            return False
    return True


@arrayless_kernel
def draw(
    tables: Tables,
    checks: WorldChecks,
    seed: int,
    tries: int,
    hands: Array,
    rest: Array,
    relaxed: Array,
    rows: Array,
    melded: Array,
    cards: Array,
) -> int:
    """Fill `hands`, `rest` and `relaxed` with worlds of a seed; return the number of draws.

    `rows`, `melded`, `cards`: work memory of the shapes (places, copies), (1, copies) and (cards of
    the heap,).
    """
    drawn = 0
    copies, players = rows.shape[1], checks.player.shape[0]
    mine, weighed = checks.own[copies], checks.heap.shape[0] > 0
    for world in range(hands.shape[0]):
        chance = stream(seed, world)
        conditions, bounded, floors, tried = checks.conditions.shape[0], True, True, 0
        while True:
            drawn += 1
            tried += 1
            if tried > tries:  # drop the least important checks first, and in the end all
                relaxed[world] = 1
                floors = False
                conditions //= 2
                if tried > 2 * tries:
                    conditions = 0
                if tried > 3 * tries:
                    bounded = False
            chance = _walk(tables, checks, rows, cards, chance)
            if weighed:
                chance = _split(checks, rows, cards, chance)
                if bounded:
                    if not _bounded(checks, rows):
                        continue
                    chance = advance(chance)
                    if not _taken(checks, rows, chance):
                        continue
            if not _met(checks, rows, conditions):
                continue
            if floors and not (_shared(checks, rows) and _named(checks, rows)):
                continue
            if floors and not _cheap(checks, rows, melded):
                continue
            break
        for copy in range(copies):
            hands[world, mine, copy] = checks.own[copy]
            for place in range(players):
                hands[world, checks.player[place], copy] = rows[place, copy]
        number = 0
        for kind in range(KINDS):
            for copy in range(copies):
                if rows[players, copy] >> kind & 1:
                    rest[world, number] = kind
                    number += 1
        chance = shuffle(chance, rest[world], number)
    return drawn
