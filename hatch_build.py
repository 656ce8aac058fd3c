"""The build hook: builds the browser table into the package, without a Node of the system's own.

It does so only if the built files are missing or older than their sources (`frontend/build.py`).
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class FrontendHook(BuildHookInterface):
    """Runs `npm ci` and `npm run build` in `frontend`, where that is needed."""

    def _page(self) -> ModuleType | None:
        """Return the module that builds the page, or None if there are no sources."""
        source = Path(self.root, "frontend", "build.py")
        if not source.is_file():
            return None
        spec = importlib.util.spec_from_file_location("build_the_page", source)
        assert spec is not None
        assert spec.loader is not None
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
        return found if found.is_stale() else None

    def dependencies(self) -> list[str]:
        """Return the package with Node if there is something to build."""
        page = self._page()
        return [] if page is None else [page.NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before the files are collected.

        A checkout whose page cannot be built is still good for everything but the browser table,
        so there it is a warning; a wheel without its page is an error. The Makefile builds the page
        of its checkout by itself, and says so with PAGE=apart.
        """
        editable = version == "editable"
        page = self._page()
        if page is None or (editable and os.environ.get("PAGE") == "apart"):
            return
        try:
            page.build(self.app.display_info)
        except RuntimeError as error:
            if not editable:
                raise
            self.app.display_warning(f"{error} The rest works without it.")
