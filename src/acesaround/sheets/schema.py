"""The JSON Schema of rule sheets, with which editors complete and check them.

The schema is generated from `Rules`. `make schema` writes it to `sheet.schema.json` in this folder:

    python -m acesaround.sheets.schema
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from acesaround.sheets.fields import (
    Field,
    field_description,
    fields,
    is_list,
    is_optional_section,
    section_types,
)
from acesaround.sheets.format_values import NONE
from acesaround.sheets.parse import BASE
from acesaround.sheets.text_fields import MAX_LENGTHS, REQUIRED_TEXT

SCHEMA_FILE: Final = Path(__file__).with_name("sheet.schema.json")
DROPPED_KEYS: Final = ("title", "description")
"""Schema keys of a type that are dropped, because the description of its field says more."""


def schema(bases: Iterable[str] = ()) -> dict[str, Any]:
    """Return the JSON Schema, draft 2020-12.

    `bases`: the names that `base` may have; without any, the schema allows every name.
    """
    field_schemas = {path: field_schema(field) for path, field in fields().items()}
    for path, max_length in MAX_LENGTHS.items():
        field_schemas[path]["maxLength"] = max_length
    field_schemas[REQUIRED_TEXT]["minLength"] = 1
    if names := list(bases):
        field_schemas[BASE]["enum"] = names
    properties = {
        path: property_schema
        for path, property_schema in field_schemas.items()
        if path not in section_types() and "." not in path
    }
    for part, owner in section_types().items():
        section_properties = {
            field.name: field_schemas[path]
            for path, field in fields().items()
            if field.part == part
        }
        section = _object_schema(section_properties, (owner.__doc__ or "").split("\n")[0])
        properties[part] = (
            {"anyOf": [section, {"const": NONE}]} if is_optional_section(part) else section
        )
    description = "A rule sheet of Aces Around: a base and what differs from it, or a whole game."
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rule sheet",
        **_object_schema(properties, description),
    }


def schema_text(bases: Iterable[str] = ()) -> str:
    """Return the schema as the text of its file. `bases`: see `schema`."""
    return json.dumps(schema(bases), indent=2, ensure_ascii=False) + "\n"


def _object_schema(properties: dict[str, Any], description: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "additionalProperties": False,
    }


def field_schema(field: Field) -> dict[str, Any]:
    """Return the schema of a field: its description, possible values and default."""
    (type_schema,), components = msgspec.json.schema_components([field.type])
    toml_schema = _toml_schema(_resolve_refs(type_schema, components))
    if is_list(field.type) and toml_schema["items"].get("type") == "integer":
        toml_schema = {
            "anyOf": [toml_schema, toml_schema["items"]]
        }  # a list of one item may be written as the item
    default = (
        {} if field.default is msgspec.NODEFAULT else {"default": to_json_value(field.default)}
    )
    return {"description": field_description(field.path), **toml_schema, **default}


def to_json_value(value: Any) -> Any:
    """Convert a value to the form that TOML and JSON have."""
    return NONE if value is None else msgspec.json.decode(msgspec.json.encode(value))


def _resolve_refs(node: Any, components: dict[str, Any]) -> Any:
    """Return the schema of a type with all references resolved."""
    match node:
        case {"$ref": str() as name}:
            return _resolve_refs(components[name.rpartition("/")[2]], components)
        case dict():
            return {key: _resolve_refs(value, components) for key, value in node.items()}
        case list():
            return [_resolve_refs(item, components) for item in node]
        case _:
            return node


def _toml_schema(node: Any) -> Any:
    """Return the schema with `NONE` in place of null, and without `DROPPED_KEYS`."""
    match node:
        case {"type": "null"}:
            return {"const": NONE}
        case dict():
            return {
                key: _toml_schema(value) for key, value in node.items() if key not in DROPPED_KEYS
            }
        case list():
            return [_toml_schema(item) for item in node]
        case _:
            return node


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
