"""The words of the game are in one file, and page, rules and docs agree with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from acesaround.cards import parse_cards
from acesaround.game.state import DecisionKind
from acesaround.rulebook import page
from acesaround.rulebook.glossary import all_words, glossary, words_in
from acesaround.rules.melds import MeldKind
from acesaround.table import guidance
from acesaround.variants import VARIANTS

ROOT = Path(__file__).parent.parent


def test_docs_words_is_made_from_the_glossary() -> None:
    assert (ROOT / "docs/words.md").read_text(encoding="utf-8") == all_words(), "run `make schema`"


def test_each_word_is_explained_in_one_sentence_with_cards_that_exist() -> None:
    assert list(glossary()) == sorted(glossary())
    for word, entry in glossary().items():
        assert re.fullmatch(r"""["A-Z][^.]*\.""", entry.says), word
        parse_cards(entry.cards)


def test_every_word_that_the_line_and_the_page_refer_to_is_explained() -> None:
    used = {word for words in guidance._WORDS.values() for word in words}
    source = (ROOT / "frontend/src/words/plateWords.ts").read_text(encoding="utf-8")
    used |= set(re.findall(r'\["([a-z ]+)",', source)) | {"trump", "set", "to go", "declarer"}
    sheet = (ROOT / "frontend/src/table/ScoreSheet.svelte").read_text(encoding="utf-8")
    used |= set(re.findall(r'word="([a-z ]+)"', sheet))
    assert set(guidance._WORDS) == set(DecisionKind) - {DecisionKind.DEAL}
    assert len(used) > 12
    assert used <= set(glossary())


def test_every_kind_of_meld_is_explained() -> None:
    for kind in set(MeldKind) - {MeldKind.OTHER}:
        assert words_in(kind), kind


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_rules_end_with_the_words_that_stand_in_them(variant: str) -> None:
    body, _, words = page(VARIANTS[variant]).partition("\n## Words\n")
    assert re.findall(r"^\* \*\*(.*)\*\*:", words, re.MULTILINE) == list(words_in(body))
    assert ("kitty" in words_in(body)) == bool(VARIANTS[variant].deal.kitty)
