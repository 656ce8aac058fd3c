"""Rule sheets: read, write, starter sheets, schema, and refusals with line numbers."""

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
from acesaround.sheets.form import form_values
from acesaround.sheets.parse import read
from acesaround.sheets.schema import SCHEMA_FILE, schema, schema_text
from acesaround.sheets.text_fields import MAX_LENGTHS
from acesaround.sheets.write import starter_sheet, write
from acesaround.variants import VARIANTS
from tests.cli_runner import ROOT
from tests.sheets.random_sheets import random_rules

HOUSES = ROOT / "bench" / "strength" / "houses"
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


def faults(text: str) -> list[str]:
    """Return the lines with which a sheet is refused."""
    with pytest.raises(SheetError) as refused:
        rules_of(text)
    return str(refused.value).split("\n")


def test_a_sheet_changes_values_of_its_base() -> None:
    rules = rules_of(OURS)
    base = VARIANTS["partnership"]
    assert (rules.variant, rules.title, rules.base) == ("ours", "Grandma's pinochle", "partnership")
    assert rules.auction is not None
    assert rules.auction.lowest_bid == 200
    assert rules.auction.raises == (10, 20)
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


@pytest.mark.parametrize("path", sorted(HOUSES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_sheets_of_the_strength_matches_are_read(path: Path) -> None:
    assert variants.load(path).base


def test_a_sheet_named_as_a_variant_gets_another_name(tmp_path: Path) -> None:
    path = tmp_path / "Two-handed.toml"
    path.write_text(OURS, encoding="utf-8")
    changed = variants.load(path)
    assert changed.variant == "two-handed-house"
    assert variants.base_of(changed) == VARIANTS["partnership"]
    assert variants.fitted_numbers(changed) == variants.fitted_numbers(VARIANTS["partnership"])


def test_a_sheet_without_a_base_has_no_changes(tmp_path: Path) -> None:
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


def test_dependent_values_may_be_omitted() -> None:
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


def test_given_values_take_precedence_over_dependent_ones() -> None:
    assert Phase.EXCHANGE in rules_of(OURS + "\n[deal]\n", "x").phases
    without = rules_of('base = "partnership"\nphases = ["auction", "trump", "melding", "play"]')
    assert Phase.EXCHANGE not in without.phases


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            'base = "partnership"\nplayers = [6]\nside_size = 3\n[deal]\nhand = [8]\n',
            [
                "How many play: 6 instead of 4.",
                "How many seats form a side: 3 instead of 2.",
                "Cards each: 8 instead of 12.",
            ],
        ),
        (
            'base = "partnership"\n[deal]\nhand = [11]\nkitty = 4\n',
            [
                "Cards each: 11 instead of 12.",
                "Cards set aside, one after each of the first rounds: 4 instead of 0.",
            ],
        ),
        (
            'base = "five-card"\nplayers = [4, 5]\n[auction]\nlowest_bid = 2\n',
            [
                "The numbers of players it can be played by, the usual one first: 4, 5 instead of "
                "4, 2, 3, 5, 6, 7, 8, 9.",
                "The lowest bid: 2 instead of 1.",
            ],
        ),
    ],
)
def test_values_that_follow_from_others_are_no_changes(text: str, sentences: list[str]) -> None:
    assert list(variants.change_sentences(rules_of(text))) == sentences


@pytest.mark.parametrize("name", VARIANTS)
def test_the_changes_between_two_games_give_one_from_the_other(name: str) -> None:
    for other in VARIANTS.values():
        stated = sheets.changed_paths(VARIANTS[name], other)
        assert bool(stated) == (other.variant != name)
        values = {
            path: value
            for path, value in form_values(VARIANTS[name]).items()
            if path in stated or path.partition(".")[0] in stated
        }
        draft = sheets.draft({"title": "x", "base": other.variant, **values}, name, VARIANTS)
        assert draft.faults == ()
        assert draft.rules is not None
        assert not sheets.changed_paths(draft.rules, VARIANTS[name])


def test_the_changes_of_a_game_with_an_added_auction_say_its_values() -> None:
    rules, base = VARIANTS["partnership"], VARIANTS["classic"]
    sentences = list(sheets.change_sentences(rules, base))
    assert sentences[0] == "There is an auction."
    assert "The lowest bid: 250." in sentences
    assert next(iter(sheets.change_sentences(base, rules))) == "No auction."


