"""The two lists of pins: all that is worked with, and the part of it that playing needs."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.cli_runner import ROOT

LISTS = ("requirements.lock", "requirements-play.lock")


def pins(name: str) -> dict[str, tuple[str, frozenset[str]]]:
    """Version and hashes of each package of a list."""
    text = (ROOT / name).read_text(encoding="utf-8")
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(.*(?:\n[ \t].*)*)", text, re.MULTILINE)
    return {
        package: (version, frozenset(re.findall(r"--hash=(sha256:[0-9a-f]{64})", rest)))
        for package, version, rest in found
    }


def wanted(*extras: str) -> set[str]:
    """The packages that pyproject.toml names for these extras, and for the package itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"]]
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    return {re.split(r"[^A-Za-z0-9._-]", line)[0].lower() for line in lines}


def test_what_playing_needs_is_pinned_as_everything_is() -> None:
    everything, playing = (pins(name) for name in LISTS)
    assert len(playing) > 20
    for package, pin in playing.items():
        assert everything[package] == pin, package
        assert pin[1], package


def test_playing_needs_its_extras_and_what_builds_the_page() -> None:
    assert wanted("server", "fast", "page") <= set(pins("requirements-play.lock"))


def test_playing_needs_no_linters_tests_plots_clusters_or_other_databases() -> None:
    others = wanted("dev", "plot", "cluster", "postgres") - wanted("server", "fast", "page")
    assert {"ruff", "mypy", "pytest", "matplotlib", "distributed", "asyncpg"} <= others
    assert not others & set(pins("requirements-play.lock"))


@pytest.mark.parametrize("name", LISTS)
def test_a_list_names_no_address_and_no_option(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)
