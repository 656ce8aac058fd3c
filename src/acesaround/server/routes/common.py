"""HTTP: the page, the guest's profile, variants and their rules, bots, tables and their lists.

The games that a table has played are in `games`.

Everything under /api answers JSON; an error is {"error": sentence}.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache, wraps
from http import HTTPStatus
from typing import Any, Final, TypeVar

import msgspec
from prometheus_client.exposition import choose_encoder
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround import bots, variants
from acesaround.errors import NotationError
from acesaround.rulebook import page
from acesaround.rules import Rules
from acesaround.server import chance
from acesaround.server.accounts.cookie import Guest
from acesaround.server.accounts.personal_variants import variants_of
from acesaround.server.context import ServerContext, context_of
from acesaround.server.limits import rates
from acesaround.server.limits.rates import RateLimited
from acesaround.server.routes import link_preview, pages
from acesaround.server.routes.http_messages import (
    BotListed,
    ErrorAnswer,
    GameStatus,
    Health,
    MoveTableRequest,
    OpenTableRequest,
    Profile,
    RenameRequest,
    RulesPage,
    SavedProfile,
    TableListed,
    TableOpened,
    VariantRulesPage,
)
from acesaround.server.routes.lobby import split_into_pages
from acesaround.server.routes.option_forms import variant_form
from acesaround.server.routes.share_links import resolve_link
from acesaround.store import DatabaseUnavailable, TableListing, table_lists
from acesaround.table import Config, begin, fold, handle_command, key_of, names, new_link, token_of
from acesaround.table import entries as log
from acesaround.table.commands import Start
from acesaround.table.index_fields import (
    GameSummary,
    TableSummary,
    changed_summaries,
    index_fields,
    list_summary,
)

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]
_DAY_MS: Final = 24 * 60 * 60 * 1000  # milliseconds for which an opened table counts for the limit


def json_response(
    answer: msgspec.Struct | Sequence[msgspec.Struct | str] | msgspec.Raw,
    status: int = 200,
    cache: str = "no-store",
) -> Response:
    """Return a JSON response that no cache may store, unless `cache` says otherwise."""
    return Response(
        msgspec.json.encode(answer),
        status,
        media_type="application/json",
        headers={"cache-control": cache},
    )


def message_response(request: Request, sentence: str, status: int) -> Response:
    """Return a sentence for people: as JSON under /api/, otherwise as a page."""
    if request.url.path.startswith("/api/"):
        return json_response(ErrorAnswer(sentence), status)
    return pages.html_page(HTTPStatus(status).phrase.capitalize(), sentence, status)


def with_guest(endpoint: Callable[[Request, Guest], Awaitable[Response]]) -> Endpoint:
    """Wrap an endpoint so that it gets the guest. A new guest gets a cookie with the response."""

    @wraps(endpoint)
    async def endpoint_with_guest(request: Request) -> Response:
        people = context_of(request).sessions
        guest = await people.guest(request)
        response = await endpoint(request, guest)
        if guest.needs_cookie:
            people.set_guest_cookie(response, guest)
        return response

    return endpoint_with_guest


async def read_json(request: Request, body_type: type[T]) -> T:
    """Return the JSON body of a request from one of our pages.

    Raises NotationError, HTTPException and TooLarge.
    """
    settings = context_of(request).settings
    if not rates.is_same_origin(request, settings.public_url):
        raise HTTPException(403, "The request comes from a page of another site.")
    try:
        return msgspec.json.decode(
            await rates.read_body(request, settings.max_message_bytes), type=body_type
        )
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotationError(f"The request is invalid: {error}.") from None


async def charge_request(request: Request) -> None:
    """Charge a request that creates something to the rate limits of its guest and address.

    Raises RateLimited and DatabaseUnavailable.
    """
    guest = await context_of(request).sessions.guest_or_none(request)
    address = None if request.client is None else request.client.host
    context_of(request).creation_limiter.spend(None if guest is None else guest.id, address)


async def rate_limit_account(request: Request) -> str:
    """Return the account that work is queued for: the guest, or the network of an unknown guest.

    So the work of unknown guests waits in the same line as that of their network.
    """
    guest = await context_of(request).sessions.guest_or_none(request)
    if guest is not None:
        return guest.id
    address = None if request.client is None else request.client.host
    return next(iter(rates.rate_limit_keys(address)), "")


async def offered_games(request: Request) -> dict[str, Rules]:
    """Return the games that the guest may play, by name: their own first.

    Raises DatabaseUnavailable.
    """
    server = context_of(request)
    guest = await server.sessions.guest_or_none(request)
    own_games = {} if guest is None else await variants_of(server.store, guest.id)
    return {**own_games, **server.settings.games}


async def index_page(request: Request) -> Response:
    """Return the page, even if the database does not answer."""
    response = link_preview.page_with_preview(request, link_preview.HOME)
    context_of(request).sessions.ensure_cookie(request, response)
    return response


@with_guest
async def table(request: Request, guest: Guest) -> Response:
    """Return the page for an existing table."""
    return link_preview.page_with_preview(request, await _table_preview(request))


async def _table_preview(request: Request) -> link_preview.About:
    """Return the preview of a link to a table. A replaced link gets the general one."""
    link = await resolve_link(request, "play", "watch")
    listings = (
        await table_lists.listings(context_of(request).store, [link.table_id]) if link.good else []
    )
    if not listings:
        return link_preview.TABLE
    return link_preview.of_table(listings[0].summary, play=link.kind == "play")


@with_guest
async def me(request: Request, guest: Guest) -> Response:
    """Return the guest's name and avatar, and note that the guest was seen."""
    if not guest.needs_cookie or guest.name is not None:
        await context_of(request).last_seen.touch(guest.id)
    return json_response(Profile(guest.name, guest.person.avatar))


