"""In what a game differs from its base, in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from acesaround.rules import Rules
from acesaround.sheets.fields import parts, said, values_of
from acesaround.sheets.format_values import shown

LABELS: Final = ("title", "source", "short", "description", "author", "base", "options")
"""Fields by which nobody plays differently."""


def changed(rules: Rules, base: Rules) -> tuple[str, ...]:
    """The paths of the fields in which two games differ; of a section that one lacks, its name."""
    now, before = values_of(rules), values_of(base)
    sections = [
        part for part in parts() if (getattr(rules, part) is None) != (getattr(base, part) is None)
    ]
    paths = [path for path in now if path in before and now[path] != before[path]]
    return tuple(path for path in (*sections, *paths) if path not in LABELS)


def changes(rules: Rules, base: Rules) -> Iterator[str]:
    """A sentence for each difference, such as `The lowest bid: 200 instead of 250`."""
    now, before = values_of(rules), values_of(base)
    for path in changed(rules, base):
        if path in parts():
            yield f"No {path}." if getattr(rules, path) is None else f"There is {path}."
        else:
            yield f"{_name(path)}: {_value(path, now)} instead of {_value(path, before)}."


def _name(path: str) -> str:
    """What a field is, without what its sentence explains."""
    return re.split(r"[:;]", said(path).removesuffix("."))[0]


def _value(path: str, values: dict[str, Any]) -> str:
    """A value in words: what it means to have none says the field's own sentence."""
    value = values[path]
    meaning = re.search(r"; none: (.*)\.$", said(path))
    return meaning[1] if meaning and value in (None, ()) else shown(value)
