"""Reading a sheet: from TOML to `Rules`, with all faults reported at once.

A sheet either names a `base`, whose values apply if the sheet sets none, or states the whole game.
It can leave out values that follow from the others (see `derived_fields`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from acesaround.cards import SUITS
from acesaround.errors import ContradictionError, Fault, NotationError, value_fault
from acesaround.rules import HouseMeld, Rules
from acesaround.sheets.derived_fields import with_derived_fields
from acesaround.sheets.errors import SheetError, SheetFault
from acesaround.sheets.fields import (
    describe_type,
    fields,
    is_list,
    is_nullable,
    is_optional_section,
    section_types,
    values_of,
)
from acesaround.sheets.format_values import NONE, to_toml
from acesaround.sheets.line_numbers import LineLocator
from acesaround.sheets.text_fields import why_invalid_text
from acesaround.sheets.toml_errors import toml_fault
from acesaround.sheets.unused_values import unused_value_faults

BASE: Final = "base"
"""The field that names the base game."""
_MAX_LOCATED_FAULTS: Final = 50
"""The most faults that are reported with lines, because each needs several parts to be parsed."""
NOT_INHERITED: Final = ("title", "short", "description", "author", BASE)
"""Labels that a sheet does not inherit from its base."""


def read(
    text: str | bytes,
    name: str,
    bases: Mapping[str, Rules],
    source: str,
    *,
    was_stored: bool = False,
) -> Rules:
    """Return the rules of a sheet.

    `text`: the sheet; bytes are UTF-8. `name`: the key of the game. `bases`: the games that may be
    its base. `source`: the origin of the text, for error messages. `was_stored`: the sheet was read
    and stored before, so values without effect are not reported. Raises SheetError.
    """
    text = _decode_text(text, source)
    sheet = _SheetParser(_parse_toml(text, source), was_stored)
    rules = sheet.build(name, bases)
    if rules is None:
        raise SheetError(source, sheet.faults_with_lines(text))
    return rules


class Draft(NamedTuple):
    """A sheet that is being edited: its faults, and its rules if there are no faults.

    `values`: the readable values, by path. `missing_sections`: the sections that the sheet says are
    missing.
    """

    rules: Rules | None
    faults: tuple[Fault, ...]
    values: dict[str, Any]
    missing_sections: frozenset[str]


def draft(values: Mapping[str, Any], name: str, bases: Mapping[str, Rules]) -> Draft:
    """Read a sheet that is given as values by field path, in the form that TOML has."""
    toml_values: dict[str, Any] = {}
    for path, value in values.items():
        part, _, field = path.partition(".")
        section = toml_values.setdefault(part, {}) if field else toml_values
        if isinstance(section, dict):  # else `part` has a plain value, which `_SheetParser` handles
            section[field or part] = value
    sheet = _SheetParser(toml_values)
    rules = sheet.build(name, bases)
    return Draft(rules, tuple(sheet.faults), sheet.set_values, frozenset(sheet.missing_sections))


def _decode_text(text: str | bytes, source: str) -> str:
    """Return the text of a sheet without the byte order mark that some editors write.

    Raises SheetError if it is not UTF-8.
    """
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise SheetError(source, [SheetFault(line, "", "This is not text in UTF-8.")]) from None


def _parse_toml(text: str, source: str) -> dict[str, Any]:
    """Return the values of a TOML text. Raises SheetError if it is not TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError also for huge numbers
        raise SheetError(source, [toml_fault(text, error)]) from None


