"""A second count of messages, commands and chat, to check the limits of the servers."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.environment import PROCESS, WORLD

if TYPE_CHECKING:
    from tests.simulation.network import Connection
    from tests.simulation.world import World

_TABLE_CHAT_FACTOR: Final = 3
_ADDRESS_COMMANDS_FACTOR: Final = 5
_Key = tuple[object, ...]


class Limits:
    """The messages that reached the servers, and the accepted chat, by process and sender."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._received: dict[_Key, list[float]] = defaultdict(list)
        self._said: dict[_Key, list[float]] = defaultdict(list)

    def note_received(
        self, connection: Connection, persons: tuple[str, ...], command: dict[str, Any] | None
    ) -> None:
        """Record a message of one of some persons that reached a process."""
        process = connection.process_name
        keys: list[_Key] = [("message", connection.number)]
        kind = None if command is None else command.get("type")
        if kind not in ("act", "hint"):
            keys += [("command", process, one) for one in (connection.address, *persons)]
        if kind == "talk":
            keys += [("chat", process, one) for one in (connection.table_id, *persons)]
        for key in keys:
            self._received[key].append(WORLD.now)

    def check_refusal(
        self, connection: Connection, persons: tuple[str, ...], sentence: str
    ) -> None:
        """Check that a client that is told to wait has sent as much as the limit allows."""
        settings, process = self._world.settings, connection.process_name
        messages, message_seconds = (
            settings.max_messages_per_websocket,
            settings.rate_window_seconds,
        )
        lines, chat_seconds = settings.max_chat_lines, settings.chat_window_seconds
        limits: tuple[tuple[str, list[_Key], int, float], ...] = (
            ("Too many messages", [("message", connection.number)], messages, message_seconds),
            (
                "You have sent too many commands",
                [("command", process, person) for person in persons],
                messages,
                message_seconds,
            ),
            (
                "Your address has sent too many commands",
                [("command", process, connection.address)],
                _ADDRESS_COMMANDS_FACTOR * messages,
                message_seconds,
            ),
            (
                "You have sent too many chat",
                [("chat", process, person) for person in persons],
                lines,
                chat_seconds,
            ),
            (
                "This table has had too many",
                [("chat", process, connection.table_id)],
                _TABLE_CHAT_FACTOR * lines,
                chat_seconds,
            ),
        )
        for start, keys, allowed, seconds in limits:
            if not sentence.startswith(start):
                continue
            count = max((self._recent(self._received[key], seconds) for key in keys), default=0)
            if count <= allowed:
                self._world.fail("limits", f"after {count} of {allowed} allowed: {sentence}")

    def note_said(self, table_id: str, person: str) -> None:
        """Record a stored line of chat, and check that its person and table are within the
        limit."""
        process = PROCESS.get(None)
        if process is None:
            return  # it is not known who has stored it
        lines, seconds = (
            self._world.settings.max_chat_lines,
            self._world.settings.chat_window_seconds,
        )
        for key, allowed in ((person, lines), (table_id, _TABLE_CHAT_FACTOR * lines)):
            said = self._said[process.name, key]
            said.append(WORLD.now)
            if (count := self._recent(said, seconds)) > 2 * allowed:
                self._world.fail("limits", f"{count} lines in {seconds} s, {allowed} may be")

    def _recent(self, times: list[float], seconds: float) -> int:
        return sum(time >= WORLD.now - seconds for time in times)
