"""A review as text for a terminal of 80 columns, and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from acesaround.actions import Action
from acesaround.bots.explanations import explain_action
from acesaround.game.narration import suggestion_text
from acesaround.record.model import action_to_json
from acesaround.review.game_review import MAX_DEALS, DecisionReview, GameReview

DEFAULT_MISTAKES: Final = 10
"""How many mistakes a report lists, the dearest first."""
_WIDTH: Final = 80
_DEALS_HEADING: Final = "deal   before    after     luck   of which the deal   decisions"


def report_text(review: GameReview, mistakes: int = DEFAULT_MISTAKES) -> str:
    """Return the whole report. `mistakes`: how many of them it lists."""
    blocks = (
        _head_lines(review),
        _deal_lines(review),
        _same_cards_lines(review),
        _total_lines(review),
        _mistake_lines(review, mistakes),
    )
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks)


def as_json(review: GameReview) -> dict[str, Any]:
    """Return the review as an object for JSON. Actions are written as in a record."""
    return {
        "seat": review.seat,
        "name": review.names[review.seat],
        "variant": review.rules.variant,
        "is_over": review.is_over,
        "skipped_decisions": review.skipped_count,
        "left_out_deals": review.left_out_deals,
        "deals": [
            {
                "deal": deal.deal,
                "chance_before": round(deal.chance_before, 4),
                "chance_after": round(deal.chance_after, 4),
                "deal_luck": round(deal.deal_luck, 4),
                "luck": round(deal.luck, 4),
                "decisions": round(deal.decisions, 4),
                **({} if deal.same_cards is None else msgspec.structs.asdict(deal.same_cards)),
            }
            for deal in review.deals
        ],
        "decisions": [_decision_json(review, one) for one in review.decisions],
    }


def explain_best(review: GameReview, decision: DecisionReview) -> str:
    """Return the best action and why it is better, in one sentence with the players' names."""
    evaluation = decision.evaluation

    def name_seat(seat: int) -> str:
        return "you" if seat == review.seat else _name_of(review, seat)

    return explain_action(evaluation.best, evaluation.reason, decision.view, name_seat)


def _name_of(review: GameReview, seat: int) -> str:
    """Return the name of a player, or the seat if it is a bot's or another player has it too."""
    name = review.names[seat]
    if name.startswith("bot:") or review.names.count(name) > 1:
        return f"seat {seat}"
    return name


def _decision_json(review: GameReview, decision: DecisionReview) -> dict[str, Any]:
    evaluation = decision.evaluation
    return {
        "deal": decision.deal,
        "number": decision.number,
        "trick": decision.trick,
        "kind": decision.kind,
        "action": action_to_json(review.seat, decision.action)[1:],
        "best": action_to_json(review.seat, evaluation.best)[1:],
        "chance": round(evaluation.chance, 4),
        "luck": round(decision.luck, 4),
        "chance_lost": round(evaluation.chance_lost, 4),
        "chance_error": round(evaluation.chance_error, 4),
        "points_lost": round(evaluation.points_lost, 2),
        "points_error": round(evaluation.points_error, 2),
        "is_mistake": evaluation.is_mistake,
        "reason": explain_best(review, decision) if evaluation.is_mistake else "",
    }


def _head_lines(review: GameReview) -> Iterator[str]:
    deals = _count(len(review.deals), "deal")
    name = review.names[review.seat]
    whose = f"seat {review.seat}" + (f" ({name})" if name else "")
    yield from textwrap.wrap(f"Review of {whose}: {review.rules.title}", _WIDTH)
    mistakes = _count(len(review.mistakes), "mistake")
    yield f"{deals}, {_count(len(review.decisions), 'decision')} with a choice, {mistakes}"
    if not review.is_over:
        yield "The game is not over: only its finished deals are reviewed."
    if review.left_out_deals:
        left_out = _count(review.left_out_deals, "deal")
        yield f"A review takes {MAX_DEALS} deals at most. It leaves out {left_out} at the end."
    if review.skipped_count:
        skipped = _count(review.skipped_count, "decision")
        yield f"{skipped} could not be evaluated: turned-up cards, and bids far above the lowest."


def _deal_lines(review: GameReview) -> Iterator[str]:
    yield "The chance to win the game, deal by deal"
    yield _DEALS_HEADING
    for deal in review.deals:
        yield (
            f"{deal.deal:>4}{_percent(deal.chance_before):>9}{_percent(deal.chance_after):>9}"
            f"{_signed(deal.luck):>9}{_signed(deal.deal_luck):>20}{_signed(deal.decisions):>12}"
        )
    luck, decisions = (
        sum(deal.luck for deal in review.deals),
        sum(deal.decisions for deal in review.deals),
    )
    yield f"{'all':>4}{'':>18}{_signed(luck):>9}{'':>20}{_signed(decisions):>12}"


def _same_cards_lines(review: GameReview) -> Iterator[str]:
    yield "What others make of the same cards, in points"
    yield "deal   played   by bots   in tricks   with best play"
    for deal in review.deals:
        if (same := deal.same_cards) is None:
            continue
        yield (
            f"{deal.deal:>4}{same.points:>+9}{same.bot_points:>+10}"
            f"{_points_or_dash(same.play_points):>12}{_points_or_dash(same.best_play_points):>17}"
        )


def _points_or_dash(points: int | None) -> str:
    return "-" if points is None else str(points)


def _total_lines(review: GameReview) -> Iterator[str]:
    yield "What the decisions cost"
    yield f"{'':<16}{'decisions':>10}{'mistakes':>10}{'less chance to win':>20}{'points':>10}"
    for total in review.totals:
        yield (
            f"{total.kind:<16}{total.count:>10}{total.mistakes:>10}"
            f"{_percent(total.chance_lost):>20}{total.points_lost:>10.1f}"
        )


def _mistake_lines(review: GameReview, mistakes: int) -> Iterator[str]:
    listed = review.mistakes[:mistakes]
    if not listed:
        yield "No clear mistake."
        return
    yield "The most expensive mistakes"
    for number, decision in enumerate(listed, 1):
        evaluation = decision.evaluation
        place = f"deal {decision.deal}"
        if decision.trick is not None:
            place += f", trick {decision.trick}"
        yield (
            f"{number:>2}. {place}, {decision.kind}: {_percent(evaluation.chance_lost)} ± "
            f"{_percent(evaluation.chance_error)} less chance to win, "
            f"{evaluation.points_lost:.1f} ± {evaluation.points_error:.1f} points"
        )
        yield f"    done:   {_action_text(decision.action, decision)}."
        yield from textwrap.wrap(
            explain_best(review, decision),
            _WIDTH,
            initial_indent="    better: ",
            subsequent_indent=" " * 12,
        )


def _action_text(action: Action, decision: DecisionReview) -> str:
    return suggestion_text(action, is_lead=not decision.view.trick)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _percent(chance: float) -> str:
    return f"{100 * chance:.1f}%"


def _signed(chance: float) -> str:
    return f"{100 * chance:+.1f}%"
