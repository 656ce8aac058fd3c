"""HTTP: reviews of finished games. A request starts one, and further requests follow its progress.

Everyone with the play or replay link may ask, because a finished game hides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround import optional_dependencies
from acesaround.actions import Play
from acesaround.bots.explanations import explanation_parts
from acesaround.practice import theme_of
from acesaround.record.model import action_to_json, decode
from acesaround.record.replay import rules_of
from acesaround.rules.feature_support import Feature, why_unsupported
from acesaround.server.context import context_of
from acesaround.server.live.review_jobs import ReviewJob, ReviewKey
from acesaround.server.routes.games import find_finished_game
from acesaround.server.routes.http_messages import (
    FinishedReview,
    PracticeTheme,
    ReviewedChoice,
    ReviewedDeal,
    ReviewedDecision,
    ReviewedKind,
    ReviewProgress,
    ReviewRequest,
)
from acesaround.server.routes.requests import charge_change, rate_limit_account, read_json
from acesaround.server.routes.responses import json_response

if TYPE_CHECKING:
    from acesaround.review import DecisionReview, GameReview

MAX_CHOICES: Final = 4
"""How many bids, suits or selections of cards a mistake offers to try again."""


async def start_review(request: Request) -> Response:
    """Start the review of a seat, unless it is made or in progress, and return its progress."""
    wanted = await read_json(request, ReviewRequest)
    await charge_change(request)
    link, record_key = await find_finished_game(request, wanted.game)
    key = ReviewKey(link.table_id, wanted.game, wanted.seat)
    context = context_of(request)
    if (body := await context.reviews.load(key)) is not None:
        return _finished(body)
    account = await rate_limit_account(request)
    record_json = await context.records.get(account, record_key)
    if record_json is None:
        raise HTTPException(404, "The server cannot read that game.")
    await context.records.run(account, lambda: _require_reviewable(record_json, wanted.seat))
    address = None if request.client is None else request.client.host
    return _running(context.reviews.start(key, record_json, account, address), wanted.deals)


async def get_review(request: Request) -> Response:
    """Return the progress of a review, or the review: `?game=1&seat=0`."""
    try:
        wanted = msgspec.convert(dict(request.query_params), ReviewRequest, strict=False)
    except msgspec.ValidationError:
        raise HTTPException(404, "Name a game and a seat, such as ?game=1&seat=0.") from None
    link, _ = await find_finished_game(request, wanted.game)
    key, reviews = ReviewKey(link.table_id, wanted.game, wanted.seat), context_of(request).reviews
    if (job := reviews.find(key)) is not None:
        return _running(job, wanted.deals)
    if (body := await reviews.load(key)) is not None:
        return _finished(body)
    error = reviews.failure(key)
    return json_response(ReviewProgress("failed" if error else "none", error=error))


def _require_reviewable(record_json: bytes, seat: int) -> None:
    """Raise HTTPException if a game cannot be reviewed on this server."""
    record = decode(record_json)
    if not 0 <= seat < len(record.seats):
        raise HTTPException(404, f"There is no such seat: that game has {len(record.seats)}.")
    if optional_dependencies.missing_package("fast") is not None:
        raise HTTPException(422, "This server has no bots that search, so it cannot review a game.")
    if reason := why_unsupported(rules_of(record), Feature.SEARCH):
        raise HTTPException(
            422, f"The bots that search cannot play this game, so it has no review: {reason}."
        )


def _running(job: ReviewJob, known_deals: int) -> Response:
    """Return the progress of a review, with the review of the first deals if there are new ones."""
    body = job.first_deals if job.deals > known_deals else None
    return _progress("running", body, done=job.done, total=job.total)


def _finished(body: bytes) -> Response:
    return _progress("done", body)


def _progress(state: str, review: bytes | None, done: int = 0, total: int = 0) -> Response:
    """Return a `ReviewProgress` with a review whose JSON is sent as it is."""
    raw_review = None if review is None else msgspec.Raw(review)
    fields = {"state": state, "done": done, "total": total, "error": "", "review": raw_review}
    return json_response(msgspec.Raw(msgspec.json.encode(fields)))


def encode_review(review: GameReview) -> bytes:
    """Return a review as it is stored and sent."""
    return msgspec.json.encode(
        FinishedReview(
            seat=review.seat,
            decisions=tuple([_decision(review.seat, one) for one in review.decisions]),
            deals=tuple(
                [
                    ReviewedDeal(
                        deal.deal,
                        round(deal.chance_before, 4),
                        round(deal.chance_after, 4),
                        round(deal.luck, 4),
                        round(deal.deal_luck, 4),
                        round(deal.decisions, 4),
                    )
                    for deal in review.deals
                ]
            ),
            kinds=tuple(
                [
                    ReviewedKind(
                        total.kind.value,
                        total.count,
                        total.mistakes,
                        round(total.chance_lost, 4),
                        round(total.points_lost, 1),
                    )
                    for total in review.totals
                ]
            ),
            skipped=review.skipped_count,
            left_out=review.left_out_deals,
        )
    )


def _decision(seat: int, review: DecisionReview) -> ReviewedDecision:
    evaluation = review.evaluation
    return ReviewedDecision(
        deal=review.deal,
        step=review.number,
        trick=review.trick,
        kind=review.kind.value,
        action=action_to_json(seat, review.action)[1:],
        best=action_to_json(seat, evaluation.best)[1:],
        chance=round(evaluation.chance, 4),
        chance_lost=round(evaluation.chance_lost, 4),
        chance_error=round(evaluation.chance_error, 4),
        points_lost=round(evaluation.points_lost, 2),
        points_error=round(evaluation.points_error, 2),
        mistake=evaluation.is_mistake,
        because=explanation_parts(evaluation.reason) if evaluation.is_mistake else (),
        theme=_theme(review) if evaluation.is_mistake else None,
        choices=_choices(seat, review) if evaluation.is_mistake else (),
    )


def _theme(review: DecisionReview) -> PracticeTheme | None:
    view, evaluation = review.view, review.evaluation
    if view.kind is None:
        return None
    return theme_of(view, view.kind, evaluation.best, [review.action]).value


def _choices(seat: int, review: DecisionReview) -> tuple[ReviewedChoice, ...]:
    """Return the choices to try again: all cards, but only some of many selections of cards."""
    evaluation = review.evaluation
    offered = [one for one in evaluation.tried if one.action in (review.action, evaluation.best)]
    others = [one for one in evaluation.tried if one not in offered]
    if not isinstance(review.action, Play):
        others = [one for one in others if one.is_mistake][: MAX_CHOICES - len(offered)]
    return tuple(
        [
            ReviewedChoice(
                action=action_to_json(seat, one.action)[1:],
                chance=round(one.chance, 4),
                chance_lost=round(one.chance_lost, 4),
                chance_error=round(one.chance_error, 4),
                points_lost=round(one.points_lost, 1),
                right=not one.is_mistake,
            )
            for one in sorted((*offered, *others), key=lambda one: str(one.action))
        ]
    )