def test_a_section_can_be_removed_with_none() -> None:
    text = write(VARIANTS["two-handed"], {}).replace("[deal]", "[deal]", 1)
    assert 'base = "two-handed"' not in text
    assert rules_of(text, "two-handed") == VARIANTS["two-handed"]
    without_auction = msgspec.structs.replace(VARIANTS["two-handed"], base="three-handed")
    again = write(without_auction, VARIANTS)
    assert 'auction = "none"' in again
    assert rules_of(again, "two-handed") == without_auction


@pytest.mark.parametrize("name", VARIANTS)
def test_a_starter_sheet_changes_nothing(name: str) -> None:
    rules = rules_of(starter_sheet(VARIANTS[name], VARIANTS), name)
    assert rules == msgspec.structs.replace(VARIANTS[name], base=name, short="", description="")
    assert not sheets.changed_paths(rules, VARIANTS[name])


@pytest.mark.parametrize("name", VARIANTS)
def test_a_starter_sheet_describes_each_field(name: str) -> None:
    lines = starter_sheet(VARIANTS[name], VARIANTS).split("\n")
    for path, field in fields().items():
        if not field.part or getattr(VARIANTS[name], field.part) is not None:
            assert any(line.startswith(f"# {field_description(path)}") for line in lines), path


def test_every_field_has_a_description_in_words() -> None:
    """People read it on the page and in lists of changes, where code would be strange."""
    for path in fields():
        description = field_description(path)
        assert description.endswith("."), path
        assert not {"`", "_"} & set(description), path


@pytest.mark.parametrize("seed", range(60))
def test_random_rules_round_trip_through_their_sheet(seed: int) -> None:
    """Reading and writing are inverse to each other."""
    rules = random_rules(random.Random(seed))
    for bases in (VARIANTS, NO_BASES):
        text = write(rules, bases)
        again = read(text, rules.variant, bases, "again.toml")
        assert again == (rules if bases else msgspec.structs.replace(rules, base=""))
        assert write(again, bases) == text
    started = read(starter_sheet(rules, VARIANTS), "mine", VARIANTS, "mine.toml")
    assert not sheets.changed_paths(msgspec.structs.replace(started, variant=rules.variant), rules)


def test_a_starter_sheet_from_a_sheet_has_its_base() -> None:
    mine = read('base = "partnership"\n[melds]\ndix = 20\n', "mine", VARIANTS, "mine.toml")
    text = starter_sheet(mine, VARIANTS)
    assert 'base = "partnership"' in text
    assert read(text, "ours", VARIANTS, "ours.toml").melds.dix == 20


@pytest.mark.parametrize("name", VARIANTS)
def test_a_starter_sheet_without_a_base_has_all_values(name: str) -> None:
    """`rules -> sheet -> rules` is the identity there, and so is `sheet -> rules -> sheet`."""
    whole = msgspec.structs.replace(VARIANTS[name], author="Ada")
    text = starter_sheet(whole, NO_BASES)
    assert "\nbase = " not in text
    again = read(text, name, NO_BASES, "again.toml")
    assert again == whole
    assert starter_sheet(again, NO_BASES) == text


@pytest.mark.parametrize("seed", range(60))
def test_an_invalid_value_is_refused_with_its_line(seed: int) -> None:
    rng = random.Random(seed)
    lines = starter_sheet(random_rules(rng), VARIANTS).split("\n")
    index = rng.choice([n for n, line in enumerate(lines) if " = " in line and line[0] != "#"])
    name = lines[index].split(" = ")[0]
    lines[index] = f"{name} = [true, 1.5]"
    found = faults("\n".join(lines))
    assert any(line.startswith(f"ours.toml:{index + 1}: ") and name in line for line in found)


