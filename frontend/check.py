"""Runs the checks of the browser page with the Node of the environment, as part of `make check`.

Types, linter, format (`check`) and unit tests (`test`): each a script of `package.json`, and those
named on the command line alone. Where the page's packages cannot be fetched they are skipped, which
is said; with PAGE=required that is a failure.
"""

from __future__ import annotations

import os
import sys

from frontend import build
from frontend.build import npm


def fetched() -> bool:
    """Whether the packages are there, with those of checks and tests: fetched if need be."""
    return build.fetched("eslint") or npm("ci", "--no-audit", "--no-fund") == 0


def main() -> str | int:
    """Return the exit status, or the sentence of a failure."""
    try:
        there = fetched()
    except ImportError:
        there = False
    if there:
        return max(npm("run", "--silent", script) for script in sys.argv[1:] or ["check", "test"])
    sentence = "Skipped the checks of the browser page: its npm packages cannot be had here."
    if os.environ.get("PAGE") == "required":
        return sentence
    sys.stdout.write(sentence + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
