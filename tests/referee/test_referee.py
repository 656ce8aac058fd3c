"""The referee against examples worked out by hand from the rules, so that it can be trusted."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.referee.cards import full_deck
from tests.referee.legal import legal_bid, legal_plays, perft
from tests.referee.melds import Holding, holding, lay_down, lost, meld, took
from tests.referee.options import settle
from tests.referee.replay import check
from tests.referee.scores import Standing, Tally, after_deal, as_if_saved, change, may_concede


def cards(text: str) -> list[str]:
    return text.split()


# Which cards may be played


def test_a_player_with_the_led_suit_must_beat_the_winning_card_if_able() -> None:
    hand = ["AC", "QC", "AH"]
    assert legal_plays("partnership", "D", hand, ["TC"]) == ["AC"]
    assert legal_plays("partnership", "D", ["KC", "9C", "AH"], ["TC"]) == ["KC", "9C"]


def test_a_twin_does_not_beat_its_twin() -> None:
    assert legal_plays("partnership", "D", ["TC", "KC"], ["TC"]) == ["TC", "KC"]


def test_any_card_of_the_led_suit_will_do_once_the_lead_is_ruffed() -> None:
    """The worked example of Bruce's rules: player 4 has clubs, the king of trump lies."""
    assert legal_plays("five-card", "D", ["AC", "9C", "AD"], ["TC", "AC", "KD"]) == ["AC", "9C"]


def test_a_player_void_in_the_led_suit_must_trump_if_able() -> None:
    assert legal_plays("partnership", "D", ["AS", "9D", "JD"], ["AC"]) == ["JD", "9D"]


def test_a_player_void_in_the_led_suit_must_overtrump_if_able_and_else_play_any_trump() -> None:
    assert legal_plays("five-card", "D", ["AS", "AD", "9D"], ["TC", "KD"]) == ["AD"]
    assert legal_plays("five-card", "D", ["AS", "KD", "9D"], ["TC", "KD"]) == ["KD", "9D"]


def test_a_player_without_the_led_suit_and_trump_plays_anything() -> None:
    assert legal_plays("partnership", "D", ["9S", "AS", "JH"], ["AC"]) == ["AS", "9S", "JH"]


def test_trump_is_not_led_before_it_is_broken_unless_nothing_else_is_held() -> None:
    assert legal_plays("seven-card", "H", ["AH", "9S"], [], broken=False) == ["9S"]
    assert legal_plays("seven-card", "H", ["AH", "9S"], []) == ["9S", "AH"]
    assert legal_plays("five-card", "H", ["AH", "9H"], [], broken=False) == ["AH", "9H"]
    assert legal_plays("three-handed", "H", ["AH", "9S"], [], broken=False) == ["9S", "AH"]


def test_nobody_has_to_follow_while_the_stock_lasts() -> None:
    hand = ["AS", "9S", "JH"]
    assert legal_plays("two-handed", "H", hand, ["TS"], phase="stock") == ["AS", "9S", "JH"]
    assert legal_plays("two-handed", "H", hand, ["TS"]) == ["AS"]


def test_perft_counts_what_the_winner_leads_and_twins_once() -> None:
    """Ace led: two answers, then all is forced. Queen led: the ten must take it."""
    hands = [["AS", "QS"], ["TS", "9S"]]
    assert [perft("two-handed", "H", hands, 0, depth) for depth in range(5)] == [1, 2, 3, 3, 3]
    assert perft("two-handed", "H", [["AS", "AS"], ["TS", "9S"]], 0, 4) == 2
    assert perft("two-handed", "H", hands, 0, 5) == 0


