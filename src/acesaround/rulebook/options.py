"""The rulebook section on house options: meaning, value here, and possible values."""

from __future__ import annotations

from acesaround.rulebook.markdown import section, table
from acesaround.rules import Rules
from acesaround.rules.options import OPTIONS
from acesaround.variants import VARIANTS, changed_options


def options(rules: Rules) -> str:
    """Return the section with all house options; values that differ from the preset are marked."""
    changed = changed_options(rules)
    preset = VARIANTS.get(rules.variant)
    rows = []
    for name in rules.options:
        option, value = OPTIONS[name], option_text(rules.option_value(name))
        if preset is not None and name in changed:
            value = f"**{value}** (preset {option_text(preset.option_value(name))})"
        rows.append([f"`{name}`", value, option.values, option.summary])
    note = (
        "This table has its own values where they are in bold."
        if changed
        else "All rules here are the usual ones."
    )
    return section(
        "House options", note, table(["option", "value", "possible values", "meaning"], rows)
    )


def option_text(value: object) -> str:
    """Return a value as written on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
