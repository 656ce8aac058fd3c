"""How a value is written: in a sheet, and for people."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

NONE: Final = "none"
"""What is written for a value that is not there: TOML has no word of its own."""
LARGEST: Final = 1_000_000
"""The largest number of a sheet: nobody plays for more, and kernels add up many."""


def written(value: Any) -> str:
    """A value of a field as TOML; what else TOML can hold near enough to be recognised.

    Numbers, texts and lists of them are the same in JSON, but for one sign.
    """
    if value is None:
        return f'"{NONE}"'
    plain = msgspec.to_builtins(value, str_keys=True, enc_hook=str)
    return json.dumps(plain, ensure_ascii=False, default=str).replace("\x7f", "\\u007f")


def shown(value: Any) -> str:
    """The same for people: `yes`, `none`, `150, 1500`."""
    match value:
        case None:
            return NONE
        case bool():
            return "yes" if value else "no"
        case tuple() if value and all(isinstance(one, tuple) for one in value):
            return "; ".join(shown(one) for one in value)
        case tuple():
            return ", ".join(shown(one) for one in value) or NONE
        case _:
            return str(value)