@pytest.mark.parametrize(
    ("variant", "standing", "good", "bad"),
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
def test_bids_lie_on_the_grid_of_the_variant(
    variant: str, standing: int | None, good: list[int], bad: list[int]
) -> None:
    house = settle(variant)
    assert [bid for bid in good + bad if legal_bid(house, bid, standing)] == good


# Melds


def names(found: dict[str, Any]) -> list[tuple[str, int]]:
    return sorted((one["name"], one["points"]) for one in found["melds"])


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


def test_a_run_with_extra_king_and_queen_is_worth_more_only_with_partners() -> None:
    run = cards("AH TH KH QH JH")
    assert names(meld("partnership", "H", [*run, "KH"])) == [("run and king", 190)]
    assert names(meld("partnership", "H", [*run, "QH"])) == [("run and queen", 190)]
    assert names(meld("partnership", "H", [*run, "KH", "QH"])) == [("run and marriage", 230)]
    assert meld("three-handed", "H", [*run, "KH"])["points"] == 150
    assert meld("three-handed", "H", [*run, "KH", "QH"])["points"] == 190
    assert names(meld("partnership", "H", run * 2)) == [("double run", 1500)]


def test_doubles_count_ten_times_but_marriages_and_dixes_twice() -> None:
    eight = [rank + suit for suit in "SHDC" for rank in "JJ"]
    assert names(meld("three-handed", "H", eight)) == [("double jacks around", 400)]
    assert meld("three-handed", "H", ["QS", "QS", "JD", "JD"])["points"] == 300
    assert names(meld("three-handed", "H", cards("9H 9H KS KS QS QS"))) == [
        ("dix", 10), ("dix", 10), ("marriage", 20), ("marriage", 20),
    ]  # fmt: skip


def test_two_kings_and_one_queen_are_one_marriage() -> None:
    assert meld("five-card", "S", cards("KS KS QS 9S JD"))["points"] == 4 + 1 + 4


def test_without_trump_nobody_melds_run_royal_marriage_or_dix() -> None:
    assert names(meld("partnership", None, cards("AH TH KH QH JH 9H"))) == [("marriage", 20)]


@pytest.mark.parametrize(
    ("variant", "runs"),
    [("double-deck", [15, 150, 300, 600]), ("double-deck-classic", [15, 150, 225, 300])],
)
def test_duplicate_runs_have_their_row_unless_the_house_counts_them_singly(
    variant: str, runs: list[int]
) -> None:
    run = cards("AH TH KH QH JH")
    off = {"duplicate_runs_extra": False}
    for number in (1, 2, 3, 4):
        assert meld(variant, "H", run * number)["points"] == runs[number - 1]
        assert names(meld(variant, "H", run * number, options=off)) == [("run", 15)] * number


def test_a_double_roundhouse_earns_a_bonus_only_where_the_house_says_so() -> None:
    hand = [rank + suit for suit in "SHDC" for rank in "KQ"] * 2 + ["AH", "TH", "JH", "JH"]
    plain = 15 + 4 + 6 * 2 + 80 + 60
    assert meld("double-deck", "H", hand)["points"] == plain
    found = meld("double-deck", "H", hand, options={"double_roundhouse": 24})
    assert found["points"] == plain + 24
    assert ("double roundhouse", 24) in names(found)


# The lay-downs of the two-handed game


def lay(seat: Holding, *meant: str, from_hand: bool = True) -> tuple[int, Holding]:
    house = settle("two-handed", None, {"meld_from_hand": from_hand})
    ways = lay_down(house, seat, "H", list(meant))
    return (ways[0].points, ways[0].holding) if ways else (0, seat)


def test_a_royal_marriage_grows_into_a_run_for_the_difference() -> None:
    points, seat = lay(holding(cards("AH TH KH QH JH KH QH")), "KH", "QH")
    assert points == 40
    assert lay(seat, "AH", "TH", "KH", "QH", "JH")[0] == 150  # the fresh king and queen serve
    few = lay(holding(cards("AH TH KH QH JH")), "KH", "QH")[1]
    points, grown = lay(few, "AH", "TH", "KH", "QH", "JH")
    assert points == 110
    assert lay(grown, "KH", "QH")[0] == 0


def test_a_second_king_and_queen_of_trumps_beside_the_run_are_a_separate_40() -> None:
    seat = lay(holding(cards("AH TH KH QH JH")), "AH", "TH", "KH", "QH", "JH")[1]
    assert lay(seat, "KH", "QH")[0] == 0
    assert lay(took(seat, "KH"), "KH", "QH")[0] == 0
    assert lay(took(took(seat, "KH"), "QH"), "KH", "QH")[0] == 40


def test_a_pinochle_grows_into_a_double_or_a_second_is_laid_as_a_single() -> None:
    seat = lay(holding(["QS", "JD"]), "QS", "JD")[1]
    assert lay(took(seat, "QS"), "QS", "QS", "JD", "JD")[0] == 0
    seat = took(took(seat, "QS"), "JD")
    assert lay(seat, "QS", "QS", "JD", "JD")[0] == 260
    assert lay(seat, "QS", "JD")[0] == 40
    assert lay(holding(["QS", "JD"] * 2), "QS", "QS", "JD", "JD")[0] == 300


def test_there_is_no_second_double_pinochle() -> None:
    seat = lay(holding(["QS", "JD"] * 4), "QS", "QS", "JD", "JD")[1]
    assert lay(seat, "QS", "QS", "JD", "JD")[0] == 0
    points, seat = lay(seat, "QS", "JD")
    assert points == 40
    assert lay(seat, "QS", "QS", "JD", "JD")[0] == 0


def test_a_card_serves_again_only_in_another_class() -> None:
    points, seat = lay(holding(cards("KS QS QS KH KD KC")), "KS", "QS")
    assert points == 20
    assert lay(seat, "KS", "QS")[0] == 0
    assert lay(seat, "KS", "KH", "KD", "KC")[0] == 80


def test_each_meld_needs_a_card_from_the_hand_unless_the_house_says_otherwise() -> None:
    seat = holding([rank + suit for suit in "SHDC" for rank in "KQ"])
    for suit in "SHDC":
        seat = lay(seat, "K" + suit, "Q" + suit)[1]
    assert lay(seat, "KS", "KH", "KD", "KC")[0] == 0
    assert lay(seat, "KS", "KH", "KD", "KC", from_hand=False)[0] == 80
    assert lay(took(seat, "KD"), "KS", "KH", "KD", "KC")[0] == 80


def test_of_two_twins_the_one_in_the_hand_is_played() -> None:
    seat = took(lay(holding(["KS", "QS"]), "KS", "QS")[1], "KS")
    assert lay(lost(seat, "KS"), "KS", "QS")[0] == 0
    assert [card.down for card in lost(seat, "KS").copies] == [True, True]


def test_the_most_a_two_handed_hand_can_lay() -> None:
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
    """Side 0 has the bid; only it holds nines of trump."""
    house = settle(variant, None, options)
    counter = [points > 10 for points in play]
    bidder = None if bid is None else 0
    apart = [nines] + [0] * (len(meld) - 1)
    return change(house, outcome, Tally(meld, apart, play, counter, bid, bidder, offender))


def test_three_handed_meld_is_kept_by_a_counter_won_in_a_trick_not_by_the_last_trick() -> None:
    assert scored("three-handed", [100, 40, 20], [200, 10, 40], 300) == ("made", [300, 10, 60])
    assert scored("three-handed", [100, 40, 20], [190, 20, 40], 300) == ("set", [-300, 60, 60])
    given_up = scored("three-handed", [100, 40, 0], [0, 0, 0], 400, outcome="conceded")
    assert given_up == ("conceded", [-400, 40, 0])


def test_a_bidder_without_a_point_keeps_nines_of_trump_and_may_make_it_with_them() -> None:
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


def test_a_tournament_pays_the_bid_of_a_set_side_to_the_defenders() -> None:
    option = {"set_pays_defenders": True}
    assert scored("double-deck", [20, 18], [20, 30], 60, option) == ("set", [0, 90])
    nothing = scored("double-deck", [20, 20], [0, 0], 60, option, "no-marriage")
    assert nothing == ("no-marriage", [0, 80])
    given_up = scored("double-deck", [20, 20], [0, 0], 60, option, "conceded")
    assert given_up == ("conceded", [-60, 20])


def test_without_a_marriage_nobody_else_scores_in_the_classic_game() -> None:
    assert scored("double-deck-classic", [9, 50], [0, 0], 55, None, "no-marriage")[1] == [-55, 0]
    assert scored("double-deck", [9, 50], [0, 0], 55, None, "no-marriage")[1] == [-55, 50]
    assert scored("double-deck", [9, 19], [0, 0], 55, None, "no-marriage")[1] == [-55, 0]


def test_the_twenty_point_option_looks_at_the_whole_hand() -> None:
    option = {"min_twenty": True}
    assert scored("double-deck-classic", [20, 4], [35, 15], 50, option)[1] == [55, 0]
    assert scored("double-deck-classic", [20, 4], [34, 16], 50, option)[1] == [54, 20]


def test_a_renege_costs_the_offender_the_bid_and_leaves_the_others_their_meld() -> None:
    option = {"renege": "penalty"}
    result = scored("five-card", [6, 4, 2], [1, 2, 3], 9, option, "reneged", 2, offender=1)
    assert result == ("reneged", [6, -9, 2])
    result = scored("two-handed", [60, 40], [50, 90], None, option, "reneged", 0, offender=0)
    assert result == ("reneged", [0, 40])


def test_only_a_hopeless_bid_may_be_thrown_in_with_partners() -> None:
    house = settle("partnership")
    assert not may_concede(house, 310, 60, 4)
    assert may_concede(house, 330, 60, 4)
    house = settle("five-card", 3, {"concede": "hopeless"})
    assert not may_concede(house, 20, 4, 3)
    assert may_concede(house, 21, 4, 3)
    assert as_if_saved(settle("double-deck"), 19) == 0


def finished(variant: str, totals: list[int], bidder: int | None, **options: Any) -> Standing:
    house = settle(variant, len(totals) if variant != "partnership" else 4, options)
    game = Standing(list(totals), house.target, list(range(house.seats)), 9)
    after_deal(house, game, bidder)
    return game


def test_the_bidder_goes_out_before_a_higher_total() -> None:
    assert finished("three-handed", [1500, 1600, 0], 0).winner == 0
    assert finished("three-handed", [1500, 1600, 0], 2).winner == 1
    assert finished("three-handed", [1600, 1600, 0], 2).winner is None
    assert finished("partnership", [1700, 1600], 1).winner == 1


def test_tied_players_only_play_on() -> None:
    game = finished("five-card", [55, 52, 55], 1, target=54)
    assert (game.winner, game.players) == (None, [0, 2])


def test_a_two_handed_tie_moves_the_target_up() -> None:
    assert finished("two-handed", [1010, 1010], None).target == 1250
    assert finished("two-handed", [1250, 1250], None).target == 1500
    assert finished("two-handed", [1010, 1020], None).winner == 1


def test_a_fixed_number_of_deals_ends_with_the_higher_total() -> None:
    assert finished("partnership", [1700, 600], 0, hands=10).winner is None
    assert finished("partnership", [100, 60], 1, hands=9).winner == 0
    assert finished("partnership", [100, 100], 1, hands=9).winner == 1
    assert finished("three-handed", [100, 100, 0], 2, hands=9).winner is None


# Whole records


def rest(*dealt: list[str]) -> list[str]:
    """The cards of the pack that lie nowhere else."""
    deck = full_deck("ATKQJ9", 2)
    for lying in dealt:
        for card in lying:
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
        "stock": rest(*hands),
        "upcard": None,
        "actions": [
            [1, "bid", 3], [0, "pass"], [1, "trump", "H"], [1, "discard", []], [0, "discard", []],
            *[[int(one[0]), "play", one[1:]] for one in plays],
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


def test_a_right_record_has_no_faults(five_card: dict[str, Any]) -> None:
    assert check(five_card) == []


@pytest.mark.parametrize(
    ("at", "action", "word"),
    [
        (0, [0, "bid", 3], "seat 1 has to"),
        (0, [1, "bid", 0], "cannot be bid"),
        (1, [0, "bid", 3], "cannot be bid"),
        (2, [1, "trump", "X"], "cannot be named"),
        (3, [1, "discard", ["AD"]], "does not hold"),
        (5, [1, "play", "AH"], "may play"),  # trump is not broken
        (6, [0, "play", "JD"], "may play"),  # the ten of spades can take it
        (8, [1, "play", "AC"], "may play"),  # void in diamonds, holding trump
        (8, [1, "play", "TS"], "does not hold"),
    ],
)
def test_an_action_out_of_turn_or_against_the_rules_is_a_fault(
    five_card: dict[str, Any], at: int, action: list[Any], word: str
) -> None:
    five_card["deals"][0]["actions"][at] = action
    (fault,) = check(five_card)
    assert word in fault


def test_every_written_result_is_checked(five_card: dict[str, Any]) -> None:
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
    for number, spoil in enumerate(changes):
        record = copy.deepcopy(five_card)
        spoil(record)
        assert check(record), number


def test_a_renege_ends_the_deal_where_the_house_has_the_penalty(five_card: dict[str, Any]) -> None:
    """Seat 0 throws the jack of diamonds on spades that it could take: only meld is scored."""
    five_card["options"] = {"renege": "penalty"}
    deal = five_card["deals"][0]
    deal["actions"] = [*deal["actions"][:6], [0, "play", "JD"]]
    deal["tricks"] = []
    deal["score"].update(outcome="reneged", play=[0, 0], change=[-3, 2])
    five_card["totals"] = [-3, 2]
    assert check(five_card) == []


def test_the_next_deal_goes_to_the_left_and_nothing_follows_the_winner(
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
    """Seat 1 takes the first trick, changes the dix for the jack turned up and leads that."""
    hands = [
        cards("AC TC KC QC JC 9C AC TC KC QC JC 9C"),
        cards("9H AS TS KS QS 9S AS TS KS QS 9S JS"),
    ]
    deal = {
        "players": [0, 1],
        "dealer": 0,
        "hands": hands,
        "kitty": [],
        "stock": rest(*hands, ["JH"]),
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


def test_the_first_dix_changes_places_with_the_upcard(two_handed: dict[str, Any]) -> None:
    assert check(two_handed) == []
    two_handed["deals"][0]["actions"][3] = [1, "play", "9H"]
    assert "does not hold" in check(two_handed)[0]


@pytest.mark.parametrize(
    ("at", "action"),
    [
        (0, [1, "meld", ["9H"]]),  # before the first trick
        (1, [0, "meld", ["KC", "QC"]]),  # not on the lead
        (2, [0, "meld", ["KC", "QC"]]),  # did not win the trick
        (3, [1, "meld", ["KS", "QS"]]),  # a second meld in a turn
        (5, [1, "meld", ["KS", "KS"]]),  # no meld at all
    ],
)
def test_only_the_winner_of_a_trick_lays_one_meld(
    two_handed: dict[str, Any], at: int, action: list[Any]
) -> None:
    two_handed["deals"][0]["actions"][at] = action
    assert check(two_handed)
