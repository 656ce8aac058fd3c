"""HTTP: a table's rules, and the games that it has played: list, records, replays and reasons.

Everyone with the play or replay link may have them. A record of an unfinished game has only its
finished deals. Lists come from fields stored with the log (`table.index_fields`), the rest from
records (`live.records_cache`).
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Collection
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround import variants
from acesaround.bots.pool.request import BotRequest
from acesaround.errors import RecordError
from acesaround.record import to_text
from acesaround.record.model import decode
from acesaround.rulebook import page
from acesaround.server.accounts.cookie import Guest
from acesaround.server.bots.scheduler import hint_bot_name
from acesaround.server.context import context_of
from acesaround.server.limits.rates import RateLimited
from acesaround.server.routes.common import json_response, rate_limit_account, with_guest
from acesaround.server.routes.http_messages import Invitation, TableRules
from acesaround.server.routes.link_preview import GAME, About, of_game, page_with_preview
from acesaround.server.routes.public_url import is_loopback_url, public_base_url, qr_data_uri
from acesaround.server.routes.share_links import LOST, resolve_link
from acesaround.store import CorruptData, Link
from acesaround.table import client_state, fold, game_replay, history_of, replay
from acesaround.table.alias import alias
from acesaround.table.index_fields import GameSummary
from acesaround.table.messages import GameListed, Games

_PATIENCE: Final = 2.0  # seconds that a page waits for the preview of a game
_SEED: Final = 62  # bits of the random seed for the bot that gives reasons
_TRIES: Final = 3  # attempts at a record, because a deal may end while the log is read


@with_guest
async def replay_page(request: Request, guest: Guest) -> Response:
    """Return the page for a game of an existing table."""
    return page_with_preview(request, await _about(request, await _link(request, guest)))


async def _about(request: Request, link: Link) -> About:
    """Return the preview of a link to a finished game.

    An unfinished game, a replaced link and a record that takes too long get the general preview.
    """
    lines = await _lines(request, link)
    number = _number(request.path_params["game"], lines)
    if not lines[number - 1].over or not link.good:
        return GAME
    with contextlib.suppress(TimeoutError, RateLimited, CorruptData, HTTPException):
        async with asyncio.timeout(_PATIENCE):
            kept = await _record(request, link, number)
            records = context_of(request).records
            return await records.run(
                await rate_limit_account(request), lambda: of_game(decode(kept))
            )
    return GAME


async def rules(request: Request) -> Response:
    """Return the rules page of a table, made from its stored rules and not from a preset."""
    table = (await resolve_link(request, "play", "watch", "replay")).table_id
    opened = await context_of(request).store.first_entry(table)
    if opened is None:
        raise HTTPException(404, LOST)
    rules = context_of(request).hub.logs.read(table, [opened], fold).rules
    base = variants.called(variants.base_of(rules) or rules)
    return json_response(TableRules(base, variants.changes(rules), page(rules)))


async def invitation(request: Request) -> Response:
    """Return the current play link as a URL and as a QR code, to a holder of a play link."""
    link = await _link(request, kinds=("play",))
    token = await context_of(request).store.link(link.table_id, "play")
    address = f"{public_base_url(request)}/t/{token or link.table_id}"
    return json_response(Invitation(address, qr_data_uri(address), is_loopback_url(address)))


async def listed(request: Request) -> Response:
    """Return the games of a table."""
    link = await _link(request)
    lines = await _lines(request, link)
    shown = [
        GameListed(game=number, deals=line.deals, over=line.over, winner=line.winner)
        for number, line in enumerate(lines, 1)
    ]
    return json_response(Games(bool(shown) and shown[-1].over, tuple(shown), link.kind == "play"))


async def get_replay(request: Request) -> Response:
    """Return a deal of a finished game with all hands: `?game=1&deal=1`."""
    asked, link = request.query_params, await _link(request)
    number, line = await _finished(request, link)
    deal = _whole(asked.get("deal", "1"))
    if not 1 <= deal <= line.deals:
        raise HTTPException(404, f"There is no such deal: that game had {line.deals}.")
    guest = await context_of(request).people.guest_or_none(request)
    known = guest is not None and guest.id in line.people
    seat = line.people.index(guest.id) if guest is not None and known else None
    kept = await _record(request, link, number)
    shown = await _to_replay(request, link)

    def made() -> bytes:
        return client_state.encode(replay(history_of(decode(kept)), shown, number, deal, seat))

    body = await context_of(request).records.run(await rate_limit_account(request), made)
    return json_response(msgspec.Raw(body))


async def _to_replay(request: Request, link: Link) -> str:
    """Return the table's replay token, for sharing a replay. Raises DatabaseUnavailable."""
    if link.kind == "replay":
        return str(request.path_params["table"])
    known = await context_of(request).store.link(link.table_id, "replay")
    if known is None:  # at a table of an earlier release
        async with context_of(request).hub.acquire(link.table_id) as live:
            known = None if live is None else (await live.link()).replay
    return known or ""


