"""HTTP: a table's rules and the games it has played: their list, records, and card by card.

Whoever has the link to play or to replay may have them. Of a game that is not over, only its
finished deals.
"""

from __future__ import annotations

import asyncio
import random
from hashlib import sha256

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
from acesaround.server.links import LOST, found
from acesaround.server.parts import parts
from acesaround.store import Link
from acesaround.table import GameLine, Table, fold, games, replay, replaying, seen
from acesaround.table import entries as log
from acesaround.table.messages import GameListed, Games


@for_guest
async def review(request: Request, guest: Guest) -> Response:
    """The page, at a game of a table that exists."""
    _, lines, _ = await _games(request, guest)
    _number(request.path_params["game"], lines)
    return pages.table_page(parts(request).settings.static)


async def rules(request: Request) -> Response:
    """The rules page of a table, made from the rules it is played by and not from a preset."""
    link = await found(request, "play", "watch", "replay")
    opened = log.decode((await parts(request).store.entries(link.table_id))[0])
    return answer({"markdown": page(fold([opened]).rules)})


async def listed(request: Request) -> Response:
    """The games of a table."""
    _, lines, link = await _games(request)
    shown = [_listed(number, line) for number, line in enumerate(lines, 1)]
    return answer(Games(bool(shown) and shown[-1].over, tuple(shown), link.kind == "play"))


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
    table, lines, link = await _games(request)
    number = _number(asked.get("game", str(len(lines))), lines)
    line = lines[number - 1]
    if not line.over:
        raise HTTPException(403, "That game is not over: its cards stay hidden until it is.")
    deal = _whole(asked.get("deal", "1"))
    if not 1 <= deal <= line.deals:
        raise HTTPException(404, f"There is no such deal: that game had {line.deals}.")
    guest = parts(request).identity.known(request)
    seat = line.seat_of(None if guest is None else guest.id)
    shown = await _to_replay(request, table, link)

    def made() -> bytes:
        return seen.encode(replay(line, shown, number, deal, seat))

    written = await asyncio.to_thread(made)
    return Response(written, media_type="application/json", headers={"cache-control": "no-store"})


async def _to_replay(request: Request, table: Table, link: Link) -> str:
    """The token by which others may see the same, and no more. Raises Unsaved."""
    if link.kind == "replay":
        return str(request.path_params["table"])
    if table.links.replay is None:
        async with parts(request).hub.using(link.table_id) as live:
            return "" if live is None else (await live.link()).replay or ""
    return table.links.replay


async def why(request: Request) -> Response:
    """What a good player would have done there, and why: `?game=1&deal=1&step=0`."""
    asked = request.query_params
    _, lines, link = await _games(request)
    number = _number(asked.get("game", str(len(lines))), lines)
    line = lines[number - 1]
    deal, step = _whole(asked.get("deal", "1")), _whole(asked.get("step", "0"))
    guest = parts(request).identity.known(request)
    thinkers = parts(request).hub.players.thinkers
    chance = random.Random(f"{link.table_id}:{number}:{deal}:{step}")

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
    form = request.path_params["form"]
    if form not in ("json", "txt"):
        raise HTTPException(404, f"A record is record.json or record.txt, not record.{form}.")
    _, lines, link = await _games(request)
    number = _number(request.query_params.get("game", str(len(lines))), lines)
    told = _told(lines[number - 1])
    # A file is passed on, so its name must not be a link.
    name = sha256(link.table_id.encode()).hexdigest()[:8]
    return Response(
        encode(told) + b"\n" if form == "json" else to_text(told).encode(),
        media_type="application/json" if form == "json" else "text/plain; charset=utf-8",
        headers={
            "content-disposition": f'attachment; filename="acesaround-{name}-{number}.{form}"',
            "cache-control": "no-store",
        },
    )


async def _games(
    request: Request, guest: Guest | None = None
) -> tuple[Table, list[GameLine], Link]:
    """The table, its games, and the link by which they are asked for. Raises HTTPException."""
    link = await found(request, "play", "replay")
    server = parts(request)
    bodies = await server.store.entries(link.table_id)
    table, lines = await asyncio.to_thread(lambda: games([log.decode(body) for body in bodies]))
    if not link.good:
        guest = guest or server.identity.known(request)
        if not table.welcome(None if guest is None else guest.id):
            raise HTTPException(404, LOST)
    return table, lines, link


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
