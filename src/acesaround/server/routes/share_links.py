"""Share links: which table a token opens, and for what.

A play link seats people and shows them everything that is theirs. A watch link shows the table as
anybody may see it. A replay link shows finished games. No link reveals another one. A replaced link
works only for people who have sat at the table and may return.
"""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from acesaround.server.context import context_of
from acesaround.store import Link

LOST_SENTENCE: Final = (
    "There is no table at this link. Tables that nobody uses for a long time are removed. "
    "Ask for a new link."
)


async def resolve_link(connection: HTTPConnection, *kinds: str) -> Link:
    """Return the link of a request, which must be of one of these kinds. Raises HTTPException.

    A play link may have been replaced. In that case `Table.may_enter` says who may still use it.
    """
    link = await context_of(connection).store.resolve_token(connection.path_params["table"])
    if link is None or not (link.is_current or link.kind == "play"):
        raise HTTPException(404, LOST_SENTENCE)
    if link.kind not in kinds:
        raise HTTPException(403, f"You can use this link only to {link.kind}.")
    return link
