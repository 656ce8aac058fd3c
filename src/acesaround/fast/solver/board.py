"""The board of a search: hands and trick, and how a card is played and taken back.

All data are int64 in one of two memories; this module names their indices. The *board* is mutable:
registers, hands and a stack of frames, one for each card to be played. The *fixed* memory is
constant for a setup; `setup.tables` fills it.

A *code* is a card: `suit << 3 | rank`. Trump is suit 0, and rank 0 is the lowest. A *lane* is one
suit of one hand: BITS bits a rank give the number of copies, so a lower card is a lower bit.
"""

from __future__ import annotations

from typing import Final

from acesaround.fast.jit import inlined
from acesaround.fast.raw_memory import Memory, at, given, put

NO_CARD: Final = 255  # stored instead of a code

# The board: the state of the search, kept between calls.
AT: Final = 0  # the current frame
BASE: Final = 1  # the root frame of the search
NODES: Final = 2  # cards tried
LIMIT: Final = 3  # nodes after which to pause
RESULT: Final = 4
SHAPE: Final = 5  # hash of the number of cards of each worth in each hand
# The cards.
LANES: Final = 16  # one for each suit and player, at `suit << 4 | player`
TOTALS: Final = LANES + 64  # one lane for each suit: the cards of all players
WORDS: Final = TOTALS + 4  # the lanes of a suit packed side by side, three words a suit
FRAMES: Final = WORDS + 12

# A frame: one card to be played. For every frame, the trick before that card:
PLACE: Final = 0  # number of cards in the trick already
PLAYER: Final = 1
LED: Final = 2  # suit led
BEST: Final = 3  # code of the card now winning
WINNER: Final = 4  # player of that card
SECOND: Final = 5  # highest code of that suit among the other cards of the trick, or -1
POINTS: Final = 6  # in the trick
# For a lead only:
TRICKS: Final = 7  # tricks left, this one included
LEFT: Final = 8  # points left to be won
NEED: Final = 9  # bound of the zero window: does side 0 win at least this many of them?
BROKEN: Final = 10
KEY: Final = 11  # key in the transposition table
# The moves and their results so far:
NUMBER: Final = 12  # number of moves
MOVE: Final = 13  # index of the move being tried
VALUE: Final = 14  # best value of the moves tried
UNION: Final = 15  # dependencies of the moves that failed
LAW_SUIT: Final = 16  # suit in which the must-beat rule compares cards with the best one, or -1
LAW_HELD: Final = 17  # the player's lane of that suit
PLAYED: Final = 18  # code of the card played
# The trick, if that card completed it:
GAINED: Final = 19  # points of side 0
WON: Final = 20  # code of the card that won
BEATEN: Final = 21  # SECOND at the end of the trick
MOVES: Final = 22
WIDTH: Final = 24  # most moves of a frame: kinds of card
FRAME: Final = MOVES + WIDTH

# The fixed memory.
PLAYERS: Final = 0
RANKS: Final = 1
BITS: Final = 2  # bits a rank of a lane
ALWAYS: Final = 3  # the smallest dependency set: boundaries between ranks of different worth
LEAST: Final = 4  # fewest points of a card that is worth any
LAST: Final = 5  # points of the last trick
LOWEST_BITS: Final = 6  # of a lane: the lowest bit of each rank
PARTED: Final = 7  # of a lane: the second bit of each rank above which the worth changes
A_SUIT: Final = 8  # words in use for each suit
LINES: Final = 9  # number of lines of the transposition table, minus one
GENERATION: Final = 10  # of the entries in use
VOID_TRUMPS: Final = 11  # whether a hand void in the suit led must play even a losing trump
BEAT_PLAIN: Final = 12  # whether a follower must beat if able when a plain suit was led
BEAT_TRUMP: Final = 13  # and when trump was led
SIDE: Final = 16  # of each player
WORD: Final = 32  # of each player: index of the word with the player's lane of a suit
SHIFT: Final = 48  # of each player: bit position of the lane in that word
WORTH: Final = 64  # points of each rank
BEATS: Final = 80  # of each code: the set of codes that beat it under the rules
LEADERS: Final = 112  # hashes: one for each player on lead, and one for unbroken trump
MASKS: Final = 128  # of each set of boundaries: the counts to compare (see `setup`)
SALTS: Final = 160  # hashes: of each word
BEATING: Final = 176  # BEATS as two lanes (see `move_generation`), for codes led or of trump
SCORES: Final = 208  # of each place in the trick, outlook and code (see `move_ordering`)
SHAPES: Final = SCORES + 512  # hashes: of each code and player, at `suit << 7 | player << 3 | rank`
FIXED: Final = SHAPES + 512


@inlined
def play(board: Memory, fixed: Memory, frame: int, code: int) -> None:
    """Play a card at a frame, and fill in the next frame."""
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
        # trump is broken once one is played; then a trump has won the trick
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
