"""Running a server from the command line: print its addresses, then serve."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import io
import ipaddress
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import segno
import uvicorn
from msgspec.structs import replace

from acesaround import optional_dependencies
from acesaround.retention.policy import RetentionPolicy
from acesaround.server.app import create_app
from acesaround.server.cluster.database_lock import DatabaseInUseError, lock_database
from acesaround.server.limits import capacity
from acesaround.server.limits.capacity import ConnectionCapacity
from acesaround.server.observability import logging as journal
from acesaround.server.settings import (
    ServeError,
    Settings,
    bot_programs,
    default_database,
    secret_for,
)
from acesaround.server.transport.http_protocol import HTTPProtocol
from acesaround.server.transport.paced_server import PacedServer
from acesaround.server.transport.websocket_protocol import WebSocketProtocol
from acesaround.store import Store
from acesaround.store.engine import async_url
from acesaround.variants import load_folder

_LOG: Final = logging.getLogger(__name__)
_WILDCARD_HOSTS: Final = ("", "0.0.0.0", "::")
_BACKLOG: Final = 2048
_DEFAULT_PORTS: Final = range(8000, 8020)  # tried in order if no port is given
_MAX_PORT: Final = 65535
PING_INTERVAL_SECONDS: Final = 10.0
"""Seconds between two pings to each page, and until one without an answer counts as away."""
_GC_THRESHOLD: Final = 20_000
"""Objects allocated between garbage collections, which are slow with thousands of sockets."""


def serve(
    host: str = "0.0.0.0",
    port: int | None = None,
    database_url: str | None = None,
    public_url: str | None = None,
    trusted_proxies: str | None = None,
    open_browser: bool = False,
    bots: Sequence[str] = (),
    allowed_hosts: Sequence[str] = (),
    max_connections_per_address: int = 300,
    bot_workers: int | None = None,
    dask_scheduler: str | None = None,
    log_format: journal.LogFormat = "text",
    access_log: bool = False,
    retention: RetentionPolicy = RetentionPolicy(),  # noqa: B008 - a frozen value
    sheets_folder: Path | None = None,
) -> int:
    """Serve until interrupted, and return the exit status.

    `port`: None for the first free one from 8000 on; `open_browser`: open the page in a browser on
    this machine; `bots`: programs that people may choose as bots, as NAME=PROGRAM; `sheets_folder`:
    a folder of rule sheets to offer as further games. `Settings` describes the others. Raises
    AcesAroundError and OSError.
    """
    database_url = database_url or default_database()
    async_url(database_url)  # refuse a bad URL before anything is created
    if dask_scheduler is not None:
        if bot_workers is not None:
            raise ServeError(
                "--bot-workers starts bots on this machine: leave it out with --dask-scheduler."
            )
        with optional_dependencies.require_extra("A cluster", "cluster"):
            from acesaround.workers.dask_client import parse_scheduler_address
        parse_scheduler_address(
            dask_scheduler
        )  # refuse a bad address now; the connection itself is tried later, repeatedly
    settings = Settings(
        database_url=database_url,
        public_url=public_url,
        trusted_proxies=trusted_proxies,
        allowed_hosts=tuple(allowed_hosts),
        max_connections_per_address=max_connections_per_address,
        secret=secret_for(database_url),
        bot_programs=bot_programs(bots),
        start_bots_early=optional_dependencies.missing_package("fast") is None,
        bot_workers=bot_workers,
        dask_scheduler=dask_scheduler,
        log_format=log_format,
        access_log=access_log,
        retention=retention,
        extra_games={} if sheets_folder is None else load_folder(sheets_folder),
    )
    return run(settings, host, port, open_browser)


def run(settings: Settings, host: str, port: int | None, open_browser: bool = False) -> int:
    """Serve with these settings until interrupted, and return the exit status.

    Raises AcesAroundError and OSError.
    """
    journal.configure_logging(settings.log_format)
    connection_capacity = capacity.raise_file_limit()
    with _listen(host, port) as listener:
        address = _local_url(host, listener.getsockname()[1])
        try:
            with lock_database(settings.database_url, address):
                asyncio.run(_migrate_database(settings.database_url))
                port = listener.getsockname()[1]
                settings = replace(settings, lan_url=lan_url(host, port))
                _announce_addresses(settings, host, port, connection_capacity)
                if open_browser:
                    _open_browser(address)  # an early request waits in the listening socket
                return 0 if _run_uvicorn(settings, connection_capacity, listener) else 1
        except DatabaseInUseError as error:
            if not open_browser:
                raise
            _print(f"The table is open already: {error.address}\n")
            _open_browser(error.address)
            return 0


def _announce_addresses(
    settings: Settings, host: str, port: int, connection_capacity: ConnectionCapacity
) -> None:
    """Announce the addresses: a banner for people, or a log entry for a program."""
    if settings.log_format == "text":
        _print(startup_banner(host, port, settings.public_url, connection_capacity))
        return
    fields = {
        "address": _local_url(host, port),
        "sockets": connection_capacity.sockets,
        "files": connection_capacity.open_files,
    }
    _LOG.info("the table is open", extra={journal.FIELDS_ATTRIBUTE: fields})


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _open_browser(address: str) -> None:
    """Open a browser if there is a screen."""
    if _has_screen():
        webbrowser.open(address)


def _run_uvicorn(settings: Settings, space: ConnectionCapacity, listener: socket.socket) -> bool:
    """Serve until interrupted, and return whether the server had started."""
    server = PacedServer(_uvicorn_config(settings), space.accepts_per_turn)
    gc.freeze()  # the objects of the program itself need no collection
    gc.set_threshold(_GC_THRESHOLD)
    with contextlib.suppress(KeyboardInterrupt):  # the banner says that Ctrl-C closes the server
        server.run(sockets=[listener])
    return server.started


def _uvicorn_config(settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        create_app(settings),
        log_config=None,  # keep the logging configured in `run`
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        http=HTTPProtocol,
        ws=WebSocketProtocol,
        proxy_headers=False,  # `RequestLogMiddleware` handles them
        ws_max_size=settings.max_message_bytes,
        ws_ping_interval=PING_INTERVAL_SECONDS,
        ws_ping_timeout=PING_INTERVAL_SECONDS,
        ws_per_message_deflate=False,  # compression costs hundreds of kilobytes per socket
        timeout_graceful_shutdown=settings.shutdown_timeout_seconds,
    )


async def _migrate_database(database_url: str) -> None:
    """Open the database once, to migrate it and to report its problems in a sentence."""
    await (await Store.open(database_url)).close()


def _has_screen() -> bool:
    """Return whether a browser would open a window, instead of taking over the terminal."""
    is_desktop_system = sys.platform in ("win32", "darwin")
    return is_desktop_system or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket, opened early so that a port in use fails before the banner."""
    if port is not None:
        return _listen_at(host, port)
    for default_port in _DEFAULT_PORTS[:-1]:
        try:
            return _listen_at(host, default_port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    return _listen_at(host, _DEFAULT_PORTS[-1])


def _listen_at(host: str, port: int) -> socket.socket:
    if not 0 <= port <= _MAX_PORT:
        raise ServeError(f"{port} is not a port: the highest is {_MAX_PORT}.")
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except ValueError:  # malformed host name
        raise ServeError(f"{host!r:.100} is not an address to listen on.") from None
    family, socket_type, protocol, _, address = addresses[0]
    listener = socket.socket(family, socket_type, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise OSError(error.errno, f"cannot listen on {host}:{port}: {error.strerror}") from None
    return listener


def startup_banner(
    host: str,
    port: int,
    public_url: str | None,
    connection_capacity: ConnectionCapacity | None = None,
) -> str:
    """Return the start message: the server's addresses, and a QR code for phones."""
    lines = ["Aces Around: the table is open.", f"  On this machine:      {_local_url(host, port)}"]
    url_in_lan = lan_url(host, port)
    if url_in_lan is not None:
        lines.append(f"  In your home network: {url_in_lan}")
    if public_url is not None:
        lines.append(f"  For everybody:        {public_url}")
    if connection_capacity is not None:
        lines.append(
            f"  Capacity:             {connection_capacity.sockets} people at once "
            f"({connection_capacity.open_files} open files)"
        )
    shared_url = public_url or url_in_lan
    qr_code = "" if shared_url is None else _qr_code_text(shared_url)
    return "\n".join(lines) + f"\n{qr_code}Press Ctrl-C to stop the server; every game is saved.\n"


def _local_url(host: str, port: int) -> str:
    """Return the URL for a browser on this machine."""
    name = "localhost" if host in _WILDCARD_HOSTS else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def lan_url(host: str, port: int) -> str | None:
    """Return the URL for the local network, or None if there is none or it is not served."""
    lan_host = lan_address() if host in _WILDCARD_HOSTS else None
    return None if lan_host is None else f"http://{lan_host}:{port}/"


def lan_address() -> str | None:
    """Return this machine's address in the local network, or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a reserved address; for UDP this sends nothing
            address: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if ipaddress.ip_address(address).is_loopback else address


def _qr_code_text(url: str) -> str:
    """Return a QR code as text, or an empty string if the terminal cannot show it."""
    output = io.StringIO()
    segno.make(url, error="m").terminal(out=output, compact=True, border=2)
    try:
        output.getvalue().encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return output.getvalue()
