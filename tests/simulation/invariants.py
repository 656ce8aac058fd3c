"""The checks of every entry of a log and every message to a client."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import msgspec
from itsdangerous import URLSafeTimedSerializer

from acesaround.server.live.table_countdowns import PROPOSAL_SECONDS
from acesaround.table import Table, automatic_actor
from acesaround.table import entries as log
from acesaround.table.anonymize import FORMER_PLAYER
from acesaround.table.entries import Entry
from tests.server.visibility_oracle import find_cards
from tests.simulation.attendance import Attendance
from tests.simulation.deletions import check_rewrite
from tests.simulation.entry_checks import AWAY_SECONDS, TOLERANCE_SECONDS, check_entry
from tests.simulation.environment import WORLD
from tests.simulation.ledger import Ledger
from tests.simulation.limits import Limits
from tests.simulation.shadow_log import Leak, ShadowLog
from tests.simulation.wishes import PONG

if TYPE_CHECKING:
    from tests.simulation.network import Connection, Exchange
    from tests.simulation.world import World

STALL_SECONDS: Final = 30.0
"""Seconds within which a table with a connected player continues, if no fault occurs."""
_IDENTITY_SECONDS: Final = 3.0
"""Seconds for which a server may still count a device as its previous person."""
_SIGN_OUT_SECONDS: Final = 1.5
"""Seconds within which a server closes the sockets of a device that is another person now.

