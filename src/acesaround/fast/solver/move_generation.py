"""Move generation: the legal moves of a frame, sorted by score.

The functions of `legal_moves` decide legality, in two packings. For a lead each suit is one kind.
For a follower there are *two lanes* in one integer, the suit led and above it trump, and one bit
for all other cards.
"""

from __future__ import annotations

from typing import Final

from acesaround.fast.jit import highest, inlined
from acesaround.fast.legal_moves import leads, legal_kinds
from acesaround.fast.raw_memory import Memory, at, given, put
from acesaround.fast.solver.board import (
    BEAT_PLAIN,
    BEAT_TRUMP,
    BEATING,
    BEATS,
    BEST,
    BITS,
    BROKEN,
    LANES,
    LAW_HELD,
    LAW_SUIT,
    LED,
    LOWEST_BITS,
    MOVES,
    NO_CARD,
    NUMBER,
    PARTED,
    PLACE,
    PLAYER,
    PLAYERS,
    SCORES,
    SIDE,
    TOTALS,
    VOID_TRUMPS,
    WINNER,
)
from acesaround.fast.solver.dependency_sets import rank_of

CODE: Final = 31  # mask of the code in a move; for the layout see `_add`
TRUMPS: Final = 20  # first bit of the trump lane in two lanes
LANE: Final = (1 << TRUMPS) - 1
_REST: Final = 1 << 2 * TRUMPS
WINS, UNLESS, PARTNER, LOST = 0, 1, 2, 3  # outlooks, as in `move_ordering`
_PROPOSED: Final = 1 << 30  # score of the move to try first, above all others


@inlined
def run_of(move: int) -> int:
    """Return the lowest rank of the run of equivalent cards that a move represents."""
    return move >> 8 & 7


@inlined
def _kinds(lane: int, fixed: Memory) -> int:
    """Return the lowest bit of each rank of which a lane has cards."""
    if given(fixed, BITS) == 2:
        return (lane | lane >> 1) & given(fixed, LOWEST_BITS)
    return (lane | lane >> 1 | lane >> 2) & given(fixed, LOWEST_BITS)


@inlined
def _outlook(mine: bool, friend: bool, enemy: bool) -> int:
    """Return the outlook of a trick for the player on turn.

    `mine`: whether the player's side is winning it; `friend`, `enemy`: whether a partner or an
    opponent who is still to play can win it.
    """
    if mine:
        return WINS if not enemy else (PARTNER if friend else UNLESS)
    return PARTNER if friend else LOST


@inlined
def _to_come(board: Memory, fixed: Memory, player: int, place: int, led: int) -> tuple[int, int]:
    """Return the cards that partners and opponents still to play may play, two lanes each.

    A hand void in the suit led counts with its trumps.
    """
    friends, enemies = 0, 0
    players, side = given(fixed, PLAYERS), given(fixed, SIDE + player)
    other = player
    for _ in range(place + 1, players):
        other = other + 1 if other + 1 < players else 0
        lanes = at(board, LANES + (led << 4 | other))
        if led == 0 or lanes == 0:
            lanes = at(board, LANES + other) << TRUMPS
        if given(fixed, SIDE + other) == side:
            friends |= lanes
        else:
            enemies |= lanes
    return friends, enemies


@inlined
def _add(
    board: Memory,
    fixed: Memory,
    frame: int,
    suit: int,
    held: int,
    parted: int,
    wins: int,
    lost: int,
    scores: int,
    friends: int,
    enemies: int,
    first: int,
) -> None:
    """Insert the moves of one suit into the sorted moves of the frame.

    Kinds `held` with no bit of `parted` between them form one move. `wins`: the codes that win the
    trick so far; `lost`: the outlook of all others; `scores`: the index of the scores for this
    place in the trick; `first`: the code of the move to try first.

    A move has the code in bits 0-4, the lowest rank of its run from bit 8, 31 minus its number from
    bit 16 and the score from bit 24.
    """
    bits, number = given(fixed, BITS), at(board, frame + NUMBER)
    while held:
        top = highest(held)
        held ^= 1 << top
        low = top
        while held:
            under = highest(held)
            if parted & ((2 << low) - 1) & ~((1 << under) - 1):
                break
            low = under
            held ^= 1 << under
        code = suit << 3 | rank_of(top, bits)
        outlook = lost
        if wins >> code & 1:
            beating = given(fixed, BEATING + code)
            outlook = _outlook(True, friends & beating != 0, enemies & beating != 0)
        score = given(fixed, scores + (outlook << 5 | code))
        if code == first:
            score = _PROPOSED
        move = score << 24 | (31 - number) << 16 | rank_of(low, bits) << 8 | code
        slot = frame + MOVES + number
        while slot > frame + MOVES and at(board, slot - 1) < move:
            put(board, slot, at(board, slot - 1))
            slot -= 1
        put(board, slot, move)
        number += 1
    put(board, frame + NUMBER, number)


