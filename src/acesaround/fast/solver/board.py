"""The board of a search: hands and trick, and how a card is played and taken back.

All data are int64 in one of two memories; this module names their indices. The *board* is mutable:
registers, hands and a stack of frames, one for each card to be played. The *fixed* memory is
constant for a setup; `setup.build_tables` fills it.

A *code* is a card: `suit << 3 | rank`. Trump is suit 0, and rank 0 is the lowest. A *lane* is one
suit of one hand: BITS_PER_RANK bits a rank give the number of copies, so a lower card is a lower
bit.
"""

from __future__ import annotations

from typing import Final

from acesaround.fast.jit import inlined_kernel
from acesaround.fast.raw_memory import Memory, read_fixed_word, read_word, write_word

NO_CARD: Final = 255  # stored instead of a code

# The board: the state of the search, kept between calls.
CURRENT_FRAME: Final = 0  # the current frame
ROOT_FRAME: Final = 1  # the root frame of the search
NODE_COUNT: Final = 2  # cards tried
NODE_LIMIT: Final = 3  # nodes after which to pause
RESULT: Final = 4
SHAPE_HASH: Final = 5  # hash of the number of cards of each worth in each hand
# The cards.
LANES: Final = 16  # one for each suit and player, at `suit << 4 | player`
SUIT_TOTALS: Final = LANES + 64  # one lane for each suit: the cards of all players
PACKED_LANES: Final = SUIT_TOTALS + 4  # the lanes of a suit packed side by side, three words a suit
FRAMES: Final = PACKED_LANES + 12

# A frame: one card to be played. For every frame, the trick before that card:
TRICK_PLACE: Final = 0  # number of cards in the trick already
PLAYER: Final = 1
LED_SUIT: Final = 2  # suit led
BEST_CODE: Final = 3  # code of the card now winning
WINNER: Final = 4  # player of that card
SECOND_CODE: Final = 5  # highest code of that suit among the other cards of the trick, or -1
TRICK_POINTS: Final = 6  # in the trick
# For a lead only:
TRICKS_LEFT: Final = 7  # tricks left, this one included
POINTS_LEFT: Final = 8  # points left to be won
NEED: Final = 9  # bound of the zero window: does side 0 win at least this many of them?
TRUMP_BROKEN: Final = 10
TABLE_KEY: Final = 11  # key in the transposition table
# The moves and their results so far:
MOVE_COUNT: Final = 12  # number of moves
MOVE_INDEX: Final = 13  # index of the move being tried
BEST_VALUE: Final = 14  # best value of the moves tried
FAILED_DEPS: Final = 15  # dependencies of the moves that failed
MUST_BEAT_SUIT: Final = (
    16  # suit in which the must-beat rule compares cards with the best one, or -1
)
MUST_BEAT_LANE: Final = 17  # the player's lane of that suit
PLAYED_CODE: Final = 18  # code of the card played
# The trick, if that card completed it:
POINTS_GAINED: Final = 19  # points of side 0
WINNING_CODE: Final = 20  # code of the card that won
BEATEN_CODE: Final = 21  # SECOND_CODE at the end of the trick
MOVES: Final = 22
MAX_MOVES: Final = 24  # most moves of a frame: kinds of card
FRAME_SIZE: Final = MOVES + MAX_MOVES

# The fixed memory.
PLAYER_COUNT: Final = 0
RANKS_IN_SUIT: Final = 1
BITS_PER_RANK: Final = 2  # bits a rank of a lane
BASE_DEPS: Final = 3  # the smallest dependency set: boundaries between ranks of different worth
MIN_CARD_POINTS: Final = 4  # fewest points of a card that is worth any
LAST_TRICK_POINTS: Final = 5  # points of the last trick
LOWEST_BITS: Final = 6  # of a lane: the lowest bit of each rank
WORTH_BOUNDARIES: Final = 7  # of a lane: the second bit of each rank above which the worth changes
WORDS_PER_SUIT: Final = 8  # words in use for each suit
LINE_MASK: Final = 9  # number of lines of the transposition table, minus one
GENERATION: Final = 10  # of the entries in use
VOID_MUST_TRUMP: Final = 11  # whether a hand void in the suit led must play even a losing trump
MUST_BEAT_PLAIN: Final = 12  # whether a follower must beat if able when a plain suit was led
MUST_BEAT_TRUMP: Final = 13  # and when trump was led
SIDE_OF_PLAYER: Final = 16  # of each player
WORD_OF_PLAYER: Final = 32  # of each player: index of the word with the player's lane of a suit
SHIFT_OF_PLAYER: Final = 48  # of each player: bit position of the lane in that word
RANK_POINTS: Final = 64  # points of each rank
BEATING_CODES: Final = 80  # of each code: the set of codes that beat it under the rules
LEADER_HASHES: Final = 112  # hashes: one for each player on lead, and one for unbroken trump
BOUNDARY_MASKS: Final = 128  # of each set of boundaries: the counts to compare (see `setup`)
WORD_HASHES: Final = 160  # hashes: of each word
BEATING_LANES: Final = 176  # BEATING_CODES as two lanes, for codes led or of trump
MOVE_SCORES: Final = 208  # of each place in the trick, outlook and code (see `move_ordering`)
SHAPE_HASHES: Final = (
    MOVE_SCORES + 512
)  # hashes: of each code and player, at `suit << 7 | player << 3 | rank`
FIXED_SIZE: Final = SHAPE_HASHES + 512


