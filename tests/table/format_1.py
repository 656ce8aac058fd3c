"""Tables as the first release kept them: logs that name a variant and options, and no rules.

`format_1.jsonl` was written by that release: a line a table, played by rules of thumb, some to the
end and some not, with actions taken back; beside each log where it ended and the records it gave.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from acesaround.table import Table


class Stored(msgspec.Struct, frozen=True):
    """A log and where it led. `hands`: the cards of each seat at the end, in written order."""

    entries: list[dict[str, Any]]
    scores: tuple[int, ...]
    winner: int | None
    target: int
    deals: int
    hands: tuple[tuple[str, ...], ...]
    records: list[dict[str, Any]]

    def check(self, table: Table) -> None:
        """The table stands where it stood then."""
        state = table.game
        assert state is not None
        assert (state.scores, state.winner, state.target, state.deals) == (
            self.scores,
            self.winner,
            self.target,
            self.deals,
        )
        held = [tuple(map(str, state.hand(seat))) for seat in range(len(self.hands))]
        assert tuple(held) == self.hands


_FILE: Final = Path(__file__).parent / "format_1.jsonl"
TABLES: Final = [msgspec.json.decode(line, type=Stored) for line in _FILE.read_bytes().splitlines()]
