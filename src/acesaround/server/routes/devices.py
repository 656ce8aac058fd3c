"""HTTP: the devices of a person, and the pairing code that signs in another device.

A device that is signed in makes the code, as six words and as a QR code of a URL with these words.
The words follow the `#` of the URL, so that no server, log or link preview gets them. Only the page
sends them, after its reader has agreed. A GET request changes nothing here.

A device that redeems a code stays signed in as that person. The seats and games of its earlier
person stay with that person's other devices. If there are none, they are lost. A device that is
signed out becomes a new guest.
"""

from __future__ import annotations

import contextlib
import hashlib
from typing import Final, Literal

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround.errors import NotationError
from acesaround.server.accounts import pairing_codes
from acesaround.server.accounts.cookie import DEFAULT_NAME, Guest
from acesaround.server.accounts.sessions import NOT_YOU
from acesaround.server.accounts.user_agent import device_name
from acesaround.server.context import ServerContext, context_of
from acesaround.server.limits.rate_limiters import RateLimited
from acesaround.server.routes.http_messages import (
    DeviceList,
    DeviceListed,
    GuestLeft,
    PairingCode,
    PairingCodePreview,
    PairingCodeRequest,
    SignedIn,
    SignOutRequest,
)
from acesaround.server.routes.public_url import public_base_url, qr_data_uri
from acesaround.server.routes.requests import charge_change, charge_request, read_json, with_guest
from acesaround.server.routes.responses import json_response
from acesaround.store import CorruptData, Device, LastDevice, NotSignedIn, sheets, table_lists
from acesaround.store.store import current_ms

_MAX_DEVICES: Final = 20
"""The maximum number of devices of one person."""


@with_guest
async def list_devices(request: Request, guest: Guest) -> Response:
    """Return the devices of the guest, this one first."""
    return await _device_list(request, guest)


async def _device_list(request: Request, guest: Guest) -> Response:
    server = context_of(request)
    stored_devices = await server.store.devices.devices_of(guest.id)
    now = current_ms()
    if not stored_devices:  # an only device is not stored
        stored_devices = [Device(guest.device, _device_name(request), now)]
    entries = [
        DeviceListed(
            _public_id(device.id),
            device.name,
            now if server.sessions.is_connected(device.id) else device.last_seen,
            device.id == guest.device,
        )
        for device in stored_devices
    ]
    entries.sort(key=lambda one: (not one.is_this_device, -one.last_used_ms))
    return json_response(DeviceList(guest.name, tuple(entries)))


@with_guest
async def create_code(request: Request, guest: Guest) -> Response:
    """Make a code, which replaces the previous one.

    Raises RateLimited, HTTPException and DatabaseUnavailable.
    """
    await charge_request(request)
    await read_json(request, msgspec.Raw)
    server = context_of(request)
    if len(await server.store.devices.devices_of(guest.id)) >= _MAX_DEVICES:
        raise RateLimited(f"You have {_MAX_DEVICES} devices: sign one out first.")
    code = pairing_codes.new_code()
    try:
        await server.store.pairing_codes.save(
            pairing_codes.code_hashes(code, server.settings.secret)[0],
            guest.device,
            guest.id,
            device_name=_device_name(request),
            person_name=guest.name,
            seconds=pairing_codes.LIFETIME_SECONDS,
        )
    except NotSignedIn:
        raise HTTPException(403, NOT_YOU) from None
    await server.sessions.invalidate([guest.device])
    link = f"{public_base_url(request)}/#device/{code.replace(' ', '-')}"
    answer = PairingCode(code, link, qr_data_uri(link), pairing_codes.LIFETIME_SECONDS)
    return json_response(answer, 201)


@with_guest
async def preview_code(request: Request, guest: Guest) -> Response:
    """Return the person of a code, and what happens to the seats of this device's present person.

    `leaves`: whether the seats and games of the present person stay with other devices, are lost,
    or do not exist. The code stays valid. Raises HTTPException and RateLimited.
    """
    code = (await read_json(request, PairingCodeRequest)).code
    person, name = await _find_code_owner(request, guest, code)
    store = context_of(request).store
    leaves: Literal["kept", "lost", "nothing"] = "nothing"
    if len(await store.devices.devices_of(guest.id)) > 1:
        leaves = "kept"
    elif await table_lists.tables_of_person(store, guest.id, 1) or await sheets.sheets_of(
        store, guest.id
    ):
        leaves = "lost"
    own_fields = GuestLeft(guest.name or DEFAULT_NAME, leaves)
    return json_response(
        PairingCodePreview(name or DEFAULT_NAME, own_fields, is_same_person=person == guest.id)
    )


