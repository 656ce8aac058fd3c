"""Terminals that show ASCII alone: what is written to them has cards as AS, and plain lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.drivers.linux_driver import LinuxDriver

_PLAIN: Final = str.maketrans(
    dict(zip("♠♥♦♣▶◀★✓✗·…→←↑↓“”‘’–—×•", "SHDC><*x!-.><^v\"\"''--x*", strict=True))  # noqa: RUF001 - what is replaced
    | dict.fromkeys(map(chr, range(0x2580, 0x25A0)), "#")  # blocks
    | dict.fromkeys("─━┄┅┈┉═▔▁", "-")
    | dict.fromkeys("│┃║▏▎▌▐▕", "|")
    | dict.fromkeys("╭╮╰╯┌┐└┘┏┓┗┛├┤┬┴┼╔╗╚╝╠╣╦╩╬", "+")
)


def needed(environ: Mapping[str, str], encoding: str | None) -> bool:
    """Whether a terminal shows no more: its locale or the encoding written to it says so."""
    everything, characters, language = (environ.get(n) for n in ("LC_ALL", "LC_CTYPE", "LANG"))
    if characters in _COERCED and language:
        characters = language
    locale = everything or characters or language or ""
    charset = locale.partition(".")[2].partition("@")[0] or "UTF-8"
    return locale in ("C", "POSIX") or not (_utf8(charset) and _utf8(encoding or ""))


_COERCED: Final = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python itself writes into `LC_CTYPE` in the locale C: the terminal knows nothing of it."""


def _utf8(name: str) -> bool:
    return name.lower().replace("-", "").replace("_", "") in ("utf8", "utf8sig")


def plain(text: str) -> str:
    """The same text in ASCII, sign for sign, so that it takes the same room."""
    return text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")


class PlainDriver(LinuxDriver):
    """Writes ASCII and nothing else."""

    def write(self, data: str) -> None:
        """Write to the terminal."""
        super().write(plain(data))
