"""The table in the terminal, behind `acesaround play`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from acesaround.terminal.app import run


def main(
    *,
    variant: str | None,
    players: int | None,
    options: Mapping[str, object],
    bots: Sequence[str],
    seat: int,
    seed: int | None,
    resume: bool,
    folder: Path | None = None,
) -> int:
    """Play as the command line says; returns the exit status.

    `folder`: where games are kept, None for the user's own place.

    Raises RulesError and RecordError.
    """
    from platformdirs import user_data_path

    from acesaround import variants

    return run(
        None if variant is None else variants.get(variant, players, options),
        seat=seat,
        bots=bots,
        seed=seed,
        folder=folder or user_data_path("acesaround") / "games",
        resume=resume,
        players=players,
        options=options,
    )


__all__ = ["main", "run"]
