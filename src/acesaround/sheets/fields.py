"""The fields of a sheet: name, type, default and description of each, read from `Rules`.

A field that is added to `Rules` becomes a field of sheets without any change here.
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

UNSAID = ("variant",)
"""Fields that a sheet lacks, because the file or folder of the sheet names the variant."""
TRUTH: Final = "true or false"
TEXT: Final = "a text in quotes"


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
def parts() -> dict[str, type[msgspec.Struct]]:
    """Return the sections of a sheet by name, each a struct of `Rules`."""
    hints = get_type_hints(Rules)
    found = {name: _structs(hint) for name, hint in hints.items()}
    return {name: structs[0] for name, structs in found.items() if structs}


@cache
def may_lack(part: str) -> bool:
    """Return whether a game can lack that section."""
    return part in parts() and NoneType in get_args(get_type_hints(Rules)[part])


@cache
def fields() -> dict[str, Field]:
    """Return all fields by path: the top level first, then section by section."""
    owners: list[tuple[str, type[msgspec.Struct]]] = [("", Rules), *parts().items()]
    found = (field for part, owner in owners for field in _of(part, owner))
    return {field.path: field for field in found}


def _of(part: str, owner: type[msgspec.Struct]) -> Iterator[Field]:
    hints = get_type_hints(owner, include_extras=True)
    for one in msgspec.structs.fields(owner):
        if part or (one.name not in parts() and one.name not in UNSAID):
            yield Field(part, one.name, hints[one.name], one.default)


def values_of(rules: Rules) -> dict[str, Any]:
    """Return every value of a game by field path. A section that the game lacks has no values."""
    owners = {part: getattr(rules, part) for part in parts()} | {"": rules}
    return {
        path: getattr(owners[field.part], field.name)
        for path, field in fields().items()
        if owners[field.part] is not None
    }


@cache
def said(path: str) -> str:
    """Return the description of a field: its docstring in `rules`."""
    field = fields()[path]
    return _sentences(parts()[field.part] if field.part else Rules)[field.name]


@cache
def _sentences(owner: type[msgspec.Struct]) -> dict[str, str]:
    """Return the docstrings below the fields of a class, by field name.

    They are parsed from the source, because Python does not keep them at run time.
    """
    import ast  # local: slow to import, and needed only to write a sheet or a schema
    import inspect
    import textwrap

    (body,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    assert isinstance(body, ast.ClassDef)
    found = {}
    for one, below in zip(body.body, body.body[1:], strict=False):
        match one, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str() as text)):
                found[name] = " ".join(text.split())
    return found


def possible(wanted: Any) -> str:
    """Describe the possible values of a type: `a whole number from 1 to 6, or "none"`."""
    base, limits = _bare(wanted)
    inner = get_args(base)
    if NoneType in inner:
        others = [one for one in inner if one is not NoneType]
        return f'{possible(others[0])}, or "{NONE}"'
    if get_origin(base) in (Union, UnionType):
        return ", or ".join(possible(one) for one in inner)
    if base is bool:
        return TRUTH
    if isinstance(base, type) and issubclass(base, enum.Enum):
        return _or(f'"{one.value}"' for one in base)
    if base is int:
        return f"a whole number{_between(limits)}"
    if get_origin(base) is tuple and inner[-1] is Ellipsis:
        return _listed(inner[0], limits)
    if get_origin(base) is tuple:
        return f"[{', '.join('number' for _ in inner)}]"
    return TEXT


def _or(words: Iterable[str]) -> str:
    *rest, last = words
    return f"{', '.join(rest)} or {last}"


def _listed(one: Any, limits: dict[str, Any]) -> str:
    base, each = _bare(one)
    least, most = limits.get("min_length"), limits.get("max_length")
    many = f"{least} or more " if least else ""
    if most:
        many = f"{most} " if least == most else f"{least} to {most} "
    if base is int:
        return f"a list of {many}whole numbers{_between(each)}"
    if get_origin(base) is tuple:
        return f"a list of pairs, such as [{possible(base).replace('number', '10')}]"
    if isinstance(base, type) and issubclass(base, enum.Enum):
        return f"a list of {possible(base)}"
    if isinstance(base, type) and issubclass(base, msgspec.Struct):
        return f"a list of [{', '.join(base.__struct_fields__)}]"
    return "a list of names"


def _between(limits: dict[str, Any]) -> str:
    match limits.get("ge"), limits.get("le"):
        case None, None:
            return ""
        case least, None:
            return f", {least} or more"
        case least, most:
            return f" from {least} to {most}"


def _bare(wanted: Any) -> tuple[Any, dict[str, Any]]:
    """Split an annotated type into the plain type and its limits."""
    if get_origin(wanted) is not Annotated:
        return wanted, {}
    base, *metas = get_args(wanted)
    limits = {
        name: value
        for meta in metas
        if isinstance(meta, Meta)
        for name in ("ge", "le", "min_length", "max_length")
        if (value := getattr(meta, name)) is not None
    }
    return base, limits


def nullable(wanted: Any) -> bool:
    """Return whether a value of that type may be None."""
    return NoneType in get_args(_bare(wanted)[0])


def lists(wanted: Any) -> bool:
    """Return whether a value of that type is a list in TOML."""
    return get_origin(_bare(wanted)[0]) is tuple


def _structs(hint: Any) -> list[type[msgspec.Struct]]:
    inner = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return [one for one in inner if isinstance(one, type) and issubclass(one, msgspec.Struct)]
