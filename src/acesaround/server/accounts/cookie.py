"""Who is asking: a guest, by a signed cookie that names a device by a random id.

Most people have one device, and are the person of its id; `people` knows of the others.
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

_KEPT: Final = 400 * 86_400  # seconds; browsers keep no cookie for longer
_RENEWED: Final = 30 * 86_400
_SALT: Final = "acesaround.guest"
GUEST: Final = "Guest"


class Cookie(msgspec.Struct, frozen=True):
    """What the cookie says: the id of the device, and the name of who has no other one.

    `at`: since when the device is who it is, in milliseconds; 0 for always. `fresh`: it is still to
    be sent, or sent again. `avatar`: what goes with the name.
    """

    id: str
    name: str | None = None
    at: int = 0
    fresh: bool = False
    avatar: str = ""


class Guest(msgspec.Struct, frozen=True):
    """A person at a device. `fresh` and `at` are the cookie's.

    `was`: when the device last ceased to be each of the others that it has been, by id and in
    milliseconds.
    """

    id: str
    name: str | None
    device: str
    fresh: bool = False
    at: int = 0
    was: dict[str, int] = {}
    avatar: str = ""

    @property
    def person(self) -> Person:
        """The person who sits down."""
        return Person(self.id, self.name or GUEST, known(self.avatar))


def now_ms() -> int:
    """The time in milliseconds since 1970, as the database has all times."""
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """An id that nobody has."""
    return secrets.token_urlsafe(16)


class CookieSigner:
    """Reads and writes the cookie.

    `secret` holds one key or several, with commas or lines between them: the first signs, all of
    them verify. A guest known by a later one is given a new cookie, so that it can be dropped some
    day.

    A browser drops a `Secure` cookie that comes over plain HTTP without a word, so its flags
    follow the address by which people reach the server.
    """

    def __init__(self, secret: str, *, secure: bool) -> None:
        held = keys(secret)
        known = list(dict.fromkeys([*held, secret]))  # a key of before may have had a comma in it
        self._serializer = URLSafeTimedSerializer(known[::-1], salt=_SALT)  # the last of them signs
        self._first = URLSafeTimedSerializer(held[0], salt=_SALT)
        self._secure = secure
        self.gone: set[str] = set()
        self._cookie = "__Host-acesaround" if secure else "acesaround"

    def read_cookie(self, connection: HTTPConnection) -> Cookie | None:
        """A valid cookie; None for none, a forged or an expired one."""
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
        """Whether a person, by id, has been deleted."""
        return bool(self.gone) and person_hash(person) in self.gone

    def _by_first(self, cookie: str) -> bool:
        return self._first.loads_unsafe(cookie)[0]

    def set_cookie(self, response: Response, cookie: Cookie) -> None:
        """Send a cookie along with a response."""
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
    """The keys of a secret, the one that signs first; one at least, be it empty."""
    held = [key.strip() for key in secret.replace(",", "\n").splitlines()]
    return [key for key in held if key] or [secret]


def valid_name_or_none(name: str | None) -> str | None:
    """A name of an older cookie, if it could be taken now."""
    try:
        return None if name is None else names.checked(name)
    except NotationError:
        return None
