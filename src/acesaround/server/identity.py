"""Who is asking: a guest, known by a signed cookie that holds a random id and a name."""

from __future__ import annotations

import secrets
import time
from typing import Any, Final

import msgspec
from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from acesaround.errors import NotationError
from acesaround.table import Person

_KEPT: Final = 400 * 86_400  # seconds; browsers keep no cookie for longer
_RENEWED: Final = 30 * 86_400
_LONGEST: Final = 24
GUEST: Final = "Guest"


class Guest(msgspec.Struct, frozen=True):
    """A person as the cookie has it. `fresh`: the cookie is still to be sent, or sent again."""

    id: str
    name: str | None = None
    fresh: bool = False

    @property
    def person(self) -> Person:
        """The person who sits down."""
        return Person(self.id, self.name or GUEST)


class Identity:
    """Reads and writes the cookie.

    A browser drops a `Secure` cookie that comes over plain HTTP without a word, so its flags
    follow the address by which people reach the server.
    """

    def __init__(self, secret: str, *, secure: bool) -> None:
        self._serializer = URLSafeTimedSerializer(secret, salt="acesaround.guest")
        self._secure = secure
        self._cookie = "__Host-acesaround" if secure else "acesaround"

    def known(self, connection: HTTPConnection) -> Guest | None:
        """The guest of a valid cookie; None for none, a forged or an expired one."""
        cookie = connection.cookies.get(self._cookie)
        if cookie is None:
            return None
        try:
            held: Any
            held, signed = self._serializer.loads(cookie, max_age=_KEPT, return_timestamp=True)
            guest = msgspec.convert(held, Guest)
        except (BadData, msgspec.ValidationError):
            return None
        return msgspec.structs.replace(guest, fresh=time.time() - signed.timestamp() > _RENEWED)

    def guest(self, connection: HTTPConnection) -> Guest:
        """The guest of the cookie, or a new one."""
        return self.known(connection) or Guest(secrets.token_urlsafe(16), fresh=True)

    def remember(self, response: Response, guest: Guest) -> None:
        """Send the cookie along with a response."""
        held = {"id": guest.id, "name": guest.name}
        response.set_cookie(
            self._cookie,
            self._serializer.dumps(held),
            max_age=_KEPT,
            httponly=True,
            samesite="lax",
            secure=self._secure,
        )


def checked_name(name: str) -> str:
    """A name as it will be shown, on one line and short. Raises NotationError."""
    shown = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not shown:
        raise NotationError("A name needs at least one letter.")
    if len(shown) > _LONGEST:
        raise NotationError(f"That name is too long: at most {_LONGEST} letters.")
    return shown
