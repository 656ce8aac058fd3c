"""The games by name, each found as a subfolder of this folder.

A folder `NAME/` holds a game's `sheet.toml`, a `golden.txt` (a recorded game that tests play), and
`notes.md` on how its source was read. Optional files are `presets.toml` with named presets, and
numbers for bots in `fitted.toml` and `hand_weights.toml` (hand values, a section for each number of
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
from acesaround.variants.presets import read_presets_file as read_presets

VARIANTS_FOLDER: Final = Path(__file__).parent
SHEET_FILE: Final = "sheet.toml"
FITTED_FILE: Final = "fitted.toml"
HAND_WEIGHTS_FILE: Final = "hand_weights.toml"
SHEET_SUFFIX: Final = ".toml"
"""The suffix of rule sheets, in any case."""
HOUSE_SUFFIX: Final = "-house"
"""The suffix added to the name of a sheet's game if a variant has that name."""


class _SheetFolder(Mapping[str, Rules]):
    """The games of a folder, read when needed, so that a base is read before its changes."""

    def __init__(self, folder: Path) -> None:
        self._sheets = {path.parent.name: path for path in sorted(folder.glob(f"*/{SHEET_FILE}"))}
        self._rules_by_name: dict[str, Rules] = {}

    def __getitem__(self, name: str) -> Rules:
        if name not in self._rules_by_name:
            path = self._sheets[name]
            rules = sheets.read(path.read_bytes(), name, self, f"{name}/{SHEET_FILE}")
            self._rules_by_name[name] = replace(
                rules, base=""
            )  # a shipped game counts as based on no other
        return self._rules_by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._sheets

    def __iter__(self) -> Iterator[str]:
        return iter(self._sheets)

    def __len__(self) -> int:
        return len(self._sheets)


VARIANTS: Final[dict[str, Rules]] = dict(_SheetFolder(VARIANTS_FOLDER))
DEFAULT_VARIANT: Final = "partnership"
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
        raise RulesError(f"{variant!r} is not a variant: expected one of {', '.join(games)}.")
    rules = games[variant]
    if players is not None:
        rules = rules.with_options(players=players)
    return rules.with_changes(options or {})


def distinct_variants() -> tuple[str, ...]:
    """Return one game for each combination of phases, deck and partnership.

    The usual game is first.
    """
    name_by_kind: dict[object, str] = {}
    for name, rules in sorted(VARIANTS.items(), key=lambda one: one[0] != DEFAULT_VARIANT):
        name_by_kind.setdefault((rules.phases, rules.deal.copies, rules.has_partners), name)
    return tuple(name_by_kind.values())


def load(path: str | Path) -> Rules:
    """Return the rules of a rule sheet, a TOML file.

    The game gets the file's name in small letters. If a variant has that name, the game is called
    for example `partnership-house`. Raise SheetError, with a line for each fault, and OSError.
    """
    path = Path(path)
    name = re.sub(r"[\W_]+", "-", path.stem.lower()).strip("-") or "game"
    while name in VARIANTS:
        name += HOUSE_SUFFIX
    return sheets.read(path.read_bytes(), name, VARIANTS, str(path))


def is_sheet(path: str | Path) -> bool:
    """Return whether a path has the suffix of a rule sheet."""
    return str(path).lower().endswith(SHEET_SUFFIX)


def load_folder(path: Path) -> dict[str, Rules]:
    """Return the games of the rule sheets in a folder, by name.

    There must be at least one sheet, and the names must be distinct. Raise FolderError, with a line
    for each fault, and OSError.
    """
    rules_by_name: dict[str, Rules] = {}
    faults: list[str] = []
    files = sorted(file_path for file_path in path.iterdir() if is_sheet(file_path))
    if not files:
        faults.append(
            f"There is no rule sheet in {path}: add a file whose name ends in {SHEET_SUFFIX}."
        )
    for file in files:
        try:
            rules = load(file)
        except RulesError as error:
            faults += error.lines
            continue
        if rules.variant in rules_by_name:
            faults.append(f"{file}: There is already a game {rules.variant}: rename the file.")
        rules_by_name[rules.variant] = rules
    if faults:
        raise sheets.FolderError(*faults)
    return rules_by_name


