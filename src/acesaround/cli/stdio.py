"""Robust standard output and error: ASCII terminals, closed pipes and full disks.

A character that the terminal cannot show is replaced by a similar one in ASCII. A closed pipe, as
with `| head`, is no error: the command ends silently, as other programs do.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from typing import Final, TextIO

CLOSED: Final = 141
"""The exit status for a closed pipe: 128 + SIGPIPE."""

_NEAREST: Final = {
    **{"♠": "S", "♥": "H", "♦": "D", "♣": "C", "±": "+-", "µ": "u", "…": "..."},
    **dict.fromkeys("█▉▊▋▌", "#"),
    **dict.fromkeys("▍▎▏", ""),  # less than half a column at the end of a bar
}


def to_ascii(sign: str) -> str:
    """Return a character in ASCII: a suit's letter, a letter without accent, or its escape."""
    if (found := _NEAREST.get(sign)) is not None:
        return found
    import unicodedata

    plain: bytes = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore")
    return plain.decode() if plain.isalnum() else escaped(sign)


def escaped(sign: str) -> str:
    """Return a character as a JSON escape: a backslash, u and four hexadecimal digits."""
    number = ord(sign)
    if number < 0x10000:
        return f"\\u{number:04x}"
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"


def ascii_json(json: str) -> str:
    """Return the JSON in a form that standard output can encode, with escapes if necessary."""
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
    """Make standard output and error replace characters that they cannot encode."""
    codecs.register_error("acesaround", _plainly)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="acesaround")


def print_error(line: str) -> None:
    """Print a line on standard error, if there is one. Raises OSError."""
    if sys.stderr is not None:
        print(line, file=sys.stderr, flush=True)


def flush_all() -> None:
    """Flush standard output and error. Redirect a stream that fails to the null device."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            try:
                stream.flush()
            except OSError:
                _abandon(stream)


def _abandon(stream: TextIO) -> None:
    """Send further output to the null device, because Python would report the error at exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        stream.flush()
