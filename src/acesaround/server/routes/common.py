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
from acesaround.server.routes.lobby import pages_of
from acesaround.server.routes.option_forms import variant_form
from acesaround.server.routes.share_links import resolve_link
from acesaround.store import DatabaseUnavailable, TableListing
from acesaround.table import Config, begin, fold, handle_command, key_of, names, new_link, token_of
from acesaround.table import entries as log
from acesaround.table.commands import Start
from acesaround.table.index_fields import GameSummary, TableSummary, games_kept, keys, summary

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]
_DAY: Final = 24 * 60 * 60 * 1000  # milliseconds for which an opened table counts for the limit


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
    async def known(request: Request) -> Response:
        people = context_of(request).people
        guest = await people.guest(request)
        response = await endpoint(request, guest)
        if guest.fresh:
            people.remember(response, guest)
        return response

    return known


async def read_json(request: Request, wanted: type[T]) -> T:
    """Return the JSON body of a request from one of our pages.

    Raises NotationError, HTTPException and TooLarge.
    """
    settings = context_of(request).settings
    if not rates.same_origin(request, settings.public_url):
        raise HTTPException(403, "That comes from another site.")
    try:
        return msgspec.json.decode(
            await rates.read_body(request, settings.message_bytes), type=wanted
        )
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotationError(f"That request cannot be read: {error}.") from None


async def charge_request(request: Request) -> None:
    """Charge a request that creates something to the rate limits of its guest and address.

    Raises RateLimited and DatabaseUnavailable.
    """
    guest = await context_of(request).people.guest_or_none(request)
    address = None if request.client is None else request.client.host
    context_of(request).allowance.spend(None if guest is None else guest.id, address)


async def rate_limit_account(request: Request) -> str:
    """Return the account that work is queued for: the guest, or the address of an unknown guest."""
    guest = await context_of(request).people.guest_or_none(request)
    if guest is not None:
        return guest.id
    return rates.rate_limit_key(None if request.client is None else request.client.host) or ""


async def offered(request: Request) -> dict[str, Rules]:
    """Return the games that the guest may play, by name: their own first.

    Raises DatabaseUnavailable.
    """
    server = context_of(request)
    guest = await server.people.guest_or_none(request)
    own = {} if guest is None else await variants_of(server.store, guest.id)
    return {**own, **server.settings.games}


async def index_page(request: Request) -> Response:
    """Return the page, even if the database does not answer."""
    response = link_preview.page_with_preview(request, link_preview.HOME)
    context_of(request).people.ensure_cookie(request, response)
    return response


@with_guest
async def table(request: Request, guest: Guest) -> Response:
    """Return the page for an existing table."""
    return link_preview.page_with_preview(request, await _about(request))


async def _about(request: Request) -> link_preview.About:
    """Return the preview of a link to a table. A replaced link gets the general one."""
    link = await resolve_link(request, "play", "watch")
    lines = await context_of(request).store.lines([link.table_id]) if link.good else []
    if not lines:
        return link_preview.TABLE
    return link_preview.of_table(lines[0].summary, play=link.kind == "play")


@with_guest
async def me(request: Request, guest: Guest) -> Response:
    """Return the guest's name and avatar, and note that the guest was seen."""
    if not guest.fresh or guest.name is not None:
        await context_of(request).arrivals.touch(guest.id)
    return json_response(Profile(guest.name, guest.person.avatar))


async def rename(request: Request) -> Response:
    """Set the guest's name and avatar, on all devices of that person."""
    await charge_request(request)
    people = context_of(request).people
    wanted = await read_json(request, RenameRequest)
    name, guest = names.checked(wanted.name), await people.guest(request)
    avatar = guest.person.avatar if wanted.avatar is None else wanted.avatar
    guest = msgspec.structs.replace(guest, name=name, avatar=avatar)
    await context_of(request).store.save_name(guest.id, name, avatar)
    await people.renamed(guest)
    response = json_response(SavedProfile(name, avatar))
    people.remember(response, guest, changed=True)
    return response


async def all_variants(request: Request) -> Response:
    """Return the games with their house options for a form, the guest's own games first."""
    games = await offered(request)
    named = {name: variants.presets(name) for name in variants.VARIANTS}
    return json_response(
        [variant_form(rules, named.get(name, {})) for name, rules in games.items()]
    )


async def all_bots(request: Request) -> Response:
    """Return the bots that people may choose, with summaries, and mark the usual one."""
    usual = bots.default_bot()
    return json_response(
        [
            BotListed(name, bots.BOTS[name].summary, usual=name == usual)
            for name in bots.selectable_bots()
        ]
    )


async def rules(request: Request) -> Response:
    """Return the rules page of a variant with house options.

    Raises RulesError and NotationError.
    """
    asked = request.query_params
    try:
        players = int(asked["players"]) if asked.get("players") else None
        options = msgspec.json.decode(asked.get("options") or "{}", type=dict[str, Any])
    except (ValueError, RecursionError) as error:
        raise NotationError(f"That request cannot be read: {error}.") from None
    games = await offered(request)
    found = variants.get(asked.get("variant", ""), players, options, games)
    return json_response(RulesPage(variants.called(found), page(found)))


