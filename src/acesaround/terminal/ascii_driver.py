"""A Textual driver for terminals that show only ASCII: cards as AS, frames of plain characters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.drivers.linux_driver import LinuxDriver

_ASCII_REPLACEMENTS: Final = str.maketrans(
    dict(zip("♠♥♦♣▶◀★✓✗·…→←↑↓“”‘’–—×•", "SHDC><*x!-.><^v\"\"''--x*", strict=True))  # noqa: RUF001 - what is replaced
    | dict.fromkeys(map(chr, range(0x2580, 0x25A0)), "#")  # blocks
    | dict.fromkeys("─━┄┅┈┉═▔▁", "-")
    | dict.fromkeys("│┃║▏▎▌▐▕", "|")
    | dict.fromkeys("╭╮╰╯┌┐└┘┏┓┗┛├┤┬┴┼╔╗╚╝╠╣╦╩╬", "+")
)


def needs_ascii(environ: Mapping[str, str], encoding: str | None) -> bool:
    """Return whether a terminal shows only ASCII, according to its locale or output encoding."""
    lc_all, lc_ctype, lang = (environ.get(n) for n in ("LC_ALL", "LC_CTYPE", "LANG"))
    if lc_ctype in _COERCED_LC_CTYPE and lang:
        lc_ctype = lang
    locale = lc_all or lc_ctype or lang or ""
    charset = locale.partition(".")[2].partition("@")[0] or "UTF-8"
    return locale in ("C", "POSIX") or not (_is_utf8(charset) and _is_utf8(encoding or ""))


_COERCED_LC_CTYPE: Final = ("C.UTF-8", "C.utf8", "UTF-8")
"""Values of `LC_CTYPE` that Python sets in the C locale. They do not describe the terminal."""


def _is_utf8(name: str) -> bool:
    return name.lower().replace("-", "").replace("_", "") in ("utf8", "utf8sig")


def to_ascii(text: str) -> str:
    """Replace each character by one in ASCII, so that the width does not change."""
    return text.translate(_ASCII_REPLACEMENTS).encode("ascii", "replace").decode("ascii")


class AsciiDriver(LinuxDriver):
    """A driver that writes only ASCII."""

    def write(self, data: str) -> None:
        """Write `data` to the terminal as ASCII."""
        super().write(to_ascii(data))
