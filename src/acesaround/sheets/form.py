"""The fields of a sheet for a form on a page: by section, each with its possible values."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from acesaround.rules import Rules
from acesaround.sheets.fields import Field, fields, may_lack, parts, said, values_of
from acesaround.sheets.format_values import NONE
from acesaround.sheets.parse import BASE
from acesaround.sheets.schema import described, plain
from acesaround.sheets.write import FOLLOWING

JsonSchema: TypeAlias = Annotated[dict[str, Any], msgspec.Meta(title="JsonSchema")]


class Blank(msgspec.Struct, frozen=True):
    """A field to fill in. `says`: its description. `may`: the allowed values."""

    path: str
    label: str
    says: str
    may: JsonSchema


class Section(msgspec.Struct, frozen=True):
    """A section of a sheet. `may_lack`: a game can lack it. `part` is empty for the top level."""

    part: str
    label: str
    says: str
    may_lack: bool
    fields: tuple[Blank, ...]


ABOUT: Final = "What the game is, and who plays it."


@cache
def form() -> tuple[Section, ...]:
    """Return the sections of the form, in the order of the rules.

    Fields in `FOLLOWING` are left out, because their values follow from the others.
    """
    owners = {"": ABOUT} | {part: _first_line(owner) for part, owner in parts().items()}
    shown = [field for field in fields().values() if field.path not in (BASE, *FOLLOWING)]
    return tuple(
        Section(
            part,
            _label(part or "game"),
            says,
            may_lack(part),
            tuple(_blank(field) for field in shown if field.part == part),
        )
        for part, says in owners.items()
    )


def filled(rules: Rules) -> dict[str, Any]:
    """Return the values of a game by path, as in a sheet. A section that it lacks is `NONE`."""
    lacking = {part: NONE for part in parts() if getattr(rules, part) is None}
    return lacking | {path: plain(value) for path, value in values_of(rules).items()}


@cache
def may(path: str) -> JsonSchema:
    """Return the allowed values of a field."""
    return {key: told for key, told in described(fields()[path]).items() if key != "description"}


def _blank(field: Field) -> Blank:
    return Blank(field.path, _label(field.name), said(field.path), may(field.path))


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _first_line(owner: type[msgspec.Struct]) -> str:
    return (owner.__doc__ or "").split("\n")[0]
