"""HTTP: the games a table has played: their list, their records, and their replay card by card.

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
from acesaround.server import pages
from acesaround.server.http import answer, for_guest
from acesaround.server.identity import Guest
from acesaround.server.parts import parts
from acesaround.table import entries as log
from acesaround.table import fold, replay, replaying, seen
from acesaround.table.messages import GameListed, Games
from acesaround.table.table import records


@for_guest
async def review(request: Request, guest: Guest) -> Response:
    """The page, at a game of a table that exists."""
    games = await _games(request)
    _number(request.path_params["game"], games)
    return pages.table_page(parts(request).settings.static)


async def listed(request: Request) -> Response:
    """The games of a table."""
    games = await _games(request)
    lines = [
        GameListed(
            game=number,
            deals=len(game.deals),
            over=game.winner is not None,
            winner=None if game.winner is None else tuple(game.sides[game.winner]),
        )
        for number, game in enumerate(games, 1)
    ]
    return answer(Games(bool(lines) and lines[-1].over, tuple(lines)))


async def replayed(request: Request) -> Response:
    """A deal of a game that is over, all hands shown: `?game=1&deal=1`."""
    bodies, asked = await _log(request), request.query_params
    games = await asyncio.to_thread(_finished, bodies)
    number = _number(asked.get("game", str(len(games))), games)
    game = games[number - 1]
    if game.winner is None:
        raise HTTPException(403, "That game is not over: its cards stay hidden until it is.")
    deal = _whole(asked.get("deal", "1"))
    if not 1 <= deal <= len(game.deals):
        raise HTTPException(404, f"There is no such deal: that game had {len(game.deals)}.")
    guest = parts(request).identity.known(request)
    person, table = None if guest is None else guest.id, request.path_params["table"]

    def made() -> bytes:
        seat = fold([log.decode(body) for body in bodies]).seat_of(person)
        return seen.encode(replay(game, table, number, deal, seat))

    written = await asyncio.to_thread(made)
    return Response(written, media_type="application/json", headers={"cache-control": "no-store"})


async def why(request: Request) -> Response:
    """What a good player would have done there, and why: `?game=1&deal=1&step=0`."""
    asked = request.query_params
    games = await _games(request)
    number = _number(asked.get("game", str(len(games))), games)
    deal, step = _whole(asked.get("deal", "1")), _whole(asked.get("step", "0"))
    guest, table = parts(request).identity.known(request), request.path_params["table"]
    thinkers = parts(request).hub.players.thinkers
    chance = random.Random(f"{table}:{number}:{deal}:{step}")

    def told() -> bytes:
        return seen.encode(replaying.why(games[number - 1], deal, step, thinkers.adviser(chance)))

    if games[number - 1].winner is None:
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
    games = await _games(request)
    number = _number(request.query_params.get("game", str(len(games))), games)
    found = games[number - 1]
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


async def _games(request: Request) -> list[GameRecord]:
    return await asyncio.to_thread(_finished, await _log(request))


def _finished(bodies: list[bytes]) -> list[GameRecord]:
    """The records of a log. A deal that is still played would give every hand away."""
    games = records([log.decode(body) for body in bodies])
    for game in games:
        if game.winner is None:
            game.deals = [deal for deal in game.deals if deal.score is not msgspec.UNSET]
    return games


def _whole(written: str) -> int:
    """A number of an address; 0, which nothing has, where it is none."""
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 9 else 0


def _number(written: str, games: list[GameRecord]) -> int:
    number = _whole(written)
    if not 1 <= number <= len(games):
        raise HTTPException(404, f"There is no such game: this table has had {len(games)}.")
    return number
