"""HTTP: personal games. Rule sheets are filled in, checked, stored for a person, and deleted.

A personal game is private until its person opens a table with it. The table stores the full rules.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Collection
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround import sheets, variants
from acesaround.errors import NotationError, RulesError
from acesaround.rulebook import page
from acesaround.rules import Rules
from acesaround.server.accounts.cookie import Guest
from acesaround.server.accounts.personal_variants import rules_of, variants_of
from acesaround.server.context import context_of
from acesaround.server.limits import rates
from acesaround.server.routes.common import (
    charge_request,
    json_response,
    offered,
    read_json,
    with_guest,
)
from acesaround.server.routes.http_messages import (
    CheckDraftRequest,
    CheckedDraft,
    DeleteGameRequest,
    DraftFault,
    GameSaved,
    OwnGameListed,
    SaveGameRequest,
    SheetForm,
)
from acesaround.sheets.form import filled, form
from acesaround.sheets.parse import BASE, OWN
from acesaround.sheets.schema import plain
from acesaround.sheets.text_fields import LONGEST
from acesaround.sheets.write import FOLLOWING
from acesaround.store import sheets as stored
from acesaround.variants import VARIANTS

DRAFTS: Final = 20
"""The number of draft checks allowed for each table that one may open: every edit is checked."""
MOST: Final = 30
"""The maximum number of games that one person may store."""
LINES: Final = 600
"""The maximum number of lines in an opened file. A fully commented sheet has half as many."""
_NAME: Final = "own"  # name of a draft until it is stored
_KEY: Final = 32  # maximum length of a key made from a title


async def blank(request: Request) -> Response:
    """Return the form of a sheet: its sections, the fields with their types, and the bases."""
    return json_response(SheetForm(form(), LONGEST, tuple(VARIANTS)))


async def check(request: Request) -> Response:
    """Check a draft, or start one from a game.

    Raises RulesError, NotationError and RateLimited.
    """
    wanted = await read_json(request, CheckDraftRequest)
    await _spend(request)
    if not wanted.game:
        return json_response(_checked(wanted.values))
    games = await offered(request)
    found = variants.get(wanted.game, wanted.players, wanted.options, games)
    return json_response(_checked(_begun(found)))


async def opened(request: Request) -> Response:
    """Check a sheet file that the guest opens.

    Raises HTTPException, NotationError, TooLarge and RateLimited.
    """
    server = context_of(request)
    if not rates.same_origin(request, server.settings.public_url):
        raise HTTPException(403, "That comes from another site.")
    await _spend(request)
    text = await rates.read_body(request, server.settings.message_bytes)
    if text.count(b"\n") >= LINES:
        raise NotationError(f"That file has too many lines: a sheet has at most {LINES}.")
    try:  # in a thread, because a file full of errors is parsed once for each of its lines
        rules = await asyncio.to_thread(sheets.read, text, _NAME, VARIANTS, "the file")
    except sheets.SheetError as error:
        faults = (DraftFault(one.sentence, (one.path,), one.line) for one in error.faults)
        return json_response(CheckedDraft({}, tuple(faults)))
    return json_response(_checked(_begun(rules)))


@with_guest
async def listed(request: Request, guest: Guest) -> Response:
    """Return the guest's own games."""
    kept = await stored.of(context_of(request).store, guest.id)
    return json_response([_line(one) for one in kept])


@with_guest
async def save(request: Request, guest: Guest) -> Response:
    """Store a game for the guest.

    Raises RulesError, NotationError, HTTPException, TooLarge and RateLimited.
    """
    await charge_request(request)
    server, wanted = context_of(request), await read_json(request, SaveGameRequest)
    draft = _draft(wanted.values)
    if draft.rules is None:
        raise RulesError(draft.faults[0].sentence)
    text = sheets.written_out(draft.said, draft.without)
    if len(text.encode()) > server.settings.message_bytes:
        raise rates.TooLarge
    own = {one.key for one in await stored.of(server.store, guest.id)}
    if wanted.key and wanted.key not in own:
        raise HTTPException(404, "You have no such game.")
    key = wanted.key or _key(draft.rules.title, {*own, *server.settings.games})
    if not await stored.put(server.store, guest.id, key, text, MOST):
        raise RulesError(f"You keep {MOST} games already: delete one first.")
    await server.arrivals.touch(guest.id)
    return json_response(GameSaved(key), 200 if wanted.key else 201)


