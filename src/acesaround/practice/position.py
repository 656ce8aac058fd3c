"""Practice positions: a decision of a simulated game, its choices, and what each is worth.

A position is stored as the cards of a deal and the actions before the decision, so that the engine
replays it. It hides nothing by itself: show people only its view.
"""

from __future__ import annotations

import enum
import hashlib
from typing import Any, Final

import msgspec

from acesaround import game, variants
from acesaround.actions import Action, Deal
from acesaround.cards import Card, parse_cards
from acesaround.errors import RecordError
from acesaround.game.state import Decision, GameState
from acesaround.game.view import View, view_for
from acesaround.record.model import action_from_json, action_to_json

MARGIN: Final = 0.005
"""How much of the game a wrong choice costs at least, in each of the two samples."""
_CARD_VERBS: Final = ("bury", "give", "discard", "meld")
_ID_LENGTH: Final = 8


class Theme(enum.StrEnum):
    """The subject of a position."""

    BIDDING = "bidding"
    TRUMP = "trump"
    PASSING = "passing"
    BURYING = "burying"
    LEADS = "leads"
    SMEARING = "smearing"
    FORCING = "forcing"
    COUNTING = "counting"
    SAVING_MELD = "saving-meld"
    ENDGAME = "endgame"
    FOLLOWING = "following"
    EXCHANGING = "exchanging"
    MELDING = "melding"


class Sample(msgspec.Struct, frozen=True):
    """The result of one search for a choice, compared with the best one.

    `chance`: the probability of winning the game. `lost`: how much of it the choice costs.
    `error`: half of the 95% interval of `lost`. `points`: the points of the own side that it costs.
    """

    chance: float
    lost: float
    error: float
    points: float

    @property
    def is_clearly_worse(self) -> bool:
        """Whether the choice costs the margin, and more than the error of the sampling."""
        return self.lost >= MARGIN and self.lost > self.error


class PracticeChoice(msgspec.Struct, frozen=True):
    """A choice of a position. `samples`: of two searches with different seeds.

    `bots`: the names of the common bots that chose it. `fault`: why a wrong choice is worse, as
    `bots.explanations.explanation_parts` returns it.
    """

    action: Action
    is_right: bool
    samples: tuple[Sample, ...]
    bots: tuple[str, ...] = ()
    fault: tuple[str | int, ...] = ()


class PracticePosition(msgspec.Struct, frozen=True):
    """A decision to practice. `actions`: those before it, the first of the auction first.

    `reason`: why the best choice is better, as `bots.explanations.explanation_parts` returns it.
    """

    id: str
    variant: str
    theme: Theme
    dealer: int
    deal: Deal
    actions: tuple[Action, ...]
    choices: tuple[PracticeChoice, ...]
    reason: tuple[str | int, ...]

    @property
    def best(self) -> PracticeChoice:
        """The right choice with the best chance in the first sample."""
        right = [choice for choice in self.choices if choice.is_right]
        return max(right, key=lambda choice: choice.samples[0].chance)

    def replay(self) -> tuple[View, Decision]:
        """Return what the seat to act sees, and its decision. Raise IllegalAction."""
        state = self.state()
        decision = game.decision(state)
        assert decision.seat is not None
        return view_for(state, decision.seat), decision

    def state(self) -> GameState:
        """Return the state before the decision, hidden cards included. Raise IllegalAction."""
        state = game.start(variants.VARIANTS[self.variant], self.dealer)
        for action in (self.deal, *self.actions):
            state, _ = game.apply(state, action)
        return state


class _StoredChoice(msgspec.Struct, frozen=True, array_like=True):
    action: str
    is_right: bool
    samples: list[list[float]]
    bots: list[str]
    fault: list[str | int] = []


class _StoredPosition(msgspec.Struct, frozen=True):
    variant: str
    theme: Theme
    dealer: int
    hands: list[str]
    choices: list[_StoredChoice]
    reason: list[str | int]
    actions: str = ""
    kitty: str = ""
    stock: str = ""
    upcard: str | None = None