class _SheetParser:
    """A sheet that is being read."""

    def __init__(self, toml_values: dict[str, Any], was_stored: bool = False) -> None:
        self.toml_values, self.was_stored = toml_values, was_stored
        self.set_values: dict[str, Any] = {}
        """The values that the sheet sets, by path."""
        self.missing_sections: set[str] = set()
        """The sections that the sheet says are missing."""
        self.faults: list[Fault] = []

    def faults_with_lines(self, text: str) -> list[SheetFault]:
        """Return the first `_MAX_LOCATED_FAULTS` faults, each with its line in `text`."""
        lines = LineLocator(text)
        return [self._locate_fault(lines, fault) for fault in self.faults[:_MAX_LOCATED_FAULTS]]

    def build(self, name: str, bases: Mapping[str, Rules]) -> Rules | None:
        """Return the rules of the sheet, or None if something is wrong."""
        base = self._base_values(bases)
        self._read_values()
        return None if base is None else self._build(name, base)

    def _base_values(self, bases: Mapping[str, Rules]) -> dict[str, Any] | None:
        """Return the values of the base: empty without a base, None if the base is unknown."""
        name = self.toml_values.get(BASE)
        if name is None:
            return {}
        if not isinstance(name, str) or name not in bases:
            closest = _closest_name(str(name).lower(), bases)
            hint = f"did you mean {closest}?" if closest else f"expected one of {', '.join(bases)}."
            self._add_fault(BASE, f"{BASE} cannot be {to_toml(name)}: {hint}")
            return None
        return {
            path: value
            for path, value in values_of(bases[name]).items()
            if path not in NOT_INHERITED
        }

    def _read_values(self) -> None:
        """Read every value except a base that was refused."""
        refused = {path for fault in self.faults for path in fault.fields}
        for key, value in self.toml_values.items():
            if key in refused:
                continue
            if key not in section_types():
                self._read_value(key, value)
            elif isinstance(value, dict):
                for name, inner in value.items():
                    self._read_value(f"{key}.{name}", inner)
            elif value == NONE and is_optional_section(key):
                self.missing_sections.add(key)
            else:
                self._add_fault(key, f"{key} cannot be {to_toml(value)}: it is a section, [{key}].")

    def _build(self, name: str, base: dict[str, Any]) -> Rules | None:
        """Return the rules of the sheet's and the base's values, or None if there is a fault."""
        values = complete_values(name, self.set_values, self.missing_sections, base)
        refused = {path for fault in self.faults for path in fault.fields}
        if missing := list(_missing_field_faults(values)):
            self.faults += [fault for fault in missing if refused.isdisjoint(fault.fields)]
            return None
        try:
            rules = build_rules(name, values)
        except ContradictionError as error:
            # `values` has no refused value, so faults of its field would mislead.
            self.faults += [one for one in error.faults if refused.isdisjoint(one.fields)]
            return None
        if not self.was_stored:
            set_paths = self.set_values.keys()
            self.faults += [
                one for one in unused_value_faults(rules) if not set_paths.isdisjoint(one.fields)
            ]
        return None if self.faults else rules

    def _read_value(self, path: str, value: object) -> None:
        field = fields().get(path)
        if field is None:
            self._add_fault(path, _unknown_field_sentence(path, value))
            return
        if isinstance(value, int) and is_list(field.type):
            value = [value]  # a list of one item may be written as the item
        try:
            converted = None if value == NONE and is_nullable(field.type) else value
            parsed = msgspec.convert(converted, field.type)
        except msgspec.ValidationError:
            expected = describe_type(field.type)
            self.faults.append(value_fault(path, path, to_toml(value), expected))
            return
        if problem := why_invalid_text(path, parsed):
            self.faults.append(Fault(f"{path} {problem}", (path,), f"It {problem}"))
        else:
            self.set_values[path] = parsed

    def _add_fault(self, path: str, sentence: str) -> None:
        self.faults.append(Fault(sentence, (path,)))

    def _locate_fault(self, lines: LineLocator, fault: Fault) -> SheetFault:
        """Return the fault with the line of its first field in the sheet, else of its section."""
        sections = [_section_of(path) or path for path in fault.fields]
        for path in (*fault.fields, *sections, BASE):
            if (line := lines.line_of(_toml_keys(path))) is not None:
                prefix = (
                    f"{path} = {to_toml(self.set_values[path])}: "
                    if path in self.set_values
                    else ""
                )
                start = "" if f"{path.rpartition('.')[2]} = " in fault.sentence else prefix
                return SheetFault(line, path, start + fault.sentence)
        return SheetFault(1, "", fault.sentence)


