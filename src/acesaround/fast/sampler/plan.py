"""Plans for the tables: the order in which kinds are dealt out, and what each step decides.

A plan decides which conditions the tables take in and which are checked afterwards. It also puts
the places into *groups*. Most groups are one place each; several places may share one, the *shared
group*. The tables only see the cards of a group as a whole; `draw` splits those of the shared group
at random among its places.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log, prod
from typing import Final, NamedTuple

import numpy as np

from acesaround.cards import CARDS, RANK_COUNT, SUITS, Rank, Suit, card_of
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.sampler.constraints import Constraints
from acesaround.fast.sampler.meld_constraints import ScarceKindCondition

MAX_STATE_BITS: Final = 62  # most bits of a state


class Plan(NamedTuple):
    """The arrays from which the tables are made. A step is a kind; counts are (steps, groups).

    A state packs the free space of each group into a field whose highest bit is kept clear. Above
    the fields is a bit for each undecided condition. The bit is set until one of the condition's
    kinds is scarce enough.
    """

    kinds: Integers
    unseen: Integers
    low: Integers
    high: Integers
    former_cards: Integers
    kitty_counts: Integers
    """How many of each step's kind were in the kitty: (steps,)."""
    group_shifts: Integers
    """The bit position of each group's field: (groups,)."""
    params: Integers
    """Single numbers, indexed by START_STATE to SHARED_GROUP below."""
    min_to_come: Integers
    """The minimum of cards still to come into each group after each step, packed: (steps,)."""
    max_to_come: Integers
    """The maximum of cards still to come into each group after each step, packed: (steps,)."""
    opened_bits: Integers
    """The bits to set before each step: (steps,)."""
    closed_bits: Integers
    """The bits that must be clear after each step: (steps,)."""
    clear_rows: Integers
    """(rows, 4): step, group, number, bit. The bit is cleared if the group gets at most that number
    of cards of the kind."""


# Fields of `Plan.params`.
START_STATE: Final = 0  # the state before the first step
GUARD_BITS: Final = 1  # the highest bit of every field
FIELD_MASK: Final = 2  # all bits of fields
DECLARER_GROUP: Final = (
    3  # group of the declarer who took the kitty (the rest is the last group), or -1
)
SHARED_GROUP: Final = 4  # the group that several places share, or -1


class PlaceGroups(NamedTuple):
    """The input of the tables: the groups, each with its places, and the conditions."""

    groups: tuple[tuple[int, ...], ...]
    conditions: tuple[ScarceKindCondition, ...]
    checked_conditions: tuple[ScarceKindCondition, ...]
    """Conditions that the tables leave out and `draw` checks."""
    shared_places: tuple[int, ...]
    """The places that share one group, or none."""
    are_shared_places_unconstrained: bool
    """True if the places of the shared group may hold any cards, all equally likely."""
    log_cost: float
    """Estimated number of draws until all checks pass, as a logarithm."""


def tighten_conditions(
    constraints: Constraints,
) -> tuple[list[list[int]], list[ScarceKindCondition]]:
    """Return the upper bounds by place, tightened by the conditions, and the undecided conditions.

    A condition that only one kind can meet becomes a bound on that kind.
    """
    high = [list(row) for row in constraints.high]
    undecided = list(constraints.conditions)
    count_before = -1
    while len(undecided) != count_before:
        count_before, still_undecided = len(undecided), []
        for place, kinds, max_count in undecided:
            upper, low, played = (
                high[place],
                constraints.low[place],
                constraints.played_since_meld[place],
            )
            if any(upper[k] + played[k] <= max_count for k in kinds):
                continue
            scarce_kinds = tuple([k for k in kinds if low[k] + played[k] <= max_count])
            if len(scarce_kinds) == 1:
                upper[scarce_kinds[0]] = max_count - played[scarce_kinds[0]]
            else:
                still_undecided.append(ScarceKindCondition(place, scarce_kinds, max_count))
        undecided = still_undecided
    return high, undecided


