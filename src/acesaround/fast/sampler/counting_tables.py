"""Counting tables of the sampler: a graph over kinds and free space, built in compiled kernels.

One step deals out all unseen cards of one kind. A node is a *state* (see `plan`) before a step. An
*option* of a step is one way to share the cards of the kind among the groups, with the number of
ways in which its copies can do so. An edge is an option that leads from a node to a node of the
next step; only edges from which the end can be reached are stored. An edge also stores what a draw
needs: its cumulative probability among the edges of its node.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.cards import KIND_COUNT
from acesaround.fast.jit import inlined_kernel, kernel
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.sampler.constraints import Constraints
from acesaround.fast.sampler.plan import (
    DECLARER_GROUP,
    FIELD_MASK,
    GUARD_BITS,
    SHARED_GROUP,
    START_STATE,
    Plan,
)
from acesaround.rules.feature_support import DISTRIBUTION_BITS

Array: TypeAlias = Any  # of int64 or float64; numba infers it
Floats: TypeAlias = NDArray[np.float64]

SHARE_BITS: Final = 30  # bits of a share: 1 << SHARE_BITS is the probability 1
OPTION_BITS: Final = (
    DISTRIBUTION_BITS  # low bits of an edge that hold its option; its target node is above them
)
SHARE_SHIFT: Final = 32  # low bits that hold option and node; the cumulative share is above them
MAX_OPTIONS: Final = 1 << OPTION_BITS  # maximum number of options of a step
MAX_NODES: Final = 1 << (SHARE_SHIFT - OPTION_BITS)  # maximum number of nodes

_FACTORIAL: Final = np.array([1, 1, 2, 6, 24, 120, 720, 5040], np.float64)


class CountingTables(NamedTuple):
    """The tables of a plan; `first_edge` and `end_edge` bound the edges of a node."""

    first_edge: Integers
    end_edge: Integers
    edges: Integers
    """Cumulative share, node and option, packed."""
    first_option: Integers
    """The first option of each step, and the number of options: (steps + 1,)."""
    group_counts: Integers
    """How many cards each group gets: (options, groups)."""
    option_ways: Floats
    """The number of ways in which the distinct copies of the kind could have been dealt so."""
    ways_to_end: Floats
    """The number of ways from each node to the end."""
    first_node: Integers
    """The first node of each step and of the end, and the number of nodes: (steps + 2,)."""


@inlined_kernel
def _binomial(copies: int, chosen: int) -> float:
    """Return the binomial coefficient: the ways to choose `chosen` of `copies` copies."""
    if chosen > copies:
        return 0.0
    ways: float = _FACTORIAL[copies] / (_FACTORIAL[chosen] * _FACTORIAL[copies - chosen])
    return ways


@inlined_kernel
def count_ways(
    group_counts: Array,
    former_cards: Array,
    kitty_count: int,
    declarer_group: int,
    shared_group: int,
    certain_count: int,
) -> float:
    """Return the number of ways in which the distinct copies of a kind could have been dealt so.

    `group_counts`, `former_cards`: how many copies each group has and has parted with.
    `kitty_count`: how many of them the shown kitty had; the group `declarer_group` took the kitty,
    and buried cards are in the last group. `shared_group`: the group of several places, or -1. Its
    cards count as split at random, as if none had left it. Only its `certain_count` cards are
    fixed, because their places are known. `draw` corrects for the rest.
    """
    groups, copies = group_counts.shape[0], 0
    for group in range(groups):
        copies += group_counts[group] + former_cards[group]
    result: float = 1.0
    if declarer_group >= 0:
        free = copies - kitty_count
        for group in range(groups - 1):
            if group != declarer_group:
                cards = group_counts[group] + former_cards[group]
                result *= _binomial(free, cards)
                free -= cards
                copies -= cards
        result *= _binomial(copies, group_counts[groups - 1])
        return result
    result *= _FACTORIAL[copies]
    for group in range(groups):
        result /= _FACTORIAL[
            group_counts[group] + (-certain_count if group == shared_group else former_cards[group])
        ]
    return result


@kernel
def _enlarge_array(array: Array, size: int) -> Array:
    longer = np.zeros(size, array.dtype)
    longer[: array.shape[0]] = array
    return longer


@kernel
def _enumerate_options(plan: Plan) -> Any:
    """Return the options of each step.

    These are `first_option`, `group_counts`, `option_ways`, the space taken and the bits cleared.
    """
    steps, groups = plan.low.shape
    first_option = np.zeros(steps + 1, np.int64)
    capacity = 256
    group_counts = np.zeros(capacity * groups, np.int64)
    option_ways = np.zeros(capacity, np.float64)
    space_taken, cleared_bits = np.zeros(capacity, np.int64), np.zeros(capacity, np.int64)
    counts = np.zeros(groups, np.int64)
    option_count = clear_row = 0
    last_group, declarer_group, shared_group = (
        groups - 1,
        plan.params[DECLARER_GROUP],
        plan.params[SHARED_GROUP],
    )
    for step in range(steps):
        first_option[step] = option_count
        while clear_row < plan.clear_rows.shape[0] and plan.clear_rows[clear_row, 0] < step:
            clear_row += 1
        remaining = plan.unseen[step]
        certain_count = plan.low[step, shared_group] if shared_group >= 0 else 0
        for group in range(groups):
            counts[group] = plan.low[step, group]
            remaining -= counts[group]
        has_next = True
        while has_next:  # an odometer over all groups but the last, which takes the remaining cards
            counts[last_group] = plan.low[step, last_group] + remaining
            if remaining >= 0 and counts[last_group] <= plan.high[step, last_group]:
                way_count = count_ways(
                    counts,
                    plan.former_cards[step],
                    plan.kitty_counts[step],
                    declarer_group,
                    shared_group,
                    certain_count,
                )
                if way_count > 0:
                    if option_count == capacity:
                        capacity *= 2
                        group_counts = _enlarge_array(group_counts, capacity * groups)
                        option_ways, space_taken = (
                            _enlarge_array(option_ways, capacity),
                            _enlarge_array(space_taken, capacity),
                        )
                        cleared_bits = _enlarge_array(cleared_bits, capacity)
                    for group in range(groups):
                        group_counts[option_count * groups + group] = counts[group]
                        space_taken[option_count] += counts[group] << plan.group_shifts[group]
                    for row in range(clear_row, plan.clear_rows.shape[0]):
                        if plan.clear_rows[row, 0] != step:
                            break
                        if counts[plan.clear_rows[row, 1]] <= plan.clear_rows[row, 2]:
                            cleared_bits[option_count] |= 1 << plan.clear_rows[row, 3]
                    option_ways[option_count] = way_count
                    option_count += 1
            has_next = False
            for group in range(last_group):
                if remaining > 0 and counts[group] < plan.high[step, group]:
                    counts[group] += 1
                    remaining -= 1
                    has_next = True
                    break
                remaining += counts[group] - plan.low[step, group]
                counts[group] = plan.low[step, group]
    first_option[steps] = option_count
    return (
        first_option,
        group_counts[: option_count * groups].reshape((option_count, groups)),
        option_ways[:option_count],
        space_taken,
        cleared_bits,
    )


@inlined_kernel
def _hash_slot(state: int, size: int) -> int:
    """Return the first hash table slot to probe for a state; all products fit in 63 bits."""
    hashed = (state & 0x7FFFFFFF) * 0x5DEECE6D ^ (state >> 31) * 0x2545F491
    return ((hashed >> 17) ^ hashed) & (size - 1)


@kernel
def _build_graph(
    plan: Plan, first_option: Array, space_taken: Array, cleared_bits: Array, max_edges: int
) -> Any:
    """Build all reachable nodes and edges; give up if there are more than `max_edges` edges.

    Returns (fits, first edge of each node, edges without shares, first node of each step).
    """
    steps = plan.low.shape[0]
    guard, fields = plan.params[GUARD_BITS], plan.params[FIELD_MASK]
    capacity, table = 1024, np.full(4096, -1, np.int64)
    states, first_edge = np.zeros(capacity, np.int64), np.zeros(capacity + 1, np.int64)
    edge_capacity = 4096
    edges = np.zeros(edge_capacity, np.int64)
    first_node = np.zeros(steps + 2, np.int64)
    states[0] = plan.params[START_STATE]
    node_count, edge_count = 1, 0
    for step in range(steps):
        begin_node, end_node = first_node[step], node_count
        first_node[step + 1] = end_node
        min_to_come, max_to_come = plan.min_to_come[step], plan.max_to_come[step] | guard
        option_count = first_option[step + 1] - first_option[step]
        for node in range(begin_node, end_node):
            first_edge[node] = edge_count
            state = states[node] | plan.opened_bits[step]
            if edge_count + option_count > edge_capacity:
                edge_capacity *= 2
                edges = _enlarge_array(edges, edge_capacity)
            if node_count + option_count > capacity:
                capacity *= 2
                states, first_edge = (
                    _enlarge_array(states, capacity),
                    _enlarge_array(first_edge, capacity + 1),
                )
                table = np.full(4 * capacity, -1, np.int64)
                for known_node in range(end_node, node_count):
                    slot = _hash_slot(states[known_node], table.shape[0])
                    while table[slot] >= end_node:
                        slot = (slot + 1) & (table.shape[0] - 1)
                    table[slot] = known_node
            if node_count + option_count > MAX_NODES or edge_count + option_count > max_edges:
                return False, first_edge, edges, first_node
            for option in range(option_count):
                next_state = (state | guard) - space_taken[first_option[step] + option]
                if next_state & guard != guard:
                    continue
                next_state &= ~cleared_bits[first_option[step] + option]
                if next_state & plan.closed_bits[step]:
                    continue
                if (next_state - min_to_come) & guard != guard:
                    continue
                next_state &= ~guard
                if (max_to_come - (next_state & fields)) & guard != guard:
                    continue
                slot = _hash_slot(next_state, table.shape[0])
                while table[slot] >= end_node and states[table[slot]] != next_state:
                    slot = (slot + 1) & (table.shape[0] - 1)
                if table[slot] < end_node:
                    table[slot] = node_count
                    states[node_count] = next_state
                    node_count += 1
                edges[edge_count] = table[slot] << OPTION_BITS | option
                edge_count += 1
    first_edge[first_node[steps] : node_count + 1] = edge_count
    first_node[steps + 1] = node_count
    return True, first_edge, edges, first_node


@kernel
def _compute_shares(
    first_edge: Array, first_node: Array, first_option: Array, option_ways: Array, edges: Array
) -> Any:
    """Return the end of each node's edges, and the ways from each node to the end.

    Writes the cumulative shares into `edges` and drops the edges that cannot reach the end.
    """
    steps = first_option.shape[0] - 1
    nodes = first_node[steps + 1]
    ways_to_end = np.zeros(nodes, np.float64)
    end_edge = np.zeros(nodes, np.int64)
    ways_to_end[first_node[steps] :] = 1.0
    for back in range(steps):
        step = steps - 1 - back
        for node in range(first_node[step], first_node[step + 1]):
            total, kept_end = 0.0, first_edge[node]
            for edge in range(first_edge[node], first_edge[node + 1]):
                target = edges[edge]
                ways_through = (
                    option_ways[first_option[step] + (target & (MAX_OPTIONS - 1))]
                    * ways_to_end[target >> OPTION_BITS]
                )
                if ways_through > 0.0:
                    total += ways_through
                    edges[kept_end] = target
                    kept_end += 1
            ways_to_end[node], end_edge[node] = total, kept_end
            sum_so_far = 0.0
            for edge in range(first_edge[node], kept_end):
                target = edges[edge]
                sum_so_far += (
                    option_ways[first_option[step] + (target & (MAX_OPTIONS - 1))]
                    * ways_to_end[target >> OPTION_BITS]
                )
                share = int(sum_so_far / total * (1 << SHARE_BITS) + 0.5)
                if edge == kept_end - 1:
                    share = 1 << SHARE_BITS
                edges[edge] = share << SHARE_SHIFT | target
    return end_edge, ways_to_end


def build_tables(plan: Plan, max_edges: int) -> CountingTables | None:
    """Return the tables of a plan, or None if they would have more than `max_edges` edges."""
    first_option, group_counts, option_ways, space_taken, cleared_bits = _enumerate_options(plan)
    if (np.diff(first_option) > MAX_OPTIONS).any():
        return None
    fits, first_edge, edges, first_node = _build_graph(
        plan, first_option, space_taken, cleared_bits, max_edges
    )
    if not fits:
        return None
    end_edge, ways_to_end = _compute_shares(
        first_edge, first_node, first_option, option_ways, edges
    )
    return CountingTables(
        first_edge,
        end_edge,
        edges,
        first_option,
        group_counts,
        option_ways,
        ways_to_end,
        first_node,
    )


@kernel
def _count_modulo(counting_tables: CountingTables, prime: int) -> int:
    """Return the number of worlds modulo a prime below 2**31."""
    steps = counting_tables.first_option.shape[0] - 1
    nodes = counting_tables.ways_to_end.shape[0]
    residues = np.zeros(nodes, np.int64)
    residues[counting_tables.first_node[steps] :] = 1
    for back in range(steps):
        step = steps - 1 - back
        for node in range(counting_tables.first_node[step], counting_tables.first_node[step + 1]):
            total = 0
            for edge in range(counting_tables.first_edge[node], counting_tables.end_edge[node]):
                target = counting_tables.edges[edge] & ((1 << SHARE_SHIFT) - 1)
                way_count = int(
                    counting_tables.option_ways[
                        counting_tables.first_option[step] + (target & (MAX_OPTIONS - 1))
                    ]
                    + 0.5
                )
                total = (total + way_count * residues[target >> OPTION_BITS]) % prime
            residues[node] = total
    return int(residues[0])


_PRIMES: Final = (
    2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543,
    2147483497, 2147483489, 2147483477, 2147483423, 2147483399,
)  # fmt: skip
"""The largest primes below 2**31."""


def count_exactly(counting_tables: CountingTables) -> int:
    """Return the exact number of ways from first node to end, from residues modulo primes."""
    estimate = counting_tables.ways_to_end[0]
    total, modulus = 0, 1
    for prime in _PRIMES:
        quotient = (_count_modulo(counting_tables, prime) - total) * pow(modulus, -1, prime) % prime
        total, modulus = total + quotient * modulus, modulus * prime
        if modulus > 2 * estimate:
            break
    return total


def ways_of_played_kinds(constraints: Constraints) -> int:
    """Return the number of ways in which the kinds without unseen cards could have been dealt."""
    no_cards, total = np.zeros(len(constraints.place_sizes), np.int64), 1
    for kind in range(KIND_COUNT):
        if not constraints.unseen[kind]:
            former_cards = np.array([row[kind] for row in constraints.former_cards], np.int64)
            total *= round(
                count_ways(
                    no_cards,
                    former_cards,
                    constraints.kitty_counts[kind],
                    constraints.declarer_place,
                    -1,
                    0,
                )
            )
    return total
