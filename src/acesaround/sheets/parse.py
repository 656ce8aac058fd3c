"""A sheet read: TOML to `Rules`, and every fault of it at once.

A sheet says a `base`, whose values it has where it says no other, or else the whole game. What
follows from what it says need not be said (`following`).
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
"""The field that names the game of which a sheet says the differences."""
OWN: Final = ("title", "short", "description", "author", BASE)
"""Labels that a sheet does not take over from its base."""


def read(
    text: str | bytes, name: str, bases: Mapping[str, Rules], source: str, *, kept: bool = False
) -> Rules:
    """The rules that a sheet says.

    `text`: the sheet; bytes are UTF-8. `name`: the key of the game. `bases`: the games that may be
    its base. `source`: where the text is from, for the sentences. `kept`: whether it was read and
    kept before, so that nobody is to be told what it says in vain. Raises SheetError.
    """
    text = _decoded(text, source)
    sheet = _Sheet(_told(text, source), kept)
    made = sheet.rules(name, bases)
    if made is None:
        raise SheetError(source, sheet.placed(text))
    return made


class Draft(NamedTuple):
    """A sheet that is being written, by its values: what is wrong, and the rules if nothing is.

    `said`: the values that can be read, by path; `without`: the sections it says are missing.
    """

    rules: Rules | None
    faults: tuple[Fault, ...]
    said: dict[str, Any]
    without: frozenset[str]


def draft(values: Mapping[str, Any], name: str, bases: Mapping[str, Rules]) -> Draft:
    """What a sheet of those values says, each by the path of its field, as TOML has it."""
    told: dict[str, Any] = {}
    for path, value in values.items():
        part, _, field = path.partition(".")
        section = told.setdefault(part, {}) if field else told
        if isinstance(section, dict):  # else there is no such section, which says itself
            section[field or part] = value
    sheet = _Sheet(told)
    made = sheet.rules(name, bases)
    return Draft(made, tuple(sheet.wrong), sheet.said, frozenset(sheet.without))


def _decoded(text: str | bytes, source: str) -> str:
    """A text; editors of some systems begin it with a mark of its encoding, which says nothing."""
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise SheetError(source, [Wrong(line, "", "This is no text in UTF-8.")]) from None


def _told(text: str, source: str) -> dict[str, Any]:
    """What TOML says. Raises SheetError where it is none."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # of ValueError a number of thousands of digits
        raise SheetError(source, [unreadable(text, error)]) from None


class _Sheet:
    """A sheet being read."""

    def __init__(self, told: dict[str, Any], kept: bool = False) -> None:
        self.told, self.kept = told, kept
        self.said: dict[str, Any] = {}
        """The values it says, by path."""
        self.without: set[str] = set()
        """The sections that it says are missing."""
        self.wrong: list[Fault] = []

    def placed(self, text: str) -> list[Wrong]:
        """All that is wrong, each on its line of the text that told it."""
        lines = Lines(text)
        return [self._placed(lines, fault) for fault in self.wrong]

    def rules(self, name: str, bases: Mapping[str, Rules]) -> Rules | None:
        """The rules it says; None where something is wrong."""
        base = self._base(bases)
        self._read()
        return None if base is None else self._made(name, base)

    def _base(self, bases: Mapping[str, Rules]) -> dict[str, Any] | None:
        """The values of the base, none without one; None where there is no such."""
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
        """Read every value; a base that is refused is none."""
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
        """The rules, with the values of the base where the sheet says none; None where none are."""
        have = whole(name, self.said, self.without, base)
        refused = {path for fault in self.wrong for path in fault.fields}
        if lacking := list(_lacking(have)):
            self.wrong += [fault for fault in lacking if refused.isdisjoint(fault.fields)]
            return None
        try:
            found = made(name, have)
        except ContradictionError as error:
            # what follows from a value that was refused may be gone with it
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
            value = [value]  # a list of one may be written as that one
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
        """The fault beside the first of its fields that the sheet says, else beside its section."""
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
    """The values of the game that a sheet says by these: the base's, its own, and what follows."""
    have = {"title": name, "source": "", **base, **said}
    have = {path: value for path, value in have.items() if _part(path) not in without}
    return following(have, said, base)


def made(name: str, have: Mapping[str, Any]) -> Rules:
    """The rules of those values. Raises ContradictionError with all that is wrong of it."""
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
    """The fields that no game can do without. Seats follow from the numbers of players."""
    there = {_part(path) for path in have}
    for path, field in fields().items():
        wanted = field.default is msgspec.NODEFAULT and path not in have and path != "seats"
        if wanted and (field.part in there or not may_lack(field.part)):
            where = f"[{field.part}]" if field.part else "the sheet"
            lack = f"{field.name} is missing in {where}: expected {possible(field.type)}"
            yield Fault(f"{lack}, or a {BASE} that says it.", (path,))


def _part(path: str) -> str:
    """The section of a field, empty for the top."""
    return path.partition(".")[0] if "." in path else ""


def _keys(path: str) -> tuple[str, ...]:
    """The keys under which a path is said; one that is no field's may have dots of its own."""
    part, _, name = path.partition(".")
    return (part, name) if part in parts() and name else (path,)


def _large(value: object) -> bool:
    """Whether a number in it is larger than any that is played for."""
    if isinstance(value, list):
        return any(_large(one) for one in value)
    return isinstance(value, int) and abs(value) > LARGEST


def _near(name: str, known: Iterable[str]) -> str:
    """The one that was meant, if it looks like that."""
    from difflib import get_close_matches  # local: few sheets misspell a field

    return next(iter(get_close_matches(name, known, 1)), "")


def _unknown(path: str, value: object) -> str:
    part, name = _part(path), path.partition(".")[2] or path
    if part not in parts():
        part, name = "", path  # a dot in quotes
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
    """The meld of one's own that was meant by cards, with points or without; None by others."""
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
