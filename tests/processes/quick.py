"""A server in a process of its own whose bots do not wait: `python -m tests.processes.quick`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from acesaround.server.serve import run
from acesaround.server.settings import Pace, Settings

if __name__ == "__main__":
    port, workers, changes = json.loads(sys.argv[1])
    settings = Settings(
        pace=Pace(0.0, 0.0, 0.0, 0.0, 0.0),
        static=Path("nowhere"),
        **{
            "secret": "a secret only for tests",
            "credits": 100_000,
            "http_credits": 100_000,
            "talk": 100_000,
            **changes,
        },
    )
    sys.exit(run(settings, "127.0.0.1", port, workers))
