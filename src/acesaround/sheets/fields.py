"""The fields of a sheet: name, type, default and description of each, read from `Rules`.

A field that is added to `Rules` becomes a field of sheets without a change of this module.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from acesaround.rules import Rules
from acesaround.sheets.format_values import NONE

FIELDS_NOT_IN_SHEETS = ("variant",)
"""Fields that a sheet lacks, because the file or folder of the sheet names the variant."""
BOOLEAN_DESCRIPTION: Final = "true or false"
TEXT_DESCRIPTION: Final = "a text in quotes"


class Field(msgspec.Struct, frozen=True):
    """A field of a sheet. `part`: its section, empty for the top level."""

    part: str
    name: str
    type: Any
    default: Any
    """The value if a whole game does not set the field; `NODEFAULT` if the field is required."""

    @property
    def path(self) -> str:
        """The path in the rules object, such as `deal.kitty`."""
        return f"{self.part}.{self.name}" if self.part else self.name


@cache
def section_types() -> dict[str, type[msgspec.Struct]]:
    """Return the sections of a sheet by name, each a struct of `Rules`."""
    hints = get_type_hints(Rules)
    structs_by_name = {name: _struct_types(hint) for name, hint in hints.items()}
    return {name: structs[0] for name, structs in structs_by_name.items() if structs}


@cache
def is_optional_section(part: str) -> bool:
    """Return whether a game can lack that section."""
    return part in section_types() and NoneType in get_args(get_type_hints(Rules)[part])


@cache
def fields() -> dict[str, Field]:
    """Return all fields by path: the top level first, then section by section."""
    owners: list[tuple[str, type[msgspec.Struct]]] = [("", Rules), *section_types().items()]
    all_fields = (field for part, owner in owners for field in _struct_fields(part, owner))
    return {field.path: field for field in all_fields}


def _struct_fields(part: str, owner: type[msgspec.Struct]) -> Iterator[Field]:
    hints = get_type_hints(owner, include_extras=True)
    for field in msgspec.structs.fields(owner):
        if part or (field.name not in section_types() and field.name not in FIELDS_NOT_IN_SHEETS):
            yield Field(part, field.name, hints[field.name], field.default)


def values_of(rules: Rules) -> dict[str, Any]:
    """Return every value of a game by field path. A section that the game lacks has no values."""
    owners = {part: getattr(rules, part) for part in section_types()} | {"": rules}
    return {
        path: getattr(owners[field.part], field.name)
        for path, field in fields().items()
        if owners[field.part] is not None
    }


@cache
def field_description(path: str) -> str:
    """Return the description of a field: its docstring in `rules`."""
    field = fields()[path]
    return _field_docstrings(section_types()[field.part] if field.part else Rules)[field.name]


@cache
def _field_docstrings(owner: type[msgspec.Struct]) -> dict[str, str]:
    """Return the docstrings below the fields of a class, by field name.

    They are parsed from the source, because Python does not keep them at run time.
    """
    import ast  # local: slow to import, and needed only to write a sheet or a schema
    import inspect
    import textwrap

    (body,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    assert isinstance(body, ast.ClassDef)
    docstrings = {}
    for node, next_node in zip(body.body, body.body[1:], strict=False):
        match node, next_node:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str() as text)):
                docstrings[name] = " ".join(text.split())
    return docstrings


def describe_type(annotation: Any) -> str:
    """Describe the possible values of a type: `a whole number from 1 to 6, or "none"`."""
    base, limits = _split_annotated(annotation)
    inner = get_args(base)
    if NoneType in inner:
        others = [item for item in inner if item is not NoneType]
        return f'{describe_type(others[0])}, or "{NONE}"'
    if get_origin(base) in (Union, UnionType):
        return ", or ".join(describe_type(item) for item in inner)
    if base is bool:
        return BOOLEAN_DESCRIPTION
    if isinstance(base, type) and issubclass(base, enum.Enum):
        return _join_with_or(f'"{item.value}"' for item in base)
    if base is int:
        return f"a whole number{_range_text(limits)}"
    if get_origin(base) is tuple and inner[-1] is Ellipsis:
        return _describe_list(inner[0], limits)
    if get_origin(base) is tuple:
        return f"[{', '.join(describe_type(item) for item in inner)}]"
    return TEXT_DESCRIPTION


def _join_with_or(words: Iterable[str]) -> str:
    *rest, last = words
    return f"{', '.join(rest)} or {last}"


def _describe_list(item_type: Any, limits: dict[str, Any]) -> str:
    base, item_limits = _split_annotated(item_type)
    least, most = limits.get("min_length"), limits.get("max_length")
    count_text = f"{least} or more " if least else ""
    if most:
        count_text = f"{most} " if least == most else f"{least} to {most} "
    if base is int:
        return f"a list of {count_text}whole numbers{_range_text(item_limits)}"
    if get_origin(base) is tuple:
        return f"a list of pairs: {describe_type(base)}"
    if isinstance(base, type) and issubclass(base, enum.Enum):
        return f"a list of {describe_type(base)}"
    if isinstance(base, type) and issubclass(base, msgspec.Struct):
        return f"a list of [{', '.join(base.__struct_fields__)}]"
    return "a list of names"


def _range_text(limits: dict[str, Any]) -> str:
    match limits.get("ge"), limits.get("le"):
        case None, None:
            return ""
        case least, None:
            return f", {least} or more"
        case least, most:
            return f" from {least} to {most}"


def _split_annotated(annotation: Any) -> tuple[Any, dict[str, Any]]:
    """Split an annotated type into the plain type and its limits."""
    if get_origin(annotation) is not Annotated:
        return annotation, {}
    base, *metas = get_args(annotation)
    limits = {
        name: value
        for meta in metas
        if isinstance(meta, Meta)
        for name in ("ge", "le", "min_length", "max_length")
        if (value := getattr(meta, name)) is not None
    }
    return base, limits


def is_nullable(annotation: Any) -> bool:
    """Return whether a value of that type may be None."""
    return NoneType in get_args(_split_annotated(annotation)[0])


def is_list(annotation: Any) -> bool:
    """Return whether a value of that type is a list in TOML."""
    return get_origin(_split_annotated(annotation)[0]) is tuple


def _struct_types(hint: Any) -> list[type[msgspec.Struct]]:
    inner = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return [
        candidate
        for candidate in inner
        if isinstance(candidate, type) and issubclass(candidate, msgspec.Struct)
    ]