async def redeem_code(request: Request) -> Response:
    """Sign in this device as the person whose code it is.

    Raises NotationError, HTTPException, RateLimited and DatabaseUnavailable.
    """
    code = (await read_json(request, PairingCodeRequest)).code
    server = context_of(request)
    guest = await server.sessions.find_or_create_guest(request)
    person, name = await _find_code_owner(request, guest, code)
    if person == guest.id:
        raise NotationError("This device is already signed in as that person.")
    try:
        was_redeemed = await server.store.pairing_codes.redeem(
            pairing_codes.code_hashes(code, server.settings.secret),
            guest.device,
            guest.id,
            device_name=_device_name(request),
        )
    except NotSignedIn:
        raise HTTPException(403, NOT_YOU) from None
    if not was_redeemed:
        raise _wrong_code_error()
    await server.sessions.invalidate([guest.device])
    response = json_response(SignedIn(name or DEFAULT_NAME))
    server.sessions.set_guest_cookie(response, guest, changed=True)
    return response


async def sign_out(request: Request) -> Response:
    """Sign out one device of the guest, or all others, and return the list of devices.

    The list is that of this device's person after the sign-out. Raises NotationError, HTTPException
    and RateLimited.
    """
    await charge_change(request)
    which = (await read_json(request, SignOutRequest)).which
    server = context_of(request)
    guest = await server.sessions.find_or_create_guest(request)

    def is_wanted(device: str) -> bool:
        return device != guest.device if which == "others" else _public_id(device) == which

    try:
        signed_out = await server.store.devices.sign_out(guest.id, guest.device, is_wanted)
    except NotSignedIn:
        raise HTTPException(403, NOT_YOU) from None
    except LastDevice:
        raise NotationError(
            "You would lose your seats and games with your only device: sign in on another one "
            "first."
        ) from None
    if not signed_out and which != "others":
        raise HTTPException(404, "That device is already signed out.")
    await server.sessions.invalidate(signed_out)
    guest = await server.sessions.find_or_create_guest(request)
    response = await _device_list(request, guest)
    server.sessions.set_guest_cookie(response, guest, changed=True)
    return response


async def _find_code_owner(request: Request, guest: Guest, code: str) -> tuple[str, str | None]:
    """Return the id and name of the person whose code it is.

    Raises HTTPException and RateLimited. Refuses a code by which this device could see two hands of
    a running deal.
    """
    server = context_of(request)
    address = None if request.client is None else request.client.host
    charged = server.pairing_attempts.charge(address)
    owner = await server.store.pairing_codes.find(
        pairing_codes.code_hashes(code, server.settings.secret)
    )
    if owner is None:
        raise _wrong_code_error()
    server.pairing_attempts.refund(charged)
    person, name = owner
    if person != guest.id:
        for table_id in await table_lists.tables_in_common(server.store, guest.id, person):
            if await _has_seen_hand(server, table_id, guest):
                raise HTTPException(
                    409,
                    f"This device has seen a hand of the deal at one of {name or DEFAULT_NAME}'s "
                    "tables: use the code when that deal is over.",
                )
    return owner


async def _has_seen_hand(server: ServerContext, table_id: str, guest: Guest) -> bool:
    """Return whether a guest has held a hand of the deal that is being played at a table."""
    with contextlib.suppress(CorruptData):  # nobody can play at a damaged table
        async with server.registry.acquire(table_id) as live:
            return live is not None and live.table.has_seen_hand(guest.id)
    return False


def _wrong_code_error() -> HTTPException:
    return HTTPException(
        404, "That code does not work: it is mistyped, was used or is older than ten minutes."
    )


def _device_name(request: Request) -> str:
    return device_name(request.headers.get("user-agent", ""))


def _public_id(device: str) -> str:
    """Return an id of a device for lists. The real id must appear only in the device's cookie."""
    return hashlib.sha256(f"acesaround.device {device}".encode()).hexdigest()[:16]
