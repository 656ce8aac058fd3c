"""The exact search: alpha-beta at trick boundaries over a table that stores only what mattered.

A *dependency set* D says, a suit, between which neighbouring ranks a proof tells cards apart: bit
`r` of a suit's byte stands for the boundary between ranks `r` and `r + 1` (rank 0 is the lowest).
Boundaries between ranks of different worth are always there. The claim that makes the table exact:
every position with the same number of cards in each class of D in each hand, the same leader and
the same broken trump has the bound that was proven. D is built on the way back up: `_apart` and
`_tied` where a winner or a quick bound was told by ranks, `_law` where a rank decided what had to
be played, the union over the moves of the side that fails. (The idea is partition search, Ginsberg,
AAAI 1996; that it holds here rests on the tests, which compare it with unpruned search.)

Everything is an int64. A lane is a suit of one hand: `bits` a rank hold how many of that card, so a
lower card is a lower bit. Trump is suit 0. Points are those of side 0 from now on; the side that
wants many is side 0. The search runs on a stack of its own and can be interrupted after any number
of nodes and gone on with. Nothing here knows a variant, and nothing allocates.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from numba import int64

from acesaround.fast.compiled import highest, kernel, lowest

Array: TypeAlias = Any  # of int64 where nothing else is said; numba infers it

# A frame of the stack: one card to be played. Its fields, and how many there are.
CARD_OF_TRICK: Final = 0  # how many cards lie in the trick already
PLAYER: Final = 1
LED: Final = 2  # suit led
BEST_SUIT: Final = 3
BEST_RANK: Final = 4  # bit of the card now winning
BEST_PLAYER: Final = 5
TRICK_POINTS: Final = 6
TRICKS: Final = 7  # tricks left, this one included
LEFT: Final = 8  # points left to be won
NEED: Final = 9  # the question: does side 0 win this many of them?
BROKEN: Final = 10
MOVES: Final = 11  # how many moves there are
MOVE: Final = 12  # which of them is being tried
VALUE: Final = 13  # the best answer of those tried
LAW_SUIT: Final = 14  # the suit in which cards are compared with the best card, or -1
LAW_HELD: Final = 15  # what the player held there
UNION: Final = 16  # dependencies of the moves that failed
KEY: Final = 17
FIRST: Final = 18  # the move the table proposes
PLAYED: Final = 19
WANTS: Final = 20  # 1: side 0 moves
GAINED: Final = 21  # points of side 0 by the trick that this card completed
WON_SUIT: Final = 22
WON_RANK: Final = 23
WON_PLAYER: Final = 24
FRAME: Final = 25
WIDTH: Final = 24  # most moves of a frame: kinds of card

# Where the search stands: kept between calls.
DEPTH: Final = 0
STATE: Final = 1
RESULT: Final = 2
DEPENDENCIES: Final = 3
BASE: Final = 4  # the depth at which the answer is returned
SHAPE: Final = 5  # hash of how many cards of each worth each hand holds
NODES: Final = 6
LIMIT: Final = 7  # nodes after which to pause
REGISTERS: Final = 8

# What never changes for an arrangement of seats.
PLAYERS: Final = 0
RANKS: Final = 1
BITS: Final = 2
LANE: Final = 3  # bits a lane in a packed word
LANES: Final = 4  # lanes a word
ALWAYS: Final = 5  # the dependency set that is always there
LEAST: Final = 6  # points of the cheapest card that is worth any
LAST: Final = 7  # points of the last trick
MASK: Final = 8  # lines of the table, less one
GENERATION: Final = 9
SALT: Final = 10
CONSTANTS: Final = 11

ENTER: Final = 0
TRY: Final = 1
BACK: Final = 2
DONE: Final = 3

_NONE: Final = 255
_MANY: Final = 1 << 20
PROBES: Final = 32  # lines looked through: many entries share a shape
_HIGH: Final = 0x3FF  # no upper bound is known
_TAG: Final = 0x7F


@kernel
def _apart(deps: int, suit: int, low: int, high: int) -> int:
    """Tell rank `low` from rank `high`: by a boundary that is there, or the one below `high`."""
    if (deps >> (8 * suit)) & ((1 << high) - 1) & ~((1 << low) - 1):
        return deps
    return deps | (1 << (8 * suit + high - 1))


@kernel
def _tied(deps: int, suit: int, rank: int, ranks: int) -> int:
    """Tell a rank from both its neighbours."""
    if rank > 0:
        deps |= 1 << (8 * suit + rank - 1)
    if rank < ranks - 1:
        deps |= 1 << (8 * suit + rank)
    return deps


@kernel
def _law(deps: int, suit: int, held: int, best: int, moved: int, ranks: int, bits: int) -> int:
    """What the law of beating adds: that a card of rank `best` in `suit` is to be beaten if able.

    `held`: the player's lane there. `moved`: the rank played where that one move is the proof; -1
    where all moves failed. With other cards of the same classes the same moves must be legal.
    """
    while True:
        here = (deps >> (8 * suit)) & 0xFF
        above = here >> best
        top = best + lowest(above) if above else ranks - 1
        under = here & ((1 << best) - 1)
        bottom = highest(under) + 1 if under else 0
        beating = held >> ((best + 1) * bits)
        clear = held >> ((top + 1) * bits)
        level = held & ((1 << ((best + 1) * bits)) - 1) & ~((1 << (bottom * bits)) - 1)
        below = held & ((1 << (bottom * bits)) - 1)
        within = 0
        if top > best:
            within = held & ((1 << ((top + 1) * bits)) - 1) & ~((1 << ((best + 1) * bits)) - 1)
        if moved >= 0 and beating:
            # it must beat: no card of the best card's class may pass for one that does
            if moved > top or clear == 0:
                return deps
            return _apart(deps, suit, best, moved)
        if moved >= 0 and moved >= bottom:
            return deps
        if moved < 0 and beating == 0:
            return deps
        if moved < 0 and clear == 0:
            if below == 0:
                return deps
            deps = _apart(deps, suit, best, highest(beating << ((best + 1) * bits)) // bits)
            continue
        if moved < 0 and within:
            return deps
        if level == 0:
            return deps
        rank = highest(level) // bits
        if rank != best:
            return _apart(deps, suit, rank, best)
        if bottom == best and top == best:
            return deps
        deps = _tied(deps, suit, best, ranks)
        return deps


@kernel
def _bounds(
    lanes: Array,
    leader: int,
    tricks: int,
    left: int,
    broken: int,
    side: Array,
    sizes: Array,
    worth: Array,
    counters: Array,
    constants: Array,
    sure: Array,
    proof: Array,
) -> None:
    """What each side is sure to win, with the dependencies of its proof, written into two arrays.

    First by trumps that no opponent can beat, which win whenever they are played; then by what the
    leader can cash from the top, all hands following.
    """
    players, ranks, bits = constants[PLAYERS], constants[RANKS], constants[BITS]
    always, last, least = constants[ALWAYS], constants[LAST], constants[LEAST]
    sure[0] = sure[1] = 0
    proof[0] = proof[1] = always
    trumps_0, trumps_1 = int64(0), int64(0)
    for player in range(players):
        if side[player] == 0:
            trumps_0 |= lanes[player]
        else:
            trumps_1 |= lanes[player]
    for player in range(players):
        lane = lanes[player]
        others = trumps_1 if side[player] == 0 else trumps_0
        if lane <= others:
            continue
        masters, deps = lane, always
        if others:
            rank = highest(others) // bits
            masters = lane & ~((1 << ((rank + 1) * bits)) - 1)
            if masters:
                deps = _apart(deps, 0, rank, lowest(masters) // bits)
        if masters:
            points = int64(worth[masters])
            if sizes[masters] == tricks:
                points += last
            if points > sure[side[player]]:
                sure[side[player]] = points
                proof[side[player]] = deps
    if not broken:
        return
    deps = always
    own, cashed, trumps = int64(0), int64(0), int64(0)
    for suit in range(4):
        lane = lanes[suit * players + leader]
        if lane == 0 and suit:
            continue
        others, longest = int64(0), int64(0)
        for player in range(players):
            if player != leader:
                other = lanes[suit * players + player]
                others |= other
                if sizes[other] > longest:
                    longest = int64(sizes[other])
        top, told = lane, deps
        if others:
            rank = highest(others) // bits
            top = lane & ~((1 << (rank * bits)) - 1)
            if top:
                low = lowest(top) // bits
                if low == rank:
                    told = _tied(told, suit, rank, ranks)
                else:
                    told = _apart(told, suit, rank, low)
        number = int64(sizes[top])
        if number >= longest:  # nobody has any left: the rest of the suit wins too
            top, number = lane, int64(sizes[lane])
        elif suit == 0:  # an opponent keeps trumps: plain suits are not safe
            deps, own, cashed, trumps = told, int64(worth[top]), number, number
            break
        deps = told
        own += int64(worth[top])
        cashed += number
        if suit == 0:
            trumps = number
    if cashed == 0:
        return
    mine = side[leader]
    points = own
    if cashed >= tricks:
        points = left
    else:
        for player in range(players):
            if player == leader:
                continue
            many = int64(sizes[lanes[player]])
            good = int64(counters[lanes[player]])
            cards, all_good = many, good
            for suit in range(1, 4):
                cards += int64(sizes[lanes[suit * players + player]])
                all_good += int64(counters[lanes[suit * players + player]])
            followed = min(trumps, many)
            forced = max(0, cashed - (cards - all_good))
            if side[player] != mine:
                points += least * max(max(0, followed - (many - good)), forced)
            else:
                given = min(followed, good)
                if trumps > many:
                    given += min(trumps - many, all_good - good)
                points += least * max(given, forced)
    points = min(points, left)
    if points > sure[mine]:
        sure[mine] = points
        proof[mine] = deps


@kernel
def _last_trick(
    lanes: Array, leader: int, side: Array, value: Array, constants: Array
) -> tuple[int, int]:
    """The points of side 0 in the last trick, and their dependencies."""
    players, ranks, bits = constants[PLAYERS], constants[RANKS], constants[BITS]
    suit, best, winner = int64(-1), int64(0), int64(0)
    points, deps = constants[LAST], constants[ALWAYS]
    for place in range(players):
        player = leader + place
        if player >= players:
            player -= players
        its = int64(0)
        while lanes[its * players + player] == 0:
            its += 1
        bit = lowest(lanes[its * players + player])
        points += value[bit // bits]
        if place == 0 or (bit > best if its == suit else its == 0):
            suit, best, winner = its, bit, player
    beaten = int64(-1)
    for player in range(players):
        lane = lanes[suit * players + player]
        if side[player] != side[winner] and lane:
            beaten = max(beaten, lowest(lane))
    if beaten == best:
        deps = _tied(deps, suit, best // bits, ranks)
    elif beaten >= 0:
        deps = _apart(deps, suit, beaten // bits, best // bits)
    return (points if side[winner] == 0 else int64(0)), deps


@kernel
def _told(words: Array, deps: int, masks: Array, salts: Array) -> int:
    """The hash of the counts that a dependency set tells apart and the shape does not."""
    mixed: int = int64(0)
    many = words.shape[0] >> 2
    for suit in range(4):
        mask = masks[(deps >> (8 * suit)) & 0x1F]
        if mask:
            for word in range(suit * many, suit * many + many):
                mixed += (words[word] & mask) * salts[word]
    return mixed


@kernel
def _entry(deps: int, low: int, high: int, move: int, generation: int, tag: int) -> int:
    """An entry of the table but for its key: bits 0-19 the dependencies, 20 and 30 the bounds."""
    short = (deps & 0x1F) | ((deps >> 8) & 0x1F) << 5
    short |= ((deps >> 16) & 0x1F) << 10 | ((deps >> 24) & 0x1F) << 15
    return short | low << 20 | high << 30 | move << 40 | generation << 48 | tag << 56


@kernel
def _dependencies(entry: int) -> int:
    low = (entry & 0x1F) | ((entry >> 5) & 0x1F) << 8
    return low | ((entry >> 10) & 0x1F) << 16 | ((entry >> 15) & 0x1F) << 24


@kernel
def _store(
    table: Array,
    key: int,
    deps: int,
    low: int,
    high: int,
    move: int,
    words: Array,
    masks: Array,
    salts: Array,
    mask: int,
    generation: int,
) -> None:
    """Put a bound into the table: in a free place of its lines, or in that of the oldest."""
    full = key + _told(words, deps, masks, salts)
    tag, line = (key >> 40) & _TAG, key & mask
    short = _entry(deps, 0, 0, 0, 0, 0)
    for probe in range(PROBES):
        base = (line ^ probe) * 8
        for way in range(4):
            entry = table[base + 2 * way + 1]
            if ((entry >> 48) & 0xFF) != generation:
                for x in range(way, 0, -1):
                    table[base + 2 * x] = table[base + 2 * x - 2]
                    table[base + 2 * x + 1] = table[base + 2 * x - 1]
                table[base] = full
                table[base + 1] = _entry(deps, low, high, move, generation, tag)
                return
            same = table[base + 2 * way] == full and (entry & 0xFFFFF) == short
            if same and ((entry >> 56) & _TAG) == tag:
                low = max(low, (entry >> 20) & 0x3FF)
                high = min(high, (entry >> 30) & 0x3FF)
                table[base + 2 * way + 1] = _entry(deps, low, high, move, generation, tag)
                return
    base = (line ^ ((full >> 40) & (PROBES - 1))) * 8
    for x in range(3, 0, -1):
        table[base + 2 * x] = table[base + 2 * x - 2]
        table[base + 2 * x + 1] = table[base + 2 * x - 1]
    table[base] = full
    table[base + 1] = _entry(deps, low, high, move, generation, tag)


@kernel
def search(
    lanes: Array,
    totals: Array,
    words: Array,
    stack: Array,
    moves: Array,
    lowest_same: Array,
    registers: Array,
    side: Array,
    sizes: Array,
    worth: Array,
    counters: Array,
    value: Array,
    constants: Array,
    shapes: Array,
    leaders: Array,
    masks: Array,
    salts: Array,
    table: Array,
    order: Array,
    scores: Array,
    sure: Array,
    proof: Array,
) -> int:
    """Search until the frame at `registers[BASE]` is answered, or for `registers[LIMIT]` nodes.

    Returns 1 with the answer in `registers[RESULT]`, or 0 if it is to be called again. The answer
    is fail-soft: at least `NEED` and a lower bound, or below it and an upper bound.
    """
    players, ranks, bits = constants[PLAYERS], constants[RANKS], constants[BITS]
    lane_bits, a_word, always = constants[LANE], constants[LANES], constants[ALWAYS]
    mask, generation, salt = constants[MASK], constants[GENERATION], constants[SALT]
    many_words = words.shape[0] >> 2
    whole = (int64(1) << (ranks * bits)) - 1
    ones = int64(0)
    for rank in range(ranks):
        ones |= int64(1) << (rank * bits)
    depth, state, base = registers[DEPTH], registers[STATE], registers[BASE]
    result, deps = registers[RESULT], registers[DEPENDENCIES]
    shape, nodes, limit = registers[SHAPE], registers[NODES], registers[LIMIT]
    best_move = int64(0)
    while True:
        frame = depth * FRAME
        if state == ENTER:
            if nodes >= limit:
                registers[DEPTH], registers[STATE], registers[SHAPE] = depth, state, shape
                registers[NODES] = nodes
                return 0
            place, player = stack[frame + CARD_OF_TRICK], stack[frame + PLAYER]
            broken = stack[frame + BROKEN]
            first = int64(_NONE)
            if place == 0:
                need, left = stack[frame + NEED], stack[frame + LEFT]
                tricks = stack[frame + TRICKS]
                deps = always
                state = BACK
                if need <= 0:
                    result = int64(0)
                    continue
                if need > left:
                    result = left
                    continue
                if tricks == 1:
                    result, deps = _last_trick(lanes, player, side, value, constants)
                    continue
                _bounds(
                    lanes,
                    player,
                    tricks,
                    left,
                    broken,
                    side,
                    sizes,
                    worth,
                    counters,
                    constants,
                    sure,
                    proof,
                )
                if need <= sure[0]:
                    result, deps = sure[0], proof[0]
                    continue
                if need > left - sure[1]:
                    result, deps = left - sure[1], proof[1]
                    continue
                key = shape + leaders[player] + salt
                if not broken:
                    key += leaders[players]
                key ^= (key >> 32) & 0xFFFFFFFF
                key *= int64(-2917014679902334061)
                key ^= (key >> 29) & 0x7FFFFFFFF
                tag, line = (key >> 40) & _TAG, key & mask
                near, hit, free = int64(_NONE), False, False
                for probe in range(PROBES):
                    at = (line ^ probe) * 8
                    for way in range(at, at + 8, 2):
                        entry = table[way + 1]
                        if ((entry >> 48) & 0xFF) != generation:
                            free = True
                            break
                        if ((entry >> 56) & _TAG) != tag:
                            continue
                        deps = _dependencies(entry)
                        if table[way] != key + _told(words, deps, masks, salts):
                            if near == _NONE:
                                near = (entry >> 40) & 0xFF
                            continue
                        low, high = (entry >> 20) & 0x3FF, (entry >> 30) & 0x3FF
                        if low >= need or high < need:
                            result = low if low >= need else high
                            hit = True
                            break
                        if first == _NONE:
                            first = (entry >> 40) & 0xFF
                    if hit or free:
                        break
                if hit:
                    continue
                if first == _NONE:
                    first = near
                stack[frame + KEY] = key
            # The legal moves. Of cards that nothing outside the hand parts, the highest stands
            # for all.
            led, best_suit = stack[frame + LED], stack[frame + BEST_SUIT]
            best, winner = stack[frame + BEST_RANK], stack[frame + BEST_PLAYER]
            from_suit, to_suit, allowed = 0, 4, whole
            law, held = int64(-1), int64(0)
            if place:
                must = lanes[led * players + player]
                suit = led
                if must == 0:
                    must, suit = lanes[player], int64(0)
                if must:
                    from_suit, to_suit = suit, suit + 1
                    if best_suit == suit:
                        law, held = suit, must
                        beating = whole & ~((int64(1) << (best + bits)) - 1)
                        if must & beating:
                            allowed = beating
            elif not broken:
                plain = lanes[players + player] | lanes[2 * players + player]
                if plain | lanes[3 * players + player]:
                    from_suit = 1
            number = int64(0)
            row = depth * WIDTH
            for suit in range(from_suit, to_suit):
                lane = lanes[suit * players + player]
                if lane == 0:
                    continue
                others = totals[suit] - lane
                if bits == 2:
                    lane = (lane | lane >> 1) & ones & allowed
                    others = (others | others >> 1) & ones
                else:
                    lane = (lane | lane >> 1 | lane >> 2) & ones & allowed
                    others = (others | others >> 1 | others >> 2) & ones
                if place and best_suit == suit:
                    others |= int64(1) << best
                before = int64(-1)
                while lane:
                    bit = highest(lane)
                    lane &= ~(int64(1) << bit)
                    alike = before >= 0 and value[before // bits] == value[bit // bits]
                    between = ((int64(2) << max(before, 0)) - 1) & ~((int64(1) << bit) - 1)
                    if alike and not others & between:
                        before = bit
                        lowest_same[row + number - 1] = bit
                        continue
                    before = bit
                    lowest_same[row + number] = bit
                    moves[row + number] = suit << 5 | bit
                    number += 1
            if number > 1:
                kind = 3 if place == players - 1 else min(place, 2)
                for one in range(number):
                    move, same = moves[row + one], lowest_same[row + one]
                    suit, bit = move >> 5, move & 31
                    its_led, its_suit, its_best, its_winner = led, best_suit, best, winner
                    if place == 0:
                        its_led, its_suit, its_best, its_winner = suit, suit, bit, player
                    elif bit > best if suit == best_suit else suit == 0:
                        its_suit, its_best, its_winner = suit, bit, player
                    friend, enemy = False, False
                    other = player
                    for _ in range(place + 1, players):
                        other += 1
                        if other == players:
                            other = int64(0)
                        lane = lanes[its_led * players + other]
                        if lane:
                            beats = its_suit == its_led and (lane >> (its_best + bits)) != 0
                        else:
                            lane = lanes[other]
                            beats = lane != 0
                            if its_suit == 0:
                                beats = (lane >> (its_best + bits)) != 0
                        if beats and side[other] == side[player]:
                            friend = True
                        elif beats:
                            enemy = True
                    if side[its_winner] == side[player]:
                        outlook = 0 if not enemy else (2 if friend else 1)
                    else:
                        outlook = 2 if friend else 3
                    good = 1 if value[bit // bits] else 0
                    score = order[((kind * 4 + outlook) * 2 + good) * 2 + (suit == 0)] * 8
                    score += order[64 + kind * 2 + (outlook == 0)] * (bit // bits)
                    if move == first:
                        score = int64(1) << 40
                    slot = one
                    while slot > 0 and scores[slot - 1] < score:
                        scores[slot] = scores[slot - 1]
                        moves[row + slot] = moves[row + slot - 1]
                        lowest_same[row + slot] = lowest_same[row + slot - 1]
                        slot -= 1
                    scores[slot], moves[row + slot], lowest_same[row + slot] = score, move, same
            wants = 1 if side[player] == 0 else 0
            stack[frame + MOVES], stack[frame + MOVE] = number, 0
            stack[frame + LAW_SUIT], stack[frame + LAW_HELD] = law, held
            stack[frame + UNION], stack[frame + WANTS] = always, wants
            stack[frame + VALUE] = -1 if wants else _MANY
            state = TRY
        if state == TRY:
            one = stack[frame + MOVE]
            if one == stack[frame + MOVES]:
                deps = stack[frame + UNION]
                if stack[frame + LAW_SUIT] >= 0:
                    deps = _law(
                        deps,
                        stack[frame + LAW_SUIT],
                        stack[frame + LAW_HELD],
                        stack[frame + BEST_RANK] // bits,
                        int64(-1),
                        ranks,
                        bits,
                    )
                best_move, result = moves[depth * WIDTH], stack[frame + VALUE]
                state = DONE
            else:
                move, player = moves[depth * WIDTH + one], stack[frame + PLAYER]
                place = stack[frame + CARD_OF_TRICK]
                suit, bit = move >> 5, move & 31
                nodes += 1
                card = int64(1) << bit
                lanes[suit * players + player] -= card
                totals[suit] -= card
                words[suit * many_words + player // a_word] -= card << (
                    lane_bits * (player % a_word)
                )
                shape -= shapes[(suit * players + player) * ranks + bit // bits]
                stack[frame + PLAYED] = move
                led, best_suit = stack[frame + LED], stack[frame + BEST_SUIT]
                best, winner = stack[frame + BEST_RANK], stack[frame + BEST_PLAYER]
                if place == 0:
                    led, best_suit, best, winner = suit, suit, bit, player
                elif bit > best if suit == best_suit else suit == 0:
                    best_suit, best, winner = suit, bit, player
                points = stack[frame + TRICK_POINTS] + value[bit // bits]
                after = frame + FRAME
                stack[after + BROKEN] = 1 if suit == 0 else stack[frame + BROKEN]
                if place == players - 1:
                    gained = points if side[winner] == 0 else int64(0)
                    stack[after + CARD_OF_TRICK], stack[after + PLAYER] = 0, winner
                    stack[after + TRICK_POINTS] = 0
                    stack[after + TRICKS] = stack[frame + TRICKS] - 1
                    stack[after + LEFT] = stack[frame + LEFT] - points
                    stack[after + NEED] = stack[frame + NEED] - gained
                    stack[frame + GAINED] = gained
                    stack[frame + WON_SUIT], stack[frame + WON_RANK] = best_suit, best
                    stack[frame + WON_PLAYER] = winner
                else:
                    stack[after + CARD_OF_TRICK] = place + 1
                    stack[after + PLAYER] = player + 1 if player + 1 < players else 0
                    stack[after + LED], stack[after + BEST_SUIT] = led, best_suit
                    stack[after + BEST_RANK], stack[after + BEST_PLAYER] = best, winner
                    stack[after + TRICK_POINTS] = points
                    stack[after + TRICKS] = stack[frame + TRICKS]
                    stack[after + LEFT] = stack[frame + LEFT]
                    stack[after + NEED] = stack[frame + NEED]
                depth += 1
                state = ENTER
                continue
        if state == DONE:
            if stack[frame + CARD_OF_TRICK] == 0:
                enough = result >= stack[frame + NEED]
                _store(
                    table,
                    stack[frame + KEY],
                    deps,
                    result if enough else int64(0),
                    int64(_HIGH) if enough else result,
                    best_move,
                    words,
                    masks,
                    salts,
                    mask,
                    generation,
                )
            state = BACK
        # BACK: the frame at `depth` is answered by `result` and `deps`.
        if depth == base:
            registers[DEPTH], registers[STATE], registers[SHAPE] = depth, ENTER, shape
            registers[RESULT], registers[DEPENDENCIES] = result, deps
            registers[NODES] = nodes
            return 1
        depth -= 1
        frame = depth * FRAME
        move, player = stack[frame + PLAYED], stack[frame + PLAYER]
        place = stack[frame + CARD_OF_TRICK]
        suit, bit = move >> 5, move & 31
        card = int64(1) << bit
        lanes[suit * players + player] += card
        totals[suit] += card
        words[suit * many_words + player // a_word] += card << (lane_bits * (player % a_word))
        shape += shapes[(suit * players + player) * ranks + bit // bits]
        if place == players - 1:
            result += stack[frame + GAINED]
            won_suit, won = stack[frame + WON_SUIT], stack[frame + WON_RANK]
            second = int64(-1)
            for back in range(players):
                card_frame = frame - back * FRAME
                other = stack[card_frame + PLAYED]
                lost = stack[card_frame + PLAYER] != stack[frame + WON_PLAYER]
                if lost and other >> 5 == won_suit:
                    second = max(second, other & 31)
            if second == won:
                deps = _tied(deps, won_suit, won // bits, ranks)
            elif second >= 0:
                deps = _apart(deps, won_suit, second // bits, won // bits)
        wants = stack[frame + WANTS]
        if (result >= stack[frame + NEED]) == (wants == 1):
            best_move = move
            if stack[frame + LAW_SUIT] >= 0:
                deps = _law(
                    deps,
                    stack[frame + LAW_SUIT],
                    stack[frame + LAW_HELD],
                    stack[frame + BEST_RANK] // bits,
                    bit // bits,
                    ranks,
                    bits,
                )
            state = DONE
            continue
        if wants == 1:
            stack[frame + VALUE] = max(stack[frame + VALUE], result)
        else:
            stack[frame + VALUE] = min(stack[frame + VALUE], result)
        # Cards that this proof does not tell from the one that failed fail too.
        one, number, row = stack[frame + MOVE], stack[frame + MOVES], depth * WIDTH
        rank, same = bit // bits, lowest_same[row + one] // bits
        kept = one + 1
        for later in range(one + 1, number):
            other = moves[row + later]
            told = True
            if other >> 5 == suit:
                low, high = rank, (other & 31) // bits
                if low > high:
                    low, high = high, low
                told = (deps >> (8 * suit)) & ((1 << high) - 1) & ~((1 << low) - 1) != 0
            if told:
                moves[row + kept] = other
                lowest_same[row + kept] = lowest_same[row + later]
                kept += 1
        stack[frame + MOVES] = kept
        # A run of equal cards stands or falls as one: only its outer boundaries count.
        if same < rank:
            inner = (((1 << rank) - 1) & ~((1 << same) - 1)) << (8 * suit)
            if deps & inner:
                deps &= ~inner
                if same > 0:
                    deps |= 1 << (8 * suit + same - 1)
                if rank < ranks - 1:
                    deps |= 1 << (8 * suit + rank)
        stack[frame + UNION] |= deps
        stack[frame + MOVE] = one + 1
        state = TRY
