"""The command `acesaround`: arguments in, lines out. What each command does stands elsewhere.

One file a command: which words it takes (`words`), and how its answer is printed (`run`). `program`
chooses among them and says what went wrong, `numbers` and `table` read what several take, `lines`
and `asking` print what several answer, and `streams` sees that it can be printed anywhere.

Every error a person can cause ends in one line on standard error and a non-zero exit status. So
does Ctrl-C, once the few modules below are imported.
"""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    try:
        from acesaround.cli import commands

        return commands.run(argv)
    except KeyboardInterrupt:
        if argv is None:  # this is the program: it ends, and a second one ends it without a word
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        if sys.stderr is not None:
            with contextlib.suppress(OSError):  # nobody may be reading that
                print("acesaround: interrupted.", file=sys.stderr, flush=True)
        return 130
