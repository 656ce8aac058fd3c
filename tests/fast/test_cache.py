"""Compiled code is thrown away whenever a source that it was made from has changed."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from functools import cache as cache_of
from pathlib import Path

import pytest

import acesaround
from acesaround.fast import cache
from acesaround.fast.cache import KERNEL_PACKAGES, kernel_source_files

FAST = Path(cache.__file__).parent
EVERY = pytest.mark.parametrize("package", sorted(KERNEL_PACKAGES))
DECORATORS = {"kernel", "arrayless_kernel", "inlined_kernel"}


@cache_of
def imported(path: Path) -> dict[str, str]:
    """What a file calls names, and what they stand for, with the module's full name."""
    found = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                found[name.asname or name.name] = f"{node.module}.{name.name}"
        elif isinstance(node, ast.Import):
            for name in node.names:
                found[name.asname or name.name] = name.name
    return found


@cache_of
def module_file(name: str) -> Path | None:
    """The file of a module of the package, or of the module in which a thing stands."""
    if not name.startswith("acesaround"):
        return None
    for at in (name, name.rpartition(".")[0]):
        try:
            found = importlib.util.find_spec(at)
        except ModuleNotFoundError:  # a thing in a module, not in a package
            continue
        if found is not None and found.origin is not None:
            return Path(found.origin)
    return None


def reached(package: str) -> set[Path]:
    """The files of `fast` that a package's own files import, and those that they import, and on."""
    found, left = set[Path](), list((FAST / package).rglob("*.py"))
    while left:
        path = left.pop()
        found.add(path)
        for name in imported(path).values():
            other = module_file(name)
            if other is not None and other.is_relative_to(FAST) and other not in found:
                left.append(other)
    return found


def compiled(path: Path) -> Iterator[str]:
    """The names of functions that stand elsewhere and are compiled in a file."""
    names = imported(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in DECORATORS
        ):
            first, _, rest = ast.unparse(node.args[0]).partition(".")
            yield f"{names[first]}.{rest}".removesuffix(".")


@EVERY
def test_a_package_names_the_packages_that_it_uses_and_no_others(package: str) -> None:
    others = {path.relative_to(FAST).parts[0] for path in reached(package)} & set(
        KERNEL_PACKAGES
    ) - {package}
    assert others == set(KERNEL_PACKAGES[package])


@EVERY
def test_sources_hold_every_file_that_a_package_is_made_from(package: str) -> None:
    held = set(kernel_source_files(package))
    assert reached(package) <= held
    elsewhere = {module_file(name) for path in held for name in compiled(path)}
    assert elsewhere - {None} <= held
    assert held <= set(kernel_source_files())


def test_the_rules_that_kernels_compile_are_found() -> None:
    """Lest the test above should look for nothing."""
    rules = Path(acesaround.__file__).parent / "rules"
    found = {module_file(name) for path in kernel_source_files() for name in compiled(path)}
    assert {rules / "tricks.py", rules / "laydown.py", rules / "scoring.py"} <= found


def test_every_folder_of_kernels_is_a_package() -> None:
    assert {path.parent.name for path in FAST.glob("*/__init__.py")} == set(KERNEL_PACKAGES)


@EVERY
def test_an_edit_of_any_source_gives_the_package_another_folder(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other.py").write_text("# as it was")
    read = (*kernel_source_files(package), tmp_path / "other.py")
    monkeypatch.setattr(cache, "kernel_source_files", lambda _room=None: read)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path)
    fresh = cache.kernel_cache_folder.__wrapped__
    before = fresh(package)
    assert before == fresh(package)
    (tmp_path / "other.py").write_text("# as it is")
    assert fresh(package) != before