_DECODER: Final = msgspec.json.Decoder(_StoredPosition)


def write_position(position: PracticePosition) -> bytes:
    """Return a position as one line of JSON, without the newline."""
    deal = position.deal
    stored = _StoredPosition(
        variant=position.variant,
        theme=position.theme,
        dealer=position.dealer,
        hands=[_join_cards(hand) for hand in deal.hands],
        actions=";".join(format_stored_action(action) for action in position.actions),
        choices=[
            _StoredChoice(
                format_stored_action(choice.action),
                choice.is_right,
                [
                    [
                        round(sample.chance, 4),
                        round(sample.lost, 4),
                        round(sample.error, 4),
                        round(sample.points, 1),
                    ]
                    for sample in choice.samples
                ],
                list(choice.bots),
                list(choice.fault),
            )
            for choice in position.choices
        ],
        reason=list(position.reason),
        kitty=_join_cards(deal.kitty),
        stock=_join_cards(deal.stock),
        upcard=None if deal.upcard is None else str(deal.upcard),
    )
    content: dict[str, Any] = msgspec.to_builtins(stored)
    return msgspec.json.encode({key: value for key, value in content.items() if value != ""})


def read_position(line: bytes) -> PracticePosition:
    """Return the position in a line of JSON. Raise RecordError."""
    try:
        stored = _DECODER.decode(line)
    except msgspec.DecodeError as error:
        raise RecordError(f"This is not a practice position: {error}.") from None
    return PracticePosition(
        id=make_id(stored.variant, "".join(stored.hands), stored.actions),
        variant=stored.variant,
        theme=stored.theme,
        dealer=stored.dealer,
        deal=Deal(
            hands=tuple([tuple(sorted(_split_cards(hand))) for hand in stored.hands]),
            kitty=_split_cards(stored.kitty),
            stock=_split_cards(stored.stock),
            upcard=None if stored.upcard is None else Card(stored.upcard),
        ),
        actions=tuple(
            [parse_stored_action(text) for text in filter(None, stored.actions.split(";"))]
        ),
        choices=tuple(
            [
                PracticeChoice(
                    parse_stored_action(choice.action),
                    choice.is_right,
                    tuple([Sample(*numbers) for numbers in choice.samples]),
                    tuple(choice.bots),
                    tuple(choice.fault),
                )
                for choice in stored.choices
            ]
        ),
        reason=tuple(stored.reason),
    )


def make_id(variant: str, cards: str, actions: str) -> str:
    """Return the identifier of a position, which depends on its cards and actions alone."""
    digest = hashlib.sha256(f"{variant}|{cards}|{actions}".encode()).hexdigest()
    return f"{variant}.{digest[:_ID_LENGTH]}"


def format_stored_action(action: Action) -> str:
    """Return an action in the short form of a stored position: `bid 250`, `AH`, `give ASTSKS`.

    Scripts of lessons and the text notation of records write the same actions at greater length.
    """
    match action_to_json(0, action)[1:]:
        case ["play", card]:
            return str(card)
        case [verb, [*cards]]:
            return f"{verb} {''.join(cards)}"
        case words:
            return " ".join(map(str, words))


def parse_stored_action(text: str) -> Action:
    """Return the action that `format_stored_action` wrote. Raise NotationError."""
    verb, _, rest = text.partition(" ")
    entry: list[Any]
    if verb in _CARD_VERBS:
        entry = [0, verb, [str(card) for card in _split_cards(rest)]]
    elif verb == "bid":
        entry = [0, verb, int(rest)]
    elif verb in ("pass", "concede"):
        entry = [0, verb]
    elif verb == "trump":
        entry = [0, verb, rest]
    else:
        entry = [0, "play", verb]
    return action_from_json(entry)[1]


def _join_cards(cards: tuple[Card, ...]) -> str:
    return "".join(map(str, cards))


def _split_cards(text: str) -> tuple[Card, ...]:
    return parse_cards([text[at : at + 2] for at in range(0, len(text), 2)])
