"""HTTP: a table's rules and the games it has played: their list, records, and card by card.

Whoever knows the table's link may have them. Of a game that is not over, only its finished deals.
"""

from __future__ import annotations

import asyncio
import random

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround.errors import RecordError
from acesaround.record import GameRecord, to_text
from acesaround.record.model import encode
from acesaround.rulebook import page
from acesaround.server import pages
from acesaround.server.http import answer, for_guest
from acesaround.server.identity import Guest
from acesaround.server.parts import parts
from acesaround.table import GameLine, Table, fold, games, replay, replaying, seen
from acesaround.table.messages import GameListed, Games


@for_guest
async def review(request: Request, guest: Guest) -> Response:
    """The page, at a game of a table that exists."""
    _, lines = await _games(request)
    _number(request.path_params["game"], lines)
    return pages.table_page(parts(request).settings.static)


async def rules(request: Request) -> Response:
    """The rules page of a table, made from the rules it is played by and not from a preset."""
    opened = (await _log(request))[:1]
    table = parts(request).hub.logs.read(request.path_params["table"], opened, fold)
    return answer({"markdown": page(table.rules)})


async def listed(request: Request) -> Response:
    """The games of a table."""
    _, lines = await _games(request)
    shown = [_listed(number, line) for number, line in enumerate(lines, 1)]
    return answer(Games(bool(shown) and shown[-1].over, tuple(shown)))


def _listed(number: int, line: GameLine) -> GameListed:
    winner = None if line.end is None else line.end.winner
    sides = line.rules.sides
    return GameListed(
        game=number,
        deals=line.deals,
        over=line.over,
        winner=None if winner is None else sides[winner],
    )


async def replayed(request: Request) -> Response:
    """A deal of a game that is over, all hands shown: `?game=1&deal=1`."""
    asked = request.query_params
    table, lines = await _games(request)
    number = _number(asked.get("game", str(len(lines))), lines)
    line = lines[number - 1]
    if not line.over:
        raise HTTPException(403, "That game is not over: its cards stay hidden until it is.")
    deal = _whole(asked.get("deal", "1"))
    if not 1 <= deal <= line.deals:
        raise HTTPException(404, f"There is no such deal: that game had {line.deals}.")
    guest = parts(request).identity.known(request)
    seat = table.seat_of(None if guest is None else guest.id)

    def made() -> bytes:
        return seen.encode(replay(line, request.path_params["table"], number, deal, seat))

    written = await asyncio.to_thread(made)
    return Response(written, media_type="application/json", headers={"cache-control": "no-store"})


async def why(request: Request) -> Response:
    """What a good player would have done there, and why: `?game=1&deal=1&step=0`."""
    asked = request.query_params
    _, lines = await _games(request)
    number = _number(asked.get("game", str(len(lines))), lines)
    line = lines[number - 1]
    deal, step = _whole(asked.get("deal", "1")), _whole(asked.get("step", "0"))
    guest, table = parts(request).identity.known(request), request.path_params["table"]
    thinkers = parts(request).hub.players.thinkers
    chance = random.Random(f"{table}:{number}:{deal}:{step}")

    def told() -> bytes:
        return seen.encode(replaying.why(line, deal, step, thinkers.adviser(line.rules, chance)))

    if not line.over:
        raise HTTPException(403, "That game is not over: its cards stay hidden until it is.")
    try:
        written = await thinkers.answer("" if guest is None else guest.id, told)
    except RecordError as error:
        raise HTTPException(404, str(error)) from None
    return Response(written, media_type="application/json", headers={"cache-control": "no-store"})


async def record(request: Request) -> Response:
    """The record of a game of a table, its last one unless `?game=1` names another."""
    table, form = request.path_params["table"], request.path_params["form"]
    if form not in ("json", "txt"):
        raise HTTPException(404, f"A record is record.json or record.txt, not record.{form}.")
    _, lines = await _games(request)
    number = _number(request.query_params.get("game", str(len(lines))), lines)
    found = _told(lines[number - 1])
    return Response(
        encode(found) + b"\n" if form == "json" else to_text(found).encode(),
        media_type="application/json" if form == "json" else "text/plain; charset=utf-8",
        headers={
            "content-disposition": f'attachment; filename="acesaround-{table}-{number}.{form}"',
            "cache-control": "no-store",
        },
    )


async def _log(request: Request) -> list[bytes]:
    """The log of the table that is asked for."""
    bodies = await parts(request).store.entries(request.path_params["table"])
    if not bodies:
        raise HTTPException(404, "There is no such table: ask for the link again.")
    return bodies


async def _games(request: Request) -> tuple[Table, list[GameLine]]:
    bodies = await _log(request)
    logs, table = parts(request).hub.logs, request.path_params["table"]
    return await asyncio.to_thread(lambda: logs.read(table, bodies, games))


def _told(line: GameLine) -> GameRecord:
    """The record of a game. A deal that is still played would give every hand away."""
    found = line.record()
    if not line.over:
        found.deals = [deal for deal in found.deals if deal.score is not msgspec.UNSET]
    return found


def _whole(written: str) -> int:
    """A number of an address; 0, which nothing has, where it is none."""
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 9 else 0


def _number(written: str, lines: list[GameLine]) -> int:
    number = _whole(written)
    if not 1 <= number <= len(lines):
        raise HTTPException(404, f"There is no such game: this table has had {len(lines)}.")
    return number
