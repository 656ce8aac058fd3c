"""A finished game card by card, nothing hidden: one deal of its line as the page shows it.

Only for games that are over. Nothing here looks at who asks: whoever serves it does.
"""

from __future__ import annotations

from msgspec.structs import replace

from acesaround import game
from acesaround.bots import explanations as reasons
from acesaround.bots.advice import Advice, advice, relative_seat_names
from acesaround.bots.player import Player
from acesaround.bots.pool.request import BotRequest
from acesaround.cards import unpack
from acesaround.errors import RecordError
from acesaround.game.events import DealScored
from acesaround.game.state import GameState
from acesaround.game.view import HiddenTransfer, ShownMelds, View, view_for
from acesaround.record.model import to_json
from acesaround.record.replay import Step as Played
from acesaround.rules.scoring import losses
from acesaround.table.client_state import evaluated_actions, game_view
from acesaround.table.games import GameHistory
from acesaround.table.messages import Replay, SheetRow, Step, Why
from acesaround.variants import called


def replay(line: GameHistory, link: str, number: int, deal: int, you: int | None = None) -> Replay:
    """Deal `deal` (from 1) of a table's game `number`, as shown to `you`, a seat of the table.

    `link`: the token by which others may see the same.

    Raises RecordError if the game is not over or had no such deal.
    """
    if not line.over:
        raise RecordError("That game is not over: its cards stay hidden until it is.")
    if not 1 <= deal <= line.deals:
        raise RecordError(f"There is no such deal: that game had {line.deals}.")
    scored = [
        event for step in line.steps for event in step.events if isinstance(event, DealScored)
    ]
    rules = line.rules
    return Replay(
        table=link,
        game=number,
        deal=deal,
        variant=rules.variant,
        title=called(rules),
        players=rules.seats,
        sides=rules.sides,
        partners=rules.partners,
        you=you,
        names=line.names,
        sheet=tuple(
            [SheetRow(event.score, event.totals, losses(rules, event.score)) for event in scored]
        ),
        steps=tuple([_step(step) for step in line.steps if step.deal == deal - 1]),
    )


def asked(line: GameHistory, deal: int, at: int, bot: str, seed: int) -> BotRequest:
    """What a bot is asked after step `at` (from 0) of a deal (from 1): by the seat's own view.

    Raises RecordError if the game is not over or nothing was decided there.
    """
    if not line.over:
        raise RecordError("That game is not over: its cards stay hidden until it is.")
    here = [step for step in line.steps if step.deal == deal - 1]
    if not 0 <= at < len(here) - 1:
        raise RecordError("Nothing was decided there.")
    state = here[at].after
    decision = game.decision(state)  # chance acts only as the first step of a deal
    return BotRequest(bot, view_for(state, decision.seat), decision, seed)


def hint_fields(question: BotRequest, told: Advice) -> Why:
    """What a bot has answered, as it is sent."""
    seat = question.decision.seat
    assert seat is not None
    action = to_json(seat, told.action)[1:]
    shown = question.view
    said = reasons.explain_action(told.action, told.why, shown, relative_seat_names(shown))
    return Why(
        seat,
        action,
        said,
        evaluated_actions(seat, shown, told),
        reasons.explanation_parts(told.why),
    )


def why(line: GameHistory, deal: int, at: int, player: Player) -> Why:
    """What a player would do there. It takes a while. Raises RecordError as `asked`."""
    question = asked(line, deal, at, player.name, 0)
    return hint_fields(question, advice(player, question.view, question.decision))


def _step(step: Played) -> Step:
    """The moment after an action; after the last one of a deal, before the cards are cleared."""
    state = step.after
    if state.deals > step.before.deals:
        state = replace(
            game.last_state_of_deal(step.before, step.action),
            scores=state.scores,
            winner=state.winner,
            deals=state.deals,
        )
    seat = step.seat
    return Step(
        seat=seat,
        action=None if seat is None else to_json(seat, step.action)[1:],
        view=game_view(open_view(state)),
        hands=tuple([unpack(hand) for hand in state.hands]),
        events=step.events,
    )


def open_view(state: GameState) -> View:
    """What a spectator sees when every card lies face up, but for the hands and the stock."""
    deal = state.deal
    given = [HiddenTransfer(one.seat, one.to, len(one.cards), one.cards) for one in deal.given]
    thrown = [HiddenTransfer(one.seat, None, len(one.cards), one.cards) for one in deal.discarded]
    return replace(
        view_for(state, None),
        kitty=deal.kitty,
        buried=deal.buried,
        passed=(*given, *thrown),
        melds=tuple([ShownMelds(one.seat, one.melds, one.points, one.after) for one in deal.laid]),
    )
