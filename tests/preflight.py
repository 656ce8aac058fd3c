"""Check within seconds whether this machine has what a run of all tests needs.

`python -m tests.preflight` prints the versions of all programs and a sentence for each problem,
which says what to install or to set. It needs no package, so it runs without an environment.
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
CI_VARIABLE: Final = "CI"
"""The environment variable, set by `.ci/run`, that makes a missing program a failure."""
LOCALE: Final = "C.UTF-8"
"""The locale of all tests."""
OLDEST: Final = (3, 11)
NEWEST: Final = (3, 14)
_DEBIAN_POSTGRESQL: Final = Path("/usr/lib/postgresql")
_TESTS_MIB: Final = 1000  # temporary files of a whole run
_ENVIRONMENT_MIB: Final = 2000  # packages of Python and npm
_SHARED_MEMORY_MIB: Final = 16  # in /dev/shm
_PROGRAM_TIMEOUT_SECONDS: Final = 30


class Tool(NamedTuple):
    """A program that tests need, its possible names, and its package in Debian."""

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


def find_program(tool: Tool) -> str | None:
    """Return the path of a tool, or None."""
    if tool.names == ("initdb",):
        folder = find_postgres_folder()
        return None if folder is None else str(folder / "initdb")
    path = os.environ.get("PATH", "") + os.pathsep + "/usr/sbin"
    return next((found for name in tool.names if (found := shutil.which(name, path=path))), None)


def find_postgres_folder() -> Path | None:
    """Return the folder of PostgreSQL's programs: from the PATH, else Debian's newest."""
    found = shutil.which("initdb")
    if found is not None and (Path(found).resolve().parent / "psql").exists():
        return Path(found).resolve().parent
    folders = [path.parent for path in _DEBIAN_POSTGRESQL.glob("*/bin/initdb")]
    return max(folders, key=lambda path: int(path.parent.name), default=None)


def missing_tools() -> list[Tool]:
    """Return the tools that are not installed."""
    return [tool for tool in TOOLS if find_program(tool) is None]


def can_install() -> bool:
    """Return whether `tests/system.sh` can install missing tools."""
    if shutil.which("apt-get") is None:
        return False
    if os.geteuid() == 0:
        return True
    return shutil.which("sudo") is not None and _exit_status(["sudo", "-n", "true"]) == 0


def find_problems(*, installed: bool = False) -> list[str]:
    """Return a sentence for each problem.

    `installed`: the installation has run, so a tool that is still missing is a problem.
    """
    if problems := _check_python():
        return problems
    problems = [*_check_temporary_folder(), *_check_cache_folder(), *_check_checkout()]
    problems += [*_check_shared_memory(), *_check_loopback(), *_check_locale()]
    if os.environ.get(CI_VARIABLE):
        problems += _check_tools(installed=installed)
        if installed and not (ROOT / "src/acesaround/static/index.html").is_file():
            problems.append("The page is not built: `make PAGE=required play` says why.")
    return problems


def skip_notices() -> list[str]:
    """Return a sentence for each missing tool whose tests are skipped."""
    if os.environ.get(CI_VARIABLE):
        return []
    return [
        f"There is no {tool.title} here, so its tests are skipped: install {tool.package}."
        for tool in missing_tools()
    ]


def _check_tools(*, installed: bool) -> list[str]:
    missing = missing_tools()
    if not missing or (not installed and can_install()):
        return []
    titles = ", ".join(tool.title for tool in missing)
    packages = " ".join(tool.package for tool in missing)
    return [
        f"{CI_VARIABLE} is set and there is no {titles} here: run `apt-get install {packages}`."
    ]


def _check_python() -> list[str]:
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


def _check_temporary_folder() -> list[str]:
    try:
        folder = Path(tempfile.gettempdir())  # tries to write
    except OSError as error:
        return [f"No folder for temporary files can be written ({error}): set TMPDIR to one."]
    asked = os.environ.get("TMPDIR")
    if asked and Path(asked).resolve() != folder.resolve():
        return [f"TMPDIR is {asked}, which cannot be written: set it to a folder that can be."]
    problems = _check_space(folder, _TESTS_MIB, "temporary files: make room or set TMPDIR")
    if not is_enterable_by_postgres(folder):
        problems.append(
            f"{folder} cannot be entered by the user that runs PostgreSQL: set TMPDIR to a folder"
            " that everybody may enter, such as /tmp."
        )
    return problems


def is_enterable_by_postgres(folder: Path) -> bool:
    """Return whether the user that runs PostgreSQL, which is never root, may enter a folder."""
    if os.geteuid() != 0:
        return True
    user = next((name for name in ("postgres", "nobody") if _user_exists(name)), None)
    if user is None:
        return True
    return _exit_status(["test", "-x", str(folder)], user) == 0


def _user_exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def _check_cache_folder() -> list[str]:
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


def _check_checkout() -> list[str]:
    try:
        tempfile.TemporaryFile(dir=ROOT).close()
    except OSError as error:
        return [f"{ROOT} cannot be written ({error.strerror}): use a clone of your own."]
    if (ROOT / ".venv" / ".equipped").exists():
        return []
    return _check_space(ROOT, _ENVIRONMENT_MIB, "packages of Python and of npm: make room")


def _check_space(folder: Path, needed_mib: int, purpose: str) -> list[str]:
    free_mib = shutil.disk_usage(folder).free // 2**20
    if free_mib >= needed_mib:
        return []
    return [f"{folder} has {free_mib} MB free, and {needed_mib} MB are needed for {purpose}."]


def _check_shared_memory() -> list[str]:
    shared = Path("/dev/shm")
    if sys.platform != "linux":
        return []
    try:
        tempfile.TemporaryFile(dir=shared).close()
    except OSError as error:
        return [f"{shared} cannot be written ({error.strerror}): mount a tmpfs of 64 MB there."]
    return _check_space(shared, _SHARED_MEMORY_MIB, "Chromium: give the container --shm-size=256m")


def _check_loopback() -> list[str]:
    try:
        with socket.create_server(("127.0.0.1", 0)) as here:
            socket.create_connection(here.getsockname(), timeout=_PROGRAM_TIMEOUT_SECONDS).close()
    except OSError as error:
        return [f"No server on 127.0.0.1 can be reached ({error}): bring the loopback device up."]
    return []


def _check_locale() -> list[str]:
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


def program_versions() -> list[str]:
    """Return a line for Python and for each tool, with its version."""
    lines = [f"Python {sys.version.split()[0]}, {sys.platform}, {os.cpu_count()} processors"]
    for tool in TOOLS:
        path = find_program(tool)
        version = None if path is None else _last_line([path, _version_option(tool)])
        lines.append(f"{tool.title}: {version or 'missing'}")
    return lines


def _version_option(tool: Tool) -> str:
    return {"nginx": "-v", "Caddy": "version"}.get(tool.title, "--version")


def _last_line(command: list[str]) -> str:
    """Return the last line that a program prints, "" if it fails."""
    try:
        completed = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_PROGRAM_TIMEOUT_SECONDS,
            cwd="/",
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = completed.stdout.decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


def _exit_status(command: list[str], user: str | None = None) -> int:
    try:
        return subprocess.run(
            command,
            user=user,
            group=None if user is None else pwd.getpwnam(user).pw_gid,
            extra_groups=None if user is None else [],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PROGRAM_TIMEOUT_SECONDS,
            cwd="/",
        ).returncode
    except (OSError, subprocess.SubprocessError):
        return 1


def main() -> int:
    """Print versions and problems; return 1 if there is a problem."""
    sys.stdout.writelines(f"{line}\n" for line in (*program_versions(), *skip_notices()))
    problems = find_problems()
    sys.stderr.writelines(f"{line}\n" for line in problems)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