TITLE_FAULTS = {
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


@pytest.mark.parametrize("title", TITLE_FAULTS, ids=range(len(TITLE_FAULTS)))
def test_unreadable_titles_are_refused_with_their_line(title: str) -> None:
    (line,) = faults(f"base = 'partnership'\n\ntitle = {title}")
    assert line.startswith(f"ours.toml:3: {TITLE_FAULTS[title]}"), line


@pytest.mark.parametrize("name", MAX_LENGTHS)
def test_texts_are_limited_to_the_length_of_their_field(name: str) -> None:
    rules_of(f"base = 'partnership'\n{name} = '{'x' * MAX_LENGTHS[name]}'")
    (line,) = faults(f"base = 'partnership'\n{name} = '{'x' * (MAX_LENGTHS[name] + 1)}'")
    assert f"2: {name} cannot have {MAX_LENGTHS[name] + 1} letters: expected " in line


def test_titles_are_not_normalized() -> None:
    title = "1½ decks… à la Zoe\u0308 № 2"
    assert rules_of(f"base = 'partnership'\ntitle = '{title}'").title == title


SHEET_FAULTS: dict[str, list[str]] = {
    "base = 'bridge'": [
        f'1: base cannot be "bridge": expected one of {", ".join(VARIANTS)}.',
    ],
    "base = 'partnershp'": ['1: base cannot be "partnershp": did you mean partnership?'],
    "base = 'Two Handed'": ['1: base cannot be "Two Handed": did you mean two-handed?'],
    "base = 4": ["1: base cannot be 4: expected one of "],
    # A wrong base does not hide other faults.
    "base = 'partnershp'\ntitle = ''\ncolour = 3\n[deal]\ncopies = 9\n[meld]\nrun = 1": [
        '1: base cannot be "partnershp": did you mean partnership?',
        "2: title cannot be blank: ",
        "3: colour is not a field: a sheet has title, ",
        "5: deal.copies cannot be 9: ",
        "6: meld is not a field: did you mean melds?",
    ],
    "base = 'partnership'\n[melds]\n'grand pinochle' = 'QS QS JD JD'": [
        '3: "melds.grand pinochle" is not a field: write melds of your own as others, such as '
        'others = [["grand pinochle", "QS QS JD JD", 80]].'
    ],
    "base = 'partnership'\n[melds]\naces2 = ['A* A*', 20]": [
        "3: melds.aces2 is not a field: write melds of your own as others, such as "
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
    # Contradictions are reported at a line that causes them.
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
        "2: seats = 5: 48 cards are too few for 5 players: 60 are needed.",
        "2: seats = 5: 5 players cannot form two or more sides of 2.",
    ],
    "base = 'partnership'\nside_size = 3\n[deal]\nhand = 15": [
        "2: side_size = 3: 4 players cannot form two or more sides of 3.",
        "4: deal.hand = [15]: 48 cards are too few for 4 players: 60 are needed.",
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
        "3: deal.packet = 15: With 1 round of dealing, the kitty can have at most 1 card: use "
        "smaller packets or a smaller kitty."
    ],
    "base = 'partnership'\n\n[auction]\nsteps = [\n  [0, 10],\n  [100, 0],\n]": [
        "4: auction.steps cannot be [[0, 10], [100, 0]]: expected a list of pairs: [a whole number "
        "from 0 to 1000000, a whole number from 1 to 1000000]."
    ],
    "base = 'partnership'\n[auction]\nlowest_bid = 255\n[exchange]\nbury = 1": [
        "3: lowest_bid = 255 is not a bid in this game: bids are multiples of 10.",
        "5: exchange.bury = 1: Without a kitty nobody buries: bury must be 0, not 1.",
    ],
    "base = 'partnership'\n[auction]\nsteps = [[0, 25]]\nlowest_bid = 250": [
        "3: auction.steps = [[0, 25]]: A raise by 10 leads to no bid: bids are multiples of 25.",
        "3: auction.steps = [[0, 25]]: A raise by 20 leads to no bid: bids are multiples of 25.",
    ],
    "base = 'partnership'\n[scoring]\nspades_pay = 2": [
        "3: spades_pay = 2 multiplies the payment for a bid, but this game pays nothing for bids."
    ],
    "base = 'double-deck'\n[melds]\ndix = 1": [
        "3: melds.dix = 1: A dix is a nine of trump, and the deck has no nines."
    ],
    "base = 'partnership'\n[auction]\nall_pass = 'redeal'\nstuck_bid = 200": [
        '4: stuck_bid = 200 is used only if all_pass is "dealer".'
    ],
    "base = 'three-handed'\n[exchange]\nexchange = 3": [
        "3: exchange = 3 is used only by partners."
    ],
    "base = 'partnership'\n[deal]\nhand_of_24_each = 10\nnine_must_take = true\n[melds]\n"
    "nine_beside = true\n[scoring]\nleast_hand = 30\n[ending]\ntarget_step = 100": [
        '3: hand_of_24_each = 10 is used only if copies is "none".',
        "4: nine_must_take = true is used only if a nine of trump may take the dealer's upcard.",
        "6: nine_beside = true is used only if the stock is played out before the play-off.",
        "8: least_hand = 30 is used only if min_twenty is true.",
        '10: target_step = 100 is used only if tie is "raise-target".',
    ],
    "base = 'partnership'\nplayers = [4, 4]": [
        "2: players = [4, 4]: give each number of players once."
    ],
    # Consequences of a refused value are not reported.
    "base = 'partnership'\n[deal]\ncopies = 9\nhand = [20]": ["3: deal.copies cannot be 9: "],
}


@pytest.mark.parametrize("text", SHEET_FAULTS)
def test_invalid_sheets_are_refused_with_all_lines(text: str) -> None:
    found = faults(text)
    assert len(found) == len(SHEET_FAULTS[text]), found
    for line, start in zip(found, SHEET_FAULTS[text], strict=True):
        assert line.startswith(f"ours.toml:{start}"), line


def test_a_sheet_without_a_base_needs_all_required_fields() -> None:
    found = faults('title = "Nothing yet"')
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


def test_the_schema_describes_every_field() -> None:
    described = schema()["properties"]
    for path, field in fields().items():
        section = described[field.part] if field.part else {"properties": described}
        section = section.get("anyOf", [section])[0]
        assert section["properties"][field.name]["description"] == field_description(path)
    assert set(described) == {*(p for p, f in fields().items() if not f.part), *section_types()}


def test_the_schema_limits_the_texts_as_sheets_do() -> None:
    described = schema()["properties"]
    assert {name: described[name]["maxLength"] for name in MAX_LENGTHS} == MAX_LENGTHS
    assert [name for name in MAX_LENGTHS if "minLength" in described[name]] == ["title"]


def test_the_shipped_schema_is_up_to_date() -> None:
    """`make schema` writes it."""
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text()


def test_lines_within_a_value_of_many_lines_are_reported() -> None:
    text = 'base = "partnership"\n\n[melds]\n# ours\nrun = [\n  1,\n  true,\n]\ndix = "x"\n'
    assert tomllib.loads(text)
    assert [line.split(":")[1] for line in faults(text)] == ["5", "9"]


TOO_LARGE = "A number cannot be so large: numbers go to 1000000."
UNREADABLE = {
    "no UTF-8": (b'base = "partnership"\ntitle = "\xff"', "2: This is not text in UTF-8."),
    "endless lists": (
        b"\na = " + b"[" * 5000 + b"\nb = 1",
        "2: This is not TOML: its lists are nested",
    ),
    "endless digits": (b"\na = [\n " + b"9" * 6000 + b",\n]\nb = 1", f"3: {TOO_LARGE}"),
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


@pytest.mark.parametrize("what", UNREADABLE)
def test_unreadable_sheets_are_refused_with_their_line(what: str) -> None:
    text, fault = UNREADABLE[what]
    with pytest.raises(SheetError) as refused:
        read(text, "ours", VARIANTS, "ours.toml")
    assert str(refused.value).startswith(f"ours.toml:{fault}")
    assert "Traceback" not in str(refused.value)


def test_a_sheet_with_byte_order_mark_and_crlf_is_read() -> None:
    text = b"\xef\xbb\xbf" + OURS.replace("\n", "\r\n").encode()
    assert read(text, "ours", VARIANTS, "ours.toml") == rules_of(OURS)


def test_a_stored_sheet_may_have_values_without_effect() -> None:
    text = "base = 'partnership'\n[scoring]\nspades_pay = 2"
    assert sheets.read(text, "ours", VARIANTS, "ours", was_stored=True).scoring.spades_pay == 2
