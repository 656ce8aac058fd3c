"""A leg: the same cards in every seating, and the same contracts where only cards are compared."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import variants
from acesaround.actions import Concede
from acesaround.arena.leg import Leg, play_leg
from acesaround.arena.match import BoardKind, Match
from acesaround.bots import fallback_action
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View
from acesaround.record import verify
from acesaround.record.model import GameRecord, decode
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from acesaround.variants import VARIANTS
from tests.arena.fixtures import ScriptedBot, match, register_bot, unmeasured_weights
from tests.random_games import tables


def record_of(leg: Leg) -> GameRecord:
    assert leg.record is not None
    return decode(leg.record.encode())


def legs(of: Match, board: int) -> list[Leg]:
    """Return a board in every seating, with records."""
    return [play_leg(of, board, seating, with_record=True) for seating in range(len(of.seatings))]


@settings(max_examples=15, deadline=None)
@given(
    tables(part=Feature.SEARCH),
    st.sampled_from([BoardKind.GAMES, BoardKind.SINGLE_DEAL]),
    st.integers(0, 5),
)
def test_every_seating_is_dealt_the_same_cards(rules: Rules, what: BoardKind, board: int) -> None:
    of = match("random", "thumb", rules=rules, board_kind=what, max_deals=2, seed=board)
    with unmeasured_weights():
        games = [record_of(leg) for leg in legs(of, board)]
    for other in games[1:]:
        for deal, other_deal in zip(games[0].deals, other.deals, strict=False):
            if deal.players == other_deal.players:  # differs only when tied players play on
                assert (deal.hands, deal.kitty, deal.stock) == (
                    other_deal.hands,
                    other_deal.kitty,
                    other_deal.stock,
                )
                assert (deal.upcard, deal.dealer) == (other_deal.upcard, other_deal.dealer)
    for number, played in enumerate(games):
        assert verify(played) == []
        names = [seat.name for seat in played.seats]
        for side, bot in enumerate(of.seatings[number]):
            assert {names[seat] for seat in rules.sides[side]} == {f"bot:{of.bots[bot]}"}


def test_boards_differ() -> None:
    of = match("thumb", "thumb", board_kind=BoardKind.SINGLE_DEAL)
    dealt = {
        str(record_of(play_leg(of, board, 0, with_record=True)).deals[0].hands)
        for board in range(5)
    }
    other = match("thumb", "thumb", board_kind=BoardKind.SINGLE_DEAL, seed=1)
    dealt |= {
        str(record_of(play_leg(other, board, 0, with_record=True)).deals[0].hands)
        for board in range(5)
    }
    assert len(dealt) == 10


def test_leg_is_repeatable() -> None:
    of = match("random", "thumb")
    first, again = (play_leg(of, 3, 1, with_record=True) for _ in range(2))
    assert (first.deals, first.winner, first.record) == (again.deals, again.winner, again.record)


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_only_cards_are_compared_at_the_same_contract(variant: str) -> None:
    rules = variants.get(variant)
    of = match(
        "random", "thumb", rules=rules, board_kind=BoardKind.CARD_PLAY, before_play_bot="random"
    )
    differ = False
    for board in range(4):
        found = [record_of(leg).deals[0] for leg in legs(of, board)]
        before = [[a for a in deal.actions if a[1] not in ("play", "meld")] for deal in found]
        assert all(actions == before[0] for actions in before)
        differ |= any(deal.tricks != found[0].tricks for deal in found)
    assert differ


def test_conceding_is_decided_by_the_bot_before_the_play(monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[bool] = []

    def note_offer(_view: View, decision: Decision) -> Any:
        offered.append(Concede() in decision.legal)
        return next(iter(decision.legal))

    def concede(view: View, decision: Decision) -> Any:
        if Concede() in decision.legal:
            return Concede()
        return fallback_action(view, decision)

    register_bot(monkeypatch, "odd", lambda _: ScriptedBot(note_offer))
    register_bot(monkeypatch, "coward", lambda _: ScriptedBot(concede))
    rules = variants.get("partnership").with_options(concede="always")
    brave = match(
        "odd", "odd", rules=rules, board_kind=BoardKind.CARD_PLAY, before_play_bot="thumb"
    )
    outcomes = {play_leg(brave, board, 0).deals[0].outcome for board in range(4)}
    assert offered
    assert not any(offered)
    assert outcomes <= {"made", "set", "conceded"}
    coward = match(
        "odd", "odd", rules=rules, board_kind=BoardKind.CARD_PLAY, before_play_bot="coward"
    )
    assert play_leg(coward, 0, 0).deals[0].outcome == "conceded"


def test_failures_before_the_play_are_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_view: View, _decision: Decision) -> Any:
        raise ValueError("oh")

    register_bot(monkeypatch, "odd", lambda _: ScriptedBot(fails))
    leg = play_leg(
        match("thumb", "random", board_kind=BoardKind.CARD_PLAY, before_play_bot="odd"), 0, 0
    )
    assert leg.bot_stats[2].failures["raised"].count >= 4
    assert leg.bot_stats[0].failures == leg.bot_stats[1].failures == {}


def test_compared_bots_only_play_cards_in_card_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: set[DecisionKind] = set()

    def choose(view: View, decision: Decision) -> Any:
        kinds.add(decision.kind)
        return fallback_action(view, decision)

    register_bot(monkeypatch, "odd", lambda _: ScriptedBot(choose))
    for variant in VARIANTS:
        play_leg(
            match("odd", "odd", variant, board_kind=BoardKind.CARD_PLAY, before_play_bot="thumb"),
            0,
            0,
        )
    assert kinds == {DecisionKind.PLAY}


def test_game_is_unfinished_after_max_deals() -> None:
    rules = variants.get("partnership").with_options(target=100_000)
    leg = play_leg(match("thumb", "thumb", rules=rules, max_deals=3), 0, 0)
    assert (len(leg.deals), leg.winner) == (3, None)


def test_single_deals_have_no_winner() -> None:
    rules = variants.get("partnership").with_options(target=1)
    leg = play_leg(match("thumb", "thumb", rules=rules, board_kind=BoardKind.SINGLE_DEAL), 0, 0)
    assert (len(leg.deals), leg.winner) == (1, None)
