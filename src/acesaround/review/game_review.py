"""The review of a game: every decision of one seat, and its luck.

The chance to win the game is followed from decision to decision. Between the best action and the
action taken it changes by the decision, and between the action taken and the next decision by luck:
the cards that were dealt, and what the others did. All changes add up to the result.
"""

from __future__ import annotations

import enum
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, repeat
from typing import Final

import msgspec

from acesaround.actions import Action, LayMeld, Pass
from acesaround.errors import RecordError
from acesaround.fast.rollouts.win_probability import make_scoring_state, win_probability
from acesaround.game.engine import decision as find_decision
from acesaround.game.state import Decision, DecisionKind, GameState
from acesaround.game.view import View, view_for
from acesaround.record import GameRecord, Step, steps
from acesaround.review.duplicate_comparison import DuplicateComparison, compare_duplicate
from acesaround.review.evaluation import Evaluation, evaluate_action
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature, require_support

MAX_DEALS: Final = 100
"""The number of deals that are reviewed at most: the first of the game."""
DEFAULT_SECONDS: Final = 0.4
"""The default time of a search. A game of eight deals then takes about two minutes."""


class Kind(enum.StrEnum):
    """The subject of a decision."""

    BIDDING = "bidding"
    TRUMP = "naming trump"
    PASSING = "passing cards"
    BURYING = "burying"
    EXCHANGING = "exchanging"
    MELDING = "melding"
    LEADING = "leading"
    FOLLOWING = "following"


_KINDS: Final = {
    DecisionKind.BID: Kind.BIDDING,
    DecisionKind.TRUMP: Kind.TRUMP,
    DecisionKind.GIVE: Kind.PASSING,
    DecisionKind.BURY: Kind.BURYING,
    DecisionKind.DISCARD: Kind.EXCHANGING,
}


class DecisionReview(msgspec.Struct, frozen=True):
    """One decision of the seat.

    `deal` and `number` count from 1; `number` is that of the action in the deal's record. `trick`:
    the number of the trick from 1, or None before the play. `luck`: how the chance to win changed
    since the seat's action before, or since the deal before. `view`: what the seat saw.
    """

    deal: int
    number: int
    trick: int | None
    kind: Kind
    action: Action
    evaluation: Evaluation
    luck: float
    view: View


class DealReview(msgspec.Struct, frozen=True):
    """The seat's chance to win the game around a deal.

    `chance_before`: before the cards were dealt; `chance_after`: when the deal was scored.
    `deal_luck`: what the cards and the calls before the seat's first decision were worth. `luck`:
    all luck in the deal, `deal_luck` included. `decisions`: what the seat's decisions cost, as a
    number that is negative if they cost something. `same_cards`: what others make of the cards,
    None if that was not computed.
    """

    deal: int
    chance_before: float
    chance_after: float
    deal_luck: float
    luck: float
    decisions: float
    same_cards: DuplicateComparison | None = None


class KindTotal(msgspec.Struct, frozen=True):
    """All decisions of a kind: how many, how many mistakes, and what they cost together."""

    kind: Kind
    count: int
    mistakes: int
    chance_lost: float
    points_lost: float


class GameReview(msgspec.Struct, frozen=True):
    """The review of a game for one seat. `is_over`: whether the game was played to its end.

    `skipped_count`: decisions with a choice that were not evaluated. `left_out_deals`: finished
    deals beyond `MAX_DEALS`.
    """

    seat: int
    names: tuple[str, ...]
    rules: Rules
    is_over: bool
    decisions: tuple[DecisionReview, ...]
    deals: tuple[DealReview, ...]
    skipped_count: int
    left_out_deals: int

    @property
    def mistakes(self) -> tuple[DecisionReview, ...]:
        """The mistakes, the dearest first."""
        found = [review for review in self.decisions if review.evaluation.is_mistake]
        return tuple(sorted(found, key=lambda review: -review.evaluation.chance_lost))

    @property
    def totals(self) -> tuple[KindTotal, ...]:
        """The totals of each kind of decision that occurred."""
        totals = []
        for kind in Kind:
            of_kind = [review.evaluation for review in self.decisions if review.kind is kind]
            if of_kind:
                totals.append(
                    KindTotal(
                        kind,
                        len(of_kind),
                        sum(evaluation.is_mistake for evaluation in of_kind),
                        sum(evaluation.chance_lost for evaluation in of_kind),
                        sum(evaluation.points_lost for evaluation in of_kind),
                    )
                )
        return tuple(totals)


