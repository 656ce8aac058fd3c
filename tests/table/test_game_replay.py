"""Replays: every action of a deal is a step in which every card lies where it can be seen."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import simulate, variants
from acesaround.actions import Action, SizedActions
from acesaround.cards import Card
from acesaround.errors import RecordError
from acesaround.game.events import DealScored, Dealt, GameWon
from acesaround.game.state import Decision
from acesaround.game.view import View, view_for
from acesaround.record import GameRecord, Recorder
from acesaround.record.model import decode, encode
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome
from acesaround.table import GameHistory, client_state, explain_step, history_of, replay
from acesaround.table.game_replay import request_at_step
from acesaround.table.messages import Step
from tests.random_games import tables, turns


def lying(step: Step) -> tuple[Counter[Card], int]:
    """The cards of a step that lie open, and how many are still in the stock."""
    view: Any = step.view
    places = [*step.hands, view.trick, view.buried or (), *(t.cards for t in view.tricks)]
    places += [one.cards or () for one in view.passed if one.to is None]
    if view.declarer is None:
        places.append(view.kitty)
    if view.upcard is not None:
        places.append((view.upcard,))
    return Counter(card for place in places for card in place), view.stock


def finished(record: GameRecord) -> GameHistory:
    """Its line, as if it had been won by its last action."""
    line = history_of(record)
    last = line.steps[-1]
    won = replace(last, after=replace(last.after, winner=0))
    return replace(line, steps=(*line.steps[:-1], won))


def check(record: GameRecord) -> None:
    line = finished(record)
    rules = line.rules
    for number, deal in enumerate(record.deals, 1):
        shown = replay(line, "table", 1, number)
        first, last = shown.steps[0], shown.steps[-1]
        end: Any = last.view
        assert isinstance(first.events[0], Dealt)
        assert [len(hand) for hand in first.hands] == [len(hand) for hand in deal.hands]
        assert len(shown.steps) == 1 + len(deal.actions)
        assert (shown.sides, shown.partners) == (rules.sides, rules.has_partners)
        assert [step.seat for step in shown.steps] == [None, *(a[0] for a in deal.actions)]
        assert [step.action for step in shown.steps] == [None, *(a[1:] for a in deal.actions)]
        for step in shown.steps:
            cards, stock = lying(step)
            assert not cards - Counter(rules.deck.cards)
            assert cards.total() + stock == rules.deck.size
            shows: Any = step.view
            assert [len(hand) for hand in step.hands] == list(shows.sizes)
            assert (step is last) == any(isinstance(e, DealScored) for e in step.events)
        scored = [event for event in last.events if isinstance(event, DealScored)]
        assert shown.sheet[number - 1].score == scored[0].score
        if scored[0].score.outcome in (Outcome.MADE, Outcome.SET):
            assert (end.toward.left == 0) == (scored[0].score.outcome is Outcome.MADE)
            side = rules.side_of(scored[0].score.declarer or 0)
            assert end.toward.play == scored[0].score.play[side]  # the last trick's bonus is in
        assert end.scores == scored[0].totals
        assert len(end.tricks) == len(deal.tricks)
        assert len(shown.sheet) == len(record.deals)
        assert client_state.encode(shown)


@pytest.mark.parametrize("name", variants.VARIANTS)
def test_a_game_of_every_variant_is_replayed_card_by_card(name: str) -> None:
    rules = variants.get(name)
    [played] = simulate.play_games(
        rules, simulate.bots_by_seat(["thumb"], rules.seats), 1, 7, record=True
    )
    assert played.record is not None
    record = decode(encode(played.record))
    check(record)
    end = replay(history_of(record), "table", 1, len(record.deals)).steps[-1]
    view: Any = end.view
    assert isinstance(end.events[-1], GameWon)
    assert view.winner == record.winner


@given(tables(), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_under_any_house_rules_every_card_is_somewhere(rules: Rules, seed: int) -> None:
    """Random play gives up, reneges and throws in, so every way in which a deal can end is met."""
    check(recorded(rules, seed))


def recorded(rules: Rules, seed: int) -> GameRecord:
    """The record of the first two deals of a random game."""
    recorder = Recorder(rules, [f"Player {seat}" for seat in range(rules.seats)])
    for turn in turns(rules, seed, 2):
        recorder.add(turn.before, turn.decision.seat, turn.action, turn.events)
    return recorder.record


def test_a_finished_deal_is_replayed_while_its_game_goes_on_and_the_next_one_is_not() -> None:
    line = history_of(recorded(variants.get("partnership"), 1))
    assert not line.is_over
    assert len(replay(line, "table", 1, 2).sheet) == 2
    with pytest.raises(RecordError, match="That deal is not over"):
        replay(line, "table", 1, 3)
    begun = replace(line, steps=line.steps[:-1])  # but for its last action
    with pytest.raises(RecordError, match="That deal is not over"):
        replay(begun, "table", 1, 2)
    with pytest.raises(RecordError, match="That deal is not over"):
        explain_step(begun, 2, 1, Asked())


class Asked:
    """A player who does the last legal thing and keeps what it was shown."""

    name = "asked"

    def __init__(self) -> None:
        self.shown: list[View] = []

    def choose(self, view: View, decision: Decision) -> Action:
        self.shown.append(view)
        assert isinstance(decision.legal, SizedActions)
        return decision.legal[-1]


def test_at_each_step_a_player_sees_what_the_seat_saw_that_acts_next() -> None:
    line = finished(recorded(variants.get("partnership"), 1))
    for deal in (1, 2):
        here = [step for step in line.steps if step.deal == deal - 1]
        for at in range(len(here) - 8, len(here) - 1):
            player, then = Asked(), here[at + 1]
            told = explain_step(line, deal, at, player)
            assert then.seat is not None
            assert player.shown == [view_for(then.before, then.seat)]
            assert told.seat == then.seat
            assert told.action[0] == "play"
        first = request_at_step(
            line, deal, 0, "thumb", 1
        )  # what is decided as soon as the cards are dealt
        assert first.view == view_for(here[1].before, here[1].seat)
        assert first.decision.seat == here[1].seat
        for nowhere in (-1, len(here) - 1, len(here)):
            with pytest.raises(RecordError, match="Nobody decided anything at that point"):
                explain_step(line, deal, nowhere, Asked())


@pytest.mark.parametrize("deal", [-1, 0, 3])
def test_a_deal_that_never_was_is_not_replayed(deal: int) -> None:
    record = recorded(variants.get("partnership"), 1)
    assert len(record.deals) == 2
    with pytest.raises(RecordError, match="no such deal"):
        replay(finished(record), "table", 1, deal)
