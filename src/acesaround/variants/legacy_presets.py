"""The presets as earlier releases had them, for games that were stored without their rules.

Logs and records of format 1 say a variant and options and rely on the presets. Those presets are
kept in `format_1.json` for good, whatever the pages beside it say today. A field of `Rules` that is
not in that file came later: its default is what was played before it. Since format 2 a game holds
its whole rules, and nothing is looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from acesaround.errors import RulesError
from acesaround.rules import Rules


def legacy_rules(variant: str, players: int, options: Mapping[str, object]) -> Rules:
    """The rules that a game of format 1 was played by. Raises RulesError."""
    preset = _presets().get(variant)
    if preset is None:
        known = ", ".join(_presets())
        raise RulesError(f"{variant!r} is no variant of format 1: expected one of {known}.")
    return preset.with_options(players=players).with_changes(options)


@cache
def _presets() -> dict[str, Rules]:
    data = files("acesaround.variants").joinpath("format_1.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, Rules])
