"""Names that people bear at a table: readable, and each told from the others at a glance.

What cannot be seen is left out. A word is written in one alphabet, so that no letter stands for
its double from another. Two names are alike where they look so: by a skeleton, in which doubles of
letters, marks, capitals and punctuation make no difference. The second of two that are alike gets
a number.

The limits: the table of doubles holds the common ones between Latin, Greek, Cyrillic and digits and
not all that Unicode knows. A name all in one alphabet may be taken although it looks like one in
another, but not at the same table. Pictures are told apart by what they are, not by how they look.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from acesaround import bots
from acesaround.errors import NotationError
from acesaround.text_checks import has_stacked_marks, one_line

LONGEST: Final = 24
_TOGETHER: Final = frozenset(
    ("LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO")
)
"""Alphabets that are written together in one word, and share no doubles."""
_DOUBLES: Final = str.maketrans(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"  # Greek
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408"
    "\u03b1\u03b2\u03b3\u03b7\u03b9\u03ba\u03bd\u03bf\u03c1\u03c3\u03c4\u03c5\u03c7\u03c9"
    "\u0430\u0432\u0433\u0435\u043a\u043c\u043d\u043e\u043f\u0440\u0441\u0442\u0443\u0445\u0455"
    "\u0456\u0458\u0501\u04bb\u051b\u051d\u0131\u0251\u0261\u0269\u017f|!10",
    "ABEZHIKMNOPTYXABEKMHOPCTYXSIJabyniknopotuxwabrekmhonpctyxsijdhqwlagislllo",
)
_LATIN: Final = re.compile(r"LATIN (?:SMALL|CAPITAL) LETTER ([A-Z])(?: WITH .*)?")
_SMALL_CAPITAL: Final = re.compile(r"LATIN LETTER SMALL CAPITAL ([A-Z])")
_TAKEN: Final = ("you",)
"""What the page calls the reader."""


def checked(name: str) -> str:
    """A name as it will be shown, on one line and short. Raises NotationError."""
    shown = one_line(name)
    if not any(unicodedata.category(letter)[0] in "LNS" for letter in shown):
        raise NotationError("A name needs at least one letter.")
    if len(shown) > LONGEST:
        raise NotationError(f"That name is too long: at most {LONGEST} letters.")
    if has_stacked_marks(shown):
        raise NotationError("That name has too many marks on one letter.")
    for word in re.findall(r"[^\W\d_]+", shown):
        alphabets = {alphabet for letter in word if (alphabet := _alphabet(letter))}
        if len(alphabets) > 1 and not alphabets <= _TOGETHER:
            named = " and ".join(sorted(alphabet.capitalize() for alphabet in alphabets))
            raise NotationError(f"A word of that name mixes letters of {named}: use one alphabet.")
    if _like_a_bot(shown):
        raise NotationError("That name is for bots: choose one of your own.")
    return shown


def confusable(one: str, other: str) -> bool:
    """Whether two names could be taken for each other."""
    return _skeleton(one) == _skeleton(other)


def make_distinct(name: str, others: Collection[str]) -> str:
    """A name as it is borne beside these others: "Ann 2" beside an Ann."""
    borne, number = name, 1
    base = re.sub(r" \d+$", "", name)[: LONGEST - 3].rstrip()
    while any(confusable(borne, other) for other in others):
        number += 1
        borne = f"{base} {number}"
    return borne


def _alphabet(letter: str) -> str | None:
    """Of which alphabet a letter is, by the first word of its name; None for marks and such."""
    if not unicodedata.category(letter).startswith("L"):
        return None
    first = unicodedata.name(letter, "").partition(" ")[0]
    return None if first == "MODIFIER" else first


def _like_a_bot(name: str) -> bool:
    whole = _skeleton(name)
    taken = {_skeleton(bot) for bot in (*bots.BOTS, *_TAKEN)}
    words = re.findall(r"[^\W_]+", name)
    return whole.removeprefix("bot") in {"", *taken} or any(_skeleton(w) == "bot" for w in words)


@lru_cache(10_000)
def _skeleton(name: str) -> str:
    """What is left of a name where all that looks alike is the same."""
    whole = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name))
    return "".join([_base(letter) for letter in whole]).replace("rn", "m").replace("vv", "w")


@lru_cache(10_000)
def _base(letter: str) -> str:
    """A letter as the small Latin one that it looks like; nothing for marks and punctuation."""
    letter = letter.translate(_DOUBLES)
    if unicodedata.category(letter)[0] not in "LNS":
        return ""
    said = unicodedata.name(letter, "")
    found = _LATIN.fullmatch(said) or _SMALL_CAPITAL.fullmatch(said)
    plain = (found[1] if found is not None else letter).casefold()
    return "".join("l" if one == "i" else one for one in plain.translate(_DOUBLES))
