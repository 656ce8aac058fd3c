"""The settings of a server: addresses, database, limits, delays, and the keys that sign cookies."""

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
from acesaround.bots.pool.request import BOT_ANSWER_SECONDS
from acesaround.errors import AcesAroundError
from acesaround.retention.policy import RetentionPolicy
from acesaround.rules import Rules
from acesaround.server.accounts.cookie import parse_keys
from acesaround.server.observability.logging import LogFormat
from acesaround.store import file_permissions
from acesaround.store.engine import DEFAULT_TIMEOUTS, Timeouts, sqlite_file
from acesaround.variants import VARIANTS

SECRET_VARIABLE: Final = "ACESAROUND_SECRET"
"""The environment variable for the signing keys, which replaces the key file."""
BOTS_VARIABLE: Final = "ACESAROUND_BOTS"
"""The environment variable for programs that play, as NAME=PROGRAM separated by commas."""
AWAY_SECONDS: Final = 60.0
PING_SECONDS: Final = 3.0
ANSWER_SECONDS: Final = 5.0
_MIN_KEY_LENGTH: Final = 16  # minimum length of a key in characters
MAX_LOBBY_SEATS: Final = 3
HEARTBEAT_SECONDS: Final = 2.0
"""Seconds between two heartbeats of a process by default."""
STATIC_FOLDER: Final = Path(__file__).parent.parent / "static"


class ServeError(AcesAroundError):
    """An error in how a server is to be run, such as a bad setting."""


class BotDelays(msgspec.Struct, frozen=True):
    """Seconds that the table waits before a bot acts, with more after a trick or a scored deal.

    `undo`: the wait while a person may still undo the last action. `tick`: the step by which a bot
    acts later if it thinks for longer than the wait; 0 lets it act as soon as it is done.

    The waits are short, because a page shows events at its own reader's pace. If a bot thinks for
    longer, `bots.thinking_time_mask` hides from its speed whether it had a choice.
    """

    action: float = 0.35
    trick: float = 0.6
    deal: float = 2.0
    undo: float = 0.9
    tick: float = 0.25


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of a server.

    Addresses. `public_url`: the URL by which people reach the server, if known; `lan_url`: the URL
    in the local network, if known; `trusted_proxies`: addresses of proxies, separated by commas,
    that may say where requests come from; `allowed_hosts`: further host names of the server.

    Limits. `max_message_bytes`: bytes of one message; `max_messages_per_websocket`: messages of one
    socket in `rate_window_seconds`; `max_creations_per_guest`: tables opened and names taken by one
    guest in `creation_window_seconds`, and `creation_limit_address_factor` times as many by all
    guests of one address; `max_writes_per_guest`: other requests of one guest in
    `rate_window_seconds` that write to the database; `max_connections_per_address`: connections of
    one address; `max_websockets_per_person`: WebSockets of one person; `max_spectators_per_table`:
    WebSockets of spectators at one table; `max_unfinished_tables`: unfinished tables that one
    person opened within the last day; `max_lobby_seats`: seats of one person at public tables of
    other hosts before their first game; `max_joins_per_address`: joins of tables by one address in
    `rate_window_seconds`; `max_chat_lines`: phrases of one person in `chat_window_seconds`, and
    three times as many at one table.

    Bots. `bot_programs`: programs that play, by the names under which people choose them;
    `max_bot_programs`: how many of them run at once; `start_bots_early`: start the search bots at
    startup instead of at their first turn; `bot_workers`: the number of local worker processes
    (None: one less than cores, at least two); `dask_scheduler`: the scheduler address of a Dask
    cluster that replaces them; `max_bot_seconds`: seconds that an answer may take.

    Operation. `database_timeouts`: how long the server waits for its database; `away_seconds`:
    seconds after which others need not wait for a disconnected person, and after which a guest's
    seat at a public table is free again before the first game; `ping_seconds`: seconds between two
    pings to the person on turn, and `answer_seconds`: seconds without an answer after which others
    read that this person does not answer; `heartbeat_seconds`: seconds between two heartbeats to
    other servers on the database; `shutdown_timeout_seconds`: seconds that open requests get at
    shutdown; `log_format`: the format of log lines; `access_log`: log each request and socket;
    `retention`: the retention policy; `extra_games`: games offered in addition to the variants, by
    name.
    """

    database_url: str
    secret: str
    public_url: str | None = None
    lan_url: str | None = None
    trusted_proxies: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    bot_delays: BotDelays = BotDelays()
    max_message_bytes: int = 16 * 1024
    max_messages_per_websocket: int = 100
    rate_window_seconds: float = 20.0
    max_creations_per_guest: int = 30
    max_writes_per_guest: int = 30
    creation_window_seconds: float = 600.0
    creation_limit_address_factor: int = 10
    max_connections_per_address: int = 300
    max_websockets_per_person: int = 20
    max_spectators_per_table: int = 500
    max_unfinished_tables: int = 50
    max_lobby_seats: int = MAX_LOBBY_SEATS
    max_joins_per_address: int = 100
    max_chat_lines: int = 10
    chat_window_seconds: float = 30.0
    static_folder: Path = STATIC_FOLDER
    bot_programs: dict[str, str] = {}
    max_bot_programs: int = 16
    start_bots_early: bool = False
    database_timeouts: Timeouts = DEFAULT_TIMEOUTS
    away_seconds: float = AWAY_SECONDS
    ping_seconds: float = PING_SECONDS
    answer_seconds: float = ANSWER_SECONDS
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    shutdown_timeout_seconds: int = 5
    bot_workers: int | None = None
    dask_scheduler: str | None = None
    max_bot_seconds: float = BOT_ANSWER_SECONDS
    log_format: LogFormat = "text"
    access_log: bool = False
    retention: RetentionPolicy = RetentionPolicy()
    extra_games: dict[str, Rules] = {}

    def __post_init__(self) -> None:
        if self.public_url is not None:
            parts = urlsplit(self.public_url)
            if parts.scheme not in ("http", "https") or not parts.netloc:
                raise ServeError(
                    f"{self.public_url!r} is not a public address: expected an address such as https://cards.example."
                )
        for name, program in self.bot_programs.items():
            bots.make_program_bot(name, program)
        for address in (self.trusted_proxies or "*").split(","):
            try:
                if address.strip() != "*":
                    ipaddress.ip_network(address.strip())
            except ValueError:
                raise ServeError(
                    f"{address!r} is not the address of a proxy: expected an address such as "
                    "127.0.0.1."
                ) from None

    @property
    def games(self) -> dict[str, Rules]:
        """The offered games by name: `extra_games` first, then the variants."""
        return {**self.extra_games, **VARIANTS}

    @property
    def is_https(self) -> bool:
        """True if the public URL uses HTTPS, because only then may cookies be restricted to it."""
        return self.public_url is not None and urlsplit(self.public_url).scheme == "https"


def bot_programs(pairs: Sequence[str]) -> dict[str, str]:
    """Return bot programs by name, from NAME=PROGRAM texts and the environment.

    Raises ServeError.
    """
    by_name: dict[str, str] = {}
    for pair in (*filter(None, bots.split_bot_names(os.environ.get(BOTS_VARIABLE, ""))), *pairs):
        name, separator, program = (part.strip() for part in pair.partition("="))
        if not separator or not program:
            raise ServeError(f"{pair!r} is not a bot: expected NAME=PROGRAM, such as ann=./ann.py.")
        if name in by_name:
            raise ServeError(f"Two bots are named {name!r}: give one another name.")
        by_name[name] = program
    return by_name


def default_database() -> str:
    """Return the URL of the SQLite database in this user's data folder."""
    return f"sqlite:///{_data_folder() / 'tables.sqlite'}"


