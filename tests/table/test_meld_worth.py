"""Meld points of a hand in each trump, which are sent to the seat that bids or names trump."""

from __future__ import annotations

import msgspec

from acesaround import game
from acesaround.cards import SUITS
from acesaround.game.state import DecisionKind
from acesaround.game.view import turn_of
from acesaround.rules.melds import find_melds, total_points
from acesaround.table import Config, Person, Table, fold
from acesaround.table.client_state import encode_state
from tests.table.table_log import play_table_until

ADA = Person("ada", "Ada")
BOB = Person("bob", "Bob")


def make_table_at(variant: str, players: int, kind: DecisionKind) -> Table:
    """Return a table where Ada in seat 0 is asked for a decision of a kind."""

    def is_asked(table: Table) -> bool:
        state = table.game
        return state is not None and turn_of(state) == 0 and game.decision(state).kind is kind

    return fold(play_table_until(Config(variant, players), ADA, is_asked, others=(BOB,)))


def test_bidder_and_declarer_are_sent_the_meld_points_of_each_trump() -> None:
    for variant, players, kind in (
        ("double-deck", 4, DecisionKind.BID),
        ("double-deck", 4, DecisionKind.TRUMP),
        ("three-handed", 3, DecisionKind.TRUMP),
    ):
        table = make_table_at(variant, players, kind)
        assert table.game is not None
        sent = msgspec.json.decode(encode_state(table, "t", ADA.id))["decision"]["melds_by_trump"]
        hand, melds = table.game.hands[0], table.game.rules.melds
        expected_points = {
            suit.letter: total_points(find_melds(melds, hand, suit)) for suit in SUITS
        }
        assert {one["suit"]: one["points"] for one in sent} == expected_points
        assert [one["points"] for one in sent] == sorted(expected_points.values(), reverse=True)
        for one in sent:
            assert sum(meld["points"] for meld in one["melds"]) == one["points"]


def test_others_are_sent_no_meld_points() -> None:
    table = make_table_at("double-deck", 4, DecisionKind.BID)
    for person in (BOB.id, None):
        assert b'"melds_by_trump"' not in encode_state(table, "t", person)


def test_no_meld_points_are_sent_if_melds_are_laid_between_tricks() -> None:
    table = make_table_at("two-handed", 2, DecisionKind.PLAY)
    sent = msgspec.json.decode(encode_state(table, "t", ADA.id))["decision"]
    assert sent["melds_by_trump"] == []
