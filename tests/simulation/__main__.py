"""Run a world: `python -m tests.simulation SEED`."""

from __future__ import annotations

import os
import sys

if os.environ.get("PYTHONHASHSEED") != "0":  # sets iterate in the same order in every run
    os.execve(
        sys.executable,
        [sys.executable, "-m", "tests.simulation", *sys.argv[1:]],
        {**os.environ, "PYTHONHASHSEED": "0"},
    )

from tests.simulation import environment

environment.install()

from tests.simulation.command import main  # noqa: E402 - after the clock is replaced

sys.exit(main(sys.argv[1:]))
