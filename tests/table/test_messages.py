from __future__ import annotations

import json
from pathlib import Path

from acesaround.table.messages import schema

FILE = Path(__file__).parent.parent.parent / "frontend" / "schema.json"


def test_the_pages_types_are_made_from_the_messages_as_they_are() -> None:
    written = json.loads(FILE.read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(schema())), "run `make schema`"
