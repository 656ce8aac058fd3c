"""Draws the icons of the web app as PNG, from `public/icons/*.svg`: python frontend/draw_icons.py.

Phones of Apple look for `apple-touch-icon.png` by that name. The drawings are ours. Needs chromium,
as the tests in a browser do.
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ICONS = Path(__file__).parent / "public" / "icons"
WANTED = {
    "icon-192.png": ("icon.svg", 192),
    "icon-512.png": ("icon.svg", 512),
    "maskable-192.png": ("maskable.svg", 192),
    "maskable-512.png": ("maskable.svg", 512),
    "../apple-touch-icon.png": ("maskable.svg", 180),
}

if __name__ == "__main__":
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (source, size) in WANTED.items():
            page = chromium.new_page(viewport={"width": size, "height": size})
            svg = (ICONS / source).read_text(encoding="utf-8")
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{svg}")
            drawn = Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")
            few = drawn.quantize(128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
            few.save(ICONS / name, optimize=True)
            page.close()
        chromium.close()
