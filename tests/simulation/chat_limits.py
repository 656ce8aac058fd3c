"""The limit on chat, counted beside the servers: it counts each line once."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from tests.simulation.environment import PROCESS, WORLD

if TYPE_CHECKING:
    from tests.simulation.world import World

_REFUSAL: Final = "You have sent too many chat messages"


class ChatLimits:
    """The lines of chat that reached the servers, and those that counted."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._received: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._said: dict[tuple[str, str], list[float]] = defaultdict(list)

    def note_received(self, process: str, persons: tuple[str, ...]) -> None:
        """Note a line that reached a process, of one of some persons."""
        for person in persons:
            self._received[process, person].append(WORLD.now)

    def check_refusal(self, process: str, persons: tuple[str, ...], text: str) -> None:
        """Check that somebody who is told to wait has said as much as is allowed."""
        if _REFUSAL not in text:
            return
        count = max((self._recent(self._received[process, one]) for one in persons), default=0)
        settings = self._world.settings
        if count <= settings.chat_lines:
            self._world.fail(
                "limits", f"{count} lines of {settings.chat_lines} are too many for {process}"
            )

    def note_said(self, person: str) -> None:
        """Note a line that was stored, and check that the person may say so much."""
        process = PROCESS.get(None)
        if process is None:
            return  # it is not known who has stored it
        said = self._said[process.name, person]
        said.append(WORLD.now)
        count, settings = self._recent(said), self._world.settings
        if count > 2 * settings.chat_lines:
            self._world.fail(
                "limits",
                f"{count} lines in {settings.chat_seconds} s, {settings.chat_lines} may be",
            )

    def _recent(self, times: list[float]) -> int:
        since = WORLD.now - self._world.settings.chat_seconds
        return sum(time >= since for time in times)
