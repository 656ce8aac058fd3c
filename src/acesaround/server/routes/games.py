"""HTTP: a table's rules, and the games that it has played: list, records, replays and reasons.

Everyone with the play or replay link may read them. A record of an unfinished game has only its
finished deals. Lists come from fields stored with the log (`table.list_columns`), the rest from
records (`live.game_record_cache`).
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import random
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround import variants
from acesaround.bots.convention_card import rules_with_convention_card
from acesaround.bots.pool.request import BotRequest
from acesaround.errors import RecordError
from acesaround.record import to_text
from acesaround.record.model import decode
from acesaround.rules import Rules
from acesaround.server.accounts.cookie import Guest
from acesaround.server.bots.scheduler import hint_bot_name
from acesaround.server.context import context_of
from acesaround.server.limits.rate_limiters import RateLimited
from acesaround.server.live.game_record_cache import RecordKey
from acesaround.server.routes.http_messages import Invitation, TableRules
from acesaround.server.routes.link_preview import GAME, About, describe_game, page_with_preview
from acesaround.server.routes.public_url import is_loopback_url, public_base_url, qr_data_uri
from acesaround.server.routes.requests import rate_limit_account, with_guest
from acesaround.server.routes.responses import json_response
from acesaround.server.routes.share_links import LOST_SENTENCE, resolve_link
from acesaround.store import CorruptData, Link
from acesaround.table import client_state, fold, history_of, replay, replay_message
from acesaround.table.list_columns import GameSummary
from acesaround.table.log_pseudonym import pseudonym
from acesaround.table.messages import GameList, GameListed
from acesaround.table.replay_message import require_finished_deal

_PREVIEW_SECONDS: Final = 2.0  # seconds that a page waits for the preview of a game
_SEED_BITS: Final = 62  # bits of the random seed for the bot that gives reasons
_GZIP_LEVEL: Final = 6
_RECORD_ATTEMPTS: Final = 3  # attempts at a record, because a deal may end while the log is read


@with_guest
async def replay_page(request: Request, guest: Guest) -> Response:
    """Return the page for a game of an existing table."""
    return page_with_preview(
        request, await _game_preview(request, await _usable_link(request, guest))
    )


async def _game_preview(request: Request, link: Link) -> About:
    """Return the preview of a link to a finished game.

    An unfinished game, a replaced link and a record that takes too long get the general preview.
    """
    summaries = await _game_summaries(request, link)
    number = _game_number(request.path_params["game"], summaries)
    if not summaries[number - 1].over or not link.is_current:
        return GAME
    with contextlib.suppress(TimeoutError, RateLimited, CorruptData, HTTPException):
        async with asyncio.timeout(_PREVIEW_SECONDS):
            record_json = await _record_json(request, link, number)
            records = context_of(request).records
            return await records.run(
                await rate_limit_account(request), lambda: describe_game(decode(record_json))
            )
    return GAME


async def table_rules(request: Request) -> Response:
    """Return the rules page of a table, made from its stored rules and not from a preset."""
    table = (await resolve_link(request, "play", "watch", "replay")).table_id
    first_body = await context_of(request).store.first_entry(table)
    if first_body is None:
        raise HTTPException(404, LOST_SENTENCE)
    opened = context_of(request).registry.services.log_reader.read(table, [first_body], fold)
    rules_page = await asyncio.to_thread(_rules_of, opened.rules, opened.config.natural)
    return json_response(rules_page)


@lru_cache(64)
def _rules_of(rules: Rules, is_natural: bool) -> TableRules:
    """Return the rules page of a table. It takes about a tenth of a second to make.

    `is_natural`: whether the bots play without conventions.
    """
    base = variants.short_name(variants.base_of(rules) or rules)
    markdown = rules_with_convention_card(rules, is_natural=is_natural)
    return TableRules(base, variants.change_sentences(rules), markdown)


async def invitation(request: Request) -> Response:
    """Return the current play link as a URL and as a QR code, to a holder of a play link."""
    link = await _usable_link(request, kinds=("play",))
    token = await context_of(request).store.link_token(link.table_id, "play")
    address = f"{public_base_url(request)}/t/{token or link.table_id}"
    return json_response(Invitation(address, qr_data_uri(address), is_loopback_url(address)))


async def list_games(request: Request) -> Response:
    """Return the games of a table."""
    link = await _usable_link(request)
    summaries = await _game_summaries(request, link)
    listed_games = [
        GameListed(
            game=number,
            deals=game_summary.deals,
            over=game_summary.over,
            winner=game_summary.winner,
        )
        for number, game_summary in enumerate(summaries, 1)
    ]
    return json_response(
        GameList(
            bool(listed_games) and listed_games[-1].over, tuple(listed_games), link.kind == "play"
        )
    )


async def get_replay(request: Request) -> Response:
    """Return a finished deal of a game with all hands: `?game=1&deal=1`."""
    link = await _usable_link(request)
    number, deal, game_summary = await _finished_deal(request, link)
    guest = await context_of(request).sessions.find_guest(request)
    has_seat = guest is not None and guest.id in game_summary.people
    seat = game_summary.people.index(guest.id) if guest is not None and has_seat else None
    record_json = await _record_json(request, link, number)
    replay_token = await _replay_token(request, link)

    def build_replay() -> bytes:
        return client_state.encode(
            replay(history_of(decode(record_json)), replay_token, number, deal, seat)
        )

    return await _built_response(request, build_replay, "application/json")


async def _replay_token(request: Request, link: Link) -> str:
    """Return the table's replay token, for sharing a replay. Raises DatabaseUnavailable."""
    if link.kind == "replay":
        return str(request.path_params["table"])
    return await context_of(request).store.link_token(link.table_id, "replay") or ""


