"""The generated rules page and the documents agree with the rules."""

from __future__ import annotations

import contextlib
import random
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Discard
from acesaround.cards import Rank, Suit, pack, parse_cards
from acesaround.errors import Reason, RulesError
from acesaround.game.phases import redraw
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import Redrawing
from acesaround.rulebook import body, page
from acesaround.rulebook.options import option_text
from acesaround.rules import Concede, Phase, Rules, laid_melds, melds, scoring, tricks
from acesaround.rules.options import OPTIONS
from acesaround.variants import VARIANTS
from tests.cli_runner import GAMES
from tests.sheets.random_sheets import random_rules

DOCS = Path(__file__).parent.parent / "docs"
EVERY_TABLE = [(name, n) for name, rules in VARIANTS.items() for n in sorted(rules.players)]
EVERY_OPTION = [(name, option) for name, rules in VARIANTS.items() for option in rules.options]
VALUES: dict[str, tuple[object, ...]] = {
    "target": (777,),
    "hands": (1, 4),
    "lowest_bid": (60, 100, 300),
    "all_pass": ("redeal", "dealer", "dealer-bids", "first-bids"),
    "concede": ("never", "hopeless", "always"),
    "exchange": (0, 1, 2, 3, 4),
    "marriage_needed": (True, False),
    "set_pays_defenders": (True, False),
    "duplicate_runs_extra": (True, False),
    "double_roundhouse": (0, 16, 17),
    "min_twenty": (True, False),
    "renege": ("refuse", "penalty"),
    "card_points": ("tens", "kings-fives", "traditional"),
    "meld_from_hand": (True, False),
    "meld_before_draw": (True, False),
    "meld_after_stock": (True, False),
    "nine_beside": (True, False),
    "nine_turned_up": (0, 10),
    "nine_must_take": (True, False),
    "deck": ("48", "24-each"),
}

CARDS_OF = {
    "run": "AS TS KS QS JS",
    "run and king": "AS TS KS KS QS JS",
    "run and queen": "AS TS KS QS QS JS",
    "run and marriage": "AS TS KS KS QS QS JS",
    "royal marriage": "KS QS",
    "marriage": "KH QH",
    "dix": "9S",
    "pinochle": "QS JD",
    "aces around": "AS AH AD AC",
    "kings around": "KS KH KD KC",
    "queens around": "QS QH QD QC",
    "jacks around": "JS JH JD JC",
}
"""The cards of each meld, with spades as trump."""


