"""The referee against examples worked out by hand from the published rules."""

import copy
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from tests.referee.cards import full_deck
from tests.referee.legal import is_legal_bid, legal_plays, perft
from tests.referee.melds import Holding, holding, lay_down, meld, with_card, without_card
from tests.referee.options import house_of_variant
from tests.referee.replay import check
from tests.referee.scores import Standing, Tally, after_deal, as_if_saved, may_concede, score_deal


def cards(text: str) -> list[str]:
    return text.split()


# Which cards may be played


def test_the_winning_card_must_be_beaten_in_the_led_suit_if_able() -> None:
    hand = ["AC", "QC", "AH"]
    assert legal_plays("partnership", "D", hand, ["TC"]) == ["AC"]
    assert legal_plays("partnership", "D", ["KC", "9C", "AH"], ["TC"]) == ["KC", "9C"]


def test_a_twin_does_not_beat_its_twin() -> None:
    assert legal_plays("partnership", "D", ["TC", "KC"], ["TC"]) == ["TC", "KC"]


def test_after_a_ruff_any_card_of_the_led_suit_is_legal() -> None:
    assert legal_plays("five-card", "D", ["AC", "9C", "AD"], ["TC", "AC", "KD"]) == ["AC", "9C"]


def test_a_player_void_in_the_led_suit_must_trump_if_able() -> None:
    assert legal_plays("partnership", "D", ["AS", "9D", "JD"], ["AC"]) == ["JD", "9D"]


def test_a_void_hand_must_overtrump_if_able_or_play_any_trump() -> None:
    assert legal_plays("five-card", "D", ["AS", "AD", "9D"], ["TC", "KD"]) == ["AD"]
    assert legal_plays("five-card", "D", ["AS", "KD", "9D"], ["TC", "KD"]) == ["KD", "9D"]


def test_a_hand_without_led_suit_and_trump_plays_any_card() -> None:
    assert legal_plays("partnership", "D", ["9S", "AS", "JH"], ["AC"]) == ["AS", "9S", "JH"]


def test_unbroken_trump_is_led_only_from_a_hand_of_trumps() -> None:
    assert legal_plays("seven-card", "H", ["AH", "9S"], [], broken=False) == ["9S"]
    assert legal_plays("seven-card", "H", ["AH", "9S"], []) == ["9S", "AH"]
    assert legal_plays("five-card", "H", ["AH", "9H"], [], broken=False) == ["AH", "9H"]
    assert legal_plays("three-handed", "H", ["AH", "9S"], [], broken=False) == ["9S", "AH"]


def test_any_card_is_legal_while_there_is_a_stock() -> None:
    hand = ["AS", "9S", "JH"]
    assert legal_plays("two-handed", "H", hand, ["TS"], phase="stock") == ["AS", "9S", "JH"]
    assert legal_plays("two-handed", "H", hand, ["TS"]) == ["AS"]


def test_perft_follows_the_winners_and_counts_twins_once() -> None:
    """Ace led: two replies, then all is forced. Queen led: the ten must take it."""
    hands = [["AS", "QS"], ["TS", "9S"]]
    assert [perft("two-handed", "H", hands, 0, depth) for depth in range(5)] == [1, 2, 3, 3, 3]
    assert perft("two-handed", "H", [["AS", "AS"], ["TS", "9S"]], 0, 4) == 2
    assert perft("two-handed", "H", hands, 0, 5) == 0


@pytest.mark.parametrize(
    ("variant", "standing", "legal", "illegal"),
    [
        ("three-handed", None, [250, 260, 400], [0, 240, 255]),
        ("three-handed", 300, [310, 500], [300, 305, 290]),
        ("partnership", None, [250, 260], [240, 255, 270]),
        ("partnership", 260, [270, 280], [260, 265, 290]),
        ("five-card", 3, [4, 40], [3, 2]),
        ("double-deck", None, [50, 53, 60, 65, 100, 110], [49, 61, 105]),
        ("double-deck-classic", 60, [65, 105], [60, 61, 62]),
    ],
)
def test_legal_bids_follow_the_steps_of_the_variant(
    variant: str, standing: int | None, legal: list[int], illegal: list[int]
) -> None:
    house = house_of_variant(variant)
    assert [bid for bid in legal + illegal if is_legal_bid(house, bid, standing)] == legal


# Melds


def names(found: dict[str, Any]) -> list[tuple[str, int]]:
    return sorted((meld["name"], meld["points"]) for meld in found["melds"])


