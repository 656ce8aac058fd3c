"""Lines that a command prints."""

from __future__ import annotations

from acesaround.cli.stdio import ascii_json


def one_line(sentence: str) -> str:
    """A sentence that may quote anything, printable and short enough to be read."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in sentence)
    return shown if len(shown) <= 600 else shown[:400] + " ... " + shown[-100:]


def json(answer: object) -> str:
    """An answer as a line of JSON."""
    import msgspec

    return ascii_json(msgspec.json.encode(answer).decode())
