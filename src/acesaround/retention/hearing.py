"""Waiting until every server process has noticed a notice in the database."""

from __future__ import annotations

import asyncio


async def wait_until_noticed(seconds: float) -> None:
    """Wait for some seconds. A test that controls a server's clock replaces this."""
    await asyncio.sleep(seconds)