def test_the_example_hand_of_the_tournament_rules_melds_35() -> None:
    hand = cards("AS KS QS AH TH TH TH KH KH QH QH JH AC TC AD TD KD KD KD JD")
    found = meld("double-deck", "H", hand)
    assert found["points"] == 35
    assert names(found) == [
        ("aces around", 10), ("marriage", 2), ("pinochle", 4), ("royal marriage", 4), ("run", 15),
    ]  # fmt: skip


def test_a_roundhouse_is_the_sum_of_its_parts() -> None:
    kings_queens = [rank + suit for suit in "SHDC" for rank in "KQ"]
    assert meld("three-handed", "H", kings_queens)["points"] == 240
    assert meld("three-handed", "H", [*kings_queens, "AH", "TH", "JH"])["points"] == 350
    assert meld("double-deck", "H", kings_queens)["points"] == 24
    assert meld("double-deck", "H", [*kings_queens, "AH", "TH", "JH"])["points"] == 35


def test_runs_with_further_kings_and_queens_score_by_variant() -> None:
    run = cards("AH TH KH QH JH")
    assert names(meld("partnership", "H", [*run, "KH"])) == [("run and king", 190)]
    assert names(meld("partnership", "H", [*run, "QH"])) == [("run and queen", 190)]
    assert names(meld("partnership", "H", [*run, "KH", "QH"])) == [("run and marriage", 230)]
    assert meld("three-handed", "H", [*run, "KH"])["points"] == 150
    assert meld("three-handed", "H", [*run, "KH", "QH"])["points"] == 190
    assert names(meld("partnership", "H", run * 2)) == [("double run", 1500)]


def test_doubles_score_ten_times_and_marriages_and_dixes_twice() -> None:
    eight = [rank + suit for suit in "SHDC" for rank in "JJ"]
    assert names(meld("three-handed", "H", eight)) == [("double jacks around", 400)]
    assert meld("three-handed", "H", ["QS", "QS", "JD", "JD"])["points"] == 300
    assert names(meld("three-handed", "H", cards("9H 9H KS KS QS QS"))) == [
        ("dix", 10), ("dix", 10), ("marriage", 20), ("marriage", 20),
    ]  # fmt: skip


def test_two_kings_and_one_queen_are_one_marriage() -> None:
    assert meld("five-card", "S", cards("KS KS QS 9S JD"))["points"] == 4 + 1 + 4


def test_without_trump_there_is_no_run_royal_marriage_or_dix() -> None:
    assert names(meld("partnership", None, cards("AH TH KH QH JH 9H"))) == [("marriage", 20)]


@pytest.mark.parametrize(
    ("variant", "runs"),
    [("double-deck", [15, 150, 300, 600]), ("double-deck-classic", [15, 150, 225, 300])],
)
def test_duplicate_runs_follow_duplicate_runs_extra(variant: str, runs: list[int]) -> None:
    run = cards("AH TH KH QH JH")
    off = {"duplicate_runs_extra": False}
    for number in (1, 2, 3, 4):
        assert meld(variant, "H", run * number)["points"] == runs[number - 1]
        assert names(meld(variant, "H", run * number, options=off)) == [("run", 15)] * number


def test_a_double_roundhouse_scores_a_bonus_only_with_its_option() -> None:
    hand = [rank + suit for suit in "SHDC" for rank in "KQ"] * 2 + ["AH", "TH", "JH", "JH"]
    plain = 15 + 4 + 6 * 2 + 80 + 60
    assert meld("double-deck", "H", hand)["points"] == plain
    found = meld("double-deck", "H", hand, options={"double_roundhouse": 24})
    assert found["points"] == plain + 24
    assert ("double roundhouse", 24) in names(found)


# The lay-downs of the two-handed game


def lay(seat: Holding, *melded: str, from_hand: bool = True) -> tuple[int, Holding]:
    house = house_of_variant("two-handed", None, {"meld_from_hand": from_hand})
    ways = lay_down(house, seat, "H", list(melded))
    return (ways[0].points, ways[0].holding) if ways else (0, seat)


def test_a_royal_marriage_grows_into_a_run_for_the_difference() -> None:
    points, seat = lay(holding(cards("AH TH KH QH JH KH QH")), "KH", "QH")
    assert points == 40
    assert lay(seat, "AH", "TH", "KH", "QH", "JH")[0] == 150  # with the other king and queen
    few = lay(holding(cards("AH TH KH QH JH")), "KH", "QH")[1]
    points, grown = lay(few, "AH", "TH", "KH", "QH", "JH")
    assert points == 110
    assert lay(grown, "KH", "QH")[0] == 0


