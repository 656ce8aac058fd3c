"""How many worlds there are: tables over kinds and what room is left, made in kernels.

One step deals out all unseen cards of one kind. A *state* (see `plan`) is a node, an *option* of a
step is one way to share the kind among the cells with the number of ways its copies could do so,
and an edge is an option that leads from a node to one of the next step from which there is a way to
the end. What an edge holds is what a draw needs: how likely it is beside the edges before it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.cards import KINDS
from acesaround.fast.jit import inlined, kernel
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.sampler.constraints import Constraints
from acesaround.fast.sampler.plan import DECLARER, FIELDS, GUARD, HEAP, START, Plan
from acesaround.rules.support import WAY_BITS

Array: TypeAlias = Any  # of int64 or float64; numba infers it
Floats: TypeAlias = NDArray[np.float64]

SCALE: Final = 30  # a share is a number of this many bits
CHILD: Final = WAY_BITS  # bits of an edge below the node it leads to: its option
SHARE: Final = 32  # and below the sum of its share and those before it
OPTIONS: Final = 1 << CHILD  # most options of a step
NODES: Final = 1 << (SHARE - CHILD)  # most nodes

_FACTORIAL: Final = np.array([1, 1, 2, 6, 24, 120, 720, 5040], np.float64)


class Tables(NamedTuple):
    """The tables; `first` and `last` bound the edges of a node."""

    first: Integers
    last: Integers
    edges: Integers
    """Share, node and option, packed."""
    at: Integers
    """The first option of each step, and the end: (steps + 1,)."""
    shared: Integers
    """How many each cell gets: (options, cells)."""
    ways: Floats
    """In how many ways the copies of the kind, told apart, could have come to lie so."""
    reached: Floats
    """The ways from each node to the end."""
    levels: Integers
    """The first node of each step, and of the end, and their number: (steps + 2,)."""


@inlined
def _chosen(number: int, part: int) -> float:
    """In how many ways so many of a number can be chosen."""
    if part > number:
        return 0.0
    ways: float = _FACTORIAL[number] / (_FACTORIAL[part] * _FACTORIAL[number - part])
    return ways


@inlined
def ways(shared: Array, parted: Array, kitty: int, declarer: int, heap: int, first: int) -> float:
    """In how many ways the copies of a kind, told apart, could have come to lie so.

    `shared`, `parted`: how many each cell has and has parted with. `kitty`: how many of them were
    shown in the kitty, which the cell `declarer` took and the last cell is buried from. The `heap`
    is split by chance as if nothing had left it, but for the `first` of its cards, which are where
    they must be; `drawing` puts that right.
    """
    cells, copies = shared.shape[0], 0
    for cell in range(cells):
        copies += shared[cell] + parted[cell]
    many: float = 1.0
    if declarer >= 0:
        free = copies - kitty
        for cell in range(cells - 1):
            if cell != declarer:
                number = shared[cell] + parted[cell]
                many *= _chosen(free, number)
                free -= number
                copies -= number
        many *= _chosen(copies, shared[cells - 1])
        return many
    many *= _FACTORIAL[copies]
    for cell in range(cells):
        many /= _FACTORIAL[shared[cell] + (-first if cell == heap else parted[cell])]
    return many


@kernel
def _longer(array: Array, size: int) -> Array:
    made = np.zeros(size, array.dtype)
    made[: array.shape[0]] = array
    return made


@kernel
def _options(plan: Plan) -> Any:
    """The options of each step: `at`, `shared`, `ways`, room taken, bits cleared."""
    steps, cells = plan.low.shape
    at = np.zeros(steps + 1, np.int64)
    most = 256
    shared = np.zeros(most * cells, np.int64)
    many_ways = np.zeros(most, np.float64)
    taken, cleared = np.zeros(most, np.int64), np.zeros(most, np.int64)
    now = np.zeros(cells, np.int64)
    number = clear = 0
    last, declarer, heap = cells - 1, plan.numbers[DECLARER], plan.numbers[HEAP]
    for step in range(steps):
        at[step] = number
        while clear < plan.clears.shape[0] and plan.clears[clear, 0] < step:
            clear += 1
        left = plan.unseen[step]
        first = plan.low[step, heap] if heap >= 0 else 0
        for cell in range(cells):
            now[cell] = plan.low[step, cell]
            left -= now[cell]
        going = True
        while going:  # an odometer of all cells but the last, which takes what is left
            now[last] = plan.low[step, last] + left
            if left >= 0 and now[last] <= plan.high[step, last]:
                many = ways(now, plan.parted[step], plan.kitty[step], declarer, heap, first)
                if many > 0:
                    if number == most:
                        most *= 2
                        shared = _longer(shared, most * cells)
                        many_ways, taken = _longer(many_ways, most), _longer(taken, most)
                        cleared = _longer(cleared, most)
                    for cell in range(cells):
                        shared[number * cells + cell] = now[cell]
                        taken[number] += now[cell] << plan.shift[cell]
                    for row in range(clear, plan.clears.shape[0]):
                        if plan.clears[row, 0] != step:
                            break
                        if now[plan.clears[row, 1]] <= plan.clears[row, 2]:
                            cleared[number] |= 1 << plan.clears[row, 3]
                    many_ways[number] = many
                    number += 1
            going = False
            for cell in range(last):
                if left > 0 and now[cell] < plan.high[step, cell]:
                    now[cell] += 1
                    left -= 1
                    going = True
                    break
                left += now[cell] - plan.low[step, cell]
                now[cell] = plan.low[step, cell]
    at[steps] = number
    return at, shared[: number * cells].reshape((number, cells)), many_ways[:number], taken, cleared


@inlined
def _slot(state: int, size: int) -> int:
    """Where a state is looked for first; no product leaves 63 bits."""
    mixed = (state & 0x7FFFFFFF) * 0x5DEECE6D ^ (state >> 31) * 0x2545F491
    return ((mixed >> 17) ^ mixed) & (size - 1)


@kernel
def _grown(plan: Plan, at: Array, taken: Array, cleared: Array, most: int) -> Any:
    """All nodes and edges that can be reached, given up where there are more than `most` edges.

    Returns (fits, first edge of each node, edges without shares, first node of each step).
    """
    steps = plan.low.shape[0]
    guard, fields = plan.numbers[GUARD], plan.numbers[FIELDS]
    capacity, table = 1024, np.full(4096, -1, np.int64)
    states, first = np.zeros(capacity, np.int64), np.zeros(capacity + 1, np.int64)
    room = 4096
    edges = np.zeros(room, np.int64)
    levels = np.zeros(steps + 2, np.int64)
    states[0] = plan.numbers[START]
    nodes, number = 1, 0
    for step in range(steps):
        begin, end = levels[step], nodes
        levels[step + 1] = end
        least, topmost = plan.least[step], plan.most[step] | guard
        many = at[step + 1] - at[step]
        for node in range(begin, end):
            first[node] = number
            before = states[node] | plan.opens[step]
            if number + many > room:
                room *= 2
                edges = _longer(edges, room)
            if nodes + many > capacity:
                capacity *= 2
                states, first = _longer(states, capacity), _longer(first, capacity + 1)
                table = np.full(4 * capacity, -1, np.int64)
                for old in range(end, nodes):
                    slot = _slot(states[old], table.shape[0])
                    while table[slot] >= end:
                        slot = (slot + 1) & (table.shape[0] - 1)
                    table[slot] = old
            if nodes + many > NODES or number + many > most:
                return False, first, edges, levels
            for option in range(many):
                after = (before | guard) - taken[at[step] + option]
                if after & guard != guard:
                    continue
                after &= ~cleared[at[step] + option]
                if after & plan.closes[step]:
                    continue
                if (after - least) & guard != guard:
                    continue
                after &= ~guard
                if (topmost - (after & fields)) & guard != guard:
                    continue
                slot = _slot(after, table.shape[0])
                while table[slot] >= end and states[table[slot]] != after:
                    slot = (slot + 1) & (table.shape[0] - 1)
                if table[slot] < end:
                    table[slot] = nodes
                    states[nodes] = after
                    nodes += 1
                edges[number] = table[slot] << CHILD | option
                number += 1
    first[levels[steps] : nodes + 1] = number
    levels[steps + 1] = nodes
    return True, first, edges, levels


@kernel
def _shares(first: Array, levels: Array, at: Array, ways: Array, edges: Array) -> Any:
    """Ways from each node to the end; edges keep their share, and those to no end are left out."""
    steps = at.shape[0] - 1
    nodes = levels[steps + 1]
    reached = np.zeros(nodes, np.float64)
    last = np.zeros(nodes, np.int64)
    reached[levels[steps] :] = 1.0
    for back in range(steps):
        step = steps - 1 - back
        for node in range(levels[step], levels[step + 1]):
            total, kept = 0.0, first[node]
            for edge in range(first[node], first[node + 1]):
                to = edges[edge]
                many = ways[at[step] + (to & (OPTIONS - 1))] * reached[to >> CHILD]
                if many > 0.0:
                    total += many
                    edges[kept] = to
                    kept += 1
            reached[node], last[node] = total, kept
            sum_so_far = 0.0
            for edge in range(first[node], kept):
                to = edges[edge]
                sum_so_far += ways[at[step] + (to & (OPTIONS - 1))] * reached[to >> CHILD]
                share = int(sum_so_far / total * (1 << SCALE) + 0.5)
                if edge == kept - 1:
                    share = 1 << SCALE
                edges[edge] = share << SHARE | to
    return last, reached


def tables(plan: Plan, most: int) -> Tables | None:
    """The tables of a plan; None where they would have more than `most` edges."""
    at, shared, many, taken, cleared = _options(plan)
    if (np.diff(at) > OPTIONS).any():
        return None
    fits, first, edges, levels = _grown(plan, at, taken, cleared, most)
    if not fits:
        return None
    last, reached = _shares(first, levels, at, many, edges)
    return Tables(first, last, edges, at, shared, many, reached, levels)


@kernel
def _residue(tables: Tables, prime: int) -> int:
    """The number of worlds modulo a prime below 2**31."""
    steps = tables.at.shape[0] - 1
    nodes = tables.reached.shape[0]
    left = np.zeros(nodes, np.int64)
    left[tables.levels[steps] :] = 1
    for back in range(steps):
        step = steps - 1 - back
        for node in range(tables.levels[step], tables.levels[step + 1]):
            total = 0
            for edge in range(tables.first[node], tables.last[node]):
                to = tables.edges[edge] & ((1 << SHARE) - 1)
                many = int(tables.ways[tables.at[step] + (to & (OPTIONS - 1))] + 0.5)
                total = (total + many * left[to >> CHILD]) % prime
            left[node] = total
    return int(left[0])


_PRIMES: Final = (
    2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543,
    2147483497, 2147483489, 2147483477, 2147483423, 2147483399,
)  # fmt: skip
"""The largest below 2**31."""


def count(tables: Tables) -> int:
    """The exact number of ways from the first node to the end, by its residues."""
    about = tables.reached[0]
    found, modulus = 0, 1
    for prime in _PRIMES:
        more = (_residue(tables, prime) - found) * pow(modulus, -1, prime) % prime
        found, modulus = found + more * modulus, modulus * prime
        if modulus > 2 * about:
            break
    return found


def ways_of_played_kinds(known: Constraints) -> int:
    """In how many ways those kinds could have come to lie of which no card is unseen any more."""
    none, total = np.zeros(len(known.sizes), np.int64), 1
    for kind in range(KINDS):
        if not known.unseen[kind]:
            parted = np.array([row[kind] for row in known.parted], np.int64)
            total *= round(ways(none, parted, known.kitty[kind], known.declarer, -1, 0))
    return total
