"""The command line program `acesaround`: reads arguments and prints answers.

Each command has a file with `add_arguments` and `run`, which prints the answer. The work itself is
done in other packages. `commands` chooses the command and reports errors. `argument_types`,
`table_arguments` and `hand_arguments` have arguments that several commands share. `output` and
`stdio` print on any terminal or pipe.

Every error that a user can cause gives one line on standard error and a non-zero exit status. So
does Ctrl-C, once the imports of this module are done.
"""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status."""
    try:
        from acesaround.cli import commands

        return commands.run(argv)
    except KeyboardInterrupt:
        if argv is None:  # called as the program: a second Ctrl-C kills it silently
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        if sys.stderr is not None:
            with contextlib.suppress(OSError):  # standard error may be closed
                print("acesaround: interrupted.", file=sys.stderr, flush=True)
        return 130