def candidate_layouts(
    constraints: Constraints,
    high: list[list[int]],
    undecided: list[ScarceKindCondition],
    max_entries: int,
) -> Iterator[PlaceGroups]:
    """Yield layouts for tables of at most `max_entries` entries, the most exact first."""
    probability = {
        condition: _condition_probability(constraints, condition) for condition in undecided
    }
    ranked_conditions = sorted(undecided, key=lambda condition: probability[condition])
    places = list(range(len(constraints.place_sizes)))
    costs = [_bounds_cost(constraints, high, place) for place in places]
    for condition in undecided:
        costs[condition.place] -= log(max(1e-9, probability[condition]))
    unconstrained = tuple(
        place for place in places if _is_unconstrained(constraints, high, ranked_conditions, place)
    )
    constrained = sorted(
        (place for place in places if place not in unconstrained), key=lambda p: costs[p]
    )
    mergeable = [
        *unconstrained,
        *(place for place in constrained if constraints.declarer_place < 0),
    ]
    min_shared, max_shared = max(len(unconstrained), 1), max(len(mergeable), 1)
    for shared_count in range(min_shared, max_shared + 1):
        shared_places = tuple(sorted(mergeable[:shared_count])) if shared_count > 1 else ()
        layout_groups: tuple[tuple[int, ...], ...] = tuple(
            (p,) for p in places if p not in shared_places
        )
        if shared_places:
            layout_groups = (*layout_groups, shared_places)
        if (
            _estimate_states(constraints, layout_groups) * 8 > max_entries
            and shared_count < max_shared
        ):
            continue
        in_tables = [c for c in ranked_conditions if c.place not in shared_places]
        in_pool = [c for c in ranked_conditions if c.place in shared_places]
        included_count = len(in_tables)
        while True:
            cost = sum(costs[place] for place in shared_places)
            cost -= sum(
                log(max(1e-9, probability[condition])) for condition in in_tables[included_count:]
            )
            checked_conditions = (*in_tables[included_count:], *in_pool)
            are_shared_places_unconstrained = set(shared_places) <= set(unconstrained)
            yield PlaceGroups(
                layout_groups,
                tuple(in_tables[:included_count]),
                checked_conditions,
                shared_places,
                are_shared_places_unconstrained,
                cost,
            )
            if not included_count:
                break
            included_count //= 2


def _is_unconstrained(
    constraints: Constraints,
    high: list[list[int]],
    undecided: list[ScarceKindCondition],
    place: int,
) -> bool:
    """Return whether a place may hold any cards, all equally likely."""
    size = constraints.place_sizes[place]
    return (
        constraints.declarer_place < 0
        and not any(constraints.low[place])
        and not any(constraints.former_cards[place])
        and all(top >= min(n, size) for top, n in zip(high[place], constraints.unseen, strict=True))
        and not any(condition.place == place for condition in undecided)
        and not any(place in ceiling.places for ceiling in constraints.meld_ceilings)
        and not any(place in joint_minimum.places for joint_minimum in constraints.joint_minimums)
        and (
            constraints.marriage_condition is None
            or place
            not in (
                constraints.marriage_condition.place,
                *constraints.marriage_condition.other_places,
            )
        )
    )


def _estimate_states(constraints: Constraints, groups: tuple[tuple[int, ...], ...]) -> int:
    """Estimate the number of states of these groups, without conditions."""
    group_sizes = sorted(
        sum(constraints.place_sizes[place] for place in group) + 1 for group in groups
    )
    return prod(group_sizes[:-1]) * (3 if len(group_sizes) > 1 else 1)


def _condition_probability(constraints: Constraints, condition: ScarceKindCondition) -> float:
    """Estimate the probability that a random deal meets a condition."""
    place, share = (
        condition.place,
        constraints.place_sizes[condition.place] / max(1, sum(constraints.unseen)),
    )
    all_exceeded = 1.0
    for kind in condition.kinds:
        max_count = condition.max_count - constraints.played_since_meld[place][kind]
        if constraints.low[place][kind] <= max_count:
            all_exceeded *= _poisson_tail(share * constraints.unseen[kind], max_count + 1)
    return 1 - all_exceeded


def _bounds_cost(constraints: Constraints, high: list[list[int]], place: int) -> float:
    """Estimate how rarely a random deal keeps the bounds on a place, as a logarithm."""
    size, total = constraints.place_sizes[place], max(1, sum(constraints.unseen))
    excluded_cards = sum(
        n for n, maximum in zip(constraints.unseen, high[place], strict=True) if not maximum
    )
    cost = -size * log(max(1e-3, 1 - excluded_cards / total)) if size else 0.0
    for number, unseen in zip(constraints.low[place], constraints.unseen, strict=True):
        if number:
            cost -= log(max(1e-9, _poisson_tail(unseen * size / total, number)))
    return cost


def _poisson_tail(mean: float, number: int) -> float:
    """Return the Poisson probability of at least `number` cards if `mean` are expected."""
    return max(0.0, 1 - exp(-mean) * sum(mean**n / _FACTORIAL[n] for n in range(number)))


_FACTORIAL: Final = (1, 1, 2, 6, 24, 120, 720, 5040)


