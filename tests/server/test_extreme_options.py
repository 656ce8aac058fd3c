"""Extreme values of options and rule sheets are refused with a sentence or can be played."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import msgspec
import pytest

from acesaround import variants
from acesaround.rules import Rules
from acesaround.rules.number_limits import MAX_CARDS, MAX_DEALS, MAX_POINTS
from acesaround.sheets.fields import describe_type, fields
from acesaround.sheets.parse import draft
from acesaround.table import apply_entry, automatic_entry, begin, encode_state, fold
from acesaround.table import entries as log
from tests.server.http_client import make_app, open_clients, open_seat, set_name

NUMBERS: Final = (
    *(0, 1, -1, 99, MAX_CARDS, MAX_DEALS, MAX_DEALS + 1, MAX_POINTS, MAX_POINTS + 1, 10**9),
    *(2**31 - 1, 2**31, 2**53, 2**63, 2**64, 10**25, -(10**25)),
)
VALUES: Final[tuple[object, ...]] = (*NUMBERS, 1.5, 1e300, True, None, "", "9" * 400, [], {})
PATHS: Final = [path for path, field in fields().items() if "number" in describe_type(field.type)]
BASES: Final = ("partnership", "two-handed", "auction-chips")
MAX_STEPS: Final = 150
"""The maximal length of a deal: with melds of a million points, auctions are very long."""
MAX_SAFE_INTEGER: Final = 2**53 - 1
"""The greatest whole number that a browser holds exactly."""


def options_first_at(variant: str) -> list[str]:
    """Return the options that no variant before this one has."""
    names = list(variants.VARIANTS)
    earlier = {n for name in names[: names.index(variant)] for n in variants.VARIANTS[name].options}
    return [name for name in variants.VARIANTS[variant].options if name not in earlier]


VARIANT_OPTIONS: Final = [
    *((variant, found) for variant in variants.VARIANTS if (found := options_first_at(variant))),
    *(
        pytest.param(variant, list(preset.options), marks=pytest.mark.soak)
        for variant, preset in variants.VARIANTS.items()
    ),
]
"""A variant and some of its options. `make test` tries each option at one variant."""
BASE_PATHS: Final = [
    *((base, PATHS[at :: len(BASES)]) for at, base in enumerate(BASES)),
    *(pytest.param(base, PATHS, marks=pytest.mark.soak) for base in BASES),
]
"""A base and some fields of a sheet. `make test` tries each field with one base."""


def check_deal(rules: Rules) -> bool:
    """Play and encode a deal by these rules; return whether it was finished."""
    rng = random.Random(1)
    config, host = log.Config(rules.variant, rules.seats), log.Person("host", "Host")
    table = fold([*begin(config, host, rules), log.Begun(0)])
    for _ in range(MAX_STEPS):
        entry = automatic_entry(table, rng, bot_name="thumb")
        table, events = apply_entry(table, log.decode(log.encode(entry)))
        for person in (None, "host"):
            encode_state(table, "link", person, events)
        if table.sheet:
            assert max(map(abs, table.sheet[-1].totals)) * MAX_DEALS < MAX_SAFE_INTEGER
            return True
    return False


@pytest.mark.parametrize(("variant", "options"), VARIANT_OPTIONS)
def test_an_extreme_value_of_an_option_is_refused_or_played(
    variant: str, options: list[str], tmp_path: Path
) -> None:
    preset, played = variants.VARIANTS[variant], set[Rules]()
    with open_clients(
        make_app(tmp_path, max_creations_per_guest=10_000, max_unfinished_tables=10_000)
    ) as [ann]:
        set_name(ann, "Ann")
        for name in options:
            for value in VALUES:
                request = {"variant": variant, "options": {name: value}, "start": True}
                answer = ann.post("/api/tables", content=msgspec.json.encode(request))
                if answer.status_code == 422:
                    sentence = answer.json()["error"]
                    assert name in sentence, (value, sentence)
                    assert sentence.endswith(".")
                    continue
                assert answer.status_code == 201, (name, value, answer.text)
                rules = preset.with_options(**{name: value})
                if rules not in played:
                    played.add(rules)
                    assert check_deal(rules)
                    with open_seat(ann, answer.json()["id"]) as sitting:
                        sitting.read_until(lambda message: any(message["view"]["hand"]))
    assert played


@pytest.mark.parametrize(("base", "paths"), BASE_PATHS)
def test_an_extreme_number_in_a_sheet_is_refused_or_played(base: str, paths: list[str]) -> None:
    played = set[Rules]()
    finished = 0
    for path in paths:
        for number in NUMBERS:
            for value in (number, [[0, number]], [number] * 6, [["grand", "KS KC", number]]):
                values = {"base": base, "title": "Ours", path: value}
                made = draft(values, "ours", variants.VARIANTS)
                assert (made.rules is None) == bool(made.faults)
                assert all(fault.sentence.endswith((".", "?")) for fault in made.faults)
                if made.rules is not None and made.rules not in played:
                    played.add(made.rules)
                    finished += check_deal(made.rules)
    assert finished > len(played) * 0.8 > len(paths)
