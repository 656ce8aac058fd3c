"""HTTP: practice positions, from shipped ones and from a person's own games, and their answers.

The mistakes in stored reviews of a person's games are positions too. A position is sent without its
solution; the answer to it brings the solution. Whoever reads a review may also try a mistake again,
which is not counted.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround.errors import RecordError
from acesaround.game.state import DecisionKind
from acesaround.game.view import View, view_for
from acesaround.practice import (
    PastAnswers,
    PracticeItem,
    Theme,
    find_position,
    pick_item,
    shipped_positions,
)
from acesaround.practice.position import PracticePosition as ShippedPosition
from acesaround.record.model import action_to_json, decode
from acesaround.server import random_source
from acesaround.server.accounts.cookie import Guest
from acesaround.server.context import context_of
from acesaround.server.live.review_jobs import STORED_VERSION, ReviewKey
from acesaround.server.routes.games import find_finished_game
from acesaround.server.routes.http_messages import (
    FinishedReview,
    NextPractice,
    PracticeAnswer,
    PracticeCount,
    PracticePosition,
    PracticeResult,
    PracticeTheme,
    PracticeValue,
    RetryAnswer,
    ReviewedDecision,
)
from acesaround.server.routes.requests import (
    charge_change,
    rate_limit_account,
    read_json,
    with_guest,
)
from acesaround.server.routes.responses import json_response
from acesaround.store import Store, practice
from acesaround.store.practice import StoredAnswers, StoredReview
from acesaround.table import history_of
from acesaround.table.client_state import game_view
from acesaround.table.list_columns import GameSummary
from acesaround.variants import short_name

MAX_REVIEWS: Final = 20
"""The last reviews whose mistakes a person practices."""
_ENCODER: Final = msgspec.json.Encoder(enc_hook=str)
_GONE: Final = "That position is gone: take the next one."
_NO_CHOICE: Final = "That is no choice of this position."


class _RetryQuery(msgspec.Struct, frozen=True):
    game: int
    seat: int
    deal: int
    step: int


class _OwnMistake(NamedTuple):
    """A mistake in a stored review of a person's game."""

    table_id: str
    game: int
    seat: int
    deals: int
    decision: ReviewedDecision

    @property
    def id(self) -> str:
        """Return an identifier that leads to no table."""
        place = f"{self.table_id}:{self.game}:{self.seat}:{self.decision.deal}:{self.decision.step}"
        return f"own.{hashlib.sha256(place.encode()).hexdigest()[:20]}"

    @property
    def theme(self) -> Theme:
        """Return what the mistake practices."""
        assert self.decision.theme is not None
        return Theme(self.decision.theme)


@with_guest
async def next_position(request: Request, guest: Guest) -> Response:
    """Return the next position: `?theme=leads&variant=partnership`, both may be left out."""
    context, query = context_of(request), request.query_params
    answers = await practice.answers_of(context.store, guest.id)
    mistakes = await _own_mistakes(context.store, guest.id)
    items = _all_items(mistakes)
    theme, of_variant = query.get("theme"), query.get("variant")
    wanted = [
        item
        for item, variant in items
        if (not theme or item.theme == theme) and (not of_variant or variant == of_variant)
    ]
    now = context.store.now()
    past = {
        one.position: PastAnswers(
            one.right, one.wrong, one.was_right, max(0, now - one.answered) / 1000
        )
        for one in answers
    }
    theme_answers = [(Theme(one.theme), one.right, one.wrong) for one in answers]
    position = None
    left = list(wanted)
    while position is None and left:
        picked = pick_item(left, past, theme_answers, random_source.RNG)
        assert picked is not None
        position = await _make_position(request, picked, mistakes)
        left.remove(picked)
    return _encoded(NextPractice(position, _counts(answers, [item for item, _ in items])))


