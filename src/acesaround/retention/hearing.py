"""Waiting until every process that serves has noticed what was written beside it."""

from __future__ import annotations

import asyncio


async def heard(seconds: float) -> None:
    """Wait for so long. A test that owns the clock of a server puts that forward instead."""
    await asyncio.sleep(seconds)
