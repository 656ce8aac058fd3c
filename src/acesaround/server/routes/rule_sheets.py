"""HTTP: games of one's own. A sheet is filled in, checked, kept for a person, and taken away.

Nobody else is told of it until a table is opened by it, which holds its rules whole.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Collection
from typing import Annotated, Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround import sheets, variants
from acesaround.errors import NotationError, RulesError
from acesaround.rulebook import page
from acesaround.rules import Rules
from acesaround.server.accounts.cookie import Guest
from acesaround.server.accounts.personal_variants import owned, rules_of
from acesaround.server.context import context_of
from acesaround.server.limits import rates
from acesaround.server.routes.common import (
    charge_request,
    json_response,
    offered,
    read_json,
    with_guest,
)
from acesaround.sheets.form import filled, form
from acesaround.sheets.parse import BASE, OWN
from acesaround.sheets.schema import plain
from acesaround.sheets.text_fields import LONGEST
from acesaround.sheets.write import FOLLOWING
from acesaround.store import sheets as stored
from acesaround.variants import VARIANTS

DRAFTS: Final = 20
"""How many drafts may be checked where one table may be opened: each change is looked at."""
MOST: Final = 30
"""Games that one person may keep."""
LINES: Final = 600
"""Lines of a file that is opened. A sheet with a word on each field has half as many."""
_NAME: Final = "own"  # by which a draft goes until it is kept
_KEY: Final = 32  # letters of a key made of a title


class Wanted(msgspec.Struct):
    """A draft to be looked at: its `values` by path; or `game`, from which one begins."""

    values: dict[str, Any] = {}
    game: str = ""
    players: int | None = None
    options: dict[str, Any] = {}


class Saved(msgspec.Struct):
    """A game to be kept, in the place of the one of that key; none: it is a new one."""

    values: dict[str, Any]
    key: Annotated[str, msgspec.Meta(max_length=40)] = ""


class Gone(msgspec.Struct):
    """A game to be taken away."""

    key: Annotated[str, msgspec.Meta(max_length=40)]


class Trouble(msgspec.Struct, frozen=True):
    """What is wrong with a draft: the fields to change, and the line of a file."""

    sentence: str
    fields: tuple[str, ...] = ()
    line: int | None = None


class Checked(msgspec.Struct, frozen=True):
    """A draft that was looked at. Where it has `faults`, only its own `values` are told.

    `filled`: all values of the game by path; `usual`: those of its base; `changes`: in what they
    differ, in sentences; `played`: the preset of the base that it is, empty where it is as usual,
    None where it is none; `toml`: the sheet as a file.
    """

    values: dict[str, Any]
    faults: tuple[Trouble, ...] = ()
    usual: dict[str, Any] = {}
    filled: dict[str, Any] = {}
    changes: tuple[str, ...] = ()
    played: str | None = None
    markdown: str = ""
    toml: str = ""


async def blank(request: Request) -> Response:
    """The form of a sheet: its sections and fields, what may stand in each, and the bases."""
    return json_response({"sections": form(), "words": LONGEST, "bases": list(VARIANTS)})


async def check(request: Request) -> Response:
    """Look at a draft, or begin one. Raises RulesError, NotationError and TooMany."""
    wanted = await read_json(request, Wanted)
    await _spend(request)
    if not wanted.game:
        return json_response(_checked(wanted.values))
    games = await offered(request)
    found = variants.get(wanted.game, wanted.players, wanted.options, games)
    return json_response(_checked(_begun(found)))


async def opened(request: Request) -> Response:
    """Look at a file that somebody has. Raises HTTPException, NotationError and TooMany."""
    server = context_of(request)
    if not rates.same_origin(request, server.settings.public_url):
        raise HTTPException(403, "That comes from another site.")
    await _spend(request)
    text = await rates.read_body(request, server.settings.message_bytes)
    if text.count(b"\n") >= LINES:
        raise NotationError(f"That file has too many lines: a sheet has at most {LINES}.")
    try:  # beside others, for a file of faults is read once for each of its lines
        rules = await asyncio.to_thread(sheets.read, text, _NAME, VARIANTS, "the file")
    except sheets.SheetError as error:
        faults = (Trouble(one.sentence, (one.path,), one.line) for one in error.faults)
        return json_response(Checked({}, tuple(faults)))
    return json_response(_checked(_begun(rules)))


@with_guest
async def listed(request: Request, guest: Guest) -> Response:
    """The games of who asks."""
    kept = await stored.of(context_of(request).store, guest.id)
    return json_response([_line(one) for one in kept])


@with_guest
async def save(request: Request, guest: Guest) -> Response:
    """Keep a game for who asks. Raises RulesError, NotationError and TooMany."""
    await charge_request(request)
    server, wanted = context_of(request), await read_json(request, Saved)
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
    return json_response({"key": key}, 200 if wanted.key else 201)


@with_guest
async def delete(request: Request, guest: Guest) -> Response:
    """Take a game away from who asks. Raises HTTPException."""
    wanted = await read_json(request, Gone)
    if not await stored.drop(context_of(request).store, guest.id, wanted.key):
        raise HTTPException(404, "You have no such game.")
    return json_response(list(await owned(context_of(request), guest.id)))


async def _spend(request: Request) -> None:
    """Count a look at a draft. Raises TooMany and Unsaved."""
    guest = await context_of(request).people.guest_or_none(request)
    address = None if request.client is None else request.client.host
    context_of(request).drafting.spend(None if guest is None else guest.id, address)


def _line(one: stored.Kept) -> dict[str, Any]:
    """A game in a list; of one that can no longer be read, its key."""
    rules = rules_of(one.key, one.text)
    title = one.key if rules is None else rules.title
    return {"key": one.key, "title": title, "changed": one.changed, "sound": rules is not None}


def _draft(values: dict[str, Any]) -> sheets.Draft:
    try:
        return sheets.draft(values, _NAME, VARIANTS)
    except RecursionError:
        raise NotationError("That request cannot be read: lists within lists.") from None


def _checked(values: dict[str, Any]) -> Checked:
    draft = _draft(values)
    rules = draft.rules
    if rules is None:
        return Checked(values, tuple(Trouble(one.sentence, one.fields) for one in draft.faults))
    base = variants.base_of(rules)
    return Checked(
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
    """The preset of the base that plays as those rules do; empty where the base itself does."""
    named = variants.presets(base.variant).items()
    ways = {"": base} | {name: base.with_changes(preset.options) for name, preset in named}
    return next((name for name, way in ways.items() if not sheets.changed(rules, way)), None)


def _begun(rules: Rules) -> dict[str, Any]:
    """The values of a sheet that says those rules: its base, and in what they differ.

    Of rules without a base all values. What follows from the rest is said where it is otherwise.
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
    """A key made of a title, such as `our-game`; with a number if there is one like it."""
    plainly = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    start = re.sub(r"[^a-z0-9]+", "-", plainly)[:_KEY].strip("-") or "game"
    found, number = start, 1
    while found in taken:
        number += 1
        found = f"{start}-{number}"
    return found