def complete_values(
    name: str,
    set_values: Mapping[str, Any],
    missing_sections: Collection[str],
    base: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the values of the whole game: the base's, the sheet's own and the derived ones."""
    values = {"title": name, "source": "", **base, **set_values}
    values = {
        path: value for path, value in values.items() if _section_of(path) not in missing_sections
    }
    return with_derived_fields(values, set_values, base)


def build_rules(name: str, values: Mapping[str, Any]) -> Rules:
    """Return the rules of those values. Raises ContradictionError with all faults."""
    sections: dict[str, dict[str, Any]] = {part: {} for part in ("", *section_types())}
    for path, value in values.items():
        sections[_section_of(path)][path.rpartition(".")[2]] = value
    faults: list[Fault] = []
    section_structs: dict[str, msgspec.Struct | None] = {}
    for part, owner in section_types().items():
        try:
            section_structs[part] = (
                owner(**sections[part]) if sections[part] or not is_optional_section(part) else None
            )
        except ContradictionError as error:
            faults += error.faults
    if faults:
        raise ContradictionError(*faults)
    return Rules(variant=name, **section_structs, **sections[""])  # type: ignore[arg-type]  # by their fields


def _missing_field_faults(values: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each required field that is missing.

    `seats` is not required, because it follows from the numbers of players.
    """
    present_sections = {_section_of(path) for path in values}
    for path, field in fields().items():
        is_missing = field.default is msgspec.NODEFAULT and path not in values and path != "seats"
        if is_missing and (field.part in present_sections or not is_optional_section(field.part)):
            where = f"[{field.part}]" if field.part else "the sheet"
            sentence = f"{field.name} is missing in {where}: expected {describe_type(field.type)}"
            yield Fault(f"{sentence}, or a {BASE} that has it.", (path,))


def _section_of(path: str) -> str:
    """Return the section of a field path, empty for the top level."""
    return path.partition(".")[0] if "." in path else ""


def _toml_keys(path: str) -> tuple[str, ...]:
    """Return the TOML keys of a path. The path of an unknown field may itself contain dots."""
    part, _, name = path.partition(".")
    return (part, name) if part in section_types() and name else (path,)


def _closest_name(name: str, known: Iterable[str]) -> str:
    """Return the known name that is most similar, empty if none is similar."""
    from difflib import get_close_matches  # local: needed only for a misspelt name

    return next(iter(get_close_matches(name, known, 1)), "")


def _unknown_field_sentence(path: str, value: object) -> str:
    part, name = _section_of(path), path.partition(".")[2] or path
    if part not in section_types():
        part, name = "", path  # a quoted key that contains a dot
    known = [field.name for field in fields().values() if field.part == part]
    where = f"the section [{part}]" if part else "a sheet"
    if not part:
        known += section_types()
    closest = _closest_name(name, known)
    shown = path if path.replace(".", "").isidentifier() else to_toml(path)
    if part == "melds" and (meld := _as_house_meld(name, value)):
        example = to_toml([meld])
        return (
            f"{shown} is not a field: write melds of your own as others, such as others = "
            f"{example}."
        )
    same_name_paths = [field.path for field in fields().values() if field.name == name]
    if closest:
        return f"{shown} is not a field: did you mean {closest}?"
    if same_name_paths:
        return (
            f"{shown} is not a field: did you mean {same_name_paths[0]}, in "
            f"[{_section_of(same_name_paths[0])}]?"
        )
    return f"{shown} is not a field: {where} has {', '.join(known)}."


def _as_house_meld(name: str, value: object) -> HouseMeld | None:
    """Return the custom meld of a value that is cards, or cards and points; None for others."""
    match value:
        case str() as cards:
            points = 80
        case [str() as cards, int() as points]:
            pass
        case _:
            return None
    meld = HouseMeld(name, cards, points)
    try:
        return meld if meld.cards_in_trump(SUITS[0]) else None
    except NotationError:
        return None
