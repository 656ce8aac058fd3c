"""Which link leads to which table, and for what.

A link to play seats people and shows them everything that is theirs; one to watch shows the table
as anybody may see it; one to replay shows games that are over. None of them gives another. A link
that has been replaced leads nowhere, but for those who have sat at the table and may again.
"""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from acesaround.server.context import context_of
from acesaround.store import Link

LOST: Final = (
    "This link leads to no table, or to none any more (tables that nobody comes back to are"
    " cleared): ask for another."
)


async def resolve_link(connection: HTTPConnection, *kinds: str) -> Link:
    """The link of a request, which is of one of these kinds. Raises HTTPException.

    One to play may have been replaced: then `Table.welcome` says for whom it is still good.
    """
    link = await context_of(connection).store.resolve_token(connection.path_params["table"])
    if link is None or not (link.good or link.kind == "play"):
        raise HTTPException(404, LOST)
    if link.kind not in kinds:
        raise HTTPException(403, f"This link is to {link.kind}, and for nothing else.")
    return link
