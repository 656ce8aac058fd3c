"""Reports of a solution, as text or JSON: the place, each card, the best cards, the certainty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from acesaround.actions import Play
from acesaround.cards import Card
from acesaround.fast.solver.objective import Goal, Objective
from acesaround.game.state import GameState, Playing, tally
from acesaround.record.text import format_hand, quoted
from acesaround.rulebook.markdown import listed
from acesaround.rules import KeepMeld
from acesaround.solve.locate import Place
from acesaround.solve.solution import CardAnswer, Solution
from acesaround.variants import changed_options

_PLACE = ("game", "deal", "trick", "card")
_NAME = 24  # the maximum length of a shown name


def text(solution: Solution, *, line: bool = False) -> str:
    """Return a solution as text. `line`: the line of play goes on to the last card."""
    parts = [
        [*_where(solution.place), *_contract(solution)],
        _hands(solution.place),
        [*_cards(solution)],
        [*_verdict(solution)],
    ]
    if solution.line:
        parts.append([*_line(solution, line)])
    return "\n\n".join("\n".join(part) for part in parts if part)


def _playing(state: GameState) -> Playing:
    assert isinstance(state.phase, Playing)
    return state.phase


def _where(place: Place) -> Iterator[str]:
    state = place.state
    trump = state.deal.trump
    assert trump is not None
    words = [f"{state.rules.variant}, trump {trump.word}"]
    if place.number is not None:
        words += [f"{name} {at}" for name, at in zip(_PLACE, place.number, strict=True)]
    yield ", ".join(words)
    if not _playing(state).broken:
        yield "Trump is not broken yet."


def _contract(solution: Solution) -> Iterator[str]:
    state = solution.place.state
    deal, now = state.deal, tally(state)
    if deal.declarer is None or deal.bid is None:
        return
    side = state.rules.side_of(deal.declarer)
    said = (
        f"Seat {deal.declarer} bid {deal.bid}: "
        f"{now.meld[side]} in meld, {now.play[side]} in play so far"
    )
    goal = solution.goals[0]
    any_trick = state.rules.scoring.keep_meld is KeepMeld.TRICK
    what = "trick" if any_trick else "counter in a trick"
    if goal.settled is not None:
        end = "the bid is made already" if goal.settled else "the bid is out of reach"
    elif goal.threshold is None:
        end = f"it also needs a {what}"
    elif goal.threshold.counters:
        end = f"a {what} makes the bid"
    else:
        need = goal.threshold.need
        end = f"{need} more {'makes' if need == 1 else 'make'} the bid"
    yield f"{said}; {end}."


def _hands(place: Place) -> list[str]:
    state, phase = place.state, _playing(place.state)
    played = {
        state.players[(state.players.index(phase.leader) + at) % len(state.players)]: card
        for at, card in enumerate(phase.cards)
    }
    rows = []
    for seat in state.players:
        done = ""
        if seat in played:
            done = f"{'leads' if seat == phase.leader else 'plays'} {played[seat]}"
        elif seat == phase.turn:
            done = "on turn" if phase.cards else "to lead"
        name = _name(place, seat)
        rows.append((f"seat {seat}", name, done, format_hand(state.hand(seat))))
    return [*_table(rows)]


def _name(place: Place, seat: int) -> str:
    if not place.names:
        return ""
    name = quoted(place.names[seat])
    return name if len(name) <= _NAME else name[: _NAME - 3] + "..."


def _table(rows: Sequence[tuple[str, ...]], right: Iterable[int] = ()) -> Iterator[str]:
    """Yield rows in aligned columns without empty columns; those in `right` are right-aligned."""
    right = set(right)
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        cells = (
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            if width
        )
        yield "  ".join(cells).rstrip()


def _cards(solution: Solution) -> Iterator[str]:
    goals = [
        (at, goal)
        for at, goal in enumerate(solution.goals)
        if goal.settled is None and (goal.goal is Goal.MAKE or goal.seats == solution.seats)
    ]
    state = solution.place.state
    alone = len(state.players) > 2 * len(solution.seats)
    against = " against all others together" if alone else ""
    yield f"Points of {_seats(solution.seats)}{against}, from here on:"
    if not solution.ours:
        yield f"(seat {_playing(state).turn}, on turn, wants them few)"
    yield ""
    heads = ["card", "points", "in all", "loss"]
    rows = [(*heads, *(_HEADS[goal.goal] for _, goal in goals), "")]
    for card, found in solution.cards.items():
        won = solution.won
        loss = solution.loss(card)
        rows.append(
            (
                str(card),
                _span(found.low, found.high),
                _span(found.low + won, found.high + won),
                "" if not loss else str(loss),
                *(_WORDS[goal.goal, found.goals[at]] for at, goal in goals),
                ", ".join(_marks(solution, card)),
            )
        )
    yield from _table(rows, right=(1, 2, 3))


_HEADS = {Goal.MAKE: "bid", Goal.SAVE: "meld"}
_WORDS = {
    (Goal.MAKE, True): "made",
    (Goal.MAKE, False): "set",
    (Goal.MAKE, None): "open",
    (Goal.SAVE, True): "saved",
    (Goal.SAVE, False): "lost",
    (Goal.SAVE, None): "open",
}


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _seats(seats: tuple[int, ...]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {listed(seats)}"


def _marks(solution: Solution, card: Card) -> Iterator[str]:
    best = solution.best(card)
    if best:
        yield "best"
    elif best is None and not solution.exact:
        yield "perhaps best"
    if solution.place.done == Play(card):
        yield "played"


def _verdict(solution: Solution) -> Iterator[str]:
    done = solution.place.done
    if done is not None and (not isinstance(done, Play) or done.card not in solution.cards):
        what = f"played {done.card}, which is not legal" if isinstance(done, Play) else "gave up"
        yield f"In the game seat {_playing(solution.place.state).turn} {what}."
    for goal, reached in zip(solution.goals, solution.reached, strict=True):
        if goal.settled is None:
            yield f"{_SENTENCES[goal.goal, reached].format(seats=_seats(goal.seats))}"
    low, high = solution.low, solution.high
    whose, win = _seats(solution.seats), "wins" if len(solution.seats) == 1 else "win"
    if low == high:
        yield f"With best play {whose} {win} {low} from here on, {low + solution.won} in all."
    else:
        yield f"With best play {whose} {win} at least {low} and at most {high} from here on."
    if not solution.exact:
        why = "It was stopped" if solution.stopped else "The limit was reached"
        yield f"{why} after {solution.seconds:.1f} s, so these are bounds:"
        yield '"12 to 15" means at least 12 and at most 15.'


_SENTENCES = {
    (Goal.MAKE, True): "The bid is made with best play.",
    (Goal.MAKE, False): "The bid is set with best play.",
    (Goal.MAKE, None): "Whether the bid can be made is not known yet.",
    (Goal.SAVE, True): "The meld of {seats} is saved with best play.",
    (Goal.SAVE, False): "The meld of {seats} can be taken away.",
    (Goal.SAVE, None): "Whether the meld of {seats} is saved is not known yet.",
}


def _line(solution: Solution, to_the_end: bool) -> Iterator[str]:
    state, phase = solution.place.state, _playing(solution.place.state)
    players = len(state.players)
    yield "One best line:" if to_the_end else "One best way to go on with the trick:"
    place = len(phase.cards)
    trick: list[str] = []
    for seat, card in solution.line:
        trick.append(f"{seat} {card}")
        place += 1
        if place == players:
            yield "  " + "  ".join(trick)
            trick, place = [], 0
    if trick:
        yield "  " + "  ".join(trick)
    if to_the_end and len(solution.line) < sum(len(state.hand(seat)) for seat in state.players):
        yield "  (not followed further)"


def as_json(solution: Solution) -> dict[str, Any]:
    """Return a solution as JSON data. See docs/solving.md for its keys."""
    place, state = solution.place, solution.place.state
    deal, phase, now = state.deal, _playing(state), tally(state)
    at = None if place.number is None else dict(zip(_PLACE, place.number, strict=True))
    return {
        "variant": state.rules.variant,
        "options": changed_options(state.rules),
        "place": at,
        "trump": str(deal.trump),
        "broken": phase.broken,
        "declarer": deal.declarer,
        "bid": deal.bid,
        "meld": list(now.meld),
        "play": list(now.play),
        "leader": phase.leader,
        "trick": [str(card) for card in phase.cards],
        "turn": phase.turn,
        "hands": [[str(card) for card in state.hand(seat)] for seat in range(state.rules.seats)],
        "for": list(solution.seats),
        "won": solution.won,
        "exact": solution.exact,
        "low": solution.low,
        "high": solution.high,
        "cards": [_card(solution, card, found) for card, found in solution.cards.items()],
        "thresholds": [
            _threshold(goal, reached)
            for goal, reached in zip(solution.goals, solution.reached, strict=True)
        ],
        "line": [[seat, str(card)] for seat, card in solution.line],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 3),
        "stopped": solution.stopped,
    }


def _card(solution: Solution, card: Card, found: CardAnswer) -> dict[str, Any]:
    return {
        "card": str(card),
        "exact": found.low == found.high,
        "low": found.low,
        "high": found.high,
        "loss": solution.loss(card),
        "best": solution.best(card),
        "played": solution.place.done == Play(card),
        "reached": list(found.goals),
        "nodes": found.nodes,
    }


def _threshold(goal: Objective, reached: bool | None) -> dict[str, Any]:
    one = goal.threshold
    return {
        "goal": goal.goal.value,
        "seats": list(goal.seats),
        "need": None if one is None else one.need,
        "of": None if one is None else "counters" if one.counters else "points",
        "settled": goal.settled is not None,
        "reached": reached,
    }
