"""The games with their options and rules."""

from __future__ import annotations

from pathlib import Path

from acesaround import variants
from acesaround.rulebook import page
from tests.server.http_client import app, browsers


def test_every_variant_is_described_with_its_options(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        described = {one["variant"]: one for one in ann.get("/api/variants").json()}
    assert list(described) == list(variants.VARIANTS)
    assert [name for name in described if described[name]["first"]] == [variants.DEFAULT_VARIANT]
    for name, rules in variants.VARIANTS.items():
        options = {one["name"]: one for one in described[name]["options"]}
        assert tuple(options) == rules.options
        for option in options.values():
            for choice in option["may"].get("enum", ()):  # each is one the rules take
                rules.with_options(**{option["name"]: choice})
            assert rules.with_options(**{option["name"]: option["preset"]}) == rules


def test_the_rules_page_is_that_of_the_rules_object(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        asked = {"variant": "partnership", "options": '{"target": 700}'}
        found = ann.get("/api/rules", params=asked).json()["markdown"]
        assert found == page(variants.get("partnership", None, {"target": 700}))
        for wrong, status in (
            ({"variant": "nothing"}, 422),
            ({}, 422),
            ({"variant": "partnership", "players": "9"}, 422),
            ({"variant": "partnership", "players": "x"}, 400),
            ({"variant": "partnership", "options": "["}, 400),
            ({"variant": "partnership", "options": '{"target": "many"}'}, 422),
        ):
            answer = ann.get("/api/rules", params=wrong)
            assert answer.status_code == status, wrong
            assert answer.json()["error"]


def test_the_rules_of_all_games_are_one_file_to_keep(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        answer = ann.get("/rules.json")
        assert answer.headers["cache-control"] == "no-cache"
        found = {one["variant"]: one for one in answer.json()}
    assert list(found) == list(variants.VARIANTS)
    for name, rules in variants.VARIANTS.items():
        told = {"variant": name, "title": variants.short_name(rules), "markdown": page(rules)}
        assert found[name] == told
