"""What always holds, checked at every step: every entry of a log, every message to a client."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import msgspec
from itsdangerous import URLSafeTimedSerializer

from acesaround.server.live.table_countdowns import PROPOSAL_SECONDS
from acesaround.table import Table, automatic_actor
from acesaround.table import entries as log
from acesaround.table.entries import Entry
from tests.server.visibility_oracle import cards_in
from tests.simulation.environment import WORLD
from tests.simulation.ledger import Ledger
from tests.simulation.shadow_log import Leak, ShadowLog

if TYPE_CHECKING:
    from tests.simulation.network import Connection, Exchange
    from tests.simulation.world import World

AWAY_SECONDS: Final = 6.0
"""Seconds after which an absent person counts as gone."""
STALL_SECONDS: Final = 30.0
"""Seconds within which a table with a connected player gets on, if nothing is broken meanwhile."""
_IDENTITY_SECONDS: Final = 3.0
"""Seconds for which a server may take a device for its previous person."""
_TOLERANCE_SECONDS: Final = 0.01
_REWRITTEN_BODY: Final = log.encode(log.LogRewritten())
_KNOWN_ANSWERS: Final = ("/api/me", "/api/devices", "/api/tables", "/api/mine", "/health")


class _Parts(msgspec.Struct):
    seq: int
    table: msgspec.Raw
    view: msgspec.Raw
    decision: msgspec.Raw
    events: msgspec.Raw
    sheet: msgspec.Raw


_DECODER: Final = msgspec.json.Decoder(_Parts)


class Invariants:
    """Checks everything that the servers of one world store and send."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.ledger = Ledger()
        self.logs: dict[str, ShadowLog] = {}
        self.actions = 0
        self.messages = 0
        self.bytes = 0
        self.deleted: set[str] = set()  # persons
        self.trouble_at = 0.0  # when something was last broken on purpose
        self._links: dict[str, tuple[str, str]] = {}
        self._serializer = URLSafeTimedSerializer(world.secret, salt="acesaround.guest")
        self._persons: dict[str, list[tuple[float, str]]] = {}  # by device, the last one last
        self._secret_ids: dict[str, None] = {}
        self._checked_tables: set[bytes] = set()
        self._left_at: dict[tuple[str, str], float] = {}

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
        row = self._world.database.raw.execute(
            "SELECT person_id FROM devices WHERE device_id = ?", (device,)
        ).fetchone()
        person = device if row is None else row[0] or ""
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

    # logs

    def catch_up(self, table_id: str) -> ShadowLog | None:
        """Fold what was stored since the last call."""
        shadow = self.logs.get(table_id)
        if shadow is None:
            shadow = ShadowLog(table_id)
        new = self._world.database.log(table_id, len(shadow.bodies))
        if not new and not shadow.bodies:
            return None
        self.logs[table_id] = shadow
        if _REWRITTEN_BODY in new:
            self._world.note("rewritten", table_id)
            shadow.rewrite(self._world.database.log(table_id), WORLD.now)
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
        match entry:
            case log.Acted(bot=False):
                self.actions += 1
            case log.LinkCreated():
                self._links[entry.token] = shadow.table_id, entry.link
            case log.BotSubstituted(late=True):
                clock = before.config.clock or 0
                if WORLD.now - moved_at < clock - _TOLERANCE_SECONDS:
                    self._world.fail(
                        "clock", f"a bot substitutes after {WORLD.now - moved_at:.2f} of {clock} s"
                    )
            case log.ProposalExpired():
                assert before.proposal is not None
                asked_at = shadow.appended_at(before.proposal.seq)
                if WORLD.now - asked_at < PROPOSAL_SECONDS - _TOLERANCE_SECONDS:
                    self._world.fail(
                        "clock", f"a proposal expires after {WORLD.now - asked_at:.2f} s"
                    )
            case log.SeatLeft(away=True):
                holder = before.seats[entry.seat].person
                assert holder is not None
                self._check_absence(shadow, holder.id)

    def _check_absence(self, shadow: ShadowLog, person: str) -> None:
        """Check that who loses a seat by absence was away for long enough."""
        if len(self._world.servers) > 1:
            return  # the servers may not hear each other
        left_at = self._left_at.get((shadow.table_id, person), 0.0)
        if any(
            person in connection.persons and connection.table_id == shadow.table_id
            for connection in self._world.servers[0].connections
            if connection.is_accepted
        ):
            self._world.fail("absence", "a person who is connected loses the seat")
        elif WORLD.now - left_at < AWAY_SECONDS - _TOLERANCE_SECONDS:
            self._world.fail("absence", f"a seat is free after {WORLD.now - left_at:.2f} s")

    def note_left(self, connection: Connection) -> None:
        """Note when a server lost a client."""
        for person in connection.persons:
            self._left_at[connection.table_id, person] = WORLD.now

    # messages

    def note_accepted(self, connection: Connection) -> None:
        """Note who is on a connection, and at which table."""
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
        if text.startswith('{"type":"state"'):
            self._check_state(connection, shadow, text)
        else:
            self._check_other(connection, shadow, text)

    def _seats(self, connection: Connection, table: Table) -> set[int | None]:
        """Return the seats of who may be on a connection."""
        if connection.link_kind != "play":
            return {None}
        persons = self.persons_of(connection.device_id)
        seats = {table.seat_of(one) for one in persons} or {None}
        return seats | {None} if not self.deleted.isdisjoint(persons) else seats

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
            if unknown := shadow.unknown_cards(content, seq, you):
                self._world.fail("hidden", f"seat {you} is shown {sorted(unknown)} in {content}")

    def _check_other(self, connection: Connection, shadow: ShadowLog, text: str) -> None:
        message = json.loads(text)
        seq = min(message["seq"], len(shadow.bodies))
        if message["seq"] > len(self.catch_up(shadow.table_id).bodies):  # type: ignore[union-attr]
            self._world.fail("acknowledged", f"a client is told of entry {message['seq'] - 1}")
        self._check_secrets(connection, text)
        for seat in self._seats(connection, shadow.tables[seq]):
            if not cards_in(text) - shadow.may_know(seq, seat) - connection.owner.named_cards:
                break
        else:
            self._world.fail("hidden", f"a client is sent {text}")

    def _check_secrets(self, connection: Connection, text: str) -> None:
        """Check that nobody is sent an id of a person or a device."""
        for secret in self._secret_ids:
            if secret in text:
                self._world.fail("identity", f"a client is sent the id {secret}: {text:.300}")

    def check_answer(self, exchange: Exchange, status: int, body: bytes) -> None:
        """Check the answer to a request."""
        if status >= 500 and status != 503:
            self._world.fail("error", f"{exchange.path} answers {status}: {body!r:.300}")
        if exchange.path in _KNOWN_ANSWERS:
            text = body.decode(errors="replace")
            if exchange.path != "/api/tables" or status == 200:
                for secret in self._secret_ids:
                    if secret in text and secret not in self.logs:
                        self._world.fail("identity", f"{exchange.path} answers the id {secret}")
            if found := cards_in(text):
                self._world.fail("hidden", f"{exchange.path} answers {sorted(found)}")

    # from time to time

    def check_progress(self) -> None:
        """Check that each table with a connected player has got on of late."""
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

    def check_logs(self) -> None:
        """Check that what was stored is still there, and that every server folds it alike."""
        for shadow in self.logs.values():
            if shadow.table.ended in ("removed", "cleared"):
                continue
            stored = self._world.database.log(shadow.table_id)
            if stored[: len(shadow.bodies)] != shadow.bodies:
                self._world.fail("lost", f"the log of {shadow.table_id} has changed")
        for server in self._world.servers:
            if not server.is_up:
                continue
            for live in server.app.state.parts.registry.loaded_tables:
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
