"""Reading a sheet: from TOML to `Rules`, with all faults reported at once.

A sheet either names a `base`, whose values apply where the sheet sets none, or states the whole
game. It can leave out values that follow from the others (see `derived_fields`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from acesaround.cards import SUITS
from acesaround.errors import ContradictionError, Fault, NotationError
from acesaround.rules import NamedMeld, Rules
from acesaround.sheets.derived_fields import following
from acesaround.sheets.errors import SheetError, Wrong
from acesaround.sheets.fields import fields, lists, may_lack, nullable, parts, possible, values_of
from acesaround.sheets.format_values import LARGEST, NONE, written
from acesaround.sheets.line_numbers import Lines
from acesaround.sheets.text_fields import why_not
from acesaround.sheets.toml_errors import unreadable
from acesaround.sheets.unused_values import vain

BASE: Final = "base"
"""The field that names the base game."""
OWN: Final = ("title", "short", "description", "author", BASE)
"""Labels that a sheet does not inherit from its base."""


def read(
    text: str | bytes, name: str, bases: Mapping[str, Rules], source: str, *, kept: bool = False
) -> Rules:
    """Return the rules of a sheet.

    `text`: the sheet; bytes are UTF-8. `name`: the key of the game. `bases`: the games that may be
    its base. `source`: the origin of the text, for error messages. `kept`: the sheet was read and
    stored before, so values without effect are not reported. Raises SheetError.
    """
    text = _decoded(text, source)
    sheet = _Sheet(_told(text, source), kept)
    made = sheet.rules(name, bases)
    if made is None:
        raise SheetError(source, sheet.placed(text))
    return made


class Draft(NamedTuple):
    """A sheet that is being edited: its faults, and its rules if there are no faults.

    `said`: the readable values, by path. `without`: the sections that the sheet says are missing.
    """

    rules: Rules | None
    faults: tuple[Fault, ...]
    said: dict[str, Any]
    without: frozenset[str]


def draft(values: Mapping[str, Any], name: str, bases: Mapping[str, Rules]) -> Draft:
    """Read a sheet that is given as values by field path, in the form that TOML has."""
    told: dict[str, Any] = {}
    for path, value in values.items():
        part, _, field = path.partition(".")
        section = told.setdefault(part, {}) if field else told
        if isinstance(section, dict):  # else `part` has a plain value, which `_Sheet` handles
            section[field or part] = value
    sheet = _Sheet(told)
    made = sheet.rules(name, bases)
    return Draft(made, tuple(sheet.wrong), sheet.said, frozenset(sheet.without))


def _decoded(text: str | bytes, source: str) -> str:
    """Return the text of a sheet without the byte order mark that some editors write.

    Raises SheetError if it is not UTF-8.
    """
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise SheetError(source, [Wrong(line, "", "This is no text in UTF-8.")]) from None


def _told(text: str, source: str) -> dict[str, Any]:
    """Return the values of a TOML text. Raises SheetError if it is not TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError also for huge numbers
        raise SheetError(source, [unreadable(text, error)]) from None


class _Sheet:
    """A sheet that is being read."""

    def __init__(self, told: dict[str, Any], kept: bool = False) -> None:
        self.told, self.kept = told, kept
        self.said: dict[str, Any] = {}
        """The values that the sheet sets, by path."""
        self.without: set[str] = set()
        """The sections that the sheet says are missing."""
        self.wrong: list[Fault] = []

    def placed(self, text: str) -> list[Wrong]:
        """Return all faults, each with its line in `text`."""
        lines = Lines(text)
        return [self._placed(lines, fault) for fault in self.wrong]

    def rules(self, name: str, bases: Mapping[str, Rules]) -> Rules | None:
        """Return the rules of the sheet, or None if something is wrong."""
        base = self._base(bases)
        self._read()
        return None if base is None else self._made(name, base)

    def _base(self, bases: Mapping[str, Rules]) -> dict[str, Any] | None:
        """Return the values of the base: empty without a base, None if the base is unknown."""
        name = self.told.get(BASE)
        if name is None:
            return {}
        if not isinstance(name, str) or name not in bases:
            near = _near(str(name).lower(), bases)
            other = f"did you mean {near}?" if near else f"expected one of {', '.join(bases)}."
            self._fault(BASE, f"{BASE} cannot be {written(name)}: {other}")
            return None
        return {path: value for path, value in values_of(bases[name]).items() if path not in OWN}

    def _read(self) -> None:
        """Read every value except a base that was refused."""
        refused = {path for fault in self.wrong for path in fault.fields}
        for key, value in self.told.items():
            if key in refused:
                continue
            if key not in parts():
                self._value(key, value)
            elif isinstance(value, dict):
                for name, inner in value.items():
                    self._value(f"{key}.{name}", inner)
            elif value == NONE and may_lack(key):
                self.without.add(key)
            else:
                self._fault(key, f"{key} cannot be {written(value)}: it is a section, [{key}].")

    def _made(self, name: str, base: dict[str, Any]) -> Rules | None:
        """Return the rules of the sheet's and the base's values, or None if there is a fault."""
        have = whole(name, self.said, self.without, base)
        refused = {path for fault in self.wrong for path in fault.fields}
        if lacking := list(_lacking(have)):
            self.wrong += [fault for fault in lacking if refused.isdisjoint(fault.fields)]
            return None
        try:
            found = made(name, have)
        except ContradictionError as error:
            # A refused value is missing here, so faults of its field would mislead.
            self.wrong += [one for one in error.faults if refused.isdisjoint(one.fields)]
            return None
        if not self.kept:
            said = self.said.keys()
            self.wrong += [one for one in vain(found) if not said.isdisjoint(one.fields)]
        return None if self.wrong else found

    def _value(self, path: str, value: object) -> None:
        field = fields().get(path)
        if field is None:
            self._fault(path, _unknown(path, value))
            return
        if _large(value):
            self._fault(path, f"{path} cannot be so large: numbers go to {LARGEST}.")
            return
        if isinstance(value, int) and lists(field.type):
            value = [value]  # a list of one item may be written as the item
        try:
            found = None if value == NONE and nullable(field.type) else value
            said = msgspec.convert(found, field.type)
        except msgspec.ValidationError:
            shown = written(value)
            self._fault(path, f"{path} cannot be {shown}: expected {possible(field.type)}.")
            return
        if why := why_not(path, said):
            self._fault(path, why)
        else:
            self.said[path] = said

    def _fault(self, path: str, sentence: str) -> None:
        self.wrong.append(Fault(sentence, (path,)))

    def _placed(self, lines: Lines, fault: Fault) -> Wrong:
        """Return the fault with the line of its first field in the sheet, else of its section."""
        sections = [_part(path) or path for path in fault.fields]
        for path in (*fault.fields, *sections, BASE):
            if (line := lines.of(_keys(path))) is not None:
                shown = f"{path} = {written(self.said[path])}: " if path in self.said else ""
                start = "" if f"{path.rpartition('.')[2]} = " in fault.sentence else shown
                return Wrong(line, path, start + fault.sentence)
        return Wrong(1, "", fault.sentence)


