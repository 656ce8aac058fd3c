"""The parts of a review that workers compute; `review_jobs` submits them.

The server itself loads no kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from acesaround.record.model import decode

if TYPE_CHECKING:
    from acesaround.review import Evaluation, GameReview
    from acesaround.review.game_review import PlannedDecision


class PlanTask(msgspec.Struct, frozen=True):
    """Finds the decisions to evaluate. `record`: a record as JSON."""

    record: bytes
    seat: int
    name: str = "plan of a review"

    def run(self) -> tuple[PlannedDecision, ...]:
        """Return the decisions in order."""
        from acesaround.review.game_review import plan_review

        return plan_review(decode(self.record), self.seat).decisions


class EvaluationTask(msgspec.Struct, frozen=True):
    """Evaluates one decision. `seconds`: the approximate time of each of its searches."""

    decision: PlannedDecision
    seconds: float
    name: str = "evaluation"

    def run(self) -> Evaluation | None:
        """Return the evaluation, or None if the search does not try such a decision."""
        return self.decision.evaluate(self.seconds)


class SummaryTask(msgspec.Struct, frozen=True):
    """Makes the review of a game, or of its first `deals`.

    `evaluations`: those of all their decisions.
    """

    record: bytes
    seat: int
    deals: int | None
    evaluations: tuple[Evaluation | None, ...]
    name: str = "summary of a review"

    def run(self) -> GameReview:
        """Return the review."""
        from acesaround.review.game_review import plan_review

        plan = plan_review(decode(self.record), self.seat, deals=self.deals)
        return plan.make_review(self.evaluations)
