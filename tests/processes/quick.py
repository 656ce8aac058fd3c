"""A server in a process of its own whose bots do not wait: `python -m tests.processes.quick`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from acesaround.server.serve import run
from acesaround.server.settings import Pace, Settings

from acesaround.server.live import Live
import time, os
_s=Live._step
async def step(self):
    t=time.time(); sys.stderr.write(f"{t:.2f} step {self.table.seq} before={self._hub.presence.before(self.id)}\n")
    try:
        await _s(self)
    finally:
        sys.stderr.write(f"{time.time():.2f} done {self.table.seq} took {time.time()-t:.2f} {sys.exc_info()[0]}\n")
Live._step=step
_h=Live.hear
def hear(self, seq):
    sys.stderr.write(f"{time.time():.2f} hear {seq} at {self.table.seq} behind={self._behind} reader={self._reader is not None}\n")
    _h(self, seq)
Live.hear=hear
if __name__ == "__main__":
    port, workers, changes = json.loads(sys.argv[1])
    settings = Settings(
        secret="a secret only for tests",
        pace=Pace(0.0, 0.0, 0.0, 0.0),
        credits=100_000,
        http_credits=100_000,
        static=Path("nowhere"),
        **changes,
    )
    sys.exit(run(settings, "127.0.0.1", port, workers))
