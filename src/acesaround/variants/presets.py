"""Named presets: ways to play a game, each a few house options under a name.

They are in `presets.toml` in the folder of a game: a section for each, with a `title`, a
`description` and the `options` that differ from the game's own.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from acesaround.errors import RulesError
from acesaround.rules import Rules


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way to play a game. `options`: house options by name, with JSON values."""

    title: str
    description: str
    options: dict[str, Any]


def read_presets_file(path: Path, rules: Rules) -> dict[str, Preset]:
    """Return the presets of a game by name, none if the file does not exist. Raise RulesError."""
    if not path.exists():
        return {}
    presets = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), dict[str, Preset])
    for name, preset in presets.items():
        try:
            rules.with_changes(preset.options)
        except RulesError as error:
            raise RulesError(f"The preset {name} of {rules.variant}: {error}") from None
    return presets
