"""A release: the version in all files, a commit and a tag; or nothing changes."""

from __future__ import annotations

import datetime
import shutil
import subprocess
from pathlib import Path

import pytest

from acesaround import __version__
from make_release import ROOT, ReleaseError, read_notes, release

DATE = datetime.date(2027, 1, 31)
CHANGELOG = """# Changelog

## 9.1.0 (unreleased)

### Rules changes

None.

### Fixed

- A fault.

## 9.0.0 (2026-12-24)

### Rules changes

Old ones.
"""
NOTES = "### Rules changes\n\nNone.\n\n### Fixed\n\n- A fault.\n"


def git(root: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@localhost", *words]
    return subprocess.check_output(command, cwd=root, text=True).strip()


@pytest.fixture(name="checkout")
def make_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with the files that a release changes."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "ann@localhost")
    package = tmp_path / "src" / "acesaround"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "src" / "acesaround" / "__init__.py", package)
    shutil.copy(ROOT / "CITATION.cff", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "First")
    return tmp_path


def test_a_release_is_a_commit_and_a_tag_with_notes(checkout: Path) -> None:
    built = list[str]()

    def build(root: Path) -> None:
        built.append((root / "src" / "acesaround" / "__init__.py").read_text())

    assert release(checkout, "9.1.0", DATE, build) == NOTES
    assert '__version__ = "9.1.0"' in built[0]
    assert git(checkout, "status", "--porcelain") == ""
    assert git(checkout, "log", "-1", "--format=%s") == "Release 9.1.0"
    assert git(checkout, "rev-parse", "v9.1.0^{commit}") == git(checkout, "rev-parse", "HEAD")
    assert git(checkout, "tag", "--list", "--format=%(contents)") == (
        f"Aces Around 9.1.0\n\n{NOTES}".strip()
    )
    assert "## 9.1.0 (2027-01-31)\n" in (checkout / "CHANGELOG.md").read_text()
    citation = (checkout / "CITATION.cff").read_text()
    assert "\nversion: 9.1.0\ndate-released: 2027-01-31\n" in citation
    assert citation.count("version: ") == 2  # of the format, and of the program


def test_a_failed_build_changes_nothing(checkout: Path) -> None:
    def build(root: Path) -> None:
        raise ReleaseError("The page cannot be built.")

    before = git(checkout, "rev-parse", "HEAD")
    with pytest.raises(ReleaseError, match="page"):
        release(checkout, "9.1.0", DATE, build)
    assert git(checkout, "status", "--porcelain") == ""
    assert git(checkout, "rev-parse", "HEAD") == before
    assert git(checkout, "tag") == ""


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("9.1", "'9.1' is not a version: expected three numbers"),
        ("9.2.0", "CHANGELOG.md has no heading '## 9.2.0"),
        ("9.0.0", "There is already a tag v9.0.0"),
    ],
)
def test_a_release_that_cannot_be_made_is_refused(
    checkout: Path, version: str, reason: str
) -> None:
    git(checkout, "tag", "v9.0.0")
    with pytest.raises(ReleaseError, match=reason):
        release(checkout, version, DATE, lambda _: None)
    assert git(checkout, "status", "--porcelain") == ""


def test_a_changed_checkout_is_refused(checkout: Path) -> None:
    (checkout / "CITATION.cff").write_text("changed")
    with pytest.raises(ReleaseError, match=r"M CITATION\.cff"):
        release(checkout, "9.1.0", DATE, lambda _: None)
    assert (checkout / "CITATION.cff").read_text() == "changed"


def test_the_changelog_is_ready_for_the_next_release() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if f"## {__version__} (unreleased)" in changelog:
        assert read_notes(changelog, __version__).startswith("### Rules changes")
    else:  # the version is released
        assert f"## {__version__} (" in changelog


def test_a_section_must_begin_with_the_changes_of_rules() -> None:
    with pytest.raises(ReleaseError, match="must begin with '### Rules changes'"):
        read_notes("## 1.0.0 (unreleased)\n\n### Fixed\n", "1.0.0")
