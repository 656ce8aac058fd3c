"""Batches of playouts in kernels: whole deals, or one state played out; results are NumPy arrays.

A seed gives the same results with any number of threads, because each item has its own random
stream (see `rng`). The policy `random` plays any legal card with equal probability. The policy
`rules` is heuristic and sees only what its seat may see (see `policy`, `deal_preparation`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.cards import KIND_COUNT
from acesaround.errors import PositionError, RulesError
from acesaround.fast.jit import arrayless_kernel
from acesaround.fast.playouts.deal_preparation import (
    BURIED_POINTS,
    DECLARER,
    FACT_COUNT,
    NAMED_TRUMP,
    PreparationBuffers,
    deal_cards,
    move_nine,
    play_to_first_lead,
)
from acesaround.fast.playouts.meld_values import (
    DIX_ROW,
    best_hand_meld,
    build_meld_tables,
    hand_meld,
    max_meld,
    melds_before_play,
    suit_entry,
    suit_pattern,
)
from acesaround.fast.playouts.packed_deal import (
    LEADER,
    PackedDeal,
    copy_deal,
    copy_into,
    empty_deal,
    pack,
)
from acesaround.fast.playouts.play_loop import HEURISTIC, RANDOM, play_on
from acesaround.fast.playouts.rng import start_stream
from acesaround.fast.playouts.rule_arrays import (
    CANDIDATE_POINTS,
    MELD_AFTER_NINE,
    NINE_TURNED_POINTS,
    PLAYER_COUNT,
    STOCK_SIZE,
    Integers,
    RuleArrays,
    build_rule_arrays,
)
from acesaround.game.state import GameState
from acesaround.rules import Phase, Rules
from acesaround.rules.scoring import max_play_points

Array: TypeAlias = Any  # numba infers it
PointsArray: TypeAlias = NDArray[np.int16 | np.int32]
"""Points of meld or play: 32 bits if a deal may bring more than 16 bits hold."""

POLICIES: Final = {"random": RANDOM, "heuristic": HEURISTIC}
_MIN_BATCH_SIZE: Final = 2048  # fewest items that a thread takes at a time: some milliseconds
_MAX_BATCH_SIZE: Final = 32_768  # most items, so that progress reports and Ctrl-C are not delayed


class DealResults(NamedTuple):
    """Results of whole deals. The first axis is the deal, the second the seat or the side."""

    declarer: NDArray[np.int8]
    """The seat that declared, or -1 without an auction: (deals,)."""
    trump: NDArray[np.int8]
    """The suit, or -1 if the declarer had no marriage and nothing was played: (deals,)."""
    leader: NDArray[np.int8]
    """The seat that led first: (deals,)."""
    run_counts: NDArray[np.int8]
    """The number of runs in each hand as dealt, in all suits: (deals, seats)."""
    best_meld: PointsArray
    """The meld of each hand as dealt, with its best trump: (deals, seats)."""
    meld_points: PointsArray
    """The meld of each seat, before any loss: (deals, seats)."""
    dix_points: PointsArray
    """The part of `meld_points` that is from dixes: (deals, seats)."""
    play_points: PointsArray
    """Points in play, with buried counters and the last trick: (deals, sides)."""
    won_counter: NDArray[np.bool_]
    """Whether each side won a counter in a trick: (deals, sides)."""


class PlayoutResults(NamedTuple):
    """Results of playing out a position. The first axis is the playout."""

    play_points: PointsArray
    """Points of each side in tricks at the end, also from before: (playouts, sides)."""
    won_counter: NDArray[np.bool_]
    """Whether each side won a counter in a trick: (playouts, sides)."""
    meld_points: PointsArray
    """Points of melds that each player laid from the position on: (playouts, players)."""


def simulate_deals(
    rules: Rules,
    deal_count: int,
    seed: int = 0,
    policy: str = "random",
    *,
    threads: int = 1,
    counts_melds: bool = True,
    on_progress: Callable[[int], None] | None = None,
) -> DealResults:
    """Deal and play out `deal_count` deals of a variant. Raises RulesError.

    Without `counts_melds` the fields `run_counts`, `best_meld`, `meld_points` and `dix_points` stay
    0, which saves a third of the time. The callback `on_progress` receives the number of finished
    deals now and then. All seats play.
    """
    if deal_count < 0:
        raise RulesError(f"{deal_count} deals cannot be played.")
    seats, sides = rules.seats, len(rules.sides)
    all_seats = tuple(range(seats))
    policies = np.full(seats, _policy_number(policy), np.int64)
    rule_arrays, meld_tables = build_rule_arrays(rules, all_seats), build_meld_tables(rules)
    task = _DealTask(rule_arrays, meld_tables, counts_melds, Phase.MELDING not in rules.phases)
    meld_dtype = _meld_dtype(rules)
    results = DealResults(
        declarer=np.empty(deal_count, np.int8),
        trump=np.empty(deal_count, np.int8),
        leader=np.empty(deal_count, np.int8),
        run_counts=np.zeros((deal_count, seats), np.int8),
        best_meld=np.zeros((deal_count, seats), meld_dtype),
        meld_points=np.zeros((deal_count, seats), meld_dtype),
        dix_points=np.zeros((deal_count, seats), meld_dtype),
        play_points=np.zeros((deal_count, sides), _play_dtype(rules)),
        won_counter=np.zeros((deal_count, sides), np.bool_),
    )

    def work(first: int, last: int) -> None:
        buffers = _new_buffers(rule_arrays, empty_deal(rule_arrays))
        _play_deals(task, policies, _Items(seed, first, last), buffers, results)

    _run_in_threads(work, deal_count, threads, on_progress)
    return results


def play_out(
    state: GameState,
    playout_count: int,
    seed: int = 0,
    policy: str | Sequence[str] = "random",
) -> PlayoutResults:
    """Play out a state of the play `playout_count` times. Raises PositionError, RulesError.

    All hands stay as they are. `policy`: one for all players, or one for each player in turn
    (`state.players`).
    """
    if playout_count < 0:
        raise RulesError(f"{playout_count} playouts cannot be made.")
    packed, rule_arrays = pack(state), build_rule_arrays(state.rules, state.players)
    players, sides = len(state.players), len(state.rules.sides)
    names = [policy] * players if isinstance(policy, str) else list(policy)
    if len(names) != players:
        raise PositionError(f"{len(names)} policies were named for {players} players.")
    policies = np.array([_policy_number(name) for name in names], np.int64)
    results = PlayoutResults(
        play_points=np.empty((playout_count, sides), _play_dtype(state.rules)),
        won_counter=np.empty((playout_count, sides), np.bool_),
        meld_points=np.zeros((playout_count, players), _meld_dtype(state.rules)),
    )

    def work(first: int, last: int) -> None:
        buffers = _new_buffers(rule_arrays, copy_deal(packed))
        _play_out(rule_arrays, packed, policies, _Items(seed, first, last), buffers, results)

    _run_in_threads(work, playout_count, 1, None)
    return results


def _meld_dtype(rules: Rules) -> type[np.int16] | type[np.int32]:
    """Return an integer type for the meld of a player in a deal, at once or trick by trick."""
    rule_arrays = build_rule_arrays(rules, tuple(range(rules.seats)))
    tricks = int(rule_arrays.params[STOCK_SIZE]) // rules.seats
    max_lays = tricks + rules.deck.copies * int(rule_arrays.params[MELD_AFTER_NINE])
    max_laid_points = max_lays * int(
        np.abs(rule_arrays.meld_candidates[:, :, CANDIDATE_POINTS:]).max()
    )
    max_points = max(
        max_meld(build_meld_tables(rules)),
        max_laid_points + int(rule_arrays.params[NINE_TURNED_POINTS]),
    )
    return _smallest_dtype(max_points)


def _play_dtype(rules: Rules) -> type[np.int16] | type[np.int32]:
    """Return an integer type for the play of a side in a deal, with buried counters."""
    return _smallest_dtype(max_play_points(rules, rules.seats))


def _smallest_dtype(max_points: int) -> type[np.int16] | type[np.int32]:
    return np.int16 if max_points <= np.iinfo(np.int16).max else np.int32


class _DealTask(NamedTuple):
    """The values that all deals of a batch share."""

    rule_arrays: RuleArrays
    meld_tables: Array
    counts_melds: bool
    lays_between_tricks: bool


class _Items(NamedTuple):
    """The items from `first` to before `last`, whose random streams belong to `seed`."""

    seed: int
    first: int
    last: int


class _Buffers(NamedTuple):
    """Scratch memory for a kernel, because kernels create no arrays."""

    packed: PackedDeal
    log: Integers
    setup: PreparationBuffers


def _new_buffers(rule_arrays: RuleArrays, packed: PackedDeal) -> _Buffers:
    deck_size = len(rule_arrays.deck)
    return _Buffers(
        packed,
        np.zeros(2 * deck_size, np.int64),  # every card, and before leads a meld and nines
        PreparationBuffers(
            *(np.zeros(length, np.int64) for length in (deck_size, KIND_COUNT, FACT_COUNT))
        ),
    )


def _policy_number(name: str) -> int:
    if name not in POLICIES:
        raise RulesError(f"{name!r} is not a policy: expected one of {', '.join(POLICIES)}.")
    return POLICIES[name]


def _run_in_threads(
    work: Callable[[int, int], None],
    count: int,
    threads: int,
    on_progress: Callable[[int], None] | None,
) -> None:
    """Run `work` on the items below `count` with several threads; kernels release the GIL.

    A single thread is the caller's own, so that Ctrl-C during compilation takes effect at once.
    """
    ranges, items_done = _batch_ranges(count, max(1, threads)), 0
    if threads <= 1:
        for item_range in ranges:
            items_done += _run_without_warnings(work, *item_range)
            if on_progress is not None:
                on_progress(items_done)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        for future in as_completed(
            [pool.submit(_run_without_warnings, work, *item_range) for item_range in ranges]
        ):
            items_done += future.result()
            if on_progress is not None:
                on_progress(items_done)
    finally:
        pool.shutdown(cancel_futures=True)


def _batch_ranges(count: int, threads: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of items: large ones first, small ones last, so that threads end together."""
    first = 0
    while first < count:
        size = min(_MAX_BATCH_SIZE, max(_MIN_BATCH_SIZE, (count - first) // (4 * threads)))
        last = min(first + size, count)
        yield first, last
        first = last


def _run_without_warnings(work: Callable[[int, int], None], first: int, last: int) -> int:
    with np.errstate(over="ignore"):  # streams wrap; numpy warns about it in uncompiled code
        work(first, last)
    return last - first


@arrayless_kernel
def _play_deals(
    task: _DealTask, policies: Array, items: _Items, buffers: _Buffers, results: DealResults
) -> None:
    rule_arrays, meld_tables, counts_melds = task.rule_arrays, task.meld_tables, task.counts_melds
    packed, setup, log = buffers.packed, buffers.setup, buffers.log
    seats, facts = rule_arrays.params[PLAYER_COUNT], setup.facts
    hands, status, points_won, counters_won = (
        packed.hands,
        packed.status,
        packed.points_won,
        packed.won_counter,
    )
    best_meld, run_counts, meld_points, dix_points = (
        results.best_meld,
        results.run_counts,
        results.meld_points,
        results.dix_points,
    )
    declarers, trumps, leaders = results.declarer, results.trump, results.leader
    play_points, won_counter, side_of_player, laid_points = (
        results.play_points,
        results.won_counter,
        rule_arrays.side_of_player,
        packed.meld_points,
    )
    for item in range(items.first, items.last):
        rng_state = deal_cards(rule_arrays, packed, setup.cards, start_stream(items.seed, item))
        if counts_melds:
            for seat in range(seats):
                best_meld[item, seat], run_counts[item, seat] = best_hand_meld(
                    meld_tables, hands, seat
                )
        rng_state = play_to_first_lead(
            rule_arrays, meld_tables, packed, policies[0], rng_state, setup
        )
        declarer, trump = facts[DECLARER], facts[NAMED_TRUMP]
        declarers[item], trumps[item], leaders[item] = declarer, trump, status[LEADER]
        if not task.lays_between_tricks and (counts_melds or policies[0] == HEURISTIC):
            move_nine(packed, facts, True)
            for seat in range(seats):
                laid_points[seat] = 0  # meld that the heuristic policy plays to save
                if melds_before_play(rule_arrays, seat, declarer):
                    laid_points[seat] = hand_meld(meld_tables, hands, seat, trump)
                    if counts_melds and trump >= 0:
                        pattern_number = suit_pattern(meld_tables, hands, seat, trump)
                        dix_points[item, seat] = suit_entry(meld_tables, DIX_ROW, pattern_number)
                if counts_melds:
                    meld_points[item, seat] = laid_points[seat]
            move_nine(packed, facts, False)
        if trump < 0:
            continue
        play_on(rule_arrays, packed, policies, rng_state, log, log.shape[0])
        if counts_melds and task.lays_between_tricks:
            for seat in range(seats):
                meld_points[item, seat] = laid_points[seat]
        for side in range(points_won.shape[0]):
            play_points[item, side] = points_won[side]
            won_counter[item, side] = counters_won[side] != 0
        if declarer >= 0:
            play_points[item, side_of_player[declarer]] += facts[BURIED_POINTS]


@arrayless_kernel
def _play_out(
    rule_arrays: RuleArrays,
    packed: PackedDeal,
    policies: Array,
    items: _Items,
    buffers: _Buffers,
    results: PlayoutResults,
) -> None:
    scratch, log = buffers.packed, buffers.log
    for item in range(items.first, items.last):
        copy_into(packed, scratch)
        play_on(rule_arrays, scratch, policies, start_stream(items.seed, item), log, log.shape[0])
        for player in range(scratch.meld_points.shape[0]):
            results.meld_points[item, player] = (
                scratch.meld_points[player] - packed.meld_points[player]
            )
        for side in range(scratch.points_won.shape[0]):
            results.play_points[item, side] = scratch.points_won[side]
            results.won_counter[item, side] = scratch.won_counter[side] != 0
