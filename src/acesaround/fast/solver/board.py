"""The board of a search: hands, cards on the table, how a card is played and taken back.

Everything is an int64 in one of two memories, whose places are named here. The *board* has what
moves: registers, hands and a stack of frames, one for each card to be played. The *fixed* memory
has what stays the same for an arrangement; `arrangement` fills it.

A *code* is a card: `suit << 3 | rank`, trump is suit 0 and rank 0 the lowest. A *lane* is a suit of
one hand: `bits` a rank say how many of that card, so a lower card is a lower bit.
"""

from __future__ import annotations

from typing import Final

from acesaround.fast.jit import inlined
from acesaround.fast.raw_memory import Memory, at, given, put

NO_CARD: Final = 255  # in the place of a code

# The board: where the search stands, kept between calls.
AT: Final = 0  # the frame to be gone on with
BASE: Final = 1  # the frame whose answer is wanted
NODES: Final = 2  # cards tried
LIMIT: Final = 3  # nodes after which to pause
RESULT: Final = 4
SHAPE: Final = 5  # hash of how many cards of each worth each hand holds
# The cards.
LANES: Final = 16  # of each suit and player, at `suit << 4 | player`
TOTALS: Final = LANES + 64  # of each suit, of all players
WORDS: Final = TOTALS + 4  # the lanes of a suit side by side, three words a suit
FRAMES: Final = WORDS + 12

# A frame: a card to be played. First what stands when it is to be played:
PLACE: Final = 0  # how many cards lie in the trick already
PLAYER: Final = 1
LED: Final = 2  # suit led
BEST: Final = 3  # code of the card now winning
WINNER: Final = 4  # who played it
SECOND: Final = 5  # highest code of that suit among the other cards of the trick, or -1
POINTS: Final = 6  # in the trick
# then for a lead only,
TRICKS: Final = 7  # tricks left, this one included
LEFT: Final = 8  # points left to be won
NEED: Final = 9  # the question: does side 0 win this many of them?
BROKEN: Final = 10
KEY: Final = 11  # of the table
# then the moves and what is known of them,
NUMBER: Final = 12
MOVE: Final = 13  # which of them is being tried
VALUE: Final = 14  # the best answer of those tried
UNION: Final = 15  # dependencies of the moves that failed
LAW_SUIT: Final = 16  # the suit in which cards are compared with the best card, or -1
LAW_HELD: Final = 17  # what the player held there
PLAYED: Final = 18
# and where the card completed a trick, that trick.
GAINED: Final = 19  # points of side 0
WON: Final = 20  # code of the card that won
BEATEN: Final = 21  # as SECOND
MOVES: Final = 22
WIDTH: Final = 24  # most moves of a frame: kinds of card
FRAME: Final = MOVES + WIDTH

# The fixed memory.
PLAYERS: Final = 0
RANKS: Final = 1
BITS: Final = 2
ALWAYS: Final = 3  # the dependency set that is always there
LEAST: Final = 4  # points of the cheapest card that is worth any
LAST: Final = 5  # points of the last trick
LOWEST_BITS: Final = 6  # of a lane: the lowest bit of each rank
PARTED: Final = 7  # of a lane: the second bit of each rank above which the worth changes
A_SUIT: Final = 8  # words a suit
LINES: Final = 9  # of the table, less one
GENERATION: Final = 10
VOID_TRUMPS: Final = 11  # whether a hand void in the suit led plays a trump that cannot win
BEAT_PLAIN: Final = 12  # whether one must beat if able where a plain suit was led,
BEAT_TRUMP: Final = 13  # and where trump was
SIDE: Final = 16  # of each player
WORD: Final = 32  # which word of a suit has the lane of a player
SHIFT: Final = 48  # and where
WORTH: Final = 64  # points of each rank
BEATS: Final = 80  # of each code: the set of codes that beat it, as the law has it
LEADERS: Final = 112  # hashes: of each player on lead, and of trump that is not broken
MASKS: Final = 128  # of each set of boundaries: the counts to be compared (see `arrangement`)
SALTS: Final = 160  # hashes: of each word
BEATING: Final = 176  # of each code: the same as two lanes (see `moves`), if it is led or trump
SCORES: Final = 208  # of each place in the trick, outlook and code (see `order`)
SHAPES: Final = SCORES + 512  # hashes: of each code and player, at `suit << 7 | player << 3 | rank`
FIXED: Final = SHAPES + 512


@inlined
def play(board: Memory, fixed: Memory, frame: int, code: int) -> None:
    """Play a card at a frame, and lay the next frame."""
    place, player = at(board, frame + PLACE), at(board, frame + PLAYER)
    suit, rank = code >> 3, code & 7
    card = 1 << (rank * given(fixed, BITS))
    lane, word = LANES + (suit << 4 | player), WORDS + 3 * suit + given(fixed, WORD + player)
    put(board, lane, at(board, lane) - card)
    put(board, TOTALS + suit, at(board, TOTALS + suit) - card)
    put(board, word, at(board, word) - (card << given(fixed, SHIFT + player)))
    shape = given(fixed, SHAPES + (suit << 7 | player << 3 | rank))
    put(board, SHAPE, at(board, SHAPE) - shape)
    put(board, frame + PLAYED, code)
    points = at(board, frame + POINTS) + given(fixed, WORTH + rank)
    led, best, winner, second = suit, code, player, -1
    if place:
        led, best = at(board, frame + LED), at(board, frame + BEST)
        winner, second = at(board, frame + WINNER), at(board, frame + SECOND)
        if given(fixed, BEATS + best) >> code & 1:
            second = best if best >> 3 == suit else -1
            best, winner = code, player
        elif best >> 3 == suit:
            second = max(second, code)
    after = frame + FRAME
    if place + 1 == given(fixed, PLAYERS):
        lead = frame - place * FRAME
        gained = points if given(fixed, SIDE + winner) == 0 else 0
        put(board, frame + GAINED, gained)
        put(board, frame + WON, best)
        put(board, frame + BEATEN, second)
        put(board, after + PLACE, 0)
        put(board, after + PLAYER, winner)
        put(board, after + POINTS, 0)
        put(board, after + TRICKS, at(board, lead + TRICKS) - 1)
        put(board, after + LEFT, at(board, lead + LEFT) - points)
        put(board, after + NEED, at(board, lead + NEED) - gained)
        # the law: trump is broken once one is played, and then a trump has won the trick
        put(board, after + BROKEN, at(board, lead + BROKEN) | int(best < 8))
    else:
        put(board, after + PLACE, place + 1)
        put(board, after + PLAYER, player + 1 if player + 1 < given(fixed, PLAYERS) else 0)
        put(board, after + LED, led)
        put(board, after + BEST, best)
        put(board, after + WINNER, winner)
        put(board, after + SECOND, second)
        put(board, after + POINTS, points)


@inlined
def take_back(board: Memory, fixed: Memory, frame: int) -> None:
    """Take back the card that was played at a frame."""
    code, player = at(board, frame + PLAYED), at(board, frame + PLAYER)
    suit, rank = code >> 3, code & 7
    card = 1 << (rank * given(fixed, BITS))
    lane, word = LANES + (suit << 4 | player), WORDS + 3 * suit + given(fixed, WORD + player)
    put(board, lane, at(board, lane) + card)
    put(board, TOTALS + suit, at(board, TOTALS + suit) + card)
    put(board, word, at(board, word) + (card << given(fixed, SHIFT + player)))
    shape = given(fixed, SHAPES + (suit << 7 | player << 3 | rank))
    put(board, SHAPE, at(board, SHAPE) + shape)
