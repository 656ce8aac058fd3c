"""Runs the checks of the browser page with the Node of the environment, as part of `make check`.

They are scripts of `package.json`: types, linter and format (`check`) and unit tests (`test`).
Words on the command line select some of them. If the npm packages cannot be fetched, one sentence
says that the checks are skipped; with PAGE=required that is a failure.
"""

from __future__ import annotations

import os
import sys

from frontend import build
from frontend.build import npm


def install_packages() -> bool:
    """Install the npm packages of the page and its checks. Return whether they are there."""
    return build.is_installed("eslint") or npm("ci", "--no-audit", "--no-fund") == 0


def main() -> str | int:
    """Return the exit status, or the sentence of a failure."""
    try:
        installed = install_packages()
    except ImportError:
        installed = False
    if installed:
        return max(npm("run", "--silent", script) for script in sys.argv[1:] or ["check", "test"])
    sentence = "Skipped the checks of the browser page: its npm packages cannot be had here."
    if os.environ.get("PAGE") == "required":
        return sentence
    sys.stdout.write(sentence + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
