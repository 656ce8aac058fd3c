"""Reads the rules of an environment from its arguments."""

from __future__ import annotations

from collections.abc import Mapping

from acesaround import variants
from acesaround.errors import RulesError
from acesaround.rules import Rules


def load_rules(
    variant: str | Rules, players: int | None = None, options: str | Mapping[str, object] = ""
) -> Rules:
    """Return the rules of a variant, of a rule sheet (its path), or these rules themselves.

    `players`: None means the usual number. `options`: house options by name, or as text such as
    "target=100,exchange=3". Raises RulesError.
    """
    if isinstance(options, str):
        options = dict(_parse_option(part) for part in options.split(",") if part.strip())
    if isinstance(variant, str) and not variants.is_sheet(variant):
        return variants.get(variant, players, options)
    rules = variants.load(variant) if isinstance(variant, str) else variant
    if players is not None:
        rules = rules.with_options(players=players)
    return rules.with_changes(options)


def _parse_option(text: str) -> tuple[str, object]:
    name, equals, value = text.strip().partition("=")
    if not equals or not name:
        raise RulesError(f"{text!r} is not an option: expected NAME=VALUE, such as target=1000.")
    return name.strip(), value
