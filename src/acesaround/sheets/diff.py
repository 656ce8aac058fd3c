"""The differences between a game and its base, in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from acesaround.rules import Rules
from acesaround.sheets.fields import parts, said, values_of
from acesaround.sheets.format_values import shown

LABELS: Final = ("title", "source", "short", "description", "author", "base", "options")
"""Fields that do not change the play."""


def changed(rules: Rules, base: Rules) -> tuple[str, ...]:
    """Return the paths of the fields in which two games differ.

    For a section that only one of them has, return the section's name instead.
    """
    now, before = values_of(rules), values_of(base)
    sections = [
        part for part in parts() if (getattr(rules, part) is None) != (getattr(base, part) is None)
    ]
    paths = [path for path in now if path in before and now[path] != before[path]]
    return tuple(path for path in (*sections, *paths) if path not in LABELS)


def changes(rules: Rules, base: Rules) -> Iterator[str]:
    """Yield a sentence for each difference, such as `The lowest bid: 200 instead of 250`."""
    now, before = values_of(rules), values_of(base)
    for path in changed(rules, base):
        if path in parts():
            yield f"No {path}." if getattr(rules, path) is None else f"There is {path}."
        else:
            yield f"{_name(path)}: {_value(path, now)} instead of {_value(path, before)}."


def _name(path: str) -> str:
    """Return the label of a field: its description up to the first colon or semicolon."""
    return re.split(r"[:;]", said(path).removesuffix("."))[0]


def _value(path: str, values: dict[str, Any]) -> str:
    """Return a value in words. The field's description may say what an empty value means."""
    value = values[path]
    meaning = re.search(r"; none: (.*)\.$", said(path))
    return meaning[1] if meaning and value in (None, ()) else shown(value)
