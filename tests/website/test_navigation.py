"""Every page of the documentation has a place on its site."""

from __future__ import annotations

from docs.website.navigation import GENERATED, ROOT, read_navigation
from docs.website.stage import module_file, site_path

NAVIGATION = read_navigation()


def test_every_page_in_docs_is_listed() -> None:
    pages = {f"docs/{one.name}" for one in (ROOT / "docs").glob("*.md")}
    assert {one for one in NAVIGATION.files if one.startswith("docs/")} == pages


def test_every_listed_page_exists() -> None:
    assert [one for one in NAVIGATION.files if not (ROOT / one).is_file()] == []


def test_the_pages_of_the_repository_are_listed() -> None:
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= set(NAVIGATION.files)


def test_the_generated_pages_are_listed() -> None:
    assert set(GENERATED) <= {page for part in NAVIGATION.parts for page in part.pages}


def test_no_two_pages_have_the_same_place() -> None:
    paths = [site_path(one) for one in NAVIGATION.files]
    assert len(paths) == len(set(paths))


def test_every_module_of_the_reference_exists_and_is_listed_once() -> None:
    modules = [one for group in NAVIGATION.reference.values() for one in group]
    assert len(modules) == len(set(modules))
    for module in modules:
        module_file(module)
