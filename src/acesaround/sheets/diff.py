"""The differences between a game and its base, in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from acesaround.rules import Rules
from acesaround.sheets.fields import field_description, fields, section_types, values_of
from acesaround.sheets.format_values import to_text
from acesaround.sheets.parse import complete_values

LABEL_FIELDS: Final = ("title", "source", "short", "description", "author", "base", "options")
"""Fields that do not change the play."""
_FOLLOWING_FIELDS: Final = (
    *("players", "seats", "deal.hand", "exchange.bury", "phases", "deal.all_asked"),
)
"""Fields whose values may follow from other values of a sheet, so that people need not read them.

`players` is first: the number that plays says more than a list of that number alone.
"""


def changed_paths(rules: Rules, base: Rules) -> tuple[str, ...]:
    """Return the paths of the fields in which two games differ.

    For a section that only one of them has, return the section's name instead. Leave out fields
    whose values follow from the others.
    """
    values, base_values = values_of(rules), values_of(base)
    sections = [
        part
        for part in section_types()
        if (getattr(rules, part) is None) != (getattr(base, part) is None)
    ]
    paths = [path for path in values if path in base_values and values[path] != base_values[path]]
    paths = [path for path in paths if path not in LABEL_FIELDS]
    removed = {part for part in sections if getattr(rules, part) is None}
    added = {path: value for path, value in values.items() if path not in base_values}

    def derived_from(stated: list[str]) -> dict[str, Any]:
        set_values = {path: values[path] for path in stated} | added
        return complete_values(rules.variant, set_values, removed, base_values)

    for path in _FOLLOWING_FIELDS:
        others = [other for other in paths if other != path]
        if path in paths and (others or sections) and derived_from(others)[path] == values[path]:
            paths = others
    return (*sections, *paths)


def change_sentences(rules: Rules, base: Rules) -> Iterator[str]:
    """Yield a sentence for each difference, such as `The lowest bid: 200 instead of 250`."""
    values, base_values = values_of(rules), values_of(base)
    for path in changed_paths(rules, base):
        if path in section_types() and getattr(rules, path) is None:
            yield f"No {path}."
        elif path in section_types():
            yield f"There is {'an' if path[0] in 'aeiou' else 'a'} {path}."
            for added in values:
                if fields()[added].part == path:
                    yield f"{_field_label(added)}: {_value_text(added, values)}."
        else:
            yield (
                f"{_field_label(path)}: {_value_text(path, values)} instead of "
                f"{_value_text(path, base_values)}."
            )


def _field_label(path: str) -> str:
    """Return the label of a field: its description up to the first colon or semicolon."""
    return re.split(r"[:;]", field_description(path).removesuffix("."))[0]


def _value_text(path: str, values: dict[str, Any]) -> str:
    """Return a value in words. The field's description may say what an empty value means."""
    value = values[path]
    meaning = re.search(r"; none: (.*)\.$", field_description(path))
    return meaning[1] if meaning and value in (None, ()) else to_text(value)
