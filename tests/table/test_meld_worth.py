"""What a hand melds in each trump: told to the seat that bids or names trump, of its own cards."""

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


def at(variant: str, players: int, kind: DecisionKind) -> Table:
    """A table where that is asked of Ada in seat 0."""

    def asked(table: Table) -> bool:
        state = table.game
        return state is not None and turn_of(state) == 0 and game.decision(state).kind is kind

    return fold(play_table_until(Config(variant, players), ADA, asked, others=(BOB,)))


def test_who_bids_or_names_trump_is_told_what_the_hand_melds() -> None:
    for variant, players, kind in (
        ("double-deck", 4, DecisionKind.BID),
        ("double-deck", 4, DecisionKind.TRUMP),
        ("three-handed", 3, DecisionKind.TRUMP),
    ):
        table = at(variant, players, kind)
        assert table.game is not None
        told = msgspec.json.decode(encode_state(table, "t", ADA.id))["decision"]["worth"]
        hand, melds = table.game.hands[0], table.game.rules.melds
        wanted = {suit.name: total_points(find_melds(melds, hand, suit)) for suit in SUITS}
        assert {one["suit"]: one["points"] for one in told} == wanted
        assert [one["points"] for one in told] == sorted(wanted.values(), reverse=True)
        for one in told:
            assert sum(meld["points"] for meld in one["melds"]) == one["points"]


def test_nobody_else_is_told() -> None:
    table = at("double-deck", 4, DecisionKind.BID)
    for person in (BOB.id, None):
        assert b'"worth"' not in encode_state(table, "t", person)


def test_where_melds_are_laid_between_tricks_nothing_is_told() -> None:
    table = at("two-handed", 2, DecisionKind.PLAY)
    told = msgspec.json.decode(encode_state(table, "t", ADA.id))["decision"]
    assert told["worth"] == []
