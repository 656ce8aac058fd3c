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
    from_json,
    to_json,
)
from acesaround.record.replay import rebuild
from acesaround.rules import Rules

_HEADING = FORMAT.split("/")[0] + "/"  # of any version
_WITH_CARDS = ("bury", "give", "discard", "meld")


def to_text(record: GameRecord) -> str:
    """Return a record as text, ending with a newline."""
    return "".join(line + "\n" for line in _lines(record))


def _lines(record: GameRecord) -> Iterator[str]:
    yield f"{FORMAT} {record.variant}"
    for name, value in record.options.items():
        yield f"option {name} {_word(value)}"
    yield f"rules {json.dumps(record.rules, separators=(',', ':'))}"
    for number, seat in enumerate(record.seats):
        yield f"seat {number} {quoted(seat.name)}"
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

    Meld lines appear where the melds were laid.
    """
    before: list[str] = []
    trick: list[str] = []
    leader, tricks, laid = 0, iter(deal.tricks), iter(deal.melds)
    shown = False
    for seat, verb, *rest in deal.actions:
        if verb != "play":
            if before and not _goes_with(before[-1], verb):
                yield ", ".join(before)
                before = []
            before.append(" ".join([str(seat), verb, *_words(rest)]))
            if verb == "meld":
                yield ", ".join(before)
                before = []
                yield _meld_line(next(laid))
            continue
        if before:
            yield ", ".join(before)
            before = []
        if not shown and deal.melds:  # melds that were not laid between tricks
            lays = sum(action[1] == "meld" for action in deal.actions)
            yield from map(_meld_line, islice(laid, max(0, len(deal.melds) - lays)))
            shown = True
        if not trick:
            leader = seat
        trick.append(rest[0])
        if len(trick) == len(deal.players):
            yield f"trick {leader} {' '.join(trick)}"
            trick = []
            done = next(tricks, None)
            if done is not None:
                yield f"= won {done.winner} {done.points}"
    if before:
        yield ", ".join(before)
    if trick:
        yield f"trick {leader} {' '.join(trick)}"
    if not shown:
        yield from (_meld_line(entry) for entry in laid if entry.melds)


def _goes_with(line: str, verb: str) -> bool:
    return line.split()[1] in ("bid", "pass") and verb in ("bid", "pass")


def _words(rest: list[Any]) -> list[str]:
    return [str(word) for part in rest for word in (part if isinstance(part, list) else [part])]


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
    held = sorted(cards)
    return " ".join(
        f"{suit.name}:" + ("".join(c.rank.letter for c in held if c.suit is suit) or "-")
        for suit in SUITS
    )


def parse_hand(words: list[str]) -> list[Card]:
    """Read a hand by suits (`S:AKQ H:-`), or card by card. Raise NotationError."""
    cards: list[Card] = []
    for word in words:
        suit, colon, ranks = word.partition(":")
        if colon:
            for rank in ranks.upper().replace("10", "T").replace("-", ""):
                cards.append(Card(rank + Suit(suit).name))
        else:
            cards.append(Card(word))
    return cards


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def quoted(name: str) -> str:
    """Return a seat's name for a line: as it is, or as a JSON string if it would not read back."""
    plain = name and name == name.strip() and name.isprintable() and not name.startswith('"')
    return name if plain else json.dumps(name)


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
        self.claims: list[tuple[int, str]] = []

    def line(self, text: str) -> None:
        words = text.split()
        match words:
            case [header, *rest] if header.startswith(_HEADING):
                self._heading(header, rest)
            case _ if not self.variant:
                raise NotationError(
                    f"{truncate(text)!r} is no game: it must begin with `{FORMAT} VARIANT`."
                )
            case ["option" | "seat" | "rules" as what, *_] if self.deals:
                raise NotationError(f"{what} lines stand before the first `deal` line.")
            case ["option", name, value]:
                if name in self.options:
                    raise NotationError(f"option {name} is given twice.")
                self.options[name] = value
            case ["rules", _, *_]:
                self._rules(text.split(maxsplit=1)[1])
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
                self.seat()
                players = [int(p) for p in rest[1:]] or list(range(len(self.seats)))
                hands: list[list[str]] = [[] for _ in self.seats]
                self.deals.append(DealRecord(players, int(dealer), hands))
            case ["hand", seat, *cards]:
                if not 0 <= int(seat) < len(self.seats):
                    raise NotationError(f"there is no seat {seat}.")
                hands = self._deal().hands
                hands[int(seat)] = self._once(f"hand {seat}", hands[int(seat)], parse_hand(cards))
            case ["kitty" | "stock" as pile, *cards]:
                before = getattr(self._deal(), pile)
                setattr(self._deal(), pile, self._once(pile, before, parse_cards(cards)))
            case ["upcard", card]:
                before = self._deal().upcard
                self._deal().upcard = self._once("upcard", before, [Card(card)])[0]
            case ["trick", leader, *cards]:
                self._trick(int(leader), parse_cards(cards))
            case _:
                for part in text.split(","):
                    self._action(part.split())

    def seat(self) -> None:
        """Use the usual number of seats if none was named."""
        if not self.seats:
            usual = variants.get(self.variant) if self.rules is None else self.rules
            self.seats = [SeatRecord(f"Seat {n}") for n in range(usual.seats)]

    def record(self) -> GameRecord:
        """Return the record that was read.

        Raise RulesError if neither a `rules` line nor a preset gives the rules.
        """
        self.seat()
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

    def _heading(self, header: str, rest: list[str]) -> None:
        if header != FORMAT:
            raise NotationError(f"the format is {truncate(header)!r}: only {FORMAT!r} can be read.")
        if self.variant:
            raise NotationError("a second game begins: only one can be read at a time.")
        if len(rest) != 1:
            raise NotationError(f"a game begins with `{FORMAT} VARIANT`.")
        self.variant = rest[0]

    def _rules(self, written: str) -> None:
        if self.rules:
            raise NotationError("the rules are given twice.")
        try:
            self.rules = msgspec.json.decode(written, type=Rules)
        except (msgspec.DecodeError, RecursionError) as error:
            raise NotationError(f"these are no rules: {error}.") from None

    def _once(self, what: str, before: object, cards: Iterable[Card]) -> list[str]:
        if before:
            raise NotationError(f"{what} is given twice.")
        return [str(card) for card in cards]

    def _deal(self) -> DealRecord:
        if not self.deals:
            raise NotationError("it stands before the first `deal` line.")
        return self.deals[-1]

    def _trick(self, leader: int, cards: tuple[Card, ...]) -> None:
        deal = self._deal()
        if leader not in deal.players:
            raise NotationError(f"seat {leader} does not play in this deal.")
        if not 0 < len(cards) <= len(deal.players):
            raise NotationError(f"a trick has 1 to {len(deal.players)} cards, not {len(cards)}.")
        at = deal.players.index(leader)
        order = deal.players[at:] + deal.players[:at]
        for seat, card in zip(order, cards, strict=False):
            deal.actions.append([seat, "play", str(card)])

    def _action(self, words: list[str]) -> None:
        match words:
            case [seat, "pass" | "concede" as verb]:
                entry: list[Any] = [int(seat), verb]
            case [seat, "bid", points]:
                entry = [int(seat), "bid", int(points)]
            case [seat, "trump", suit]:
                entry = [int(seat), "trump", Suit(suit).name]
            case [seat, "play", card]:
                entry = [int(seat), "play", str(Card(card))]
            case [seat, verb, *cards] if verb in _WITH_CARDS:
                entry = [int(seat), verb, [str(c) for c in parse_cards(cards)]]
            case _:
                raise NotationError(
                    f"{truncate(' '.join(words))!r} is nothing known here: see docs/notation.md."
                )
        self._deal().actions.append(to_json(*from_json(entry)))