def test_a_second_king_and_queen_of_trumps_beside_the_run_are_a_separate_40() -> None:
    seat = lay(holding(cards("AH TH KH QH JH")), "AH", "TH", "KH", "QH", "JH")[1]
    assert lay(seat, "KH", "QH")[0] == 0
    assert lay(with_card(seat, "KH"), "KH", "QH")[0] == 0
    assert lay(with_card(with_card(seat, "KH"), "QH"), "KH", "QH")[0] == 40


def test_a_pinochle_grows_into_a_double_or_a_second_is_laid_as_a_single() -> None:
    seat = lay(holding(["QS", "JD"]), "QS", "JD")[1]
    assert lay(with_card(seat, "QS"), "QS", "QS", "JD", "JD")[0] == 0
    seat = with_card(with_card(seat, "QS"), "JD")
    assert lay(seat, "QS", "QS", "JD", "JD")[0] == 260
    assert lay(seat, "QS", "JD")[0] == 40
    assert lay(holding(["QS", "JD"] * 2), "QS", "QS", "JD", "JD")[0] == 300


def test_there_is_no_second_double_pinochle() -> None:
    seat = lay(holding(["QS", "JD"] * 4), "QS", "QS", "JD", "JD")[1]
    assert lay(seat, "QS", "QS", "JD", "JD")[0] == 0
    points, seat = lay(seat, "QS", "JD")
    assert points == 40
    assert lay(seat, "QS", "QS", "JD", "JD")[0] == 0


def test_a_card_counts_again_only_in_another_class() -> None:
    points, seat = lay(holding(cards("KS QS QS KH KD KC")), "KS", "QS")
    assert points == 20
    assert lay(seat, "KS", "QS")[0] == 0
    assert lay(seat, "KS", "KH", "KD", "KC")[0] == 80


def test_each_meld_needs_a_card_from_the_hand_with_meld_from_hand() -> None:
    seat = holding([rank + suit for suit in "SHDC" for rank in "KQ"])
    for suit in "SHDC":
        seat = lay(seat, "K" + suit, "Q" + suit)[1]
    assert lay(seat, "KS", "KH", "KD", "KC")[0] == 0
    assert lay(seat, "KS", "KH", "KD", "KC", from_hand=False)[0] == 80
    assert lay(with_card(seat, "KD"), "KS", "KH", "KD", "KC")[0] == 80


def test_the_twin_in_the_hand_is_played_first() -> None:
    seat = with_card(lay(holding(["KS", "QS"]), "KS", "QS")[1], "KS")
    assert lay(without_card(seat, "KS"), "KS", "QS")[0] == 0
    assert [card.down for card in without_card(seat, "KS").copies] == [True, True]


def test_the_melds_of_a_two_handed_hand_score_the_most() -> None:
    kings_queens = [rank + suit for suit in "SHDC" for rank in "KQ"]
    assert meld("two-handed", "H", kings_queens)["points"] == 220
    loose = {"meld_from_hand": False}
    assert meld("two-handed", "H", kings_queens, options=loose)["points"] == 240
    assert meld("two-handed", "H", [*kings_queens, "AH", "TH", "JH"])["points"] == 350
    assert names(meld("two-handed", "H", cards("AH TH KH QH JH KH QH"))) == [
        ("royal marriage", 40), ("run", 150),
    ]  # fmt: skip
    assert names(meld("two-handed", "H", ["QS", "JD"] * 2)) == [("double pinochle", 300)]
    assert meld("two-handed", "H", cards("AH TH KH QH JH") * 2)["points"] == 300
    assert meld("two-handed", "H", ["9H", "9H", "9S"])["points"] == 20
    three = ["QS", "JD"] * 3
    assert meld("two-handed", "H", three, players=3)["points"] == 340


# Scores


def scored(
    variant: str,
    meld: list[int],
    play: list[int],
    bid: int | None,
    options: dict[str, Any] | None = None,
    outcome: str = "played",
    nines: int = 0,
    offender: int | None = None,
) -> tuple[str, list[int]]:
    """Return outcome and changes; side 0 declared and only it has nines of trump."""
    house = house_of_variant(variant, None, options)
    counter = [points > 10 for points in play]
    bidder = None if bid is None else 0
    apart = [nines] + [0] * (len(meld) - 1)
    return score_deal(house, outcome, Tally(meld, apart, play, counter, bid, bidder, offender))


