"""The words of the game, each explained in one sentence with cards as an example.

`glossary.json` is the only place of these texts. The page loads the same file, the rules of a table
end with the words that occur in them, and docs/words.md lists all words.
"""

from __future__ import annotations

import itertools
import re
import textwrap
from functools import cache
from importlib import resources
from typing import Final

import msgspec

from acesaround.cards import Rank, parse_cards, pretty_cards
from acesaround.rulebook.markdown import bullets, join_words, section
from acesaround.rules import Rules
from acesaround.rules.tricks import points_of

_FILE: Final = "glossary.json"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An explanation: the sentence, and the cards of its example, "" for none."""

    says: str
    cards: str

    @property
    def text(self) -> str:
        """The sentence with its cards."""
        return f"{self.says} {pretty_cards(parse_cards(self.cards))}".strip()


@cache
def glossary() -> dict[str, Entry]:
    """Return all entries by their words."""
    source = resources.files(__package__).joinpath(_FILE).read_bytes()
    return msgspec.json.decode(source, type=dict[str, Entry])


def words_in(text: str) -> tuple[str, ...]:
    """Return the words of the glossary that occur in a text, in the order of the glossary."""
    return tuple(
        [word for word in glossary() if re.search(rf"\b{word}(?:e?s|ed)?\b", text, re.IGNORECASE)]
    )


def words_section(text: str, rules: Rules) -> str:
    """Return the section that explains the words of a text by the rules of a table."""
    lines = [f"**{word}**: {_explain(word, rules)}" for word in words_in(text)]
    return section("Words", bullets(*lines))


def name_counters(rules: Rules) -> str:
    """Return the cards that score in tricks by the rules, such as "aces, tens and kings"."""
    points = points_of(rules.scoring.card_points)
    return join_words([f"{rank.word}s" for rank in Rank if points[rank]]) or "no cards"


def _explain(word: str, rules: Rules) -> str:
    if word != "counter":
        return glossary()[word].text
    return (
        "A counter is a card that scores for the side that wins it in a trick: here "
        f"{name_counters(rules)}."
    )


def all_words() -> str:
    """Return docs/words.md."""
    return (
        "# Words of the game\n\nEach word in one sentence. The browser table shows the same "
        "sentence when you tap a word, and the rules of a\n"
        "table end with the words that stand in them.\n\n"
        f"{_wrap(_list(tuple(glossary())))}\n"
    )


def _wrap(text: str) -> str:
    """Return a list with lines as long as in the other docs."""
    wrapped = [textwrap.wrap(line, 120, subsequent_indent="  ") for line in text.splitlines()]
    return "\n".join(itertools.chain.from_iterable(wrapped))


def _list(words: tuple[str, ...]) -> str:
    return bullets(*(f"**{word}**: {glossary()[word].text}" for word in words))
