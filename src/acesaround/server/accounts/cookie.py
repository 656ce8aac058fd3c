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
from acesaround.table.avatars import avatar_or_empty

_COOKIE_SECONDS: Final = 400 * 86_400  # seconds; the longest lifetime that browsers allow
_RENEWAL_SECONDS: Final = 30 * 86_400
_SALT: Final = "acesaround.guest"
DEFAULT_NAME: Final = "Guest"


class Cookie(msgspec.Struct, frozen=True):
    """The content of the cookie: a device id, and the name if the person has this device only.

    `at`: when the device last changed its person or name, in milliseconds; 0 if never.
    `must_be_sent`: the cookie is new or due for renewal. `avatar`: belongs to the name.
    """

    id: str
    name: str | None = None
    at: int = 0
    must_be_sent: bool = False
    avatar: str = ""


class Guest(msgspec.Struct, frozen=True):
    """A person at a device. `needs_cookie` and `changed_at` come from the cookie."""

    id: str
    name: str | None
    device: str
    needs_cookie: bool = False
    changed_at: int = 0
    avatar: str = ""

    @property
    def person(self) -> Person:
        """The person for a seat, with a default name if none was given."""
        return Person(self.id, self.name or DEFAULT_NAME, avatar_or_empty(self.avatar))


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
        signing_keys = parse_keys(secret)
        all_keys = list(dict.fromkeys([*signing_keys, secret]))  # an old key may contain a comma
        self._any_key = URLSafeTimedSerializer(all_keys[::-1], salt=_SALT)  # signs with the last
        self._first_key = URLSafeTimedSerializer(signing_keys[0], salt=_SALT)
        self._secure = secure
        self.deleted_hashes: set[str] = set()
        self._cookie_name = "__Host-acesaround" if secure else "acesaround"

    def read_cookie(self, connection: HTTPConnection) -> Cookie | None:
        """Return the cookie of a request, or None if it is missing, forged or expired."""
        cookie = self._find_value(connection)
        if cookie is None:
            return None
        try:
            content: Any
            content, signed_at = self._any_key.loads(cookie, return_timestamp=True)
            parsed = msgspec.convert(content, Cookie)
        except (BadData, msgspec.ValidationError):
            return None
        # The age is negative if the clock was put back, or is behind that of another server.
        age_seconds = time.time() - signed_at.timestamp()
        if age_seconds > _COOKIE_SECONDS:
            return None
        is_due = age_seconds > _RENEWAL_SECONDS or not self._is_signed_by_first_key(cookie)
        return msgspec.structs.replace(
            parsed, name=valid_name_or_none(parsed.name), must_be_sent=is_due
        )

    def _find_value(self, connection: HTTPConnection) -> str | None:
        """Return the value of the cookie as it was sent, or None.

        `connection.cookies` would unquote all cookies, which takes seconds for many backslashes
        (CVE-2024-7592).
        """
        value = None
        for header in connection.headers.getlist("cookie"):
            for pair in header.split(";"):
                name, _, sent_value = pair.partition("=")
                if name.strip() == self._cookie_name:
                    value = sent_value.strip()
        return value

    def is_deleted(self, person: str) -> bool:
        """Return whether a person, given by id, has been deleted."""
        return bool(self.deleted_hashes) and person_hash(person) in self.deleted_hashes

    def _is_signed_by_first_key(self, cookie: str) -> bool:
        return self._first_key.loads_unsafe(cookie)[0]

    def set_cookie(self, response: Response, cookie: Cookie) -> None:
        """Set a cookie on a response."""
        content: dict[str, Any] = {"id": cookie.id, "name": cookie.name}
        if cookie.at:
            content["at"] = cookie.at
        if cookie.avatar:
            content["avatar"] = cookie.avatar
        response.set_cookie(
            self._cookie_name,
            self._any_key.dumps(content),
            max_age=_COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
            secure=self._secure,
        )


def parse_keys(secret: str) -> list[str]:
    """Return the keys of a secret, the signing key first. An empty secret gives one empty key."""
    parts = [key.strip() for key in secret.replace(",", "\n").splitlines()]
    return [key for key in parts if key] or [secret]


def valid_name_or_none(name: str | None) -> str | None:
    """Return the name from a cookie, or None if it is not valid by the current rules."""
    try:
        return None if name is None else names.require_valid_name(name)
    except NotationError:
        return None
