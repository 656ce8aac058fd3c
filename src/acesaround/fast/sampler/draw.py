"""Drawing of worlds: a walk through the tables from the first node to the end, then rejection.

The tables leave some constraints out: the split of the shared group (see `plan`), conditions that
are only checked, and the value of hidden melds. The sampler rejects a world that breaks one of them
and draws again. After very many rejections less and less is checked, and the world is marked as
relaxed.
"""

from __future__ import annotations

from math import factorial, prod
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from acesaround.cards import KIND_COUNT
from acesaround.fast.jit import arrayless_kernel, bit_count, inlined_kernel
from acesaround.fast.playouts.meld_values import build_meld_tables, hand_meld
from acesaround.fast.playouts.packed_deal import add_kinds, remove_card
from acesaround.fast.playouts.rng import advance, random_below, shuffle, start_stream
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.sampler.constraints import Constraints
from acesaround.fast.sampler.counting_tables import (
    MAX_OPTIONS,
    OPTION_BITS,
    SHARE_BITS,
    SHARE_SHIFT,
    CountingTables,
    Floats,
)
from acesaround.fast.sampler.plan import PlaceGroups

Array: TypeAlias = Any  # of int64 or float64; numba infers it

_EDGE_MASK: Final = (1 << SHARE_SHIFT) - 1


class WorldChecks(NamedTuple):
    """The checks of a world drawn from tables. Sets of kinds are as in `playouts.packed_deal`."""

    step_kinds: Integers
    """The kind of each step."""
    place_of_group: Integers
    """The place of each group, -1 for the shared group: (groups,)."""
    shared_places: Integers
    """The places of the shared group."""
    certain_counts: Integers
    """How many cards of each step's kind the shared group's places hold for certain: (steps,).
    These cards are dealt first, so that fewer splits of the remaining shared group are rejected."""
    shared_place_shares: Integers
    """How many of the shared group's remaining cards each place gets: (shared places,)."""
    player_at_place: Integers
    """The player at each place except the rest: (places - 1,)."""
    own_hand: Integers
    """The own hand as a row of sets, followed by the index of its player."""
    required_sets: Integers
    """Kinds of which the place must have more than `copy` cards: (places, copies)."""
    forbidden_sets: Integers
    """Kinds of which the place must not have more than `copy` cards: (places, copies)."""
    keep_weights: Floats
    """The relative weight, at most 1, of each number of cards of a kind at a shared place:
    (places, kinds, copies + 1)."""
    conditions: Integers
    """(rows, 1 + copies): place, then a set of kinds for each copy. A condition is met if the place
    lacks one of the kinds in one of these copies."""
    meld_ceilings: Integers
    """(rows, 3): places as bits, the value that their melds stay below, trump."""
    played_since_meld: Integers
    """The cards each place has played since it melded, as rows of sets: (places, copies)."""
    cards_gained: Integers
    """Cards that a place got after it melded: rows of a place and a kind."""
    joint_minimums: Integers
    """(rows, 3): places as bits, a kind, the least number of its cards that they hold together."""
    marriages: Integers
    """A row for each marriage of the `MarriageCondition`, one of which must be possible: place,
    others as bits, cards of the marriage not played by the place, cards not played by the
    others, `passed_count`, `kept_count`."""
    meld_tables: Integers
    """The tables of `playouts.meld_values`, if there are floors."""


