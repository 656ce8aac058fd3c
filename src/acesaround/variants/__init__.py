"""The games by name, each found as a subfolder of this folder.

A folder `NAME/` holds a game's `sheet.toml`, a `golden.txt` (a recorded game that tests play), and
`notes.md` on how its source was read. Optional files are `presets.toml` with named presets, and
numbers for bots in `fitted.toml` and `gauges.toml` (hand values, a section for each number of
players and preset). To add a game, add its folder; no other file changes. Each game is a constant:
`variants.PARTNERSHIP` is `VARIANTS["partnership"]`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from acesaround import sheets
from acesaround.errors import RulesError
from acesaround.rules import Rules
from acesaround.rules.options import OPTIONS
from acesaround.variants.presets import Preset
from acesaround.variants.presets import read as read_presets

HERE: Final = Path(__file__).parent
SHEET: Final = "sheet.toml"
FITTED: Final = "fitted.toml"
GAUGES: Final = "gauges.toml"
ENDING: Final = ".toml"
"""The suffix of rule sheets, in any case."""
HOUSE: Final = "-house"
"""The suffix added to the name of a sheet's game if a variant has that name."""


class _Found(Mapping[str, Rules]):
    """The games of a folder, read when needed, so that a base is read before its changes."""

    def __init__(self, folder: Path) -> None:
        self._sheets = {path.parent.name: path for path in sorted(folder.glob(f"*/{SHEET}"))}
        self._rules: dict[str, Rules] = {}

    def __getitem__(self, name: str) -> Rules:
        if name not in self._rules:
            path = self._sheets[name]
            read = sheets.read(path.read_bytes(), name, self, f"{name}/{SHEET}")
            self._rules[name] = replace(read, base="")  # a shipped game counts as based on no other
        return self._rules[name]

    def __contains__(self, name: object) -> bool:
        return name in self._sheets

    def __iter__(self) -> Iterator[str]:
        return iter(self._sheets)

    def __len__(self) -> int:
        return len(self._sheets)


VARIANTS: Final[dict[str, Rules]] = dict(_Found(HERE))
USUAL: Final = "partnership"
"""The game that is offered first."""


def get(
    variant: str,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    games: Mapping[str, Rules] | None = None,
) -> Rules:
    """Return the rules of a variant for that many players with those house options.

    `players`: None means the usual number. `games`: the known games by name, by default the
    variants. Raise RulesError, saying which values are possible.
    """
    games = VARIANTS if games is None else games
    if variant not in games:
        raise RulesError(f"{variant!r} is no variant: expected one of {', '.join(games)}.")
    rules = games[variant]
    if players is not None:
        rules = rules.with_options(players=players)
    return rules.with_changes(options or {})


def unlike() -> tuple[str, ...]:
    """Return one game for each combination of phases, deck and partnership.

    The usual game is first.
    """
    found: dict[object, str] = {}
    for name, rules in sorted(VARIANTS.items(), key=lambda one: one[0] != USUAL):
        found.setdefault((rules.phases, rules.deal.copies, rules.partners), name)
    return tuple(found.values())


def load(path: str | Path) -> Rules:
    """Return the rules of a rule sheet, a TOML file.

    The game gets the file's name in small letters. If a variant has that name, the game is called
    for example `partnership-house`. Raise SheetError, with a line for each fault, and OSError.
    """
    path = Path(path)
    name = re.sub(r"[\W_]+", "-", path.stem.lower()).strip("-") or "game"
    while name in VARIANTS:
        name += HOUSE
    return sheets.read(path.read_bytes(), name, VARIANTS, str(path))


def is_sheet(path: str | Path) -> bool:
    """Return whether a path has the suffix of a rule sheet."""
    return str(path).lower().endswith(ENDING)


