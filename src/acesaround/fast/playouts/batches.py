"""Batches of playouts in kernels: whole deals, or one state played out; results are NumPy arrays.

A seed gives the same results with any number of threads, because each item has its own random
stream (see `rng`). The policy `random` plays any legal card with equal probability. The policy
`rules` is heuristic and sees only what its seat may see (see `policy`, `deal_setup`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.cards import KINDS
from acesaround.errors import PositionError, RulesError
from acesaround.fast.jit import arrayless_kernel
from acesaround.fast.playouts.deal_setup import (
    BURIED,
    DECLARER,
    FACTS,
    NAMED,
    deal,
    move_nine,
    play_to_first_lead,
)
from acesaround.fast.playouts.melding import (
    NINES,
    best_worth,
    melds,
    most,
    of_suit,
    pattern,
    shows,
    worth,
)
from acesaround.fast.playouts.packed_deal import LEADER, Packed, blank, copied, copy_into, pack
from acesaround.fast.playouts.play_loop import RANDOM, RULES_OF_THUMB, play_on
from acesaround.fast.playouts.rng import stream
from acesaround.fast.playouts.rule_arrays import (
    NINE_BESIDE,
    NINE_TURNED,
    PLAYERS,
    STOCK,
    WORTH,
    Integers,
    RuleArrays,
    rule_arrays,
)
from acesaround.game.state import GameState
from acesaround.rules import Phase, Rules

Array: TypeAlias = Any  # numba infers it
Points: TypeAlias = NDArray[np.int16 | np.int32]
"""Points of meld: 32 bits if a hand may meld more than 16 bits hold."""

POLICIES: Final = {"random": RANDOM, "rules": RULES_OF_THUMB}
_LEAST: Final = 2048  # fewest items that a thread takes at a time: some milliseconds
_MOST: Final = 32_768  # most items, so that progress reports and Ctrl-C are not delayed


class Deals(NamedTuple):
    """Results of whole deals. The first axis is the deal, the second the seat or the side."""

    declarer: NDArray[np.int8]
    """The seat that declared, or -1 without an auction: (deals,)."""
    trump: NDArray[np.int8]
    """The suit, or -1 if the declarer had no marriage and nothing was played: (deals,)."""
    leader: NDArray[np.int8]
    """The seat that led first: (deals,)."""
    runs: NDArray[np.int8]
    """The number of runs in each hand as dealt, in all suits: (deals, seats)."""
    best: Points
    """The meld of each hand as dealt, with its best trump: (deals, seats)."""
    meld: Points
    """The meld of each seat, before any loss: (deals, seats)."""
    nines: Points
    """The part of `meld` that is from dixes: (deals, seats)."""
    play: NDArray[np.int16]
    """Points in play, with buried counters and the last trick: (deals, sides)."""
    counter: NDArray[np.bool_]
    """Whether each side won a counter in a trick: (deals, sides)."""


class PlayoutResults(NamedTuple):
    """Results of playing out a position. The first axis is the playout."""

    play: NDArray[np.int16]
    """Points of each side in tricks at the end, also from before: (playouts, sides)."""
    counter: NDArray[np.bool_]
    """Whether each side won a counter in a trick: (playouts, sides)."""
    meld: Points
    """Points of melds that each player laid from the position on: (playouts, players)."""


def deals(
    rules: Rules,
    number: int,
    seed: int = 0,
    policy: str = "random",
    *,
    threads: int = 1,
    melding: bool = True,
    told: Callable[[int], None] | None = None,
) -> Deals:
    """Deal and play out `number` deals of a variant. Raises RulesError.

    Without `melding` the fields `runs`, `best`, `meld` and `nines` stay 0, which saves a third of
    the time. The callback `told` receives the number of finished deals now and then. All seats
    play.
    """
    if number < 0:
        raise RulesError(f"{number} deals cannot be played.")
    seats, sides = rules.seats, len(rules.sides)
    everybody = tuple(range(seats))
    policies = np.full(seats, _policy(policy), np.int64)
    numbers, tables = rule_arrays(rules, everybody), melds(rules)
    laying, size = Phase.MELDING not in rules.phases, _size(rules)
    made = Deals(
        declarer=np.empty(number, np.int8),
        trump=np.empty(number, np.int8),
        leader=np.empty(number, np.int8),
        runs=np.zeros((number, seats), np.int8),
        best=np.zeros((number, seats), size),
        meld=np.zeros((number, seats), size),
        nines=np.zeros((number, seats), size),
        play=np.zeros((number, sides), np.int16),
        counter=np.zeros((number, sides), np.bool_),
    )

    def work(first: int, last: int) -> None:
        room = _room(numbers)
        _deals(
            numbers,
            tables,
            blank(numbers),
            policies,
            melding,
            laying,
            seed,
            first,
            last,
            room,
            made,
        )

    _spread(work, number, threads, told)
    return made


def finish(
    state: GameState,
    number: int,
    seed: int = 0,
    policy: str | Sequence[str] = "random",
    *,
    threads: int = 1,
    told: Callable[[int], None] | None = None,
) -> PlayoutResults:
    """Play out a state of the play `number` times. Raises PositionError, RulesError.

    All hands stay as they are. `policy`: one for all players, or one for each player in turn
    (`state.players`). The callback `told` receives the number of finished playouts now and then.
    """
    if number < 0:
        raise RulesError(f"{number} playouts cannot be made.")
    packed, numbers = pack(state), rule_arrays(state.rules, state.players)
    players, sides = len(state.players), len(state.rules.sides)
    names = [policy] * players if isinstance(policy, str) else list(policy)
    if len(names) != players:
        raise PositionError(f"{len(names)} policies were named for {players} players.")
    policies = np.array([_policy(name) for name in names], np.int64)
    made = PlayoutResults(
        play=np.empty((number, sides), np.int16),
        counter=np.empty((number, sides), np.bool_),
        meld=np.zeros((number, players), _size(state.rules)),
    )

    def work(first: int, last: int) -> None:
        _ends(numbers, packed, copied(packed), policies, seed, first, last, _room(numbers), made)

    _spread(work, number, threads, told)
    return made


def _size(rules: Rules) -> type[np.int16] | type[np.int32]:
    """Return an integer type for the meld of a player in a deal, at once or trick by trick."""
    tables = rule_arrays(rules, tuple(range(rules.seats)))
    tricks = int(tables.numbers[STOCK]) // rules.seats
    lays = tricks + rules.deck.copies * int(tables.numbers[NINE_BESIDE])
    laid = lays * int(np.abs(tables.laying[:, :, WORTH:]).max())
    top = max(most(melds(rules)), laid + int(tables.numbers[NINE_TURNED]))
    return np.int16 if top <= np.iinfo(np.int16).max else np.int32


class _Room(NamedTuple):
    """Scratch arrays for a kernel, because kernels create no arrays."""

    cards: Integers
    log: Integers
    loss: Integers
    facts: Integers


def _room(numbers: RuleArrays) -> _Room:
    deck = len(numbers.deck)  # the log has every card, and before leads a meld and nines
    return _Room(*(np.zeros(number, np.int64) for number in (deck, 2 * deck, KINDS, FACTS)))


def _policy(name: str) -> int:
    if name not in POLICIES:
        raise RulesError(f"{name!r} is no policy: expected one of {', '.join(POLICIES)}.")
    return POLICIES[name]


def _spread(
    work: Callable[[int, int], None],
    number: int,
    threads: int,
    told: Callable[[int], None] | None,
) -> None:
    """Run `work` on the items below `number` with several threads; kernels release the GIL.

    A single thread is the caller's own, so that Ctrl-C during compilation takes effect at once.
    """
    parts, done = _parts(number, max(1, threads)), 0
    if threads <= 1:
        for part in parts:
            done += _quietly(work, *part)
            if told is not None:
                told(done)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        for more in as_completed([pool.submit(_quietly, work, *part) for part in parts]):
            done += more.result()
            if told is not None:
                told(done)
    finally:
        pool.shutdown(cancel_futures=True)


def _parts(number: int, threads: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of items: large ones first, small ones last, so that threads end together."""
    first = 0
    while first < number:
        size = min(_MOST, max(_LEAST, (number - first) // (4 * threads)))
        last = min(first + size, number)
        yield first, last
        first = last


def _quietly(work: Callable[[int, int], None], first: int, last: int) -> int:
    with np.errstate(over="ignore"):  # streams wrap; numpy warns about it in uncompiled code
        work(first, last)
    return last - first


@arrayless_kernel
def _deals(
    flat: RuleArrays,
    melds: Array,
    packed: Packed,
    policies: Array,
    melding: bool,
    laying: bool,
    seed: int,
    first: int,
    last: int,
    room: _Room,
    made: Deals,
) -> None:
    seats = flat.numbers[PLAYERS]
    cards, log, loss, facts = room.cards, room.log, room.loss, room.facts
    hands, place, won, counters = packed.hands, packed.place, packed.won, packed.counters
    best, runs, meld, nines = made.best, made.runs, made.meld, made.nines
    declarers, trumps, leaders = made.declarer, made.trump, made.leader
    play, counter, side_of, laid = made.play, made.counter, flat.side, packed.meld
    for item in range(first, last):
        chance = deal(flat, packed, cards, stream(seed, item))
        if melding:
            for seat in range(seats):
                best[item, seat], runs[item, seat] = best_worth(melds, hands, seat)
        chance = play_to_first_lead(flat, melds, packed, cards, policies[0], chance, loss, facts)
        declarer, trump = facts[DECLARER], facts[NAMED]
        declarers[item], trumps[item], leaders[item] = declarer, trump, place[LEADER]
        if not laying and (melding or policies[0] == RULES_OF_THUMB):
            move_nine(packed, facts, True)
            for seat in range(seats):
                laid[seat] = 0  # meld that the heuristic policy plays to save
                if shows(flat, seat, declarer):
                    laid[seat] = worth(melds, hands, seat, trump)
                    if melding and trump >= 0:
                        its = pattern(melds, hands, seat, trump)
                        nines[item, seat] = of_suit(melds, NINES, its)
                if melding:
                    meld[item, seat] = laid[seat]
            move_nine(packed, facts, False)
        if trump < 0:
            continue
        play_on(flat, packed, policies, chance, log, log.shape[0])
        if melding and laying:
            for seat in range(seats):
                meld[item, seat] = laid[seat]
        for side in range(won.shape[0]):
            play[item, side] = won[side]
            counter[item, side] = counters[side] != 0
        if declarer >= 0:
            play[item, side_of[declarer]] += facts[BURIED]


@arrayless_kernel
def _ends(
    flat: RuleArrays,
    packed: Packed,
    scratch: Packed,
    policies: Array,
    seed: int,
    first: int,
    last: int,
    room: _Room,
    made: PlayoutResults,
) -> None:
    log = room.log
    for item in range(first, last):
        copy_into(packed, scratch)
        play_on(flat, scratch, policies, stream(seed, item), log, log.shape[0])
        for player in range(scratch.meld.shape[0]):
            made.meld[item, player] = scratch.meld[player] - packed.meld[player]
        for side in range(scratch.won.shape[0]):
            made.play[item, side] = scratch.won[side]
            made.counter[item, side] = scratch.counters[side] != 0