def make_checks(
    constraints: Constraints, high: list[list[int]], layout: PlaceGroups, step_kinds: Integers
) -> WorldChecks:
    """Return the checks for everything that the tables of `layout` leave out."""
    copies, places = constraints.rules.deck.copies, range(len(constraints.place_sizes))
    keep_weights = np.ones((len(constraints.place_sizes), KIND_COUNT, copies + 1))
    for place in layout.shared_places:
        for kind, unseen in enumerate(constraints.unseen):
            row = _keep_weights(
                constraints.former_cards[place][kind], constraints.low[place][kind], unseen
            )
            keep_weights[place, kind, : unseen + 1] = [number / max(row) for number in row]
    conditions = [
        [
            place,
            *(
                _kind_set(
                    k for k in kinds if max_count - constraints.played_since_meld[place][k] == copy
                )
                for copy in range(copies)
            ),
        ]
        for place, kinds, max_count in layout.checked_conditions
    ]
    marriages = []
    if (marriage_condition := constraints.marriage_condition) is not None:
        played_here = constraints.played_since_meld[marriage_condition.place]
        for cards in marriage_condition.marriages:
            must_be_passed = [k for k in cards if not played_here[k]]
            must_be_kept = [
                k
                for k in cards
                if not any(
                    constraints.played_since_meld[other][k]
                    for other in marriage_condition.other_places
                )
            ]
            other_places = sum(1 << other for other in marriage_condition.other_places)
            marriages.append(
                [
                    marriage_condition.place,
                    other_places,
                    _kind_set(must_be_passed),
                    _kind_set(must_be_kept),
                    marriage_condition.passed_count,
                    marriage_condition.kept_count,
                ]
            )
    own_hand = np.array(
        [
            _kind_set(k for k in range(KIND_COUNT) if (constraints.own_hand >> 8 * k & 7) > copy)
            for copy in range(copies)
        ],
        np.int64,
    )
    return WorldChecks(
        step_kinds=step_kinds,
        place_of_group=np.array(
            [group[0] if len(group) == 1 else -1 for group in layout.groups], np.int64
        ),
        shared_places=np.array(layout.shared_places, np.int64),
        certain_counts=np.array(
            [sum(constraints.low[p][k] for p in layout.shared_places) for k in step_kinds], np.int64
        ),
        shared_place_shares=np.array(
            [constraints.place_sizes[p] - sum(constraints.low[p]) for p in layout.shared_places],
            np.int64,
        ),
        player_at_place=np.array(constraints.hidden_players, np.int64),
        own_hand=np.array([*own_hand, constraints.players.index(constraints.seat)], np.int64),
        required_sets=_kind_sets(lambda p, k, copy: constraints.low[p][k] > copy, places, copies),
        forbidden_sets=_kind_sets(lambda p, k, copy: high[p][k] <= copy, places, copies),
        keep_weights=keep_weights,
        conditions=np.array(conditions, np.int64).reshape(len(conditions), copies + 1),
        meld_ceilings=np.array(
            [
                [sum(1 << p for p in f.places), f.limit, constraints.trump]
                for f in constraints.meld_ceilings
            ],
            np.int64,
        ).reshape(len(constraints.meld_ceilings), 3),
        played_since_meld=_kind_sets(
            lambda p, k, copy: constraints.played_since_meld[p][k] > copy, places, copies
        ),
        cards_gained=np.array(
            [
                (p, k)
                for p in places
                for k in range(KIND_COUNT)
                for _ in range(-constraints.played_since_meld[p][k])
            ],
            np.int64,
        ).reshape(-1, 2),
        joint_minimums=np.array(
            [
                [sum(1 << p for p in j.places), j.kind, j.minimum]
                for j in constraints.joint_minimums
            ],
            np.int64,
        ).reshape(len(constraints.joint_minimums), 3),
        marriages=np.array(marriages, np.int64).reshape(len(marriages), 6),
        meld_tables=build_meld_tables(constraints.rules)
        if constraints.meld_ceilings
        else np.zeros(0, np.int64),
    )


def _kind_set(kinds: Any) -> int:
    return sum(1 << kind for kind in kinds)


def _kind_sets(has_kind: Any, places: range, copies: int) -> Integers:
    return np.array(
        [
            [_kind_set(k for k in range(KIND_COUNT) if has_kind(p, k, c)) for c in range(copies)]
            for p in places
        ],
        np.int64,
    )


def _keep_weights(former_cards: int, certain_count: int, unseen: int) -> list[float]:
    """Return the factors that the shared group's number of ways leaves out, one for each count n.

    The factor is (n - certain_count)! / (n + former_cards)! for n cards of a kind at a place.
    `certain_count`: how many of them are certain, so that they were not split. `former_cards`: how
    many the place has parted with.
    """
    if not unseen:
        return [1.0]  # the tables have no step for a kind without unseen cards
    return [
        factorial(number - certain_count) / factorial(number + former_cards)
        if number >= max(certain_count, -former_cards)
        else 0.0
        for number in range(unseen + 1)
    ]


def keep_weight_scale(constraints: Constraints, layout: PlaceGroups) -> float:
    """Return the factor by which the odds of shared places were reduced to be at most 1."""
    return prod(
        max(
            _keep_weights(
                constraints.former_cards[place][kind], constraints.low[place][kind], unseen
            )
        )
        for place in layout.shared_places
        for kind, unseen in enumerate(constraints.unseen)
    )