def folder(path: Path) -> dict[str, Rules]:
    """Return the games of the rule sheets in a folder, by name.

    There must be at least one sheet, and the names must be distinct. Raise FolderError, with a line
    for each fault, and OSError.
    """
    found: dict[str, Rules] = {}
    wrong: list[str] = []
    files = sorted(one for one in path.iterdir() if is_sheet(one))
    if not files:
        wrong.append(f"There is no rule sheet in {path}: the name of one ends in {ENDING}.")
    for file in files:
        try:
            rules = load(file)
        except RulesError as error:
            wrong += error.lines
            continue
        if rules.variant in found:
            wrong.append(f"{file}: There is a game {rules.variant} already: rename the file.")
        found[rules.variant] = rules
    if wrong:
        raise sheets.FolderError(*wrong)
    return found


def base_of(rules: Rules) -> Rules | None:
    """Return the variant that the rules are a change of, None if there is none."""
    return VARIANTS.get(rules.base or rules.variant)


@cache
def presets(variant: str) -> dict[str, Preset]:
    """Return the named presets of a variant. Raise RulesError if there is no such variant."""
    rules = get(variant)
    return read_presets(HERE / variant / "presets.toml", rules)


def preset(variant: str, name: str) -> dict[str, object]:
    """Return the options of a named preset.

    Raise RulesError, saying which names are possible.
    """
    found = presets(variant)
    if name not in found:
        known = f"possible are {', '.join(found)}" if found else "it has none"
        raise RulesError(f"{name!r} is no preset of {variant}: {known}.")
    return dict(found[name].options)


@cache
def _fitted(variant: str) -> dict[str, float]:
    path = HERE / variant / FITTED
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def fitted(rules: Rules) -> dict[str, float]:
    """Return the numbers fitted for bots by play, of this game or of its base.

    Empty if there are none; bots then use derived values.
    """
    return dict(_fitted(rules.variant if rules.variant in VARIANTS else rules.base))


class Way(NamedTuple):
    """A way to play a game, and its measured hand values by name: see `HandWeights`."""

    rules: Rules
    numbers: dict[str, float]


def gauged(rules: Rules) -> tuple[Way, ...]:
    """Return the ways to play this game or its base for which hand values were measured."""
    return _gauged(rules.variant if rules.variant in VARIANTS else rules.base)


@cache
def _gauged(variant: str) -> tuple[Way, ...]:
    path = HERE / variant / GAUGES
    if not path.exists():
        return ()
    found = []
    for name, numbers in tomllib.loads(path.read_text(encoding="utf-8")).items():
        players, _, preset_name = name.partition(" ")
        options = preset(variant, preset_name) if preset_name else {}
        found.append(Way(get(variant, int(players), options), numbers))
    return tuple(found)


@lru_cache(maxsize=256)
def changes(rules: Rules) -> tuple[str, ...]:
    """Return, in sentences, how these rules differ from the game they are based on.

    Empty if they are based on no other game.
    """
    base = base_of(rules)
    return () if base is None else tuple(sheets.changes(rules, base))


def called(rules: Rules) -> str:
    """Return the short name of a game, for places with little space.

    Rules stored before games had short names use the one of their preset.
    """
    preset = VARIANTS.get(rules.variant)
    same = preset is not None and preset.title == rules.title
    return rules.short or (preset.short if preset is not None and same else "") or rules.title


def changed_options(rules: Rules) -> dict[str, object]:
    """Return the options in which these rules differ from their variant's current preset.

    They are labels for people; the rules object defines the game. Empty if there is no such preset.
    Differences that a sheet can state but no option can are left out.
    """
    preset = VARIANTS.get(rules.variant)
    if preset is None:
        return {}
    return {
        name: rules.option(name)
        for name in rules.options
        if name in preset.options
        and rules.option(name) != preset.option(name)
        and OPTIONS[name].can_be(rules.option(name))
    }


@cache
def _constants() -> dict[str, str]:
    """Return the names of games by the names of their constants."""
    return {name.replace("-", "_").upper(): name for name in VARIANTS}


def __getattr__(name: str) -> Rules:
    if name in _constants():
        return VARIANTS[_constants()[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_constants()])


__all__ = [
    "USUAL",
    "VARIANTS",
    "Preset",
    "Way",
    "base_of",
    "called",
    "changed_options",
    "changes",
    "fitted",
    "folder",
    "gauged",
    "get",
    "load",
    "preset",
    "presets",
    "unlike",
]
