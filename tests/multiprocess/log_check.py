"""Holds what people were shown against what the log holds in the end."""

from __future__ import annotations

import json

from acesaround.game.events import Event
from acesaround.table import Table, apply_entry, encode_state, entries, fold
from tests.multiprocess.client import Player


class Log:
    """The whole log of a table, folded step by step."""

    def __init__(self, bodies: list[bytes]) -> None:
        self.entries = [entries.decode(body) for body in bodies]
        table = fold(self.entries[:1])
        self.tables: list[tuple[Table, tuple[Event, ...]]] = [(table, ())]
        for entry in self.entries[1:]:
            self.tables.append(apply_entry(self.tables[-1][0], entry))

    def holds(self, player: Player) -> int:
        """Fail unless everything that a player was ever shown follows from this log.

        The number of the player's own actions that were acknowledged and are there.
        """
        person = next(
            entry.person.id
            for entry in self.entries
            if isinstance(entry, entries.SeatTaken) and entry.person.name == player.name
        )
        for state in player.seen:
            assert state["seq"] <= len(self.entries), "an entry that was shown is gone"
            table, events = self.tables[state["seq"] - 1]
            shown = events if state["events"] else ()
            right = json.loads(encode_state(table, "", person, shown))
            for part in ("view", "decision", "events", "sheet"):
                assert state[part] == right[part], (state["seq"], part)
        seat = self.tables[-1][0].seat_of(person)
        for seq, action in player.acted:
            own = (
                entry.action
                for entry in self.entries[seq:]
                if isinstance(entry, entries.Acted) and entry.seat == seat
            )
            assert next(own, None) == action, f"the action {action} at {seq} is gone"
        return len(player.acted)
