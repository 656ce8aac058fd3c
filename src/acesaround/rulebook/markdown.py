"""Helpers for the rulebook page: sections, lists, tables, and words that depend on the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from acesaround.rules import Rules


def section(heading: str, *parts: str) -> str:
    """Return a heading with its paragraphs; empty ones are left out."""
    return "\n\n".join([f"## {heading}", *(part for part in parts if part)])


def bullets(*items: str) -> str:
    """Return a list; empty items are left out."""
    return "\n".join(f"* {item}" for item in items if item)


def paragraph(*sentences: str) -> str:
    """Return sentences as one paragraph; empty ones are left out."""
    return " ".join(sentence for sentence in sentences if sentence)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def join_words(items: Iterable[object], conjunction: str = "and") -> str:
    """Return items as a list in words: `a, b and c`."""
    words = [str(item) for item in items]
    if len(words) > 2:
        words = [", ".join(words[:-1]), words[-1]]
    return f" {conjunction} ".join(words)


def pluralize(number: int, noun: str) -> str:
    """Return a number with its noun: `1 card`, `3 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def side_word(rules: Rules) -> str:
    """Return the word for what scores as one: a side of partners, or a single player."""
    return "side" if rules.has_partners else "player"


def unit_possessive(rules: Rules) -> str:
    """Return the possessive of `side_word`."""
    return "its" if rules.has_partners else "their"


def declarer_phrase(rules: Rules) -> str:
    """Return the words for the side or player that gains or loses by the bid."""
    return "declarer's side" if rules.has_partners else "declarer"


def others_score_phrase(rules: Rules) -> str:
    """Return the words for all but the declarer's side, with the verb."""
    if rules.has_partners:
        return "the other side scores" if len(rules.sides) == 2 else "the other sides score"
    return "the other player scores" if rules.seats == 2 else "the other players score"


def min_meld_without_play(rules: Rules) -> int:
    """Return the least meld that scores if no tricks are played for it, or 0."""
    scoring = rules.scoring
    return max(scoring.least_meld, scoring.least_hand if scoring.min_twenty else 0)


def meld_of_others(rules: Rules) -> str:
    """Return, as a grammatical object, the others' meld in a deal that is not played out."""
    min_meld, possessive = (
        min_meld_without_play(rules),
        unit_possessive(rules) if len(rules.sides) == 2 else "their",
    )
    return f"{possessive} meld" + (f" (if it is {min_meld} or more)" if min_meld else "")