def test_three_handed_a_counter_saves_meld_and_the_last_trick_does_not() -> None:
    assert scored("three-handed", [100, 40, 20], [200, 10, 40], 300) == ("made", [300, 10, 60])
    assert scored("three-handed", [100, 40, 20], [190, 20, 40], 300) == ("set", [-300, 60, 60])
    given_up = scored("three-handed", [100, 40, 0], [0, 0, 0], 400, outcome="conceded")
    assert given_up == ("conceded", [-400, 40, 0])


def test_nines_count_for_a_declarer_without_a_point_in_play() -> None:
    assert scored("five-card", [8, 4], [0, 7], 2, nines=2) == ("made", [2, 11])
    assert scored("five-card", [8, 4], [0, 7], 3, nines=2) == ("set", [-1, 11])
    assert scored("five-card", [8, 4], [7, 0], 16, nines=2) == ("set", [-14, 0])


def test_a_bidding_side_without_a_point_in_play_is_set() -> None:
    assert scored("partnership", [300, 40], [0, 250], 250) == ("set", [-250, 290])
    assert scored("partnership", [100, 340], [250, 0], 250) == ("made", [350, 0])


def test_double_deck_sides_need_20_meld_and_20_in_play() -> None:
    assert scored("double-deck", [35, 20], [31, 19], 60) == ("made", [66, 0])
    assert scored("double-deck", [19, 20], [30, 20], 50) == ("set", [-50, 40])
    assert scored("double-deck", [10, 10], [30, 20], 30, {"lowest_bid": 30}) == ("made", [30, 20])


def test_with_set_pays_defenders_they_score_the_bid() -> None:
    option = {"set_pays_defenders": True}
    assert scored("double-deck", [20, 18], [20, 30], 60, option) == ("set", [0, 90])
    nothing = scored("double-deck", [20, 20], [0, 0], 60, option, "no-marriage")
    assert nothing == ("no-marriage", [0, 80])
    given_up = scored("double-deck", [20, 20], [0, 0], 60, option, "conceded")
    assert given_up == ("conceded", [-60, 20])


def test_without_a_marriage_defenders_score_by_variant() -> None:
    assert scored("double-deck-classic", [9, 50], [0, 0], 55, None, "no-marriage")[1] == [-55, 0]
    assert scored("double-deck", [9, 50], [0, 0], 55, None, "no-marriage")[1] == [-55, 50]
    assert scored("double-deck", [9, 19], [0, 0], 55, None, "no-marriage")[1] == [-55, 0]


def test_min_twenty_applies_to_meld_and_play_together() -> None:
    option = {"min_twenty": True}
    assert scored("double-deck-classic", [20, 4], [35, 15], 50, option)[1] == [55, 0]
    assert scored("double-deck-classic", [20, 4], [34, 16], 50, option)[1] == [54, 20]


def test_a_renege_costs_the_offender_the_bid_and_the_others_score_meld() -> None:
    option = {"renege": "penalty"}
    result = scored("five-card", [6, 4, 2], [1, 2, 3], 9, option, "reneged", 2, offender=1)
    assert result == ("reneged", [6, -9, 2])
    result = scored("two-handed", [60, 40], [50, 90], None, option, "reneged", 0, offender=0)
    assert result == ("reneged", [0, 40])


def test_with_concede_hopeless_only_a_hopeless_bid_may_be_conceded() -> None:
    house = house_of_variant("partnership")
    assert not may_concede(house, 310, 60, 4)
    assert may_concede(house, 330, 60, 4)
    house = house_of_variant("five-card", 3, {"concede": "hopeless"})
    assert not may_concede(house, 20, 4, 3)
    assert may_concede(house, 21, 4, 3)
    assert as_if_saved(house_of_variant("double-deck"), 19) == 0


def finished(variant: str, totals: list[int], bidder: int | None, **options: Any) -> Standing:
    house = house_of_variant(variant, len(totals) if variant != "partnership" else 4, options)
    game = Standing(list(totals), house.target, list(range(house.seats)), 9)
    after_deal(house, game, bidder)
    return game


def test_the_declarer_at_the_target_wins_over_a_higher_total() -> None:
    assert finished("three-handed", [1500, 1600, 0], 0).winner == 0
    assert finished("three-handed", [1500, 1600, 0], 2).winner == 1
    assert finished("three-handed", [1600, 1600, 0], 2).winner is None
    assert finished("partnership", [1700, 1600], 1).winner == 1