@inlined_kernel
def _deal_groups(
    counting_tables: CountingTables,
    world_checks: WorldChecks,
    rows: Array,
    cards: Array,
    rng_state: int,
) -> int:
    """Share out all kinds by the tables; return the random stream after that.

    Fills `rows`, the sets of each place, and `cards`, the cards of the shared group in order of
    kinds. Places of the shared group get only the cards that are certain.
    """
    node = pool_count = 0
    copies = rows.shape[1]
    for place in range(rows.shape[0]):
        for copy in range(copies):
            rows[place, copy] = 0
    for at in range(world_checks.shared_places.shape[0]):
        for copy in range(copies):
            rows[world_checks.shared_places[at], copy] = world_checks.required_sets[
                world_checks.shared_places[at], copy
            ]
    for step in range(counting_tables.first_option.shape[0] - 1):
        rng_state = advance(rng_state)
        share = random_below(rng_state, 1 << SHARE_BITS)
        edge = counting_tables.first_edge[node]
        while (counting_tables.edges[edge] >> SHARE_SHIFT) <= share:
            edge += 1
        target = counting_tables.edges[edge] & _EDGE_MASK
        option = counting_tables.first_option[step] + (target & (MAX_OPTIONS - 1))
        node = target >> OPTION_BITS
        kind = world_checks.step_kinds[step]
        for group in range(counting_tables.group_counts.shape[1]):
            count = counting_tables.group_counts[option, group]
            place = world_checks.place_of_group[group]
            if place < 0:
                for _ in range(count - world_checks.certain_counts[step]):
                    cards[pool_count] = kind
                    pool_count += 1
            else:
                for copy in range(count):
                    rows[place, copy] |= 1 << kind
    return rng_state


@inlined_kernel
def _deal_shared_group(world_checks: WorldChecks, rows: Array, cards: Array, rng_state: int) -> int:
    """Deal the shared group out to its places at random; return the random stream after that."""
    rng_state = shuffle(rng_state, cards, cards.shape[0])
    dealt_count = 0
    for at in range(world_checks.shared_places.shape[0]):
        place = world_checks.shared_places[at]
        for _ in range(world_checks.shared_place_shares[at]):
            add_kinds(rows, place, 1 << cards[dealt_count])
            dealt_count += 1
    return rng_state


@inlined_kernel
def _is_within_bounds(world_checks: WorldChecks, rows: Array) -> bool:
    """Return whether the places of the shared group are within their bounds."""
    for at in range(world_checks.shared_places.shape[0]):
        place = world_checks.shared_places[at]
        for copy in range(rows.shape[1]):
            row = rows[place, copy]
            if (
                world_checks.required_sets[place, copy] & ~row
                or world_checks.forbidden_sets[place, copy] & row
            ):
                return False
    return True


@inlined_kernel
def _keep_split(world_checks: WorldChecks, rows: Array, rng_state: int) -> bool:
    """Decide at random whether to keep the split, by what its places have parted with."""
    weight = 1.0
    for at in range(world_checks.shared_places.shape[0]):
        place = world_checks.shared_places[at]
        for kind in range(KIND_COUNT):
            count = 0
            while count < rows.shape[1] and rows[place, count] >> kind & 1:
                count += 1
            weight *= world_checks.keep_weights[place, kind, count]
    is_kept: bool = random_below(rng_state, 1 << SHARE_BITS) < weight * (1 << SHARE_BITS)
    return is_kept


@inlined_kernel
def _meets_conditions(world_checks: WorldChecks, rows: Array, condition_count: int) -> bool:
    """Return whether the first `condition_count` checked conditions are met."""
    for row in range(condition_count):
        place, is_met = world_checks.conditions[row, 0], False
        for copy in range(rows.shape[1]):
            if world_checks.conditions[row, 1 + copy] & ~rows[place, copy]:
                is_met = True
        if not is_met:
            return False
    return True


@inlined_kernel
def _meets_marriage(world_checks: WorldChecks, rows: Array) -> bool:
    """Return whether the declarer had a marriage from which to name trump."""
    for row in range(world_checks.marriages.shape[0]):
        must_be_passed = world_checks.marriages[row, 2] & ~rows[world_checks.marriages[row, 0], 0]
        must_be_kept = world_checks.marriages[row, 3]
        for place in range(rows.shape[0]):
            if world_checks.marriages[row, 1] >> place & 1:
                must_be_kept &= ~rows[place, 0]
        is_enough = (
            bit_count(must_be_passed) <= world_checks.marriages[row, 4]
            and bit_count(must_be_kept) <= world_checks.marriages[row, 5]
        )
        if is_enough and must_be_passed & must_be_kept == 0:
            return True
    return len(world_checks.marriages) == 0


@inlined_kernel
def _meets_joint_minimums(world_checks: WorldChecks, rows: Array) -> bool:
    """Return whether places with a joint minimum hold at least that many cards of the kind."""
    for row in range(world_checks.joint_minimums.shape[0]):
        count, kind = 0, world_checks.joint_minimums[row, 1]
        for place in range(rows.shape[0]):
            if world_checks.joint_minimums[row, 0] >> place & 1:
                for copy in range(rows.shape[1]):
                    count += rows[place, copy] >> kind & 1
        if count < world_checks.joint_minimums[row, 2]:
            return False
    return True