def whole(
    name: str, said: Mapping[str, Any], without: Collection[str], base: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the values of the whole game: the base's, the sheet's own and the derived ones."""
    have = {"title": name, "source": "", **base, **said}
    have = {path: value for path, value in have.items() if _part(path) not in without}
    return following(have, said, base)


def made(name: str, have: Mapping[str, Any]) -> Rules:
    """Return the rules of those values. Raises ContradictionError with all faults."""
    sections: dict[str, dict[str, Any]] = {part: {} for part in ("", *parts())}
    for path, value in have.items():
        sections[_part(path)][path.rpartition(".")[2]] = value
    faults: list[Fault] = []
    found: dict[str, msgspec.Struct | None] = {}
    for part, owner in parts().items():
        try:
            found[part] = owner(**sections[part]) if sections[part] or not may_lack(part) else None
        except ContradictionError as error:
            faults += error.faults
    if faults:
        raise ContradictionError(*faults)
    return Rules(variant=name, **found, **sections[""])  # type: ignore[arg-type]  # by their fields


def _lacking(have: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each required field that is missing.

    `seats` is not required, because it follows from the numbers of players.
    """
    there = {_part(path) for path in have}
    for path, field in fields().items():
        wanted = field.default is msgspec.NODEFAULT and path not in have and path != "seats"
        if wanted and (field.part in there or not may_lack(field.part)):
            where = f"[{field.part}]" if field.part else "the sheet"
            lack = f"{field.name} is missing in {where}: expected {possible(field.type)}"
            yield Fault(f"{lack}, or a {BASE} that says it.", (path,))


def _part(path: str) -> str:
    """Return the section of a field path, empty for the top level."""
    return path.partition(".")[0] if "." in path else ""


def _keys(path: str) -> tuple[str, ...]:
    """Return the TOML keys of a path. The path of an unknown field may itself contain dots."""
    part, _, name = path.partition(".")
    return (part, name) if part in parts() and name else (path,)


def _large(value: object) -> bool:
    """Return whether the value is or contains a number larger than `LARGEST`."""
    if isinstance(value, list):
        return any(_large(one) for one in value)
    return isinstance(value, int) and abs(value) > LARGEST


def _near(name: str, known: Iterable[str]) -> str:
    """Return the known name that is most similar, empty if none is similar."""
    from difflib import get_close_matches  # local: needed only for a misspelt name

    return next(iter(get_close_matches(name, known, 1)), "")


def _unknown(path: str, value: object) -> str:
    part, name = _part(path), path.partition(".")[2] or path
    if part not in parts():
        part, name = "", path  # a quoted key that contains a dot
    known = [field.name for field in fields().values() if field.part == part]
    where = f"the section [{part}]" if part else "a sheet"
    if not part:
        known += parts()
    near = _near(name, known)
    shown = path if path.replace(".", "").isidentifier() else written(path)
    if part == "melds" and (own := _own(name, value)):
        its = written([own])
        return f"{shown} is no field: melds of your own stand in others, such as others = {its}."
    elsewhere = [field.path for field in fields().values() if field.name == name]
    if near:
        return f"{shown} is no field: did you mean {near}?"
    if elsewhere:
        return f"{shown} is no field: did you mean {elsewhere[0]}, in [{_part(elsewhere[0])}]?"
    return f"{shown} is no field: {where} has {', '.join(known)}."


def _own(name: str, value: object) -> NamedMeld | None:
    """Return the custom meld of a value that is cards, or cards and points; None for others."""
    match value:
        case str() as cards:
            points = 80
        case [str() as cards, int() as points]:
            pass
        case _:
            return None
    meld = NamedMeld(name, cards, points)
    try:
        return meld if meld.in_trump(SUITS[0]) else None
    except NotationError:
        return None
