"""The state of a table that is sent to one person: seats, the bid, hints, melds."""

from __future__ import annotations

import json
import random
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.actions import CONCEDE, PLAY_ACTIONS, Action, Play, SizedActions
from acesaround.bots.advice import ActionValue, Advice
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.cards import Card, Rank
from acesaround.game.events import DealScored, TrickWon
from acesaround.game.state import Decision, DecisionKind, GameState, Playing, tally
from acesaround.game.view import view_for
from acesaround.rules.scoring import score_after_losses
from acesaround.table import Person, TablePresence, commands, encode_state
from acesaround.table.client_state import game_view, hint_message
from acesaround.table.messages import EvaluatedAction
from tests.game.phases.two_handed import table_before_draw, two_handed_table
from tests.random_games import turns
from tests.scripted_games import contract, deal
from tests.table.table_log import ANN, BOB, TableLog, table_config

ADVICE = Advice(
    PLAY_ACTIONS[0], "Why not?", (ActionValue(PLAY_ACTIONS[0], 12.344, 0.12344, 0.56784),)
)


BIDDING = sorted(name for name, rules in variants.VARIANTS.items() if rules.auction)


@pytest.mark.parametrize("variant", BIDDING)
def test_points_left_to_the_bid_are_0_if_and_only_if_it_is_made(variant: str) -> None:
    rules = variants.VARIANTS[variant].with_options(lowest_bid=50)
    checked = {True: 0, False: 0}
    for seed in range(8):
        for turn in turns(rules, seed, deals=1, choose=choose_low_bid):
            state = turn.before
            declarer, bid = state.deal.declarer, state.deal.bid
            if declarer is None or bid is None or not isinstance(state.phase, Playing):
                continue
            side = rules.side_of(declarer)
            toward = read_sent_game(state, declarer)["bid_progress"]
            if toward is None:
                continue
            counted = tally(state)
            made = sum(score_after_losses(rules, counted, side)) >= bid
            checked[made] += 1
            assert (toward["points_needed"] == 0) is made
            assert toward["play"] == counted.play[side]
    assert checked[False] > 0


def choose_low_bid(decision: Decision, rng: random.Random) -> Action:
    """Choose at random among a pass and the lowest bid, or any action but conceding."""
    if decision.kind is DecisionKind.BID:
        legal = decision.legal
        return rng.choice(list(islice(legal, 2)))
    assert isinstance(decision.legal, SizedActions)
    every = len(decision.legal) - (decision.legal[-1] == CONCEDE)
    return decision.legal[rng.randrange(every)]


def read_sent_game(state: GameState, seat: int) -> dict[str, Any]:
    """Return the game as sent to a seat."""
    message = json.loads(msgspec.json.encode(game_view(view_for(state, seat)), enc_hook=str))
    assert isinstance(message, dict)
    return message


def test_advice_is_sent_as_actions_without_the_seat_and_rounded() -> None:
    rules = variants.PARTNERSHIP.with_options(exchange=0)
    state = contract(rules, deal(rules, {1: "AS"}), 1, 250).do("trump H").state
    hint = hint_message(7, 1, view_for(state, 1), ADVICE)
    assert (hint.seq, hint.action, hint.sentence) == (7, ["play", "AS"], "Lead the A♠. Why not?")
    assert hint.reason == ("Why not?",)
    assert hint.tried == (EvaluatedAction(["play", "AS"], 12.34, 0.1234, 0.5678),)


def test_a_reason_is_sent_as_text_and_as_parts_with_seats() -> None:
    rules = variants.PARTNERSHIP.with_options(exchange=0)
    state = contract(rules, deal(rules, {1: "9S"}), 1, 250).do("trump H").state
    why = Explanation(ReasonTemplate.PARTNER_HAS_RANK, seat=3, rank=Rank.ACE)
    hint = hint_message(7, 1, view_for(state, 1), Advice(Play(Card("9S")), why))
    assert hint.sentence == "Lead the 9♠: your partner has the ace."
    assert hint.reason == (3, " has the ace.")


def test_a_hint_by_rules_of_thumb_instead_of_a_search_says_that_it_is_quick() -> None:
    rules = variants.PARTNERSHIP.with_options(exchange=0)
    state = contract(rules, deal(rules, {1: "9S"}), 1, 250).do("trump H").state
    why = Explanation(ReasonTemplate.PARTNER_HAS_RANK, seat=3, rank=Rank.ACE)
    hint = hint_message(7, 1, view_for(state, 1), Advice(Play(Card("9S")), why, is_quick=True))
    assert hint.reason == (
        3,
        " has the ace.",
        " This is quick advice: the computer had no time to think it through.",
    )


@pytest.mark.parametrize("variant", BIDDING)
def test_play_points_at_the_end_are_those_scored_with_the_last_trick(variant: str) -> None:
    rules = variants.VARIANTS[variant].with_options(hands=1)
    last = {True: 0, False: 0}
    for seed in range(12):
        (*_, end) = turns(rules, seed)
        (score,) = (event.score for event in end.events if isinstance(event, DealScored))
        tricks = [event for event in end.events if isinstance(event, TrickWon)]
        if not tricks or score.declarer is None:
            continue
        side = rules.side_of(score.declarer)
        toward = read_sent_game(end.after, score.declarer)["bid_progress"]
        if toward is not None:  # the meld of the side is shown
            last[rules.side_of(tricks[-1].seat) == side] += 1
            assert toward["play"] == score.play[side]
    assert all(last.values())


