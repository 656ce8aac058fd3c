"""What one person is shown of a table, beside the view."""

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
from acesaround.table import Person, TablePresence, encode_state
from acesaround.table import commands as say
from acesaround.table.client_state import game_view, hint_message
from acesaround.table.messages import EvaluatedAction
from tests.game.phases.two_handed import table_before_draw
from tests.random_games import turns
from tests.scripted_games import Table, contract, deal
from tests.table.test_table import ANN, BOB, Log, config

TOLD = Advice(
    PLAY_ACTIONS[0], "Why not?", (ActionValue(PLAY_ACTIONS[0], 12.344, 0.12344, 0.56784),)
)


BIDDING = sorted(name for name, rules in variants.VARIANTS.items() if rules.auction)


@pytest.mark.parametrize("variant", BIDDING)
def test_nothing_is_left_to_the_bid_where_it_would_be_made_if_play_ended_now(variant: str) -> None:
    """As the declarer sees it, who has seen whatever counts for the own side."""
    rules = variants.VARIANTS[variant].with_options(lowest_bid=50)
    checked = {True: 0, False: 0}
    for seed in range(8):
        for turn in turns(rules, seed, deals=1, choose=lowest):
            state = turn.before
            declarer, bid = state.deal.declarer, state.deal.bid
            if declarer is None or bid is None or not isinstance(state.phase, Playing):
                continue
            side = rules.side_of(declarer)
            toward = sent(state, declarer)["toward"]
            if toward is None:
                continue
            counted = tally(state)
            made = sum(score_after_losses(rules, counted, side)) >= bid
            checked[made] += 1
            assert (toward["left"] == 0) is made
            assert toward["play"] == counted.play[side]
    assert checked[False] > 0


def lowest(decision: Decision, rng: random.Random) -> Action:
    """A random action, but the lowest bid and never giving up."""
    if decision.kind is DecisionKind.BID:
        legal = decision.legal
        return rng.choice(list(islice(legal, 2)))
    assert isinstance(decision.legal, SizedActions)
    every = len(decision.legal) - (decision.legal[-1] == CONCEDE)
    return decision.legal[rng.randrange(every)]


def sent(state: GameState, seat: int) -> dict[str, Any]:
    """The game as it is sent to a seat."""
    told = json.loads(msgspec.json.encode(game_view(view_for(state, seat)), enc_hook=str))
    assert isinstance(told, dict)
    return told


def test_advice_is_sent_as_actions_without_the_seat_and_rounded() -> None:
    rules = variants.PARTNERSHIP.with_options(exchange=0)
    at = contract(rules, deal(rules, {1: "AS"}), 1, 250).do("trump H")
    hint = hint_message(7, 1, view_for(at.state, 1), TOLD)
    assert (hint.seq, hint.action, hint.why) == (7, ["play", "AS"], "Lead the A♠. Why not?")
    assert hint.because == ("Why not?",)
    assert hint.tried == (EvaluatedAction(["play", "AS"], 12.34, 0.1234, 0.5678),)


def test_a_reason_is_sent_twice_with_seats_for_whoever_knows_their_names_and_in_words() -> None:
    rules = variants.PARTNERSHIP.with_options(exchange=0)
    at = contract(rules, deal(rules, {1: "9S"}), 1, 250).do("trump H")
    why = Explanation(ReasonTemplate.PARTNER_HAS, seat=3, rank=Rank.ACE)
    hint = hint_message(7, 1, view_for(at.state, 1), Advice(Play(Card("9S")), why))
    assert hint.why == "Lead the 9♠: your partner has the ace."
    assert hint.because == (3, " has the ace.")


@pytest.mark.parametrize("variant", BIDDING)
def test_at_the_end_the_declarers_side_has_in_play_what_is_scored_for_it(variant: str) -> None:
    """The last trick brings its bonus to who won it, and to nobody else."""
    rules = variants.VARIANTS[variant].with_options(hands=1)
    last = {True: 0, False: 0}
    for seed in range(12):
        (*_, end) = turns(rules, seed)
        (score,) = (event.score for event in end.events if isinstance(event, DealScored))
        tricks = [event for event in end.events if isinstance(event, TrickWon)]
        if not tricks or score.declarer is None:
            continue
        side = rules.side_of(score.declarer)
        toward = sent(end.after, score.declarer)["toward"]
        if toward is not None:  # None where the side's meld is not shown
            last[rules.side_of(tricks[-1].seat) == side] += 1
            assert toward["play"] == score.play[side]
    assert all(last.values())


