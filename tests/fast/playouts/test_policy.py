"""The policy `rules`: legal, without hidden information, better than random, and sensible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from acesaround import variants
from acesaround.cards import CARDS, KIND_COUNT, Card, pack
from acesaround.fast.playouts.deal_preparation import (
    FACT_COUNT,
    NAMED_TRUMP,
    PreparationBuffers,
    deal_cards,
    play_to_first_lead,
)
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.playouts.packed_deal import (
    BEST_KIND,
    CARDS_IN_TRICK,
    DECLARER_NUMBER,
    LEADER,
    STOCK_LEFT,
    TRICKS_LEFT,
    TRUMP,
    TRUMP_BROKEN,
    TURN,
    WINNER,
    PackedDeal,
    copy_deal,
    empty_deal,
    sets_from_hand,
)
from acesaround.fast.playouts.play_loop import CHOICE_BITS, CHOICE_MASK, HEURISTIC, RANDOM, play_on
from acesaround.fast.playouts.rng import start_stream
from acesaround.fast.playouts.rule_arrays import (
    HAND_SIZE,
    PLAYER_COUNT,
    Integers,
    RuleArrays,
    build_rule_arrays,
    role_weight_array,
)
from acesaround.fast.playouts.rule_arrays import STOCK_SIZE as DRAWN
from acesaround.heuristic_weights import PlayWeights, RoleWeights
from acesaround.rules import Rules
from acesaround.rules.tricks import winner
from tests.extended_rules import NINES_SIX, STOCKED, TRIPLE_THREE_SIDES, TRIPLE_TWO_SIDES
from tests.fast.playouts.test_playouts import TABLES

EACH_RULES = pytest.mark.parametrize(
    "rules",
    [*TABLES, TRIPLE_TWO_SIDES, TRIPLE_THREE_SIDES, NINES_SIX, *STOCKED],
    ids=lambda r: f"{r.variant}-{r.deck.copies}-{r.seats}-{r.side_size}",
)


def packed_rules(rules: Rules) -> tuple[RuleArrays, Integers]:
    """Return the arrays of rules and the meld tables for kernels, every seat present."""
    return build_rule_arrays(rules, tuple(range(rules.seats))), build_meld_tables(rules)


def openings(rules: Rules, number: int, seed: int) -> Iterator[PackedDeal]:
    """Yield random deals before the first lead; all share the arrays of one packed deal."""
    numbers, tables = packed_rules(rules)
    packed, cards = empty_deal(numbers), np.zeros(len(numbers.deck), np.int64)
    facts = np.zeros(FACT_COUNT, np.int64)
    buffers = PreparationBuffers(cards, np.zeros(KIND_COUNT, np.int64), facts)
    for item in range(number):
        with np.errstate(over="ignore"):
            chance = deal_cards(numbers, packed, cards, start_stream(seed, item))
            play_to_first_lead(numbers, tables, packed, RANDOM, chance, buffers)
        if facts[NAMED_TRUMP] >= 0:
            yield packed


def play(
    numbers: RuleArrays, packed: PackedDeal, policies: Sequence[int], number: int, seed: int
) -> list[int]:
    """Play `number` cards and return the log entry of each choice."""
    log = np.zeros(len(numbers.deck) + 64, np.int64)
    with np.errstate(over="ignore"):
        play_on(numbers, packed, np.array(policies), start_stream(seed, 0), log, number)
    return [int(entry) for entry in log if entry]


def max_choices(numbers: RuleArrays) -> int:
    """Return a number of choices that no deal of those rules exceeds."""
    return (
        int(numbers.params[PLAYER_COUNT] * numbers.params[HAND_SIZE] + numbers.params[DRAWN]) + 64
    )


def choice_on_turn(numbers: RuleArrays, packed: PackedDeal) -> int:
    """Return what the player on turn chooses."""
    everybody = [HEURISTIC] * len(packed.hands)
    return play(numbers, copy_deal(packed), everybody, 1, 0)[0] & CHOICE_MASK


@EACH_RULES
def test_policy_plays_only_legal_cards(rules: Rules) -> None:
    numbers, _ = packed_rules(rules)
    played = 0
    for item, packed in enumerate(openings(rules, 60, 1)):
        for choice in play(numbers, packed, [HEURISTIC] * rules.seats, max_choices(numbers), item):
            assert choice >> CHOICE_BITS >> (choice & CHOICE_MASK) & 1
            played += 1
        assert packed.status[TRICKS_LEFT] == 0
    assert played > 600


@EACH_RULES
def test_choice_does_not_depend_on_hidden_cards(rules: Rules) -> None:
    numbers, _ = packed_rules(rules)
    rng = np.random.default_rng(2)
    changed = 0
    for item, packed in enumerate(openings(rules, 60, 3)):
        played = int(rng.integers(0, rules.seats * rules.hand_size - 1))
        play(numbers, packed, [RANDOM] * rules.seats, played, item)
        redealt = redeal_unseen(numbers, packed, rng)
        changed += not np.array_equal(packed.hands, redealt.hands)
        assert choice_on_turn(numbers, packed) == choice_on_turn(numbers, redealt)
    assert changed > 20


def redeal_unseen(numbers: RuleArrays, packed: PackedDeal, rng: np.random.Generator) -> PackedDeal:
    """Return the deal with the cards that the player on turn cannot see dealt again."""
    redealt, turn, drawn = copy_deal(packed), packed.status[TURN], packed.status[STOCK_LEFT]
    seats = [player for player in range(len(packed.hands)) if player != turn]
    own = cards_of(packed.hands[turn])
    unseen = cards_of(packed.unplayed[0])
    for kind in own:
        unseen.remove(kind)
    rng.shuffle(unseen)
    for player in seats:
        size = len(cards_of(packed.hands[player]))
        redealt.hands[player] = sets_from_hand(
            pack(CARDS[kind] for kind in unseen[:size]), len(packed.unplayed[0])
        )
        unseen = unseen[size:]
    for at in range(len(packed.stock) - drawn, len(packed.stock)):
        redealt.stock[at] = unseen.pop()
    return redealt


def cards_of(row: Integers) -> list[int]:
    """Return the kinds of a row of sets, each as often as it is held."""
    return [kind for copy in row for kind in range(KIND_COUNT) if int(copy) >> kind & 1]


@EACH_RULES
def test_policy_beats_random_play_on_the_same_deals(rules: Rules) -> None:
    """Each side plays each deal by the rules of thumb once, all others at random."""
    numbers, sides = packed_rules(rules)[0], len(rules.sides)
    ours = others = 0
    for item, opening in enumerate(openings(rules, 400, 5)):
        for side in range(sides):
            packed = copy_deal(opening)
            policies = [
                HEURISTIC if other_side == side else RANDOM for other_side in numbers.side_of_player
            ]
            play(numbers, packed, policies, max_choices(numbers), item)
            ours += int(packed.points_won[side])
            others += int(packed.points_won.sum() - packed.points_won[side])
    even = (ours + others) / sides
    assert (
        ours > (1.1 if rules.hand_size > 7 else 1.02) * even
    )  # with few cards there is less to do


def hand(text: str) -> list[Card]:
    """Return the cards of a line such as `AS TH`."""
    return [Card(word) for word in text.split()]


def choice(
    held: str,
    trick: str = "",
    *,
    variant: str = "partnership",
    trump: str = "H",
    played_cards: str = "",
    seats: int | None = None,
    declarer: int | None = None,
    play: PlayWeights | None = None,
) -> str:
    """Return what player 0 plays from a hand to a trick, after `played_cards`.

    `play`: the weights of every player, instead of those in force.

    """
    rules = variants.get(variant, seats)
    numbers, lying, players = packed_rules(rules)[0], tuple(hand(trick)), rules.seats
    if play is not None:
        weights = np.array([role_weight_array(RoleWeights(play, play, play))] * players)
        numbers = numbers._replace(role_weights=weights)
    packed, copies, suit = empty_deal(numbers), rules.deck.copies, Card(f"A{trump}").suit
    packed.hands[0] = sets_from_hand(pack(hand(held)), copies)
    packed.unplayed[0] = sets_from_hand(
        rules.deck.packed - pack(hand(played_cards)) - pack(lying), copies
    )
    packed.trick[: len(lying)] = lying
    status = packed.status
    status[CARDS_IN_TRICK], status[TRUMP], status[TRICKS_LEFT] = len(lying), suit, len(hand(held))
    status[BEST_KIND] = status[WINNER] = -1
    if lying:
        takes = winner(lying, suit)
        status[LEADER] = -len(lying) % players
        status[BEST_KIND], status[WINNER] = lying[takes], (takes - len(lying)) % players
    status[TRUMP_BROKEN], status[DECLARER_NUMBER] = True, 0 if declarer is None else declarer + 1
    return str(CARDS[choice_on_turn(numbers, packed)])


def test_counter_is_played_on_the_partners_sure_trick() -> None:
    assert choice("TS QS 9D", "9S AS 9S") == "TS"
    assert choice("KD 9D QC", "JS AS 9S") == "KD"


def test_no_counter_is_played_on_an_opponents_sure_trick() -> None:
    assert choice("TS QS JS", "9S JS AS") == "JS"
    assert choice("TD KC 9D", "AS JS 9S") == "9D"


def test_the_last_seat_wins_with_the_cheapest_counter() -> None:
    assert choice("AS TS KS JD", "QS JS 9S") == "KS"


def test_the_last_seat_ruffs_low() -> None:
    assert choice("AH QH 9H JD", "QS TS 9S") == "9H"


def test_side_aces_are_cashed_first() -> None:
    assert choice("AS KS QH JH 9D 9C QD JC") == "AS"


def test_ten_is_led_when_it_cannot_be_beaten() -> None:
    trumps = "AH AH TH TH KH KH QH QH JH JH 9H 9H"
    held = "TS QS TD JD TC JC JC 9C 9C"
    assert choice(held, played_cards=f"{trumps} AS AS") == "TS"
    assert choice(held, played_cards=f"{trumps} AD AD") == "TD"


def test_long_trump_holding_draws_trumps() -> None:
    assert choice("AH AH TH TH KH KH QH JH KS QD KC JD", declarer=0)[1] == "H"


def test_master_is_not_played_on_a_lost_trick() -> None:
    assert choice("AD QC 9C", "AS JS 9S") in ("QC", "9C")
