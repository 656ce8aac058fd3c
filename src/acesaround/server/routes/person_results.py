"""Wins and losses of the guest, and the people they play with."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from acesaround.server.context import context_of
from acesaround.server.routes.http_messages import FellowPlayer, OwnResults
from acesaround.server.routes.responses import json_response
from acesaround.store import Store, past_games
from acesaround.table.avatars import avatar_or_empty
from acesaround.table.person_results import Results, count_results

MAX_GAMES: Final = 500
"""The last games that are counted."""
MAX_COMPANIONS: Final = 100
"""The people that are listed."""
_MAX_NAMES: Final = 3 * MAX_COMPANIONS  # ids looked up, because some have no name or are removed


async def own_results(request: Request) -> Response:
    """Return what the guest has won and lost, and with whom. Raises RateLimited."""
    server = context_of(request)
    guest = await server.sessions.find_guest(request)
    if guest is None:
        return json_response(OwnResults(0, False, (), ()))
    # In turn with the requests for records, so that nobody can make the server count all the time.
    answer = await server.records.executor.submit(
        guest.id, lambda: count_own_results(server.store, guest.id)
    )
    return json_response(answer)


async def count_own_results(store: Store, person_id: str) -> OwnResults:
    """Return the results of a person. Raises DatabaseUnavailable."""
    games, is_more = await past_games.games_of_person(store, person_id, MAX_GAMES)
    results = await asyncio.to_thread(count_results, person_id, games)
    fellow_players = await _fellow_players(store, person_id, results)
    return OwnResults(results.games, is_more, tuple(results.variants), fellow_players)


async def _fellow_players(
    store: Store, person_id: str, results: Results
) -> tuple[FellowPlayer, ...]:
    """Return the people with whom a person has played, without their ids."""
    ids = list(results.fellow_players)[:_MAX_NAMES]
    people = await past_games.people_at_tables_of(store, person_id, ids)
    return tuple(
        [
            FellowPlayer(
                name=people[other].name or "",
                avatar=avatar_or_empty(people[other].avatar),
                games=results.fellow_players[other].games,
                as_partners=results.fellow_players[other].partners,
                as_opponents=results.fellow_players[other].opponents,
                last_game_ms=results.fellow_players[other].at,
            )
            for other in ids
            if other in people
        ][:MAX_COMPANIONS]
    )
