"""The data of the form for house rules: each option of a variant, made from its rules object."""

from __future__ import annotations

from collections.abc import Mapping

from acesaround.rules import Phase, Rules
from acesaround.rules.options import OPTIONS
from acesaround.server.routes.http_messages import OptionForm, VariantForm
from acesaround.sheets.form import value_schema
from acesaround.sheets.schema import to_json_value
from acesaround.table.alerts import has_conventions
from acesaround.variants import DEFAULT_VARIANT, Preset, short_name


def variant_form(rules: Rules, presets: Mapping[str, Preset]) -> VariantForm:
    """Return the form of a variant."""
    return VariantForm(
        variant=rules.variant,
        title=short_name(rules),
        summary=rules.description,
        is_default=rules.variant == DEFAULT_VARIANT,
        players=tuple(sorted(rules.players)),
        default_players=rules.seats,
        has_partners=rules.has_partners,
        side_count=len(rules.sides),
        deck_size=len(rules.deck.cards),
        hand_size=rules.hand_size,
        kitty_size=rules.deal.kitty,
        passed_cards=rules.exchange.exchange,
        has_redraw=Phase.REDRAW in rules.phases,
        has_stock=Phase.STOCK_PLAY in rules.phases,
        has_conventions=has_conventions(rules),
        options=tuple([_option_field(rules, name) for name in rules.options]),
        presets=presets,
    )


def _option_field(rules: Rules, name: str) -> OptionForm:
    option = OPTIONS[name]
    return OptionForm(
        name,
        option.summary,
        allowed={"enum": option.choices} if option.choices else value_schema(option.path),
        default=to_json_value(rules.option_value(name)),
    )
