"""Writes `schema.json`: what server and page say to each other, for the page's types.

Run by `make schema` after a change to the messages; tests/table/test_messages.py tells when.
"""

from __future__ import annotations

import json
from pathlib import Path

from acesaround.table.messages import schema

if __name__ == "__main__":
    target = Path(__file__).with_name("schema.json")
    target.write_text(json.dumps(schema(), indent=1) + "\n", encoding="utf-8")
