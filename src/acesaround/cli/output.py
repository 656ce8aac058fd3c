"""Formatting of the lines that commands print."""

from __future__ import annotations

from acesaround.cli.stdio import ascii_json


def one_line(sentence: str) -> str:
    """Escape unprintable characters in a sentence, and shorten it if it is long."""
    printable = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in sentence)
    return printable if len(printable) <= 600 else printable[:400] + " ... " + printable[-100:]


def json_line(answer: object) -> str:
    """Encode an answer as a line of JSON."""
    import msgspec

    return ascii_json(msgspec.json.encode(answer).decode())
