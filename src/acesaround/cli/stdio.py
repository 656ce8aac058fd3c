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

CLOSED_PIPE_STATUS: Final = 141
"""The exit status for a closed pipe: 128 + SIGPIPE."""

_ASCII_REPLACEMENTS: Final = {
    **{"♠": "S", "♥": "H", "♦": "D", "♣": "C", "±": "+-", "µ": "u", "…": "...", "•": "*"},
    **dict.fromkeys("█▉▊▋▌", "#"),
    **dict.fromkeys("▍▎▏", ""),  # less than half a column at the end of a bar
}


def to_ascii(character: str) -> str:
    """Return a character in ASCII: a suit's letter, a letter without accent, or its escape."""
    if (replacement := _ASCII_REPLACEMENTS.get(character)) is not None:
        return replacement
    import unicodedata

    plain: bytes = unicodedata.normalize("NFKD", character).encode("ascii", "ignore")
    return plain.decode() if plain.isalnum() else json_escape(character)


def json_escape(character: str) -> str:
    """Return a character as a JSON escape: a backslash, u and four hexadecimal digits."""
    code_point = ord(character)
    if code_point < 0x10000:
        return f"\\u{code_point:04x}"
    code_point -= 0x10000
    return f"\\u{0xD800 + (code_point >> 10):04x}\\u{0xDC00 + (code_point & 0x3FF):04x}"


def ascii_json(json: str) -> str:
    """Return the JSON in a form that standard output can encode, with escapes if necessary."""
    try:
        json.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return "".join(
            character if character.isascii() else json_escape(character) for character in json
        )
    return json


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(to_ascii, error.object[error.start : error.end])), error.end


def replace_unencodable_output() -> None:
    """Make standard output and error replace characters that they cannot encode."""
    codecs.register_error("acesaround", _replace_unencodable)
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
                _redirect_to_null_device(stream)


def _redirect_to_null_device(stream: TextIO) -> None:
    """Send further output to the null device, because Python would report the error at exit."""
    with contextlib.suppress(OSError, ValueError):
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, stream.fileno())
        os.close(null_device)
        stream.flush()
