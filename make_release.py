"""Make a release: `make release VERSION=0.2.0`.

The program writes the version into the package, the citation file and the changelog, builds the
wheel and the source archive into `dist`, commits, and makes a tag with the notes of the changelog.
It publishes nothing: its last lines say how. If a step fails, the checkout stays as it was.
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+")
_RULES_CHANGES: Final = "### Rules changes"


class ReleaseError(Exception):
    """A reason why no release can be made."""


def read_notes(changelog: str, version: str) -> str:
    """Return the changelog's section of an unreleased version, without its heading.

    Raises ReleaseError if there is no such section, or if it does not begin with rules changes.
    """
    _, heading, rest = changelog.partition(f"## {version} (unreleased)\n")
    if not heading:
        raise ReleaseError(f"CHANGELOG.md has no heading '## {version} (unreleased)'.")
    notes = rest.partition("\n## ")[0].strip()
    if not notes.startswith(_RULES_CHANGES):
        raise ReleaseError(f"The section of {version} must begin with '{_RULES_CHANGES}'.")
    return notes + "\n"


def write_version(root: Path, version: str, date: datetime.date) -> list[str]:
    """Write the version and the date into the files that have them; return the files' names."""
    changes = {
        "CHANGELOG.md": [(rf"## {re.escape(version)} \(unreleased\)", f"## {version} ({date})")],
        "CITATION.cff": [
            (r"\ndate-released: .*", ""),
            (r"\nversion: .*", f"\nversion: {version}\ndate-released: {date}"),
        ],
        "src/acesaround/__init__.py": [(r'__version__ = ".*"', f'__version__ = "{version}"')],
    }
    for name, replacements in changes.items():
        text = (root / name).read_text(encoding="utf-8")
        for pattern, replacement in replacements:
            text = re.sub(pattern, replacement, text, count=1)
        (root / name).write_text(text, encoding="utf-8")
    return list(changes)


def build_packages(root: Path) -> None:
    """Build the wheel and the source archive into `dist`."""
    _run(root, sys.executable, "-m", "hatchling", "build", "--directory", "dist")


def release(
    root: Path,
    version: str,
    date: datetime.date,
    build: Callable[[Path], None] = build_packages,
) -> str:
    """Make a release of the checkout; return its notes.

    Raises ReleaseError, and leaves the checkout as it was, if a step fails.
    """
    if not _VERSION.fullmatch(version):
        raise ReleaseError(f"{version!r} is not a version: expected three numbers, such as 0.2.0.")
    if changed := _run(root, "git", "status", "--porcelain"):
        raise ReleaseError(f"Commit or remove first what differs from the commit:\n{changed}")
    if _run(root, "git", "tag", "--list", f"v{version}"):
        raise ReleaseError(f"There is already a tag v{version}.")
    notes = read_notes((root / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    commit = _run(root, "git", "rev-parse", "HEAD")
    try:
        names = write_version(root, version, date)
        build(root)
        _run(root, "git", "commit", "--message", f"Release {version}", "--", *names)
        # Without --cleanup, git would take the headings for comments.
        message = f"Aces Around {version}\n\n{notes}"
        _run(root, "git", "tag", "--annotate", "--cleanup=whitespace", "-m", message, f"v{version}")
    except BaseException:
        _run(root, "git", "reset", "--hard", commit)
        raise
    return notes


def _run(root: Path, *command: str) -> str:
    """Run a command and return its output. Raises ReleaseError if it fails."""
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"`{' '.join(command[:3])}` failed:\n{done.stderr.strip()}")
    return done.stdout.strip()


def main() -> int:
    """Make the release and say how to publish it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    version: str = parser.parse_args().version
    try:
        notes = release(ROOT, version, datetime.datetime.now(datetime.UTC).date())
    except ReleaseError as error:
        print(f"No release: {error}", file=sys.stderr)
        return 1
    print(f"{notes}\nReleased {version}: the packages are in dist. To publish it:")
    print(f"  git push origin HEAD v{version}")
    print(f"  python -m twine upload dist/acesaround-{version}*")
    return 0


if __name__ == "__main__":
    sys.exit(main())
