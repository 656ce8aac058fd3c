"""Plans for the tables: the order in which kinds are dealt out, and what each step decides.

A plan decides which conditions the tables take in and which are checked afterwards. It also decides
which places share one *cell*, the heap. The tables only see the cards of the heap as a whole;
`draw` splits them at random among its places.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log, prod
from typing import Final, NamedTuple

import numpy as np

from acesaround.cards import CARDS, RANKS, SUITS, Rank, Suit, card_of
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.sampler.constraints import Constraints
from acesaround.fast.sampler.meld_constraints import Condition

ROOM: Final = 62  # most bits of a state


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
    parted: Integers
    kitty: Integers
    """How many of each step's kind were in the kitty: (steps,)."""
    shift: Integers
    """The bit position of each cell's field: (cells,)."""
    numbers: Integers
    """Single numbers, indexed by START to HEAP below."""
    least: Integers
    """The minimum of cards still to come into each cell after each step, packed: (steps,)."""
    most: Integers
    """The maximum of cards still to come into each cell after each step, packed: (steps,)."""
    opens: Integers
    """The bits to set before each step: (steps,)."""
    closes: Integers
    """The bits that must be clear after each step: (steps,)."""
    clears: Integers
    """(rows, 4): step, cell, most, bit. The bit is cleared if the cell gets at most `most` of the
    kind."""


# Fields of `Plan.numbers`.
START: Final = 0  # the state before the first step
GUARD: Final = 1  # the highest bit of every field
FIELDS: Final = 2  # all bits of fields
DECLARER: Final = 3  # cell of the declarer who took the kitty (the rest is the last cell), or -1
HEAP: Final = 4  # the cell that several places share, or -1


class CellLayout(NamedTuple):
    """The input of the tables: the cells, each with its places, and the conditions."""

    cells: tuple[tuple[int, ...], ...]
    conditions: tuple[Condition, ...]
    checked: tuple[Condition, ...]
    """Conditions that the tables leave out and `draw` checks."""
    heap: tuple[int, ...]
    """The places that share one cell, or none."""
    free: bool
    """True if the places of the heap may hold any cards, all equally likely."""
    cost: float
    """Estimated number of draws until all checks pass, as a logarithm."""


def tighten_conditions(known: Constraints) -> tuple[list[list[int]], list[Condition]]:
    """Return the upper bounds by place, tightened by the conditions, and the undecided conditions.

    A condition that only one kind can meet becomes a bound on that kind.
    """
    high = [list(row) for row in known.high]
    undecided = list(known.conditions)
    before = -1
    while len(undecided) != before:
        before, following = len(undecided), []
        for place, kinds, most in undecided:
            top, low, played = high[place], known.low[place], known.played[place]
            if any(top[k] + played[k] <= most for k in kinds):
                continue
            able = tuple([k for k in kinds if low[k] + played[k] <= most])
            if len(able) == 1:
                top[able[0]] = most - played[able[0]]
            else:
                following.append(Condition(place, able, most))
        undecided = following
    return high, undecided


def choices(
    known: Constraints, high: list[list[int]], undecided: list[Condition], cells: int
) -> Iterator[CellLayout]:
    """Yield layouts for tables of at most `cells` entries, the most exact first."""
    fits = {condition: _fits(known, condition) for condition in undecided}
    ranked = sorted(undecided, key=lambda condition: fits[condition])
    places = list(range(len(known.sizes)))
    costs = [_cost(known, high, place) for place in places]
    for condition in undecided:
        costs[condition.place] -= log(max(1e-9, fits[condition]))
    free = tuple(place for place in places if _free(known, high, ranked, place))
    bound = sorted((place for place in places if place not in free), key=lambda p: costs[p])
    mergeable = [*free, *(place for place in bound if known.declarer < 0)]
    fewest, widest = max(len(free), 1), max(len(mergeable), 1)
    for together in range(fewest, widest + 1):
        heap = tuple(sorted(mergeable[:together])) if together > 1 else ()
        split: tuple[tuple[int, ...], ...] = tuple((p,) for p in places if p not in heap)
        if heap:
            split = (*split, heap)
        if _states(known, split) * 8 > cells and together < widest:
            continue
        inside = [c for c in ranked if c.place not in heap]
        outside = [c for c in ranked if c.place in heap]
        number = len(inside)
        while True:
            cost = sum(costs[place] for place in heap)
            cost -= sum(log(max(1e-9, fits[condition])) for condition in inside[number:])
            checked = (*inside[number:], *outside)
            loose = set(heap) <= set(free)
            yield CellLayout(split, tuple(inside[:number]), checked, heap, loose, cost)
            if not number:
                break
            number //= 2


def _free(
    known: Constraints, high: list[list[int]], undecided: list[Condition], place: int
) -> bool:
    """Return whether a place may hold any cards, all equally likely."""
    size = known.sizes[place]
    return (
        known.declarer < 0
        and not any(known.low[place])
        and not any(known.parted[place])
        and all(top >= min(n, size) for top, n in zip(high[place], known.unseen, strict=True))
        and not any(condition.place == place for condition in undecided)
        and not any(place in floor.places for floor in known.floors)
        and not any(place in joint.places for joint in known.joints)
        and (known.naming is None or place not in (known.naming.place, *known.naming.others))
    )


def _states(known: Constraints, cells: tuple[tuple[int, ...], ...]) -> int:
    """Estimate the number of states of these cells, without conditions."""
    rooms = sorted(sum(known.sizes[place] for place in cell) + 1 for cell in cells)
    return prod(rooms[:-1]) * (3 if len(rooms) > 1 else 1)


