"""Counting tables of the sampler: a graph over kinds and free space, built in compiled kernels.

One step deals out all unseen cards of one kind. A node is a *state* (see `plan`) before a step. An
*option* of a step is one way to share the cards of the kind among the cells, with the number of
ways in which its copies can do so. An edge is an option that leads from a node to a node of the
next step; only edges from which the end can be reached are stored. An edge also stores what a draw
needs: its cumulative probability among the edges of its node.
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

SCALE: Final = 30  # bits of a share: 1 << SCALE is the probability 1
CHILD: Final = WAY_BITS  # low bits of an edge that hold its option; its target node is above them
SHARE: Final = 32  # low bits that hold option and node; the cumulative share is above them
OPTIONS: Final = 1 << CHILD  # maximum number of options of a step
NODES: Final = 1 << (SHARE - CHILD)  # maximum number of nodes

_FACTORIAL: Final = np.array([1, 1, 2, 6, 24, 120, 720, 5040], np.float64)


class Tables(NamedTuple):
    """The tables of a plan; `first` and `last` bound the edges of a node."""

    first: Integers
    last: Integers
    edges: Integers
    """Cumulative share, node and option, packed."""
    at: Integers
    """The first option of each step, and the number of options: (steps + 1,)."""
    shared: Integers
    """How many cards each cell gets: (options, cells)."""
    ways: Floats
    """The number of ways in which the distinct copies of the kind could have been dealt so."""
    reached: Floats
    """The number of ways from each node to the end."""
    levels: Integers
    """The first node of each step and of the end, and the number of nodes: (steps + 2,)."""


@inlined
def _chosen(number: int, part: int) -> float:
    """Return the binomial coefficient: the ways to choose `part` of `number` copies."""
    if part > number:
        return 0.0
    ways: float = _FACTORIAL[number] / (_FACTORIAL[part] * _FACTORIAL[number - part])
    return ways


@inlined
def ways(shared: Array, parted: Array, kitty: int, declarer: int, heap: int, first: int) -> float:
    """Return the number of ways in which the distinct copies of a kind could have been dealt so.

    `shared`, `parted`: how many copies each cell has and has parted with. `kitty`: how many of them
    the shown kitty had; the cell `declarer` took the kitty, and buried cards are in the last cell.
    `heap`: the cell of several places, or -1. Its cards count as split at random, as if none had
    left it. Only its `first` cards are fixed, because their places are known. `draw` corrects for
    the rest.
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
    """Return the options of each step: `at`, `shared`, `ways`, space taken, bits cleared."""
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
        while going:  # an odometer over all cells but the last, which takes the remaining cards
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
    """Return the first hash table slot to probe for a state; all products fit in 63 bits."""
    mixed = (state & 0x7FFFFFFF) * 0x5DEECE6D ^ (state >> 31) * 0x2545F491
    return ((mixed >> 17) ^ mixed) & (size - 1)


@kernel
def _grown(plan: Plan, at: Array, taken: Array, cleared: Array, most: int) -> Any:
    """Build all reachable nodes and edges; give up if there are more than `most` edges.

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
    """Return the end of each node's edges, and the ways from each node to the end.

    Writes the cumulative shares into `edges` and drops the edges that cannot reach the end.
    """
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
    """Return the tables of a plan, or None if they would have more than `most` edges."""
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
    """Return the number of worlds modulo a prime below 2**31."""
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
"""The largest primes below 2**31."""


def count(tables: Tables) -> int:
    """Return the exact number of ways from first node to end, from residues modulo primes."""
    about = tables.reached[0]
    found, modulus = 0, 1
    for prime in _PRIMES:
        more = (_residue(tables, prime) - found) * pow(modulus, -1, prime) % prime
        found, modulus = found + more * modulus, modulus * prime
        if modulus > 2 * about:
            break
    return found


def ways_of_played_kinds(known: Constraints) -> int:
    """Return the number of ways in which the kinds without unseen cards could have been dealt."""
    none, total = np.zeros(len(known.sizes), np.int64), 1
    for kind in range(KINDS):
        if not known.unseen[kind]:
            parted = np.array([row[kind] for row in known.parted], np.int64)
            total *= round(ways(none, parted, known.kitty[kind], known.declarer, -1, 0))
    return total
