"""Compares what players were shown with the final log."""

from __future__ import annotations

import json

from acesaround.game.events import Event
from acesaround.table import Table, apply_entry, encode_state, entries, fold
from tests.multiprocess.client import Player


class Log:
    """The log of a table, folded entry by entry."""

    def __init__(self, bodies: list[bytes]) -> None:
        self.entries = [entries.decode(body) for body in bodies]
        table = fold(self.entries[:1])
        self.tables: list[tuple[Table, tuple[Event, ...]]] = [(table, ())]
        for entry in self.entries[1:]:
            self.tables.append(apply_entry(self.tables[-1][0], entry))

    def check_player(self, player: Player) -> int:
        """Assert that everything shown to a player follows from this log.

        Return the number of the player's acknowledged actions, all of which must be in the log.
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
            expected = json.loads(encode_state(table, "", person, shown))
            for part in ("view", "decision", "events", "sheet"):
                assert state[part] == expected[part], (state["seq"], part)
        seat = self.tables[-1][0].seat_of(person)
        for seq, action in player.acted:
            own = (
                entry.action
                for entry in self.entries[seq:]
                if isinstance(entry, entries.Acted) and entry.seat == seat
            )
            assert next(own, None) == action, f"the action {action} at {seq} is gone"
        return len(player.acted)
