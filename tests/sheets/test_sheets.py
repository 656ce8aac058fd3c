"""Rule sheets: what they say is what is played, and what they cannot say is refused on its line."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import msgspec
import pytest

from acesaround import sheets, variants
from acesaround.rules import Phase, Rules
from acesaround.sheets import SheetError
from acesaround.sheets.fields import field_description, fields, is_optional_section, section_types
from acesaround.sheets.parse import read
from acesaround.sheets.schema import SCHEMA_FILE, schema
from acesaround.sheets.schema import schema_text as text_of_the_schema
from acesaround.sheets.text_fields import MAX_LENGTHS
from acesaround.sheets.write import starter_sheet, write
from acesaround.variants import VARIANTS
from tests.sheets.random_sheets import random_rules

NO_BASES: dict[str, Rules] = {}
OURS = """\
# What we play at Christmas.
base = "partnership"
title = "Grandma's pinochle"

[auction]
lowest_bid = 200

[exchange]
exchange = 3

[melds]
pinochle = [50, 500]
"""


def rules_of(text: str, name: str = "ours") -> Rules:
    return read(text, name, VARIANTS, "ours.toml")


def wrong(text: str) -> list[str]:
    with pytest.raises(SheetError) as found:
        rules_of(text)
    return str(found.value).split("\n")


def test_a_sheet_says_what_differs_from_its_base() -> None:
    rules = rules_of(OURS)
    base = VARIANTS["partnership"]
    assert (rules.variant, rules.title, rules.base) == ("ours", "Grandma's pinochle", "partnership")
    assert rules.auction is not None
    assert rules.auction.lowest_bid == 200
    assert rules.auction.raises == (10, 20)  # as in the base
    assert rules.exchange.exchange == 3
    assert rules.melds.pinochle == (50, 500)
    assert rules.melds.run == base.melds.run
    assert list(sheets.change_sentences(rules, base)) == [
        "The lowest bid: 200 instead of 250.",
        "Cards that each partner passes to the declarer, who returns as many to each: "
        "3 instead of 4.",
        "Pinochles: 50, 500 instead of 40, 300.",
    ]


def test_a_sheet_is_loaded_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "christmas.toml"
    path.write_text(OURS, encoding="utf-8")
    assert variants.load(path) == rules_of(OURS, "christmas")
    assert variants.base_of(variants.load(path)) == VARIANTS["partnership"]


def test_a_sheet_that_is_called_as_a_variant_is_another_game(tmp_path: Path) -> None:
    path = tmp_path / "Two-handed.toml"
    path.write_text(OURS, encoding="utf-8")
    changed = variants.load(path)
    assert changed.variant == "two-handed-house"
    assert variants.base_of(changed) == VARIANTS["partnership"]
    assert variants.fitted_numbers(changed) == variants.fitted_numbers(VARIANTS["partnership"])


def test_a_whole_game_is_compared_with_none_of_its_name(tmp_path: Path) -> None:
    path = tmp_path / "partnership.toml"
    whole = msgspec.structs.replace(
        VARIANTS["partnership"].with_options(target=700), melds=VARIANTS["two-handed"].melds
    )
    path.write_text(write(whole, NO_BASES), encoding="utf-8")
    rules = variants.load(path)
    assert rules == msgspec.structs.replace(whole, variant="partnership-house")
    assert variants.base_of(rules) is None
    assert variants.change_sentences(rules) == ()
    assert variants.changed_options(rules) == {}
    assert variants.fitted_numbers(rules) == {}


def test_what_follows_need_not_be_said() -> None:
    kitty = rules_of(
        'base = "partnership"\nplayers = 3\nside_size = 1\ndeal.kitty = 3\ndeal.hand = 15'
    )
    assert kitty.seats == 3
    assert kitty.exchange.bury == 3
    assert kitty.phases == VARIANTS["three-handed"].phases
    assert rules_of('base = "five-card"\nseats = 6').players == VARIANTS["five-card"].players
    fewer = rules_of('base = "two-handed"\nplayers = [4, 2]')
    assert (fewer.seats, fewer.deal.hand) == (4, (6, 12))
    six = rules_of('base = "double-deck"\nseats = 6\ndeal.copies = 6\ndeal.hand = 20')
    assert (six.players, six.sides) == ((6,), ((0, 3), (1, 4), (2, 5)))


def test_what_is_said_stands_though_something_else_would_follow() -> None:
    said = rules_of(OURS + "\n[deal]\n", "x")
    assert Phase.EXCHANGE in said.phases
    without = rules_of('base = "partnership"\nphases = ["auction", "trump", "melding", "play"]')
    assert Phase.EXCHANGE not in without.phases


def test_a_section_that_is_said_to_be_missing_is() -> None:
    text = write(VARIANTS["two-handed"], {}).replace("[deal]", "[deal]", 1)
    assert 'base = "two-handed"' not in text
    assert rules_of(text, "two-handed") == VARIANTS["two-handed"]
    gone = msgspec.structs.replace(VARIANTS["two-handed"], base="three-handed")
    again = write(gone, VARIANTS)
    assert 'auction = "none"' in again
    assert rules_of(again, "two-handed") == gone


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sheet_to_start_from_changes_nothing_yet(name: str) -> None:
    rules = rules_of(starter_sheet(VARIANTS[name], VARIANTS), name)
    assert rules == msgspec.structs.replace(VARIANTS[name], base=name, short="", description="")
    assert not sheets.changed_paths(rules, VARIANTS[name])


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sheet_to_start_from_has_a_word_on_each_field(name: str) -> None:
    lines = starter_sheet(VARIANTS[name], VARIANTS).split("\n")
    for path, field in fields().items():
        if not field.part or getattr(VARIANTS[name], field.part) is not None:
            assert any(line.startswith(f"# {field_description(path)}") for line in lines), path


def test_every_field_says_something() -> None:
    for path in fields():
        assert field_description(path).endswith("."), path


@pytest.mark.parametrize("seed", range(60))
def test_rules_survive_their_sheet(seed: int) -> None:
    """`sheet -> rules -> sheet` is the identity, and so is `rules -> sheet -> rules`."""
    rules = random_rules(random.Random(seed))
    for bases in (VARIANTS, NO_BASES):
        text = write(rules, bases)
        again = read(text, rules.variant, bases, "again.toml")
        assert again == (rules if bases else msgspec.structs.replace(rules, base=""))
        assert write(again, bases) == text
    begun = read(starter_sheet(rules, VARIANTS), "mine", VARIANTS, "mine.toml")
    assert not sheets.changed_paths(msgspec.structs.replace(begun, variant=rules.variant), rules)


def test_a_sheet_to_start_from_another_sheet_has_the_base_of_that() -> None:
    mine = read('base = "partnership"\n[melds]\ndix = 20\n', "mine", VARIANTS, "mine.toml")
    text = starter_sheet(mine, VARIANTS)
    assert 'base = "partnership"' in text
    assert read(text, "ours", VARIANTS, "ours.toml").melds.dix == 20


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sheet_to_start_from_a_whole_game_says_it_all(name: str) -> None:
    """`rules -> sheet -> rules` is the identity there, and so is `sheet -> rules -> sheet`."""
    whole = msgspec.structs.replace(VARIANTS[name], author="Ada")
    text = starter_sheet(whole, NO_BASES)
    assert "\nbase = " not in text
    again = read(text, name, NO_BASES, "again.toml")
    assert again == whole
    assert starter_sheet(again, NO_BASES) == text


@pytest.mark.parametrize("seed", range(60))
def test_a_value_that_cannot_be_is_refused_on_its_line(seed: int) -> None:
    rng = random.Random(seed)
    lines = starter_sheet(random_rules(rng), VARIANTS).split("\n")
    at = rng.choice([n for n, line in enumerate(lines) if " = " in line and line[0] != "#"])
    name = lines[at].split(" = ")[0]
    lines[at] = f"{name} = [true, 1.5]"
    found = wrong("\n".join(lines))
    assert any(line.startswith(f"ours.toml:{at + 1}: ") and name in line for line in found)


WORDS = {
    '""': "title cannot be blank: expected a name of 1 to 60 letters.",
    '"   "': "title cannot be blank: ",
    '"\\u200b\u3164"': "title cannot be blank: ",
    '"' + "x" * 5000 + '"': "title cannot have 5000 letters: expected 60 at most.",
    '"Our \\u001b[31mgame"': "title cannot have invisible characters, ",
    '"Our \\u0007game"': "title cannot have invisible characters, ",
    '"Our \\u0000game"': "title cannot have invisible characters, ",
    '"Our \\u202egame"': "title cannot have invisible characters, ",
    '"Our\u200bgame"': "title cannot have invisible characters, ",
    '"Our\\ngame"': "title cannot have invisible characters, a second line ",
    '"""Our\ngame"""': "title cannot have invisible characters, a second line ",
    '"Our  game"': "title cannot have invisible characters, a second line or extra spaces",
    '"Our ga\u0300\u0301\u0302\u0303me"': "title has too many marks on one letter: ",
}


@pytest.mark.parametrize("words", WORDS, ids=range(len(WORDS)))
def test_words_that_others_cannot_read_are_refused_on_their_line(words: str) -> None:
    (line,) = wrong(f"base = 'partnership'\n\ntitle = {words}")
    assert line.startswith(f"ours.toml:3: {WORDS[words]}"), line


@pytest.mark.parametrize("name", MAX_LENGTHS)
def test_each_text_has_a_length_of_its_own(name: str) -> None:
    rules_of(f"base = 'partnership'\n{name} = '{'x' * MAX_LENGTHS[name]}'")
    (line,) = wrong(f"base = 'partnership'\n{name} = '{'x' * (MAX_LENGTHS[name] + 1)}'")
    assert f"2: {name} cannot have {MAX_LENGTHS[name] + 1} letters: expected " in line


def test_words_stand_as_they_are_written() -> None:
    title = "1½ decks… à la Zoe\u0308 № 2"
    assert rules_of(f"base = 'partnership'\ntitle = '{title}'").title == title


CANNOT = {
    "base = 'bridge'": [
        f'1: base cannot be "bridge": expected one of {", ".join(VARIANTS)}.',
    ],
    "base = 'partnershp'": ['1: base cannot be "partnershp": did you mean partnership?'],
    "base = 'Two Handed'": ['1: base cannot be "Two Handed": did you mean two-handed?'],
    "base = 4": ["1: base cannot be 4: expected one of "],
    # A wrong base hides nothing that can be seen without one.
    "base = 'partnershp'\ntitle = ''\ncolour = 3\n[deal]\ncopies = 9\n[meld]\nrun = 1": [
        '1: base cannot be "partnershp": did you mean partnership?',
        "2: title cannot be blank: ",
        "3: colour is not a field: a sheet has title, ",
        "5: deal.copies cannot be 9: ",
        "6: meld is not a field: did you mean melds?",
    ],
    "base = 'partnership'\n[melds]\n'grand pinochle' = 'QS QS JD JD'": [
        '3: "melds.grand pinochle" is not a field: melds of your own stand in others, such as '
        'others = [["grand pinochle", "QS QS JD JD", 80]].'
    ],
    "base = 'partnership'\n[melds]\naces2 = ['A* A*', 20]": [
        "3: melds.aces2 is not a field: melds of your own stand in others, such as "
        'others = [["aces2", "A* A*", 20]].'
    ],
    "base = 'partnership'\n'our.colour' = 3": ["2: our.colour is not a field: a sheet has title, "],
    "base = 'partnership'\n\ncolour = 3": ["3: colour is not a field: a sheet has title, "],
    "base = 'partnership'\n[melds]\npinnochle = 3": [
        "3: melds.pinnochle is not a field: did you mean pinochle?"
    ],
    "base = 'partnership'\n[melds]\nkitty = 3": [
        "3: melds.kitty is not a field: did you mean deal.kitty, in [deal]?"
    ],
    "base = 'partnership'\nmelds = 3": ["2: melds cannot be 3: it is a section, [melds]."],
    "base = 'partnership'\n[deal]\ncopies = 9\n[melds]\nrun = 'lots'": [
        '3: deal.copies cannot be 9: expected a whole number from 1 to 6, or "none".',
        '5: melds.run cannot be "lots": expected a list of 1 to 6 whole numbers from 0 to 1000000.',
    ],
    "base = 'partnership'\n[deal]\nnines = yes": [
        "3: This is not TOML: invalid value. For yes write true."
    ],
    "base = 'partnership'\n[deal\nnines = true": ["2: This is not TOML: "],
    "base = 'partnership'\n[scoring]\ncard_points = 'halves'\nlast_trick = [1]": [
        '3: scoring.card_points cannot be "halves": expected "ones", "tens", "kings-fives" or '
        '"traditional", or a list of 6 whole numbers from 0 to 1000000.',
        "4: scoring.last_trick cannot be [1]: expected a whole number from 0 to 1000000.",
    ],
    "base = 'partnership'\n[melds]\njacks = [40, -400]\ndix = -1": [
        "3: melds.jacks cannot be [40, -400]: expected a list of 1 to 6 whole numbers from 0 to "
        "1000000.",
        "4: melds.dix cannot be -1: expected a whole number from 0 to 1000000, or a list of 1 to 6 "
        "whole numbers from 0 to 1000000.",
    ],
    # What contradicts itself, beside a line that makes it so.
    "base = 'partnership'\n[deal]\ncopies = 3": [
        "3: deal.copies = 3: 24 of 72 cards would be left over, and there is no stock."
    ],
    "base = 'partnership'\n[deal]\nhand = 15": [
        "3: deal.hand = [15]: 48 cards are too few for 4 players: 60 are needed."
    ],
    "base = 'partnership'\n[exchange]\nbury = 3": [
        "3: exchange.bury = 3: Without a kitty nobody buries: bury must be 0, not 3."
    ],
    "base = 'partnership'\nseats = 5": [
        "2: seats = 5: 5 players cannot form two or more sides of 2."
    ],
    "base = 'two-handed'\nseats = 5": [
        "2: seats = 5: deal.hand needs one number for each of players: players is [5], and "
        "deal.hand is [12, 8, 6]."
    ],
    "base = 'five-card'\nseats = 9\n[deal]\nhand = 3": [
        "4: deal.hand = [3]: deal.hand needs one number for each of players: players is [4, 2, "
    ],
    "base = 'partnership'\nplayers = []": [
        "2: players cannot be []: expected a list of 1 or more whole numbers from 2 to 9."
    ],
    "base = 'partnership'\nseats = 1": [
        "2: seats cannot be 1: expected a whole number from 2 to 9."
    ],
    "base = 'two-handed'\n[deal]\n\nstock = false": [
        "4: deal.stock = false: 24 of 48 cards would be left over, and there is no stock."
    ],
    "base = 'three-handed'\n[deal]\npacket = 15": [
        "3: deal.packet = 15: A card goes to the kitty after a round of packets, and 1 round "
        "cannot make a kitty of 3: it takes a smaller packet or a smaller kitty."
    ],
    "base = 'partnership'\n\n[auction]\nsteps = [\n  [0, 10],\n  [100, 0],\n]": [
        "4: auction.steps cannot be [[0, 10], [100, 0]]: expected a list of pairs: [a whole number "
        "from 0 to 1000000, a whole number from 1 to 1000000]."
    ],
    "base = 'partnership'\n[auction]\nlowest_bid = 255\n[exchange]\nbury = 1": [
        "3: lowest_bid = 255 is not a bid here: from 0 on bids are multiples of 10.",
        "5: exchange.bury = 1: Without a kitty nobody buries: bury must be 0, not 1.",
    ],
    "base = 'partnership'\n[auction]\nsteps = [[0, 25]]\nlowest_bid = 250": [
        "3: auction.steps = [[0, 25]]: A raise by 10 leads to no bid: bids are multiples of 25.",
        "3: auction.steps = [[0, 25]]: A raise by 20 leads to no bid: bids are multiples of 25.",
    ],
    "base = 'partnership'\n[scoring]\nspades_pay = 2": [
        "3: spades_pay = 2 multiplies what is paid for a bid, and nothing is paid here."
    ],
    "base = 'partnership'\nplayers = [4, 4]": [
        "2: players = [4, 4]: give each number of players once."
    ],
    # What follows from a value that was refused is not said as well.
    "base = 'partnership'\n[deal]\ncopies = 9\nhand = [20]": ["3: deal.copies cannot be 9: "],
}


@pytest.mark.parametrize("text", CANNOT)
def test_what_cannot_work_is_refused_with_its_line(text: str) -> None:
    found = wrong(text)
    assert len(found) == len(CANNOT[text]), found
    for line, start_of in zip(found, CANNOT[text], strict=True):
        assert line.startswith(f"ours.toml:{start_of}"), line


def test_a_whole_game_lacks_nothing() -> None:
    found = wrong('title = "Nothing yet"')
    needed = [
        path
        for path, field in fields().items()
        if field.default is msgspec.NODEFAULT
        and not (field.part and is_optional_section(field.part))
        and path not in ("title", "source", "phases", "options", "seats")
    ]
    assert len(found) == len(needed)
    for path in needed:
        name = path.rpartition(".")[2]
        assert any(f" {name} is missing in " in line for line in found), path


def test_the_schema_knows_every_field() -> None:
    described = schema()["properties"]
    for path, field in fields().items():
        section = described[field.part] if field.part else {"properties": described}
        section = section.get("anyOf", [section])[0]
        assert section["properties"][field.name]["description"] == field_description(path)
    assert set(described) == {*(p for p, f in fields().items() if not f.part), *section_types()}


def test_the_schema_that_is_shipped_is_that_of_the_rules() -> None:
    """`make schema` writes it again."""
    assert SCHEMA_FILE.read_text(encoding="utf-8") == text_of_the_schema()


def test_lines_are_found_within_a_value_of_many_lines() -> None:
    text = 'base = "partnership"\n\n[melds]\n# ours\nrun = [\n  1,\n  true,\n]\ndix = "x"\n'
    assert tomllib.loads(text)
    assert [line.split(":")[1] for line in wrong(text)] == ["5", "9"]


LARGE = "A number cannot be so large: numbers go to 1000000."
ODD = {
    "no UTF-8": (b'base = "partnership"\ntitle = "\xff"', "2: This is not text in UTF-8."),
    "endless lists": (
        b"\na = " + b"[" * 5000 + b"\nb = 1",
        "2: This is not TOML: its lists are nested",
    ),
    "endless digits": (b"\na = [\n " + b"9" * 6000 + b",\n]\nb = 1", f"3: {LARGE}"),
    "a text without an end": (b'\ntitle = "Ours\n', "2: This is not TOML: a text in quotes has no"),
    "a text without any end": (b"title = 'Ours", "1: This is not TOML: a text in quotes has no"),
    "a bell": (b'title = "\x07"', "1: This is not TOML: a character is invisible: leave it out"),
    "a section twice": (b"[deal]\n\n[deal]\n", "3: This is not TOML: a section occurs twice."),
    "no comma": (b"players = [2 3]\n", "1: This is not TOML: a list has no ], or no comma"),
    "beyond all games": (
        b'base = "partnership"\nmelds.dix = 9999999',
        "2: melds.dix cannot be 9999999: expected a whole number from 0 to 1000000, or",
    ),
    "nothing": (b"", "1: "),
    "a key of two lines": (b'"a\\nb" = 1\nbase = "partnership"', '1: "a\\nb" is not a field: '),
}


@pytest.mark.parametrize("what", ODD)
def test_what_is_no_sheet_at_all_is_refused_in_a_line(what: str) -> None:
    text, said_of_it = ODD[what]
    with pytest.raises(SheetError) as found:
        read(text, "ours", VARIANTS, "ours.toml")
    assert str(found.value).startswith(f"ours.toml:{said_of_it}")
    assert "Traceback" not in str(found.value)


def test_a_sheet_of_another_system_is_read() -> None:
    text = b"\xef\xbb\xbf" + OURS.replace("\n", "\r\n").encode()
    assert read(text, "ours", VARIANTS, "ours.toml") == rules_of(OURS)


def test_a_sheet_that_was_kept_is_read_whatever_it_says_in_vain() -> None:
    text = "base = 'partnership'\n[scoring]\nspades_pay = 2"
    assert sheets.read(text, "ours", VARIANTS, "ours", was_stored=True).scoring.spades_pay == 2
