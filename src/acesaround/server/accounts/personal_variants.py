"""The games that a person has made, as rules: read from the sheets that are kept."""

from __future__ import annotations

from functools import lru_cache

from acesaround import sheets
from acesaround.rules import Rules
from acesaround.server.context import ServerContext
from acesaround.store import sheets as stored
from acesaround.variants import VARIANTS


async def owned(server: ServerContext, person: str) -> dict[str, Rules]:
    """The games of a person by their keys, without those that can no longer be read.

    Raises Unsaved.
    """
    kept = await stored.of(server.store, person)
    found = ((one.key, rules_of(one.key, one.text)) for one in kept)
    return {key: rules for key, rules in found if rules is not None}


@lru_cache(maxsize=1000)
def rules_of(key: str, text: str) -> Rules | None:
    """The rules of a sheet that is kept; None where a later release cannot read it."""
    try:
        return sheets.read(text, key, VARIANTS, key, kept=True)
    except sheets.SheetError:
        return None
