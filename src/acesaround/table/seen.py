"""What one person is shown of a table: a message built by allow-list, ready to be sent."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any, Final

import msgspec

from acesaround import game
from acesaround.actions import Bids, Choices, Concede, LayMeld, NameTrump, Play
from acesaround.events import Event, MeldLaid
from acesaround.state import Decision, GameState
from acesaround.table.table import Table
from acesaround.view import View, turn_of, view

_VIEW_FIELDS: Final = tuple(name for name in View.__struct_fields__ if name != "rules")


class SeatSeen(msgspec.Struct, frozen=True):
    """A seat as others see it; `present`: whether its person is connected."""

    name: str
    person: bool
    bot: str
    present: bool


def encode_state(
    table: Table,
    table_id: str,
    person: str | None,
    events: Sequence[Event] = (),
    present: Collection[str] = (),
) -> bytes:
    """The table, the game and what just happened, as one person (by id) may see them.

    `present`: the ids of persons who are connected now.
    """
    seat = table.seat_of(person)
    shown = None if table.game is None else view(table.game, seat)
    message = {
        "type": "state",
        "seq": table.seq,
        "table": _table(table, table_id, person, present),
        "view": None if shown is None else {name: getattr(shown, name) for name in _VIEW_FIELDS},
        "decision": _decision(table, seat),
        "events": [event.seen_by(seat) for event in events],
        "sheet": [{"score": scored.score, "totals": scored.totals} for scored in table.sheet],
    }
    return msgspec.json.encode(message, enc_hook=str)


def encode_refusal(code: str, sentence: str, seq: int) -> bytes:
    """A refusal, for the one who asked."""
    return msgspec.json.encode({"type": "refused", "code": code, "sentence": sentence, "seq": seq})


def _table(
    table: Table, table_id: str, person: str | None, present: Collection[str]
) -> dict[str, Any]:
    seat = table.seat_of(person)
    config, wish = table.config, table.wish
    seats = [
        SeatSeen(
            name=f"bot:{s.bot}" if s.person is None else s.person.name,
            person=s.person is not None,
            bot=s.bot,
            present=s.person is not None and s.person.id in present,
        )
        for s in table.seats
    ]
    host = person is not None and person == table.host.id
    over = table.game is not None and not table.playing
    return {
        "id": table_id,
        "variant": config.variant,
        "title": table.rules.title,
        "options": config.options,
        "players": table.rules.seats,
        "public": config.public,
        "clock": config.clock,
        "you": seat,
        "host": host,
        "seats": seats,
        "started": table.games > 0,
        "over": over,
        "paused": table.paused,
        "games": table.games,
        "asked": None
        if wish is None
        else {"kind": wish.kind, "seat": wish.seat, "waiting": wish.waiting},
        "may": {
            "start": host and not table.games,
            "undo": table.undo is not None and table.undo.seat == seat and wish is None,
            "claim": False,
            "rematch": over and seat is not None and seat not in table.ready,
            "pause": table.playing and seat is not None,
            "hint": may_hint(table, seat),
        },
        "rematch": table.ready,
        "talk": table.talk,
    }


def may_hint(table: Table, seat: int | None) -> bool:
    """Hints are given where a person plays against bots alone."""
    return seat is not None and table.people == (seat,) and table.playing


def _decision(table: Table, seat: int | None) -> dict[str, Any] | None:
    state = table.game
    if state is None or not table.playing or seat is None or turn_of(state) != seat:
        return None
    decision = game.decision(state)
    legal = decision.legal
    offer: dict[str, Any] = {
        "kind": decision.kind,
        "pass": False,
        "bids": [],
        "any": False,
        "trumps": [],
        "sizes": [],
        "plays": [],
        "melds": [],
        "concede": False,
    }
    if isinstance(legal, Bids):
        offer |= {
            "pass": legal.may_pass,
            "bids": list(islice(legal.bids(), 12)),
            "any": legal.endless,
        }
    elif isinstance(legal, Choices):
        offer["sizes"] = list(legal.sizes)
    else:
        offer |= _listed(state, decision)
    return offer


def _listed(state: GameState, decision: Decision) -> dict[str, Any]:
    legal = list(decision.legal)
    melds = []
    for action in legal:
        if isinstance(action, LayMeld):
            laid = game.apply(state, action)[1][0]
            assert isinstance(laid, MeldLaid)
            melds.append(laid.meld)
    return {
        "trumps": [action.suit.name for action in legal if isinstance(action, NameTrump)],
        "plays": [action.card for action in legal if isinstance(action, Play)],
        "melds": melds,
        "concede": any(isinstance(action, Concede) for action in legal),
    }
