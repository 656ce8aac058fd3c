"""What reads the words of a command."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NoReturn

from acesaround.cli.output import one_line

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """One line for a wrong argument, instead of the usage and a line."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Help, which argparse itself would lose without a word where it cannot be written."""
        if stream := file or sys.stderr:
            stream.write(message)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and end with status 2."""
        self.exit(2, one_line(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")
