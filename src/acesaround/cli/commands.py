"""The list of commands, the parser of their arguments, and their error messages.

The commands import their dependencies locally, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Mapping, Sequence
from typing import Protocol

from acesaround import __version__
from acesaround.cli import (
    admin,
    arena,
    completion,
    learn,
    legal,
    meld,
    play,
    practice,
    replay,
    review,
    rules,
    serve,
    sheet,
    simulate,
    solve,
    variants,
)
from acesaround.cli.output import one_line
from acesaround.cli.parser import Parser
from acesaround.cli.refused_options import refuse_old_options
from acesaround.cli.stdio import (
    CLOSED_PIPE_STATUS,
    flush_all,
    print_error,
    replace_unencodable_output,
)
from acesaround.errors import AcesAroundError


class _Command(Protocol):
    """The functions that the file of a command has."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


_COMMANDS: Mapping[str, tuple[_Command, str]] = {
    "variants": (variants, "list the variants"),
    "rules": (rules, "print the rules of a variant as a page"),
    "sheet": (sheet, "print the rule sheet of a variant, to change into your own game"),
    "play": (play, "play at a table in the terminal, with bots in the other seats"),
    "learn": (learn, "take a lesson in the terminal, for people who have never played"),
    "serve": (serve, "serve tables to browsers on this machine and in the home network"),
    "admin": (admin, "list, close and remove the tables of a server; export or delete a person"),
    "simulate": (simulate, "let bots play many games, or play millions of fast deals"),
    "arena": (arena, "let two bots play the same cards with seats swapped"),
    "replay": (replay, "verify recorded games: JSON, JSON lines or text"),
    "review": (review, "print what each decision of a player cost in a recorded game"),
    "practice": (practice, "practice decisions: choose, and be told what is best and why"),
    "meld": (meld, "print what a hand melds"),
    "legal": (legal, "print which cards of a hand are legal"),
    "solve": (solve, "print what each card is worth when all hands are known"),
    "completion": (completion, "print a script with which a shell completes the command line"),
}


def build_parser() -> argparse.ArgumentParser:
    """Return the parser for the arguments of all commands."""
    parser = Parser(
        prog="acesaround",
        description="Play pinochle, let bots play it, and check games.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"acesaround {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (command, text) in _COMMANDS.items():
        its = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        command.add_arguments(its)
        refuse_old_options(name, its)
    return parser


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status. `main` handles KeyboardInterrupt."""
    replace_unencodable_output()
    try:
        return _run_command(argv)
    finally:
        flush_all()


def _run_command(argv: Sequence[str] | None) -> int:
    try:
        try:
            arguments = build_parser().parse_args(argv)
            status = _COMMANDS[arguments.command][0].run(arguments)
        finally:  # also after --help, which raises SystemExit
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        return CLOSED_PIPE_STATUS
    except AcesAroundError as error:
        return _print_failure(*error.lines)
    except MemoryError:
        return _print_failure("there is not enough memory.")
    except OSError as error:
        file_prefix = f"{error.filename}: " if error.filename else ""
        reason = error.strerror or str(error).removesuffix(".") or type(error).__name__
        return _print_failure(f"{file_prefix}{reason}.")
    return status


def _print_failure(*sentences: str) -> int:
    with contextlib.suppress(OSError):  # standard error may be closed, too
        for sentence in sentences:
            print_error(one_line(f"acesaround: {sentence}"))
    return 1
