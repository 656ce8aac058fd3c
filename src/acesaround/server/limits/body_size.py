"""The maximum size of a request body."""

from __future__ import annotations

from starlette.requests import Request


class TooLarge(Exception):  # noqa: N818 - named after the body
    """The body of a request is larger than the limit."""


async def read_body(request: Request, max_bytes: int) -> bytes:
    """Return the body of a request. Raises TooLarge after more than `max_bytes` bytes."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > max_bytes:
            raise TooLarge
    return bytes(body)
