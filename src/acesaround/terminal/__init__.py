"""The terminal interface of the game, behind `acesaround play`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from acesaround.lessons import Lesson
from acesaround.rules import Rules
from acesaround.terminal.app import require_terminal, run_app, run_in_terminal
from acesaround.terminal.lesson_screen import build_lesson_app


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
    """Play as the command line says, and return the exit status.

    `rules`: the rules of a game to begin at once. If it is None, the person chooses a variant, and
    `players` and `options` apply to it. `folder`: the folder of saved games, None for the user's
    default folder.

    Raises RulesError and RecordError.
    """
    from platformdirs import user_data_path

    return run_app(
        rules,
        seat=seat,
        bots=bots,
        seed=seed,
        folder=folder or user_data_path("acesaround") / "games",
        resume=resume,
        players=players,
        options=options,
    )


def take_lesson(lesson: Lesson) -> int:
    """Take a lesson in the terminal, and return the exit status. Raise AcesAroundError."""
    require_terminal("learn")
    with TemporaryDirectory(prefix="acesaround-lesson-") as folder:
        return run_in_terminal(build_lesson_app(lesson, Path(folder)))


__all__ = ["main", "run_app", "take_lesson"]
