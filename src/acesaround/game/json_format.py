"""States and views as JSON, and back.

The JSON has the fields of `GameState` and `View`, with the names that they have there. A card or a
suit is written as in records, such as "TH" and "H", and a hand is a list of cards. A phase has its
name in the field "type". Values are checked one by one; whether they fit together is not checked.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import asdict

from acesaround.cards import FIELD_BITS, Card, Suit, pack
from acesaround.errors import PositionError
from acesaround.game.state import GameState
from acesaround.game.view import View

T = TypeVar("T")
_MAX_HAND: Final = 2**FIELD_BITS - 1  # the most cards of a kind that a packed hand can hold


def state_to_json(state: GameState) -> bytes:
    """Return a state as JSON, with all hidden cards."""
    hands = [state.hand(seat) for seat in range(len(state.hands))]
    return msgspec.json.encode({**asdict(state), "hands": hands}, enc_hook=str)


def state_from_json(text: bytes | str) -> GameState:
    """Return the state that `state_to_json` wrote. Raises PositionError with the wrong field."""
    fields = _parse(text, "state")
    hands = _convert(fields.get("hands"), tuple[tuple[Card, ...], ...], "state.hands")
    deal = fields.get("deal")
    for phase in (fields.get("phase"), deal.get("interrupted_phase") if type(deal) is dict else 0):
        if type(phase) is dict and type(best := phase.get("best")) is str:
            phase["best"] = int(_convert(best, Card, "state.phase.best"))  # a card, or -1
    for seat, hand in enumerate(hands):
        if len(hand) > _MAX_HAND:
            raise PositionError(f"state.hands[{seat}]: {len(hand)} cards, more than {_MAX_HAND}.")
    fields["hands"] = [pack(hand) for hand in hands]
    return _convert(fields, GameState, "state")


def view_to_json(view: View) -> bytes:
    """Return a view as JSON."""
    return msgspec.json.encode(view, enc_hook=str)


def view_from_json(text: bytes | str) -> View:
    """Return the view that `view_to_json` wrote. Raises PositionError with the wrong field.

    The view in a message to a program that plays as a bot has the same form.
    """
    return _convert(_parse(text, "view"), View, "view")


def _parse(text: bytes | str, name: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError) as error:
        raise PositionError(f"This is not the JSON of a {name}: {error}.") from error
    except RecursionError:
        raise PositionError(f"This is not the JSON of a {name}: it is nested too deeply.") from None


def _convert(value: object, target: type[T], path: str) -> T:
    """Return a value of a type. Raises PositionError with the path of the wrong field."""
    try:
        return msgspec.convert(value, target, dec_hook=_card_or_suit)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$")
        raise PositionError(f"{path}{where.removesuffix('`')}: {reason}.") from error


def _card_or_suit(target: type, value: object) -> Card | Suit:
    if target in (Card, Suit) and isinstance(value, str):
        return target(value)
    raise TypeError(f"Expected a card or a suit, got {type(value).__name__}")
