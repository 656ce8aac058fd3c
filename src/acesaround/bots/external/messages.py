"""The lines exchanged with an external program, encoded and decoded. See docs/protocol.md."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

import msgspec

from acesaround import __version__
from acesaround.actions import Action, Bid, CardSelections, LegalActions
from acesaround.errors import NotationError
from acesaround.game.json_format import view_to_json
from acesaround.game.state import Decision
from acesaround.game.view import View
from acesaround.legal_bids import Bids
from acesaround.record.model import action_from_json, action_to_json
from acesaround.rules import Rules

PROTOCOL_VERSION: Final = 2
"""The version of the protocol.

Keys may be added without a new version, because programs ignore unknown keys.
"""
QUIT: Final = b'{"type":"quit"}'

_MAX_LISTED_BIDS: Final = 12
_MAX_REASON_LENGTH: Final = 300
_MAX_BID: Final = 10**9


class ProgramAnswer(msgspec.Struct, frozen=True):
    """A decoded line of a program. `type`: "hello", "act" or "info"."""

    type: str
    name: str = ""
    action: list[Any] | None = None
    reason: str | None = None


def hello_line(rules: Rules, seat: int, limit_seconds: float) -> bytes:
    """Return the first line: the rules, the seat, and the seconds for a decision."""
    return msgspec.json.encode(
        {
            "type": "hello",
            "protocol": PROTOCOL_VERSION,
            "program": f"acesaround {__version__}",
            "seat": seat,
            "limit": limit_seconds,
            "rules": msgspec.to_builtins(rules),
        }
    )


def decide_line(view: View, decision: Decision) -> bytes:
    """Return the line that asks for an action. Of the game it contains only the view."""
    decision_data = {"kind": decision.kind, **describe_legal(decision.legal)}
    return msgspec.json.encode(
        {"type": "decide", "decision": decision_data, "view": msgspec.Raw(view_to_json(view))}
    )


def describe_legal(legal: LegalActions) -> dict[str, Any]:
    """Return the legal actions: a list, or the parameters of very many actions.

    Bids: `bids` has all of them, or the lowest ones and the `steps` by which they continue. Card
    selections: `sizes`, the numbers of cards that may be chosen from the hand.
    """
    if isinstance(legal, Bids):
        return {
            "may_pass": legal.may_pass,
            "bids": list(islice(legal.bids(), _MAX_LISTED_BIDS)),
            "steps": legal.steps if legal.is_unbounded else None,
        }
    if isinstance(legal, CardSelections):
        return {"sizes": list(legal.sizes)}
    return {"legal": [action_to_json(0, action)[1:] for action in legal]}


def parse_answer(line: bytes) -> ProgramAnswer:
    """Decode a line of a program. Raises ValueError, which says what is wrong with the line."""
    try:
        parsed = msgspec.json.decode(line, type=ProgramAnswer)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ValueError(f"{_printable(line)} ({str(error) or 'nested too deeply'})") from None
    if parsed.type not in ("hello", "act", "info"):
        raise ValueError(f"{_printable(line)} (its type is not hello, act or info)")
    return parsed


def action_and_reason(program_answer: ProgramAnswer) -> tuple[Action, str]:
    """Return the action and the reason of an answer; the reason is "" if there is none.

    Raises ValueError if the answer has no valid action.
    """
    if program_answer.type != "act" or program_answer.action is None:
        raise ValueError("its answer has no action")
    try:
        parsed = action_from_json([0, *program_answer.action])[1]
    except (NotationError, RecursionError) as error:
        raise ValueError(str(error).rstrip(".")) from None
    if isinstance(parsed, Bid) and abs(parsed.points) > _MAX_BID:
        raise ValueError("a bid that no game allows")
    words = "".join(
        character if character.isprintable() else " " for character in program_answer.reason or ""
    ).split()
    return parsed, " ".join(words)[:_MAX_REASON_LENGTH]


def _printable(line: bytes) -> str:
    """Return the beginning of a line in printable form."""
    return ascii(line[:80].decode(errors="replace")) + ("..." if len(line) > 80 else "")
