"""Writing a sheet from rules: as short as possible, or with a comment on every field."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Set
from typing import Any, Final

from msgspec.structs import replace

from acesaround.errors import ContradictionError
from acesaround.rules import Rules
from acesaround.sheets.fields import TEXT, TRUTH, fields, parts, possible, said, values_of
from acesaround.sheets.format_values import NONE, written
from acesaround.sheets.parse import BASE, OWN, made, whole

TOP: Final = """\
# A rule sheet of Aces Around. What a sheet leaves out is as in the game that `base` names.
# Change what your table plays in another way, and play it: acesaround play my.toml
"""
TOP_OF_A_WHOLE_GAME: Final = """\
# A rule sheet of Aces Around. It says the whole game, and so it has no `base`.
# Change what your table plays in another way, and play it: acesaround play my.toml
"""
FOLLOWING: Final = ("seats", "exchange.bury", "phases", "options")
"""Fields that a starter sheet comments out if their values follow from the other fields."""


def write(rules: Rules, bases: Mapping[str, Rules]) -> str:
    """Return a sheet of those rules without needless values. Reading it gives the same rules."""
    base = bases.get(rules.base)
    if base is None:
        rules = replace(rules, base="")
    before = {} if base is None else values_of(base)
    inherited = {path: value for path, value in before.items() if path not in OWN}
    without = {part for part in parts() if getattr(rules, part) is None and _in(part, inherited)}
    needed = values_of(rules)
    for path in tuple(needed):
        fewer = {other: value for other, value in needed.items() if other != path}
        if (path != BASE or base is None) and _gives(rules, fewer, without, inherited):
            needed = fewer
    return "\n".join(_lines(needed, without)) + "\n"


def written_out(said: Mapping[str, Any], without: Set[str]) -> str:
    """Return the sheet with exactly those values and those missing sections."""
    return "\n".join(_lines(said, without)) + "\n"


def start(rules: Rules, bases: Mapping[str, Rules]) -> str:
    """Return a starter sheet: all values of a game, each with its description and possible values.

    Its base is that game if `bases` has it, else the base of that game. Without a base, the sheet
    states the whole game, labels included.
    """
    base = next((name for name in (rules.variant, rules.base) if name in bases), "")
    values = values_of(rules)
    if base:
        values |= dict.fromkeys(OWN, "") | {"title": rules.title, BASE: base}
    else:
        del values[BASE]
    without = {part for part in parts() if getattr(rules, part) is None}
    before = values_of(bases[base]) if base else {}
    inherited = {path: value for path, value in before.items() if path not in OWN}
    needed = {path: value for path, value in values.items() if path not in FOLLOWING}
    follow = whole(rules.variant, needed, without, inherited)
    off = {path for path in FOLLOWING if follow.get(path) == values.get(path)}
    top = TOP if base else TOP_OF_A_WHOLE_GAME
    return top + "\n" + "\n".join(_lines(values, without, words=True, off=off)) + "\n"


def _gives(
    rules: Rules, values: Mapping[str, Any], without: Set[str], base: Mapping[str, Any]
) -> bool:
    """Return whether a sheet with those values gives these rules."""
    have = whole(rules.variant, values, without, base)
    try:
        return made(rules.variant, have) == rules
    except (ContradictionError, TypeError):  # TypeError: a field is missing
        return False


def _in(part: str, values: Mapping[str, Any]) -> bool:
    return any(fields()[path].part == part for path in values)


def _lines(
    values: Mapping[str, Any],
    without: Set[str],
    *,
    words: bool = False,
    off: Container[str] = (),
) -> Iterator[str]:
    """Yield the lines of a sheet with those values.

    `words`: write a comment on each field. `off`: fields to comment out.
    """
    for part in ("", *parts()):
        here = [path for path, field in fields().items() if field.part == part and path in values]
        if part == "":
            here.sort(key=lambda path: path != BASE)
        elif part in without:
            continue
        elif here:
            yield from ("", f"[{part}]")
        for path in here:
            if words:
                yield f"# {said(path)}{_possible(path)}"
            mark = "# " if path in off else ""
            yield f"{mark}{fields()[path].name} = {written(values[path])}"
        if part == "":
            for lost in sorted(without):
                yield f'{lost} = "{NONE}"'


def _possible(path: str) -> str:
    """Return the possible values as a sentence; empty where the type is obvious."""
    wanted = possible(fields()[path].type)
    return "" if wanted in (TRUTH, TEXT) else f" Possible: {wanted}."