Servers look for such devices each second, if the database does not fail.
"""
_HEARING_SECONDS: Final = 1.0
"""Seconds within which every client is sent the stored entries, if no fault occurs."""
_CALM_SECONDS: Final = 8.0
"""Seconds after which a past fault no longer delays a message between servers."""
CLEAR_SECONDS: Final = 15.0
"""Seconds after which a past fault has no effect."""
_MESSAGE_SECONDS: Final = 25.0
"""Seconds that a message may be old when it is sent."""
_REWRITTEN_BODY: Final = log.encode(log.LogRewritten())
_KNOWN_ANSWERS: Final = ("/api/me", "/api/devices", "/api/tables", "/api/mine", "/health")


class _Seat(msgspec.Struct):
    host: bool


class _Table(msgspec.Struct):
    seats: list[_Seat]


class _Parts(msgspec.Struct):
    seq: int
    missed: bool
    table: msgspec.Raw
    view: msgspec.Raw
    decision: msgspec.Raw
    events: msgspec.Raw
    sheet: msgspec.Raw


_DECODER: Final = msgspec.json.Decoder(_Parts)
_TABLE_DECODER: Final = msgspec.json.Decoder(_Table)


class Invariants:
    """Checks everything that the servers of one world store and send."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.ledger = Ledger()
        self.attendance = Attendance()
        self.limits = Limits(world)
        self.logs: dict[str, ShadowLog] = {}
        self.actions = 0
        self.messages = 0
        self.bytes = 0
        self.deleted: set[str] = set()  # persons whose deletion has begun
        self.deletions_done: set[str] = set()
        self.trouble_at = 0.0  # when something was last broken on purpose
        self.store_trouble_at = 0.0  # when the database last failed or was slow
        self._links: dict[str, tuple[str, str]] = {}
        self._serializer = URLSafeTimedSerializer(world.secret, salt="acesaround.guest")
        self._persons: dict[str, list[tuple[float, str]]] = {}  # by device, the last one last
        self._change_count = 0  # of the database
        self._persons_now: dict[str, str] = {}  # by device
        self._secret_ids: dict[str, None] = {}
        self._checked_tables: set[bytes] = set()
        self._redeemed_codes: set[bytes] = set()

    # identities

    def device_of(self, cookie: str) -> str | None:
        """Return the id of the device in a cookie."""
        if not cookie:
            return None
        found = self._serializer.loads_unsafe(cookie)[1]
        device: str = found["id"]
        self._secret_ids[device] = None
        return device

    def persons_of(self, device: str | None) -> tuple[str, ...]:
        """Return who a device is, and who it was until a moment ago; "" for a signed-out device."""
        if device is None:
            return ()
        person = self._person_of(device)
        known = self._persons.setdefault(device, [])
        if not known or known[-1][1] != person:
            known.append((WORLD.now, person))
            if person:
                self._secret_ids[person] = None
        recent = [
            one
            for number, (_, one) in enumerate(known)
            if number == len(known) - 1 or known[number + 1][0] > WORLD.now - _IDENTITY_SECONDS
        ]
        return tuple(recent)

    def _person_of(self, device: str) -> str:
        """Return the person of a device in the database, which is read again after each change."""
        raw = self._world.database.raw
        if raw.total_changes != self._change_count:
            self._change_count = raw.total_changes
            self._persons_now.clear()
        if device not in self._persons_now:
            row = raw.execute(
                "SELECT person_id FROM devices WHERE device_id = ?", (device,)
            ).fetchone()
            self._persons_now[device] = device if row is None else row[0] or ""
        return self._persons_now[device]

    # logs

    def catch_up(self, table_id: str) -> ShadowLog | None:
        """Fold the entries that were stored since the last call."""
        shadow = self.logs.get(table_id)
        if shadow is None:
            shadow = ShadowLog(table_id)
        new = self._world.database.log(table_id, len(shadow.bodies))
        if not new and not shadow.bodies:
            return None
        self.logs[table_id] = shadow
        if _REWRITTEN_BODY in new:
            self._world.note("rewritten", table_id)
            old_bodies = shadow.bodies
            shadow.rewrite(self._world.database.log(table_id), WORLD.now)
            if problem := check_rewrite(old_bodies, shadow.bodies, self.deleted):
                self._world.fail("deleted", problem)
            self._note_links(shadow)
            return shadow
        for body in new:
            self._world.note("stored", table_id, len(shadow.bodies), body)
            previous = log.decode(shadow.bodies[-1]) if shadow.bodies else None
            moved_at, changed_at = shadow.moved_at, shadow.changed_at
            try:
                before, entry, _ = shadow.append(body, WORLD.now)
            except Exception as error:
                self._world.fail("fold", f"entry {body!r} cannot be folded", error)
                return shadow
            if before is None:
                self._links[table_id] = table_id, "play"
                self.attendance.note_opened(table_id)
            else:
                self._check_entry(shadow, before, entry, previous, moved_at, changed_at)
        return shadow

    def _note_links(self, shadow: ShadowLog) -> None:
        for body in shadow.bodies:
            if b'"linked"' in body:
                entry = log.decode(body)
                if isinstance(entry, log.LinkCreated):
                    self._links[entry.token] = shadow.table_id, entry.link

    def _check_entry(
        self, shadow: ShadowLog, before: Table, entry: Entry, previous: Entry | None,
        moved_at: float, changed_at: float,
    ) -> None:  # fmt: skip
        """Check that an entry has a cause, and came neither too early nor twice."""
        problem = self.ledger.explain(shadow.table_id, before, entry, previous)
        if problem is not None:
            self._world.fail("cause", problem)
        found = check_entry(self._world, shadow, before, entry, moved_at, changed_at)
        if found is not None:
            self._world.fail(*found)
        match entry:
            case log.Acted(bot=False):
                self.actions += 1
            case log.LinkCreated():
                self._links[entry.token] = shadow.table_id, entry.link
            case log.ChatSent():
                speaker = before.seats[entry.seat].person
                assert speaker is not None
                self.limits.note_said(shadow.table_id, speaker.id)

    # messages

    def note_accepted(self, connection: Connection) -> None:
        """Record the person of a connection, and its table."""
        token = connection.path.rpartition("/")[2]
        table_id, kind = self._links.get(token, (token, "play"))
        connection.table_id, connection.link_kind = table_id, kind

    def check_message(self, connection: Connection, text: str) -> None:
        """Check a message to a client, to the byte."""
        self.messages += 1
        self.bytes += len(text)
        shadow = self.logs.get(connection.table_id) or self.catch_up(connection.table_id)
        if shadow is None:
            self._world.fail("acknowledged", f"a message about no table: {text:.200}")
            return
        if connection.shown_seq is None:
            connection.joined_at = WORLD.now
            self.attendance.note_joined(connection)
        if text.startswith('{"type":"state"'):
            self._check_state(connection, shadow, text)
        elif text != PONG:
            self._check_other(connection, shadow, text)

    def _seats(self, connection: Connection, table: Table) -> set[int | None]:
        """Return the seats of who may be on a connection."""
        if connection.link_kind != "play":
            return {None}
        persons = self.persons_of(connection.device_id)
        seats = {table.seat_of(one) for one in persons} or {None}
        if not self.deleted.isdisjoint(persons):  # a server may not have heard of it
            seats.add(None)
            seats.update(
                number
                for number, seat in enumerate(table.seats)
                if seat.person is not None and seat.person.name.startswith(FORMER_PLAYER)
            )
        return seats

    def _check_state(self, connection: Connection, shadow: ShadowLog, text: str) -> None:
        parts = _DECODER.decode(text)
        seq = parts.seq
        if seq > len(shadow.bodies):
            self.catch_up(shadow.table_id)
        table = shadow.tables.get(seq)
        if table is None:
            self._world.fail(
                "acknowledged", f"a client is shown entry {seq - 1} of {len(shadow.bodies)}"
            )
            return
        self._check_step(connection, shadow, parts)
        section = bytes(parts.table)
        at = section.index(b'"you":') + 6
        you = None if section[at : at + 1] == b"n" else int(section[at : at + 1])
        if you not in self._seats(connection, table):
            self._world.fail("identity", f"a client is told that its seat is {you}")
            return
        try:
            expected = shadow.parts(seq, you)
        except Leak as leak:
            self._world.fail("hidden", str(leak))
            return
        sheet = shadow.sheet(seq)
        if (
            bytes(parts.view) != expected.view
            or bytes(parts.decision) != expected.decision
            or bytes(parts.sheet) != sheet
            or (bytes(parts.events) not in (b"[]", expected.events))
        ):
            self._world.fail(
                "hidden", f"seat {you} is sent after entry {seq - 1}: {text}, not {expected}"
            )
        if section not in self._checked_tables:
            self._checked_tables.add(section)
            content = section.decode()
            self._check_secrets(connection, content)
            if unknown := shadow.unknown_cards(section, seq, you):
                self._world.fail("hidden", f"seat {you} is shown {sorted(unknown)} in {content}")
            self._check_acting_host(shadow, table, section)

    def _check_step(self, connection: Connection, shadow: ShadowLog, parts: _Parts) -> None:
        """Check that a client is sent every step, after the first state that it is sent."""
        shown, seq = connection.shown_seq, parts.seq
        connection.shown_seq = seq
        if shown is None:
            has_events = bytes(parts.events) != b"[]"
            is_next = not (parts.missed or has_events) or seq == connection.reached_seq + 1
        else:
            is_next = shown <= seq <= shown + 1 or shown < shadow.rewritten_seq
            if seq == shown + 1:
                self._check_delay(connection, shadow, seq)
        if not is_next:
            self._world.fail(
                "steps",
                f"a client that has seen {connection.reached_seq if shown is None else shown} is "
                f"sent {seq}",
            )

    def _check_delay(self, connection: Connection, shadow: ShadowLog, seq: int) -> None:
        """Check that a client is sent an entry in time, if no fault came before."""
        stored_at = shadow.appended_at(seq)
        since = max(connection.joined_at, shadow.rewritten_at, self.trouble_at + _CALM_SECONDS)
        if stored_at > since and (seconds := WORLD.now - stored_at) > _HEARING_SECONDS:
            self._world.fail("hearing", f"a client is sent entry {seq - 1} after {seconds:.2f} s")

    def _check_acting_host(self, shadow: ShadowLog, table: Table, section: bytes) -> None:
        """Check that nobody acts for a host who was not away for long enough."""
        host_seat = table.seat_of(table.host.id)
        if host_seat is None or len(self._world.servers) > 1:
            return
        seats = _TABLE_DECODER.decode(section).seats
        if any(seat.host for number, seat in enumerate(seats) if number != host_seat):
            since = WORLD.now - _MESSAGE_SECONDS
            seconds = self.attendance.longest_absence(shadow.table_id, table.host.id, since)
            if seconds < AWAY_SECONDS - TOLERANCE_SECONDS:
                self._world.fail("absence", f"somebody acts for a host away for {seconds:.2f} s")

    def _check_other(self, connection: Connection, shadow: ShadowLog, text: str) -> None:
        message = json.loads(text)
        seq = min(message["seq"], len(shadow.bodies))
        if message["seq"] > len(self.catch_up(shadow.table_id).bodies):  # type: ignore[union-attr]
            self._world.fail("acknowledged", f"a client is told of entry {message['seq'] - 1}")
        self._check_secrets(connection, text)
        if message.get("code") == "rate":
            persons = self.persons_of(connection.device_id)
            self.limits.check_refusal(connection, persons, message["sentence"])
        for seat in self._seats(connection, shadow.tables[seq]):
            if not find_cards(text) - shadow.may_know(seq, seat) - connection.owner.named_cards:
                break
        else:
            self._world.fail("hidden", f"a client is sent {text}")

    def _check_secrets(self, connection: Connection, text: str) -> None:
        """Check that no message contains an id of a person or a device."""
        for secret in self._secret_ids:
            if secret in text:
                self._world.fail("identity", f"a client is sent the id {secret}: {text:.300}")

    def check_answer(self, exchange: Exchange, status: int, body: bytes) -> None:
        """Check the answer to a request."""
        if status >= 500 and status != 503:
            self._world.fail("error", f"{exchange.path} answers {status}: {body!r:.300}")
        if exchange.path == "/api/devices/take" and status == 200:
            if exchange.body in self._redeemed_codes:
                self._world.fail("code", "a code is used twice")
            self._redeemed_codes.add(exchange.body)
        if (
            exchange.path.endswith("/record.json")
            and status == 200
            and any("score" not in deal for deal in msgspec.json.decode(body)["deals"])
        ):
            self._world.fail("hidden", "a record holds a deal that is being played")
        if exchange.path in _KNOWN_ANSWERS:
            text = body.decode(errors="replace")
            if exchange.path != "/api/tables" or status == 200:
                for secret in self._secret_ids:
                    if secret in text and secret not in self.logs:
                        self._world.fail("identity", f"{exchange.path} answers the id {secret}")
            if found := find_cards(text):
                self._world.fail("hidden", f"{exchange.path} answers {sorted(found)}")

    # from time to time

    def check_progress(self) -> None:
        """Check that each table with a connected player has continued lately."""
        for shadow in self.logs.values():
            table = shadow.table
            quiet_for = WORLD.now - max(shadow.changed_at, self.trouble_at)
            if (
                quiet_for > STALL_SECONDS
                and automatic_actor(table) is not None
                and self._world.has_connected_player(shadow)
            ):
                self._world.fail(
                    "liveness", f"table {shadow.table_id} waits for {automatic_actor(table)}"
                )
            if (
                table.proposal is not None
                and WORLD.now - self._undisturbed_since(shadow) > PROPOSAL_SECONDS + 1.0
                and self._world.has_connected_player(shadow)
            ):
                self._world.fail("liveness", f"table {shadow.table_id} waits for {table.proposal}")
        if WORLD.now - self.trouble_at > CLEAR_SECONDS:
            for connection in self._world.network.connections:
                self._check_hearing(connection)
        for connection in self._world.network.connections:
            self._check_identity(connection)

    def _undisturbed_since(self, shadow: ShadowLog) -> float:
        """Return since when a table has had the same proposal and the same clients."""
        assert shadow.table.proposal is not None
        proposed_at = shadow.appended_at(shadow.table.proposal.seq)
        changed_at = self.attendance.changed_at.get(shadow.table_id, 0.0)
        return max(proposed_at, changed_at, self.trouble_at)

    def _check_hearing(self, connection: Connection) -> None:
        """Check that a client was sent the stored entries in time."""
        shadow, shown = self.logs.get(connection.table_id), connection.shown_seq
        if shadow is None or shown is None or not connection.is_whole:
            return
        if shown < len(shadow.bodies) and shadow.rewritten_seq <= shown:
            seconds = WORLD.now - shadow.appended_at(shown + 1)
            if seconds > _HEARING_SECONDS:
                self._world.fail(
                    "hearing", f"a client was not sent entry {shown} after {seconds:.2f} s"
                )

    def _check_identity(self, connection: Connection) -> None:
        """Check that a WebSocket ends soon after its device has become another person."""
        device = connection.device_id
        if not (device and connection.persons and connection.is_whole and connection.is_reading):
            return
        person = self.persons_of(device)[-1]
        quiet_seconds = WORLD.now - max(self._persons[device][-1][0], self.store_trouble_at)
        if person not in connection.persons and quiet_seconds > _SIGN_OUT_SECONDS:
            self._world.fail(
                "identity",
                f"a socket of {connection.persons} stays open, but its device is {person!r} now",
            )

    def check_logs(self) -> None:
        """Check that every stored entry is still there, and that every server folds the log
        alike."""
        for shadow in self.logs.values():
            if shadow.table.ended in ("removed", "cleared"):
                continue
            stored = self._world.database.log(shadow.table_id)
            if stored[: len(shadow.bodies)] != shadow.bodies:
                self._world.fail("lost", f"the log of {shadow.table_id} has changed")
        for server in self._world.servers:
            if not server.is_up:
                continue
            for live in server.app.state.server_context.registry.loaded_tables:
                known = self.catch_up(live.id)
                if known is None:
                    continue
                expected = known.tables.get(live.table.seq)
                if (
                    expected is not None
                    and live.table.seq >= known.rewritten_seq
                    and expected != live.table
                ):
                    differing = [
                        (name, getattr(live.table, name), getattr(expected, name))
                        for name in expected.__struct_fields__
                        if getattr(live.table, name) != getattr(expected, name)
                    ]
                    self._world.fail("fold", f"{server.name} folds {live.id} so: {differing}")


def command_of(data: str | bytes) -> dict[str, Any] | None:
    """Return a message of a client if it is an object in JSON."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
