"""The JSON record, format 2: its shapes, and the conversion of actions. This module checks no rule.

Unknown keys are ignored when read. Records are written in the order of the fields.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from acesaround.actions import (
    CONCEDE,
    PASS,
    Action,
    Bid,
    Bury,
    Concede,
    Discard,
    Give,
    LayMeld,
    NameTrump,
    Pass,
    Play,
)
from acesaround.cards import Card, Suit
from acesaround.errors import NotationError, RecordError

FORMAT: Final = "acesaround/2"
"""The format that is written: a game with its complete rules."""


class SeatRecord(msgspec.Struct):
    """The player of a seat."""

    name: str


class MeldItem(msgspec.Struct):
    """One meld: name, cards, points."""

    name: str
    cards: list[str]
    points: int


class MeldEntry(msgspec.Struct):
    """The melds of a seat, in one entry.

    If melds are laid in turn, each lay-down has its own entry.
    """

    seat: int
    points: int
    melds: list[MeldItem]


class TrickEntry(msgspec.Struct):
    """A completed trick; `points` without the bonus for the last."""

    leader: int
    winner: int
    points: int


class ScoreEntry(msgspec.Struct):
    """The result of a deal. Each list has one number a side."""

    outcome: str
    bid: int | None
    declarer: int | None
    trump: str | None
    meld: list[int]
    play: list[int]
    change: list[int]


class DealRecord(msgspec.Struct, omit_defaults=False):
    """One deal. `score` is absent while the deal is in progress."""

    players: list[int]
    dealer: int
    hands: list[list[str]]
    kitty: list[str] = []
    stock: list[str] = []
    upcard: str | None = None
    actions: list[list[Any]] = []
    melds: list[MeldEntry] = []
    tricks: list[TrickEntry] = []
    score: ScoreEntry | msgspec.UnsetType = msgspec.UNSET


class GameRecord(msgspec.Struct):
    """One game. `rules`: the rules it was played by; `variant` and `options` are labels for people.

    In the first format `rules` is not used: variant and options name presets of that time.
    """

    format: str
    variant: str
    options: dict[str, Any]
    rules: dict[str, Any]
    seats: list[SeatRecord]
    sides: list[list[int]]
    deals: list[DealRecord]
    totals: list[int]
    winner: int | None = None


_CARD_ACTION_TYPES: Final[dict[str, type[Bury | Give | Discard | LayMeld]]] = {
    "bury": Bury,
    "give": Give,
    "discard": Discard,
    "meld": LayMeld,
}
_VERB_OF_TYPE: Final[dict[type, str]] = {made: verb for verb, made in _CARD_ACTION_TYPES.items()}


def action_to_json(seat: int, action: Action) -> list[Any]:
    """Return a seat's action in the form of a record: `[1, "bid", 250]`."""
    match action:
        case Bid(points):
            return [seat, "bid", points]
        case Pass():
            return [seat, "pass"]
        case NameTrump(suit):
            return [seat, "trump", suit.letter]
        case Play(card):
            return [seat, "play", str(card)]
        case Concede():
            return [seat, "concede"]
        case Bury(cards) | Give(cards) | Discard(cards) | LayMeld(cards):
            return [seat, _VERB_OF_TYPE[type(action)], [str(card) for card in cards]]
        case _:
            raise RecordError("A record lists the hands of a deal, not the deal as an action.")


def action_from_json(entry: list[Any]) -> tuple[int, Action]:
    """Return the seat and the action of a list of `action_to_json`. Raise NotationError."""
    match [] if entry and isinstance(entry[0], bool) else entry:
        case [int(seat), "pass"]:
            return seat, PASS
        case [int(seat), "concede"]:
            return seat, CONCEDE
        case [int(seat), "bid", int(points)] if not isinstance(points, bool):
            return seat, Bid(points)
        case [int(seat), "trump", str(suit)] if suit in ("S", "H", "D", "C"):
            return seat, NameTrump(Suit(suit))
        case [int(seat), "play", str(card)]:
            return seat, Play(Card(card))
        case [int(seat), str(verb), [*cards]] if verb in _CARD_ACTION_TYPES and all(
            isinstance(card, str) for card in cards
        ):
            return seat, _CARD_ACTION_TYPES[verb](tuple(Card(card) for card in cards))
    entry_text = msgspec.json.encode(entry).decode()
    raise NotationError(
        f'{entry_text} is not an action: expected one such as [1, "bid", 250], [2, "pass"], '
        '[0, "play", "AH"].'
    )


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(GameRecord)


def encode(record: GameRecord) -> bytes:
    """Return a record as one line of JSON, without the newline."""
    return _ENCODER.encode(record)


def decode(line: bytes | str) -> GameRecord:
    """Read a record from JSON. Raise RecordError, naming the part that is wrong."""
    try:
        record = _DECODER.decode(line)
    except msgspec.ValidationError as error:
        raise RecordError(f"This is not a game record: {error}.") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise RecordError(f"This is not JSON: {error}.") from None
    except RecursionError:
        raise RecordError("This is not a game record: it is nested too deeply.") from None
    if record.format != FORMAT:
        raise RecordError(f"Its format is {record.format!r}: only {FORMAT!r} can be read.")
    return record
