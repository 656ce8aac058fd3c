"""The settings of a server: addresses, database, limits, pace, and the keys that sign cookies."""

from __future__ import annotations

import ipaddress
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
import platformdirs

from acesaround import bots
from acesaround.bots.pool.request import LIMIT
from acesaround.errors import AcesAroundError
from acesaround.retention.policy import RetentionPolicy
from acesaround.rules import Rules
from acesaround.server.accounts.cookie import keys
from acesaround.server.observability.logging import Form
from acesaround.store import file_permissions
from acesaround.store.store import sqlite_file
from acesaround.variants import VARIANTS

SECRET: Final = "ACESAROUND_SECRET"
"""The environment variable for the signing keys, which replaces the key file."""
BOTS: Final = "ACESAROUND_BOTS"
"""The environment variable for programs that play, as NAME=PROGRAM separated by commas."""
AWAY: Final = 60.0
_SHORTEST: Final = 16  # minimum length of a key in characters
HEARTBEAT_SECONDS: Final = 2.0
"""Seconds between two heartbeats of a process by default."""
STATIC: Final = Path(__file__).parent.parent / "static"


class ServeError(AcesAroundError):
    """An error in how a server is to be run, such as a bad setting."""


class Pace(msgspec.Struct, frozen=True):
    """Seconds that the table waits before a bot acts, with more after a trick or a scored deal.

    `undo`: the wait while a person may still undo the last action. `tick`: the step by which a bot
    acts later if it thinks for longer than the wait; 0 lets it act as soon as it is done.

    The waits are short, because a page shows events at its own reader's pace. If a bot thinks for
    longer, `bots.pacing` hides from its speed whether it had a choice.
    """

    action: float = 0.35
    trick: float = 0.6
    deal: float = 2.0
    undo: float = 0.9
    tick: float = 0.25


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of a server.

    Addresses. `public_url`: the URL by which people reach the server, if known; `home_url`: the URL
    in the local network, if known; `trusted_proxies`: addresses of proxies, separated by commas,
    that may say where requests come from; `allowed_hosts`: further host names of the server.

    Limits. `message_bytes`: bytes of one message; `credits`: messages of one socket in
    `credit_seconds`; `http_credits`: tables opened and names taken by one guest in
    `http_credit_seconds`, and `crowd` times as many by all guests of one address;
    `max_connections_per_address`: connections of one address; `person_sockets`: WebSockets of one
    person; `lookers`: WebSockets of spectators at one table; `tables`: unfinished tables that one
    person opened within the last day; `talk`: phrases of one person in `talk_seconds`, and three
    times as many at one table.

    Bots. `bots`: programs that play, by the names under which people choose them; `programs`: how
    many of them run at once; `prepare`: start the search bots at startup instead of at their first
    turn; `bot_workers`: the number of local worker processes (None: one less than cores, at least
    two); `dask_scheduler`: the scheduler address of a Dask cluster that replaces them; `thought`:
    seconds that an answer may take.

    Operation. `away`: seconds after which others need not wait for a disconnected person;
    `heartbeat_seconds`: seconds between two heartbeats to other servers on the database;
    `grace_seconds`: seconds that open requests get at shutdown; `log_format`: the format of log
    lines; `access_log`: log each request and socket; `retention`: the retention policy; `sheets`:
    games offered in addition to the variants, by name.
    """

    database_url: str
    secret: str
    public_url: str | None = None
    home_url: str | None = None
    trusted_proxies: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    pace: Pace = Pace()
    message_bytes: int = 16 * 1024
    credits: int = 100
    credit_seconds: float = 20.0
    http_credits: int = 30
    http_credit_seconds: float = 600.0
    crowd: int = 10
    max_connections_per_address: int = 300
    person_sockets: int = 20
    lookers: int = 500
    tables: int = 50
    talk: int = 10
    talk_seconds: float = 30.0
    static: Path = STATIC
    bots: dict[str, str] = {}
    programs: int = 16
    prepare: bool = False
    away: float = AWAY
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    grace_seconds: int = 5
    bot_workers: int | None = None
    dask_scheduler: str | None = None
    thought: float = LIMIT
    log_format: Form = "text"
    access_log: bool = False
    retention: RetentionPolicy = RetentionPolicy()
    sheets: dict[str, Rules] = {}

    def __post_init__(self) -> None:
        if self.public_url is not None:
            parts = urlsplit(self.public_url)
            if parts.scheme not in ("http", "https") or not parts.netloc:
                raise ServeError(
                    f"{self.public_url!r} is no address: expected such as https://cards.example."
                )
        for name, program in self.bots.items():
            bots.program_bot(name, program)
        for address in (self.trusted_proxies or "*").split(","):
            try:
                if address.strip() != "*":
                    ipaddress.ip_network(address.strip())
            except ValueError:
                raise ServeError(
                    f"{address!r} is no address of a proxy: expected such as 127.0.0.1."
                ) from None

    @property
    def games(self) -> dict[str, Rules]:
        """The offered games by name: `sheets` first, then the variants."""
        return {**self.sheets, **VARIANTS}

    @property
    def secure(self) -> bool:
        """True if the public URL uses HTTPS, because only then may cookies be restricted to it."""
        return self.public_url is not None and urlsplit(self.public_url).scheme == "https"


def programs(given: Sequence[str]) -> dict[str, str]:
    """Return bot programs by name, from NAME=PROGRAM texts and the environment.

    Raises ServeError.
    """
    found: dict[str, str] = {}
    for pair in (*filter(None, bots.split(os.environ.get(BOTS, ""))), *given):
        name, equals, program = (part.strip() for part in pair.partition("="))
        if not equals or not program:
            raise ServeError(f"{pair!r} names no bot: expected NAME=PROGRAM, such as ann=./ann.py.")
        if name in found:
            raise ServeError(f"There are two bots {name!r}: give one another name.")
        found[name] = program
    return found


def default_database() -> str:
    """Return the URL of the SQLite database in this user's data folder."""
    return f"sqlite:///{_folder() / 'tables.sqlite'}"


def _folder() -> Path:
    return platformdirs.user_data_path("acesaround", appauthor=False)


def secret_for(database_url: str) -> str:
    """Return the cookie keys, separated by commas or lines; the first signs, all verify.

    The keys come from the environment, or from a file that only this user can read. The file is in
    the folder of the SQLite database, so that a copy of the folder is a whole backup. Raises
    ServeError.
    """
    given = os.environ.get(SECRET)
    if given:
        if any(len(key) < _SHORTEST for key in keys(given)):
            raise ServeError(
                f"{SECRET} is too short: expected {_SHORTEST} characters or more a key."
            )
        return given
    database = sqlite_file(database_url)
    folder = _folder() if database is None else database.parent
    path = folder / "cookie.key"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _kept(path)
    except OSError as error:
        raise ServeError(f"{path} cannot be used: {error.strerror or error}.") from None


def _kept(path: Path) -> str:
    """Return the key in a file, which is created atomically if it does not exist."""
    if not path.exists():
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            out.write(secrets.token_urlsafe(32))
            out.flush()
            os.fsync(out.fileno())
        try:
            os.link(part, path)  # unlike a rename, it leaves a key that another process made
        except FileExistsError:
            pass
        finally:
            part.unlink()
    file_permissions.restrict_permissions([path])
    held = path.read_text(encoding="utf-8").strip()
    if any(len(key) < _SHORTEST for key in keys(held)):
        raise ServeError(f"{path} holds no key: remove it, and a new one is made.")
    return held
