"""Changes of the totals by a deal: made, set, saved and lost meld, conceding, penalties."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from acesaround import variants
from acesaround.cards import Suit, unpack
from acesaround.rules import Rules
from acesaround.rules.melds import find_melds
from acesaround.rules.scoring import (
    Outcome,
    Tally,
    card_points,
    has_counter_by_side,
    make_tally,
    max_play_points,
    may_concede,
    mean_play_points,
    outcome_and_changes,
    points_to_make_bid,
)
from tests.scripted_games import hand

THREE, FIVE, SEVEN = (
    variants.THREE_HANDED,
    variants.FIVE_CARD.with_options(players=3),
    variants.SEVEN_CARD,
)
PARTNERS, TWO = variants.PARTNERSHIP, variants.TWO_HANDED
DOUBLE, CLASSIC = variants.DOUBLE_DECK, variants.DOUBLE_DECK_CLASSIC
BOTH = pytest.mark.parametrize("rules", [DOUBLE, CLASSIC])


def score(
    rules: Rules,
    meld: Sequence[int],
    play: Sequence[int],
    bid: int | None,
    *,
    counter: Sequence[bool] | None = None,
    nines: Sequence[int] | None = None,
    ended: Outcome | None = None,
    offender: int | None = None,
) -> tuple[str, tuple[int, ...]]:
    """Return outcome and changes of the totals; side 0 declares unless there is no bid."""
    won = tuple(counter) if counter else tuple(points > 0 for points in play)
    tally = Tally(tuple(meld), tuple(nines or [0] * len(play)), tuple(play), won)
    declarer = None if bid is None else 0
    outcome, change = outcome_and_changes(rules, tally, ended, declarer, bid, offender)
    return str(outcome), change


@pytest.mark.parametrize(
    ("rules", "meld", "play", "bid", "change"),
    [
        (THREE, (150, 40, 0), (100, 80, 70), 250, (250, 120, 70)),  # exactly the bid
        (THREE, (190, 0, 20), (200, 30, 20), 300, (390, 30, 40)),
        (FIVE, (4, 2, 0), (3, 5, 4), 7, (7, 7, 4)),
        (SEVEN.with_options(players=2), (15, 4), (4, 6), 10, (19, 10)),
        (PARTNERS, (150, 80), (100, 150), 250, (250, 230)),
        (DOUBLE, (30, 24), (22, 28), 52, (52, 52)),
        (CLASSIC, (30, 4), (22, 28), 50, (52, 32)),
    ],
)
def test_meld_and_play_together_make_the_bid_and_all_sides_score_both(
    rules: Rules, meld: tuple[int, ...], play: tuple[int, ...], bid: int, change: tuple[int, ...]
) -> None:
    assert score(rules, meld, play, bid) == ("made", change)


@pytest.mark.parametrize(
    ("rules", "meld", "nines", "play", "bid", "left"),
    [
        (DOUBLE, 40, 0, 10, 60, 10),
        (DOUBLE, 60, 0, 4, 60, 16),  # enough points, but 20 in play are needed
        (DOUBLE, 60, 0, 20, 60, 0),
        (DOUBLE, 16, 0, 12, 50, 38),  # meld below 20 counts nothing
        (CLASSIC, 16, 0, 12, 50, 22),
        (THREE, 260, 0, 0, 250, 10),  # a counter saves the meld
        (THREE, 150, 0, 30, 250, 70),
        (FIVE, 8, 0, 0, 7, 1),
        (FIVE, 8, 7, 0, 7, 0),  # nines are never lost
        (CLASSIC.with_options(min_twenty=True, lowest_bid=10), 0, 0, 0, 10, 20),  # 20 or nothing
        (THREE, 0, 0, 0, 255, 260),  # points in play come in tens
        (DOUBLE, 0, 0, 0, 50, 50),
    ],
)
def test_points_to_make_bid_counts_what_is_missing(
    rules: Rules, meld: int, nines: int, play: int, bid: int, left: int
) -> None:
    sides = len(rules.sides)

    def of_side_0(points: int) -> tuple[int, ...]:
        return (points,) + (0,) * (sides - 1)

    tally = Tally(
        of_side_0(meld), of_side_0(nines), of_side_0(play), (play > 0,) + (False,) * (sides - 1)
    )
    assert points_to_make_bid(rules, tally, 0, bid) == left


@pytest.mark.parametrize(
    ("rules", "meld", "play", "bid", "change"),
    [
        (THREE, (140, 40, 0), (100, 80, 70), 250, (-250, 120, 70)),
        (FIVE, (4, 2, 0), (3, 5, 4), 8, (-8, 7, 4)),
        (PARTNERS, (140, 80), (100, 150), 250, (-250, 230)),
        (DOUBLE, (30, 24), (21, 29), 52, (-52, 53)),
        (CLASSIC, (30, 4), (22, 28), 53, (-53, 32)),
    ],
)
def test_a_set_side_loses_the_bid_and_the_others_score_as_usual(
    rules: Rules, meld: tuple[int, ...], play: tuple[int, ...], bid: int, change: tuple[int, ...]
) -> None:
    assert score(rules, meld, play, bid) == ("set", change)


def test_three_handed_a_defender_without_a_counter_scores_only_the_last_trick() -> None:
    result = score(THREE, (150, 100, 60), (240, 10, 0), 250, counter=(True, False, False))
    assert result == ("made", (390, 10, 0))


def test_three_handed_buried_counters_and_the_last_trick_save_no_meld() -> None:
    """30 buried and 10 for last are scored; the 300 of meld are gone, and so is the bid of 250."""
    meld, play, counter = (300, 0, 0), (40, 110, 100), (False, True, True)
    assert score(THREE, meld, play, 250, counter=counter) == ("set", (-250, 110, 100))
    low = THREE.with_options(lowest_bid=40)
    assert score(low, meld, play, 40, counter=counter) == ("made", (40, 110, 100))
    assert score(low, meld, play, 50, counter=counter)[0] == "set"


def test_small_scale_the_point_for_the_last_trick_saves_meld() -> None:
    result = score(FIVE, (10, 8, 6), (11, 1, 0), 5, counter=(True, False, False))
    assert result == ("made", (21, 9, 0))


def test_small_scale_nines_of_trump_count_without_a_point_in_play() -> None:
    assert score(FIVE, (10, 9, 6), (12, 0, 0), 5, nines=(0, 1, 0)) == ("made", (22, 1, 0))


def test_small_scale_a_set_bidder_keeps_the_nines() -> None:
    assert score(FIVE, (6, 0, 0), (3, 5, 4), 10, nines=(2, 0, 0)) == ("set", (-8, 5, 4))


def test_small_scale_nines_count_toward_the_bid() -> None:
    assert score(FIVE, (6, 0, 0), (3, 5, 4), 9, nines=(2, 0, 0)) == ("made", (9, 5, 4))


@pytest.mark.parametrize(("bid", "result"), [(1, ("made", 2)), (2, ("made", 2)), (3, ("set", -1))])
def test_small_scale_without_a_point_in_play_only_nines_count_toward_the_bid(
    bid: int, result: tuple[str, int]
) -> None:
    outcome, change = score(FIVE, (17, 0, 0), (0, 6, 5), bid, nines=(2, 0, 0))
    assert (outcome, change[0]) == result


def test_big_scale_nines_are_lost_like_any_meld() -> None:
    counter = (True, False, True)
    result = score(THREE, (150, 10, 0), (150, 0, 100), 250, counter=counter, nines=(0, 10, 0))
    assert result == ("made", (300, 0, 100))
    assert score(THREE, (20, 0, 0), (100, 80, 70), 250, nines=(20, 0, 0))[1][0] == -250


def test_partnership_a_side_without_a_point_in_play_loses_its_meld() -> None:
    assert score(PARTNERS, (100, 240), (250, 0), 250) == ("made", (350, 0))


def test_partnership_the_last_trick_alone_saves_meld() -> None:
    result = score(PARTNERS, (100, 240), (240, 10), 250, counter=(True, False))
    assert result == ("made", (340, 250))


def test_firehouse_any_trick_saves_meld() -> None:
    """bicyclecards.com, Partnership Pinochle: "the side making it wins at least one trick"."""
    rules = variants.get("firehouse")
    taken = score(rules, (100, 240), (250, 0), 250, counter=(True, True))
    assert taken == ("made", (350, 240))
    assert score(rules, (100, 240), (250, 0), 250, counter=(True, False)) == ("made", (350, 0))


def test_partnership_a_bidding_side_without_a_point_in_play_is_set() -> None:
    assert score(PARTNERS, (1500, 20), (0, 250), 250) == ("set", (-250, 270))


@pytest.mark.parametrize(
    ("meld", "play", "result"),
    [
        ((20, 0), (30, 20), ("made", 50)),
        ((19, 0), (31, 19), ("set", -50)),  # below 20 meld scores 0
        ((19, 0), (50, 0), ("made", 50)),  # 50 in play make the bid alone
        ((60, 0), (20, 30), ("made", 80)),
        ((60, 0), (19, 31), ("set", -50)),  # below 20 in play both are lost
    ],
)
def test_double_deck_meld_or_play_below_20_does_not_count_toward_the_bid(
    meld: tuple[int, int], play: tuple[int, int], result: tuple[str, int]
) -> None:
    outcome, change = score(DOUBLE, meld, play, 50)
    assert (outcome, change[0]) == result


@pytest.mark.parametrize(
    ("meld", "play", "change"),
    [(20, 20, 40), (19, 20, 20), (20, 19, 0), (0, 20, 20), (40, 0, 0), (19, 19, 0)],
)
@pytest.mark.parametrize("bid", [50, 100])
def test_double_deck_defenders_need_20_in_meld_and_in_play(
    meld: int, play: int, change: int, bid: int
) -> None:
    outcome, result = score(DOUBLE, (30, meld), (50 - play, play), bid)
    assert outcome == ("made" if bid == 50 else "set")
    assert result[1] == change


@pytest.mark.parametrize(("meld", "play", "change"), [(4, 3, 7), (19, 0, 19), (0, 1, 1)])
def test_classic_defenders_score_meld_and_play_in_full(meld: int, play: int, change: int) -> None:
    assert score(CLASSIC, (30, meld), (50 - play, play), 60)[1][1] == change


@pytest.mark.parametrize(
    ("meld", "play", "change"), [(4, 15, 0), (4, 16, 20), (19, 0, 0), (0, 20, 20), (20, 0, 20)]
)
def test_classic_with_min_twenty_defenders_below_20_score_nothing(
    meld: int, play: int, change: int
) -> None:
    rules = CLASSIC.with_options(min_twenty=True)
    assert score(rules, (30, meld), (50 - play, play), 60)[1][1] == change


@BOTH
def test_with_set_pays_defenders_they_score_the_bid_as_well(rules: Rules) -> None:
    paying = rules.with_options(set_pays_defenders=True)
    assert score(paying, (30, 22), (20, 30), 60) == ("set", (0, 112))


@BOTH
def test_with_set_pays_defenders_conceding_still_costs_the_bid(rules: Rules) -> None:
    paying = rules.with_options(set_pays_defenders=True)
    result = score(paying, (30, 52), (0, 0), 52, ended=Outcome.CONCEDED)
    assert result == ("conceded", (-52, 52))


def test_with_set_pays_defenders_in_partnership() -> None:
    rules = PARTNERS.with_options(set_pays_defenders=True)
    assert score(rules, (0, 40), (100, 150), 250) == ("set", (0, 440))
    assert score(rules, (0, 40), (250, 0), 300) == ("set", (0, 300))
    assert score(rules, (150, 40), (100, 150), 250) == ("made", (250, 190))


def test_with_set_pays_defenders_they_score_the_bid_even_without_own_points() -> None:
    rules = DOUBLE.with_options(set_pays_defenders=True)
    assert score(rules, (20, 40), (31, 19), 60) == ("set", (0, 60))


@pytest.mark.parametrize(
    ("rules", "meld", "bid", "change"),
    [
        (THREE, (150, 100, 20), 300, (-300, 100, 20)),
        (FIVE, (4, 8, 0), 6, (-6, 8, 0)),
        (PARTNERS, (0, 20), 260, (-260, 20)),
        (DOUBLE, (40, 20), 60, (-60, 20)),
        (DOUBLE, (40, 19), 60, (-60, 0)),  # meld counts from 20
        (CLASSIC, (40, 30), 60, (-60, 30)),
    ],
)
def test_after_conceding_the_others_score_meld_as_if_saved(
    rules: Rules, meld: tuple[int, ...], bid: int, change: tuple[int, ...]
) -> None:
    result = score(rules, meld, (0,) * len(meld), bid, ended=Outcome.CONCEDED)
    assert result == ("conceded", change)


def test_small_scale_a_conceding_declarer_keeps_nines() -> None:
    result = score(FIVE, (6, 5, 0), (0, 0, 0), 9, nines=(2, 1, 0), ended=Outcome.CONCEDED)
    assert result == ("conceded", (-7, 5, 0))


@pytest.mark.parametrize(
    ("rules", "meld", "change"),
    [
        (DOUBLE, (30, 20), (-55, 20)),
        (DOUBLE, (30, 19), (-55, 0)),
        (CLASSIC, (30, 40), (-55, 0)),  # the other side scores nothing
        (DOUBLE.with_options(set_pays_defenders=True), (30, 20), (0, 75)),
        (DOUBLE.with_options(set_pays_defenders=True), (30, 19), (0, 55)),
        (CLASSIC.with_options(set_pays_defenders=True), (30, 40), (0, 55)),
        (PARTNERS.with_options(marriage_needed=True), (300, 40), (-55, 40)),
        (THREE.with_options(marriage_needed=True), (300, 40, 20), (-55, 40, 20)),
        (FIVE.with_options(marriage_needed=True), (10, 4, 0), (-55, 4, 0)),
    ],
)
def test_a_declarer_without_a_marriage_loses_the_bid(
    rules: Rules, meld: tuple[int, ...], change: tuple[int, ...]
) -> None:
    result = score(rules, meld, (0,) * len(meld), 55, ended=Outcome.NO_MARRIAGE)
    assert result == ("no-marriage", change)


@pytest.mark.parametrize(
    ("rules", "offender", "change"),
    [
        (THREE, 0, (-250, 40, 20)),
        (THREE, 1, (150, -250, 20)),  # the bidder is not set
        (PARTNERS.with_options(renege="penalty"), 1, (150, -250)),
        (PARTNERS.with_options(set_pays_defenders=True), 0, (-250, 40)),
        (DOUBLE, 1, (150, -250)),
    ],
)
def test_a_renege_costs_the_offending_side_the_bid_and_the_others_score_meld(
    rules: Rules, offender: int, change: tuple[int, ...]
) -> None:
    sides = len(rules.sides)
    result = score(
        rules,
        (150, 40, 20)[:sides],
        (100, 80, 70)[:sides],
        250,
        ended=Outcome.RENEGED,
        offender=offender,
    )
    assert result == ("reneged", change)


def test_small_scale_a_renege_costs_the_nines_too() -> None:
    result = score(
        FIVE, (6, 5, 3), (0, 4, 0), 9, nines=(2, 1, 0), ended=Outcome.RENEGED, offender=1
    )
    assert result == ("reneged", (6, -9, 3))


def test_without_an_auction_a_renege_costs_only_the_points_of_the_deal() -> None:
    result = score(TWO, (150, 40), (100, 60), None, ended=Outcome.RENEGED, offender=0)
    assert result == ("reneged", (0, 40))


def test_cards_thrown_in_score_nothing() -> None:
    result = score(THREE, (0, 0, 0), (0, 0, 0), None, ended=Outcome.THROWN_IN)
    assert result == ("thrown-in", (0, 0, 0))


def test_without_an_auction_meld_and_play_always_count() -> None:
    assert score(TWO, (150, 40), (250, 0), None) == ("counted", (400, 40))


@pytest.mark.parametrize(
    ("rules", "players", "most"),
    [
        (THREE, 3, 250),
        (PARTNERS, 4, 250),
        (DOUBLE, 4, 50),
        (CLASSIC, 4, 50),
        (variants.FIVE_CARD.with_options(players=2), 2, 11),  # ten cards and the last trick
        (variants.FIVE_CARD.with_options(players=4), 4, 21),
        (variants.FIVE_CARD.with_options(players=9), 9, 25),
        (variants.SEVEN_CARD.with_options(players=3), 3, 22),
        (variants.SEVEN_CARD.with_options(players=6), 6, 25),
        (variants.SEVEN_CARD.with_options(players=6), 2, 15),  # two tied players play on
        (THREE.with_options(card_points="traditional"), 3, 250),
        (PARTNERS.with_options(card_points="kings-fives"), 4, 250),
    ],
)
def test_max_play_points_counts_the_best_cards_that_fit(
    rules: Rules, players: int, most: int
) -> None:
    assert max_play_points(rules, players) == most


@pytest.mark.parametrize(
    ("rules", "meld", "bid", "offered"),
    [
        (PARTNERS, 0, 250, False),  # exactly at the limit
        (PARTNERS, 0, 260, True),
        (PARTNERS, 60, 310, False),
        (PARTNERS, 60, 330, True),  # the example in the rules
        (THREE.with_options(concede="hopeless"), 40, 290, False),
        (THREE.with_options(concede="hopeless"), 40, 300, True),
        (DOUBLE.with_options(concede="hopeless"), 20, 70, False),
        (DOUBLE.with_options(concede="hopeless"), 20, 75, True),
        (DOUBLE.with_options(concede="hopeless"), 19, 50, False),
        (DOUBLE.with_options(concede="hopeless"), 19, 51, True),  # meld as it would score: 0
        (CLASSIC.with_options(concede="hopeless"), 10, 60, False),
        (CLASSIC.with_options(concede="hopeless"), 10, 65, True),
        (CLASSIC.with_options(concede="hopeless", min_twenty=True), 10, 60, False),
        (FIVE.with_options(concede="hopeless"), 4, 20, False),  # three hands of five: 15 and 1
        (FIVE.with_options(concede="hopeless"), 4, 21, True),
        (PARTNERS.with_options(concede="never"), 0, 600, False),
        (PARTNERS.with_options(concede="always"), 500, 250, True),
        (THREE, 500, 250, True),
        (FIVE, 0, 60, False),
        (DOUBLE, 0, 500, False),
        (CLASSIC, 0, 500, False),
    ],
)
def test_may_concede_follows_the_concede_option(
    rules: Rules, meld: int, bid: int, offered: bool
) -> None:
    zeros = (0,) * len(rules.sides)
    tally = Tally((meld, *zeros[1:]), zeros, zeros, (False,) * len(zeros))
    assert may_concede(rules, tally, 0, bid, rules.seats) is offered


@pytest.mark.parametrize(
    ("name", "cards", "points"),
    [
        ("tens", "AS TS KS QS JS 9S", 30),
        ("kings-fives", "AS TS KS QS JS 9S", 30),
        ("kings-fives", "KS KD", 10),
        ("traditional", "AS TS KS QS JS 9S", 30),
        ("traditional", "AS JD", 13),
    ],
)
def test_card_points_follow_the_scale(name: str, cards: str, points: int) -> None:
    assert card_points(THREE.with_options(card_points=name), unpack(hand(cards))) == points


def test_buried_points_go_to_the_declarer_and_the_bonus_to_the_last_trick() -> None:
    found = make_tally(THREE, [], (40, 0, 90), (True, False, True), 1, 20, 2)
    assert found.play == (40, 20, 100)
    assert found.has_counter == (True, False, True)  # buried counters are not won
    assert make_tally(THREE, [], (40, 0, 90), (True, False, True), 1, 20, None).play == (40, 20, 90)
    assert make_tally(THREE, [], (40, 0, 90), (True, False, True), None, 0, 0).play == (50, 0, 90)


def test_the_tally_before_any_trick_is_zero() -> None:
    assert make_tally(DOUBLE, [], (), (), 1, 0, None) == Tally(
        (0, 0), (0, 0), (0, 0), (False, False)
    )


def test_the_tally_adds_melds_of_partners_and_counts_dixes_apart() -> None:
    rules = variants.SEVEN_CARD.with_options(players=2)
    laid = find_melds(rules.melds, hand("9H 9H KH QH KS QS"), Suit.H)
    assert make_tally(rules, [(1, 8, laid)], (), (), None, 0, None).dix_points == (0, 2)
    both = [(0, 150, ()), (2, 40, ()), (1, None, ())]
    assert make_tally(PARTNERS, both, (), (), None, 0, None).meld == (190, 0)


def test_counters_of_finds_sides_that_won_an_ace_ten_or_king() -> None:
    tricks = [(0, hand("QS JS")), (1, hand("9S KS"))]
    assert has_counter_by_side(THREE, [(who, unpack(cards)) for who, cards in tricks]) == (
        False,
        True,
        False,
    )


@pytest.mark.parametrize(
    ("rules", "players", "mean"),
    [
        (THREE, 3, 250.0),
        (PARTNERS, 4, 250.0),
        (TWO, 2, 250.0),
        (DOUBLE, 4, 50.0),
        (variants.FIVE_CARD, 4, 11.0),  # 20 of 48 cards: 10 of 24 points, and 1 for the last trick
        (SEVEN, 2, 8.0),  # 14 of 48 cards: 7 of 24 points, and 1 for the last trick
    ],
)
def test_mean_play_points_is_the_share_of_the_dealt_cards_and_the_last_trick(
    rules: Rules, players: int, mean: float
) -> None:
    assert mean_play_points(rules, players) == mean
