"""Move generation: the legal moves of a frame, sorted by score.

The functions of `legal_moves` decide legality, in two packings. For a lead each suit is one kind.
For a follower there are *two lanes* in one integer, the suit led and above it trump, and one bit
for all other cards.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from acesaround.fast.jit import highest_bit, inlined_kernel
from acesaround.fast.legal_moves import legal_kinds, legal_leads
from acesaround.fast.raw_memory import Memory, read_fixed_word, read_word, write_word
from acesaround.fast.solver.board import (
    BEATING_CODES,
    BEATING_LANES,
    BEST_CODE,
    BITS_PER_RANK,
    LANES,
    LED_SUIT,
    LOWEST_BITS,
    MOVE_COUNT,
    MOVE_SCORES,
    MOVES,
    MUST_BEAT_LANE,
    MUST_BEAT_PLAIN,
    MUST_BEAT_SUIT,
    MUST_BEAT_TRUMP,
    NO_CARD,
    PLAYER,
    PLAYER_COUNT,
    SIDE_OF_PLAYER,
    SUIT_TOTALS,
    TRICK_PLACE,
    TRUMP_BROKEN,
    VOID_MUST_TRUMP,
    WINNER,
    WORTH_BOUNDARIES,
)
from acesaround.fast.solver.dependency_sets import rank_of

CODE_MASK: Final = 31  # mask of the code in a move; for the layout see `_add_moves`
TRUMP_SHIFT: Final = 20  # first bit of the trump lane in two lanes
LANE_MASK: Final = (1 << TRUMP_SHIFT) - 1
_OTHER_CARDS: Final = 1 << 2 * TRUMP_SHIFT
SURE_WIN, WIN_UNLESS_BEATEN, PARTNER_CAN_WIN, SURE_LOSS = (
    0,
    1,
    2,
    3,
)  # outlooks, as in `move_ordering`
_FIRST_MOVE_SCORE: Final = 1 << 30  # score of the move to try first, above all others


class _Scoring(NamedTuple):
    """The values that score the moves of a player on turn, the same for all suits.

    `winning_codes`: the codes that win the trick so far; `losing_outlook`: the outlook of all
    others; `score_index`: the index of the scores for this place in the trick; `partner_cards`,
    `opponent_cards`: the cards that partners and opponents still to play may play, two lanes each;
    `first_code`: the code of the move to try first.
    """

    winning_codes: int
    losing_outlook: int
    score_index: int
    partner_cards: int
    opponent_cards: int
    first_code: int


@inlined_kernel
def lowest_run_rank(move: int) -> int:
    """Return the lowest rank of the run of equivalent cards that a move represents."""
    return move >> 8 & 7


@inlined_kernel
def _lowest_rank_bits(lane: int, fixed: Memory) -> int:
    """Return the lowest bit of each rank of which a lane has cards."""
    if read_fixed_word(fixed, BITS_PER_RANK) == 2:
        return (lane | lane >> 1) & read_fixed_word(fixed, LOWEST_BITS)
    return (lane | lane >> 1 | lane >> 2) & read_fixed_word(fixed, LOWEST_BITS)


@inlined_kernel
def _outlook(is_winning: bool, partner_can_win: bool, opponent_can_win: bool) -> int:
    """Return the outlook of a trick for the player on turn.

    `is_winning`: whether the player's side is winning it; `partner_can_win`, `opponent_can_win`:
    whether a partner or an opponent who is still to play can win it.
    """
    if is_winning:
        return (
            SURE_WIN
            if not opponent_can_win
            else (PARTNER_CAN_WIN if partner_can_win else WIN_UNLESS_BEATEN)
        )
    return PARTNER_CAN_WIN if partner_can_win else SURE_LOSS


@inlined_kernel
def _cards_to_come(
    board: Memory, fixed: Memory, player: int, place: int, led_suit: int
) -> tuple[int, int]:
    """Return the cards that partners and opponents still to play may play, two lanes each.

    A hand void in the suit led counts with its trumps.
    """
    partner_cards, opponent_cards = 0, 0
    players, side = (
        read_fixed_word(fixed, PLAYER_COUNT),
        read_fixed_word(fixed, SIDE_OF_PLAYER + player),
    )
    other = player
    for _ in range(place + 1, players):
        other = other + 1 if other + 1 < players else 0
        lanes = read_word(board, LANES + (led_suit << 4 | other))
        if led_suit == 0 or lanes == 0:
            lanes = read_word(board, LANES + other) << TRUMP_SHIFT
        if read_fixed_word(fixed, SIDE_OF_PLAYER + other) == side:
            partner_cards |= lanes
        else:
            opponent_cards |= lanes
    return partner_cards, opponent_cards


@inlined_kernel
def _add_moves(
    board: Memory,
    fixed: Memory,
    frame: int,
    suit: int,
    rank_bits: int,
    separators: int,
    scoring: _Scoring,
) -> None:
    """Insert the moves of one suit into the sorted moves of the frame.

    Kinds `rank_bits` with no bit of `separators` between them form one move.

    A move has the code in bits 0-4, the lowest rank of its run from bit 8, 31 minus its number from
    bit 16 and the score from bit 24.
    """
    bits_per_rank, move_count = (
        read_fixed_word(fixed, BITS_PER_RANK),
        read_word(board, frame + MOVE_COUNT),
    )
    while rank_bits:
        top = highest_bit(rank_bits)
        rank_bits ^= 1 << top
        low = top
        while rank_bits:
            next_bit = highest_bit(rank_bits)
            if separators & ((2 << low) - 1) & ~((1 << next_bit) - 1):
                break
            low = next_bit
            rank_bits ^= 1 << next_bit
        code = suit << 3 | rank_of(top, bits_per_rank)
        outlook = scoring.losing_outlook
        if scoring.winning_codes >> code & 1:
            beating_lanes = read_fixed_word(fixed, BEATING_LANES + code)
            outlook = _outlook(
                True,
                scoring.partner_cards & beating_lanes != 0,
                scoring.opponent_cards & beating_lanes != 0,
            )
        score = read_fixed_word(fixed, scoring.score_index + (outlook << 5 | code))
        if code == scoring.first_code:
            score = _FIRST_MOVE_SCORE
        move = score << 24 | (31 - move_count) << 16 | rank_of(low, bits_per_rank) << 8 | code
        slot = frame + MOVES + move_count
        while slot > frame + MOVES and read_word(board, slot - 1) < move:
            write_word(board, slot, read_word(board, slot - 1))
            slot -= 1
        write_word(board, slot, move)
        move_count += 1
    write_word(board, frame + MOVE_COUNT, move_count)


@inlined_kernel
def generate_leads(board: Memory, fixed: Memory, frame: int, first_code: int) -> None:
    """Generate the moves of the leader. `first_code`: the code of the move to try first."""
    player = read_word(board, frame + PLAYER)
    suits = 0
    for suit in range(4):
        if read_word(board, LANES + (suit << 4 | player)):
            suits |= 1 << suit
    suits = legal_leads(suits, 1, read_word(board, frame + TRUMP_BROKEN) != 0)
    write_word(board, frame + MUST_BEAT_SUIT, -1)
    write_word(board, frame + MOVE_COUNT, 0)
    for suit in range(4):
        if suits >> suit & 1:
            lane = read_word(board, LANES + (suit << 4 | player))
            separators = _lowest_rank_bits(read_word(board, SUIT_TOTALS + suit) - lane, fixed)
            partner_cards, opponent_cards = _cards_to_come(board, fixed, player, 0, suit)
            _add_moves(
                board,
                fixed,
                frame,
                suit,
                _lowest_rank_bits(lane, fixed),
                separators | read_fixed_word(fixed, WORTH_BOUNDARIES),
                _Scoring(-1, SURE_LOSS, MOVE_SCORES, partner_cards, opponent_cards, first_code),
            )


@inlined_kernel
def generate_follows(board: Memory, fixed: Memory, frame: int) -> None:
    """Generate the moves of a follower."""
    place, player = read_word(board, frame + TRICK_PLACE), read_word(board, frame + PLAYER)
    led_suit, best_code = read_word(board, frame + LED_SUIT), read_word(board, frame + BEST_CODE)
    beating_lanes, winning_codes = (
        read_fixed_word(fixed, BEATING_LANES + best_code),
        read_fixed_word(fixed, BEATING_CODES + best_code),
    )
    held = read_word(board, LANES + player) << TRUMP_SHIFT | _OTHER_CARDS
    led_lane = LANE_MASK << TRUMP_SHIFT
    if led_suit:
        held |= read_word(board, LANES + (led_suit << 4 | player))
        led_lane = LANE_MASK
    void_trumps = read_fixed_word(fixed, VOID_MUST_TRUMP) != 0
    must_beat = read_fixed_word(fixed, MUST_BEAT_PLAIN if led_suit else MUST_BEAT_TRUMP) != 0
    legal = legal_kinds(
        held, led_lane, LANE_MASK << TRUMP_SHIFT, beating_lanes if must_beat else 0, void_trumps
    )
    write_word(board, frame + MUST_BEAT_SUIT, -1)
    write_word(board, frame + MOVE_COUNT, 0)
    first_suit, end_suit, legal_lane = 0, 4, LANE_MASK
    if legal != held:
        first_suit = led_suit if legal & LANE_MASK else 0
        end_suit = first_suit + 1
        legal_lane = (legal | legal >> TRUMP_SHIFT) & LANE_MASK
        lane = read_word(board, LANES + (first_suit << 4 | player))
        if must_beat and best_code >> 3 == first_suit:
            write_word(board, frame + MUST_BEAT_SUIT, first_suit)
            write_word(board, frame + MUST_BEAT_LANE, lane)
        rank_bits = _lowest_rank_bits(legal_lane, fixed)
        if rank_bits & (rank_bits - 1) == 0:  # no choice
            rank = rank_of(highest_bit(rank_bits), read_fixed_word(fixed, BITS_PER_RANK))
            write_word(board, frame + MOVES, rank << 8 | first_suit << 3 | rank)
            write_word(board, frame + MOVE_COUNT, 1)
            return
    elif (
        must_beat and best_code >> 3 == 0 and read_word(board, LANES + player)
    ):  # no trump in hand wins, so any card is legal
        write_word(board, frame + MUST_BEAT_SUIT, 0)
        write_word(board, frame + MUST_BEAT_LANE, read_word(board, LANES + player))
    partner_cards, opponent_cards = _cards_to_come(board, fixed, player, place, led_suit)
    is_winning = read_fixed_word(
        fixed, SIDE_OF_PLAYER + read_word(board, frame + WINNER)
    ) == read_fixed_word(fixed, SIDE_OF_PLAYER + player)
    losing_outlook = _outlook(
        is_winning, partner_cards & beating_lanes != 0, opponent_cards & beating_lanes != 0
    )
    score_row = 3 if place + 1 == read_fixed_word(fixed, PLAYER_COUNT) else min(place, 2)
    scoring = _Scoring(
        winning_codes,
        losing_outlook,
        MOVE_SCORES + (score_row << 7),
        partner_cards,
        opponent_cards,
        NO_CARD,
    )
    for suit in range(first_suit, end_suit):
        lane = read_word(board, LANES + (suit << 4 | player))
        if lane:
            separators = _lowest_rank_bits(
                read_word(board, SUIT_TOTALS + suit) - lane, fixed
            ) | read_fixed_word(fixed, WORTH_BOUNDARIES)
            if best_code >> 3 == suit:
                separators |= 1 << ((best_code & 7) * read_fixed_word(fixed, BITS_PER_RANK))
            _add_moves(
                board,
                fixed,
                frame,
                suit,
                _lowest_rank_bits(lane & legal_lane, fixed),
                separators,
                scoring,
            )