def tables(text: str) -> list[list[dict[str, str]]]:
    """Return the rows of every Markdown table in a text, each by column heading."""
    found: list[list[dict[str, str]]] = []
    for block in re.findall(r"(?:^\|.*\n)+", text + "\n", re.M):
        head, _, *rows = (
            [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in block.splitlines()
        )
        found.append([dict(zip(head, row, strict=True)) for row in rows])
    return found


def section(rules: Rules, heading: str) -> str:
    """Return the text of a section of the page."""
    return page(rules).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_every_option_has_values_to_try() -> None:
    assert set(VALUES) == set(OPTIONS)


@pytest.mark.parametrize(("name", "players"), EVERY_TABLE)
def test_every_table_has_a_page(name: str, players: int) -> None:
    rules = variants.get(name, players)
    text = page(rules)
    assert text.startswith(f"# {rules.title}\n")
    assert f"\n{players} players, " in text
    assert f" {rules.deck.size} cards." in text
    assert not re.search(r"\b(None|True|False)\b", text)
    for line in text.splitlines():
        assert line[:1] == "|" or not re.search(r"\S  |[.,:;][.,:;]| [.,:;]|^\s|\s$", line), line
    assert not re.search(r"^#.*\n\n#", text, re.M), "an empty section"


@pytest.mark.parametrize(("name", "option"), EVERY_OPTION)
def test_each_value_of_an_option_changes_the_text_of_the_rules(name: str, option: str) -> None:
    players = max(VARIANTS[name].players)  # with two, a deck of 24 each is the usual one
    values = VALUES[option]
    pages = [body(variants.get(name, players, {option: value})) for value in values]
    assert len(set(pages)) == len(pages)
    preset = variants.get(name, players)
    if preset.option_value(option) not in values:
        assert body(preset) not in pages


@pytest.mark.parametrize(("name", "option"), EVERY_OPTION)
def test_a_changed_option_is_marked(name: str, option: str) -> None:
    preset = variants.get(name)
    rules = preset.with_options(
        **{option: next(v for v in VALUES[option] if v != preset.option_value(option))}
    )
    rows = {row["option"]: row for row in tables(page(rules))[-1]}
    assert list(rows) == [f"`{name}`" for name in rules.options]
    for other in rules.options:
        value = option_text(rules.option_value(other))
        if other == option:
            value = f"**{value}** (preset {option_text(preset.option_value(option))})"
        assert rows[f"`{other}`"]["value"] == value
        assert rows[f"`{other}`"]["possible values"] == OPTIONS[other].values


@pytest.mark.parametrize("name", VARIANTS)
def test_the_page_does_not_depend_on_the_name_of_the_variant(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(VARIANTS[name], variant="other")
    monkeypatch.setitem(VARIANTS, "other", other)
    assert page(other) == page(VARIANTS[name])


@pytest.mark.parametrize(("name", "players"), EVERY_TABLE)
def test_the_meld_values_on_the_page_are_scored(name: str, players: int) -> None:
    rules = variants.get(name, players)
    values = next(t for t in tables(page(rules)) if "one" in t[0])
    hands = CARDS_OF
    left_out = {
        "dix": not rules.melds.dix,
        "run and king": rules.melds.run_and_king is None,
        "run and queen": rules.melds.run_and_queen is None,
        "run and marriage": rules.melds.run_and_marriage is None,
    }
    assert [row["meld"] for row in values] == [m for m in hands if not left_out.get(m)]
    room = rules.hand_size
    if Phase.STOCK_PLAY in rules.phases:  # melds are laid one by one: 24 or 11 cards pass through
        room = rules.deck.size // players - 1
    for row in values:
        for number, word in enumerate(("one", "two", "three", "four"), 1):
            fits = len(parse_cards(hands[row["meld"]])) * number <= room
            several = number == 1 or not row["meld"].startswith("run and")
            if word in row:
                assert bool(row[word]) == (fits and several), (row["meld"], word)
            if row.get(word):
                cards = parse_cards(hands[row["meld"]]) * number
                example_hand = melds.find_melds(rules.melds, pack(cards), Suit.S)
                assert row[word] == str(melds.total_points(example_hand)), (row["meld"], word)


@pytest.mark.parametrize(("name", "players"), EVERY_TABLE)
def test_melds_larger_than_a_hand_are_not_listed(name: str, players: int) -> None:
    """A hand of five cards can hold a run, one of seven no two aces around."""
    rules = variants.get(name, players)
    values = next(t for t in tables(page(rules)) if "one" in t[0])
    twice = {row["meld"] for row in values if row["two"]}
    if rules.hand_size < 8 and not rules.deal.upcard:
        assert twice == {"royal marriage", "marriage", "dix", "pinochle"}
    else:
        assert twice >= {"run", "aces around", "kings around", "queens around", "jacks around"}
    assert ("queens around and in a pinochle" in page(rules)) == (rules.hand_size > 5)
    further = rules.hand_size > 5 and rules.melds.run_and_marriage is None
    assert ("a further K and Q do" in page(rules)) == further


NO_MELD = {
    **dict.fromkeys(("run", "pinochle", "aces", "kings", "queens", "jacks"), (0,)),
    **dict.fromkeys(("royal_marriage", "marriage", "dix", "double_roundhouse"), 0),
}
"""A meld of value 0 does not exist: docs/sheets.md."""


@pytest.mark.parametrize("name", ["partnership", "two-handed", "double-deck", "five-card"])
def test_without_melds_the_page_has_no_text_on_melds(name: str) -> None:
    preset = VARIANTS[name]
    longer = dict.fromkeys(("run_and_king", "run_and_queen", "run_and_marriage"))
    rules = replace(preset, melds=replace(preset.melds, **NO_MELD, **longer))
    text = body(rules)
    assert not re.search(r"roundhouse|class|royal|dix|keep|shows|may add", text), text
    assert not any("one" in rows[0] for rows in tables(text) if rows)
    assert "score points by winning *tricks*" in text


def test_a_deck_with_one_of_each_card_has_no_double_melds() -> None:
    preset = VARIANTS["partnership"]
    deal = replace(preset.deal, copies=1, hand=(6,))
    rules = replace(preset, deal=deal)
    values = next(t for t in tables(page(rules)) if "one" in t[0])
    assert set(values[0]) == {"meld", "cards", "one"}
    assert not [row for row in values if row["meld"].startswith("run and")]
    assert "a further K and Q" not in page(rules)


@pytest.mark.parametrize("name", VARIANTS)
def test_without_nines_in_the_deck_no_dix_is_listed(name: str) -> None:
    preset = VARIANTS[name]
    fewer = tuple(min(cards, 8) for cards in preset.deal.hand)
    deal = replace(preset.deal, nines=False, hand=fewer, stock=True)
    melds_with_dix = replace(preset.melds, dix=10)
    with contextlib.suppress(RulesError):
        rules = replace(preset, deal=deal, melds=melds_with_dix)
        assert not re.search(r"\bdix|9 of trump", body(rules))


def test_the_least_meld_is_described_for_players_without_partners() -> None:
    preset = VARIANTS["three-handed"]
    text = page(replace(preset, scoring=replace(preset.scoring, least_meld=20, least_play=20)))
    assert "A player whose melds are worth less than 20" in text
    assert "A side" not in text
    no_aces = replace(preset.melds, aces=(0,))
    rules = replace(preset, scoring=replace(preset.scoring, least_meld=20), melds=no_aces)
    assert "aces around" not in page(rules)


@pytest.mark.parametrize("seed", range(100))
def test_listed_meld_values_of_random_rules_are_scored(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    with contextlib.suppress(RulesError):
        copies = rng.randint(1, 3)
        hand = tuple(min(cards, 4) for cards in rules.deal.hand)
        rules = replace(rules, deal=replace(rules.deal, copies=copies, hand=hand, stock=True))
    table = replace(rules.melds, others=())
    for row in next((t for t in tables(body(rules)) if t and "one" in t[0]), []):
        cards = parse_cards(CARDS_OF.get(row["meld"], ""))
        for number, word in enumerate(("one", "two", "three", "four", "five", "six"), 1):
            if cards and row.get(word):
                assert rules.deck.first_excess_card(cards * number) is None, (row["meld"], word)
                example_hand = melds.find_melds(table, pack(cards * number), Suit.S)
                assert row[word] == str(melds.total_points(example_hand)), (row["meld"], word)


def test_without_duplicate_runs_extra_runs_are_listed_as_multiples() -> None:
    rules = variants.get("double-deck", options={"duplicate_runs_extra": "no"})
    run = next(t for t in tables(page(rules)) if "one" in t[0])[0]
    assert [run[n] for n in ("one", "two", "three", "four")] == ["15", "30", "45", "60"]


def test_the_double_roundhouse_is_listed() -> None:
    rules = variants.get("double-deck", options={"double_roundhouse": 16})
    rows = next(t for t in tables(page(rules)) if "one" in t[0])
    assert rows[-1]["meld"].startswith("double roundhouse")
    assert rows[-1]["one"] == "16"


@pytest.mark.parametrize(
    ("name", "options", "points", "total"),
    [
        ("three-handed", {}, "10 10 10 0 0 0", "makes 250 points"),
        ("three-handed", {"card_points": "traditional"}, "11 10 4 3 2 0", "makes 250 points"),
        ("partnership", {"card_points": "kings-fives"}, "10 10 5 5 0 0", "makes 250 points"),
        ("two-handed", {}, "10 10 5 5 0 0", "makes 250 points"),
        ("five-card", {}, "1 1 1 0 0 0", "makes at most 21 points"),
        ("seven-card", {}, "1 1 1 0 0 0", "makes at most 25 points"),
        ("double-deck", {}, "1 1 1 0 0", "makes 50 points"),
    ],
)
def test_the_points_of_cards_and_their_total(
    name: str, options: dict[str, object], points: str, total: str
) -> None:
    text = section(variants.get(name, options=options), "Points in play")
    (row,) = tables(text)[0]
    assert list(row.values())[1:] == points.split()
    assert total in text


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("three-handed", {}, "Bids are multiples of 10."),
        ("five-card", {}, "Bids are whole numbers."),
        ("partnership", {}, "The first bid is 250 or 260. Each later bid is exactly 10 or 20"),
        ("partnership", {"lowest_bid": 300}, "The first bid is 300 or 310."),
        (
            "double-deck",
            {},
            "Bids are whole numbers from 50 to 60, multiples of 5 from 60 to 100 and multiples of "
            "10 from 100 on.",
        ),
        (
            "double-deck",
            {"lowest_bid": 70},
            "Bids are multiples of 5 from 70 to 100 and multiples of 10 from 100 on.",
        ),
        ("double-deck", {"lowest_bid": 100}, "Bids are multiples of 10."),
        (
            "partnership",
            {"all_pass": "dealer-bids"},
            "If all the others pass, the dealer must bid 250 or 260, and becomes declarer.",
        ),
        (
            "partnership",
            {"all_pass": "dealer-bids", "lowest_bid": 300},
            "the dealer must bid 300 or 310, and",
        ),
        ("double-deck-classic", {}, "the dealer must bid 50 or more, and"),
        (
            "double-deck-classic",
            {},
            "Bids are whole numbers from 50 to 60 and multiples of 5 from 60 on.",
        ),
    ],
)
def test_the_heights_of_bids(name: str, options: dict[str, object], sentence: str) -> None:
    assert sentence in section(variants.get(name, options=options), "Bidding")


@pytest.mark.parametrize(
    ("name", "players"), [table for table in EVERY_TABLE if table[0][:4] in ("five", "seve")]
)
def test_the_discard_limit_equals_that_of_the_engine(name: str, players: int) -> None:
    rules = variants.get(name, players)
    limit = rules.max_redraw(players)
    state = game.start(rules)
    state, _ = game.apply(state, Deals(rules, state.players, 0).sample(random.Random(1)))
    asked = redraw.decision(replace(state, phase=Redrawing((0,))))
    assert max(len(a.cards) for a in asked.legal if isinstance(a, Discard)) == limit
    wanted = f"up to {limit} card" if limit else "nobody exchanges any"
    assert wanted in section(rules, "Discard and draw")


def test_the_page_says_when_kitty_cards_are_dealt() -> None:
    text = section(variants.get("three-handed"), "The deal")
    assert "as the *kitty*, at any point of the deal but never the last card of the deck" in text
    assert "here one after each of the first three rounds." in text


def test_the_page_describes_the_law_for_void_hands() -> None:
    for name, players in EVERY_TABLE:
        rules = variants.get(name, players)
        text = page(rules)
        assert ("you must play *trump*" in text) == (name != "two-handed")
        assert ("If you cannot, play any card." in text) == (name == "two-handed")


def test_the_page_says_that_discards_are_hidden_until_all_have_chosen() -> None:
    for name in ("five-card", "seven-card"):
        text = section(variants.get(name), "Discard and draw")
        assert "how many another discards before all have decided. Then each draws" in text


def test_titles_agree_with_the_options() -> None:
    rules = variants.get("double-deck")
    assert "ournament" not in rules.title
    assert str(rules.ending.target) in rules.title
    for options in ({"target": 500}, {"set_pays_defenders": True}):
        heading = page(rules.with_options(**options)).splitlines()[0]
        assert heading == f"# {rules.title}, with house options"


def test_without_an_auction_the_page_mentions_no_declarer() -> None:
    for players in (2, 3, 4):
        for penalty in ("refuse", "penalty"):
            for hands in (None, 3):
                options = {"renege": penalty, "hands": hands}
                assert "declarer" not in body(variants.get("two-handed", players, options))


def test_the_page_says_that_conceding_costs_the_bid() -> None:
    """bicyclecards.com, Auction Pinochle: a conceding declarer loses the bid; nobody else melds."""
    for rules in variants.VARIANTS.values():
        if rules.auction is None or rules.scoring.pays or rules.scoring.concede is Concede.NEVER:
            continue
        giving_up = section(rules, "Giving up")
        others = "without having to win anything." if rules.melds.defenders_meld else ""
        assert "then loses the bid" in giving_up, rules.variant
        assert giving_up.strip().endswith(others or "total, and nobody else scores.")


def test_phases_are_described_in_their_order() -> None:
    headings = {
        Phase.AUCTION: "Bidding",
        Phase.KITTY: "The kitty",
        Phase.TRUMP: "Naming trump",
        Phase.EXCHANGE: "The exchange",
        Phase.REDRAW: "Discard and draw",
        Phase.UPCARD: "The upcard",
        Phase.MELDING: "Meld",
        Phase.STOCK_PLAY: "While there is a stock",
        Phase.PLAY: "The play",
    }
    for rules in VARIANTS.values():
        text = page(rules)
        places = [text.find(f"\n## {headings[phase]}") for phase in rules.phases]
        present = [at for at in places if at >= 0]
        assert present == sorted(present)
        without = 1 if Phase.EXCHANGE in rules.phases and not rules.exchange.exchange else 0
        assert len(present) == len(places) - without


# The documents


def test_the_page_of_refusals_has_every_reason_and_its_sentence() -> None:
    (rows,) = tables((DOCS / "refusals.md").read_text(encoding="utf-8"))
    found = {row["reason"].strip("`"): row["sentence"] for row in rows}
    assert found == {reason.name: reason.value for reason in Reason}
    assert len(rows) == len(found)
    assert all(row["when"] for row in rows)


def test_the_page_of_options_has_every_option() -> None:
    (meanings,) = tables((DOCS / "options.md").read_text(encoding="utf-8"))
    assert [
        (row["option"].strip("`"), row["possible values"], row["meaning"]) for row in meanings
    ] == [(option.name, option.values, option.summary) for option in OPTIONS.values()]


def document(name: str) -> str:
    """Return the document of a variant."""
    return (GAMES / name / "notes.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", VARIANTS)
def test_a_document_names_title_source_table_and_options(name: str) -> None:
    rules, text = VARIANTS[name], document(name)
    assert text.startswith(f"# {rules.title}\n\n`{name}` | ")
    aim = f"{rules.deck.size} cards | {rules.ending.target} points"
    assert aim in text
    assert rules.source.split(",")[0] in text  # a text among the sources, or a page by its site
    assert f"acesaround rules {name}`" in text
    listed = text.partition("## House options\n")[2].partition(".\n")[0]
    assert re.findall(r"`(\w+)`", listed) == list(rules.options)
    assert "## Version history\n\n* 1: " in text


def example(name: str) -> str:
    """Return the worked example of a variant."""
    return document(name).partition("## A worked example\n")[2].partition("\n## ")[0]


def example_hand(name: str) -> tuple[Suit, int]:
    """Return trump and hand of a worked example."""
    trump, hand = re.findall(r"```\ntrump (\w)\nhand (.+)\n```", example(name))[0]
    return Suit(trump), pack(parse_cards(hand))


@pytest.mark.parametrize("name", [n for n, rules in VARIANTS.items() if rules.auction])
def test_the_melds_of_a_worked_example_are_those_of_the_engine(name: str) -> None:
    rules, text = VARIANTS[name], example(name)
    trump, hand = example_hand(name)
    found = melds.find_melds(rules.melds, hand, trump)
    rows = next(t for t in tables(text) if list(t[0]) == ["meld", "points"])
    assert sorted((row["meld"], int(row["points"])) for row in rows) == sorted(
        (meld.name, meld.points) for meld in found
    )
    cards = parse_cards(re.findall(r"\nhand (.+)\n", text)[0])
    assert len(cards) == rules.hand_size
    assert rules.deck.first_excess_card(cards) is None
    assert f"That is {melds.total_points(found)}" in text


def test_the_runs_of_the_classic_example_without_extra() -> None:
    rules = variants.get("double-deck-classic", options={"duplicate_runs_extra": False})
    trump, hand = example_hand("double-deck-classic")
    assert melds.total_points(melds.find_melds(rules.melds, hand, trump)) == 72
    assert "it is 72." in example("double-deck-classic")


SCORES = [
    (name, at) for name in VARIANTS for at in range(len(re.findall(r"score \|", example(name))))
]


@pytest.mark.parametrize(("name", "at"), SCORES)
def test_the_scores_of_a_worked_example_are_those_of_the_engine(name: str, at: int) -> None:
    text = example(name)
    rows = [t for t in tables(text) if "score" in t[0]][at]
    said = re.findall(r"(?:Bid (\d+) by 0|There is no bid)(?:, `(\w+)=(\w+)`)?:\n\n\|", text)[at]
    bid = int(said[0]) if said[0] else None
    rules = variants.get(name, options={said[1]: said[2]} if said[1] else {})
    numbers = [{key: _number(cell) for key, cell in row.items()} for row in rows]
    assert [row.get("side", row.get("player")) for row in numbers] == list(range(len(rules.sides)))
    tally = scoring.Tally(
        meld=tuple(row["meld"] for row in numbers),
        dix_points=tuple(row.get("of it nines", 0) for row in numbers),
        play=tuple(row["play"] for row in numbers),
        has_counter=tuple(bool(row.get("counter", row["play"])) for row in numbers),
    )
    most = scoring.max_play_points(rules, rules.seats)
    assert sum(tally.play) == most if Phase.REDRAW not in rules.phases else sum(tally.play) < most
    declarer = None if bid is None else 0
    outcome, change = scoring.outcome_and_changes(rules, tally, None, declarer, bid)
    assert change == tuple(row["score"] for row in numbers)
    if bid is not None:
        assert outcome is (scoring.Outcome.MADE if change[0] >= bid else scoring.Outcome.SET)


def _number(cell: str) -> int:
    return {"yes": 1, "no": 0}[cell] if cell in ("yes", "no") else int(cell)


def test_the_laid_melds_of_the_two_handed_example_score_as_written() -> None:
    rules = VARIANTS["two-handed"]
    trump, hand = example_hand("two-handed")
    down = laid_melds.NO_LAID_MELDS
    (laid,) = (t for t in tables(example("two-handed")) if "laid" in t[0])
    for row in laid:
        meld, down = laid_melds.lay_meld(rules.melds, hand, down, parse_cards(row["laid"]), trump)
        assert (meld.name, meld.points) == (row["meld"], int(row["points"]))
    assert f"In all {sum(int(row['points']) for row in laid)}:" in example("two-handed")


@pytest.mark.parametrize(("from_hand", "most"), [(True, 220), (False, 240)])
def test_the_best_laid_melds_of_a_roundhouse_score_as_written(from_hand: bool, most: int) -> None:
    rules = variants.get("two-handed", options={"meld_from_hand": from_hand})
    kings_and_queens = pack(parse_cards("KS QS KH QH KD QD KC QC"))
    laid = laid_melds.best_layable_melds(rules.melds, kings_and_queens, Suit.H)
    assert melds.total_points(laid) == most
    assert ("220" in body(rules)) is from_hand
    assert "bring 220 at most" in document("two-handed").replace("\n  ", " ")


@pytest.mark.parametrize("from_hand", [True, False])
def test_a_roundhouse_with_a_run_is_laid_completely(from_hand: bool) -> None:
    rules = variants.get("two-handed", options={"meld_from_hand": from_hand})
    cards = pack(parse_cards("AH TH JH KS QS KH QH KD QD KC QC"))
    assert melds.total_points(laid_melds.best_layable_melds(rules.melds, cards, Suit.H)) == 350
    assert "it scores 350" in body(rules)


def test_the_discard_limits_in_the_seven_card_document_are_right() -> None:
    limits = {n: variants.get("seven-card", n).max_redraw(n) for n in (2, 3, 4, 5, 6)}
    assert limits == {2: 7, 3: 7, 4: 5, 5: 2, 6: 1}
    said = "7 cards with two or three players, 5 with four, 2 with five, 1 with six"
    assert said in document("seven-card")


def test_the_concede_limit_in_the_partnership_document_is_right() -> None:
    rules = VARIANTS["partnership"]
    for meld, offered in ((60, True), (80, False)):
        tally = scoring.Tally((meld, 0), (0, 0), (0, 0), (False, False))
        assert scoring.may_concede(rules, tally, 0, 330, 4) is offered


@pytest.mark.parametrize("name", [p.name for p in sorted(DOCS.rglob("*.md"))])
def test_links_between_documents_lead_somewhere(name: str) -> None:
    for path in DOCS.rglob(name):
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), target


