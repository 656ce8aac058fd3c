"""Stored games do not change when the presets do: every value of every preset is edited.

Logs of tables, records made from them, and golden games must have the same results.
"""

from __future__ import annotations

import enum
import random
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
import pytest

from acesaround import variants
from acesaround.errors import RulesError
from acesaround.record import from_text, verify
from acesaround.record.model import GameRecord
from acesaround.record.replay import rebuild, rules_of
from acesaround.rules import Rules
from acesaround.table import apply_entry, automatic_entry, begin, fold, game_records
from acesaround.table import entries as log
from acesaround.table.list_columns import list_summary
from tests.test_golden import text_of
from tests.variant_sample import sample_variants

LABELS = ("variant", "title", "source", "short", "description", "author", "base")
"""Fields without effect on a game."""


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all values of rules as plain data; a list is one value."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    else:
        yield path


def other_values(value: Any, rules: Rules, path: tuple[Any, ...]) -> Iterator[Any]:
    """Yield other values for the field."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value * 2, value + 10, value + 50, value - 1, 0)
        case None:
            yield from (1, 190, 50)
        case str():
            owner: Any = rules
            for key in path:
                owner = getattr(owner, key)
            yield from (one.value for one in type(owner) if isinstance(owner, enum.Enum))
        case list():
            yield from (value[:-1], [*value, *value[-1:]], value[::-1])
            if value and all(isinstance(one, int) for one in value):
                yield from ([one + 1 for one in value], [one - 1 for one in value])
            if value and isinstance(value[0], list):
                yield [[0, 3]]
            if not value:
                yield [10, 20]


def plain_data(rules: Rules) -> dict[str, Any]:
    """Return rules as plain data."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(rules))
    return plain


class Edit(NamedTuple):
    """A preset with one value changed, and the path of the value."""

    path: tuple[Any, ...]
    rules: Rules


def edited(preset: Rules) -> Iterator[Edit]:
    """Yield the preset with one value changed, for each of its values."""
    plain = plain_data(preset)
    for path in leaves(plain):
        if path[-1] in LABELS:
            continue
        if path in TOGETHER:
            yield Edit(path, msgspec.convert(TOGETHER[path](plain), Rules))
            continue
        value = plain
        for key in path:
            value = value[key]
        others = list(other_values(value, preset, path))
        bases = plain, with_stock(plain), with_longer_runs(plain), without_floor(plain)
        changed = [replaced(base, path, one) for base in bases for one in others]
        found = (made for one in changed if (made := rules_or_none(one)) not in (None, preset))
        rules = next(found, None)
        assert rules is not None, f"no other value of {path} is valid"
        yield Edit(path, rules)


def combined(edits: Iterable[Edit]) -> list[tuple[list[str], Rules]]:
    """Return few rules that together have all edits, each with the names of its edited values."""
    found: list[tuple[list[str], Rules]] = []
    for path, rules in edits:
        name, value = ".".join(path), plain_data(rules)
        for key in path:
            value = value[key]
        for at, (names, before) in enumerate(found):
            made = None if path in TOGETHER else replaced(plain_data(before), path, value)
            both = None if made is None else rules_or_none(made)
            if both is not None:
                found[at] = ([*names, name], both)
                break
        else:
            found.append(([name], rules))
    return found


def rules_or_none(plain: dict[str, Any]) -> Rules | None:
    """Return the rules from plain data, or None if they are invalid."""
    try:
        return msgspec.convert(plain, Rules)
    except (msgspec.ValidationError, RulesError):
        return None