def test_what_the_declarers_side_has_is_told_to_who_sees_all_its_meld_and_to_nobody_else() -> None:
    """Double deck: a side below 20 hides its meld, also from the partner, and only its own."""
    rules = variants.DOUBLE_DECK.with_options(marriage_needed=False)
    low = "KH QH AS AH AD AC TS TS TS TS TD TD TD TD JC JC JC JC JS JS"  # 14
    high = "KH KH KH KC KC KC KC QS QS QS QS QD QD QD QD JD JD JD JD JH"  # 270
    none = "KS KS KS KS KD KD KD KD TH TH TH TH TC TC TC TC JH JH JS JS"
    hands = {0: high, 1: low, 3: none}
    by = [contract(rules, deal(rules, hands), seat, 50).do("trump H").state for seat in (0, 1)]
    assert sent(by[0], 0)["toward"] == {"meld": 470, "play": 0, "left": 20}
    assert sent(by[1], 1)["toward"] is None, "seat 3 may have melded as well"


def test_melded_cards_lie_open_until_the_first_trick_is_over() -> None:
    rules = variants.PARTNERSHIP.with_options(exchange=0)
    at = contract(rules, deal(rules, {1: "KS QS AH AH", 2: "KD QD AS"}), 1, 250)
    assert sent(at.state, 0)["melded"] == []
    at.do("trump H")
    lie = sent(at.state, 0)["melded"]
    assert {*lie[1]} >= {"KS", "QS"}
    assert {*lie[2]} >= {"KD", "QD"}
    assert sent(at.do("1: play AH").state, 0)["melded"] == lie
    while not at.state.deal.tricks:
        at.do(at.legal()[-1])
    assert sent(at.state, 0)["melded"] == []


def shown(log: Log, person: Person, game: GameState | None = None) -> dict[str, Any]:
    """All that is sent to a person, of the table or of it at another moment of a game."""
    table = log.table if game is None else replace(log.table, game=game)
    told = json.loads(
        encode_state(table, "t", person.id, presence=TablePresence(frozenset([ANN.id])))
    )
    assert isinstance(told, dict)
    return told


def seat(name: str, **more: object) -> dict[str, object]:
    """A seat of a table of random bots."""
    plain = {"person": False, "bot": "random", "present": False, "covered": False, "failed": False}
    return {"name": name, **plain, "host": False, "avatar": "", **more}


def test_a_table_is_shown_as_it_is_from_its_opening_to_the_end_of_its_game() -> None:
    log = Log(config(options={"hands": 1}))
    log.do(BOB, say.Sit(2))
    bot, ann = seat("bot:random"), seat("Ann", person=True, present=True, host=True)
    seats = [ann, bot, seat("Bob", person=True), bot]
    for person, own, host in ((ANN, 0, True), (BOB, 2, False)):
        told = shown(log, person)["table"]
        assert (told["you"], told["host"], told["seats"]) == (own, host, seats)
        assert (told["started"], told["over"], told["paused"], told["games"]) == (
            *(False, False, False),
            0,
        )
        assert told["may"]["start"] is host
    log.do(ANN, say.Start())
    told = shown(log, ANN)["table"]
    assert (told["started"], told["over"], told["games"]) == (True, False, 1)
    assert not told["may"]["start"]
    log.do(BOB, say.Stand())
    log.play(ANN, deals=9)
    told = shown(log, ANN)["table"]
    assert (told["started"], told["over"], told["games"]) == (True, True, 1)
    assert told["may"]["rematch"]


def test_melds_that_may_be_laid_are_offered_with_their_points() -> None:
    rules = variants.TWO_HANDED
    mine, yours = "AS KH QH AH TH JH KS QS JD 9H 9H KC", "9S 9S 9D 9D 9C 9C JS JS JC JC JD QD"
    dealt = deal(rules, {1: mine, 0: yours}, upcard="KH", stock="TS TC")
    at = Table(rules, dealt, 0).do("1: play AS", "0: play 9S")
    log = Log(config("two-handed"))
    log.do(BOB, say.Sit(1))
    offer = shown(log, BOB, at.state)["decision"]
    melds = sorted((meld["name"], meld["points"]) for meld in offer["melds"])
    assert melds == [
        ("dix", 10),
        ("marriage", 20),
        ("pinochle", 40),
        ("royal marriage", 40),
        ("run", 150),
    ]
    assert len(offer["plays"]) == 11, "twelve cards, the nines of hearts being twins"
    assert not offer["pass"]
    assert shown(log, ANN, at.state)["decision"] is None


def test_where_melds_are_laid_before_the_draw_none_may_be_laid_and_no_card_played() -> None:
    log = Log(config("two-handed"))
    log.do(BOB, say.Sit(1))
    offer = shown(log, BOB, table_before_draw().state)["decision"]
    assert offer["pass"]
    assert len(offer["melds"]) == 5
    assert offer["plays"] == []