async def why(request: Request) -> Response:
    """Return the choice of a good player at a step, and why: `?game=1&deal=1&step=0`."""
    asked, link, asker = (
        request.query_params,
        await _link(request),
        await rate_limit_account(request),
    )
    number, _ = await _finished(request, link)
    deal, step = _whole(asked.get("deal", "1")), _whole(asked.get("step", "0"))
    kept = await _record(request, link, number)
    seed = random.Random(f"{link.table_id}:{number}:{deal}:{step}").getrandbits(_SEED)

    def made() -> BotRequest:
        line = history_of(decode(kept))
        return game_replay.asked(line, deal, step, hint_bot_name(line.rules), seed)

    try:
        question = await context_of(request).records.run(asker, made)
    except RecordError as error:
        raise HTTPException(404, str(error)) from None
    told = await context_of(request).hub.players.thinkers.answer(asker, question)
    return json_response(msgspec.Raw(client_state.encode(game_replay.hint_fields(question, told))))


async def record(request: Request) -> Response:
    """Return the record of a game of a table, the last one unless `?game=1` names another."""
    form = request.path_params["form"]
    if form not in ("json", "txt"):
        raise HTTPException(404, f"A record is record.json or record.txt, not record.{form}.")
    link = await _link(request)
    lines = await _lines(request, link)
    number = _number(request.query_params.get("game", str(len(lines))), lines)
    kept = await _record(request, link, number)
    # People pass the file on, so its name must not contain the table's token.
    name = alias(link.table_id)
    return Response(
        kept + b"\n" if form == "json" else to_text(decode(kept)).encode(),
        media_type="application/json" if form == "json" else "text/plain; charset=utf-8",
        headers={
            "content-disposition": f'attachment; filename="acesaround-{name}-{number}.{form}"',
            "cache-control": "no-store",
        },
    )


async def _link(
    request: Request, guest: Guest | None = None, kinds: Collection[str] = ("play", "replay")
) -> Link:
    """Return the link of a request, if it is current or its guest has sat at the table.

    Raises HTTPException.
    """
    link = await resolve_link(request, *kinds)
    if not link.good:
        guest = guest or await context_of(request).people.guest_or_none(request)
        if guest is None or not await context_of(request).store.has_sat(link.table_id, guest.id):
            raise HTTPException(404, LOST)
    return link


async def _lines(request: Request, link: Link) -> list[GameSummary]:
    """Return the stored summaries of the table's games, oldest first.

    Raises CorruptData and DatabaseUnavailable.
    """
    store = context_of(request).store
    try:
        return [
            msgspec.json.decode(line, type=GameSummary) for line in await store.games(link.table_id)
        ]
    except (msgspec.DecodeError, UnicodeError):
        raise CorruptData("its list of games is damaged") from None


async def _finished(request: Request, link: Link) -> tuple[int, GameSummary]:
    """Return the number and summary of the requested game.

    Raises HTTPException if there is no such game or it is not over.
    """
    lines = await _lines(request, link)
    number = _number(request.query_params.get("game", str(len(lines))), lines)
    if not lines[number - 1].over:
        raise HTTPException(403, "That game is not over: its cards stay hidden until it is.")
    return number, lines[number - 1]


async def _record(request: Request, link: Link, number: int) -> bytes:
    """Return the record of a game as JSON. Raises HTTPException if it cannot be made."""
    for _ in range(_TRIES):
        line = (await _lines(request, link))[number - 1]
        key = link.table_id, number, line.deals, line.over
        kept = await context_of(request).records.get(await rate_limit_account(request), key)
        if kept is not None:
            return kept
    raise HTTPException(404, "That game cannot be read.")


def _whole(written: str) -> int:
    """Return a number in a URL, or 0 (no valid number) for any other text."""
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 9 else 0


def _number(written: str, lines: list[GameSummary]) -> int:
    number = _whole(written)
    if not 1 <= number <= len(lines):
        raise HTTPException(404, f"There is no such game: this table has had {len(lines)}.")
    return number
