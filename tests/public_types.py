"""Verify with pyright that the types of the public modules are complete. `make check` runs this.

docs/library.md lists the public modules.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.cli_runner import ROOT

PYRIGHT: Final = Path(sys.executable).with_name("basedpyright")
PAGE: Final = ROOT / "docs" / "library.md"
PACKAGE: Final = ROOT / "src" / "acesaround"
UNTYPED_BASES: Final = ("acesaround.envs.openspiel", "acesaround.envs.pettingzoo_env")
"""Modules with classes that inherit from a library without types.

pyright calls every type that contains such a class unknown, so only missing annotations count here.
"""
_UPPER_LAYERS: Final = ("static", "cli", "server", "retention", "store", "terminal", "table")
"""Folders of the package that no public module imports. Without them pyright takes half as long."""


class IncompleteType(NamedTuple):
    """A name whose type is not complete, with the place that pyright gives for it, if any."""

    file: str
    line: int
    name: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.name}: {self.message}"


def public_modules() -> dict[str, str]:
    """Return the modules in the table of docs/library.md, each with its stability."""
    rows = re.findall(r"^\| `([\w.]+)` \|.*\| (.+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return dict(rows)


def internal_modules() -> tuple[str, ...]:
    """Return the modules inside public packages that the page names as not public."""
    section = PAGE.read_text("utf-8").partition("## Not public")[2]
    return tuple(re.findall(r"`(acesaround\.[\w.]+)`", section))


def is_inside(module: str, packages: Iterable[str]) -> bool:
    """Return whether a module is one of some packages, or a module of one of them."""
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


def incomplete_types(package: Path, left_out: Iterable[str] = ()) -> list[IncompleteType]:
    """Return the names of a package whose types are not complete.

    pyright verifies only installed packages, so this installs a copy in a temporary environment.
    `left_out`: folders and files that are not copied.
    """
    with tempfile.TemporaryDirectory() as made:
        environment, empty = Path(made).resolve() / "environment", Path(made) / "empty"
        empty.mkdir()
        venv.create(environment, symlinks=True)
        base = str(environment)
        installed = Path(sysconfig.get_path("purelib", "venv", {"base": base, "platbase": base}))
        ignored = shutil.ignore_patterns("__pycache__", *left_out)
        shutil.copytree(package, installed / package.name, ignore=ignored)
        path_line = f"import sys; sys.path.append({sysconfig.get_path('purelib')!r})\n"
        (installed / "dependencies.pth").write_text(path_line, encoding="utf-8")
        done = subprocess.run(
            [PYRIGHT, "--verifytypes", package.name, "--ignoreexternal", "--outputjson"],
            cwd=empty,
            env={**os.environ, "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"},
            capture_output=True,
            check=False,
            text=True,
        )
        try:
            answer = json.loads(done.stdout)["typeCompleteness"]
        except (ValueError, KeyError):
            raise RuntimeError(f"pyright failed: {done.stdout}{done.stderr}") from None
        modules = [module["name"] for module in answer["modules"]]
        assert package.name in modules, modules
        internal = internal_modules()
        found = [
            place
            for symbol in answer["symbols"]
            if not is_inside(symbol["name"], internal) and _counts(symbol)
            for place in _places(symbol, installed)
        ]
        return sorted(set(found))


def _counts(symbol: Mapping[str, Any]) -> bool:
    """Return whether the type of a symbol is incomplete, other than by an untyped base class."""
    return not symbol["isTypeKnown"] and (
        symbol["isTypeAmbiguous"] or not is_inside(symbol["name"], UNTYPED_BASES)
    )


def _places(symbol: Mapping[str, Any], installed: Path) -> list[IncompleteType]:
    """Return a place for each message about a symbol. A class with incomplete members has none."""
    places = []
    for diagnostic in symbol["diagnostics"]:
        if diagnostic["message"].startswith("No docstring"):
            continue
        file, start = diagnostic.get("file"), diagnostic.get("range", {}).get("start", {})
        message = " ".join(diagnostic["message"].split())
        places.append(
            IncompleteType(
                Path(file).resolve().relative_to(installed).as_posix() if file else "?",
                start.get("line", -1) + 1,
                symbol["name"],
                message,
            )
        )
    return places


def main() -> int:
    """Verify the types of the public modules; return the exit status."""
    public = public_modules()
    assert {"acesaround.cards", "acesaround.game", "acesaround.fast.solver"} <= set(public)
    found = [
        place for place in incomplete_types(PACKAGE, _UPPER_LAYERS) if is_inside(place.name, public)
    ]
    for place in found:
        sys.stdout.write(f"{PACKAGE.parent.relative_to(ROOT)}/{place}\n")
    if not found:
        sys.stdout.write(f"The types of {len(public)} public modules: complete\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
