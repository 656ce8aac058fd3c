"""Variants with their options and rules."""

from __future__ import annotations

from pathlib import Path

import msgspec

from acesaround import variants
from acesaround.bots.convention_card import rules_with_convention_card
from tests.server.http_client import make_app, open_clients


def test_every_variant_is_described_with_its_options(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        described = {one["variant"]: one for one in ann.get("/api/variants").json()}
    assert list(described) == list(variants.VARIANTS)
    defaults = [name for name in described if described[name]["is_default"]]
    assert defaults == [variants.DEFAULT_VARIANT]
    for name, rules in variants.VARIANTS.items():
        options = {one["name"]: one for one in described[name]["options"]}
        assert tuple(options) == rules.options
        for option in options.values():
            for choice in option["allowed"].get("enum", ()):  # each is one the rules take
                rules.with_options(**{option["name"]: choice})
            assert rules.with_options(**{option["name"]: option["default"]}) == rules


def test_rules_page_equals_that_of_the_rules_object(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        asked = {"variant": "partnership", "options": '{"target": 700}'}
        found = ann.get("/api/rules", params=asked).json()["markdown"]
        assert found == rules_with_convention_card(
            variants.get("partnership", None, {"target": 700})
        )
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


def test_rules_json_has_the_rules_of_all_variants(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        answer = ann.get("/rules.json")
        assert answer.headers["cache-control"] == "no-cache"
        found = {one["variant"]: one for one in answer.json()}
    assert list(found) == list(variants.VARIANTS)
    for name, rules in variants.VARIANTS.items():
        assert found[name]["title"] == variants.short_name(rules)
        assert found[name]["markdown"] == rules_with_convention_card(rules)
        for option in rules.options:  # names for commands, which the page's own form does not say
            assert f"`{option}`" not in found[name]["markdown"]


def test_refusal_of_a_house_rule_names_its_field(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        options = {"hands": 0}
        asked = {"variant": "partnership", "options": msgspec.json.encode(options).decode()}
        wanted = {"variant": "partnership", "players": 4, "options": options}
        for answer in (ann.get("/api/rules", params=asked), ann.post("/api/tables", json=wanted)):
            assert answer.status_code == 422
            [fault] = answer.json()["faults"]
            assert fault["sentence"] == "It must be a number of deals, 1 to 10000, or none."
            assert fault["fields"] == ["ending.hands"]
        asked["options"] = '{"lowest_bid": 3}'
        [fault] = ann.get("/api/rules", params=asked).json()["faults"]
        assert "auction.lowest_bid" in fault["fields"]