@inlined
def lead(board: Memory, fixed: Memory, frame: int, first: int) -> None:
    """Generate the moves of the leader. `first`: the code of the move to try first."""
    player = at(board, frame + PLAYER)
    suits = 0
    for suit in range(4):
        if at(board, LANES + (suit << 4 | player)):
            suits |= 1 << suit
    suits = leads(suits, 1, at(board, frame + BROKEN) != 0)
    put(board, frame + LAW_SUIT, -1)
    put(board, frame + NUMBER, 0)
    for suit in range(4):
        if suits >> suit & 1:
            lane = at(board, LANES + (suit << 4 | player))
            others = _kinds(at(board, TOTALS + suit) - lane, fixed)
            friends, enemies = _to_come(board, fixed, player, 0, suit)
            _add(
                board,
                fixed,
                frame,
                suit,
                _kinds(lane, fixed),
                others | given(fixed, PARTED),
                -1,
                LOST,
                SCORES,
                friends,
                enemies,
                first,
            )


@inlined
def follow(board: Memory, fixed: Memory, frame: int) -> None:
    """Generate the moves of a follower."""
    place, player = at(board, frame + PLACE), at(board, frame + PLAYER)
    led, best = at(board, frame + LED), at(board, frame + BEST)
    beating, wins = given(fixed, BEATING + best), given(fixed, BEATS + best)
    held = at(board, LANES + player) << TRUMPS | _REST
    of_led = LANE << TRUMPS
    if led:
        held |= at(board, LANES + (led << 4 | player))
        of_led = LANE
    void_trumps = given(fixed, VOID_TRUMPS) != 0
    bound = given(fixed, BEAT_PLAIN if led else BEAT_TRUMP) != 0
    may = legal_kinds(held, of_led, LANE << TRUMPS, beating if bound else 0, void_trumps)
    put(board, frame + LAW_SUIT, -1)
    put(board, frame + NUMBER, 0)
    from_suit, to_suit, allowed = 0, 4, LANE
    if may != held:
        from_suit = led if may & LANE else 0
        to_suit = from_suit + 1
        allowed = (may | may >> TRUMPS) & LANE
        lane = at(board, LANES + (from_suit << 4 | player))
        if bound and best >> 3 == from_suit:
            put(board, frame + LAW_SUIT, from_suit)
            put(board, frame + LAW_HELD, lane)
        kinds = _kinds(allowed, fixed)
        if kinds & (kinds - 1) == 0:  # no choice
            rank = rank_of(highest(kinds), given(fixed, BITS))
            put(board, frame + MOVES, rank << 8 | from_suit << 3 | rank)
            put(board, frame + NUMBER, 1)
            return
    elif (
        bound and best >> 3 == 0 and at(board, LANES + player)
    ):  # no trump in hand wins, so any card is legal
        put(board, frame + LAW_SUIT, 0)
        put(board, frame + LAW_HELD, at(board, LANES + player))
    friends, enemies = _to_come(board, fixed, player, place, led)
    mine = given(fixed, SIDE + at(board, frame + WINNER)) == given(fixed, SIDE + player)
    lost = _outlook(mine, friends & beating != 0, enemies & beating != 0)
    turn = 3 if place + 1 == given(fixed, PLAYERS) else min(place, 2)
    for suit in range(from_suit, to_suit):
        lane = at(board, LANES + (suit << 4 | player))
        if lane:
            others = _kinds(at(board, TOTALS + suit) - lane, fixed) | given(fixed, PARTED)
            if best >> 3 == suit:
                others |= 1 << ((best & 7) * given(fixed, BITS))
            _add(
                board,
                fixed,
                frame,
                suit,
                _kinds(lane & allowed, fixed),
                others,
                wins,
                lost,
                SCORES + (turn << 7),
                friends,
                enemies,
                NO_CARD,
            )
