"""The way to a Dask cluster: it is found or not within seconds, and what is there is as here.

Every worker needs the same version of this package. Whoever reaches the scheduler can run code on
every worker and in this process.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from typing import Final

from distributed import Client
from distributed.comm import parse_address, parse_host_port
from distributed.comm.registry import get_backend
from distributed.core import rpc

from acesaround import __version__
from acesaround.errors import RulesError

PATIENCE: Final = 4.0
"""Seconds for a cluster to answer."""


def parse_scheduler_address(address: str) -> tuple[str, int]:
    """The host and port of a scheduler's address. Raises RulesError where it is none."""
    try:
        scheme, rest = parse_address(address)
        get_backend(scheme)
        host, port = parse_host_port(rest)
    except Exception as error:
        raise _none(address, error) from None
    return host, int(port)


def connect(address: str) -> Client:
    """A client of the scheduler there. Raises RulesError where there is none."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what is lost is said once
    where = parse_scheduler_address(address)
    try:
        socket.create_connection(where, PATIENCE).close()  # Dask would try again
        asyncio.run(asyncio.wait_for(_met(address), PATIENCE))
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # whatever is there instead of a scheduler may answer anything
        raise _none(address, error) from None


def disconnect(client: Client) -> None:
    """Leave a cluster, whatever state it is in."""
    with contextlib.suppress(Exception):
        client.close(timeout=PATIENCE)


def require_same_version(version: str) -> None:
    """Over there: whether this is the same version. Raises RulesError."""
    if version != __version__:
        raise RulesError(
            f"A worker of the cluster has acesaround {__version__}, and here is {version}: they "
            "must be the same."
        )


def missing_package_error(error: ImportError | AttributeError) -> RulesError:
    """The error that says what a worker over there has not got."""
    return RulesError(f"A worker of the cluster lacks what is needed: {error}.")


async def _met(address: str) -> None:
    """Speak with the scheduler there: `Client` would wait for one that is silent, without end."""
    async with rpc(address, timeout=PATIENCE) as scheduler:
        await scheduler.identity()


def _none(address: str, error: Exception) -> RulesError:
    return RulesError(
        f"There is no cluster at {address!r}: {_said(error)}. "
        "Expected the address of a Dask scheduler, such as tcp://10.0.0.5:8786."
    )


def _said(error: Exception) -> str:
    """What an error says, on one line and without the full stop."""
    if isinstance(error, TimeoutError):
        return f"nothing there answers within {PATIENCE:g} seconds"
    if not isinstance(error, ImportError | OSError | ValueError):
        return "what answers there is no scheduler"
    return " ".join(str(error).split()).removesuffix(".") or type(error).__name__
