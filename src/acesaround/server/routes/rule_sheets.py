"""HTTP: personal games. Rule sheets are filled in, checked, stored for a person, and deleted.

A personal game is private until its person opens a table with it. The table stores the full rules.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Collection
from functools import partial
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround import rulebook, sheets, variants
from acesaround.errors import NotationError, RulesError
from acesaround.rules import Rules
from acesaround.server.accounts.cookie import Guest
from acesaround.server.accounts.personal_variants import rules_of, variants_of
from acesaround.server.context import context_of
from acesaround.server.limits.body_size import TooLarge, read_body
from acesaround.server.limits.same_origin import is_same_origin
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
from acesaround.server.routes.requests import (
    charge_change,
    charge_request,
    rate_limit_account,
    read_json,
    with_guest,
)
from acesaround.server.routes.responses import fault_answers, json_response
from acesaround.server.routes.variants import offered_games
from acesaround.sheets.form import form, form_values
from acesaround.sheets.parse import BASE, NOT_INHERITED
from acesaround.sheets.schema import to_json_value
from acesaround.sheets.text_fields import MAX_LENGTHS
from acesaround.sheets.write import DERIVED_FIELDS
from acesaround.store import SequenceConflict
from acesaround.store import sheets as stored
from acesaround.variants import VARIANTS

DRAFTS_PER_TABLE: Final = 20
"""The number of draft checks allowed for each table that one may open: every edit is checked."""
MAX_SHEETS: Final = 30
"""The maximum number of games that one person may store."""
MAX_FILE_LINES: Final = 600
"""The maximum number of lines in an opened file. A fully commented sheet has half as many."""
_MAX_LINE_DOTS: Final = 100
"""The maximum number of dots in a line. The TOML reader takes a second for a key of 8,000 parts."""
_DRAFT_NAME: Final = "own"  # name of a draft until it is stored
_MAX_KEY_LENGTH: Final = 32  # maximum length of a key made from a title


async def blank_form(request: Request) -> Response:
    """Return the form of a sheet: its sections, the fields with their types, and the bases."""
    return json_response(SheetForm(form(), MAX_LENGTHS, tuple(VARIANTS)))


async def check_draft(request: Request) -> Response:
    """Check a draft, or start one from a game.

    Raises RulesError, NotationError and RateLimited.
    """
    body = await read_json(request, CheckDraftRequest)
    await _charge_draft(request)
    if not body.game:
        return json_response(await _check_in_turn(request, body.values))
    games = await offered_games(request)
    chosen_rules = variants.get(body.game, body.players, body.options, games)
    return json_response(await _check_in_turn(request, _values_of(chosen_rules)))


async def open_file(request: Request) -> Response:
    """Check a sheet file that the guest opens.

    Raises HTTPException, NotationError, TooLarge and RateLimited.
    """
    server = context_of(request)
    if not is_same_origin(request, server.settings.public_url):
        raise HTTPException(403, "The request comes from a page of another site.")
    await _charge_draft(request)
    text = await read_body(request, server.settings.max_message_bytes)
    if text.count(b"\n") >= MAX_FILE_LINES:
        raise NotationError(f"That file has too many lines: a sheet has at most {MAX_FILE_LINES}.")
    if max(line.count(b".") for line in text.split(b"\n")) > _MAX_LINE_DOTS:
        raise NotationError(f"That file has a line with more than {_MAX_LINE_DOTS} dots.")
    account, read = await rate_limit_account(request), partial(sheets.read, text, _DRAFT_NAME)
    try:  # in turn, because a file full of errors is parsed once for each of its lines
        rules = await server.records.run(account, partial(read, VARIANTS, "the file"))
    except sheets.SheetError as error:
        faults = (DraftFault(fault.sentence, (fault.path,), fault.line) for fault in error.faults)
        return json_response(CheckedDraft({}, tuple(faults)))
    return json_response(await _check_in_turn(request, _values_of(rules)))


@with_guest
async def list_sheets(request: Request, guest: Guest) -> Response:
    """Return the guest's own games."""
    saved_sheets = await stored.sheets_of(context_of(request).store, guest.id)
    entries = await asyncio.to_thread(lambda: [_list_entry(sheet) for sheet in saved_sheets])
    return json_response(entries)


@with_guest
async def save_sheet(request: Request, guest: Guest) -> Response:
    """Store a game for the guest.

    Raises RulesError, NotationError, HTTPException, TooLarge and RateLimited.
    """
    await charge_request(request)
    server, body = context_of(request), await read_json(request, SaveGameRequest)
    account = await rate_limit_account(request)
    draft = await server.records.run(account, partial(_parse_draft, body.values))
    if draft.rules is None:
        raise RulesError(draft.faults[0].sentence)
    text = sheets.write_values(draft.values, draft.missing_sections)
    if len(text.encode()) > server.settings.max_message_bytes:
        raise TooLarge
    own_keys = {sheet.key for sheet in await stored.sheets_of(server.store, guest.id)}
    if body.key and body.key not in own_keys:
        raise HTTPException(404, "You have no such game.")
    key = body.key or _new_key(draft.rules.title, {*own_keys, *server.settings.games})
    save = partial(stored.save_sheet, server.store, guest.id, is_new=not body.key)
    try:
        is_saved = await save(key, text, MAX_SHEETS)
    except SequenceConflict:  # another device has saved a new game with this title meanwhile
        raise HTTPException(409, "Another of your devices saves a game: try again.") from None
    if not is_saved:
        raise RulesError(f"You already have {MAX_SHEETS} games: delete one first.")
    await server.last_seen.touch(guest.id)
    return json_response(GameSaved(key), 200 if body.key else 201)