def with_stock(plain: dict[str, Any]) -> dict[str, Any]:
    """Return the rules with half the hand size and a stock."""
    halves = [(cards + 1) // 2 for cards in plain["deal"]["hand"]]
    return with_stock_phases({**plain, "deal": {**plain["deal"], "hand": halves, "stock": True}})


def with_longer_runs(plain: dict[str, Any]) -> dict[str, Any]:
    """Return the rules with 1000 for a run with a further king and queen."""
    return {**plain, "melds": {**plain["melds"], "run_and_marriage": 1000}}


def without_floor(plain: dict[str, Any]) -> dict[str, Any]:
    """Return the rules without a least meld and without dixes counted apart."""
    return {**plain, "scoring": {**plain["scoring"], "nines_apart": False, "least_meld": 0}}


def with_stock_phases(plain: dict[str, Any]) -> dict[str, Any]:
    """Return the rules with the phases of a stock game if there is no auction."""
    return plain if plain["auction"] else {**plain, "phases": ["stock-play", "play"]}


def more_seats(plain: dict[str, Any]) -> dict[str, Any]:
    """Return the rules for six seats in three sides, with small hands and a stock."""
    deal = {**plain["deal"], "hand": [4], "packet": 1, "stock": True}
    return with_stock_phases({**plain, "seats": 6, "players": [6], "side_size": 2, "deal": deal})


def with_kitty(plain: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the rules with a kitty of so many cards, taken before trump is named."""
    deal = {**with_stock(plain)["deal"], "kitty": number, "upcard": False}
    phases = ["auction", "kitty", "trump", "melding", "play"]
    auction = {"lowest_bid": 10, "steps": [[0, 10]], "all_pass": "redeal"}
    exchange = {"exchange": 0, "bury": number}
    return {**plain, "auction": auction, "deal": deal, "exchange": exchange, "phases": phases}


def with_laid_melds(plain: dict[str, Any]) -> dict[str, Any]:
    """Return the rules without auction: an upcard names trump, melds are laid between tricks."""
    deal = {**with_stock(plain)["deal"], "kitty": 0, "upcard": True}
    phases = ["stock-play", "play"]
    exchange = {"exchange": 0, "bury": 0}
    scoring = {**plain["scoring"], "pays": []}
    changed = {"deal": deal, "exchange": exchange, "phases": phases, "options": ["target"]}
    return {**plain, "auction": None, "scoring": scoring, **changed}


def without_stock(plain: dict[str, Any]) -> dict[str, Any]:
    """Return the rules with the whole deck dealt to the hands."""
    made = with_kitty(plain, 0)
    deal = {**made["deal"], "hand": [48 // plain["seats"]], "stock": False}
    ending = {**plain["ending"], "tie": "another-deal"}
    phases = ["auction", "trump", "melding", "play"]
    changed = {"players": [plain["seats"]], "deal": deal, "ending": ending, "phases": phases}
    return {**made, **changed}


TOGETHER = {
    ("auction",): lambda plain: with_kitty(plain, 2),
    ("seats",): more_seats,
    ("players",): more_seats,
    ("phases",): lambda plain: {
        **plain,
        "auction": {"lowest_bid": 10, "steps": [[0, 10]], "all_pass": "redeal"},
        "deal": {**plain["deal"], "kitty": 0, "upcard": False, "stock": True},
        "exchange": {"exchange": 0, "bury": 0},
        "phases": ["auction", "trump", "melding", "play"],
    },
    ("deal", "upcard"): lambda plain: (
        with_kitty(plain, 2) if not plain["auction"] else with_laid_melds(plain)
    ),
    ("deal", "stock"): lambda plain: (
        without_stock(plain) if plain["deal"]["stock"] else with_stock(plain)
    ),
    ("deal", "kitty"): lambda plain: with_kitty(plain, 2),
    ("exchange", "bury"): lambda plain: with_kitty(plain, 2),
    ("side_size",): more_seats,
}
"""Edits of values that are valid only together with others."""


def replaced(plain: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Return plain data with one value changed."""
    key, *rest = path
    return {**plain, key: replaced(plain[key], tuple(rest), value) if rest else value}


def results(record: GameRecord) -> list[Any]:
    """Return everything that is computed from a record's cards and actions."""
    again = rebuild(record)
    return [again.deals, again.totals, again.winner, rules_of(again)]


class StoredGames:
    """Stored games of a variant with their results before any preset was edited."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        rng = random.Random(variant)
        seats = variants.VARIANTS[variant].seats
        config = log.Config(variant, seats)
        self.logs = [self._log(config, rng, deals) for deals in (1, 2)]
        self.tables = [list_summary(fold(entries)) for entries in self.logs]
        self.records = [record for entries in self.logs for record in game_records(entries)]
        self.records += [from_text(text_of(variant))]
        self.ends = [results(record) for record in self.records]
        self.golden = self.ends[-1]

    @staticmethod
    def _log(config: log.Config, rng: random.Random, deals: int) -> list[log.Entry]:
        """Return the decoded log of a table at which bots played so many deals and 12 actions."""
        entries: list[log.Entry] = [*begin(config, log.Person("host", "Host")), log.Begun(0)]
        table = fold(entries)
        while table.is_playing and len(table.sheet) < deals:
            entries.append(automatic_entry(table, rng, bot_name="thumb"))
            table, _ = apply_entry(table, entries[-1])
        for _ in range(12):
            if table.is_playing:
                entries.append(automatic_entry(table, rng, bot_name="thumb"))
                table, _ = apply_entry(table, entries[-1])
        return [log.decode(log.encode(entry)) for entry in entries]


def assert_unchanged(stored: StoredGames, names: Iterable[str]) -> None:
    """Assert that the results of stored games are unchanged."""
    name = ", ".join(names)
    for entries, summary in zip(stored.logs, stored.tables, strict=True):
        assert list_summary(fold(entries)) == summary, name
    assert results(from_text(text_of(stored.variant))) == stored.golden, name
    for record, end in zip(stored.records, stored.ends, strict=True):
        assert results(record) == end, name
        assert verify(record) == [], name


@pytest.mark.parametrize("variant", sample_variants(variants.VARIANTS))
def test_edited_presets_do_not_change_stored_games(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, edits = StoredGames(variant), list(edited(variants.VARIANTS[variant]))
    together = combined(edits)
    assert len(edits) == sum(len(names) for names, _ in together) > 35
    for names, rules in together:
        monkeypatch.setitem(variants.VARIANTS, variant, rules)
        assert_unchanged(stored, names)


@pytest.mark.soak
@pytest.mark.parametrize("variant", variants.VARIANTS)
def test_each_edit_of_a_preset_does_not_change_stored_games(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = StoredGames(variant)
    for path, rules in list(edited(variants.VARIANTS[variant])):
        monkeypatch.setitem(variants.VARIANTS, variant, rules)
        assert_unchanged(stored, path)


def test_removed_presets_do_not_change_stored_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored = {variant: StoredGames(variant) for variant in variants.VARIANTS}
    monkeypatch.setattr(variants, "VARIANTS", {})
    monkeypatch.setattr(variants, "get", None)
    for games in stored.values():
        assert [results(record) for record in games.records] == games.ends
        assert [list_summary(fold(entries)) for entries in games.logs] == games.tables


STRANGE_VALUES: Any = (
    None,
    True,
    -1,
    0,
    1,
    2,
    7,
    99,
    2**40,
    10**30,
    1.5,
    "",
    "x",
    [],
    [0],
    [1, 1],
    [[0, 0]],
    {},
)


@pytest.mark.parametrize("variant", sample_variants(variants.VARIANTS))
def test_strange_values_in_the_rules_of_a_record_raise_nothing(variant: str) -> None:
    record = from_text(text_of(variant))
    plain = msgspec.json.decode(msgspec.json.encode(record.rules))
    paths = [*leaves(plain), *((part,) for part in plain if isinstance(plain[part], dict))]
    refused = 0
    for path in paths:
        for value in STRANGE_VALUES:
            record.rules = replaced(plain, path, value)
            refused += bool(verify(record))
    assert refused > len(paths) * len(STRANGE_VALUES) / 2
