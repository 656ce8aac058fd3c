"""HTTP: the devices of a person, and the code by which another device becomes that person.

A code is made on a device that is signed in, as six words and as a QR code of an address that holds
them. The words stand behind its `#`, so that no server, log or preview of a link ever gets them:
only the page sends them, once its reader has said yes. Nothing here is changed by a GET.

A device that takes a code keeps who it was: signed out, it is that person again.
"""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround.errors import NotationError
from acesaround.server.accounts import cookie, pairing_codes
from acesaround.server.accounts.cookie import GUEST, Guest
from acesaround.server.accounts.user_agent import device_name
from acesaround.server.context import context_of
from acesaround.server.limits.rates import RateLimited
from acesaround.server.routes.common import charge_request, json_response, read_json, with_guest
from acesaround.server.routes.public_url import public_base_url, qr_data_uri
from acesaround.store import Device, LastDevice, NotSignedIn

_MOST: Final = 20
"""Devices of one person."""
_SIGNED_OUT: Final = "This device was signed out, or is somebody else now: open the page again."


class Code(msgspec.Struct):
    """A code of six words, however they are typed."""

    code: str


class SignOutRequest(msgspec.Struct):
    """What is to be signed out: a device, by its id in the list, or `others`, all but this one."""

    which: str


class DeviceListed(msgspec.Struct):
    """A device in the list. `seen`: when last, in milliseconds; `here`: it is the one that asks.

    `awake`: it is this person, and not somebody else meanwhile.
    """

    id: str
    name: str
    seen: int
    here: bool
    awake: bool


@with_guest
async def listed(request: Request, guest: Guest) -> Response:
    """The devices of the guest, this one first."""
    return await _listed(request, guest)


async def _listed(request: Request, guest: Guest) -> Response:
    """`before`: the name of who this device is again when it is signed out; None for nobody."""
    server = context_of(request)
    found = await server.store.devices.devices_of(guest.id)
    now = cookie.now_ms()
    if not found:  # nobody knows of the only one
        found = [Device(guest.device, _called(request), now, now, True)]
    shown = [
        DeviceListed(
            _handle(one.id),
            one.name,
            now if server.people.is_connected(one.id) else one.seen,
            one.id == guest.device,
            one.awake,
        )
        for one in found
    ]
    before = await server.people.previous_person(guest)
    return json_response(
        {
            "name": guest.name,
            "before": None if before is None else before.name,
            "devices": sorted(shown, key=lambda one: (not one.here, -one.seen)),
        }
    )


@with_guest
async def create_code(request: Request, guest: Guest) -> Response:
    """Make a code, in the place of the one before. Raises TooMany and Unsaved."""
    await charge_request(request)
    await read_json(request, msgspec.Raw)
    server = context_of(request)
    if len(await server.store.devices.devices_of(guest.id)) >= _MOST:
        raise RateLimited(f"You have {_MOST} devices: sign one out first.")
    code = pairing_codes.make()
    try:
        await server.store.devices.save_code(
            pairing_codes.hashes(code, server.settings.secret)[0],
            guest.device,
            guest.id,
            name=_called(request),
            called=guest.name,
            seconds=pairing_codes.SECONDS,
        )
    except NotSignedIn:
        raise HTTPException(403, _SIGNED_OUT) from None
    await server.people.invalidate([guest.device])
    link = f"{public_base_url(request)}/#device/{code.replace(' ', '-')}"
    return json_response(
        {"code": code, "link": link, "qr": qr_data_uri(link), "seconds": pairing_codes.SECONDS}, 201
    )


@with_guest
async def preview_code(request: Request, guest: Guest) -> Response:
    """Whose code that is, and what becomes of who this device is. It stays good. Raises TooMany."""
    code = (await read_json(request, Code)).code
    person, name = await _offered(request, guest, code)
    mine = await context_of(request).store.tables_of_person(guest.id)
    own = {"name": guest.name or GUEST, "tables": len(mine)}
    return json_response({"name": name or GUEST, "own": own, "same": person == guest.id})


async def redeem_code(request: Request) -> Response:
    """Make this device whose code that is. Raises TooMany and Unsaved."""
    code = (await read_json(request, Code)).code
    server = context_of(request)
    guest = await server.people.guest(request)
    person, name = await _offered(request, guest, code)
    if person == guest.id:
        raise NotationError("This device is signed in as that person already.")
    try:
        taken = await server.store.devices.redeem_code(
            pairing_codes.hashes(code, server.settings.secret),
            guest.device,
            guest.id,
            name=_called(request),
            called=guest.name,
        )
    except NotSignedIn:
        raise HTTPException(403, _SIGNED_OUT) from None
    if not taken:
        raise _wrong()
    await server.people.invalidate([guest.device])
    response = json_response({"name": name or GUEST})
    server.people.remember(response, guest, changed=True)
    return response


async def sign_out(request: Request) -> Response:
    """Sign out one device of the guest, or all others; then the list of what this device is."""
    which = (await read_json(request, SignOutRequest)).which
    server = context_of(request)
    guest = await server.people.guest(request)

    def wanted(device: str) -> bool:
        return device != guest.device if which == "others" else _handle(device) == which

    try:
        gone = await server.store.devices.sign_out(guest.id, guest.device, wanted, cookie.new_id)
    except NotSignedIn:
        raise HTTPException(403, _SIGNED_OUT) from None
    except LastDevice:
        raise NotationError(
            "Your seats and games would be lost with your only device: make another one you first."
        ) from None
    if not gone and which != "others":
        raise HTTPException(404, "That device is signed out already.")
    await server.people.invalidate(gone)
    guest = await server.people.guest(request)
    response = await _listed(request, guest)
    server.people.remember(response, guest, changed=True)
    return response


async def _offered(request: Request, guest: Guest, code: str) -> tuple[str, str | None]:
    """Whose code that is, the id and the name. Raises HTTPException and TooMany."""
    server = context_of(request)
    address = None if request.client is None else request.client.host
    server.guesses.charge(address)
    found = await server.store.devices.find_code(pairing_codes.hashes(code, server.settings.secret))
    if found is None:
        raise _wrong()
    server.guesses.refund(address)
    return found


def _wrong() -> HTTPException:
    return HTTPException(
        404, "That code is not good: it is mistyped, was used, or is older than ten minutes."
    )


def _called(request: Request) -> str:
    return device_name(request.headers.get("user-agent", ""))


def _handle(device: str) -> str:
    """A device in a list. Its own id stands in its cookie and nowhere else."""
    return hashlib.sha256(f"acesaround.device {device}".encode()).hexdigest()[:16]
