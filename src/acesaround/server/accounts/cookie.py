"""The signed cookie that identifies a guest by the random id of a device.

Most people have one device, and the person id equals the device id. `sessions` handles people with
several devices.
"""

from __future__ import annotations

import secrets
import time
from typing import Any, Final

import msgspec
from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from acesaround.errors import NotationError
from acesaround.store.admin_notices import person_hash
from acesaround.table import Person, names
from acesaround.table.avatars import known

_KEPT: Final = 400 * 86_400  # seconds; the longest lifetime that browsers allow
_RENEWED: Final = 30 * 86_400
_SALT: Final = "acesaround.guest"
GUEST: Final = "Guest"


class Cookie(msgspec.Struct, frozen=True):
    """The content of the cookie: a device id, and the name if the person has this device only.

    `at`: when the device last changed its person or name, in milliseconds; 0 if never. `fresh`: the
    cookie is new or due for renewal. `avatar`: belongs to the name.
    """

    id: str
    name: str | None = None
    at: int = 0
    fresh: bool = False
    avatar: str = ""


class Guest(msgspec.Struct, frozen=True):
    """A person at a device. `fresh` and `at` come from the cookie."""

    id: str
    name: str | None
    device: str
    fresh: bool = False
    at: int = 0
    avatar: str = ""

    @property
    def person(self) -> Person:
        """The person for a seat, with a default name if none was given."""
        return Person(self.id, self.name or GUEST, known(self.avatar))


def now_ms() -> int:
    """Return the milliseconds since 1970, the format of all times in the database."""
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """Return a new random id."""
    return secrets.token_urlsafe(16)


class CookieSigner:
    """Reads and writes the signed cookie.

    `secret` holds one or more keys, separated by commas or newlines. The first key signs; every key
    verifies. A cookie signed with a later key is renewed, so that old keys can be removed some day.

    Browsers silently drop a `Secure` cookie that arrives over plain HTTP. So `secure` must match
    the scheme of the public address.
    """

    def __init__(self, secret: str, *, secure: bool) -> None:
        held = keys(secret)
        known = list(dict.fromkeys([*held, secret]))  # an old key may contain a comma
        self._serializer = URLSafeTimedSerializer(known[::-1], salt=_SALT)  # signs with the last
        self._first = URLSafeTimedSerializer(held[0], salt=_SALT)
        self._secure = secure
        self.gone: set[str] = set()
        self._cookie = "__Host-acesaround" if secure else "acesaround"

    def read_cookie(self, connection: HTTPConnection) -> Cookie | None:
        """Return the cookie of a request, or None if it is missing, forged or expired."""
        cookie = connection.cookies.get(self._cookie)
        if cookie is None:
            return None
        try:
            held: Any
            held, signed = self._serializer.loads(cookie, max_age=_KEPT, return_timestamp=True)
            found = msgspec.convert(held, Cookie)
        except (BadData, msgspec.ValidationError):
            return None
        old = time.time() - signed.timestamp() > _RENEWED or not self._by_first(cookie)
        return msgspec.structs.replace(found, name=valid_name_or_none(found.name), fresh=old)

    def is_deleted(self, person: str) -> bool:
        """Return whether a person, given by id, has been deleted."""
        return bool(self.gone) and person_hash(person) in self.gone

    def _by_first(self, cookie: str) -> bool:
        return self._first.loads_unsafe(cookie)[0]

    def set_cookie(self, response: Response, cookie: Cookie) -> None:
        """Set a cookie on a response."""
        held: dict[str, Any] = {"id": cookie.id, "name": cookie.name}
        if cookie.at:
            held["at"] = cookie.at
        if cookie.avatar:
            held["avatar"] = cookie.avatar
        response.set_cookie(
            self._cookie,
            self._serializer.dumps(held),
            max_age=_KEPT,
            httponly=True,
            samesite="lax",
            secure=self._secure,
        )


def keys(secret: str) -> list[str]:
    """Return the keys of a secret, the signing key first. At least one, which may be empty."""
    held = [key.strip() for key in secret.replace(",", "\n").splitlines()]
    return [key for key in held if key] or [secret]


def valid_name_or_none(name: str | None) -> str | None:
    """Return the name from a cookie, or None if it is not valid by the current rules."""
    try:
        return None if name is None else names.checked(name)
    except NotationError:
        return None
