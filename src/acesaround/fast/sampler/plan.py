"""Plans for the tables: the order in which kinds are dealt out, and what each step decides.

A plan decides which conditions the tables take in and which are checked afterwards. It also decides
which places share one *cell*, the pool. The tables only see the cards of the pool as a whole;
`draw` splits them at random among its places.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log, prod
from typing import Final, NamedTuple

import numpy as np

from acesaround.cards import CARDS, RANK_COUNT, SUITS, Rank, Suit, card_of
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.sampler.constraints import Constraints
from acesaround.fast.sampler.meld_constraints import Condition

MAX_STATE_BITS: Final = 62  # most bits of a state


class Plan(NamedTuple):
    """The arrays from which the tables are made. A step is a kind; counts are (steps, cells).

    A state packs the free space of each cell into a field whose highest bit is kept clear. Above
    the fields is a bit for each undecided condition. The bit is set until one of the condition's
    kinds is scarce enough.
    """

    kinds: Integers
    unseen: Integers
    low: Integers
    high: Integers
    parted_with: Integers
    kitty_counts: Integers
    """How many of each step's kind were in the kitty: (steps,)."""
    cell_shifts: Integers
    """The bit position of each cell's field: (cells,)."""
    params: Integers
    """Single numbers, indexed by START_STATE to POOL_CELL below."""
    min_to_come: Integers
    """The minimum of cards still to come into each cell after each step, packed: (steps,)."""
    max_to_come: Integers
    """The maximum of cards still to come into each cell after each step, packed: (steps,)."""
    opened_bits: Integers
    """The bits to set before each step: (steps,)."""
    closed_bits: Integers
    """The bits that must be clear after each step: (steps,)."""
    clear_rows: Integers
    """(rows, 4): step, cell, number, bit. The bit is cleared if the cell gets at most that number
    of cards of the kind."""


# Fields of `Plan.params`.
START_STATE: Final = 0  # the state before the first step
GUARD_BITS: Final = 1  # the highest bit of every field
FIELD_MASK: Final = 2  # all bits of fields
DECLARER_CELL: Final = (
    3  # cell of the declarer who took the kitty (the rest is the last cell), or -1
)
POOL_CELL: Final = 4  # the cell that several places share, or -1


class CellLayout(NamedTuple):
    """The input of the tables: the cells, each with its places, and the conditions."""

    cells: tuple[tuple[int, ...], ...]
    conditions: tuple[Condition, ...]
    checked_conditions: tuple[Condition, ...]
    """Conditions that the tables leave out and `draw` checks."""
    pool_places: tuple[int, ...]
    """The places that share one cell, or none."""
    is_pool_unconstrained: bool
    """True if the places of the pool may hold any cards, all equally likely."""
    log_cost: float
    """Estimated number of draws until all checks pass, as a logarithm."""


def tighten_conditions(constraints: Constraints) -> tuple[list[list[int]], list[Condition]]:
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
                still_undecided.append(Condition(place, scarce_kinds, max_count))
        undecided = still_undecided
    return high, undecided


def candidate_layouts(
    constraints: Constraints, high: list[list[int]], undecided: list[Condition], max_entries: int
) -> Iterator[CellLayout]:
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
    min_pooled, max_pooled = max(len(unconstrained), 1), max(len(mergeable), 1)
    for pooled_count in range(min_pooled, max_pooled + 1):
        pool_places = tuple(sorted(mergeable[:pooled_count])) if pooled_count > 1 else ()
        layout_cells: tuple[tuple[int, ...], ...] = tuple(
            (p,) for p in places if p not in pool_places
        )
        if pool_places:
            layout_cells = (*layout_cells, pool_places)
        if (
            _estimate_states(constraints, layout_cells) * 8 > max_entries
            and pooled_count < max_pooled
        ):
            continue
        in_tables = [c for c in ranked_conditions if c.place not in pool_places]
        in_pool = [c for c in ranked_conditions if c.place in pool_places]
        included_count = len(in_tables)
        while True:
            cost = sum(costs[place] for place in pool_places)
            cost -= sum(
                log(max(1e-9, probability[condition])) for condition in in_tables[included_count:]
            )
            checked_conditions = (*in_tables[included_count:], *in_pool)
            is_pool_unconstrained = set(pool_places) <= set(unconstrained)
            yield CellLayout(
                layout_cells,
                tuple(in_tables[:included_count]),
                checked_conditions,
                pool_places,
                is_pool_unconstrained,
                cost,
            )
            if not included_count:
                break
            included_count //= 2


