"""Connecting to a Dask cluster, with a timeout and a version check.

All workers need the same version of this package. Anybody who can reach the scheduler can run code
on every worker and in this process.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Final

from distributed import Client
from distributed.comm import parse_address, parse_host_port
from distributed.comm.registry import get_backend
from distributed.core import rpc
from distributed.security import Security

from acesaround import __version__
from acesaround.errors import RulesError

PATIENCE: Final = 4.0
"""The timeout in seconds of a cluster that does not answer."""


def parse_scheduler_address(address: str) -> tuple[str, int]:
    """Return the host and port of a scheduler's address. Raises RulesError if it is invalid."""
    try:
        scheme, rest = parse_address(address)
        get_backend(scheme)
        host, port = parse_host_port(rest)
    except Exception as error:
        raise _none(address, error) from None
    return host, int(port)


def connect(address: str) -> Client:
    """Return a client of the scheduler at an address. Raises RulesError if there is none."""
    where = parse_scheduler_address(address)
    try:
        asyncio.run(_check_scheduler(address, where))
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # another service at this address may answer anything
        raise _none(address, error) from None


async def connect_async(address: str) -> Client:
    """Return an asynchronous client of a scheduler. Raises RulesError if there is none."""
    where = parse_scheduler_address(address)
    try:
        await _check_scheduler(address, where)
        return await Client(address, timeout=PATIENCE, set_as_default=False, asynchronous=True)
    except Exception as error:  # another service at this address may answer anything
        raise _none(address, error) from None


def disconnect(client: Client) -> None:
    """Disconnect from a cluster; ignore errors."""
    with contextlib.suppress(Exception):
        client.close(timeout=PATIENCE)


def require_same_version(version: str) -> None:
    """Raise RulesError unless the worker that runs this has the given version."""
    if version != __version__:
        raise RulesError(
            f"A worker of the cluster has acesaround {__version__}, this machine {version}: "
            "install the same version."
        )


def missing_package_error(error: ImportError | AttributeError) -> RulesError:
    """Return the error for a package or name that a worker lacks."""
    return RulesError(f"A worker of the cluster lacks a package or name: {error}.")


async def _check_scheduler(address: str, where: tuple[str, int]) -> None:
    """Connect to the scheduler once, because `Client` would wait forever for a silent one."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report a lost connection once
    async with asyncio.timeout(PATIENCE):
        # This fails at once if nobody listens, while Dask would retry.
        _, stream = await asyncio.open_connection(*where)
        stream.close()
        secured = Security().get_connection_args("client")  # of Dask's own configuration
        async with rpc(address, timeout=PATIENCE, connection_args=secured) as scheduler:
            await scheduler.identity()


def _none(address: str, error: Exception) -> RulesError:
    return RulesError(
        f"There is no cluster at {address!r}: {_error_text(error)}. "
        "Expected the address of a Dask scheduler, such as tcp://10.0.0.5:8786."
    )


def _error_text(error: Exception) -> str:
    """Return the message of an error on one line, without a full stop."""
    if isinstance(error, TimeoutError):
        return f"it does not answer within {PATIENCE:g} seconds"
    if not isinstance(error, ImportError | OSError | ValueError):
        return "it is not a Dask scheduler"
    return " ".join(str(error).split()).removesuffix(".") or type(error).__name__