def from_text(text: str, first_line: int = 1) -> GameRecord:
    """Read one game from text and derive the rest. Raise RecordError, naming the line.

    Lines that begin with `#` are comments. An illegal action is named by deal and action.
    `first_line`: the number of the text's first line in its file.
    """
    reader = _Reader()
    for number, raw in enumerate(text.split("\n"), first_line):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if not line.isascii() and any("\ud800" <= sign <= "\udfff" for sign in line):
            raise RecordError(f"line {number}: it is not text in UTF-8.")
        if line.startswith("="):
            reader.claims.append((number, " ".join(line.split())))
            continue
        try:
            reader.line(line)
        except NotationError as error:
            raise RecordError(f"line {number}: {error}") from None
        except ValueError:
            raise RecordError(f"line {number}: {truncate(line)!r} cannot be read.") from None
    if not reader.variant:
        raise RecordError(f"This is no game in text: it must begin with `{FORMAT} VARIANT`.")
    record = rebuild(reader.record())
    _check_claims(reader.claims, record)
    return record


def _check_claims(claims: list[tuple[int, str]], record: GameRecord) -> None:
    """Raise RecordError unless the `=` lines agree with the game.

    They must appear, in that order, among the `=` lines of the game itself.
    """
    true = [line for line in _lines(record) if line.startswith("=")]
    at = 0
    for number, claim in claims:
        kind = claim.split()[1:2]
        try:
            at = true.index(claim, at) + 1
        except ValueError:
            near = next((line for line in true[at:] if line.split()[1:2] == kind), None)
            expected = f"expected `{near}`" if near else "nothing of the kind follows here"
            shown = truncate(claim)
            raise RecordError(f"line {number}: `{shown}` does not follow: {expected}.") from None


def split_games(lines: Iterable[str], longest: int) -> Iterator[tuple[int, str]]:
    """Yield each game of a text file and the number of its first line.

    A game begins at its heading line. Comments and blank lines before a heading belong to the game
    before it, or to the first. Raise RecordError if a game has more than `longest` characters.
    """
    game, size = StringIO(), 0
    begun, first = False, 1
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(_HEADING):
            if begun:
                yield first, game.getvalue()
                game, size, first = StringIO(), 0, number
            begun = True
        size += game.write(line)
        if size > longest:
            raise RecordError(f"It is too long for a game: over {longest >> 20} MiB.")
    if size:
        yield first, game.getvalue()