@with_guest
async def delete_sheet(request: Request, guest: Guest) -> Response:
    """Delete one of the guest's own games, and return the keys of the others.

    Raises HTTPException and RateLimited.
    """
    await charge_change(request)
    body = await read_json(request, DeleteGameRequest)
    if not await stored.delete_sheet(context_of(request).store, guest.id, body.key):
        raise HTTPException(404, "You have no such game.")
    return json_response(list(await variants_of(context_of(request).store, guest.id)))


async def _charge_draft(request: Request) -> None:
    """Charge a draft check to the rate limits of its guest and address.

    Raises RateLimited and DatabaseUnavailable.
    """
    guest = await context_of(request).sessions.find_guest(request)
    address = None if request.client is None else request.client.host
    context_of(request).draft_limiter.spend(None if guest is None else guest.id, address)


def _list_entry(sheet: stored.StoredSheet) -> OwnGameListed:
    """Return the list entry of a game. An unreadable game has its key as title."""
    rules = rules_of(sheet.key, sheet.text)
    title = sheet.key if rules is None else rules.title
    return OwnGameListed(sheet.key, title, sheet.changed, is_readable=rules is not None)


def _parse_draft(values: dict[str, Any]) -> sheets.Draft:
    try:
        return sheets.draft(values, _DRAFT_NAME, VARIANTS)
    except RecursionError:
        raise NotationError("The request is invalid: its lists are nested too deeply.") from None


async def _check_in_turn(request: Request, values: dict[str, Any]) -> CheckedDraft:
    """Check a draft in its turn among other requests. Raises RateLimited and NotationError.

    A draft of 200 misspelt fields takes 30 milliseconds.
    """
    account = await rate_limit_account(request)
    return await context_of(request).records.run(account, partial(_check_values, values))


def _check_values(values: dict[str, Any]) -> CheckedDraft:
    draft = _parse_draft(values)
    rules = draft.rules
    if rules is None:
        return CheckedDraft(values, fault_answers(draft.faults))
    base = variants.base_of(rules)
    return CheckedDraft(
        {path: to_json_value(value) for path, value in draft.values.items()}
        | dict.fromkeys(draft.missing_sections, sheets.NONE),
        base_values={} if base is None else form_values(base),
        all_values=form_values(rules),
        changes=() if base is None else tuple(sheets.change_sentences(rules, base)),
        equal_preset=None if base is None else _equal_preset(rules, base),
        markdown=rulebook.body(rules),
        toml=sheets.write_values(draft.values, draft.missing_sections),
    )


def _equal_preset(rules: Rules, base: Rules) -> str | None:
    """Return the preset of the base with equal rules; empty for the base itself, None for none."""
    presets = variants.presets(base.variant).items()
    rules_by_name = {"": base} | {
        name: base.with_changes(preset.options) for name, preset in presets
    }
    return next(
        (
            name
            for name, candidate in rules_by_name.items()
            if not sheets.changed_paths(rules, candidate)
        ),
        None,
    )


def _values_of(rules: Rules) -> dict[str, Any]:
    """Return the values of a sheet for these rules: the base and the differing values.

    Rules without a base get all values. Values in `DERIVED_FIELDS` are left out if the others imply
    them.
    """
    base, values = variants.base_of(rules), form_values(rules)
    base_values = {} if base is None else form_values(base)
    labels = () if rules.variant in VARIANTS else NOT_INHERITED
    changed = [
        path
        for path in values
        if path not in NOT_INHERITED
        and (path not in base_values or values[path] != base_values[path])
    ]
    stated = {path: values[path] for path in (*labels, *changed) if values[path] != ""}
    if base is not None:
        stated[BASE] = base.variant
    without_implied = {path: value for path, value in stated.items() if path not in DERIVED_FIELDS}
    rules_again = sheets.draft(without_implied, rules.variant, VARIANTS).rules
    is_same = rules_again is not None and not sheets.changed_paths(rules_again, rules)
    return without_implied if is_same else stated


def _new_key(title: str, taken: Collection[str]) -> str:
    """Return a key made from a title, such as `our-game`, numbered if it is taken."""
    ascii_title = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    start = re.sub(r"[^a-z0-9]+", "-", ascii_title)[:_MAX_KEY_LENGTH].strip("-") or "game"
    key, number = start, 1
    while key in taken:
        number += 1
        key = f"{start}-{number}"
    return key
