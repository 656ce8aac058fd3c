"""Check one screen on all viewports: its layout, and its accessibility with axe.

axe takes longer. In `make test` it checks a phone in light, and the colours of a desktop in dark.
In `make soak` it checks all viewports in both, and pictures of them are saved in build/screens.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from frontend.check import install_packages
from tests.browser.layout_checks import find_layout_faults
from tests.browser.page_objects.visitor import Visitor
from tests.browser.viewports import DESKTOP, VIEWPORTS
from tests.cli_runner import ROOT

CheckScreen = Callable[[Visitor, str], None]
"""The fixture `check_screen`: checks the screen of a visitor, whose pictures get a name."""

Theme = Literal["light", "dark"]
_AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
_THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
# The themes in which axe checks each viewport. The layout is checked on all of them.
_SAMPLED_THEMES: Final[dict[str, tuple[Theme, ...]]] = {
    "small-phone": (),
    "landscape-phone": (),
    "phone": ("light",),
    "desktop": ("dark",),
}
_COLOUR_RULES = ["color-contrast", "link-in-text-block"]  # all rules of axe that a theme can break
# Returns a sentence for each violation, short enough for a failure.
_RUN_AXE = """async (rules) => {
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}),
  });
  return violations.flatMap((one) =>
    one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}: ${node.failureSummary}`));
}"""


class ScreenChecker:
    """Checks screens and collects their faults. `thorough`: all viewports, themes and rules."""

    def __init__(self, screenshot_folder: Path, *, thorough: bool) -> None:
        assert install_packages(), "axe is an npm package, and those cannot be had here"
        self._axe = _AXE.read_text()
        self._screenshot_folder, self._thorough = screenshot_folder, thorough
        self.faults: list[str] = []

    def check_screen(self, visitor: Visitor, name: str) -> None:
        """Check the screen of a visitor in all viewports and themes, and collect its faults."""
        page = visitor.page
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(self._axe)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        shown_theme: Theme = "light"
        themes_to_check = dict.fromkeys(VIEWPORTS, _THEMES) if self._thorough else _SAMPLED_THEMES
        for size, themes in themes_to_check.items():
            visitor.resize(VIEWPORTS[size])
            self.faults += [f"{name}, {size}: {fault}" for fault in find_layout_faults(page)]
            for theme in themes:
                if theme != shown_theme:
                    page.emulate_media(color_scheme=theme)
                    visitor.wait_until_nothing_moves()
                    shown_theme = theme
                if self._thorough:
                    page.screenshot(path=self._screenshot_folder / f"{name}-{size}-{theme}.png")
                rules = _COLOUR_RULES if theme == "dark" and not self._thorough else None
                violations = page.evaluate(_RUN_AXE, rules)
                self.faults += [f"{name}, {size}, {theme}: {one}" for one in violations]
        visitor.resize(DESKTOP)