def review_game(
    record: GameRecord,
    seat: int,
    *,
    seconds: float = DEFAULT_SECONDS,
    seed: int = 0,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> GameReview:
    """Return the review of a record for one seat. Only finished deals are reviewed.

    `seconds`: the approximate time of a search, of which a decision takes one to seven.
    `on_progress`: called with the number of decisions and deals that are done, and their total.

    Raise RecordError if an action of the record is illegal, the seat does not exist, or no deal is
    finished. Raise RulesError if the rules are not supported by the search.
    """
    plan = plan_review(record, seat, seed=seed)
    total = len(plan.decisions) + len(plan.deals)
    evaluations: list[Evaluation | None] = []
    same_cards: list[DuplicateComparison] = []
    for planned in plan.decisions:
        on_progress(len(evaluations), total)
        evaluations.append(planned.evaluate(seconds))
    for deal_steps in plan.deals:
        on_progress(len(evaluations) + len(same_cards), total)
        side = plan.steps[0].before.rules.side_of(seat)
        same_cards.append(compare_duplicate(deal_steps, side, seed))
    on_progress(total, total)
    return plan.make_review(evaluations, same_cards)


class PlannedDecision(msgspec.Struct, frozen=True):
    """A decision to evaluate: what the seat saw, could do and did. `seed`: of the evaluation.

    It can be evaluated in another process.
    """

    view: View
    decision: Decision
    action: Action
    seed: int

    def evaluate(self, seconds: float) -> Evaluation | None:
        """Return the evaluation, or None if the search does not try such a decision."""
        return evaluate_action(self.view, self.decision, self.action, seconds, self.seed)


class ReviewPlan(msgspec.Struct, frozen=True):
    """The decisions to evaluate for a review, in order, and the steps in which they occurred.

    `is_over`, `left_out_deals`: see `GameReview`.
    """

    seat: int
    names: tuple[str, ...]
    steps: tuple[Step, ...]
    decisions: tuple[PlannedDecision, ...]
    is_over: bool
    left_out_deals: int

    @property
    def deals(self) -> list[list[Step]]:
        """The steps of each deal."""
        return [list(group) for _, group in groupby(self.steps, key=lambda step: step.deal)]

    def make_review(
        self,
        evaluations: Sequence[Evaluation | None],
        same_cards: Sequence[DuplicateComparison] | None = None,
    ) -> GameReview:
        """Return the review. `evaluations`: those of the decisions, in order.

        `same_cards`: what others make of the cards of each deal, in order.
        """
        rules = self.steps[0].before.rules
        own = _decision_steps(self.steps, self.seat)
        decisions = tuple(
            _review_decisions(zip(own, self.decisions, evaluations, strict=True), self.seat)
        )
        return GameReview(
            seat=self.seat,
            names=self.names,
            rules=rules,
            is_over=self.is_over,
            decisions=decisions,
            deals=tuple(
                [
                    _review_deal(deal_steps, decisions, self.seat, same)
                    for deal_steps, same in zip(
                        self.deals, same_cards or repeat(None), strict=False
                    )
                ]
            ),
            skipped_count=len(own) - len(decisions),
            left_out_deals=self.left_out_deals,
        )


def plan_review(
    record: GameRecord, seat: int, *, deals: int | None = None, seed: int = 0
) -> ReviewPlan:
    """Return the plan of a review of a game, or of its first `deals`.

    Raise RecordError and RulesError as `review_game` does.
    """
    played = _finished_steps(record)
    if not 0 <= seat < len(record.seats):
        raise RecordError(f"There is no seat {seat}: the record has {len(record.seats)} seats.")
    if not played:
        raise RecordError("No deal of this game is finished, so there is nothing to review.")
    require_support(played[0].before.rules, Feature.SEARCH, "a review")
    limit = MAX_DEALS if deals is None else min(deals, MAX_DEALS)
    reviewed = tuple([step for step in played if step.deal < limit])
    return ReviewPlan(
        seat=seat,
        names=tuple([entry.name for entry in record.seats]),
        steps=reviewed,
        decisions=tuple(
            [
                PlannedDecision(
                    view_for(step.before, seat),
                    find_decision(step.before),
                    step.action,
                    random.Random(f"{seed} {step.deal} {step.number}").getrandbits(62),
                )
                for step in _decision_steps(reviewed, seat)
            ]
        ),
        is_over=played[-1].after.winner is not None,
        left_out_deals=max(0, played[-1].deal + 1 - MAX_DEALS),
    )


def _review_decisions(
    evaluated: Iterable[tuple[Step, PlannedDecision, Evaluation | None]], seat: int
) -> Iterator[DecisionReview]:
    """Yield the reviews of the decisions that were evaluated, in order."""
    deal, chance = -1, 0.0  # the chance after the action before
    for step, planned, evaluation in evaluated:
        if step.deal != deal:
            deal = step.deal
            chance = chance_at_deal(step.before, step.before.rules.side_of(seat))
        if evaluation is None:
            continue
        view, decision = planned.view, planned.decision
        yield DecisionReview(
            deal=step.deal + 1,
            number=step.number + 1,
            trick=None if decision.kind is not DecisionKind.PLAY else len(view.tricks) + 1,
            kind=_kind_of(decision, step.action, view),
            action=step.action,
            evaluation=evaluation,
            luck=evaluation.best_chance - chance,
            view=view,
        )
        chance = evaluation.chance


def chance_at_deal(state: GameState, side: int) -> float:
    """Return the probability that a side wins the game, before the cards of a deal are dealt."""
    if state.winner is not None:
        return float(state.winner == side)
    scoring = make_scoring_state(
        state.rules, state.players, state.scores, state.target, state.deals - 1
    )
    return float(win_probability(scoring, scoring.scores, -1, side))


def _review_deal(
    deal_steps: Sequence[Step],
    decisions: Sequence[DecisionReview],
    seat: int,
    same_cards: DuplicateComparison | None,
) -> DealReview:
    first, last = deal_steps[0], deal_steps[-1]
    side = first.before.rules.side_of(seat)
    own = [review for review in decisions if review.deal == first.deal + 1]
    before, after = chance_at_deal(first.before, side), chance_at_deal(last.after, side)
    cost = sum(review.evaluation.chance_lost for review in own)
    return DealReview(
        deal=first.deal + 1,
        chance_before=before,
        chance_after=after,
        deal_luck=own[0].luck if own else after - before,
        luck=after - before + cost,
        decisions=-cost,
        same_cards=same_cards,
    )


def _finished_steps(record: GameRecord) -> list[Step]:
    """Return the steps of the finished deals."""
    all_steps = list(steps(record))
    if not all_steps:
        return []
    finished = all_steps[-1].after.deals
    return [step for step in all_steps if step.deal < finished]


def _decision_steps(played: Iterable[Step], seat: int) -> list[Step]:
    """Return the steps in which a seat acted and had a choice."""
    return [
        step for step in played if step.seat == seat and not find_decision(step.before).is_forced
    ]


def _kind_of(decision: Decision, action: Action, view: View) -> Kind:
    if decision.kind in _KINDS:
        return _KINDS[decision.kind]
    if isinstance(action, LayMeld | Pass):
        return Kind.MELDING
    return Kind.FOLLOWING if view.trick else Kind.LEADING
