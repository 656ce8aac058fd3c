"""Practice positions and their solutions as text for a terminal, and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, Final

from acesaround import game
from acesaround.cards import pretty_cards
from acesaround.game import events as ev
from acesaround.game.narration import Names, narrate, suggestion_text
from acesaround.game.state import DecisionKind
from acesaround.game.view import View
from acesaround.practice.position import PracticeChoice, PracticePosition, Theme
from acesaround.record.model import action_to_json
from acesaround.variants import VARIANTS, short_name

THEME_TITLES: Final = {
    Theme.BIDDING: "what to bid",
    Theme.TRUMP: "which trump",
    Theme.PASSING: "what to pass",
    Theme.BURYING: "what to bury",
    Theme.LEADS: "leads",
    Theme.SMEARING: "smearing",
    Theme.FORCING: "forcing",
    Theme.COUNTING: "counting",
    Theme.SAVING_MELD: "saving meld",
    Theme.ENDGAME: "the endgame",
    Theme.FOLLOWING: "following",
    Theme.EXCHANGING: "exchanging cards",
    Theme.MELDING: "laying meld",
}
_QUESTIONS: Final = {
    DecisionKind.BID: "What do you bid?",
    DecisionKind.TRUMP: "Which suit do you make trump?",
    DecisionKind.GIVE: "Which cards do you pass?",
    DecisionKind.BURY: "Which cards do you bury?",
    DecisionKind.DISCARD: "Which cards do you exchange?",
}
_WIDTH: Final = 80
_PLAY_EVENTS: Final = (ev.Played, ev.TrickWon)


def position_text(position: PracticePosition) -> str:
    """Return what the seat has seen, its hand, and its choices with numbers from 1."""
    view, decision = position.replay()
    assert view.seat is not None
    who = Names(view.rules, view.seat)
    told = " ".join(narrate(_events_before_play(position, view.seat), who))
    trick = f"Trick {len(view.tricks) + 1}. " if decision.kind is DecisionKind.PLAY else ""
    question = _QUESTIONS.get(
        decision.kind, "What do you play?" if view.trick else "What do you lead?"
    )
    lines = [
        *textwrap.wrap(f"{short_name(view.rules)}. {told}", _WIDTH),
        *_trick_lines(view, who),
        f"Your hand: {pretty_cards(view.hand)}",
        f"{trick}{question}",
        *[
            f"{number:>3}. {choice_text(choice, view)}"
            for number, choice in enumerate(position.choices, 1)
        ],
    ]
    return "\n".join(lines)


def choice_text(choice: PracticeChoice, view: View) -> str:
    """Return a choice as an instruction, such as "Lead the A♠"."""
    return suggestion_text(choice.action, is_lead=not view.trick)


def solution_text(position: PracticePosition, chosen: PracticeChoice) -> str:
    """Return whether a choice is right, what each choice costs, and why the best one is better."""
    view, _ = position.replay()
    best = position.best
    if chosen.is_right:
        verdict = "Right." if chosen is best else "Right: it is about as good as the best choice."
    else:
        verdict = f"Wrong: it lowers your chance to win by {_cost(chosen)}."
    ordered = sorted(position.choices, key=lambda choice: choice.samples[0].lost)
    lines = [
        verdict,
        *([] if chosen.is_right else textwrap.wrap(_sentence(chosen.fault, view), _WIDTH)),
        *textwrap.wrap(f"{choice_text(best, view)}. {_reason(position, view)}", _WIDTH),
        *[
            f"{'' if choice is best else _cost(choice):>17}  {choice_text(choice, view)}"
            for choice in ordered
        ],
        f"Theme: {THEME_TITLES[position.theme]}.",
    ]
    return "\n".join(lines)


def counts_text(counts: dict[Theme, list[int]]) -> str:
    """Return the numbers of right and wrong answers by theme, and of all."""
    rows = [(THEME_TITLES[theme], right, wrong) for theme, (right, wrong) in counts.items()]
    rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    lines = [f"{'':<18}{'right':>6}{'wrong':>7}"]
    return "\n".join([*lines, *[f"{name:<18}{right:>6}{wrong:>7}" for name, right, wrong in rows]])


def as_json(position: PracticePosition) -> dict[str, Any]:
    """Return a position and its solution as an object for JSON. Actions are as in a record."""
    view, _ = position.replay()
    assert view.seat is not None
    return {
        "id": position.id,
        "variant": position.variant,
        "theme": position.theme,
        "seat": view.seat,
        "hand": [str(card) for card in view.hand],
        "trick": [str(card) for card in view.trick],
        "choices": [
            {
                "action": action_to_json(view.seat, choice.action)[1:],
                "is_right": choice.is_right,
                "bots": choice.bots,
                "samples": choice.samples,
                "fault": _sentence(choice.fault, view),
            }
            for choice in position.choices
        ],
        "reason": _reason(position, view),
    }


def _reason(position: PracticePosition, view: View) -> str:
    return _sentence(position.reason, view)


def _sentence(reason: Sequence[str | int], view: View) -> str:
    """Return a stored reason as a sentence with the names of seats."""
    assert view.seat is not None
    who = Names(view.rules, view.seat)
    parts = [who.object_name(part) if isinstance(part, int) else part for part in reason]
    sentence = "".join(parts)
    return sentence[:1].upper() + sentence[1:]


def _cost(choice: PracticeChoice) -> str:
    sample = choice.samples[0]
    return f"{100 * max(0.0, sample.lost):.1f}% ± {100 * sample.error:.1f}%"


def _events_before_play(position: PracticePosition, seat: int) -> Iterator[ev.Event]:
    state = game.start(VARIANTS[position.variant], position.dealer)
    for action in (position.deal, *position.actions):
        state, events = game.apply(state, action)
        yield from [event.seen_by(seat) for event in events if not isinstance(event, _PLAY_EVENTS)]


def _trick_lines(view: View, who: Names) -> Iterator[str]:
    for number, trick in enumerate(view.tricks, 1):
        cards = _cards_of_trick(view, who, trick.leader, trick.cards)
        winner = who.clause(trick.winner, "win", str(trick.points))
        yield from textwrap.wrap(
            f"Trick {number}: {cards}. {winner}.", _WIDTH, subsequent_indent="  "
        )
    if view.trick and view.leader is not None:
        cards = _cards_of_trick(view, who, view.leader, view.trick)
        yield f"On the table: {cards}"


def _cards_of_trick(view: View, who: Names, leader: int, cards: Sequence[Any]) -> str:
    start = view.players.index(leader)
    seats = view.players[start:] + view.players[:start]
    return ", ".join(
        f"{who.names[seat]} {card.pretty}" for seat, card in zip(seats, cards, strict=False)
    )
