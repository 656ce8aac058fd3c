"""Standard output and standard error, whatever they are: plain terminals, closed pipes, full disks.

A sign that a terminal does not have is printed as the nearest it has. A reader who goes away, as
`| head` does, is no error: a command then ends as other programs do, without a word.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from typing import Final, TextIO

CLOSED: Final = 141
"""The exit status where nobody reads any more: 128 and the number of the signal of broken pipes."""

_NEAREST: Final = {
    **{"♠": "S", "♥": "H", "♦": "D", "♣": "C", "±": "+-", "µ": "u", "…": "..."},
    **dict.fromkeys("█▉▊▋▌", "#"),
    **dict.fromkeys("▍▎▏", ""),  # less than half of a bar's last piece
}


def to_ascii(sign: str) -> str:
    """A sign in ASCII: the letter of a suit, a letter without its accent, or its number."""
    if (found := _NEAREST.get(sign)) is not None:
        return found
    import unicodedata

    plain: bytes = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore")
    return plain.decode() if plain.isalnum() else escaped(sign)


def escaped(sign: str) -> str:
    """A sign by its number, as JSON writes it: a backslash, u and four hexadecimal digits."""
    number = ord(sign)
    if number < 0x10000:
        return f"\\u{number:04x}"
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"


def ascii_json(json: str) -> str:
    """JSON that says the same where standard output has fewer signs."""
    try:
        json.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return "".join(sign if sign.isascii() else escaped(sign) for sign in json)
    return json


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(to_ascii, error.object[error.start : error.end])), error.end


def print_every_sign() -> None:
    """From now on nothing that is printed fails for a sign that the terminal does not have."""
    codecs.register_error("acesaround", _plainly)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="acesaround")


def print_error(line: str) -> None:
    """A line on standard error, if there is one. Raises OSError."""
    if sys.stderr is not None:
        print(line, file=sys.stderr, flush=True)


def flush_all() -> None:
    """Write what is still to be written; where that cannot be, see that nothing more is tried."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            try:
                stream.flush()
            except OSError:
                _abandon(stream)


def _abandon(stream: TextIO) -> None:
    """What is still written goes nowhere: the interpreter would complain of it when it ends."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        stream.flush()
