"""A stored game never changes its meaning: every value of every preset is edited.

Stored are logs of tables, the records made from them, and golden games. Each has to end as it did,
card for card.
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
from acesaround.table import apply_entry, automatic_entry, begin, fold, records
from acesaround.table import entries as log
from acesaround.table.index_fields import list_summary
from tests.test_golden import text_of

LABELS = ("variant", "title", "source", "short", "description", "author", "base")
"""What names a preset, and of which nothing follows."""


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values in a rules object as plain data; a list counts as one value."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    else:
        yield path


def instead(value: Any, rules: Rules, path: tuple[Any, ...]) -> Iterator[Any]:
    """Other values that might stand there."""
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


def plainly(rules: Rules) -> dict[str, Any]:
    """Rules as plain data."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(rules))
    return plain


class Edit(NamedTuple):
    """A preset with one value changed, and where that stands."""

    path: tuple[Any, ...]
    rules: Rules


def edited(preset: Rules) -> Iterator[Edit]:
    """The preset with one value changed, for each of its values."""
    plain = plainly(preset)
    for path in leaves(plain):
        if path[-1] in LABELS:
            continue
        if path in TOGETHER:
            yield Edit(path, msgspec.convert(TOGETHER[path](plain), Rules))
            continue
        value = plain
        for key in path:
            value = value[key]
        others = list(instead(value, preset, path))
        bases = plain, spare(plain), with_longer_runs(plain), without_floor(plain)
        changed = [replaced(base, path, one) for base in bases for one in others]
        found = (made for one in changed if (made := rules_or_none(one)) not in (None, preset))
        rules = next(found, None)
        assert rules is not None, f"no other value of {path} makes sense"
        yield Edit(path, rules)


def at_once(edits: Iterable[Edit]) -> list[tuple[list[str], Rules]]:
    """As few rules as hold all these edits, each with the names of the values edited in it."""
    found: list[tuple[list[str], Rules]] = []
    for path, rules in edits:
        name, value = ".".join(path), plainly(rules)
        for key in path:
            value = value[key]
        for at, (names, before) in enumerate(found):
            made = None if path in TOGETHER else replaced(plainly(before), path, value)
            both = None if made is None else rules_or_none(made)
            if both is not None:
                found[at] = ([*names, name], both)
                break
        else:
            found.append(([name], rules))
    return found


def rules_or_none(plain: dict[str, Any]) -> Rules | None:
    """The rules that plain data says, None where they contradict themselves."""
    try:
        return msgspec.convert(plain, Rules)
    except (msgspec.ValidationError, RulesError):
        return None


def spare(plain: dict[str, Any]) -> dict[str, Any]:
    """The same with cards to spare: a pile takes what is left of the deck."""
    halves = [(cards + 1) // 2 for cards in plain["deal"]["hand"]]
    return drawn({**plain, "deal": {**plain["deal"], "hand": halves, "stock": True}})


def with_longer_runs(plain: dict[str, Any]) -> dict[str, Any]:
    """The same with a run that has one more king and queen, worth more than any other."""
    return {**plain, "melds": {**plain["melds"], "run_and_marriage": 1000}}


def without_floor(plain: dict[str, Any]) -> dict[str, Any]:
    """The same with all melds shown and no dix recorded apart."""
    return {**plain, "scoring": {**plain["scoring"], "nines_apart": False, "least_meld": 0}}


def drawn(plain: dict[str, Any]) -> dict[str, Any]:
    """The same with its stock played out where nobody bids."""
    return plain if plain["auction"] else {**plain, "phases": ["stock-play", "play"]}


def more_seats(plain: dict[str, Any]) -> dict[str, Any]:
    """Six in three sides, with fewer cards each and a pile to draw from."""
    deal = {**plain["deal"], "hand": [4], "packet": 1, "stock": True}
    return drawn({**plain, "seats": 6, "players": [6], "side_size": 2, "deal": deal})


def with_kitty(plain: dict[str, Any], number: int) -> dict[str, Any]:
    """A kitty of that many cards, taken after trump is named."""
    deal = {**spare(plain)["deal"], "kitty": number, "upcard": False}
    phases = ["auction", "kitty", "trump", "melding", "play"]
    auction = {"lowest_bid": 10, "steps": [[0, 10]], "all_pass": "redeal"}
    exchange = {"exchange": 0, "bury": number}
    return {**plain, "auction": auction, "deal": deal, "exchange": exchange, "phases": phases}


def laying(plain: dict[str, Any]) -> dict[str, Any]:
    """No auction: an upcard names trump, and melds are laid between tricks."""
    deal = {**spare(plain)["deal"], "kitty": 0, "upcard": True}
    phases = ["stock-play", "play"]
    exchange = {"exchange": 0, "bury": 0}
    scoring = {**plain["scoring"], "pays": []}
    changed = {"deal": deal, "exchange": exchange, "phases": phases, "options": ["target"]}
    return {**plain, "auction": None, "scoring": scoring, **changed}


def dealt_out(plain: dict[str, Any]) -> dict[str, Any]:
    """Every card of the deck is in a hand."""
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
        with_kitty(plain, 2) if not plain["auction"] else laying(plain)
    ),
    ("deal", "stock"): lambda plain: dealt_out(plain) if plain["deal"]["stock"] else spare(plain),
    ("deal", "kitty"): lambda plain: with_kitty(plain, 2),
    ("exchange", "bury"): lambda plain: with_kitty(plain, 2),
    ("side_size",): more_seats,
}
"""Values that make sense only with others."""


