"""Builds the site of the documentation: `python -m docs.website.build build/site`.

`stage` writes the pages, zensical builds them, and `check` reads what it has built. Each fault is
printed, and then the exit status is 1.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from docs.website.check import find_faults
from docs.website.stage import BrokenLinkError, Stage, settings


def build(site: Path) -> list[str]:
    """Build the site in a folder, which is emptied first, and return the faults."""
    site = site.resolve()
    work = site.with_name(f"{site.name}-pages")
    for folder in (site, work):
        shutil.rmtree(folder, ignore_errors=True)
    stage = Stage(work / "pages")
    try:
        stage.write()
    except BrokenLinkError as broken:
        return [str(broken)]
    config = work / "zensical.toml"
    config.write_text(settings(stage.menu(), "pages", "site"), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "-f", str(config)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd=work,
    )
    if done.returncode:
        return [done.stdout.strip()]
    shutil.move(work / "site", site)
    return find_faults(site)


def main() -> int:
    """Build the site, and print its faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, help="the folder of the site; it is emptied first")
    site = parser.parse_args().site
    faults = build(site)
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        print(f"{site}/index.html is the start page.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