async def all_rules(request: Request) -> Response:
    """Return the rules pages of all games, for offline reading."""
    games = tuple(context_of(request).settings.games.values())
    return json_response(msgspec.Raw(await asyncio.to_thread(_pages, games)), cache="no-cache")


@cache
def _pages(games: tuple[Rules, ...]) -> bytes:
    return msgspec.json.encode(
        [VariantRulesPage(one.variant, variants.called(one), page(one)) for one in games]
    )


@with_guest
async def open_table(request: Request, guest: Guest) -> Response:
    """Open a table, its host in the first seat.

    Raises RulesError, NotationError and RateLimited.
    """
    await charge_request(request)
    server = context_of(request)
    wanted = await read_json(request, OpenTableRequest)
    most = server.settings.tables
    if await server.store.hosted(guest.id, time.time_ns() // 1_000_000 - _DAY) >= most:
        raise RateLimited(
            f"You have opened {most} tables that are not over: finish one, or wait a day."
        )
    games = await offered(request)
    rules = variants.get(wanted.variant, wanted.players, wanted.options, games)
    config = Config(
        variant=wanted.variant,
        players=rules.seats,
        options=wanted.options,
        public=wanted.public,
        clock=wanted.clock,
        bots=bots.require_selectable(wanted.bots or bots.default_bot(rules), rules),
    )
    entries = begin(config, guest.person, rules)
    opened = fold(entries)
    if wanted.start:
        entries += handle_command(opened, guest.person, Start(), chance.SOURCE)
        opened = fold(entries)
    # The table's id is its play link until the host makes another one.
    key = key_of(None, chance.SOURCE)
    table_id = token_of(key, chance.SOURCE)
    links = new_link("watch", key, chance.SOURCE), new_link("replay", key, chance.SOURCE)
    entries += links
    kept = games_kept([opened])
    await server.store.create(
        table_id,
        [log.encode(entry) for entry in entries],
        config=msgspec.json.encode(config),
        public=config.public,
        summary=summary(opened),
        keys=keys(opened),
        games={number: msgspec.json.encode(game) for number, game in kept.items()},
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
    present = server.hub.tables
    found = pages_of(await server.store.lobby(among=present), present)
    shown = found[number - 1] if number <= len(found) else ()
    lines = await server.store.lines([spot.id for spot in shown])
    response = json_response(_shown(server, lines))
    if number < len(found):
        response.headers["link"] = f'<{request.url.path}?page={number + 1}>; rel="next"'
    return response


def page_number(request: Request) -> int:
    """Return the requested page number of a list, 1 by default. Raises NotationError."""
    written = request.query_params.get("page", "1")
    if not (written.isascii() and written.isdecimal() and len(written) < 6 and int(written) > 0):
        raise NotationError(f"{written[:20]!r} is no page of a list: expected 1, 2, 3 and so on.")
    return int(written)


async def my_tables(request: Request) -> Response:
    """Return the tables at which this guest has sat."""
    guest = await context_of(request).people.guest_or_none(request)
    return json_response([] if guest is None else await _mine(context_of(request), guest))


async def move_table(request: Request) -> Response:
    """Move one of the guest's own tables to another shelf, and return the list.

    Raises HTTPException.
    """
    server = context_of(request)
    wanted = await read_json(request, MoveTableRequest)
    guest = await server.people.guest_or_none(request)
    link = await server.store.resolve_token(wanted.table)
    if guest is None or link is None or link.kind != "play":
        raise HTTPException(404, "That table is not in your list.")
    if not await server.store.set_shelf(link.table_id, guest.id, wanted.shelf):
        raise HTTPException(404, "That table is not in your list.")
    return json_response(await _mine(server, guest))


async def _mine(server: ServerContext, guest: Guest) -> list[TableListed]:
    """Return the tables of a guest."""
    found = []
    awake = server.hub.turns()  # before the store, because a table may be unloaded during it
    for line in await server.store.tables_of_person(guest.id):
        if (shown := _listed(server, line)) is not None:
            turn = awake.get(line.id, line.turn)
            game = _game(line, guest)
            found.append(msgspec.structs.replace(shown, shelf=line.shelf, turn=turn, game=game))
    return found


def _game(line: TableListing, guest: Guest) -> GameStatus | None:
    """Return the last game of a table for this guest's list, or None without a sound summary."""
    try:
        kept = None if line.game is None else msgspec.json.decode(line.game, type=GameSummary)
    except (msgspec.DecodeError, UnicodeError):  # damaged in the database
        kept = None
    if kept is None:
        return None
    you = kept.people.index(guest.id) if guest.id in kept.people else None
    return GameStatus(kept.deals, kept.sides, kept.scores, kept.winner, you)


def _shown(server: ServerContext, lines: Iterable[TableListing]) -> list[TableListed]:
    """Return the list entries of tables, without tables whose summary is damaged."""
    return [shown for line in lines if (shown := _listed(server, line)) is not None]


def _listed(server: ServerContext, line: TableListing) -> TableListed | None:
    """Return the list entry of a table, or None if its summary is damaged."""
    try:
        shown = msgspec.json.decode(line.summary, type=TableSummary)
    except (msgspec.DecodeError, UnicodeError):  # damaged in the database
        return None
    return TableListed(
        **msgspec.structs.asdict(shown),
        id=line.link,
        created=line.created,
        changed=line.changed,
        present=server.hub.present(line.id),
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
