"""Checks of an SQLite file: that it is still the same file, and that it is not damaged."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from acesaround.store.errors import error_message, is_damage

_MAX_REPORTED_DAMAGE: Final = 20  # damaged pages to report
_LOG: Final = logging.getLogger(__name__)


class FileIdentity:
    """The identity of an SQLite file at the time of opening.

    SQLite does not notice that its file was deleted and keeps writing to it. A file put in its
    place is another database, which this process has not read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known = self._identity()

    def check(self) -> None:
        """Raise OSError if the file is missing or has been replaced."""
        if self._identity() != self._known:
            raise OSError(f"{self.path} was replaced by another file: restart the server")

    def _identity(self) -> tuple[int, int]:
        status = self.path.stat()
        return status.st_dev, status.st_ino


class IntegrityCheck:
    """A check of a whole SQLite database. `damage`: what the last one found."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.damage: tuple[str, ...] = ()
        self._engine = engine
        self._task: asyncio.Task[None] | None = None
        self._connection: Any = None  # the connection of that task

    def start(self) -> None:
        """Start a check, unless one is running. The result goes to `damage` and to the log."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="examination")

    async def interrupt(self) -> None:
        """Have a running check end early."""
        if self._connection is not None:
            await self._connection.interrupt()

    async def wait(self) -> None:
        """Wait for a running check."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            async with self._engine.connect() as connection:
                self._connection = (await connection.get_raw_connection()).driver_connection
                result = await connection.execute(
                    text(f"PRAGMA quick_check({_MAX_REPORTED_DAMAGE})")
                )
                messages = [str(line) for line in result.scalars()]
        except (SQLAlchemyError, OSError) as error:
            messages = [error_message(error)] if is_damage(error) else []
        damage = () if messages == ["ok"] else tuple(messages)
        if damage and damage != self.damage:
            _LOG.error(
                "%s is damaged; the server goes on with the undamaged part. Restore a backup "
                "(docs/hosting.md). %s",
                self._engine.url.database,
                "; ".join(" ".join(line.split()) for line in damage),
            )
        self.damage = damage
        self._connection = self._task = None
