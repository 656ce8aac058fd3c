"""What a house-rules form shows: each option of a variant, made from its rules object."""

from __future__ import annotations

import enum
from typing import Any

from acesaround.options import OPTIONS
from acesaround.rules import Rules


def described(rules: Rules) -> dict[str, Any]:
    """A variant as the browser needs it. `usual`: the number of players if none is chosen."""
    return {
        "variant": rules.variant,
        "title": rules.title,
        "players": sorted(rules.players),
        "usual": rules.seats,
        "options": [_option(rules, name) for name in rules.options],
    }


def _option(rules: Rules, name: str) -> dict[str, Any]:
    """An option; `choices` is null for numbers and for yes or no."""
    option, preset = OPTIONS[name], rules.option(name)
    choices = list(option.choices)
    if not choices and isinstance(preset, enum.Enum):
        choices = [member.value for member in type(preset)]
    return {
        "name": name,
        "values": option.values,
        "summary": option.summary,
        "choices": choices or None,
        "preset": preset,
    }
