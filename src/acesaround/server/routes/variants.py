"""The games that a guest may play, their options and rules, and the bots to choose from."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from acesaround import bots, variants
from acesaround.bots.convention_card import rules_with_convention_card
from acesaround.errors import NotationError
from acesaround.rules import Rules
from acesaround.server.accounts.personal_variants import variants_of
from acesaround.server.context import context_of
from acesaround.server.routes.http_messages import (
    BotListed,
    RulesPage,
    VariantRulesPage,
)
from acesaround.server.routes.option_forms import variant_form
from acesaround.server.routes.responses import json_response


async def offered_games(request: Request) -> dict[str, Rules]:
    """Return the games that the guest may play, by name: their own first.

    Raises DatabaseUnavailable.
    """
    server = context_of(request)
    guest = await server.sessions.find_guest(request)
    own_games = {} if guest is None else await variants_of(server.store, guest.id)
    return {**own_games, **server.settings.games}


async def all_variants(request: Request) -> Response:
    """Return the games with their house options for a form, the guest's own games first."""
    games = await offered_games(request)
    presets_by_variant = {name: variants.presets(name) for name in variants.VARIANTS}
    return json_response(
        [variant_form(rules, presets_by_variant.get(name, {})) for name, rules in games.items()]
    )


async def all_bots(request: Request) -> Response:
    """Return the bots that people may choose, with summaries, and mark the usual one."""
    default_name = bots.default_bot()
    return json_response(
        [
            BotListed(name, bots.BOTS[name].summary, is_default=name == default_name)
            for name in bots.selectable_bots()
        ]
    )


async def rules(request: Request) -> Response:
    """Return the rules page of a variant with house options.

    Raises RulesError and NotationError.
    """
    query = request.query_params
    try:
        players = int(query["players"]) if query.get("players") else None
        options = msgspec.json.decode(query.get("options") or "{}", type=dict[str, Any])
    except (ValueError, RecursionError) as error:
        raise NotationError(f"The request is invalid: {error}.") from None
    games = await offered_games(request)
    name = query.get("variant", "")
    chosen_rules = variants.get(name, players, options, games)
    is_own = name not in context_of(request).settings.games
    body = await asyncio.to_thread(rules_with_convention_card, chosen_rules)
    return json_response(RulesPage(variants.short_name(chosen_rules), body, is_own))


async def all_rules(request: Request) -> Response:
    """Return the rules pages of all games, for offline reading."""
    games = tuple(context_of(request).settings.games.values())
    return json_response(
        msgspec.Raw(await asyncio.to_thread(_rules_pages, games)), cache="no-cache"
    )


@cache
def _rules_pages(games: tuple[Rules, ...]) -> bytes:
    return msgspec.json.encode(
        [
            VariantRulesPage(one.variant, variants.short_name(one), rules_with_convention_card(one))
            for one in games
        ]
    )
