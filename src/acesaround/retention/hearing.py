"""Waiting until every server process has noticed a notice in the database."""

from __future__ import annotations

import asyncio


async def heard(seconds: float) -> None:
    """Wait for some seconds. A test that controls a server's clock replaces this."""
    await asyncio.sleep(seconds)
