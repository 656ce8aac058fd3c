"""Reading a request: its guest, its body, and the account that it is charged to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround.errors import NotationError
from acesaround.server.accounts.cookie import Guest
from acesaround.server.context import context_of
from acesaround.server.limits.body_size import read_body
from acesaround.server.limits.client_addresses import rate_limit_keys
from acesaround.server.limits.same_origin import is_same_origin

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]


def with_guest(endpoint: Callable[[Request, Guest], Awaitable[Response]]) -> Endpoint:
    """Wrap an endpoint so that it gets the guest. A new guest gets a cookie with the response."""

    @wraps(endpoint)
    async def endpoint_with_guest(request: Request) -> Response:
        people = context_of(request).sessions
        guest = await people.find_or_create_guest(request)
        response = await endpoint(request, guest)
        if guest.needs_cookie:
            people.set_guest_cookie(response, guest)
        return response

    return endpoint_with_guest


async def read_json(request: Request, body_type: type[T]) -> T:
    """Return the JSON body of a request from one of our pages.

    Raises NotationError, HTTPException and TooLarge.
    """
    settings = context_of(request).settings
    if not is_same_origin(request, settings.public_url):
        raise HTTPException(403, "The request comes from a page of another site.")
    try:
        return msgspec.json.decode(
            await read_body(request, settings.max_message_bytes), type=body_type
        )
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotationError(f"The request is invalid: {error}.") from None


async def charge_request(request: Request) -> None:
    """Charge a request that creates something to the rate limits of its guest and address.

    Raises RateLimited and DatabaseUnavailable.
    """
    guest = await context_of(request).sessions.find_guest(request)
    address = None if request.client is None else request.client.host
    context_of(request).creation_limiter.spend(None if guest is None else guest.id, address)


async def charge_change(request: Request) -> None:
    """Charge a request that changes something to the rate limits of its guest and address.

    A change creates nothing, so more of them are allowed. But each waits for the disk, and commands
    at tables wait for it. Raises RateLimited and DatabaseUnavailable.
    """
    guest = await context_of(request).sessions.find_guest(request)
    address = None if request.client is None else request.client.host
    context_of(request).change_limiter.spend(None if guest is None else guest.id, address)


async def rate_limit_account(request: Request) -> str:
    """Return the account that work is queued for: the guest, or the network of an unknown guest.

    So the work of unknown guests waits in the same line as that of their network.
    """
    guest = await context_of(request).sessions.find_guest(request)
    if guest is not None:
        return guest.id
    address = None if request.client is None else request.client.host
    return next(iter(rate_limit_keys(address)), "")
