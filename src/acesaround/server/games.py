"""HTTP: a table's rules and the games it has played: their list, records, and card by card.

Whoever knows the table's link may have them. Of a game that is not over, only its finished deals.
Lists are made of what is kept beside the log (`listing`), all else of records (`records`).
"""

from __future__ import annotations

import random
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround.errors import RecordError
from acesaround.record import to_text
from acesaround.record.model import decode
from acesaround.rulebook import page
from acesaround.server import pages
from acesaround.server.http import answer, for_guest
from acesaround.server.identity import Guest
from acesaround.server.limits import network
from acesaround.server.parts import parts
from acesaround.store import Damaged
from acesaround.table import fold, line_of, replay, replaying, seen
from acesaround.table.listing import GameKept
from acesaround.table.messages import GameListed, Games

_NO_TABLE: Final = "There is no such table: ask for the link again."
_TRIES: Final = 3  # at a game of which another deal ends while its log is read


@for_guest
async def review(request: Request, guest: Guest) -> Response:
    """The page, at a game of a table that exists."""
    _number(request.path_params["game"], await _lines(request))
    return pages.table_page(parts(request).settings.static)


async def rules(request: Request) -> Response:
    """The rules page of a table, made from the rules it is played by and not from a preset."""
    table = request.path_params["table"]
    opened = await parts(request).store.first(table)
    if opened is None:
        raise HTTPException(404, _NO_TABLE)
    return answer({"markdown": page(parts(request).hub.logs.read(table, [opened], fold).rules)})


async def listed(request: Request) -> Response:
    """The games of a table."""
    lines = await _lines(request)
    shown = [
        GameListed(game=number, deals=line.deals, over=line.over, winner=line.winner)
        for number, line in enumerate(lines, 1)
    ]
    return answer(Games(bool(shown) and shown[-1].over, tuple(shown)))


async def replayed(request: Request) -> Response:
    """A deal of a game that is over, all hands shown: `?game=1&deal=1`."""
    asked, table = request.query_params, request.path_params["table"]
    number, line = await _finished(request)
    deal = _whole(asked.get("deal", "1"))
    if not 1 <= deal <= line.deals:
        raise HTTPException(404, f"There is no such deal: that game had {line.deals}.")
    guest = parts(request).identity.known(request)
    known = guest is not None and guest.id in line.people
    seat = line.people.index(guest.id) if guest is not None and known else None
    kept = await _record(request, number)

    def made() -> bytes:
        return seen.encode(replay(line_of(decode(kept)), table, number, deal, seat))

    return _written(await parts(request).records.work(_who(request), made))


async def why(request: Request) -> Response:
    """What a good player would have done there, and why: `?game=1&deal=1&step=0`."""
    asked, table, who = request.query_params, request.path_params["table"], _who(request)
    number, _ = await _finished(request)
    deal, step = _whole(asked.get("deal", "1")), _whole(asked.get("step", "0"))
    kept = await _record(request, number)
    thinkers = parts(request).hub.players.thinkers
    chance = random.Random(f"{table}:{number}:{deal}:{step}")

    def told() -> bytes:
        line = line_of(decode(kept))
        adviser = thinkers.adviser(who, line.rules, chance)
        return seen.encode(replaying.why(line, deal, step, adviser))

    try:
        return _written(await thinkers.answer(who, told))
    except RecordError as error:
        raise HTTPException(404, str(error)) from None


async def record(request: Request) -> Response:
    """The record of a game of a table, its last one unless `?game=1` names another."""
    table, form = request.path_params["table"], request.path_params["form"]
    if form not in ("json", "txt"):
        raise HTTPException(404, f"A record is record.json or record.txt, not record.{form}.")
    lines = await _lines(request)
    number = _number(request.query_params.get("game", str(len(lines))), lines)
    kept = await _record(request, number)
    return Response(
        kept + b"\n" if form == "json" else to_text(decode(kept)).encode(),
        media_type="application/json" if form == "json" else "text/plain; charset=utf-8",
        headers={
            "content-disposition": f'attachment; filename="acesaround-{table}-{number}.{form}"',
            "cache-control": "no-store",
        },
    )


async def _lines(request: Request) -> list[GameKept]:
    """What is kept of the games of the table that is asked for, oldest first."""
    store, table = parts(request).store, request.path_params["table"]
    try:
        lines = [msgspec.json.decode(line, type=GameKept) for line in await store.games(table)]
    except (msgspec.DecodeError, UnicodeError):
        raise Damaged("its list of games is damaged") from None
    if not lines and not await store.exists(table):
        raise HTTPException(404, _NO_TABLE)
    return lines


async def _finished(request: Request) -> tuple[int, GameKept]:
    """The game that is asked for, which has to be over, by its number."""
    lines = await _lines(request)
    number = _number(request.query_params.get("game", str(len(lines))), lines)
    if not lines[number - 1].over:
        raise HTTPException(403, "That game is not over: its cards stay hidden until it is.")
    return number, lines[number - 1]


async def _record(request: Request, number: int) -> bytes:
    """The record of a game as JSON."""
    for _ in range(_TRIES):
        line = (await _lines(request))[number - 1]
        key = request.path_params["table"], number, line.deals, line.over
        kept = await parts(request).records.get(_who(request), key)
        if kept is not None:
            return kept
    raise HTTPException(404, "That game cannot be read.")


def _who(request: Request) -> str:
    """On whose account something is made: of guests that are not known, on their address's."""
    guest = parts(request).identity.known(request)
    if guest is not None:
        return guest.id
    return network(None if request.client is None else request.client.host) or ""


def _written(body: bytes) -> Response:
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})


def _whole(written: str) -> int:
    """A number of an address; 0, which nothing has, where it is none."""
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 9 else 0


def _number(written: str, lines: list[GameKept]) -> int:
    number = _whole(written)
    if not 1 <= number <= len(lines):
        raise HTTPException(404, f"There is no such game: this table has had {len(lines)}.")
    return number
