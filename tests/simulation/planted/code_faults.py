"""The faults to plant: each replaces a piece of a file of the product."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

PACKAGE: Final = Path(__file__).parents[3] / "src" / "acesaround"


class PlantedFault(msgspec.Struct, frozen=True):
    """A replacement of `old` by `new` in a file of the product. `breaks`: describes the fault."""

    name: str
    file: str
    old: str
    new: str
    breaks: str

    @property
    def module(self) -> str:
        """The name of the module that the file holds."""
        return f"acesaround.{self.file.removesuffix('.py').replace('/', '.')}"

    def planted_source(self) -> str:
        """Return the file with the fault in it. Raises ValueError if it has no place for it."""
        source = (PACKAGE / self.file).read_text(encoding="utf-8")
        count = source.count(self.old)
        if count != 1:
            raise ValueError(f"The fault {self.name!r} fits {count} places in {self.file}, not 1.")
        return source.replace(self.old, self.new)


FAULTS: Final = (
    PlantedFault(
        "early acknowledgement",
        "store/append_queue.py",
        "        await future\n\n    async def finish",
        "        future.add_done_callback(lambda done: done.exception())\n\n    async def finish",
        "An append is reported as stored before it is.",
    ),
    PlantedFault(
        "append without compare-and-set",
        "store/append_writer.py",
        "_INSERT_ENTRIES: Final = insert(ENTRIES)",
        '_INSERT_ENTRIES: Final = insert(ENTRIES).prefix_with("OR REPLACE")',
        "An append replaces the entries that another server has stored under the same numbers.",
    ),
    PlantedFault(
        "view of another seat",
        "server/live/table_clients.py",
        "viewer = client.person_id, client.link",
        "viewer = None, client.link",
        "A client is sent what was made for another person.",
    ),
    PlantedFault(
        "hand for spectators",
        "table/client_state.py",
        "else table.view(seat)",
        "else table.view(seat or 0)",
        "Spectators are sent the hand of seat 0.",
    ),
    PlantedFault(
        "lost notice",
        "server/cluster/peers.py",
        "self._registry.note_log_advance(table_id, int(seq) if seq.isdecimal() else None)",
        "seq.isdecimal()",
        "A server does not hear what another one has appended.",
    ),
    PlantedFault(
        "lost wake-up",
        "store/postgres_notifications.py",
        "            if not self._has_work.is_set():\n                self._all_sent.set()",
        "            self._has_work.clear()\n            self._all_sent.set()",
        "A notice that is queued while others are sent waits for the next one.",
    ),
    PlantedFault(
        "limit that counts twice",
        "server/limits/rate_limiters.py",
        "not self._chat_by_person.spend(person)",
        "not self._chat_by_person.spend(person, 2)",
        "Each chat line counts as two.",
    ),
    PlantedFault(
        "limit that never counts",
        "server/limits/rate_limiters.py",
        "not self._chat_by_person.spend(person)",
        "not self._chat_by_person.spend(person, 0)",
        "A person may chat without end.",
    ),
    PlantedFault(
        "count that is not given back",
        "server/limits/open_websockets.py",
        "self._open_counts.update(counted_keys)",
        "self._open_counts.update([*counted_keys, *counted_keys])",
        "Each WebSocket counts as two, and only one is taken back.",
    ),
    PlantedFault(
        "record rewritten by a rename",
        "table/games.py",
        'f"bot:{player}" if isinstance(player, str) else player.name',
        'f"bot:{player}" if isinstance(player, str) else next((one.person.name for one in '
        "table.seats if one.person and one.person.id == player.id), player.name)",
        "The record of a finished game shows the names that its people have now.",
    ),
    PlantedFault(
        "forgotten reconnect",
        "server/live/presence_tracker.py",
        "            if person_id in absent\n        } | newly_left",
        "        }\n        self._left_at = newly_left | self._left_at",
        "An absence is counted from the first time that a person left.",
    ),
    PlantedFault(
        "absence without end",
        "server/live/presence_tracker.py",
        "self._loaded_at) + self._away_seconds",
        "self._loaded_at) + 1000 * self._away_seconds",
        "An absent person never counts as gone.",
    ),
    PlantedFault(
        "server that never counts as dead",
        "server/live/peer_presence.py",
        "if now - peer.last_message_at > self.timeout_seconds",
        "if now - peer.last_message_at > 1000 * self.timeout_seconds",
        "The people of a server that has crashed stay present.",
    ),
    PlantedFault(
        "proposal without end",
        "server/live/table_countdowns.py",
        "self.proposal.update(proposal_key, PROPOSAL_SECONDS)",
        "self.proposal.update(None, PROPOSAL_SECONDS)",
        "A proposal waits for ever for people who do not answer.",
    ),
    PlantedFault(
        "proposal granted without an answer",
        "table/command_handler.py",
        "        and awaited_seats.isdisjoint(proposal.waiting)\n",
        "",
        "A proposal that expires is granted although a person who is there has not answered.",
    ),
    PlantedFault(
        "bot in a person's place",
        "table/bot_turns.py",
        "return seat if table.seats[seat].is_played_by_bot else None",
        "return seat",
        "A bot acts for a person who is there.",
    ),
    PlantedFault(
        "command for the old person",
        "server/accounts/sessions.py",
        "                    client.close(SIGNED_OUT_CODE, NOT_YOU)\n                elif (",
        "                    continue\n                elif (",
        "The socket of a device that is another person now acts for the old one.",
    ),
    PlantedFault(
        "code used twice",
        "store/pairing_codes.py",
        "            deleted = await connection.execute(\n"
        "                delete(PAIRING_CODES).where(PAIRING_CODES.c.code_hash == row.code_hash)\n"
        "            )\n"
        "            if deleted.rowcount != 1:\n                return False\n",
        "",
        "A pairing code signs in every device that has it.",
    ),
    PlantedFault(
        "closed table that goes on",
        "table/command_handler.py",
        "    if table.ended is not None:\n",
        '    if table.ended == "removed":\n',
        "A closed table accepts the commands that were under way.",
    ),
    PlantedFault(
        "missed step",
        "server/live/live_table.py",
        "send_missed(client, steps[:-1], presence)",
        "send_missed(client, steps[1:-1], presence)",
        "A client that reconnects is not sent the first step that it has missed.",
    ),
    PlantedFault(
        "deletion that leaves names",
        "table/anonymize.py",
        "return replace(entry, person=former)",
        "return replace(entry, person=replace(named, id=former.id))",
        "The name of a deleted person stays in the log.",
    ),
    PlantedFault(
        "countdown of an old turn",
        "server/live/live_table.py",
        "            if not countdown.has_expired(key):\n                return\n            try:",
        "            try:",
        "A countdown counts although the person has acted in the last moment.",
    ),
    PlantedFault(
        "clock of a second too long",
        "server/live/table_countdowns.py",
        "self.turn.update(turn_key, turn_seconds)",
        "self.turn.update(turn_key, turn_seconds + 1)",
        "The others wait a second too long for a person whose time is over.",
    ),
    PlantedFault(
        "client kept after its end",
        "server/accounts/sessions.py",
        "if not open_clients and self._clients_by_device.get(guest.device) is open_clients:",
        "if open_clients and self._clients_by_device.get(guest.device) is open_clients:",
        "The server keeps an entry of each device that was ever connected.",
    ),
    PlantedFault(
        "seat taken from its holder",
        "table/joining.py",
        "    if table.seats[seat].person is not None:\n        return command_refusals.SEAT_HELD",
        "    if table.seats[seat].person is None and False:\n"
        "        return command_refusals.SEAT_HELD",
        "A person may take a seat that another one holds.",
    ),
    PlantedFault(
        "host in the seat of a person who asked",
        "table/joining.py",
        "_seat_taken(table, request.person, request.seat)",
        "_seat_taken(table, person, request.seat)",
        "Who admits a person gets the seat in the place of that person.",
    ),
    PlantedFault(
        "stale action",
        "table/command_handler.py",
        "    if not table.moved_seq <= seq <= table.seq:\n",
        "    if not seq <= table.seq:\n",
        "An action that was chosen in an earlier state counts in a later one.",
    ),
    # Faults of the product that the simulation found, and that are mended:
    PlantedFault(
        "cookie of a clock ahead",
        "server/accounts/cookie.py",
        "if age_seconds > _COOKIE_SECONDS:",
        "if not 0 <= age_seconds <= _COOKIE_SECONDS:",
        "A server whose clock is behind refuses the cookie that another one has just signed.",
    ),
    PlantedFault(
        "damage of a removed table",
        "retention/remove_table.py",
        "return bodies[-1] in _LAST_BODIES and",
        "return not bodies and",
        "A table whose log is being deleted is called damaged.",
    ),
    PlantedFault(
        "command of a deleted person",
        "server/live/live_table.py",
        "if self._services.is_deleted(person.id):",
        "if not person.id:",
        "A command that waited while its person was deleted still counts.",
    ),
    PlantedFault(
        "identity that is not noticed",
        "server/accounts/sessions.py",
        "                await self.invalidate(await",
        "                self._store.is_shared and await self.invalidate(await",
        "On SQLite a sign-out that was stored but reported as failed is not noticed.",
    ),
    PlantedFault(
        "people who left unheard",
        "server/live/peer_presence.py",
        'if message.kind == "whole":',
        'if message.kind == "never":',
        "Who left while two servers did not hear each other stays present.",
    ),
)
