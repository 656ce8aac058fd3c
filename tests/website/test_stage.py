"""The pages that the builder of the site gets."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from acesaround import rulebook
from acesaround.variants import VARIANTS
from docs.website.markdown import replace_links
from docs.website.navigation import Navigation, Part
from docs.website.stage import BrokenLinkError, Stage, game_pages, reference_pages, settings


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def test_all_links_of_all_pages_lead_to_pages_of_the_site(stage: Stage, tmp_path: Path) -> None:
    stage.write()
    found = []

    def collect(_: str, words: str, target: str) -> str:
        found.append((page, target))
        return words

    for page in tmp_path.rglob("*.md"):
        replace_links(page.read_text("utf-8"), collect)
    assert len(found) > 100
    broken = [
        (page.name, target)
        for page, target in found
        if ":" not in target
        and not target.startswith("#")
        and not (page.parent / target.partition("#")[0]).is_file()
    ]
    assert broken == []


def test_a_page_of_the_site_is_linked(stage: Stage) -> None:
    link = "[how](../CONTRIBUTING.md#rules)"
    assert stage.convert("docs/architecture.md", link) == "[how](contributing.md#rules)"


def test_a_page_that_is_linked_by_its_name_is_called_by_its_title(stage: Stage) -> None:
    link = "([docs/levels.md](docs/levels.md#asking-why))"
    assert stage.convert("README.md", link) == "([Levels, and asking why](levels.md#asking-why))"


def test_another_file_is_named(stage: Stage) -> None:
    convert = stage.convert
    assert convert("docs/hosting.md", "[rules](../deploy/alerts.yml)") == (
        "rules (`deploy/alerts.yml`)"
    )
    named = "[deploy/alerts.yml](../deploy/alerts.yml)"
    assert convert("docs/hosting.md", named) == "`deploy/alerts.yml`"


def test_other_hosts_are_linked_as_they_are(stage: Stage) -> None:
    assert stage.convert("docs/bots.md", "[a](https://b.example)") == "[a](https://b.example)"


def test_an_image_is_copied(stage: Stage, tmp_path: Path) -> None:
    assert stage.convert("README.md", "![Table](docs/table.png)") == "![Table](table.png)"
    assert (tmp_path / "table.png").stat().st_size > 1000


def test_a_link_to_nothing_is_refused(stage: Stage) -> None:
    with pytest.raises(BrokenLinkError, match=r"docs/bots\.md links to docs/none\.md"):
        stage.convert("docs/bots.md", "[a](none.md)")


def test_every_game_has_its_rules() -> None:
    pages = game_pages()
    assert set(pages) == {"games/index.md", *(f"games/{one}.md" for one in VARIANTS)}
    assert pages["games/two-handed.md"] == rulebook.page(VARIANTS["two-handed"])
    for name in VARIANTS:
        assert f"]({name}.md)" in pages["games/index.md"]


def test_every_module_of_the_reference_has_a_page() -> None:
    pages = reference_pages({"The game": ["cards"]})
    assert "::: acesaround.cards\n" in pages["reference/cards.md"]
    assert "| [`acesaround.cards`](cards.md) | Cards: suits, ranks" in pages["reference/index.md"]


def test_the_settings_have_the_menu(tmp_path: Path) -> None:
    navigation = Navigation([Part('The "start"', {"docs/index.md": ""})], {})
    text = settings(Stage(tmp_path, navigation).menu(), "pages", "site")
    project = tomllib.loads(text)["project"]
    assert project["nav"] == [{'The "start"': [{"Documentation": "index.md"}]}]
    assert (project["docs_dir"], project["site_dir"]) == ("pages", "site")
