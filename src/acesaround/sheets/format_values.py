"""Formatting of values: as TOML in a sheet, and as text for people."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

NONE: Final = "none"
"""The word for a missing value, because TOML has no null."""


def to_toml(value: Any) -> str:
    """Return a value as TOML. Values that no field has, such as dates, become recognisable text.

    The value is written as JSON, which differs from TOML only in the escape of one character, DEL.
    """
    if value is None:
        return f'"{NONE}"'
    builtins_value = msgspec.to_builtins(value, str_keys=True, enc_hook=str)
    return json.dumps(builtins_value, ensure_ascii=False, default=str).replace("\x7f", "\\u007f")


def to_text(value: Any) -> str:
    """Return a value as text for people: `yes`, `none`, `150, 1500`."""
    match value:
        case None:
            return NONE
        case bool():
            return "yes" if value else "no"
        case tuple() if value and all(isinstance(item, tuple) for item in value):
            return "; ".join(to_text(item) for item in value)
        case tuple():
            return ", ".join(to_text(item) for item in value) or NONE
        case _:
            return str(value)