async def rename(request: Request) -> Response:
    """Set the guest's name and avatar, on all devices of that person."""
    await charge_request(request)
    people = context_of(request).sessions
    profile = await read_json(request, RenameRequest)
    name, guest = names.checked_name(profile.name), await people.guest(request)
    avatar = guest.person.avatar if profile.avatar is None else profile.avatar
    guest = msgspec.structs.replace(guest, name=name, avatar=avatar)
    await context_of(request).store.save_name(guest.id, name, avatar)
    await people.invalidate_renamed(guest)
    response = json_response(SavedProfile(name, avatar))
    people.set_guest_cookie(response, guest, changed=True)
    return response


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
            BotListed(name, bots.BOTS[name].summary, usual=name == default_name)
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
    chosen_rules = variants.get(query.get("variant", ""), players, options, games)
    return json_response(RulesPage(variants.short_name(chosen_rules), page(chosen_rules)))


async def all_rules(request: Request) -> Response:
    """Return the rules pages of all games, for offline reading."""
    games = tuple(context_of(request).settings.games.values())
    return json_response(
        msgspec.Raw(await asyncio.to_thread(_rules_pages, games)), cache="no-cache"
    )


@cache
def _rules_pages(games: tuple[Rules, ...]) -> bytes:
    return msgspec.json.encode(
        [VariantRulesPage(one.variant, variants.short_name(one), page(one)) for one in games]
    )


@with_guest
async def open_table(request: Request, guest: Guest) -> Response:
    """Open a table, its host in the first seat.

    Raises RulesError, NotationError and RateLimited.
    """
    await charge_request(request)
    server = context_of(request)
    body = await read_json(request, OpenTableRequest)
    max_tables = server.settings.open_tables
    if (
        await table_lists.count_hosted(
            server.store, guest.id, time.time_ns() // 1_000_000 - _DAY_MS
        )
        >= max_tables
    ):
        raise RateLimited(
            f"You have opened {max_tables} tables that are not over: finish one or wait a day."
        )
    games = await offered_games(request)
    rules = variants.get(body.variant, body.players, body.options, games)
    config = Config(
        variant=body.variant,
        players=rules.seats,
        options=body.options,
        public=body.public,
        clock=body.clock,
        bots=bots.require_selectable(body.bots or bots.default_bot(rules), rules),
    )
    entries = begin(config, guest.person, rules)
    opened = fold(entries)
    if body.start:
        entries += handle_command(opened, guest.person, Start(), chance.RNG)
        opened = fold(entries)
    # The table's id is its play link until the host makes another one.
    key = key_of(None, chance.RNG)
    table_id = token_of(key, chance.RNG)
    links = new_link("watch", key, chance.RNG), new_link("replay", key, chance.RNG)
    entries += links
    summaries = changed_summaries([opened])
    await server.store.create(
        table_id,
        [log.encode(entry) for entry in entries],
        config=msgspec.json.encode(config),
        public=config.public,
        summary=list_summary(opened),
        keys=index_fields(opened),
        games={number: msgspec.json.encode(game) for number, game in summaries.items()},
        people=[guest.id],
        links={link.token: link.link for link in links},
    )
    return json_response(TableOpened(table_id), 201)


