"""Opening of tables, the guest's own tables, and how a table is shown in a list."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround import bots, variants
from acesaround.server import random_source
from acesaround.server.accounts.cookie import Guest
from acesaround.server.context import ServerContext, context_of
from acesaround.server.limits.rate_limiters import RateLimited
from acesaround.server.routes.http_messages import (
    GameStatus,
    MoveTableRequest,
    OpenTableRequest,
    TableListed,
    TableOpened,
)
from acesaround.server.routes.requests import (
    charge_change,
    charge_request,
    read_json,
    with_guest,
)
from acesaround.server.routes.responses import json_response
from acesaround.server.routes.variants import offered_games
from acesaround.store import TableListing, table_lists
from acesaround.table import (
    Config,
    begin,
    draw_token,
    entries,
    find_or_draw_key,
    fold,
    handle_command,
    new_link,
)
from acesaround.table.alerts import has_conventions
from acesaround.table.commands import Start
from acesaround.table.entries import Entry
from acesaround.table.list_columns import (
    GameSummary,
    TableSummary,
    changed_summaries,
    encode_summary,
    list_columns,
    list_summary,
)

_DAY_MS: Final = 24 * 60 * 60 * 1000  # milliseconds for which an opened table counts for the limit


@with_guest
async def open_table(request: Request, guest: Guest) -> Response:
    """Open a table, its host in the first seat.

    Raises RulesError, NotationError and RateLimited.
    """
    await charge_request(request)
    server = context_of(request)
    body = await read_json(request, OpenTableRequest)
    await require_room_for_table(server, guest)
    games = await offered_games(request)
    rules = variants.get(body.variant, body.players, body.options, games)
    config = Config(
        variant=body.variant,
        players=rules.seats,
        options=body.options,
        public=body.public,
        clock=body.clock,
        bots=bots.require_selectable(body.bots or bots.default_bot(rules), rules),
        natural=body.natural and has_conventions(rules),
    )
    new_entries = begin(config, guest.person, rules)
    opened = fold(new_entries)
    if body.start:
        new_entries += handle_command(opened, guest.person, Start(), random_source.RNG)
        opened = fold(new_entries)
    return json_response(
        TableOpened(await store_new_table(server, guest, config, new_entries)), 201
    )


async def require_room_for_table(server: ServerContext, guest: Guest) -> None:
    """Raise RateLimited if a guest has opened too many tables that are not over."""
    max_tables = server.settings.max_unfinished_tables
    if (
        await table_lists.count_hosted(
            server.store, guest.id, time.time_ns() // 1_000_000 - _DAY_MS
        )
        >= max_tables
    ):
        raise RateLimited(
            f"You have opened {max_tables} tables that are not over: finish one or wait a day."
        )


async def store_new_table(
    server: ServerContext, guest: Guest, config: Config, new_entries: tuple[Entry, ...]
) -> str:
    """Store a new table with its links. Return its id, which is its play link.

    Raises DatabaseUnavailable.
    """
    # The table's id is its play link until the host makes another one.
    key = find_or_draw_key(None, random_source.RNG)
    table_id = draw_token(key, random_source.RNG)
    if not config.public:  # everybody there is invited
        new_entries += (entries.FreeChatSet(True),)
    links = new_link("watch", key, random_source.RNG), new_link("replay", key, random_source.RNG)
    new_entries += links
    opened = fold(new_entries)
    summaries = changed_summaries([opened])
    await server.store.create(
        table_id,
        [entries.encode(entry) for entry in new_entries],
        config=msgspec.json.encode(config),
        public=config.public,
        summary=list_summary(opened),
        list_columns=list_columns(opened),
        games={
            number: encode_summary(game, server.store.now()) for number, game in summaries.items()
        },
        people=[guest.id],
        links={link.token: link.link for link in links},
    )
    return table_id


async def my_tables(request: Request) -> Response:
    """Return the tables at which this guest has sat."""
    guest = await context_of(request).sessions.find_guest(request)
    return json_response(
        [] if guest is None else await _list_own_tables(context_of(request), guest)
    )


async def move_table(request: Request) -> Response:
    """Move one of the guest's own tables to another section, and return the list.

    Raises HTTPException and RateLimited.
    """
    server = context_of(request)
    await charge_change(request)
    body = await read_json(request, MoveTableRequest)
    guest = await server.sessions.find_guest(request)
    link = await server.store.resolve_token(body.table)
    if guest is None or link is None or link.kind != "play":
        raise HTTPException(404, "That table is not in your list.")
    if not await table_lists.set_list_section(
        server.store, link.table_id, guest.id, body.list_section
    ):
        raise HTTPException(404, "That table is not in your list.")
    return json_response(await _list_own_tables(server, guest))


async def _list_own_tables(server: ServerContext, guest: Guest) -> list[TableListed]:
    """Return the tables of a guest."""
    own_tables = []
    current_turns = (
        server.registry.seats_on_turn()
    )  # before the store, because a table may be unloaded during it
    for listing in await table_lists.tables_of_person(server.store, guest.id):
        if not lesson_name(listing) and (entry := _list_entry(server, listing)) is not None:
            turn = current_turns.get(listing.id, listing.turn)
            game = _last_game(listing, guest)
            own_tables.append(
                msgspec.structs.replace(
                    entry, list_section=listing.list_section, turn=turn, game=game
                )
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


def lesson_name(listing: TableListing) -> str:
    """Return the name of the lesson that is taken at a table, "" for none."""
    try:
        return msgspec.json.decode(listing.summary, type=TableSummary).lesson
    except (msgspec.DecodeError, UnicodeError):  # damaged in the database
        return ""


def list_tables(server: ServerContext, listings: Iterable[TableListing]) -> list[TableListed]:
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
        created_ms=listing.created,
        changed_ms=listing.changed,
        people_present=server.registry.present_count(listing.id),
    )
