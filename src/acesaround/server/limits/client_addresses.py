"""The address of a client: the keys under which limits count it, and its plain form."""

from __future__ import annotations

import ipaddress
from typing import Final

_IPV6_FACTORS: Final = {48: 16, 56: 4, 64: 1}
"""The limit of an IPv6 network as a multiple of the limit of one address, by prefix length."""


def rate_limit_keys(address: str | None) -> dict[str, int]:
    """Return the rate-limit keys of an address, the widest network first; none for loopback.

    Each key has its limit as a multiple of the limit of one address. The keys of an IPv6 address
    are its /48, /56 and /64, because one client may have any of these networks.
    """
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:  # a Unix socket, or a proxy that sends no address
        return {address: 1} if address else {}
    if isinstance(parsed, ipaddress.IPv6Address):
        parsed = parsed.ipv4_mapped or parsed
    if parsed.is_loopback:
        return {}
    if isinstance(parsed, ipaddress.IPv4Address):
        return {str(parsed): 1}
    return {
        str(ipaddress.IPv6Network((parsed, prefix), strict=False)): factor
        for prefix, factor in _IPV6_FACTORS.items()
    }


def plain_client(client: tuple[str, int] | None) -> tuple[str, int] | None:
    """Return the address and port of a connection, with an IPv4 address as such.

    A server that listens on `::` gets `::ffff:192.0.2.1` for a client at 192.0.2.1. With that name,
    a trusted proxy would not be recognized.
    """
    if client is None or not client[0].startswith("::ffff:"):
        return client
    mapped = ipaddress.IPv6Address(client[0]).ipv4_mapped
    return client if mapped is None else (str(mapped), client[1])
