"""The name and the avatar of a guest."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from acesaround.server.accounts.cookie import Guest
from acesaround.server.context import context_of
from acesaround.server.routes.http_messages import (
    Profile,
    RenameRequest,
    SavedProfile,
)
from acesaround.server.routes.requests import (
    charge_request,
    read_json,
    with_guest,
)
from acesaround.server.routes.responses import json_response
from acesaround.table import names


@with_guest
async def me(request: Request, guest: Guest) -> Response:
    """Return the guest's name and avatar, and note that the guest was seen."""
    if not guest.needs_cookie or guest.name is not None:
        await context_of(request).last_seen.touch(guest.id)
    return json_response(Profile(guest.name, guest.person.avatar))


async def rename(request: Request) -> Response:
    """Set the guest's name and avatar, on all devices of that person."""
    await charge_request(request)
    people = context_of(request).sessions
    profile = await read_json(request, RenameRequest)
    name, guest = names.require_valid_name(profile.name), await people.find_or_create_guest(request)
    avatar = guest.person.avatar if profile.avatar is None else profile.avatar
    guest = msgspec.structs.replace(guest, name=name, avatar=avatar)
    await context_of(request).store.save_name(guest.id, name, avatar)
    await people.invalidate_renamed(guest)
    response = json_response(SavedProfile(name, avatar))
    people.set_guest_cookie(response, guest, changed=True)
    return response
