"""A second fold of each log, independent of the servers: what each seat may be sent."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from acesaround.game.events import (
    Buried,
    Dealt,
    DiscardChosen,
    Discarded,
    Drew,
    Event,
    Given,
    Melded,
)
from acesaround.rules.scoring import card_points, losses_by_side
from acesaround.table import Table, apply_entry, fold
from acesaround.table import entries as log
from acesaround.table.alerts import natural_seats
from acesaround.table.client_state import game_view
from acesaround.table.entries import Entry
from acesaround.table.legal_choices import current_choices
from acesaround.table.messages import SheetRow
from tests.server.visibility_oracle import find_named_cards, list_learned_facts

_ENCODER: Final = msgspec.json.Encoder(enc_hook=str)
_SECRET_EVENTS: Final = (Dealt, Buried, Discarded, Drew, DiscardChosen, Given, Melded)
_CARD: Final = re.compile(rb'"([ATKQJ9][SHDC])"')
_MAX_OLD_STATES: Final = 400
"""How many states before the last are stored, because a message may be under way."""


class Parts(msgspec.Struct):
    """The JSON that a seat may be sent after an entry."""

    view: bytes
    decision: bytes
    events: bytes


class Leak(Exception):  # noqa: N818 - named after what happened
    """The engine's own view of a seat holds a card that the seat was never told of."""


class ShadowLog:
    """The log of a table, the table after each entry, and what each seat may know there."""

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        self.bodies: list[bytes] = []
        self.tables: dict[int, Table] = {}
        self.changed_at = 0.0
        self.moved_at = 0.0
        self.rewritten_at = -100.0
        self.rewritten_seq = 0  # the length of the log when it was last rewritten
        self._times: list[float] = []
        self._events: dict[int, tuple[Event, ...]] = {}
        self._known: dict[int, dict[int | None, frozenset[str]]] = {}
        self._parts: dict[tuple[int, int | None], Parts] = {}
        self._sheets: dict[int, tuple[object, bytes]] = {}

    @property
    def table(self) -> Table:
        """The table after the last entry."""
        return self.tables[len(self.bodies)]

    def append(self, body: bytes, now: float) -> tuple[Table | None, Entry, Table]:
        """Fold one more entry. Return the table before, the entry, and the table after."""
        entry = log.decode(body)
        before = self.tables.get(len(self.bodies))
        empty: tuple[Event, ...] = ()
        self.bodies.append(body)
        self._times.append(now)
        if before is None:
            after, events = fold([entry]), empty
        else:
            after, events = apply_entry(before, entry)
        seq = len(self.bodies)
        self.tables[seq], self._events[seq] = after, events
        self._learn(seq, after, events)
        if before is None or before.moved_seq != after.moved_seq:
            self.moved_at = now
        self.changed_at = now
        for kept in (self.tables, self._events, self._known, self._sheets):
            kept.pop(seq - _MAX_OLD_STATES, None)
        return before, entry, after

    def rewrite(self, bodies: list[bytes], now: float) -> None:
        """Fold another log instead of this one, because its entries were rewritten."""
        times, moved_at = self._times, self.moved_at
        self.bodies, self.tables, self._times = [], {}, []
        self._events, self._known, self._parts, self._sheets = {}, {}, {}, {}
        for body in bodies:
            self.append(body, now)
        self._times[: len(times)], self.moved_at = times, moved_at
        self.rewritten_seq, self.rewritten_at = len(bodies), now

    def appended_at(self, seq: int) -> float:
        """Return when the entry before a state was stored."""
        return self._times[seq - 1]

    def _learn(self, seq: int, table: Table, events: tuple[Event, ...]) -> None:
        seats: tuple[int | None, ...] = (None, *range(table.rules.seats))
        known = self._known.get(seq - 1)
        if known is None or any(isinstance(event, Dealt) for event in events):
            known = dict.fromkeys(seats, frozenset())
        if events:
            if any(isinstance(event, _SECRET_EVENTS) for event in events):
                known = {
                    seat: known[seat] | find_named_cards(list_learned_facts((table, events), seat))
                    for seat in seats
                }
            else:
                public = find_named_cards(list_learned_facts((table, events), None))
                known = {seat: cards | public for seat, cards in known.items()}
        self._known[seq] = known

    def may_know(self, seq: int, seat: int | None) -> frozenset[str]:
        """Return the cards that a seat may have been told of after an entry."""
        return self._known[seq][seat]

    def parts(self, seq: int, seat: int | None) -> Parts:
        """Return what a seat may be sent after an entry. Raises Leak."""
        found = self._parts.get((seq, seat))
        if found is None:
            view, decision = self._view_and_decision(seq, seat)
            events = _ENCODER.encode([event.seen_by(seat) for event in self._events[seq]])
            found = Parts(view, decision, events)
            if leaked := self.unknown_cards(view + decision + events, seq, seat):
                raise Leak(f"seat {seat} is shown {sorted(leaked)} after entry {seq - 1}")
            self._parts[seq, seat] = found
        return found

    def _view_and_decision(self, seq: int, seat: int | None) -> tuple[bytes, bytes]:
        """Return these two parts. Compute them again only if an entry has changed their inputs."""
        table, before = self.tables[seq], self.tables.get(seq - 1)
        known = self._parts.get((seq - 1, seat))
        if (
            known is not None
            and before is not None
            and before.game is table.game
            and before.history is table.history
            and (seat is None or before.seats[seat] == table.seats[seat])
            and natural_seats(before) == natural_seats(table)
        ):
            return known.view, known.decision
        view = b"null"
        if table.game is not None:
            view = _ENCODER.encode(game_view(table.view(seat), natural_seats(table)))
        return view, _ENCODER.encode(current_choices(table, seat))

    def unknown_cards(self, text: bytes, seq: int, seat: int | None) -> set[str]:
        """Return the cards in a JSON text that a seat was not told of until then."""
        return {card.decode() for card in set(_CARD.findall(text))} - self._known[seq][seat]

    def sheet(self, seq: int) -> bytes:
        """Return the score sheet after an entry, as it is sent to everybody."""
        table = self.tables[seq]
        cached = self._sheets.get(len(table.sheet))
        if cached is None or cached[0] is not table.sheet:
            rows = [
                SheetRow(
                    row.score,
                    row.totals,
                    losses_by_side(table.rules, row.score),
                    row.buried,
                    card_points(table.rules, row.buried),
                )
                for row in table.sheet
            ]
            cached = self._sheets[len(table.sheet)] = table.sheet, _ENCODER.encode(rows)
        return cached[1]
