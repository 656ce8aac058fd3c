"""The story of a world for people to read: who sent what, and what the servers did."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

_WIDTH: Final = 160
_SHORT_ID: Final = 6  # characters of a table's id


def tell(story: Sequence[tuple[Any, ...]]) -> Iterator[str]:
    """Yield one line for each step."""
    people: dict[int, str] = {}
    for number, (seconds, kind, *facts) in enumerate(story):
        if kind == "connect":
            people[facts[2]] = f"{facts[0]}#{facts[2]}"
        yield f"{number:6} {seconds:9.3f}  {_line(kind, facts, people)}"[:_WIDTH]


def _line(kind: str, facts: list[Any], people: dict[int, str]) -> str:
    match kind, facts:
        case "sent", [number, text]:
            return f"          {people.get(number, number)} <- {_message(text)}"
        case "say", [_, number, text]:
            return f"{people.get(number, number)} -> {text}"
        case "connect", [name, server, number]:
            return f"{name}#{number} connects to {server}"
        case (("cut" | "reset" | "stall" | "close" | "does not read"), [number, *rest]):
            return f"{kind} {people.get(number, number)} {_facts(rest)}"
        case "stored", [table_id, seq, body]:
            return f"     log {table_id[-_SHORT_ID:]}.{seq} {body.decode()}"
        case "told", [name, text]:
            return f"          {name} reads {text}"
        case "ask", [name, method, path, body]:
            return f"{name} -> {method} {path} {'' if body is None else json.dumps(body)}"
        case "answer", [path, status, body]:
            return f"          {path} answers {status} {body.decode(errors='replace')}"
    return f"{kind}: {_facts(facts)}"


def _facts(facts: Sequence[object]) -> str:
    return " ".join(f"{fact:.3f}" if isinstance(fact, float) else str(fact) for fact in facts)


def _message(text: str) -> str:
    """Return the important parts of a message to a client."""
    message = json.loads(text)
    if message["type"] != "state":
        return text
    table, decision = message["table"], message["decision"]
    present = "".join(
        "B" if not seat["person"] else "P" if seat["present"] else "-" for seat in table["seats"]
    )
    facts = [
        f"state {message['seq']}",
        f"seat {table['you']}",
        f"seats {present}",
        *(["may " + decision["kind"]] if decision else []),
        *(["paused"] if table["paused"] else []),
        *([f"asked {table['proposal']['kind']}"] if table["proposal"] else []),
        *(["over"] if table["over"] else []),
        *([event["type"] for event in message["events"]]),
    ]
    return ", ".join(facts)