@inlined_kernel
def _meets_meld_ceilings(world_checks: WorldChecks, rows: Array, hand_at_meld: Array) -> bool:
    """Return whether the hidden melds are worth less than their limits."""
    for row in range(world_checks.meld_ceilings.shape[0]):
        meld_points = 0
        for place in range(rows.shape[0]):
            if world_checks.meld_ceilings[row, 0] >> place & 1:
                for copy in range(rows.shape[1]):
                    hand_at_meld[0, copy] = rows[place, copy]
                for at in range(world_checks.cards_gained.shape[0]):
                    if world_checks.cards_gained[at, 0] == place:
                        remove_card(hand_at_meld, 0, world_checks.cards_gained[at, 1])
                for copy in range(rows.shape[1]):
                    add_kinds(hand_at_meld, 0, world_checks.played_since_meld[place, copy])
                meld_points += hand_meld(
                    world_checks.meld_tables, hand_at_meld, 0, world_checks.meld_ceilings[row, 2]
                )
        if meld_points >= world_checks.meld_ceilings[row, 1]:
            return False
    return True


class Worlds(NamedTuple):
    """Sampled worlds. The first axis of each array is the world."""

    hands: Integers
    """The hands of all players in turn order, the own hand included, as rows of sets of kinds (see
    `playouts.packed_deal`): (worlds, players, copies)."""
    rest: Integers
    """The kinds of the unseen cards in no hand, in random order: (worlds, cards)."""
    relaxed: Integers
    """1 if some constraints had to be dropped because drawing took too long: (worlds,)."""

    def select(self, places: slice | Integers) -> Worlds:
        """Return the worlds at some places, a slice or an array of places."""
        return Worlds(*(rows[places] for rows in self))


class DrawBuffers(NamedTuple):
    """Work memory of `draw_worlds`, because kernels create no arrays."""

    rows: Integers
    """The cards of each place, as sets of kinds: (places, copies)."""
    hand_at_meld: Integers
    """A hand at the time of its melds: (1, copies)."""
    cards: Integers
    """The cards of the shared group: (cards,)."""


@arrayless_kernel
def draw_worlds(
    counting_tables: CountingTables,
    world_checks: WorldChecks,
    seed: int,
    max_tries: int,
    max_draws: int,
    worlds: Worlds,
    buffers: DrawBuffers,
) -> tuple[int, int]:
    """Fill `worlds` with worlds of a seed. Return how many it filled, and the number of draws.

    `max_tries`: the draws for a world after which checks are dropped. `max_draws`: the draws after
    which no further world is begun.
    """
    hands, rest, relaxed = worlds.hands, worlds.rest, worlds.relaxed
    rows, cards = buffers.rows, buffers.cards
    draw_count = 0
    copies, players = rows.shape[1], world_checks.player_at_place.shape[0]
    own_player, has_pool = world_checks.own_hand[copies], world_checks.shared_places.shape[0] > 0
    for world in range(hands.shape[0]):
        if world and draw_count >= max_draws:
            return world, draw_count
        rng_state = start_stream(seed, world)
        condition_count, checks_bounds, checks_melds, attempts = (
            world_checks.conditions.shape[0],
            True,
            True,
            0,
        )
        while True:
            draw_count += 1
            attempts += 1
            if attempts > max_tries:  # drop the least important checks first, and in the end all
                relaxed[world] = 1
                checks_melds = False
                condition_count //= 2
                if attempts > 2 * max_tries:
                    condition_count = 0
                if attempts > 3 * max_tries:
                    checks_bounds = False
            rng_state = _deal_groups(counting_tables, world_checks, rows, cards, rng_state)
            if has_pool:
                rng_state = _deal_shared_group(world_checks, rows, cards, rng_state)
                if checks_bounds:
                    if not _is_within_bounds(world_checks, rows):
                        continue
                    rng_state = advance(rng_state)
                    if not _keep_split(world_checks, rows, rng_state):
                        continue
            if not _meets_conditions(world_checks, rows, condition_count):
                continue
            if checks_melds and not (
                _meets_joint_minimums(world_checks, rows) and _meets_marriage(world_checks, rows)
            ):
                continue
            if checks_melds and not _meets_meld_ceilings(world_checks, rows, buffers.hand_at_meld):
                continue
            break
        for copy in range(copies):
            hands[world, own_player, copy] = world_checks.own_hand[copy]
            for place in range(players):
                hands[world, world_checks.player_at_place[place], copy] = rows[place, copy]
        rest_count = 0
        for kind in range(KIND_COUNT):
            for copy in range(copies):
                if rows[players, copy] >> kind & 1:
                    rest[world, rest_count] = kind
                    rest_count += 1
        rng_state = shuffle(rng_state, rest[world], rest_count)
    return hands.shape[0], draw_count
