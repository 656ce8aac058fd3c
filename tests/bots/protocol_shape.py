"""The shape of the messages to external bots: each key with the types of its value.

`python -m tests.bots.protocol_shape` records the shape of this version of the protocol in
`protocol_shape.json`. Under the same number it records only added keys.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from acesaround import game, variants
from acesaround.bots.external import messages
from acesaround.game.state import DecisionKind
from acesaround.game.view import View, view_for
from acesaround.rules import Rules
from tests.scripted_games import Table, deal

RECORDED: Final = Path(__file__).with_name("protocol_shape.json")


def flatten(schema: Any, defined: dict[str, Any], path: str, found: dict[str, list[str]]) -> None:
    """Add each path of a JSON Schema to `found`, with the types that a value may have there."""
    if "$ref" in schema:
        flatten(defined[schema["$ref"].rsplit("/", 1)[1]], defined, path, found)
        return
    for kind in schema.get("anyOf", ()):
        flatten(kind, defined, path, found)
    if "enum" in schema:
        found.setdefault(path, []).extend(repr(child) for child in schema["enum"])
    elif "type" in schema:
        found.setdefault(path, []).append(schema["type"])
    for key, child in schema.get("properties", {}).items():
        flatten(child, defined, f"{path}.{key}", found)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            flatten(schema[key], defined, f"{path}[]", found)
    for number, child in enumerate(schema.get("prefixItems", ())):
        flatten(child, defined, f"{path}[{number}]", found)


def shape() -> dict[str, Any]:
    """Return the number of the protocol, and the keys and types of its messages."""
    schemas, defined = msgspec.json.schema_components(
        [View, Rules], schema_hook=lambda kind: {"type": kind.__name__}
    )
    found: dict[str, list[str]] = {}
    for name, schema in zip(("decide.view", "hello.rules"), schemas, strict=True):
        flatten(schema, defined, name, found)
    rules = variants.THREE_HANDED
    table = Table(rules, deal(rules, {}))
    hello = json.loads(messages.hello_line(rules, 0, 10.0))
    decide = json.loads(messages.decide_line(view_for(table.state, 1), game.decision(table.state)))
    for kind, line in (("hello", hello), ("decide", decide)):
        for key, value in line.items():
            found.setdefault(f"{kind}.{key}", [type(value).__name__])
    found["decide.decision.kind"] = [repr(kind.value) for kind in DecisionKind]
    return {
        "protocol": messages.PROTOCOL_VERSION,
        "keys": {key: sorted(set(found[key])) for key in found},
    }


def changed_keys(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return the keys that are missing or have other types."""
    return [key for key, types in before["keys"].items() if now["keys"].get(key) != types]


def main() -> str | None:
    """Record the shape, or return why it cannot be recorded."""
    before, now = json.loads(RECORDED.read_text()), shape()
    if before["protocol"] == now["protocol"] and (changed := changed_keys(before, now)):
        return (
            f"Programs would break: raise PROTOCOL in bots/external/messages.py. Changed: {changed}"
        )
    RECORDED.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n")
    return None


if __name__ == "__main__":
    sys.exit(main())
