"""The text notation: a record that a person can read and type. See docs/notation.md.

Only decisions are needed: options, seats, hands and actions. Derived lines (melds, tricks won,
scores) begin with `=`; a reader accepts their absence but rejects wrong ones. A game written by
this program has its complete rules on one line; a typed one may rely on the presets.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import islice
from typing import Any

import msgspec

from acesaround import variants
from acesaround.cards import SUITS, Card, Suit, parse_cards
from acesaround.errors import NotationError, RecordError, RulesError
from acesaround.record.model import (
    FORMAT,
    DealRecord,
    GameRecord,
    MeldEntry,
    ScoreEntry,
    SeatRecord,
    action_from_json,
    action_to_json,
)
from acesaround.record.replay import rebuild
from acesaround.rules import Rules

_HEADER_PREFIX = FORMAT.split("/")[0] + "/"  # of any version
_CARD_VERBS = ("bury", "give", "discard", "meld")


def to_text(record: GameRecord) -> str:
    """Return a record as text, ending with a newline."""
    return "".join(line + "\n" for line in _record_lines(record))


def _record_lines(record: GameRecord) -> Iterator[str]:
    yield f"{FORMAT} {record.variant}"
    for name, value in record.options.items():
        yield f"option {name} {_option_text(value)}"
    yield f"rules {json.dumps(record.rules, separators=(',', ':'))}"
    for number, seat in enumerate(record.seats):
        yield f"seat {number} {quote_name(seat.name)}"
    for number, deal in enumerate(record.deals, 1):
        yield ""
        yield from _deal_lines(number, deal, len(record.seats))
    yield ""
    yield f"= totals {_numbers(record.totals)}"
    if record.winner is not None:
        yield f"= winner {record.winner}"


def _deal_lines(number: int, deal: DealRecord, seats: int) -> Iterator[str]:
    absent = len(deal.players) < seats
    players = f" players {_numbers(deal.players)}" if absent else ""
    yield f"deal {number} dealer {deal.dealer}{players}"
    for seat in deal.players:
        yield f"hand {seat} {format_hand(parse_cards(deal.hands[seat]))}"
    if deal.kitty:
        yield f"kitty {' '.join(deal.kitty)}"
    if deal.upcard is not None:
        yield f"upcard {deal.upcard}"
    if deal.stock:
        yield f"stock {' '.join(deal.stock)}"
    yield from _play_lines(deal)
    if not isinstance(deal.score, msgspec.UnsetType):
        yield _score_line(deal.score)


def _play_lines(deal: DealRecord) -> Iterator[str]:
    """Yield the lines of a deal's play: bids on one line, each trick on one line.

    Meld lines appear after the action with which the melds were laid.
    """
    pending: list[str] = []
    trick: list[str] = []
    leader, tricks, meld_entries = 0, iter(deal.tricks), iter(deal.melds)
    are_melds_shown = False
    for seat, verb, *arguments in deal.actions:
        if verb != "play":
            if pending and not _shares_line(pending[-1], verb):
                yield ", ".join(pending)
                pending = []
            pending.append(" ".join([str(seat), verb, *_flatten_words(arguments)]))
            if verb == "meld":
                yield ", ".join(pending)
                pending = []
                yield _meld_line(next(meld_entries))
            continue
        if pending:
            yield ", ".join(pending)
            pending = []
        if not are_melds_shown and deal.melds:  # melds that were not laid between tricks
            laid_count = sum(action[1] == "meld" for action in deal.actions)
            yield from map(_meld_line, islice(meld_entries, max(0, len(deal.melds) - laid_count)))
            are_melds_shown = True
        if not trick:
            leader = seat
        trick.append(arguments[0])
        if len(trick) == len(deal.players):
            yield f"trick {leader} {' '.join(trick)}"
            trick = []
            finished_trick = next(tricks, None)
            if finished_trick is not None:
                yield f"= won {finished_trick.winner} {finished_trick.points}"
    if pending:
        yield ", ".join(pending)
    if trick:
        yield f"trick {leader} {' '.join(trick)}"
    if not are_melds_shown:
        yield from (_meld_line(entry) for entry in meld_entries if entry.melds)


def _shares_line(line: str, verb: str) -> bool:
    return line.split()[1] in ("bid", "pass") and verb in ("bid", "pass")


def _flatten_words(arguments: list[Any]) -> list[str]:
    return [
        str(word) for part in arguments for word in (part if isinstance(part, list) else [part])
    ]


def _meld_line(entry: MeldEntry) -> str:
    items = ", ".join(f"{m.name} {' '.join(m.cards)} {m.points}" for m in entry.melds)
    return f"= meld {entry.seat} {entry.points}: {items or 'nothing'}"


def _score_line(score: ScoreEntry) -> str:
    bid = "" if score.bid is None else f" {score.bid} by {score.declarer}"
    trump = "" if score.trump is None else f" in {score.trump}"
    return (
        f"= score {score.outcome}{bid}{trump}: meld {_numbers(score.meld)}, "
        f"play {_numbers(score.play)}, change {_numbers(score.change)}"
    )


def format_hand(cards: Iterable[Card]) -> str:
    """Return a hand by suits: `S:AKQ H:ATTJ D:- C:9`."""
    ordered = sorted(cards)
    return " ".join(
        f"{suit.letter}:" + ("".join(c.rank.letter for c in ordered if c.suit is suit) or "-")
        for suit in SUITS
    )


def parse_hand(words: list[str]) -> list[Card]:
    """Read a hand by suits (`S:AKQ H:-`), or card by card. Raise NotationError."""
    cards: list[Card] = []
    for word in words:
        suit, colon, ranks = word.partition(":")
        if colon:
            for rank in ranks.upper().replace("10", "T").replace("-", ""):
                cards.append(Card(rank + Suit(suit).letter))
        else:
            cards.append(Card(word))
    return cards


def _option_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def quote_name(name: str) -> str:
    """Return a seat's name for a line: as it is, or as a JSON string if it would not read back."""
    is_plain = name and name == name.strip() and name.isprintable() and not name.startswith('"')
    return name if is_plain else json.dumps(name)


