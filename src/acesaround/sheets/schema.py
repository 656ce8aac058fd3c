"""The JSON Schema of rule sheets, with which editors complete and check them.

The schema is generated from `Rules`. `make schema` writes it to `sheet.schema.json` in this folder:

    python -m acesaround.sheets.schema
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import msgspec

from acesaround.sheets.fields import Field, fields, lists, may_lack, parts, said
from acesaround.sheets.format_values import NONE

SHIPPED: Final = Path(__file__).with_name("sheet.schema.json")
HEADINGS: Final = ("title", "description")
"""Schema keys of a type that are dropped, because the description of its field says more."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema, draft 2020-12."""
    told = {path: described(field) for path, field in fields().items()}
    top = {path: one for path, one in told.items() if path not in parts() and "." not in path}
    for part, owner in parts().items():
        its = {field.name: told[path] for path, field in fields().items() if field.part == part}
        section = _object(its, (owner.__doc__ or "").split("\n")[0])
        top[part] = {"anyOf": [section, {"const": NONE}]} if may_lack(part) else section
    about = "A rule sheet of Aces Around: a base and what differs from it, or a whole game."
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rule sheet",
        **_object(top, about),
    }


def text() -> str:
    """Return the schema as the text of its file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _object(properties: dict[str, Any], description: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "additionalProperties": False,
    }


def described(field: Field) -> dict[str, Any]:
    """Return the schema of a field: its description, possible values and default."""
    (found,), components = msgspec.json.schema_components([field.type])
    told = _in_toml(_whole(found, components))
    if lists(field.type) and told["items"].get("type") == "integer":
        told = {"anyOf": [told, told["items"]]}  # a list of one item may be written as the item
    usual = {} if field.default is msgspec.NODEFAULT else {"default": plain(field.default)}
    return {"description": said(field.path), **told, **usual}


def plain(value: Any) -> Any:
    """Convert a value to the form that TOML and JSON have."""
    return NONE if value is None else msgspec.json.decode(msgspec.json.encode(value))


def _whole(told: Any, components: dict[str, Any]) -> Any:
    """Return the schema of a type with all references resolved."""
    match told:
        case {"$ref": str() as name}:
            return _whole(components[name.rpartition("/")[2]], components)
        case dict():
            return {key: _whole(value, components) for key, value in told.items()}
        case list():
            return [_whole(one, components) for one in told]
        case _:
            return told


def _in_toml(told: Any) -> Any:
    """Return the schema with `NONE` in place of null, and without `HEADINGS`."""
    match told:
        case {"type": "null"}:
            return {"const": NONE}
        case dict():
            return {key: _in_toml(value) for key, value in told.items() if key not in HEADINGS}
        case list():
            return [_in_toml(one) for one in told]
        case _:
            return told


if __name__ == "__main__":
    SHIPPED.write_text(text(), encoding="utf-8")