def _kind_order(constraints: Constraints) -> list[int]:
    """Return the unseen kinds, in an order in which each condition is undecided for few steps."""
    trump = Suit.S if constraints.trump < 0 else SUITS[constraints.trump]
    plain_suits = [suit for suit in SUITS if suit != trump]
    order = [card_of(suit, Rank.ACE) for suit in (*plain_suits, trump)]
    order.append(card_of(trump, Rank.TEN))
    jacks = [trump, *(suit for suit in plain_suits if suit != Suit.D)]
    order += [card_of(s, Rank.JACK) for s in jacks if s != Suit.D]
    order.append(card_of(Suit.D, Rank.JACK))
    pair_suits = list(dict.fromkeys((Suit.S, trump, *plain_suits)))
    order += [card_of(suit, rank) for suit in pair_suits for rank in (Rank.QUEEN, Rank.KING)]
    order += [card for card in CARDS if card not in order]
    assert len(order) == 4 * RANK_COUNT
    return [kind for kind in order if constraints.unseen[kind]]


def make_plan(constraints: Constraints, high: list[list[int]], layout: PlaceGroups) -> Plan | None:
    """Return the arrays for a layout, or None if it cannot be met or a state has too many bits."""
    kind_order, groups = _kind_order(constraints), layout.groups
    steps = len(kind_order)
    group_sizes = [sum(constraints.place_sizes[place] for place in group) for group in groups]
    field_widths = [room.bit_length() + 1 for room in group_sizes]
    group_shifts = [sum(field_widths[:group]) for group in range(len(groups))]
    field_bits = sum(field_widths)

    def by_step(rows: list[list[int]]) -> Integers:
        return np.array(
            [
                [sum(rows[place][kind] for place in group) for group in groups]
                for kind in kind_order
            ],
            np.int64,
        ).reshape(steps, len(groups))

    lower, upper = by_step([list(row) for row in constraints.low]), by_step(high)
    unseen = np.array([constraints.unseen[kind] for kind in kind_order], np.int64)
    capped_upper = np.minimum(upper, unseen[:, None])
    group_of = {
        group[0]: group_index for group_index, group in enumerate(groups) if len(group) == 1
    }
    opened_bits, closed_bits = [0] * steps, [0] * steps
    clear_rows: list[tuple[int, int, int, int]] = []
    step_of_kind = {kind: step for step, kind in enumerate(kind_order)}
    condition_spans = []
    for place, kinds, max_count in layout.conditions:
        at = sorted(step_of_kind[kind] for kind in kinds)
        condition_spans.append((at[0], at[-1], place, kinds, max_count))
    last_step_of_bit: list[int] = []
    for first, last, place, kinds, max_count in sorted(condition_spans):
        bit = next(
            (b for b, end in enumerate(last_step_of_bit) if end < first), len(last_step_of_bit)
        )
        last_step_of_bit[bit : bit + 1] = [last]
        opened_bits[first] |= 1 << (field_bits + bit)
        closed_bits[last] |= 1 << (field_bits + bit)
        for kind in kinds:
            max_in_group = max_count - constraints.played_since_meld[place][kind]
            clear_rows.append((step_of_kind[kind], group_of[place], max_in_group, field_bits + bit))
    if field_bits + len(last_step_of_bit) > MAX_STATE_BITS:
        return None
    min_to_come = np.cumsum(lower[::-1], axis=0)[::-1] - lower
    max_to_come = np.cumsum(capped_upper[::-1], axis=0)[::-1] - capped_upper
    field_units = np.array([1 << at for at in group_shifts], np.int64)
    room = np.array(group_sizes, np.int64)
    shared_group = len(groups) - 1 if layout.shared_places else -1
    if (min_to_come > room).any() or (lower > capped_upper).any():
        return None
    return Plan(
        kinds=np.array(kind_order, np.int64),
        unseen=unseen,
        low=lower,
        high=capped_upper,
        former_cards=by_step([list(row) for row in constraints.former_cards]),
        kitty_counts=np.array([constraints.kitty_counts[kind] for kind in kind_order], np.int64),
        group_shifts=np.array(group_shifts, np.int64),
        params=np.array(
            [
                sum(r << at for r, at in zip(group_sizes, group_shifts, strict=True)),
                sum(1 << (at + w - 1) for at, w in zip(group_shifts, field_widths, strict=True)),
                (1 << field_bits) - 1,
                -1 if constraints.declarer_place < 0 else group_of[constraints.declarer_place],
                shared_group,
            ],
            np.int64,
        ),
        min_to_come=min_to_come @ field_units,
        max_to_come=np.minimum(max_to_come, room) @ field_units,
        opened_bits=np.array(opened_bits, np.int64),
        closed_bits=np.array(closed_bits, np.int64),
        clear_rows=np.array(sorted(clear_rows), np.int64).reshape(len(clear_rows), 4),
    )