def base_of(rules: Rules) -> Rules | None:
    """Return the variant that the rules are a change of, None if there is none."""
    return VARIANTS.get(rules.base or rules.variant)


@cache
def presets(variant: str) -> dict[str, Preset]:
    """Return the named presets of a variant. Raise RulesError if there is no such variant."""
    rules = get(variant)
    return read_presets(VARIANTS_FOLDER / variant / "presets.toml", rules)


def preset_options(variant: str, name: str) -> dict[str, object]:
    """Return the options of a named preset.

    Raise RulesError, saying which names are possible.
    """
    known_presets = presets(variant)
    if name not in known_presets:
        hint = f"expected one of {', '.join(known_presets)}" if known_presets else "it has none"
        raise RulesError(f"{name!r} is not a preset of {variant}: {hint}.")
    return dict(known_presets[name].options)


@cache
def _fitted_numbers(variant: str) -> dict[str, float]:
    path = VARIANTS_FOLDER / variant / FITTED_FILE
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def fitted_numbers(rules: Rules) -> dict[str, float]:
    """Return the numbers fitted for bots by play, of this game or of its base.

    Empty if there are none; bots then use derived values.
    """
    return dict(_fitted_numbers(rules.variant if rules.variant in VARIANTS else rules.base))


class MeasuredSetup(NamedTuple):
    """A way to play a game, and its measured hand values by name: see `HandWeights`."""

    rules: Rules
    hand_weights: dict[str, float]


def measured_setups(rules: Rules) -> tuple[MeasuredSetup, ...]:
    """Return the ways to play this game or its base for which hand values were measured."""
    return _measured_setups(rules.variant if rules.variant in VARIANTS else rules.base)


@cache
def _measured_setups(variant: str) -> tuple[MeasuredSetup, ...]:
    path = VARIANTS_FOLDER / variant / HAND_WEIGHTS_FILE
    if not path.exists():
        return ()
    setups = []
    for name, weights in tomllib.loads(path.read_text(encoding="utf-8")).items():
        players, _, preset_name = name.partition(" ")
        options = preset_options(variant, preset_name) if preset_name else {}
        setups.append(MeasuredSetup(get(variant, int(players), options), weights))
    return tuple(setups)


@lru_cache(maxsize=256)
def change_sentences(rules: Rules) -> tuple[str, ...]:
    """Return, in sentences, how these rules differ from the game they are based on.

    Empty if they are based on no other game.
    """
    base = base_of(rules)
    return () if base is None else tuple(sheets.change_sentences(rules, base))


def short_name(rules: Rules) -> str:
    """Return the short name of a game, for places with little space.

    Rules stored before games had short names use the one of their preset.
    """
    current = VARIANTS.get(rules.variant)
    has_same_title = current is not None and current.title == rules.title
    return (
        rules.short
        or (current.short if current is not None and has_same_title else "")
        or rules.title
    )


def changed_options(rules: Rules) -> dict[str, object]:
    """Return the options in which these rules differ from their variant's current preset.

    They are labels for people; the rules object defines the game. Empty if there is no such preset.
    Differences that a sheet can state but no option can are left out.
    """
    preset = VARIANTS.get(rules.variant)
    if preset is None:
        return {}
    return {
        name: rules.option_value(name)
        for name in rules.options
        if name in preset.options
        and rules.option_value(name) != preset.option_value(name)
        and OPTIONS[name].can_be(rules.option_value(name))
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
    "DEFAULT_VARIANT",
    "VARIANTS",
    "MeasuredSetup",
    "Preset",
    "base_of",
    "change_sentences",
    "changed_options",
    "distinct_variants",
    "fitted_numbers",
    "get",
    "load",
    "load_folder",
    "measured_setups",
    "preset_options",
    "presets",
    "short_name",
]
