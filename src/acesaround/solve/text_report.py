"""Reports of a solution, as text or JSON: the place, each card, the best cards, the certainty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from acesaround.actions import Play
from acesaround.cards import Card
from acesaround.fast.solver.objective import Goal, Objective
from acesaround.game.state import GameState, Playing, tally
from acesaround.record.text import format_hand, quote_name
from acesaround.rulebook.markdown import join_words
from acesaround.rules import KeepMeld
from acesaround.solve.position_source import LocatedPosition
from acesaround.solve.solution import CardAnswer, Solution
from acesaround.variants import changed_options

_NUMBER_LABELS = ("game", "deal", "trick", "card")
_MAX_NAME_LENGTH = 24  # the maximum length of a shown name


def report_text(solution: Solution, *, is_full_line: bool = False) -> str:
    """Return a solution as text. `is_full_line`: the line of play continues to the last card."""
    parts = [
        [*_position_lines(solution.position), *_contract_lines(solution)],
        _hand_lines(solution.position),
        [*_card_lines(solution)],
        [*_verdict_lines(solution)],
    ]
    if solution.line:
        parts.append([*_play_lines(solution, is_full_line)])
    return "\n\n".join("\n".join(part) for part in parts if part)


def _playing(state: GameState) -> Playing:
    assert isinstance(state.phase, Playing)
    return state.phase


def _position_lines(located: LocatedPosition) -> Iterator[str]:
    state = located.state
    trump = state.deal.trump
    assert trump is not None
    words = [f"{state.rules.variant}, trump {trump.word}"]
    if located.number is not None:
        words += [
            f"{name} {value}" for name, value in zip(_NUMBER_LABELS, located.number, strict=True)
        ]
    yield ", ".join(words)
    if not _playing(state).is_trump_broken:
        yield "Trump is not broken yet."


def _contract_lines(solution: Solution) -> Iterator[str]:
    state = solution.position.state
    deal, current_tally = state.deal, tally(state)
    if deal.declarer is None or deal.bid is None:
        return
    side = state.rules.side_of(deal.declarer)
    bid_text = (
        f"Seat {deal.declarer} bid {deal.bid}: "
        f"{current_tally.meld[side]} in meld, {current_tally.play[side]} in play so far"
    )
    goal = solution.goals[0]
    any_trick = state.rules.scoring.keep_meld is KeepMeld.TRICK
    saving_win = "trick" if any_trick else "counter in a trick"
    if goal.known_result is not None:
        status = "the bid is made already" if goal.known_result else "the bid is out of reach"
    elif goal.threshold is None:
        status = f"it also needs a {saving_win}"
    elif goal.threshold.counters_only:
        status = f"a {saving_win} makes the bid"
    else:
        need = goal.threshold.points_needed
        status = f"{need} more {'makes' if need == 1 else 'make'} the bid"
    yield f"{bid_text}; {status}."


def _hand_lines(located: LocatedPosition) -> list[str]:
    state, phase = located.state, _playing(located.state)
    played = {
        state.players[(state.players.index(phase.leader) + index) % len(state.players)]: card
        for index, card in enumerate(phase.cards)
    }
    rows = []
    for seat in state.players:
        status = ""
        if seat in played:
            status = f"{'leads' if seat == phase.leader else 'plays'} {played[seat]}"
        elif seat == phase.turn:
            status = "on turn" if phase.cards else "to lead"
        name = _player_name(located, seat)
        rows.append((f"seat {seat}", name, status, format_hand(state.hand(seat))))
    return [*_align_columns(rows)]


def _player_name(located: LocatedPosition, seat: int) -> str:
    if not located.names:
        return ""
    name = quote_name(located.names[seat])
    return name if len(name) <= _MAX_NAME_LENGTH else name[: _MAX_NAME_LENGTH - 3] + "..."


def _align_columns(
    rows: Sequence[tuple[str, ...]], right_aligned: Iterable[int] = ()
) -> Iterator[str]:
    """Yield rows in aligned columns without empty columns; `right_aligned` lists some of them."""
    right_aligned = set(right_aligned)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (
            cell.rjust(width) if column in right_aligned else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            if width
        )
        yield "  ".join(cells).rstrip()


def _card_lines(solution: Solution) -> Iterator[str]:
    goals = [
        (index, goal)
        for index, goal in enumerate(solution.goals)
        if goal.known_result is None and (goal.goal is Goal.MAKE or goal.seats == solution.seats)
    ]
    state = solution.position.state
    is_against_many = len(state.players) > 2 * len(solution.seats)
    against_text = " against all others together" if is_against_many else ""
    yield f"Points of {_seats_text(solution.seats)}{against_text}, from here on:"
    if not solution.is_own_turn:
        yield f"(seat {_playing(state).turn}, on turn, tries to keep them low)"
    yield ""
    headings = ["card", "points", "in all", "loss"]
    rows = [(*headings, *(_GOAL_HEADINGS[goal.goal] for _, goal in goals), "")]
    for card, answer in solution.cards.items():
        won = solution.won
        loss = solution.points_lost(card)
        rows.append(
            (
                str(card),
                _range_text(answer.low, answer.high),
                _range_text(answer.low + won, answer.high + won),
                "" if not loss else str(loss),
                *(_GOAL_RESULTS[goal.goal, answer.goals_reached[index]] for index, goal in goals),
                ", ".join(_card_marks(solution, card)),
            )
        )
    yield from _align_columns(rows, right_aligned=(1, 2, 3))


_GOAL_HEADINGS = {Goal.MAKE: "bid", Goal.SAVE_MELD: "meld"}
_GOAL_RESULTS = {
    (Goal.MAKE, True): "made",
    (Goal.MAKE, False): "set",
    (Goal.MAKE, None): "open",
    (Goal.SAVE_MELD, True): "saved",
    (Goal.SAVE_MELD, False): "lost",
    (Goal.SAVE_MELD, None): "open",
}


def _range_text(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _seats_text(seats: tuple[int, ...]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {join_words(seats)}"


def _card_marks(solution: Solution, card: Card) -> Iterator[str]:
    best = solution.is_best(card)
    if best:
        yield "best"
    elif best is None and not solution.exact:
        yield "perhaps best"
    if solution.position.action_taken == Play(card):
        yield "played"


def _verdict_lines(solution: Solution) -> Iterator[str]:
    action_taken = solution.position.action_taken
    if action_taken is not None and (
        not isinstance(action_taken, Play) or action_taken.card not in solution.cards
    ):
        action_text = (
            f"played {action_taken.card}, which is not legal"
            if isinstance(action_taken, Play)
            else "gave up"
        )
        yield f"In the game seat {_playing(solution.position.state).turn} {action_text}."
    for goal, reached in zip(solution.goals, solution.reached, strict=True):
        if goal.known_result is None:
            yield f"{_GOAL_SENTENCES[goal.goal, reached].format(seats=_seats_text(goal.seats))}"
    low, high = solution.low, solution.high
    seats_text, win = _seats_text(solution.seats), "wins" if len(solution.seats) == 1 else "win"
    if low == high:
        yield f"With best play {seats_text} {win} {low} from here on, {low + solution.won} in all."
    else:
        yield f"With best play {seats_text} {win} at least {low} and at most {high} from here on."
    if not solution.exact:
        reason = "The solver was stopped" if solution.stopped else "The limit was reached"
        yield f"{reason} after {solution.seconds:.1f} s, so these are bounds:"
        yield '"12 to 15" means at least 12 and at most 15.'


_GOAL_SENTENCES = {
    (Goal.MAKE, True): "The bid is made with best play.",
    (Goal.MAKE, False): "The bid is set with best play.",
    (Goal.MAKE, None): "Whether the bid can be made is not known yet.",
    (Goal.SAVE_MELD, True): "The meld of {seats} is saved with best play.",
    (Goal.SAVE_MELD, False): "The meld of {seats} can be taken away.",
    (Goal.SAVE_MELD, None): "Whether the meld of {seats} is saved is not known yet.",
}


def _play_lines(solution: Solution, is_full_line: bool) -> Iterator[str]:
    state, phase = solution.position.state, _playing(solution.position.state)
    players = len(state.players)
    yield "One best line:" if is_full_line else "One best way to go on with the trick:"
    card_count = len(phase.cards)
    trick: list[str] = []
    for seat, card in solution.line:
        trick.append(f"{seat} {card}")
        card_count += 1
        if card_count == players:
            yield "  " + "  ".join(trick)
            trick, card_count = [], 0
    if trick:
        yield "  " + "  ".join(trick)
    if is_full_line and len(solution.line) < sum(len(state.hand(seat)) for seat in state.players):
        yield "  (not followed further)"


def as_json(solution: Solution) -> dict[str, Any]:
    """Return a solution as JSON data. See docs/solving.md for its keys."""
    located, state = solution.position, solution.position.state
    deal, phase, current_tally = state.deal, _playing(state), tally(state)
    place_numbers = (
        None if located.number is None else dict(zip(_NUMBER_LABELS, located.number, strict=True))
    )
    return {
        "variant": state.rules.variant,
        "options": changed_options(state.rules),
        "place": place_numbers,
        "trump": str(deal.trump),
        "broken": phase.is_trump_broken,
        "declarer": deal.declarer,
        "bid": deal.bid,
        "meld": list(current_tally.meld),
        "play": list(current_tally.play),
        "leader": phase.leader,
        "trick": [str(card) for card in phase.cards],
        "turn": phase.turn,
        "hands": [[str(card) for card in state.hand(seat)] for seat in range(state.rules.seats)],
        "for": list(solution.seats),
        "won": solution.won,
        "exact": solution.exact,
        "low": solution.low,
        "high": solution.high,
        "cards": [_card_json(solution, card, found) for card, found in solution.cards.items()],
        "thresholds": [
            _threshold_json(goal, reached)
            for goal, reached in zip(solution.goals, solution.reached, strict=True)
        ],
        "line": [[seat, str(card)] for seat, card in solution.line],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 3),
        "stopped": solution.stopped,
    }


def _card_json(solution: Solution, card: Card, answer: CardAnswer) -> dict[str, Any]:
    return {
        "card": str(card),
        "exact": answer.low == answer.high,
        "low": answer.low,
        "high": answer.high,
        "loss": solution.points_lost(card),
        "best": solution.is_best(card),
        "played": solution.position.action_taken == Play(card),
        "reached": list(answer.goals_reached),
        "nodes": answer.nodes,
    }


def _threshold_json(goal: Objective, reached: bool | None) -> dict[str, Any]:
    threshold = goal.threshold
    return {
        "goal": goal.goal.value,
        "seats": list(goal.seats),
        "need": None if threshold is None else threshold.points_needed,
        "of": None if threshold is None else "counters" if threshold.counters_only else "points",
        "settled": goal.known_result is not None,
        "reached": reached,
    }
