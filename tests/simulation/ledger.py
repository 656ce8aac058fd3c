"""The commands of people and the entries that they cause: each entry has one cause.

An entry that a person causes needs a command of that person that reached a server, and no command
causes two. A command that the network doubled, or that a person sent twice, counts as two.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from typing import Any

from acesaround.table import Table
from acesaround.table import entries as log
from acesaround.table.entries import Entry

Cause = tuple[str, ...]
"""A kind of command and its arguments."""


class Ledger:
    """The commands that reached the servers, by table and person, less those that counted."""

    def __init__(self) -> None:
        self._open: Counter[tuple[str, str, Cause]] = Counter()
        self._chosen_at: dict[tuple[str, str, Cause], list[int]] = {}  # the `seq` of actions
        self._people_by_request: dict[tuple[str, int], str] = {}  # by table and number
        self.counted = 0

    def receive(self, table_id: str, persons: Collection[str], command: dict[str, Any]) -> None:
        """Record a command. `persons`: the possible senders, because the device belonged to several
        lately."""
        cause = _cause_of_command(command)
        seq = command.get("seq")
        for person in persons:
            self._open[table_id, person, cause] += 1
            if cause[0] == "act" and isinstance(seq, int):
                self._chosen_at.setdefault((table_id, person, cause), []).append(seq)

    def explain(
        self, table_id: str, before: Table, entry: Entry, previous: Entry | None
    ) -> str | None:
        """Find the command of an entry, and use it up. Return a problem if there is none.

        `previous`: the entry before it, of which it may be a part.
        """
        if isinstance(entry, log.SeatRequested):
            self._people_by_request[table_id, before.seq + 1] = entry.person.id
        if (
            isinstance(entry, log.SeatTaken)
            and isinstance(previous, log.SeatRequestAnswered)
            and previous.yes
            and self._people_by_request.get((table_id, previous.request)) == entry.person.id
        ):
            return None
        found = _causes_of_entry(before, entry)
        if found is None or (
            isinstance(entry, log.JoiningSet) and isinstance(previous, log.Removed)
        ):
            return None
        persons, causes = found
        for person in persons:
            for cause in causes:
                key = table_id, person, cause
                if self._open[key] > 0 and (cause[0] != "act" or self._use_choice(key, before)):
                    self._open[key] -= 1
                    self.counted += 1
                    return None
        return f"nobody who may asked for {entry}: expected one of {causes} of {persons}"

    def _use_choice(self, key: tuple[str, str, Cause], before: Table) -> bool:
        """Use up an action that was chosen in the state to which it is applied, if any."""
        for seq in self._chosen_at.get(key, ()):
            if before.moved_seq <= seq <= before.seq:
                self._chosen_at[key].remove(seq)
                return True
        return False


def _cause_of_command(command: dict[str, Any]) -> Cause:
    kind = command.get("type")
    if kind == "act":
        return "act", _normal_action(command.get("action"))
    if kind in ("sit", "knock"):
        return ("seat", str(command.get("seat")))
    details = {"answer": "agree", "hints": "on", "talk": "phrase", "writing": "on"}
    return str(kind), json.dumps(command.get(details.get(str(kind), ""), ""))


def _normal_action(action: Any) -> str:
    """Return an action as text that does not depend on the order of its cards."""
    if not isinstance(action, list) or not action:
        return repr(action)
    rest = [sorted(map(str, part)) if isinstance(part, list) else part for part in action[1:]]
    return json.dumps([action[0], *rest])


def _causes_of_entry(before: Table, entry: Entry) -> tuple[tuple[str, ...], list[Cause]] | None:
    """Return who may have caused an entry, and by which commands; None if nobody need have."""

    def holder(seat: int) -> tuple[str, ...]:
        person = before.seats[seat].person
        return () if person is None else (person.id,)

    seated = tuple([person.id for seat in before.seats if (person := seat.person) is not None])
    host = (before.host.id,)
    match entry:
        case log.Acted(bot=False):
            return holder(entry.seat), [("act", _normal_action(entry.action))]
        case log.SeatTaken():
            if before.seq == 1 or any(
                one.person.id == entry.person.id for one in before.seat_requests
            ):
                return None  # the host, or the request was counted
            return (entry.person.id,), [("seat", str(entry.seat))]
        case log.SeatLeft(away=False):
            return holder(entry.seat), [("stand", '""'), ("remove", '""')]
        case log.Removed():
            return host, [("remove", '""')]
        case log.Readmitted():
            return host, [("forgive", '""')]
        case log.JoiningSet():
            return host, [("joining", '""')]
        case log.SeatRequested():
            return (entry.person.id,), [("seat", str(entry.seat))]
        case log.SeatRequestAnswered():
            return (*host, *seated), [("admit", '""')]
        case log.HostGiven():
            return host, [("host", '""')]
        case log.LinkCreated() if before.links.replay is not None:
            return host, [("renew", '""')]
        case log.BotSet():
            return host, [("bot", '""')]
        case log.Begun() if not before.game_count and before.seq > 2:  # not with its table
            return (*host, *seated), [("start", '""')]
        case log.Paused():
            return seated, [("pause", '""')]
        case log.Resumed():
            return seated, [("resume", '""')]
        case log.BotSubstituted(late=False):
            return (*host, *seated), [("cover", '""')]
        case log.PlayerReturned():
            return holder(entry.seat), [("back", '""')]
        case log.HintsOff():
            return seated, [("hints", "false")]
        case log.Proposed():
            wanted = '""' if entry.kind != "hints" else "true"
            return holder(entry.seat), [(entry.kind, wanted)]
        case log.Answered():
            return holder(entry.seat), [("answer", json.dumps(entry.agree))]
        case log.Continued():
            return holder(entry.seat), [("continue", '""')]
        case log.ChatSent():
            return holder(entry.seat), [("talk", json.dumps(entry.phrase))]
        case log.FreeChatSet() if before.links.replay is not None:
            return host, [("writing", json.dumps(entry.on))]
        case log.RematchReady():
            return holder(entry.seat), [("rematch", '""')]
    return None