def test_only_tied_players_play_on() -> None:
    game = finished("five-card", [55, 52, 55], 1, target=54)
    assert (game.winner, game.players) == (None, [0, 2])


def test_a_two_handed_tie_raises_the_target() -> None:
    assert finished("two-handed", [1010, 1010], None).target == 1250
    assert finished("two-handed", [1250, 1250], None).target == 1500
    assert finished("two-handed", [1010, 1020], None).winner == 1


def test_a_fixed_number_of_deals_ends_with_the_higher_total() -> None:
    assert finished("partnership", [1700, 600], 0, hands=10).winner is None
    assert finished("partnership", [100, 60], 1, hands=9).winner == 0
    assert finished("partnership", [100, 100], 1, hands=9).winner == 1
    assert finished("three-handed", [100, 100, 0], 2, hands=9).winner is None


# Whole records


def undealt(*dealt: list[str]) -> list[str]:
    """Return the cards of the deck that are not dealt."""
    deck = full_deck("ATKQJ9", 2)
    for card in itertools.chain(*dealt):
        deck.remove(card)
    return deck


@pytest.fixture
def five_card() -> dict[str, Any]:
    """Seat 1 bids 3 with 2 in meld and wins 3 points in play; seat 0 melds a dix and wins 4."""
    hands = [cards("9H KH TS JD QD"), cards("AH TH KS QS AC")]
    plays = ["1KS", "0TS", "0QD", "1TH", "1AC", "0KH", "09H", "1AH", "1QS", "0JD"]
    deal = {
        "players": [0, 1],
        "dealer": 0,
        "hands": hands,
        "kitty": [],
        "stock": undealt(*hands),
        "upcard": None,
        "actions": [
            [1, "bid", 3], [0, "pass"], [1, "trump", "H"], [1, "discard", []], [0, "discard", []],
            *[[int(play[0]), "play", play[1:]] for play in plays],
        ],
        "melds": [
            {"seat": 0, "points": 1, "melds": [{"name": "dix", "cards": ["9H"], "points": 1}]},
            {"seat": 1, "points": 2,
             "melds": [{"name": "marriage", "cards": ["QS", "KS"], "points": 2}]},
        ],
        "tricks": [
            {"leader": 1, "winner": 0, "points": 2}, {"leader": 0, "winner": 1, "points": 1},
            {"leader": 1, "winner": 0, "points": 2}, {"leader": 0, "winner": 1, "points": 1},
            {"leader": 1, "winner": 1, "points": 0},
        ],
        "score": {"outcome": "made", "bid": 3, "declarer": 1, "trump": "H",
                  "meld": [1, 2], "play": [4, 3], "change": [5, 5]},
    }  # fmt: skip
    return {
        "format": "acesaround/1", "variant": "five-card", "options": {}, "rules": {},
        "seats": [{"name": "South"}, {"name": "North"}], "sides": [[0], [1]],
        "deals": [deal], "totals": [5, 5], "winner": None,
    }  # fmt: skip


def test_a_valid_record_has_no_faults(five_card: dict[str, Any]) -> None:
    assert check(five_card) == []


@pytest.mark.parametrize(
    ("index", "action", "word"),
    [
        (0, [0, "bid", 3], "seat 1 has to"),
        (0, [1, "bid", 0], "cannot be bid"),
        (1, [0, "bid", 3], "cannot be bid"),
        (2, [1, "trump", "X"], "cannot be named"),
        (3, [1, "discard", ["AD"]], "does not hold"),
        (5, [1, "play", "AH"], "may play"),  # trump is not broken
        (6, [0, "play", "JD"], "may play"),  # the ten of spades can win
        (8, [1, "play", "AC"], "may play"),  # void in diamonds, holding trump
        (8, [1, "play", "TS"], "does not hold"),
    ],
)
def test_an_action_out_of_turn_or_against_the_rules_is_a_fault(
    five_card: dict[str, Any], index: int, action: list[Any], word: str
) -> None:
    five_card["deals"][0]["actions"][index] = action
    (fault,) = check(five_card)
    assert word in fault