@with_guest
async def answer_position(request: Request, guest: Guest) -> Response:
    """Count the answer to a position, and return the solution."""
    answer = await read_json(request, PracticeAnswer)
    await charge_change(request)
    store = context_of(request).store
    mistakes = await _own_mistakes(store, guest.id)
    if (shipped := find_position(answer.id)) is not None:
        theme, result = shipped.theme, _shipped_result(shipped, answer.choice)
    elif (mistake := _find(mistakes, answer.id)) is not None:
        theme, result = mistake.theme, _mistake_result(mistake.decision, answer.choice)
    else:
        raise HTTPException(404, _GONE)
    await practice.save_answer(store, guest.id, answer.id, theme.value, is_right=result.right)
    answers = await practice.answers_of(store, guest.id)
    items = [item for item, _ in _all_items(mistakes)]
    return json_response(msgspec.structs.replace(result, counts=_counts(answers, items)))


async def retry_position(request: Request) -> Response:
    """Return a mistake of a stored review as a position: `?game=1&seat=0&deal=1&step=9`."""
    try:
        wanted = msgspec.convert(dict(request.query_params), _RetryQuery, strict=False)
    except msgspec.ValidationError:
        raise HTTPException(404, "Name a game, a seat, a deal and a step.") from None
    mistake = await _reviewed_mistake(request, wanted)
    position = await _mistake_position(request, mistake)
    if position is None:
        raise HTTPException(404, _GONE)
    return _encoded(position)


async def answer_retry(request: Request) -> Response:
    """Return what a new choice at a mistake of a stored review is worth."""
    answer = await read_json(request, RetryAnswer)
    wanted = _RetryQuery(answer.game, answer.seat, answer.deal, answer.step)
    mistake = await _reviewed_mistake(request, wanted)
    return json_response(_mistake_result(mistake.decision, answer.choice))


async def _reviewed_mistake(request: Request, wanted: _RetryQuery) -> _OwnMistake:
    """Return a mistake of a stored review. Raises HTTPException if there is none."""
    link, (_, _, deals, _) = await find_finished_game(request, wanted.game)
    key = ReviewKey(link.table_id, wanted.game, wanted.seat)
    body = await context_of(request).reviews.load(key)
    if body is None:
        raise HTTPException(404, "That game has no review yet.")
    review = msgspec.json.decode(body, type=FinishedReview)
    for decision in review.decisions:
        if (decision.deal, decision.step) == (wanted.deal, wanted.step) and decision.choices:
            return _OwnMistake(link.table_id, wanted.game, wanted.seat, deals, decision)
    raise HTTPException(404, "That decision was no mistake.")


async def _own_mistakes(store: Store, person: str) -> list[_OwnMistake]:
    """Return the mistakes in the last reviews of a person's own games."""
    stored = await practice.reviews_of(store, person, STORED_VERSION, MAX_REVIEWS)
    return await asyncio.to_thread(_read_mistakes, stored, person) if stored else []


def _read_mistakes(stored: Sequence[StoredReview], person: str) -> list[_OwnMistake]:
    found = []
    for one in stored:
        try:
            summary = msgspec.json.decode(one.summary, type=GameSummary)
            if list(summary.people)[one.seat : one.seat + 1] != [person]:
                continue
            review = msgspec.json.decode(one.body, type=FinishedReview)
        except msgspec.DecodeError:  # damaged in the database
            continue
        found += [
            _OwnMistake(one.table_id, one.game, one.seat, summary.deals, decision)
            for decision in review.decisions
            if decision.choices and decision.theme is not None
        ]
    return found


def _find(mistakes: Sequence[_OwnMistake], position_id: str) -> _OwnMistake | None:
    return next((one for one in mistakes if one.id == position_id), None)


def _all_items(mistakes: Sequence[_OwnMistake]) -> list[tuple[PracticeItem, str | None]]:
    """Return all positions for a person, with their variants; None for own games."""
    shipped = [(PracticeItem(one.id, one.theme), one.variant) for one in shipped_positions()]
    return [*shipped, *[(PracticeItem(one.id, one.theme, True), None) for one in mistakes]]


def _counts(
    answers: Sequence[StoredAnswers], items: Sequence[PracticeItem]
) -> tuple[PracticeCount, ...]:
    """Return the counts of all themes that have positions or answers."""
    right, wrong = Counter[str](), Counter[str]()
    for one in answers:
        right[one.theme] += one.right
        wrong[one.theme] += one.wrong
    numbers = Counter[str](item.theme.value for item in items)
    return tuple(
        [
            PracticeCount(theme.value, right[theme], wrong[theme], numbers[theme])
            for theme in Theme
            if numbers[theme] or right[theme] or wrong[theme]
        ]
    )