def _data_folder() -> Path:
    return platformdirs.user_data_path("acesaround", appauthor=False)


def secret_for(database_url: str) -> str:
    """Return the cookie keys, separated by commas or lines; the first signs, all verify.

    The keys come from the environment, or from a file that only this user can read. The file is in
    the folder of the SQLite database, so that a copy of the folder is a whole backup. Raises
    ServeError.
    """
    from_environment = os.environ.get(SECRET_VARIABLE)
    if from_environment:
        if any(len(key) < _MIN_KEY_LENGTH for key in parse_keys(from_environment)):
            raise ServeError(
                f"{SECRET_VARIABLE} is too short: each key needs {_MIN_KEY_LENGTH} characters or "
                "more."
            )
        return from_environment
    database = sqlite_file(database_url)
    folder = _data_folder() if database is None else database.parent
    path = folder / "cookie.key"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _read_or_create_key(path)
    except OSError as error:
        raise ServeError(f"The server cannot use {path}: {error.strerror or error}.") from None


def _read_or_create_key(path: Path) -> str:
    """Return the key in a file, which is created atomically if it does not exist."""
    if not path.exists():
        temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(32))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(temporary, path)  # unlike a rename, it leaves a key that another process made
        except FileExistsError:
            pass
        finally:
            temporary.unlink()
    file_permissions.restrict_permissions([path])
    text = path.read_text(encoding="utf-8").strip()
    if any(len(key) < _MIN_KEY_LENGTH for key in parse_keys(text)):
        raise ServeError(
            f"{path} holds no valid key: remove the file, and the server makes a new one."
        )
    return text