@inlined_kernel
def play_card(board: Memory, fixed: Memory, frame: int, code: int) -> None:
    """Play a card at a frame, and fill in the next frame."""
    place, player = read_word(board, frame + TRICK_PLACE), read_word(board, frame + PLAYER)
    suit, rank = code >> 3, code & 7
    card_bit = 1 << (rank * read_fixed_word(fixed, BITS_PER_RANK))
    lane, word = (
        LANES + (suit << 4 | player),
        PACKED_LANES + 3 * suit + read_fixed_word(fixed, WORD_OF_PLAYER + player),
    )
    write_word(board, lane, read_word(board, lane) - card_bit)
    write_word(board, SUIT_TOTALS + suit, read_word(board, SUIT_TOTALS + suit) - card_bit)
    write_word(
        board,
        word,
        read_word(board, word) - (card_bit << read_fixed_word(fixed, SHIFT_OF_PLAYER + player)),
    )
    shape_hash = read_fixed_word(fixed, SHAPE_HASHES + (suit << 7 | player << 3 | rank))
    write_word(board, SHAPE_HASH, read_word(board, SHAPE_HASH) - shape_hash)
    write_word(board, frame + PLAYED_CODE, code)
    points = read_word(board, frame + TRICK_POINTS) + read_fixed_word(fixed, RANK_POINTS + rank)
    led_suit, best_code, winner, second_code = suit, code, player, -1
    if place:
        led_suit, best_code = (
            read_word(board, frame + LED_SUIT),
            read_word(board, frame + BEST_CODE),
        )
        winner, second_code = (
            read_word(board, frame + WINNER),
            read_word(board, frame + SECOND_CODE),
        )
        if read_fixed_word(fixed, BEATING_CODES + best_code) >> code & 1:
            second_code = best_code if best_code >> 3 == suit else -1
            best_code, winner = code, player
        elif best_code >> 3 == suit:
            second_code = max(second_code, code)
    next_frame = frame + FRAME_SIZE
    if place + 1 == read_fixed_word(fixed, PLAYER_COUNT):
        lead_frame = frame - place * FRAME_SIZE
        points_gained = points if read_fixed_word(fixed, SIDE_OF_PLAYER + winner) == 0 else 0
        write_word(board, frame + POINTS_GAINED, points_gained)
        write_word(board, frame + WINNING_CODE, best_code)
        write_word(board, frame + BEATEN_CODE, second_code)
        write_word(board, next_frame + TRICK_PLACE, 0)
        write_word(board, next_frame + PLAYER, winner)
        write_word(board, next_frame + TRICK_POINTS, 0)
        write_word(board, next_frame + TRICKS_LEFT, read_word(board, lead_frame + TRICKS_LEFT) - 1)
        write_word(
            board, next_frame + POINTS_LEFT, read_word(board, lead_frame + POINTS_LEFT) - points
        )
        write_word(board, next_frame + NEED, read_word(board, lead_frame + NEED) - points_gained)
        # trump is broken once one is played; then a trump has won the trick
        write_word(
            board,
            next_frame + TRUMP_BROKEN,
            read_word(board, lead_frame + TRUMP_BROKEN) | int(best_code < 8),
        )
    else:
        write_word(board, next_frame + TRICK_PLACE, place + 1)
        write_word(
            board,
            next_frame + PLAYER,
            player + 1 if player + 1 < read_fixed_word(fixed, PLAYER_COUNT) else 0,
        )
        write_word(board, next_frame + LED_SUIT, led_suit)
        write_word(board, next_frame + BEST_CODE, best_code)
        write_word(board, next_frame + WINNER, winner)
        write_word(board, next_frame + SECOND_CODE, second_code)
        write_word(board, next_frame + TRICK_POINTS, points)


@inlined_kernel
def take_back_card(board: Memory, fixed: Memory, frame: int) -> None:
    """Take back the card that was played at a frame."""
    code, player = read_word(board, frame + PLAYED_CODE), read_word(board, frame + PLAYER)
    suit, rank = code >> 3, code & 7
    card_bit = 1 << (rank * read_fixed_word(fixed, BITS_PER_RANK))
    lane, word = (
        LANES + (suit << 4 | player),
        PACKED_LANES + 3 * suit + read_fixed_word(fixed, WORD_OF_PLAYER + player),
    )
    write_word(board, lane, read_word(board, lane) + card_bit)
    write_word(board, SUIT_TOTALS + suit, read_word(board, SUIT_TOTALS + suit) + card_bit)
    write_word(
        board,
        word,
        read_word(board, word) + (card_bit << read_fixed_word(fixed, SHIFT_OF_PLAYER + player)),
    )
    shape_hash = read_fixed_word(fixed, SHAPE_HASHES + (suit << 7 | player << 3 | rank))
    write_word(board, SHAPE_HASH, read_word(board, SHAPE_HASH) + shape_hash)