@with_guest
async def delete(request: Request, guest: Guest) -> Response:
    """Delete one of the guest's own games, and return the keys of the others.

    Raises HTTPException.
    """
    wanted = await read_json(request, DeleteGameRequest)
    if not await stored.drop(context_of(request).store, guest.id, wanted.key):
        raise HTTPException(404, "You have no such game.")
    return json_response(list(await variants_of(context_of(request).store, guest.id)))


async def _spend(request: Request) -> None:
    """Charge a draft check to the rate limits of its guest and address.

    Raises RateLimited and DatabaseUnavailable.
    """
    guest = await context_of(request).people.guest_or_none(request)
    address = None if request.client is None else request.client.host
    context_of(request).drafting.spend(None if guest is None else guest.id, address)


def _line(one: stored.Kept) -> OwnGameListed:
    """Return the list entry of a game. An unreadable game has its key as title."""
    rules = rules_of(one.key, one.text)
    title = one.key if rules is None else rules.title
    return OwnGameListed(one.key, title, one.changed, sound=rules is not None)


def _draft(values: dict[str, Any]) -> sheets.Draft:
    try:
        return sheets.draft(values, _NAME, VARIANTS)
    except RecursionError:
        raise NotationError("That request cannot be read: lists within lists.") from None


def _checked(values: dict[str, Any]) -> CheckedDraft:
    draft = _draft(values)
    rules = draft.rules
    if rules is None:
        return CheckedDraft(
            values, tuple(DraftFault(one.sentence, one.fields) for one in draft.faults)
        )
    base = variants.base_of(rules)
    return CheckedDraft(
        {path: plain(value) for path, value in draft.said.items()}
        | dict.fromkeys(draft.without, sheets.NONE),
        usual={} if base is None else filled(base),
        filled=filled(rules),
        changes=() if base is None else tuple(sheets.changes(rules, base)),
        played=None if base is None else _played(rules, base),
        markdown=page(rules),
        toml=sheets.written_out(draft.said, draft.without),
    )


def _played(rules: Rules, base: Rules) -> str | None:
    """Return the preset of the base with equal rules; empty for the base itself, None for none."""
    named = variants.presets(base.variant).items()
    ways = {"": base} | {name: base.with_changes(preset.options) for name, preset in named}
    return next((name for name, way in ways.items() if not sheets.changed(rules, way)), None)


def _begun(rules: Rules) -> dict[str, Any]:
    """Return the values of a sheet for these rules: the base and the differing values.

    Rules without a base get all values. Values in `FOLLOWING` are left out if the others imply
    them.
    """
    base, now = variants.base_of(rules), filled(rules)
    usual = {} if base is None else filled(base)
    labels = () if rules.variant in VARIANTS else OWN
    changed = [
        path for path in now if path not in OWN and (path not in usual or now[path] != usual[path])
    ]
    said = {path: now[path] for path in (*labels, *changed) if now[path] != ""}
    if base is not None:
        said[BASE] = base.variant
    fewer = {path: value for path, value in said.items() if path not in FOLLOWING}
    found = sheets.draft(fewer, rules.variant, VARIANTS).rules
    same = found is not None and not sheets.changed(found, rules)
    return fewer if same else said


def _key(title: str, taken: Collection[str]) -> str:
    """Return a key made from a title, such as `our-game`, numbered if it is taken."""
    plainly = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    start = re.sub(r"[^a-z0-9]+", "-", plainly)[:_KEY].strip("-") or "game"
    found, number = start, 1
    while found in taken:
        number += 1
        found = f"{start}-{number}"
    return found
