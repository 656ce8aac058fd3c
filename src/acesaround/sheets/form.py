"""The fields of a sheet for a form on a page: by section, each with its possible values."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from acesaround.rules import Rules
from acesaround.sheets.fields import (
    Field,
    field_description,
    fields,
    is_optional_section,
    section_types,
    values_of,
)
from acesaround.sheets.format_values import NONE
from acesaround.sheets.parse import BASE
from acesaround.sheets.schema import field_schema, to_json_value
from acesaround.sheets.write import DERIVED_FIELDS

JsonSchema: TypeAlias = Annotated[dict[str, Any], msgspec.Meta(title="JsonSchema")]


class FormField(msgspec.Struct, frozen=True):
    """A field to fill in. `description`: its description. `allowed`: the allowed values."""

    path: str
    label: str
    description: str
    allowed: JsonSchema


class Section(msgspec.Struct, frozen=True):
    """A section of a sheet.

    `is_optional`: a game can lack it. `part` is empty for the top level.
    """

    part: str
    label: str
    description: str
    is_optional: bool
    fields: tuple[FormField, ...]


GAME_SECTION_SUMMARY: Final = "What the game is, and who plays it."


@cache
def form() -> tuple[Section, ...]:
    """Return the sections of the form, in the order of the rules.

    Fields in `DERIVED_FIELDS` are left out, because their values follow from the others.
    """
    summaries = {"": GAME_SECTION_SUMMARY} | {
        part: _first_line(owner) for part, owner in section_types().items()
    }
    shown_fields = [
        field for field in fields().values() if field.path not in (BASE, *DERIVED_FIELDS)
    ]
    return tuple(
        Section(
            part,
            _label(part or "game"),
            summary,
            is_optional_section(part),
            tuple(_form_field(field) for field in shown_fields if field.part == part),
        )
        for part, summary in summaries.items()
    )


def form_values(rules: Rules) -> dict[str, Any]:
    """Return the values of a game by path, as in a sheet. A section that it lacks is `NONE`."""
    missing_sections = {part: NONE for part in section_types() if getattr(rules, part) is None}
    return missing_sections | {
        path: to_json_value(value) for path, value in values_of(rules).items()
    }


@cache
def value_schema(path: str) -> JsonSchema:
    """Return the allowed values of a field."""
    return {
        key: schema for key, schema in field_schema(fields()[path]).items() if key != "description"
    }


def _form_field(field: Field) -> FormField:
    return FormField(
        field.path, _label(field.name), field_description(field.path), value_schema(field.path)
    )


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _first_line(owner: type[msgspec.Struct]) -> str:
    return (owner.__doc__ or "").split("\n")[0]
