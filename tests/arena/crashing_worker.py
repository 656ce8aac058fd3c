"""What a process of the arena makes that always comes to an end, or fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def player(_what: bytes, _record: bool) -> Callable[[Any], object]:
    """Take a leg and come to an end."""
    return lambda _job: os._exit(3)


class Never:
    """It comes to an end before the begin: when the process is told what it is to make."""

    def __call__(self, *_: object) -> None:
        """Is never called."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (4,)
