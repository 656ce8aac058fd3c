"""Compiled code is discarded when a source that it was made from has changed."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from functools import cache as memoize
from pathlib import Path

import pytest

import acesaround
from acesaround.fast import cache
from acesaround.fast.cache import KERNEL_PACKAGES, kernel_source_files

FAST = Path(cache.__file__).parent
EACH_PACKAGE = pytest.mark.parametrize("package", sorted(KERNEL_PACKAGES))
DECORATORS = {"kernel", "arrayless_kernel", "inlined_kernel"}


@memoize
def imported_names(path: Path) -> dict[str, str]:
    """Return the imported names of a file, with the full names that they stand for."""
    found = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                found[name.asname or name.name] = f"{node.module}.{name.name}"
        elif isinstance(node, ast.Import):
            for name in node.names:
                found[name.asname or name.name] = name.name
    return found


@memoize
def module_file(name: str) -> Path | None:
    """Return the file of a module, or of the module that holds a function, in the package."""
    if not name.startswith("acesaround"):
        return None
    for module in (name, name.rpartition(".")[0]):
        try:
            found = importlib.util.find_spec(module)
        except ModuleNotFoundError:  # a function, not a module
            continue
        if found is not None and found.origin is not None:
            return Path(found.origin)
    return None


def imported_files(package: str) -> set[Path]:
    """Return the files of `fast` that a package imports, directly or indirectly."""
    found, left = set[Path](), list((FAST / package).rglob("*.py"))
    while left:
        path = left.pop()
        found.add(path)
        for name in imported_names(path).values():
            other = module_file(name)
            if other is not None and other.is_relative_to(FAST) and other not in found:
                left.append(other)
    return found


def compiled_imports(path: Path) -> Iterator[str]:
    """Yield the full names of imported functions that a file compiles."""
    names = imported_names(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in DECORATORS
        ):
            first, _, rest = ast.unparse(node.args[0]).partition(".")
            yield f"{names[first]}.{rest}".removesuffix(".")


@EACH_PACKAGE
def test_kernel_packages_list_exactly_their_dependencies(package: str) -> None:
    others = {path.relative_to(FAST).parts[0] for path in imported_files(package)} & set(
        KERNEL_PACKAGES
    ) - {package}
    assert others == set(KERNEL_PACKAGES[package])


@EACH_PACKAGE
def test_kernel_source_files_are_complete(package: str) -> None:
    held = set(kernel_source_files(package))
    assert imported_files(package) <= held
    elsewhere = {module_file(name) for path in held for name in compiled_imports(path)}
    assert elsewhere - {None} <= held
    assert held <= set(kernel_source_files())


def test_rules_compiled_by_kernels_are_found() -> None:
    """Make sure that `compiled_imports` finds something."""
    rules = Path(acesaround.__file__).parent / "rules"
    found = {module_file(name) for path in kernel_source_files() for name in compiled_imports(path)}
    assert {rules / "tricks.py", rules / "laid_melds.py", rules / "scoring.py"} <= found


def test_every_folder_of_kernels_is_a_package() -> None:
    assert {path.parent.name for path in FAST.glob("*/__init__.py")} == set(KERNEL_PACKAGES)


@EACH_PACKAGE
def test_a_changed_source_changes_the_cache_folder(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other.py").write_text("# before")
    sources = (*kernel_source_files(package), tmp_path / "other.py")
    monkeypatch.setattr(cache, "kernel_source_files", lambda _package=None: sources)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path)
    cache_folder = cache.kernel_cache_folder.__wrapped__
    before = cache_folder(package)
    assert before == cache_folder(package)
    (tmp_path / "other.py").write_text("# after")
    assert cache_folder(package) != before