async def explain_step(request: Request) -> Response:
    """Return the choice of a good player at a step, and why: `?game=1&deal=1&step=0`."""
    query, link, account = (
        request.query_params,
        await _usable_link(request),
        await rate_limit_account(request),
    )
    number, deal, _ = await _finished_deal(request, link)
    step = _parse_number(query.get("step", "0"))
    record_json = await _record_json(request, link, number)
    seed = random.Random(f"{link.table_id}:{number}:{deal}:{step}").getrandbits(_SEED_BITS)

    def build_request() -> BotRequest:
        history = history_of(decode(record_json))
        return replay_message.request_at_step(
            history, deal, step, hint_bot_name(history.rules), seed
        )

    try:
        request_for_bot = await context_of(request).records.run(account, build_request)
    except RecordError as error:
        raise HTTPException(404, str(error)) from None
    advice = await context_of(
        request
    ).registry.services.bot_dispatcher.scheduler.answer_one_at_a_time(account, request_for_bot)
    return json_response(
        msgspec.Raw(client_state.encode(replay_message.hint_fields(request_for_bot, advice)))
    )


async def record(request: Request) -> Response:
    """Return the record of a game of a table, the last one unless `?game=1` names another."""
    file_format = request.path_params["form"]
    if file_format not in ("json", "txt"):
        raise HTTPException(404, f"Records end in .json or .txt, not in .{file_format}.")
    link = await _usable_link(request)
    summaries = await _game_summaries(request, link)
    number = _game_number(request.query_params.get("game", str(len(summaries))), summaries)
    record_json = await _record_json(request, link, number)
    # People pass the file on, so its name must not contain the table's token.
    name = pseudonym(link.table_id)

    def build_file() -> bytes:
        if file_format == "json":
            return record_json + b"\n"
        return to_text(decode(record_json)).encode()

    media_type = "application/json" if file_format == "json" else "text/plain; charset=utf-8"
    response = await _built_response(request, build_file, media_type)
    response.headers["content-disposition"] = (
        f'attachment; filename="acesaround-{name}-{number}.{file_format}"'
    )
    return response


