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
from acesaround.rules.scoring import Outcome, card_points
from acesaround.table import GameHistory, client_state, explain_step, history_of, replay
from acesaround.table.messages import ReplayStep
from acesaround.table.replay_message import request_at_step
from tests.random_games import tables, turns


def count_visible_cards(step: ReplayStep) -> tuple[Counter[Card], int]:
    """Return the cards of a step that lie open, and how many are in the stock."""
    view: Any = step.view
    places = [*step.hands, view.trick, view.buried or (), *(t.cards for t in view.tricks)]
    places += [one.cards or () for one in view.passed if one.to is None]
    if view.declarer is None:
        places.append(view.kitty)
    if view.upcard is not None:
        places.append((view.upcard,))
    return Counter(card for place in places for card in place), view.stock


def finish_history(record: GameRecord) -> GameHistory:
    """Return the history of a record, as if its last action had won the game."""
    history = history_of(record)
    last = history.steps[-1]
    won = replace(last, after=replace(last.after, winner=0))
    return replace(history, steps=(*history.steps[:-1], won))


def check_replays(record: GameRecord) -> None:
    """Replay each deal of a record, and check that every card is somewhere at every step."""
    history = finish_history(record)
    rules = history.rules
    for number, deal in enumerate(record.deals, 1):
        replayed = replay(history, "table", 1, number)
        first, last = replayed.steps[0], replayed.steps[-1]
        end: Any = last.view
        assert isinstance(first.events[0], Dealt)
        assert [len(hand) for hand in first.hands] == [len(hand) for hand in deal.hands]
        assert len(replayed.steps) == 1 + len(deal.actions)
        assert (replayed.sides, replayed.partners) == (rules.sides, rules.has_partners)
        assert [step.seat for step in replayed.steps] == [None, *(a[0] for a in deal.actions)]
        assert [step.action for step in replayed.steps] == [None, *(a[1:] for a in deal.actions)]
        for step in replayed.steps:
            cards, stock = count_visible_cards(step)
            assert not cards - Counter(rules.deck.cards)
            assert cards.total() + stock == rules.deck.size
            shows: Any = step.view
            assert [len(hand) for hand in step.hands] == list(shows.sizes)
            assert (step is last) == any(isinstance(e, DealScored) for e in step.events)
        scored = [event for event in last.events if isinstance(event, DealScored)]
        row = replayed.sheet[number - 1]
        assert row.score == scored[0].score
        assert row.buried == scored[0].buried == (end.buried or ())
        assert row.buried_points == card_points(rules, row.buried)
        if scored[0].score.outcome in (Outcome.MADE, Outcome.SET):
            assert (end.bid_progress.points_needed == 0) == (
                scored[0].score.outcome is Outcome.MADE
            )
            side = rules.side_of(scored[0].score.declarer or 0)
            assert (
                end.bid_progress.play == scored[0].score.play[side]
            )  # the last trick's bonus is in
        assert end.scores == scored[0].totals
        assert len(end.tricks) == len(deal.tricks)
        assert len(replayed.sheet) == len(record.deals)
        assert client_state.encode(replayed)


@pytest.mark.parametrize("name", variants.VARIANTS)
def test_a_game_of_every_variant_is_replayed_card_by_card(name: str) -> None:
    rules = variants.get(name)
    [played] = simulate.play_games(
        rules, simulate.bots_by_seat(["thumb"], rules.seats), 1, 7, record=True
    )
    assert played.record is not None
    record = decode(encode(played.record))
    check_replays(record)
    end = replay(history_of(record), "table", 1, len(record.deals)).steps[-1]
    view: Any = end.view
    assert isinstance(end.events[-1], GameWon)
    assert view.winner == record.winner


@given(tables(), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_replay_shows_every_card_under_random_house_rules(rules: Rules, seed: int) -> None:
    """Random play gives up, reneges and throws in, so every way in which a deal can end is met."""
    check_replays(play_random_record(rules, seed))


def play_random_record(rules: Rules, seed: int) -> GameRecord:
    """Return the record of the first two deals of a random game."""
    recorder = Recorder(rules, [f"Player {seat}" for seat in range(rules.seats)])
    for turn in turns(rules, seed, 2):
        recorder.add(turn.before, turn.decision.seat, turn.action, turn.events)
    return recorder.record


def test_only_finished_deals_of_a_running_game_are_replayed() -> None:
    history = history_of(play_random_record(variants.get("partnership"), 1))
    assert not history.is_over
    assert len(replay(history, "table", 1, 2).sheet) == 2
    with pytest.raises(RecordError, match="That deal is not over"):
        replay(history, "table", 1, 3)
    begun = replace(history, steps=history.steps[:-1])  # but for its last action
    with pytest.raises(RecordError, match="That deal is not over"):
        replay(begun, "table", 1, 2)
    with pytest.raises(RecordError, match="That deal is not over"):
        explain_step(begun, 2, 1, LastActionPlayer())


class LastActionPlayer:
    """A player who takes the last legal action and keeps the views it was shown."""

    name = "asked"

    def __init__(self) -> None:
        self.shown: list[View] = []

    def choose(self, view: View, decision: Decision) -> Action:
        self.shown.append(view)
        assert isinstance(decision.legal, SizedActions)
        return decision.legal[-1]


def test_explanation_of_a_step_uses_the_view_of_the_acting_seat() -> None:
    history = finish_history(play_random_record(variants.get("partnership"), 1))
    for deal in (1, 2):
        steps_of_deal = [step for step in history.steps if step.deal == deal - 1]
        for at in range(len(steps_of_deal) - 8, len(steps_of_deal) - 1):
            player, then = LastActionPlayer(), steps_of_deal[at + 1]
            explanation = explain_step(history, deal, at, player)
            assert then.seat is not None
            assert player.shown == [view_for(then.before, then.seat)]
            assert explanation.seat == then.seat
            assert explanation.action[0] == "play"
        first = request_at_step(
            history, deal, 0, "thumb", 1
        )  # what is decided as soon as the cards are dealt
        assert first.view == view_for(steps_of_deal[1].before, steps_of_deal[1].seat)
        assert first.decision.seat == steps_of_deal[1].seat
        for nowhere in (-1, len(steps_of_deal) - 1, len(steps_of_deal)):
            with pytest.raises(RecordError, match="Nobody decided anything at that point"):
                explain_step(history, deal, nowhere, LastActionPlayer())


@pytest.mark.parametrize("deal", [-1, 0, 3])
def test_unknown_deal_is_not_replayed(deal: int) -> None:
    record = play_random_record(variants.get("partnership"), 1)
    assert len(record.deals) == 2
    with pytest.raises(RecordError, match="no such deal"):
        replay(finish_history(record), "table", 1, deal)