def test_every_wrong_result_is_a_fault(five_card: dict[str, Any]) -> None:
    changes: list[Callable[[dict[str, Any]], object]] = [
        lambda record: record["deals"][0]["tricks"][0].update(winner=1),
        lambda record: record["deals"][0]["tricks"].pop(),
        lambda record: record["deals"][0]["melds"][1].update(points=4),
        lambda record: record["deals"][0]["melds"][1].update(melds=[]),
        lambda record: record["deals"][0]["score"].update(change=[5, 6]),
        lambda record: record["deals"][0]["score"].update(outcome="set"),
        lambda record: record["deals"][0].pop("score"),
        lambda record: record["deals"][0]["stock"].pop(),
        lambda record: record["deals"].append(copy.deepcopy(record["deals"][0])),
        lambda record: record.update(totals=[5, 4]),
        lambda record: record.update(winner=0),
        lambda record: record.update(variant="six-card"),
        lambda record: record.update(options={"deck": "48"}),
        lambda record: record.pop("sides"),
    ]
    for number, edit in enumerate(changes):
        record = copy.deepcopy(five_card)
        edit(record)
        assert check(record), number


def test_with_renege_penalty_an_illegal_card_ends_the_deal(five_card: dict[str, Any]) -> None:
    """Seat 0 plays the jack of diamonds to a lead of spades it could beat."""
    five_card["options"] = {"renege": "penalty"}
    deal = five_card["deals"][0]
    deal["actions"] = [*deal["actions"][:6], [0, "play", "JD"]]
    deal["tricks"] = []
    deal["score"].update(outcome="reneged", play=[0, 0], change=[-3, 2])
    five_card["totals"] = [-3, 2]
    assert check(five_card) == []


def test_the_next_seat_deals_and_no_deal_follows_the_end(
    five_card: dict[str, Any],
) -> None:
    again = copy.deepcopy(five_card["deals"][0])
    again.update(dealer=1, actions=[], melds=[], tricks=[])
    del again["score"]
    five_card["deals"].append(again)
    assert check(five_card) == []
    five_card["options"] = {"target": 5}
    assert "was played after side 1 had won" in check(five_card)[0]


@pytest.fixture
def two_handed() -> dict[str, Any]:
    """Seat 1 wins the first trick, exchanges the dix for the jack turned up and leads it."""
    hands = [
        cards("AC TC KC QC JC 9C AC TC KC QC JC 9C"),
        cards("9H AS TS KS QS 9S AS TS KS QS 9S JS"),
    ]
    deal = {
        "players": [0, 1],
        "dealer": 0,
        "hands": hands,
        "kitty": [],
        "stock": undealt(*hands, ["JH"]),
        "upcard": "JH",
        "actions": [
            [1, "play", "AS"], [0, "play", "9C"], [1, "meld", ["9H"]], [1, "play", "JH"],
            [0, "play", "KC"], [1, "meld", ["KS", "QS"]],
        ],
        "melds": [
            {"seat": 1, "points": 10, "melds": [{"name": "dix", "cards": ["9H"], "points": 10}]},
            {"seat": 1, "points": 20,
             "melds": [{"name": "marriage", "cards": ["KS", "QS"], "points": 20}]},
        ],
        "tricks": [
            {"leader": 1, "winner": 1, "points": 10}, {"leader": 1, "winner": 1, "points": 5},
        ],
    }  # fmt: skip
    return {
        "format": "acesaround/1", "variant": "two-handed", "options": {}, "rules": {},
        "seats": [{"name": "South"}, {"name": "North"}], "sides": [[0], [1]],
        "deals": [deal], "totals": [0, 0], "winner": None,
    }  # fmt: skip


def test_the_first_dix_is_exchanged_for_the_upcard(two_handed: dict[str, Any]) -> None:
    assert check(two_handed) == []
    two_handed["deals"][0]["actions"][3] = [1, "play", "9H"]
    assert "does not hold" in check(two_handed)[0]


@pytest.mark.parametrize(
    ("index", "action"),
    [
        (0, [1, "meld", ["9H"]]),  # before the first trick
        (1, [0, "meld", ["KC", "QC"]]),  # not on the lead
        (2, [0, "meld", ["KC", "QC"]]),  # did not win the trick
        (3, [1, "meld", ["KS", "QS"]]),  # a second meld in a turn
        (5, [1, "meld", ["KS", "KS"]]),  # no meld at all
    ],
)
def test_only_the_winner_of_a_trick_lays_one_meld(
    two_handed: dict[str, Any], index: int, action: list[Any]
) -> None:
    two_handed["deals"][0]["actions"][index] = action
    assert check(two_handed)