_GAINS = {"kitty": "takes the kitty", "trump": "names trump", "play": "leads first"}
_HEADINGS = {
    "auction": "## Bidding",
    "kitty": "## The kitty",
    "trump": "## Naming trump",
    "exchange": "## The exchange",
    "redraw": "## Discard and draw",
    "upcard": "## The upcard",
}


@pytest.mark.parametrize(("name", "players"), EVERY_TABLE)
def test_the_phases_of_a_deal_are_written_in_the_order_of_play(name: str, players: int) -> None:
    """`Rules.phases` has the order in which the engine plays them."""
    rules = variants.get(name, players)
    text = body(rules)
    phases = [str(phase) for phase in rules.phases]
    places = [text.find(f"\n{_HEADINGS[phase]}\n") for phase in phases if phase in _HEADINGS]
    places = [place for place in places if place >= 0]
    assert places == sorted(places)
    if rules.auction is not None:
        gains = [text.index(_GAINS[phase]) for phase in phases if phase in _GAINS]
        assert gains == sorted(gains)


@pytest.mark.parametrize(("name", "players"), EVERY_TABLE)
def test_the_rules_name_the_counters_of_their_game(name: str, players: int) -> None:
    rules = variants.get(name, players)
    if "card_points" in rules.options:
        rules = rules.with_options(card_points="kings-fives")
    text = body(rules)
    if "**counter**" in text:
        points = tricks.points_of(rules.scoring.card_points)
        counting = [f"{rank.word}s" for rank in Rank if points[rank]]
        line = next(line for line in text.splitlines() if "**counter**" in line)
        assert re.findall("aces|tens|kings|queens|jacks|nines", line) == counting


@pytest.mark.parametrize("name", sorted(VARIANTS))
@pytest.mark.parametrize("number", [1, 2])
def test_one_of_a_thing_is_written_without_a_plural(name: str, number: int) -> None:
    rules = VARIANTS[name]
    if "exchange" in rules.options:
        rules = rules.with_options(exchange=number)
    assert not re.findall(r"(?<![\d.,])\b1 (?:cards|points|tricks|deals|players)\b", body(rules))
