"""The table in the terminal, behind `acesaround play`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from acesaround.rules import Rules
from acesaround.terminal.app import run


def main(
    *,
    rules: Rules | None,
    players: int | None,
    options: Mapping[str, object],
    bots: Sequence[str],
    seat: int,
    seed: int | None,
    resume: bool,
    folder: Path | None = None,
) -> int:
    """Play as the command line says; returns the exit status.

    `rules`: of the game to begin at once, None where the person chooses; `players` and `options`
    are then for the choice. `folder`: where games are kept, None for the user's own place.

    Raises RulesError and RecordError.
    """
    from platformdirs import user_data_path

    return run(
        rules,
        seat=seat,
        bots=bots,
        seed=seed,
        folder=folder or user_data_path("acesaround") / "games",
        resume=resume,
        players=players,
        options=options,
    )


__all__ = ["main", "run"]
