"""Writes the pages of the site as the builder of sites wants them, from the repository.

The pages of the repository get links that lead to pages of the site. The rules of every game and
the pages of the reference are generated.
"""

from __future__ import annotations

import json
import os
import posixpath
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from acesaround import rulebook
from acesaround.variants import VARIANTS
from docs.website import markdown
from docs.website.navigation import GAMES, HERE, REFERENCE, ROOT, Navigation, read_navigation

IMAGES: Final = frozenset((".png", ".webp", ".svg", ".jpg"))

Nested = str | list[dict[str, "Nested"]]


class BrokenLinkError(ValueError):
    """A page links to a file that does not exist."""


def site_path(page: str) -> str:
    """Return the path on the site of a page of the repository.

    The pages of `docs` are at the top. Others have their path in lower case.
    """
    if page == "README.md":
        return "first-steps.md"
    if page.startswith("docs/"):
        return page.removeprefix("docs/")
    return page.lower().replace("/readme.md", ".md")


class Stage:
    """A folder with the pages of the site. `folder`: where they are written."""

    def __init__(self, folder: Path, navigation: Navigation | None = None) -> None:
        self.folder = folder
        self.navigation = navigation or read_navigation()
        self.paths: dict[str, str] = {page: site_path(page) for page in self.navigation.files}

    def write(self) -> None:
        """Write all pages and their images. Raises BrokenLinkError."""
        for page, path in self.paths.items():
            self._write(path, self.convert(page, (ROOT / page).read_text("utf-8")))
        for path, text in {**game_pages(), **reference_pages(self.navigation.reference)}.items():
            self._write(path, text)
        self._write("assets/site.css", (HERE / "site.css").read_text("utf-8"))

    def _write(self, path: str, text: str) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")

    def convert(self, page: str, text: str) -> str:
        """Return a page of the repository in the Markdown of the site, with its links."""

        def replace(mark: str, words: str, target: str) -> str:
            file, hash_sign, anchor = target.partition("#")
            if not file or ":" in file:
                return f"{mark}[{words}]({target})"
            file = posixpath.normpath(posixpath.join(posixpath.dirname(page), file))
            if not (ROOT / file).exists():
                raise BrokenLinkError(f"{page} links to {file}, which does not exist.")
            if file in self.paths:
                if words.strip("`") == file:  # on the site nobody knows a page by its file
                    words = self.title(file)
                link = markdown.relative_target(self.paths[page], self.paths[file])
                return f"{mark}[{words}]({link}{hash_sign}{anchor})"
            if Path(file).suffix in IMAGES:
                link = markdown.relative_target(self.paths[page], self._copy(file))
                return f"{mark}[{words}]({link})"
            name = f"`{file}`"
            return name if words.strip("`") in (file, Path(file).name) else f"{words} ({name})"

        return markdown.indent_lists(markdown.replace_links(text, replace))

    def _copy(self, file: str) -> str:
        """Copy an image of the repository and return its path on the site."""
        path = site_path(file) if file.startswith("docs/") else f"assets/{Path(file).name}"
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, self.folder / path)
        return path

    def title(self, page: str) -> str:
        """Return the title of a page of the repository in the menu."""
        given = next((one.pages[page] for one in self.navigation.parts if page in one.pages), "")
        return given or markdown.first_heading((ROOT / page).read_text("utf-8"))

    def menu(self) -> list[dict[str, Nested]]:
        """Return the titles and paths of all pages, part by part."""
        parts: list[dict[str, Nested]] = []
        for part in self.navigation.parts:
            entries: list[dict[str, Nested]] = []
            for page in part.pages:
                if page == GAMES:
                    entries.append({"Rules of every game": game_menu()})
                elif page == REFERENCE:
                    entries.append({"Reference": reference_menu(self.navigation.reference)})
                else:
                    entries.append({self.title(page): self.paths[page]})
            parts.append({part.title: entries})
        return parts


def game_menu() -> list[dict[str, Nested]]:
    """Return the titles and paths of the rules of every game."""
    menu: list[dict[str, Nested]] = [{"All games": f"{GAMES}/index.md"}]
    for name, rules in VARIANTS.items():
        title = markdown.first_heading(rulebook.page(rules))
        menu.append({title: f"{GAMES}/{name}.md"})
    return menu


def game_pages() -> dict[str, str]:
    """Return the rules of every game by their paths on the site, and a list of the games."""
    pages = {f"{GAMES}/{name}.md": rulebook.page(rules) for name, rules in VARIANTS.items()}
    rows = "".join(
        f"| [{markdown.first_heading(rulebook.page(rules))}]({name}.md)"
        f" | {_first_paragraph(rulebook.page(rules))} | `{name}` |\n"
        for name, rules in VARIANTS.items()
    )
    pages[f"{GAMES}/index.md"] = (
        "# Rules of every game\n\n"
        "Each page is generated from the same values that the program plays by. House options"
        " change them: a table shows the rules that it really plays by, and so does"
        " `acesaround rules GAME`.\n\n"
        f"| game | in short | name in commands |\n|---|---|---|\n{rows}"
    )
    return pages


def _first_paragraph(text: str) -> str:
    """Return the paragraph after the heading of a page."""
    return text.split("\n\n")[1].replace("\n", " ")


def reference_menu(groups: Mapping[str, list[str]]) -> list[dict[str, Nested]]:
    """Return the names and paths of the modules of the reference."""
    menu: list[dict[str, Nested]] = [{"All modules": f"{REFERENCE}/index.md"}]
    for title, modules in groups.items():
        menu.append({title: [{one: f"{REFERENCE}/{one}.md"} for one in modules]})
    return menu


def module_file(module: str) -> Path:
    """Return the source of a module of the package. Raises ValueError without one."""
    path = ROOT / "src/acesaround" / module.replace(".", os.sep)
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.exists():
            return file
    raise ValueError(f"navigation.toml lists acesaround.{module}, which does not exist.")


def _summary(module: str) -> str:
    """Return the first line of the docstring of a module."""
    first = module_file(module).read_text("utf-8").split("\n", 1)[0]
    return first.removeprefix('"""').removesuffix('"""')


def reference_pages(groups: Mapping[str, list[str]]) -> dict[str, str]:
    """Return a page for each module of the reference, by their paths, and a list of them."""
    pages = {}
    index = [
        "# Reference",
        "Modules, classes and functions with their docstrings, read from the source.",
    ]
    for title, modules in groups.items():
        rows = "".join(f"| [`acesaround.{one}`]({one}.md) | {_summary(one)} |\n" for one in modules)
        index += [f"## {title}", f"| module | what it has |\n|---|---|\n{rows}"]
        for one in modules:
            pages[f"{REFERENCE}/{one}.md"] = f"# acesaround.{one}\n\n::: acesaround.{one}\n"
    pages[f"{REFERENCE}/index.md"] = "\n\n".join(index)
    return pages


def settings(menu: list[dict[str, Nested]], pages: str, site: str) -> str:
    """Return the settings of the builder with the navigation and the folders."""
    head = f"nav = {_toml(menu)}\ndocs_dir = {json.dumps(pages)}\nsite_dir = {json.dumps(site)}\n"
    text = (HERE / "settings.toml").read_text("utf-8")
    text = text.replace('"SOURCES"', json.dumps(str(ROOT / "src")))
    return text.replace("[project]\n", f"[project]\n{head}", 1)


def _toml(value: Nested) -> str:
    """Return texts and lists of tables with one key as an inline value of TOML."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    tables = (f"{{ {_toml(key)} = {_toml(one)} }}" for table in value for key, one in table.items())
    return f"[{', '.join(tables)}]"
