"""Running a server from the command line: it says where it is to be found, then serves."""

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

from acesaround import extras
from acesaround.retention.policy import RetentionPolicy
from acesaround.server.app import create_app
from acesaround.server.cluster.database_lock import ServedAlreadyError, hold_database
from acesaround.server.limits import capacity
from acesaround.server.limits.capacity import ConnectionCapacity
from acesaround.server.limits.connections import HTTPProtocol, RepeatFilter
from acesaround.server.observability import logging as journal
from acesaround.server.settings import (
    ServeError,
    Settings,
    default_database,
    programs,
    secret_for,
)
from acesaround.server.transport.websocket_protocol import WebSocketProtocol
from acesaround.store import Store
from acesaround.store.store import async_url
from acesaround.variants import folder

_LOG: Final = logging.getLogger(__name__)
_EVERYWHERE: Final = ("", "0.0.0.0", "::")
_BACKLOG: Final = 2048
_PORTS: Final = range(8000, 8020)  # the first that is free, where none is asked for
_LAST_PORT: Final = 65535
_GARBAGE: Final = 20_000
"""Objects made before garbage is looked for: a search through thousands of sockets takes long."""


def serve(
    host: str = "0.0.0.0",
    port: int | None = None,
    database_url: str | None = None,
    public_url: str | None = None,
    proxy: str | None = None,
    show: bool = False,
    bots: Sequence[str] = (),
    hosts: Sequence[str] = (),
    each: int = 300,
    thinkers: int | None = None,
    think: str | None = None,
    log: journal.Form = "text",
    access: bool = False,
    keep: RetentionPolicy = RetentionPolicy(),  # noqa: B008 - a frozen value
    rules: Path | None = None,
) -> int:
    """Serve until told to stop; the exit status. `show`: open the page in a browser here.

    `bots`: programs that people may choose, as NAME=PROGRAM; `hosts`: further names of this server;
    `each`: connections that one address may hold; `thinkers`: processes that think beside this
    one; `think`: the scheduler of a Dask cluster that thinks instead; `log`: how lines of the log
    are written, `access`: with one for each request; `keep`: for how long things are kept;
    `rules`: a folder of rule sheets, games offered beside the variants.
    Without a port the first free one from 8000 on is taken. Raises AcesAroundError and OSError.
    """
    database_url = database_url or default_database()
    async_url(database_url)  # a wrong one is refused before anything is made
    if think is not None:
        if thinkers is not None:
            raise ServeError("--thinkers is for this machine: leave it out with --think.")
        with extras.require_extra("A cluster", "cluster"):
            from acesaround.workers.dask_client import parse_scheduler_address
        parse_scheduler_address(
            think
        )  # likewise; whether anybody is there is seen later, and again and again
    settings = Settings(
        database_url=database_url,
        public_url=public_url,
        proxy=proxy,
        hosts=tuple(hosts),
        each=each,
        secret=secret_for(database_url),
        bots=programs(bots),
        prepare=extras.missing_package("fast") is None,
        thinkers=thinkers,
        think=think,
        log=log,
        access=access,
        keep=keep,
        sheets={} if rules is None else folder(rules),
    )
    return run(settings, host, port, show)


def run(settings: Settings, host: str, port: int | None, show: bool = False) -> int:
    """Serve as set, until told to stop; the exit status. Raises AcesAroundError and OSError."""
    journal.configure_logging(settings.log)
    space = capacity.raise_file_limit()
    with _listen(host, port) as listening:
        address = _here(host, listening.getsockname()[1])
        try:
            with hold_database(settings.database_url, address):
                asyncio.run(_brought_up_to_date(settings.database_url))
                port = listening.getsockname()[1]
                settings = replace(settings, home_url=lan_url(host, port))
                _greet(settings, host, port, space)
                if show:
                    _show(address)  # it may knock before the server answers
                server = uvicorn.Server(_config(settings))
                return 0 if _run(server, listening) else 1
        except ServedAlreadyError as served:
            if not show:
                raise
            _say(f"The table is open already: {served.address}\n")
            _show(served.address)
            return 0