def truncate(line: str) -> str:
    """Return as much of a line as fits into an error message."""
    return line if len(line) <= 60 else line[:57] + "..."


def _numbers(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


class _Reader:
    """Reads one game line by line into a record that holds only the decisions."""

    def __init__(self) -> None:
        self.variant = ""
        self.options: dict[str, str] = {}
        self.rules: Rules | None = None
        self.seats: list[SeatRecord] = []
        self.deals: list[DealRecord] = []
        self.derived_lines: list[tuple[int, str]] = []

    def read_line(self, text: str) -> None:
        words = text.split()
        match words:
            case [header, *rest] if header.startswith(_HEADER_PREFIX):
                self._read_heading(header, rest)
            case _ if not self.variant:
                raise NotationError(
                    f"{truncate(text)!r} is no game: it must begin with `{FORMAT} VARIANT`."
                )
            case ["option" | "seat" | "rules" as keyword, *_] if self.deals:
                raise NotationError(f"{keyword} lines come before the first `deal` line.")
            case ["option", name, value]:
                if name in self.options:
                    raise NotationError(f"option {name} is given twice.")
                self.options[name] = value
            case ["rules", _, *_]:
                self._read_rules(text.split(maxsplit=1)[1])
            case ["seat", number, *_] if len(words) > 2:
                if int(number) != len(self.seats):
                    raise NotationError(f"seat {number} comes where {len(self.seats)} is expected.")
                name = text.split(maxsplit=2)[2].strip()
                self.seats.append(SeatRecord(json.loads(name) if name[0] == '"' else name))
            case ["deal", number, "dealer", dealer, *rest] if rest[:1] in ([], ["players"]):
                if int(number) != len(self.deals) + 1:
                    raise NotationError(
                        f"deal {number} comes where deal {len(self.deals) + 1} is expected."
                    )
                self.add_default_seats()
                players = [int(p) for p in rest[1:]] or list(range(len(self.seats)))
                hands: list[list[str]] = [[] for _ in self.seats]
                self.deals.append(DealRecord(players, int(dealer), hands))
            case ["hand", seat, *cards]:
                if not 0 <= int(seat) < len(self.seats):
                    raise NotationError(f"there is no seat {seat}.")
                hands = self._current_deal().hands
                hands[int(seat)] = self._set_once(
                    f"hand {seat}", hands[int(seat)], parse_hand(cards)
                )
            case ["kitty" | "stock" as pile, *cards]:
                current = getattr(self._current_deal(), pile)
                setattr(
                    self._current_deal(), pile, self._set_once(pile, current, parse_cards(cards))
                )
            case ["upcard", card]:
                current = self._current_deal().upcard
                self._current_deal().upcard = self._set_once("upcard", current, [Card(card)])[0]
            case ["trick", leader, *cards]:
                self._read_trick(int(leader), parse_cards(cards))
            case _:
                for part in text.split(","):
                    self._read_action_line(part.split())

    def add_default_seats(self) -> None:
        """Use the usual number of seats if none was named."""
        if not self.seats:
            rules = variants.get(self.variant) if self.rules is None else self.rules
            self.seats = [SeatRecord(f"Seat {n}") for n in range(rules.seats)]

    def build_record(self) -> GameRecord:
        """Return the record that was read.

        Raise RulesError if neither a `rules` line nor a preset gives the rules.
        """
        self.add_default_seats()
        rules = self.rules
        if rules is None:  # typed by a person: today's presets
            rules = variants.get(self.variant, len(self.seats), self.options)
        if self.rules is not None and self.rules.with_changes(self.options) != self.rules:
            raise RulesError("An `option` line does not agree with the `rules` line.")
        return GameRecord(
            format=FORMAT,
            variant=self.variant,
            options=dict(self.options),
            rules=msgspec.to_builtins(rules),
            seats=self.seats,
            sides=[],
            deals=self.deals,
            totals=[],
        )

    def _read_heading(self, header: str, rest: list[str]) -> None:
        if header != FORMAT:
            raise NotationError(f"the format is {truncate(header)!r}: only {FORMAT!r} can be read.")
        if self.variant:
            raise NotationError("a second game begins: only one can be read at a time.")
        if len(rest) != 1:
            raise NotationError(f"a game begins with `{FORMAT} VARIANT`.")
        self.variant = rest[0]

    def _read_rules(self, text: str) -> None:
        if self.rules:
            raise NotationError("the rules are given twice.")
        try:
            self.rules = msgspec.json.decode(text, type=Rules)
        except (msgspec.DecodeError, RecursionError) as error:
            raise NotationError(f"these are not valid: {error}.") from None

    def _set_once(self, label: str, current: object, cards: Iterable[Card]) -> list[str]:
        if current:
            raise NotationError(f"{label} is given twice.")
        return [str(card) for card in cards]

    def _current_deal(self) -> DealRecord:
        if not self.deals:
            raise NotationError("it belongs before the first `deal` line.")
        return self.deals[-1]

    def _read_trick(self, leader: int, cards: tuple[Card, ...]) -> None:
        deal = self._current_deal()
        if leader not in deal.players:
            raise NotationError(f"seat {leader} does not play in this deal.")
        if not 0 < len(cards) <= len(deal.players):
            raise NotationError(f"a trick has 1 to {len(deal.players)} cards, not {len(cards)}.")
        start = deal.players.index(leader)
        order = deal.players[start:] + deal.players[:start]
        for seat, card in zip(order, cards, strict=False):
            deal.actions.append([seat, "play", str(card)])

    def _read_action_line(self, words: list[str]) -> None:
        match words:
            case [seat, "pass" | "concede" as verb]:
                entry: list[Any] = [int(seat), verb]
            case [seat, "bid", points]:
                entry = [int(seat), "bid", int(points)]
            case [seat, "trump", suit]:
                entry = [int(seat), "trump", Suit(suit).letter]
            case [seat, "play", card]:
                entry = [int(seat), "play", str(Card(card))]
            case [seat, verb, *cards] if verb in _CARD_VERBS:
                entry = [int(seat), verb, [str(c) for c in parse_cards(cards)]]
            case _:
                raise NotationError(
                    f"{truncate(' '.join(words))!r} is no line of this notation: see "
                    "docs/notation.md."
                )
        self._current_deal().actions.append(action_to_json(*action_from_json(entry)))


def from_text(text: str, first_line: int = 1) -> GameRecord:
    """Read one game from text and derive the rest. Raise RecordError, naming the line.

    Lines that begin with `#` are comments. An illegal action is named by deal and action.
    `first_line`: the number of the text's first line in its file.
    """
    reader = _Reader()
    for number, source_line in enumerate(text.split("\n"), first_line):
        line = source_line.strip()
        if not line or line.startswith("#"):
            continue
        if not line.isascii() and any("\ud800" <= character <= "\udfff" for character in line):
            raise RecordError(f"line {number}: it is not text in UTF-8.")
        if line.startswith("="):
            reader.derived_lines.append((number, " ".join(line.split())))
            continue
        try:
            reader.read_line(line)
        except NotationError as error:
            raise RecordError(f"line {number}: {error}") from None
        except ValueError:
            raise RecordError(f"line {number}: {truncate(line)!r} cannot be read.") from None
    if not reader.variant:
        raise RecordError(f"This is not a game in text: it must begin with `{FORMAT} VARIANT`.")
    record = rebuild(reader.build_record())
    _check_derived_lines(reader.derived_lines, record)
    return record


def _check_derived_lines(derived_lines: list[tuple[int, str]], record: GameRecord) -> None:
    """Raise RecordError unless the `=` lines agree with the game.

    They must appear, in that order, among the `=` lines of the game itself.
    """
    expected_lines = [line for line in _record_lines(record) if line.startswith("=")]
    position = 0
    for number, derived_line in derived_lines:
        kind = derived_line.split()[1:2]
        try:
            position = expected_lines.index(derived_line, position) + 1
        except ValueError:
            candidate = next(
                (line for line in expected_lines[position:] if line.split()[1:2] == kind), None
            )
            expected = (
                f"expected `{candidate}`" if candidate else "nothing of the kind follows here"
            )
            excerpt = truncate(derived_line)
            raise RecordError(f"line {number}: `{excerpt}` does not follow: {expected}.") from None


def split_games(lines: Iterable[str], max_characters: int) -> Iterator[tuple[int, str]]:
    """Yield each game of a text file and the number of its first line.

    A game begins at its heading line. Comments and blank lines before a heading belong to the game
    before it, or to the first. Raise RecordError if a game has more than `max_characters`
    characters.
    """
    game, size = StringIO(), 0
    has_begun, first = False, 1
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(_HEADER_PREFIX):
            if has_begun:
                yield first, game.getvalue()
                game, size, first = StringIO(), 0, number
            has_begun = True
        size += game.write(line)
        if size > max_characters:
            raise RecordError(f"It is too long for a game: over {max_characters >> 20} MiB.")
    if size:
        yield first, game.getvalue()
