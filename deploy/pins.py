"""Prints the part of requirements.lock that acesaround needs with the extras that are named.

The lock pins what everybody needs who works on the project; an image that only serves needs a
fifth of it. Run it where all of the lock is installed, from the folder that holds it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def needed(project: dict[str, object], extras: list[str]) -> set[str]:
    """Return the names of all packages that these extras need on this machine, recursively."""
    optional = project["optional-dependencies"]
    assert isinstance(optional, dict)
    assert isinstance(project["dependencies"], list)
    if unknown := [extra for extra in extras if extra not in optional]:
        raise SystemExit(f"There is no extra {unknown[0]!r}: there are {', '.join(optional)}.")
    lines = [*project["dependencies"], *(line for extra in extras for line in optional[extra])]
    waiting = [(Requirement(line), "") for line in lines]
    seen: set[tuple[str, str]] = set()
    while waiting:
        wanted, extra = waiting.pop()
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(wanted.name)
        for its in ("", *wanted.extras):
            if (name, its) not in seen:
                seen.add((name, its))
                waiting += [(Requirement(line), its) for line in requires(name) or ()]
    return {name for name, _ in seen}


def blocks(lock: str) -> dict[str, str]:
    """Return the lines of each package in a lock, with its hashes, by name."""
    found = re.findall(r"^([A-Za-z0-9._-]+)(==.*(?:\n[ \t].*)*)", lock, re.MULTILINE)
    return {canonicalize_name(name): f"{name}{rest}\n" for name, rest in found}


if __name__ == "__main__":
    names = needed(tomllib.loads(Path("pyproject.toml").read_text())["project"], sys.argv[1:])
    pinned = blocks(Path("requirements.lock").read_text())
    for name in sorted(names):
        sys.stdout.write(pinned[name])
