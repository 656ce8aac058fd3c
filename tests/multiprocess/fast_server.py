"""A server whose bots do not wait."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from acesaround.server.settings import BotDelays, Settings
from acesaround.server.startup import run


def main(port: int, changes: dict[str, Any]) -> int:
    """Serve until terminated; return the exit status. `changes`: other settings."""
    settings = Settings(
        bot_delays=BotDelays(0.0, 0.0, 0.0, 0.0, 0.0),
        static_folder=Path("nowhere"),
        **{
            "secret": "a secret only for tests",
            "max_messages_per_websocket": 100_000,
            "max_creations_per_guest": 100_000,
            "max_chat_lines": 100_000,
            **changes,
        },
    )
    return run(settings, "127.0.0.1", port)
