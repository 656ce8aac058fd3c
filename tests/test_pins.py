"""The lists of pinned packages: for development, for playing, and for the documentation."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.cli_runner import ROOT

LISTS = ("requirements.lock", "requirements-play.lock", "requirements-docs.lock")


def pins(name: str) -> dict[str, tuple[str, frozenset[str]]]:
    """Return version and hashes of each package of a list."""
    text = (ROOT / name).read_text(encoding="utf-8")
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(.*(?:\n[ \t].*)*)", text, re.MULTILINE)
    return {
        package: (version, frozenset(re.findall(r"--hash=(sha256:[0-9a-f]{64})", rest)))
        for package, version, rest in found
    }


def required_packages(*extras: str) -> set[str]:
    """Return the packages in pyproject.toml for the package itself and these extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"]]
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    return {re.split(r"[^A-Za-z0-9._-]", line)[0].lower() for line in lines}


def test_the_pins_for_playing_equal_those_for_development() -> None:
    everything, playing, _ = (pins(name) for name in LISTS)
    assert len(playing) > 20
    for package, pin in playing.items():
        assert everything[package] == pin, package
        assert pin[1], package


def test_the_pins_for_playing_have_all_required_packages() -> None:
    assert required_packages("server", "fast", "page") <= set(pins("requirements-play.lock"))


def test_the_pins_for_playing_have_no_packages_of_other_extras() -> None:
    others = required_packages("dev", "plot", "cluster", "postgres") - required_packages(
        "server", "fast", "page"
    )
    assert {"ruff", "mypy", "pytest", "matplotlib", "distributed", "asyncpg"} <= others
    assert not others & set(pins("requirements-play.lock"))


def test_the_pins_for_the_documentation_agree_with_those_for_development() -> None:
    everything, _, documentation = (pins(name) for name in LISTS)
    assert required_packages("docs") <= set(documentation)
    for package, (version, hashes) in documentation.items():
        assert hashes, package
        assert everything.get(package, (version, hashes)) == (version, hashes), package


def test_the_gate_and_players_install_nothing_for_the_documentation() -> None:
    others = required_packages("docs") - required_packages()
    assert others == {"zensical", "mkdocstrings-python"}
    for name in LISTS[:2]:
        assert not others & set(pins(name)), name


@pytest.mark.parametrize("name", LISTS)
def test_pins_have_no_urls_and_options(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)