def _is_unconstrained(
    constraints: Constraints, high: list[list[int]], undecided: list[Condition], place: int
) -> bool:
    """Return whether a place may hold any cards, all equally likely."""
    size = constraints.place_sizes[place]
    return (
        constraints.declarer_place < 0
        and not any(constraints.low[place])
        and not any(constraints.parted_with[place])
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


def _estimate_states(constraints: Constraints, cells: tuple[tuple[int, ...], ...]) -> int:
    """Estimate the number of states of these cells, without conditions."""
    cell_sizes = sorted(sum(constraints.place_sizes[place] for place in cell) + 1 for cell in cells)
    return prod(cell_sizes[:-1]) * (3 if len(cell_sizes) > 1 else 1)


def _condition_probability(constraints: Constraints, condition: Condition) -> float:
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


def make_plan(constraints: Constraints, high: list[list[int]], layout: CellLayout) -> Plan | None:
    """Return the arrays for a layout, or None if it cannot be met or a state has too many bits."""
    kind_order, cells = _kind_order(constraints), layout.cells
    steps = len(kind_order)
    cell_sizes = [sum(constraints.place_sizes[place] for place in cell) for cell in cells]
    field_widths = [room.bit_length() + 1 for room in cell_sizes]
    cell_shifts = [sum(field_widths[:cell]) for cell in range(len(cells))]
    field_bits = sum(field_widths)

    def by_step(rows: list[list[int]]) -> Integers:
        return np.array(
            [[sum(rows[place][kind] for place in cell) for cell in cells] for kind in kind_order],
            np.int64,
        ).reshape(steps, len(cells))

    lower, upper = by_step([list(row) for row in constraints.low]), by_step(high)
    unseen = np.array([constraints.unseen[kind] for kind in kind_order], np.int64)
    capped_upper = np.minimum(upper, unseen[:, None])
    cell_of = {cell[0]: cell_index for cell_index, cell in enumerate(cells) if len(cell) == 1}
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
            max_in_cell = max_count - constraints.played_since_meld[place][kind]
            clear_rows.append((step_of_kind[kind], cell_of[place], max_in_cell, field_bits + bit))
    if field_bits + len(last_step_of_bit) > MAX_STATE_BITS:
        return None
    min_to_come = np.cumsum(lower[::-1], axis=0)[::-1] - lower
    max_to_come = np.cumsum(capped_upper[::-1], axis=0)[::-1] - capped_upper
    field_units = np.array([1 << at for at in cell_shifts], np.int64)
    room = np.array(cell_sizes, np.int64)
    pool_cell = len(cells) - 1 if layout.pool_places else -1
    if (min_to_come > room).any() or (lower > capped_upper).any():
        return None
    return Plan(
        kinds=np.array(kind_order, np.int64),
        unseen=unseen,
        low=lower,
        high=capped_upper,
        parted_with=by_step([list(row) for row in constraints.parted_with]),
        kitty_counts=np.array([constraints.kitty_counts[kind] for kind in kind_order], np.int64),
        cell_shifts=np.array(cell_shifts, np.int64),
        params=np.array(
            [
                sum(r << at for r, at in zip(cell_sizes, cell_shifts, strict=True)),
                sum(1 << (at + w - 1) for at, w in zip(cell_shifts, field_widths, strict=True)),
                (1 << field_bits) - 1,
                -1 if constraints.declarer_place < 0 else cell_of[constraints.declarer_place],
                pool_cell,
            ],
            np.int64,
        ),
        min_to_come=min_to_come @ field_units,
        max_to_come=np.minimum(max_to_come, room) @ field_units,
        opened_bits=np.array(opened_bits, np.int64),
        closed_bits=np.array(closed_bits, np.int64),
        clear_rows=np.array(sorted(clear_rows), np.int64).reshape(len(clear_rows), 4),
    )