async def _make_position(
    request: Request, item: PracticeItem, mistakes: Sequence[_OwnMistake]
) -> PracticePosition | None:
    """Return a position as it is sent, or None if its game cannot be read any more."""
    if (shipped := find_position(item.id)) is not None:
        account = await rate_limit_account(request)
        return await context_of(request).records.run(account, lambda: _shipped_position(shipped))
    mistake = _find(mistakes, item.id)
    return None if mistake is None else await _mistake_position(request, mistake)


def _shipped_position(shipped: ShippedPosition) -> PracticePosition:
    view, _ = shipped.replay()
    names = tuple(["bot:expert"] * view.rules.seats)
    actions = tuple([choice.action for choice in shipped.choices])
    return _position(
        shipped.id,
        shipped.theme.value,
        view,
        names,
        tuple([action_to_json(0, action)[1:] for action in actions]),
        is_own=False,
    )


async def _mistake_position(request: Request, mistake: _OwnMistake) -> PracticePosition | None:
    context, account = context_of(request), await rate_limit_account(request)
    key = mistake.table_id, mistake.game, mistake.deals, True
    record_json = await context.records.get(account, key)
    if record_json is None:
        return None

    def build() -> PracticePosition | None:
        decision = mistake.decision
        try:
            history = history_of(decode(record_json))
        except RecordError:
            return None
        of_deal = [step for step in history.steps if step.deal == decision.deal - 1]
        if not 0 <= decision.step < len(of_deal):
            return None
        view = view_for(of_deal[decision.step].before, mistake.seat)
        choices = tuple([choice.action for choice in decision.choices])
        theme = decision.theme or "leads"
        return _position(mistake.id, theme, view, history.names, choices, is_own=True)

    return await context.records.run(account, build)


def _position(
    position_id: str,
    theme: PracticeTheme,
    view: View,
    names: tuple[str, ...],
    choices: tuple[object, ...],
    *,
    is_own: bool,
) -> PracticePosition:
    rules = view.rules
    assert view.seat is not None
    return PracticePosition(
        id=position_id,
        theme=theme,
        is_own_game=is_own,
        variant=rules.variant,
        title=short_name(rules),
        players=rules.seats,
        sides=rules.sides,
        partners=rules.has_partners,
        seat=view.seat,
        names=names,
        view=game_view(view),
        trick=len(view.tricks) + 1 if view.kind is DecisionKind.PLAY else None,
        choices=choices,  # type: ignore[arg-type]  # actions in the form of a record
    )


def _shipped_result(shipped: ShippedPosition, choice: int) -> PracticeResult:
    """Return the solution. The values are those of the first sample."""
    values = [
        PracticeValue(
            chance=one.samples[0].chance,
            chance_lost=one.samples[0].lost,
            chance_error=one.samples[0].error,
            points_lost=one.samples[0].points,
            right=one.is_right,
            fault=one.fault,
        )
        for one in shipped.choices
    ]
    best = shipped.choices.index(shipped.best)
    return _result(values, choice, best, shipped.reason)


def _mistake_result(decision: ReviewedDecision, choice: int) -> PracticeResult:
    values = [
        PracticeValue(one.chance, one.chance_lost, one.chance_error, one.points_lost, one.right)
        for one in decision.choices
    ]
    best = [one.action for one in decision.choices].index(decision.best)
    return _result(values, choice, best, decision.because)


def _result(
    values: Sequence[PracticeValue], choice: int, best: int, because: tuple[str | int, ...]
) -> PracticeResult:
    if not 0 <= choice < len(values):
        raise HTTPException(404, _NO_CHOICE)
    return PracticeResult(values[choice].right, choice, best, tuple(values), because, ())


def _encoded(answer: NextPractice | PracticePosition) -> Response:
    """Return an answer with a view in it, whose cards are written as in a record."""
    return json_response(msgspec.Raw(_ENCODER.encode(answer)))
