"""Pseudonyms of tables and persons for logs and file names, where a token must not appear."""

from __future__ import annotations

from hashlib import sha256


def pseudonym(token: str) -> str:
    """Return eight hex digits of the token's SHA-256: stable, and not reversible."""
    return sha256(token.encode(errors="replace")).hexdigest()[:8]