def _fits(known: Constraints, condition: Condition) -> float:
    """Estimate the probability that a random deal meets a condition."""
    place, share = condition.place, known.sizes[condition.place] / max(1, sum(known.unseen))
    broken = 1.0
    for kind in condition.kinds:
        most = condition.most - known.played[place][kind]
        if known.low[place][kind] <= most:
            broken *= _tail(share * known.unseen[kind], most + 1)
    return 1 - broken


def _cost(known: Constraints, high: list[list[int]], place: int) -> float:
    """Estimate how rarely a random deal keeps the bounds on a place, as a logarithm."""
    size, total = known.sizes[place], max(1, sum(known.unseen))
    lacking = sum(n for n, most in zip(known.unseen, high[place], strict=True) if not most)
    cost = -size * log(max(1e-3, 1 - lacking / total)) if size else 0.0
    for number, unseen in zip(known.low[place], known.unseen, strict=True):
        if number:
            cost -= log(max(1e-9, _tail(unseen * size / total, number)))
    return cost


def _tail(mean: float, number: int) -> float:
    """Return the Poisson probability of at least `number` cards if `mean` are expected."""
    return max(0.0, 1 - exp(-mean) * sum(mean**n / _FACTORIAL[n] for n in range(number)))


_FACTORIAL: Final = (1, 1, 2, 6, 24, 120, 720, 5040)


def _order(known: Constraints) -> list[int]:
    """Return the unseen kinds, in an order in which each condition is undecided for few steps."""
    trump = Suit.S if known.trump < 0 else SUITS[known.trump]
    plain = [suit for suit in SUITS if suit != trump]
    order = [card_of(suit, Rank.ACE) for suit in (*plain, trump)]
    order.append(card_of(trump, Rank.TEN))
    jacks = [trump, *(suit for suit in plain if suit != Suit.D)]
    order += [card_of(s, Rank.JACK) for s in jacks if s != Suit.D]
    order.append(card_of(Suit.D, Rank.JACK))
    pairs = list(dict.fromkeys((Suit.S, trump, *plain)))
    order += [card_of(suit, rank) for suit in pairs for rank in (Rank.QUEEN, Rank.KING)]
    order += [card for card in CARDS if card not in order]
    assert len(order) == 4 * RANKS
    return [kind for kind in order if known.unseen[kind]]


def plan(known: Constraints, high: list[list[int]], choice: CellLayout) -> Plan | None:
    """Return the arrays for a layout, or None if it cannot be met or a state has too many bits."""
    order, cells = _order(known), choice.cells
    steps = len(order)
    rooms = [sum(known.sizes[place] for place in cell) for cell in cells]
    widths = [room.bit_length() + 1 for room in rooms]
    shift = [sum(widths[:cell]) for cell in range(len(cells))]
    fields = sum(widths)

    def by_step(rows: list[list[int]]) -> Integers:
        return np.array(
            [[sum(rows[place][kind] for place in cell) for cell in cells] for kind in order],
            np.int64,
        ).reshape(steps, len(cells))

    low, most = by_step([list(row) for row in known.low]), by_step(high)
    unseen = np.array([known.unseen[kind] for kind in order], np.int64)
    top = np.minimum(most, unseen[:, None])
    cell_of = {cell[0]: number for number, cell in enumerate(cells) if len(cell) == 1}
    opens, closes = [0] * steps, [0] * steps
    clears: list[tuple[int, int, int, int]] = []
    position = {kind: step for step, kind in enumerate(order)}
    spans = []
    for place, kinds, limit in choice.conditions:
        at = sorted(position[kind] for kind in kinds)
        spans.append((at[0], at[-1], place, kinds, limit))
    free_from: list[int] = []
    for first, last, place, kinds, limit in sorted(spans):
        bit = next((b for b, end in enumerate(free_from) if end < first), len(free_from))
        free_from[bit : bit + 1] = [last]
        opens[first] |= 1 << (fields + bit)
        closes[last] |= 1 << (fields + bit)
        for kind in kinds:
            enough = limit - known.played[place][kind]
            clears.append((position[kind], cell_of[place], enough, fields + bit))
    if fields + len(free_from) > ROOM:
        return None
    later_low = np.cumsum(low[::-1], axis=0)[::-1] - low
    later_top = np.cumsum(top[::-1], axis=0)[::-1] - top
    scale = np.array([1 << at for at in shift], np.int64)
    room = np.array(rooms, np.int64)
    heap = len(cells) - 1 if choice.heap else -1
    if (later_low > room).any() or (low > top).any():
        return None
    return Plan(
        kinds=np.array(order, np.int64),
        unseen=unseen,
        low=low,
        high=top,
        parted=by_step([list(row) for row in known.parted]),
        kitty=np.array([known.kitty[kind] for kind in order], np.int64),
        shift=np.array(shift, np.int64),
        numbers=np.array(
            [
                sum(r << at for r, at in zip(rooms, shift, strict=True)),
                sum(1 << (at + w - 1) for at, w in zip(shift, widths, strict=True)),
                (1 << fields) - 1,
                -1 if known.declarer < 0 else cell_of[known.declarer],
                heap,
            ],
            np.int64,
        ),
        least=later_low @ scale,
        most=np.minimum(later_top, room) @ scale,
        opens=np.array(opens, np.int64),
        closes=np.array(closes, np.int64),
        clears=np.array(sorted(clears), np.int64).reshape(len(clears), 4),
    )
