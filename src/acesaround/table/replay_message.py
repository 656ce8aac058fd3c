"""A finished deal card by card with nothing hidden, as the page shows it.

A scored deal cannot be taken back, so it hides nothing more, even if its game goes on. The caller
checks whether the requester may see the game.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from acesaround import game
from acesaround.bots import explanations as reasons
from acesaround.bots.advice import Advice, ask_for_advice, reason_parts, relative_seat_names
from acesaround.bots.player import Player
from acesaround.bots.pool.request import BotRequest
from acesaround.cards import unpack
from acesaround.errors import RecordError
from acesaround.game.events import DealScored
from acesaround.game.state import GameState
from acesaround.game.view import HiddenTransfer, ShownMelds, View, view_for
from acesaround.record.model import action_to_json
from acesaround.record.replay import Step
from acesaround.table.alerts import natural_names
from acesaround.table.client_state import evaluated_actions, game_view, sheet_rows
from acesaround.table.games import GameHistory
from acesaround.table.messages import Replay, ReplayStep, StepExplanation
from acesaround.table.turning_point import find_turning_point
from acesaround.variants import short_name


def replay(
    history: GameHistory, link: str, number: int, deal: int, own_seat: int | None = None
) -> Replay:
    """Return deal `deal` (from 1) of a table's game `number`, as shown to seat `own_seat`.

    `link`: the token of the replay link, by which others may see the same deal.

    Raise RecordError if there is no such deal or it is not over.
    """
    require_finished_deal(deal, history.deal_count, is_game_over=history.is_over)
    deal_scores = [
        event for step in history.steps for event in step.events if isinstance(event, DealScored)
    ]
    rules = history.rules
    deal_steps = [step for step in history.steps if step.deal == deal - 1]
    states = [_state_after(step) for step in deal_steps]
    natural = natural_names(history.names, all_natural=history.natural)
    return Replay(
        table=link,
        game=number,
        deal=deal,
        variant=rules.variant,
        title=short_name(rules),
        players=rules.seats,
        sides=rules.sides,
        partners=rules.has_partners,
        you=own_seat,
        names=history.names,
        sheet=sheet_rows(rules, deal_scores),
        steps=tuple(
            [
                _replay_step(step, state, natural)
                for step, state in zip(deal_steps, states, strict=True)
            ]
        ),
        turning_point=find_turning_point(states, deal_scores[deal - 1].score.outcome),
    )


def require_finished_deal(deal: int, deal_count: int, *, is_game_over: bool) -> None:
    """Raise RecordError unless `deal` (from 1) is among the finished deals of a game."""
    if deal == deal_count + 1 and not is_game_over:
        raise RecordError("That deal is not over: its cards stay hidden until it is.")
    if not 1 <= deal <= deal_count:
        raise RecordError(f"There is no such deal: that game has {deal_count} deals.")


def request_at_step(
    history: GameHistory, deal: int, step_index: int, bot: str, seed: int
) -> BotRequest:
    """Return the request that asks a bot what to do after `step_index` (from 0) of a deal (from 1).

    The request uses the view of the seat on turn. Raise RecordError if the deal is not over or
    nothing was decided there.
    """
    require_finished_deal(deal, history.deal_count, is_game_over=history.is_over)
    deal_steps = [step for step in history.steps if step.deal == deal - 1]
    if not 0 <= step_index < len(deal_steps) - 1:
        raise RecordError("Nobody decided anything at that point.")
    state = deal_steps[step_index].after
    decision = game.decision(state)  # never a deal: cards are dealt only in the first step
    return BotRequest(bot, view_for(state, decision.seat), decision, seed)


def hint_fields(request: BotRequest, bot_advice: Advice) -> StepExplanation:
    """Return a bot's advice in the form in which it is sent."""
    seat = request.decision.seat
    assert seat is not None
    action = action_to_json(seat, bot_advice.action)[1:]
    view = request.view
    explanation = reasons.explain_action(
        bot_advice.action, bot_advice.why, view, relative_seat_names(view)
    )
    return StepExplanation(
        seat,
        action,
        explanation,
        evaluated_actions(seat, view, bot_advice),
        reason_parts(bot_advice),
    )


def explain_step(
    history: GameHistory, deal: int, step_index: int, player: Player
) -> StepExplanation:
    """Return what a player would do at a step, and why. This may take a while.

    Raise RecordError as `request_at_step` does.
    """
    request = request_at_step(history, deal, step_index, player.name, 0)
    return hint_fields(request, ask_for_advice(player, request.view, request.decision))


def _state_after(step: Step) -> GameState:
    """Return the state after an action; after the last one of a deal, with its cards."""
    state = step.after
    if state.deals == step.before.deals:
        return state
    return replace(
        game.last_state_of_deal(step.before, step.action),
        scores=state.scores,
        winner=state.winner,
        deals=state.deals,
    )


def _replay_step(step: Step, state: GameState, natural: Collection[int]) -> ReplayStep:
    """Return a step as sent, with the state after it.

    `natural`: the seats that play without conventions.
    """
    seat = step.seat
    return ReplayStep(
        seat=seat,
        action=None if seat is None else action_to_json(seat, step.action)[1:],
        view=game_view(open_view(state), natural),
        hands=tuple([unpack(hand) for hand in state.hands]),
        events=step.events,
    )


def open_view(state: GameState) -> View:
    """Return a spectator's view with all cards open, except the hands and the stock."""
    deal = state.deal
    exchanged = [
        HiddenTransfer(one.seat, one.to, len(one.cards), one.cards) for one in deal.passed_cards
    ]
    discarded = [
        HiddenTransfer(one.seat, None, len(one.cards), one.cards) for one in deal.discarded
    ]
    return replace(
        view_for(state, None),
        kitty=deal.kitty,
        buried=deal.buried,
        passed=(*exchanged, *discarded),
        melds=tuple([ShownMelds(one.seat, one.melds, one.points, one.after) for one in deal.laid]),
    )
