"""The argument parser of all commands."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NoReturn

from acesaround.cli.output import one_line

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that reports a wrong argument in one line, without the usage."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Print help, and raise errors of writing it, which argparse itself would hide."""
        if stream := file or sys.stderr:
            stream.write(message)

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with status 2."""
        self.exit(2, one_line(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")