def _greet(settings: Settings, host: str, port: int, space: ConnectionCapacity) -> None:
    """Say where the table is: to people, or to a program that reads the log."""
    if settings.log == "text":
        _say(startup_banner(host, port, settings.public_url, space))
        return
    fields = {"address": _here(host, port), "sockets": space.sockets, "files": space.files}
    _LOG.info("the table is open", extra={journal.FIELDS: fields})


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _show(address: str) -> None:
    """Open a browser, where there is a screen to open it on."""
    if _has_screen():
        webbrowser.open(address)


def _run(server: uvicorn.Server, listening: socket.socket) -> bool:
    """Serve; whether it came to that."""
    logging.getLogger("uvicorn.error").addFilter(RepeatFilter())
    gc.freeze()  # the program itself is no garbage and is not searched for any
    gc.set_threshold(_GARBAGE)
    with contextlib.suppress(KeyboardInterrupt):  # which the greeting offers
        server.run(sockets=[listening])
    return server.started


def _config(settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        create_app(settings),
        log_config=None,  # it writes where we do
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        http=HTTPProtocol,
        ws=WebSocketProtocol,
        proxy_headers=False,  # `visits` sees to them
        ws_max_size=settings.message_bytes,
        ws_per_message_deflate=False,  # it costs each socket hundreds of kilobytes
        timeout_graceful_shutdown=settings.grace_seconds,
    )


async def _brought_up_to_date(database_url: str) -> None:
    """Open the database once, so that what is wrong with it is said in a sentence."""
    await (await Store.open(database_url)).close()


def _has_screen() -> bool:
    """Whether a browser would open a window, and not take over the terminal."""
    here = sys.platform in ("win32", "darwin")
    return here or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens, so that an address in use is known before anything is promised."""
    if port is not None:
        return _listen_at(host, port)
    for usual in _PORTS[:-1]:
        try:
            return _listen_at(host, usual)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    return _listen_at(host, _PORTS[-1])


def _listen_at(host: str, port: int) -> socket.socket:
    if not 0 <= port <= _LAST_PORT:
        raise ServeError(f"{port} is no port: they go to {_LAST_PORT}.")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except ValueError:  # no name of a machine is written like that
        raise ServeError(f"{host!r:.100} is no address to listen on.") from None
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise OSError(error.errno, f"{host}:{port} cannot be used: {error.strerror}") from None
    return listening


def startup_banner(
    host: str, port: int, public_url: str | None, space: ConnectionCapacity | None = None
) -> str:
    """Where the table is to be found, with a QR code for telephones in the same home."""
    lines = ["Aces Around: the table is open.", f"  On this machine:      {_here(host, port)}"]
    home = lan_url(host, port)
    if home is not None:
        lines.append(f"  In your home network: {home}")
    if public_url is not None:
        lines.append(f"  For everybody:        {public_url}")
    if space is not None:
        lines.append(f"  Room:                 {space.sockets} at once ({space.files} open files)")
    shared = public_url or home
    drawn = "" if shared is None else _code(shared)
    return "\n".join(lines) + f"\n{drawn}Ctrl-C closes it; every game is kept.\n"


def _here(host: str, port: int) -> str:
    """The address for a browser on this machine."""
    name = "localhost" if host in _EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def lan_url(host: str, port: int) -> str | None:
    """The address for others in the same network, None where there is none or none is served."""
    home = lan_address() if host in _EVERYWHERE else None
    return None if home is None else f"http://{home}:{port}/"


def lan_address() -> str | None:
    """This machine's address in its network, None without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # of no machine; for datagrams this sends nothing
            address: str = asking.getsockname()[0]
        except OSError:
            return None
    return None if ipaddress.ip_address(address).is_loopback else address


def _code(url: str) -> str:
    """A QR code in characters; nothing where the terminal cannot show them."""
    drawn = io.StringIO()
    segno.make(url, error="m").terminal(out=drawn, compact=True, border=2)
    try:
        drawn.getvalue().encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return drawn.getvalue()
