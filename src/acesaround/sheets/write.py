"""Writing a sheet from rules: as short as possible, or with a comment on every field."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Set
from typing import Any, Final

from msgspec.structs import replace

from acesaround.errors import ContradictionError
from acesaround.rules import Rules
from acesaround.sheets.fields import (
    BOOLEAN_DESCRIPTION,
    TEXT_DESCRIPTION,
    describe_type,
    field_description,
    fields,
    section_types,
    values_of,
)
from acesaround.sheets.format_values import NONE, to_toml
from acesaround.sheets.parse import BASE, NOT_INHERITED, build_rules, complete_values

HEADER: Final = """\
# A rule sheet of Aces Around. What you leave out is as in the game that `base` names.
# Change what your table plays in another way, and play it: acesaround play my.toml
"""
WHOLE_GAME_HEADER: Final = """\
# A rule sheet of Aces Around. It describes a whole game, so it has no `base`.
# Change what your table plays in another way, and play it: acesaround play my.toml
"""
DERIVED_FIELDS: Final = ("seats", "exchange.bury", "phases", "options")
"""Fields that a starter sheet comments out if their values follow from the other fields."""


def write(rules: Rules, bases: Mapping[str, Rules]) -> str:
    """Return a sheet of those rules without needless values. Reading it gives the same rules."""
    base = bases.get(rules.base)
    if base is None:
        rules = replace(rules, base="")
    base_values = {} if base is None else values_of(base)
    inherited = {path: value for path, value in base_values.items() if path not in NOT_INHERITED}
    missing_sections = {
        part
        for part in section_types()
        if getattr(rules, part) is None and _has_section(part, inherited)
    }
    needed = values_of(rules)
    for path in tuple(needed):
        reduced = {other: value for other, value in needed.items() if other != path}
        if (path != BASE or base is None) and _gives_same_rules(
            rules, reduced, missing_sections, inherited
        ):
            needed = reduced
    return "\n".join(_sheet_lines(needed, missing_sections)) + "\n"


def write_values(values: Mapping[str, Any], missing_sections: Set[str]) -> str:
    """Return the sheet with exactly those values and those missing sections."""
    return "\n".join(_sheet_lines(values, missing_sections)) + "\n"


def starter_sheet(rules: Rules, bases: Mapping[str, Rules]) -> str:
    """Return a starter sheet: all values of a game, each with its description and possible values.

    Its base is that game if `bases` has it, else the base of that game. Without a base, the sheet
    states the whole game, labels included.
    """
    base = next((name for name in (rules.variant, rules.base) if name in bases), "")
    values = values_of(rules)
    if base:
        values |= dict.fromkeys(NOT_INHERITED, "") | {"title": rules.title, BASE: base}
    else:
        del values[BASE]
    missing_sections = {part for part in section_types() if getattr(rules, part) is None}
    base_values = values_of(bases[base]) if base else {}
    inherited = {path: value for path, value in base_values.items() if path not in NOT_INHERITED}
    needed = {path: value for path, value in values.items() if path not in DERIVED_FIELDS}
    derived = complete_values(rules.variant, needed, missing_sections, inherited)
    commented_out = {path for path in DERIVED_FIELDS if derived.get(path) == values.get(path)}
    header = HEADER if base else WHOLE_GAME_HEADER
    return (
        header
        + "\n"
        + "\n".join(
            _sheet_lines(values, missing_sections, with_comments=True, commented_out=commented_out)
        )
        + "\n"
    )


def _gives_same_rules(
    rules: Rules, values: Mapping[str, Any], missing_sections: Set[str], base: Mapping[str, Any]
) -> bool:
    """Return whether a sheet with those values gives these rules."""
    all_values = complete_values(rules.variant, values, missing_sections, base)
    try:
        return build_rules(rules.variant, all_values) == rules
    except (ContradictionError, TypeError):  # TypeError: a field is missing
        return False


def _has_section(part: str, values: Mapping[str, Any]) -> bool:
    return any(fields()[path].part == part for path in values)


def _sheet_lines(
    values: Mapping[str, Any],
    missing_sections: Set[str],
    *,
    with_comments: bool = False,
    commented_out: Container[str] = (),
) -> Iterator[str]:
    """Yield the lines of a sheet with those values.

    `with_comments`: write a comment on each field. `commented_out`: fields to comment out.
    """
    for part in ("", *section_types()):
        section_paths = [
            path for path, field in fields().items() if field.part == part and path in values
        ]
        if part == "":
            section_paths.sort(key=lambda path: path != BASE)
        elif part in missing_sections:
            continue
        elif section_paths:
            yield from ("", f"[{part}]")
        for path in section_paths:
            if with_comments:
                yield f"# {field_description(path)}{_possible_text(path)}"
            prefix = "# " if path in commented_out else ""
            yield f"{prefix}{fields()[path].name} = {to_toml(values[path])}"
        if part == "":
            for section in sorted(missing_sections):
                yield f'{section} = "{NONE}"'


def _possible_text(path: str) -> str:
    """Return the possible values as a sentence; empty if the type is obvious."""
    description = describe_type(fields()[path].type)
    return (
        ""
        if description in (BOOLEAN_DESCRIPTION, TEXT_DESCRIPTION)
        else f" Possible: {description}."
    )
