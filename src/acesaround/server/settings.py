"""How a server is run: addresses, database, limits and pace, and the key that signs cookies."""

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
from acesaround.server.live.peer_presence import EVERY
from acesaround.server.observability.logging import Form
from acesaround.store import file_permissions
from acesaround.store.store import sqlite_file
from acesaround.variants import VARIANTS

SECRET: Final = "ACESAROUND_SECRET"
"""The environment variable that holds the key, where it is not to be kept in a file."""
BOTS: Final = "ACESAROUND_BOTS"
"""The environment variable that names programs, NAME=PROGRAM with commas between them."""
AWAY: Final = 60.0
_SHORTEST: Final = 16  # characters of a key
STATIC: Final = Path(__file__).parent.parent / "static"


class ServeError(AcesAroundError):
    """A server that cannot be run as asked."""


class Pace(msgspec.Struct, frozen=True):
    """Seconds the table waits: before a bot acts, more after a trick and after a scored deal.

    `undo`: before a bot acts on what a person may still take back. `tick`: between the moments at
    which a bot may act that has thought for longer than that; 0 for at once.

    Short, because a page shows what happens at its own reader's pace. Where a bot thinks for
    longer, `pacing` sees to it that its speed does not tell whether it had a choice.
    """

    action: float = 0.35
    trick: float = 0.6
    deal: float = 2.0
    undo: float = 0.9
    tick: float = 0.25


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be set.

    `public_url`: where people reach the server, if known; `home_url`: where those in the same
    network do, if known; `proxy`: the addresses, with commas, of
    proxies whose word is taken for where a request comes from; `hosts`: further names
    under which people may reach the server; `credits`: messages of one socket
    in so many seconds; `http_credits`: tables opened and names taken by one guest in so many
    seconds, and by all guests of one address `crowd` times as many; `each`: connections that one
    address may hold; `person_sockets`: sockets that one person may; `lookers`: sockets at one table
    of people who have no seat there; `tables`: how many of a person's tables of the last day may be
    open at once; `talk`: phrases of one person in `talk_seconds`, and three times as many at one
    table; `bots`: programs that play, by
    the names of bots under which people choose them; `programs`: how many of them run at once;
    `prepare`: get the bots that search ready at the start, not when the first is to play; `away`:
    seconds after which the others at a table need not wait for somebody who is not connected;
    `heartbeat_seconds`: between two signs of life to other servers on the database;
    `grace_seconds`: that open requests get when the server is told to end;
    `thinkers`: how many processes think beside this one (None: one for each core but one, two at
    least); `think`: the address of the scheduler whose workers think instead; `thought`: seconds
    that an answer may take;
    `log`: how lines of the log are written; `access`: with one for each request and socket;
    `keep`: for how long what nobody comes back to is kept; `sheets`: games that are offered beside
    the variants, by name.
    """

    database_url: str
    secret: str
    public_url: str | None = None
    home_url: str | None = None
    proxy: str | None = None
    hosts: tuple[str, ...] = ()
    pace: Pace = Pace()
    message_bytes: int = 16 * 1024
    credits: int = 100
    credit_seconds: float = 20.0
    http_credits: int = 30
    http_credit_seconds: float = 600.0
    crowd: int = 10
    each: int = 300
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
    heartbeat_seconds: float = EVERY
    grace_seconds: int = 5
    thinkers: int | None = None
    think: str | None = None
    thought: float = LIMIT
    log: Form = "text"
    access: bool = False
    keep: RetentionPolicy = RetentionPolicy()
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
        for address in (self.proxy or "*").split(","):
            try:
                if address.strip() != "*":
                    ipaddress.ip_network(address.strip())
            except ValueError:
                raise ServeError(
                    f"{address!r} is no address of a proxy: expected such as 127.0.0.1."
                ) from None

    @property
    def games(self) -> dict[str, Rules]:
        """The games that are offered, by name: those of the house first."""
        return {**self.sheets, **VARIANTS}

    @property
    def secure(self) -> bool:
        """Whether people come by HTTPS: only then may cookies be restricted to it."""
        return self.public_url is not None and urlsplit(self.public_url).scheme == "https"


def programs(given: Sequence[str]) -> dict[str, str]:
    """Programs by the names of bots, from NAME=PROGRAM and the environment. Raises ServeError."""
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
    """The SQLite database in the folder for data of this user."""
    return f"sqlite:///{_folder() / 'tables.sqlite'}"


def _folder() -> Path:
    return platformdirs.user_data_path("acesaround", appauthor=False)


def secret_for(database_url: str) -> str:
    """The keys of cookies, with commas or lines between them; the first signs, all verify.

    They come from the environment, or from a file only this user can read. The file stands beside
    the SQLite database, so that a copy of the folder is a whole backup. Raises ServeError.
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
    """The key in a file, made if there is none. It appears whole or not at all."""
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