def test_points_toward_the_bid_are_hidden_if_a_meld_of_the_side_is_hidden() -> None:
    """In the double deck a side below 20 hides its meld, also from the partner."""
    rules = variants.DOUBLE_DECK.with_options(marriage_needed=False)
    low = "KH QH AS AH AD AC TS TS TS TS TD TD TD TD JC JC JC JC JS JS"  # 14
    high = "KH KH KH KC KC KC KC QS QS QS QS QD QD QD QD JD JD JD JD JH"  # 270
    none = "KS KS KS KS KD KD KD KD TH TH TH TH TC TC TC TC JH JH JS JS"
    hands = {0: high, 1: low, 3: none}
    high_bids, low_bids = (
        contract(rules, deal(rules, hands), seat, 50).do("trump H").state for seat in (0, 1)
    )
    assert read_sent_game(high_bids, 0)["bid_progress"] == {
        "meld": 470,
        "play": 0,
        "points_needed": 20,
    }
    assert read_sent_game(low_bids, 1)["bid_progress"] is None, "seat 3 may have melded"


def test_melded_cards_lie_open_until_the_first_trick_is_over() -> None:
    rules = variants.PARTNERSHIP.with_options(exchange=0)
    table_with_melds = contract(rules, deal(rules, {1: "KS QS AH AH", 2: "KD QD AS"}), 1, 250)
    assert read_sent_game(table_with_melds.state, 0)["melded"] == []
    table_with_melds.do("trump H")
    melded = read_sent_game(table_with_melds.state, 0)["melded"]
    assert {*melded[1]} >= {"KS", "QS"}
    assert {*melded[2]} >= {"KD", "QD"}
    assert read_sent_game(table_with_melds.do("1: play AH").state, 0)["melded"] == melded
    while not table_with_melds.state.deal.tricks:
        table_with_melds.do(table_with_melds.legal()[-1])
    assert read_sent_game(table_with_melds.state, 0)["melded"] == []


def read_sent_state(log: TableLog, person: Person, game: GameState | None = None) -> dict[str, Any]:
    """Return the state sent to a person, of the table or of it with another state of the game."""
    table = log.table if game is None else replace(log.table, game=game)
    presence = TablePresence(frozenset([ANN.id]))
    message = json.loads(encode_state(table, "t", person.id, presence=presence))
    assert isinstance(message, dict)
    return message


def seat(name: str, **more: object) -> dict[str, object]:
    """Return the message about a seat of a table of random bots."""
    plain = {
        "person": False,
        "bot": "random",
        "present": False,
        "substituted": False,
        "failed": False,
    }
    return {"name": name, **plain, "host": False, "avatar": "", "silent": False, **more}


def test_the_sent_table_follows_its_game_from_start_to_end() -> None:
    log = TableLog(table_config(options={"hands": 1}))
    log.send(BOB, commands.Sit(2))
    bot, ann = seat("bot:random"), seat("Ann", person=True, present=True, host=True)
    seats = [ann, bot, seat("Bob", person=True), bot]
    for person, own, host in ((ANN, 0, True), (BOB, 2, False)):
        table = read_sent_state(log, person)["table"]
        assert (table["you"], table["host"], table["seats"]) == (own, host, seats)
        assert not any(table[flag] for flag in ("started", "over", "paused", "games"))
        assert table["allowed"]["start"] is host
    log.send(ANN, commands.Start())
    table = read_sent_state(log, ANN)["table"]
    assert (table["started"], table["over"], table["games"]) == (True, False, 1)
    assert not table["allowed"]["start"]
    log.send(BOB, commands.Stand())
    log.play_deals(ANN, deals=9)
    table = read_sent_state(log, ANN)["table"]
    assert (table["started"], table["over"], table["games"]) == (True, True, 1)
    assert table["allowed"]["rematch"]


def test_layable_melds_are_sent_with_their_points() -> None:
    state = two_handed_table().do("1: play AS", "0: play 9S").state
    log = TableLog(table_config("two-handed"))
    log.send(BOB, commands.Sit(1))
    offer = read_sent_state(log, BOB, state)["decision"]
    melds = sorted((meld["name"], meld["points"]) for meld in offer["melds"])
    assert melds == [
        ("dix", 10),
        ("marriage", 20),
        ("pinochle", 40),
        ("royal marriage", 40),
        ("run", 150),
    ]
    assert len(offer["plays"]) == 11, "twelve cards, two of them nines of hearts"
    assert not offer["pass"]
    assert read_sent_state(log, ANN, state)["decision"] is None


def test_before_the_draw_a_pass_and_melds_are_offered_and_no_plays() -> None:
    log = TableLog(table_config("two-handed"))
    log.send(BOB, commands.Sit(1))
    offer = read_sent_state(log, BOB, table_before_draw().state)["decision"]
    assert offer["pass"]
    assert len(offer["melds"]) == 5
    assert offer["plays"] == []
