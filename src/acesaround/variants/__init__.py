"""The games by name, each a folder beside this file, found and not listed.

A folder `NAME/` holds a game's `sheet.toml`, a `golden.txt` to play it by, `notes.md` on how its
source was read, `presets.toml` if tables play it in ways that have a name, and if bots were given
numbers to play it by, `fitted.toml` and `gauges.toml` (what hands are worth, a section for each
number of players and preset). A game is added by its folder, and no other file changes.
Each is a constant: `variants.PARTNERSHIP` is `VARIANTS["partnership"]`.
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
"""How the name of a sheet's file ends, in capitals or not."""
HOUSE: Final = "-house"
"""What a sheet's game is called besides where its file has the name of a variant."""


class _Found(Mapping[str, Rules]):
    """The games of a folder of folders; one that is another's base is read before it."""

    def __init__(self, folder: Path) -> None:
        self._sheets = {path.parent.name: path for path in sorted(folder.glob(f"*/{SHEET}"))}
        self._rules: dict[str, Rules] = {}

    def __getitem__(self, name: str) -> Rules:
        if name not in self._rules:
            path = self._sheets[name]
            read = sheets.read(path.read_bytes(), name, self, f"{name}/{SHEET}")
            self._rules[name] = replace(read, base="")  # a game of its own, whatever it is made of
        return self._rules[name]

    def __contains__(self, name: object) -> bool:
        return name in self._sheets

    def __iter__(self) -> Iterator[str]:
        return iter(self._sheets)

    def __len__(self) -> int:
        return len(self._sheets)


VARIANTS: Final[dict[str, Rules]] = dict(_Found(HERE))
USUAL: Final = "partnership"
"""The game that is offered to who has chosen none yet."""


def get(
    variant: str,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    games: Mapping[str, Rules] | None = None,
) -> Rules:
    """The rules of a variant for that many players with those house options.

    `players`: None means the usual number. `games`: those that there are, by name, where it is not
    just the variants. Raises RulesError, saying what is possible.
    """
    games = VARIANTS if games is None else games
    if variant not in games:
        raise RulesError(f"{variant!r} is no variant: expected one of {', '.join(games)}.")
    rules = games[variant]
    if players is not None:
        rules = rules.with_options(players=players)
    return rules.with_changes(options or {})


def unlike() -> tuple[str, ...]:
    """A game of each course: its phases, its deck, with or without partners. The usual is first."""
    found: dict[object, str] = {}
    for name, rules in sorted(VARIANTS.items(), key=lambda one: one[0] != USUAL):
        found.setdefault((rules.phases, rules.deal.copies, rules.partners), name)
    return tuple(found.values())


def load(path: str | Path) -> Rules:
    """The rules that a sheet says, a TOML file. Its name is that of the file, in small letters.

    Where a variant has that name, it is another game all the same, such as `partnership-house`.
    Raises SheetError, with a line for each thing that is wrong, and OSError.
    """
    path = Path(path)
    name = re.sub(r"[\W_]+", "-", path.stem.lower()).strip("-") or "game"
    while name in VARIANTS:
        name += HOUSE
    return sheets.read(path.read_bytes(), name, VARIANTS, str(path))


def is_sheet(path: str | Path) -> bool:
    """Whether that is the name of a sheet's file."""
    return str(path).lower().endswith(ENDING)


def folder(path: Path) -> dict[str, Rules]:
    """The games of the sheets in a folder, one at least; none may be called as another is.

    Raises FolderError, with a line for each thing that is wrong, and OSError.
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
    """The preset that those rules are a change of, None where there is none."""
    return VARIANTS.get(rules.base or rules.variant)


@cache
def presets(variant: str) -> dict[str, Preset]:
    """The named presets of a variant. Raises RulesError where there is no such variant."""
    rules = get(variant)
    return read_presets(HERE / variant / "presets.toml", rules)


def preset(variant: str, name: str) -> dict[str, object]:
    """The house options of a named preset. Raises RulesError, saying what is possible."""
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
    """The numbers that were fitted by play, for bots: of that game, or of the one it is based on.

    Empty where none were; then bots go by what they can derive.
    """
    return dict(_fitted(rules.variant if rules.variant in VARIANTS else rules.base))


class Way(NamedTuple):
    """A way to play a game, and what was measured of its hands, by name: see `weights.Gauge`."""

    rules: Rules
    numbers: dict[str, float]


def gauged(rules: Rules) -> tuple[Way, ...]:
    """The ways to play that game, or the one it is based on, for which numbers were measured."""
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
    """In what a house plays differently from the game its rules are based on, in sentences.

    None where that is no other game.
    """
    base = base_of(rules)
    return () if base is None else tuple(sheets.changes(rules, base))


def called(rules: Rules) -> str:
    """The name of a game where there is little room.

    One that was stored before games had such names has that of its preset.
    """
    preset = VARIANTS.get(rules.variant)
    same = preset is not None and preset.title == rules.title
    return rules.short or (preset.short if preset is not None and same else "") or rules.title


def changed_options(rules: Rules) -> dict[str, object]:
    """The house options in which these rules differ from their variant's preset of today.

    Labels for people: what a game is played by is its rules object. Empty where there is no such
    preset; without what no option can say, but a sheet can.
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
    """The names of games by those of their constants."""
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