async def lobby(request: Request) -> Response:
    """Return a page of the public tables: `?page=2`. Raises NotationError.

    If there are more, the response names the next page as `Link: <...>; rel="next"`.
    """
    server = context_of(request)
    number = page_number(request)
    present = server.registry.occupied_table_ids
    all_pages = split_into_pages(
        await table_lists.lobby_tables(server.store, extra_ids=present), present
    )
    spots = all_pages[number - 1] if number <= len(all_pages) else ()
    listings = await table_lists.listings(server.store, [spot.id for spot in spots])
    response = json_response(_list_tables(server, listings))
    if number < len(all_pages):
        response.headers["link"] = f'<{request.url.path}?page={number + 1}>; rel="next"'
    return response


def page_number(request: Request) -> int:
    """Return the requested page number of a list, 1 by default. Raises NotationError."""
    text = request.query_params.get("page", "1")
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) > 0):
        raise NotationError(f"{text[:20]!r} is not a page number: expected 1, 2, 3 and so on.")
    return int(text)


async def my_tables(request: Request) -> Response:
    """Return the tables at which this guest has sat."""
    guest = await context_of(request).sessions.guest_or_none(request)
    return json_response(
        [] if guest is None else await _list_own_tables(context_of(request), guest)
    )


async def move_table(request: Request) -> Response:
    """Move one of the guest's own tables to another shelf, and return the list.

    Raises HTTPException.
    """
    server = context_of(request)
    body = await read_json(request, MoveTableRequest)
    guest = await server.sessions.guest_or_none(request)
    link = await server.store.resolve_token(body.table)
    if guest is None or link is None or link.kind != "play":
        raise HTTPException(404, "That table is not in your list.")
    if not await table_lists.set_shelf(server.store, link.table_id, guest.id, body.shelf):
        raise HTTPException(404, "That table is not in your list.")
    return json_response(await _list_own_tables(server, guest))


async def _list_own_tables(server: ServerContext, guest: Guest) -> list[TableListed]:
    """Return the tables of a guest."""
    own_tables = []
    current_turns = (
        server.registry.turns()
    )  # before the store, because a table may be unloaded during it
    for listing in await table_lists.tables_of_person(server.store, guest.id):
        if (entry := _list_entry(server, listing)) is not None:
            turn = current_turns.get(listing.id, listing.turn)
            game = _last_game(listing, guest)
            own_tables.append(
                msgspec.structs.replace(entry, shelf=listing.shelf, turn=turn, game=game)
            )
    return own_tables


def _last_game(listing: TableListing, guest: Guest) -> GameStatus | None:
    """Return the last game of a table for this guest's list, or None without a sound summary."""
    try:
        last_summary = (
            None if listing.game is None else msgspec.json.decode(listing.game, type=GameSummary)
        )
    except (msgspec.DecodeError, UnicodeError):  # damaged in the database
        last_summary = None
    if last_summary is None:
        return None
    you = last_summary.people.index(guest.id) if guest.id in last_summary.people else None
    return GameStatus(
        last_summary.deals, last_summary.sides, last_summary.scores, last_summary.winner, you
    )


def _list_tables(server: ServerContext, listings: Iterable[TableListing]) -> list[TableListed]:
    """Return the list entries of tables, without tables whose summary is damaged."""
    return [entry for listing in listings if (entry := _list_entry(server, listing)) is not None]


def _list_entry(server: ServerContext, listing: TableListing) -> TableListed | None:
    """Return the list entry of a table, or None if its summary is damaged."""
    try:
        fields = msgspec.json.decode(listing.summary, type=TableSummary)
    except (msgspec.DecodeError, UnicodeError):  # damaged in the database
        return None
    return TableListed(
        **msgspec.structs.asdict(fields),
        id=listing.link,
        created=listing.created,
        changed=listing.changed,
        present=server.registry.present_count(listing.id),
    )


async def health(request: Request) -> Response:
    """Return the health of the server: whether the database answers, and known damage in it.

    A damaged database still counts as healthy, because the sound tables are served and a restart
    would repair nothing.
    """
    store = context_of(request).store
    try:
        await store.ping()
    except DatabaseUnavailable:
        return json_response(Health(False, "The database does not answer."), 503)
    return json_response(Health(True, damaged=store.damage))


async def metrics(request: Request) -> Response:
    """Return the metrics of this process in the format that Prometheus asks for."""
    encode, media_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(context_of(request).metrics.registry), media_type=media_type)