async def _built_response(
    request: Request, build_body: Callable[[], bytes], media_type: str
) -> Response:
    """Return a response whose body is built and compressed in the thread of records, in turn.

    A game may have hundreds of deals. In the event loop, everybody would wait for its body.
    Raises RateLimited.
    """
    headers = {"cache-control": "no-store"}
    is_compressed = "gzip" in request.headers.get("accept-encoding", "")
    if is_compressed:
        headers |= {"content-encoding": "gzip", "vary": "Accept-Encoding"}

    def build() -> bytes:
        body = build_body()
        return gzip.compress(body, _GZIP_LEVEL) if is_compressed else body

    records = context_of(request).records
    body = await records.run(await rate_limit_account(request), build)
    return Response(body, media_type=media_type, headers=headers)


async def _usable_link(
    request: Request, guest: Guest | None = None, kinds: Collection[str] = ("play", "replay")
) -> Link:
    """Return the link of a request, if it is current or its guest has sat at the table.

    Raises HTTPException.
    """
    link = await resolve_link(request, *kinds)
    if not link.is_current:
        guest = guest or await context_of(request).sessions.find_guest(request)
        if guest is None or not await context_of(request).store.has_sat(link.table_id, guest.id):
            raise HTTPException(404, LOST_SENTENCE)
    return link


async def _game_summaries(request: Request, link: Link) -> list[GameSummary]:
    """Return the stored summaries of the table's games, oldest first.

    Raises CorruptData and DatabaseUnavailable.
    """
    store = context_of(request).store
    try:
        return [
            msgspec.json.decode(summary_json, type=GameSummary)
            for summary_json in await store.game_summaries(link.table_id)
        ]
    except (msgspec.DecodeError, UnicodeError):
        raise CorruptData("its list of games is damaged") from None


async def _finished_deal(request: Request, link: Link) -> tuple[int, int, GameSummary]:
    """Return the numbers of the requested game and deal, and the summary of the game.

    Raises HTTPException if there is no such game or deal, or the deal is not over.
    """
    query, summaries = request.query_params, await _game_summaries(request, link)
    number = _game_number(query.get("game", str(len(summaries))), summaries)
    summary, deal = summaries[number - 1], _parse_number(query.get("deal", "1"))
    try:
        require_finished_deal(deal, summary.deals, is_game_over=summary.over)
    except RecordError as error:
        hidden = deal == summary.deals + 1 and not summary.over
        raise HTTPException(403 if hidden else 404, str(error)) from None
    return number, deal, summary


async def _record_json(request: Request, link: Link, number: int) -> bytes:
    """Return the record of a game as JSON. Raises HTTPException if it cannot be made."""
    for _ in range(_RECORD_ATTEMPTS):
        game_summary = (await _game_summaries(request, link))[number - 1]
        key = link.table_id, number, game_summary.deals, game_summary.over
        record_json = await context_of(request).records.get(await rate_limit_account(request), key)
        if record_json is not None:
            return record_json
    raise HTTPException(404, "The server cannot read that game.")


async def find_finished_game(request: Request, number: int) -> tuple[Link, RecordKey]:
    """Return the link of a request, and the key of the record of a finished game of its table.

    Raises HTTPException if there is no such game, or if it is not over.
    """
    link = await _usable_link(request)
    summaries = await _game_summaries(request, link)
    summary = summaries[_game_number(str(number), summaries) - 1]
    if not summary.over:
        raise HTTPException(403, "This game is not over: it can be reviewed when it is.")
    return link, (link.table_id, number, summary.deals, True)


def _parse_number(text: str) -> int:
    """Return a number in a URL, or 0 (no valid number) for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0


def _game_number(text: str, summaries: list[GameSummary]) -> int:
    number = _parse_number(text)
    if not 1 <= number <= len(summaries):
        raise HTTPException(404, f"There is no such game: this table has {len(summaries)}.")
    return number