def replaced(plain: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Plain data with one value changed."""
    key, *rest = path
    return {**plain, key: replaced(plain[key], tuple(rest), value) if rest else value}


def ends(record: GameRecord) -> list[Any]:
    """All that follows from a record's cards and actions."""
    again = rebuild(record)
    return [again.deals, again.totals, again.winner, rules_of(again)]


class Kept:
    """Everything stored of a variant, with the ends it had before any preset was edited."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        rng = random.Random(variant)
        seats = variants.VARIANTS[variant].seats
        config = log.Config(variant, seats)
        self.logs = [self._log(config, rng, deals) for deals in (1, 2)]
        self.tables = [list_summary(fold(entries)) for entries in self.logs]
        self.records = [record for entries in self.logs for record in records(entries)]
        self.records += [from_text(text_of(variant))]
        self.ends = [ends(record) for record in self.records]
        self.golden = self.ends[-1]

    @staticmethod
    def _log(config: log.Config, rng: random.Random, deals: int) -> list[log.Entry]:
        """The log of a table at which bots have played so many deals and a half, as it is read."""
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


def is_unchanged(kept: Kept, names: Iterable[str]) -> None:
    """What is stored ends as it did before those values of the preset were edited."""
    name = ", ".join(names)
    for entries, told in zip(kept.logs, kept.tables, strict=True):
        assert list_summary(fold(entries)) == told, name
    assert ends(from_text(text_of(kept.variant))) == kept.golden, name
    for record, end in zip(kept.records, kept.ends, strict=True):
        assert ends(record) == end, name
        assert verify(record) == [], name


@pytest.mark.parametrize("variant", variants.VARIANTS)
def test_no_value_of_a_preset_changes_what_is_stored(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, edits = Kept(variant), list(edited(variants.VARIANTS[variant]))
    together = at_once(edits)
    assert len(edits) == sum(len(names) for names, _ in together) > 35
    for names, rules in together:
        monkeypatch.setitem(variants.VARIANTS, variant, rules)
        is_unchanged(kept, names)


@pytest.mark.soak
@pytest.mark.parametrize("variant", variants.VARIANTS)
def test_no_single_value_of_a_preset_changes_what_is_stored(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Kept(variant)
    for path, rules in list(edited(variants.VARIANTS[variant])):
        monkeypatch.setitem(variants.VARIANTS, variant, rules)
        is_unchanged(kept, path)


def test_a_preset_that_is_gone_takes_no_stored_game_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = {variant: Kept(variant) for variant in variants.VARIANTS}
    monkeypatch.setattr(variants, "VARIANTS", {})
    monkeypatch.setattr(variants, "get", None)
    for one in kept.values():
        assert [ends(record) for record in one.records] == one.ends
        assert [list_summary(fold(entries)) for entries in one.logs] == one.tables


STRANGE: Any = (
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


@pytest.mark.parametrize("variant", variants.VARIANTS)
def test_strange_rules_in_a_record_are_a_fault_or_another_game_and_never_more(variant: str) -> None:
    """Rules come from anywhere: whatever stands in one field, the reader says what is wrong."""
    record = from_text(text_of(variant))
    plain = msgspec.json.decode(msgspec.json.encode(record.rules))
    paths = [*leaves(plain), *((part,) for part in plain if isinstance(plain[part], dict))]
    refused = 0
    for path in paths:
        for value in STRANGE:
            record.rules = replaced(plain, path, value)
            refused += bool(verify(record))
    assert refused > len(paths) * len(STRANGE) / 2
