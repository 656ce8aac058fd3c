"""The clock and the random numbers of the simulated world, in place of those of the machine.

`install` replaces the functions of `time` and `secrets` that the server uses. Call it before any
module of `acesaround.server` is imported, because some of them import these functions by name.
"""

from __future__ import annotations

import asyncio
import base64
import contextvars
import random
import secrets
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final

START_SECONDS: Final = 1_800_000_000
"""The time of day at which each world begins, in seconds since 1970."""


class Process:
    """One run of a simulated server. `clock_offset`: seconds by which its time of day is wrong.

    `steps_left`: the steps of its tasks until `on_last_step` is called; 0 for no end.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_alive = True
        self.clock_offset = 0.0
        self.steps_left = 0
        self.on_last_step: Callable[[Process], None] = lambda _: None
        self.tasks: weakref.WeakSet[asyncio.Task[Any]] = weakref.WeakSet()


PROCESS: Final[contextvars.ContextVar[Process]] = contextvars.ContextVar("process")
"""The simulated process that the running code belongs to. Clients and network have none."""


class Environment:
    """The clock and the random generator of the world that runs now."""

    def __init__(self) -> None:
        self.now = 0.0
        self.rng = random.Random(0)

    def start(self, seed: str) -> None:
        """Set the clock to zero, and the generator to a seed."""
        self.now, self.rng = 0.0, random.Random(seed)

    def seconds(self) -> float:
        """Return the simulated seconds since the world began."""
        return self.now

    def time_of_day(self) -> float:
        """Return the seconds since 1970 by the clock of the running process."""
        process = PROCESS.get(None)
        return START_SECONDS + self.now + (0.0 if process is None else process.clock_offset)

    def time_of_day_ns(self) -> int:
        """Return the nanoseconds since 1970 by the clock of the running process."""
        return int(self.time_of_day() * 1_000_000_000)

    def token_bytes(self, count: int | None = None) -> bytes:
        """Return random bytes, as `secrets.token_bytes` does."""
        return self.rng.randbytes(32 if count is None else count)

    def token_hex(self, count: int | None = None) -> str:
        """Return random bytes as hexadecimal digits, as `secrets.token_hex` does."""
        return self.token_bytes(count).hex()

    def token_urlsafe(self, count: int | None = None) -> str:
        """Return random bytes as Base64 for URLs, as `secrets.token_urlsafe` does."""
        return base64.urlsafe_b64encode(self.token_bytes(count)).rstrip(b"=").decode()

    def choice(self, options: Sequence[Any]) -> Any:
        """Return one of the options, as `secrets.choice` does."""
        return self.rng.choice(options)


WORLD: Final = Environment()


def install() -> None:
    """Replace the clock and the random generator of this process by those of `WORLD`."""
    time.monotonic = time.perf_counter = WORLD.seconds
    time.time = WORLD.time_of_day
    time.time_ns = WORLD.time_of_day_ns
    chance: Any = secrets
    chance.token_bytes, chance.token_hex = WORLD.token_bytes, WORLD.token_hex
    chance.token_urlsafe, chance.choice = WORLD.token_urlsafe, WORLD.choice
