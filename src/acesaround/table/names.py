"""Display names at a table: readable, and easy to tell apart.

Invisible characters are removed. A word uses one alphabet, so that no letter can replace its
look-alike from another alphabet. Names are compared by skeletons, which ignore look-alike letters,
marks, capitals and punctuation. The second of two confusable names gets a number.

Limits: the table of look-alikes holds the common ones of Latin, Greek, Cyrillic, Armenian and
digits, and of alphabets such as Lisu whose capitals are like Latin ones, not all of Unicode. A name
all in one alphabet may look like a name in another, but not at the same table. Pictures are
compared by code point, not by looks.
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

MAX_NAME_LENGTH: Final = 24
_MIXABLE_ALPHABETS: Final = frozenset(
    ("LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO")
)
"""Alphabets that are written together in one word and share no look-alikes."""
_LOOK_ALIKE_BLOCKS: Final = {
    0x13A0: "drto-i---yaje------w--gm---h-y--gnhz--i-------4b--r-ws---vs--llc--p---kd-g----6----gb",
    0x2C80: "aabb----ee--zzhh--iikk--mmnn--oo--ppccttyy--xx--ww",
    0xA4D0: "bp-dt-gk-jc-zf-mnlsr--vh--wxy-a-e-iou---......",
    0x10300: "abcdef-h-iklmn-opmqrstvx--8",
}
"""What the letters of Cherokee, Coptic, Lisu and Old Italic look like, from a code point on.

`-` stands for a letter without a look-alike.
"""
_LOOK_ALIKES: Final = str.maketrans(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"  # Greek
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408"
    "\u03b1\u03b2\u03b3\u03b7\u03b9\u03ba\u03bd\u03bf\u03c1\u03c3\u03c4\u03c5\u03c7\u03c9"
    "\u0430\u0432\u0433\u0435\u043a\u043c\u043d\u043e\u043f\u0440\u0441\u0442\u0443\u0445\u0455"
    "\u0456\u0458\u0501\u04bb\u051b\u051d\u0131\u0251\u0261\u0269\u017f|!10"
    "\u0548\u054d\u0555\u0566\u0570\u0578\u057d\u0581\u0585"  # Armenian
    "\u15e9\u15c5\u15f7\u15af\u1472\u1455\u15ea\u15de\u146f\u15f4\u15b4\u161c\u157c\u148d"
    "\u14aa\u15f0\u144e\u15dd\u146d\u146b\u1587\u1515\u144c\u142f\u15ef\u166d\u1614",  # Canadian
    "ABEZHIKMNOPTYXABEKMHOPCTYXSIJabyniknopotuxwabrekmhonpctyxsijdhqwlagislllo"
    "nuoqhnugoaabbbcdddefghjlmnopqrsuvwxz",
)
_LOOK_ALIKES.update(
    (start + offset, ord(letter))
    for start, letters in _LOOK_ALIKE_BLOCKS.items()
    for offset, letter in enumerate(letters)
    if letter != "-"
)
_LATIN_NAME: Final = re.compile(r"LATIN (?:SMALL|CAPITAL) LETTER ([A-Z])(?: WITH .*)?")
_SMALL_CAPITAL_NAME: Final = re.compile(r"LATIN LETTER SMALL CAPITAL ([A-Z])")
_RESERVED_NAMES: Final = ("you",)
"""The word by which the page addresses the reader, which no name may be."""


def require_valid_name(name: str) -> str:
    """Return a name as it is shown, on one line. Raise NotationError if it is not allowed."""
    line = one_line(name)
    if not any(unicodedata.category(letter)[0] in "LNS" for letter in line):
        raise NotationError("A name needs at least one letter.")
    if len(line) > MAX_NAME_LENGTH:
        raise NotationError(f"That name is too long: at most {MAX_NAME_LENGTH} letters.")
    if has_stacked_marks(line):
        raise NotationError("That name has too many marks on one letter.")
    for word in re.findall(r"[^\W\d_]+", line):
        alphabets = {alphabet for letter in word if (alphabet := _alphabet(letter))}
        if len(alphabets) > 1 and not alphabets <= _MIXABLE_ALPHABETS:
            alphabet_names = " and ".join(sorted(alphabet.capitalize() for alphabet in alphabets))
            raise NotationError(
                f"A word of that name mixes letters of {alphabet_names}: use one alphabet."
            )
    if _is_bot_like(line):
        raise NotationError("That name is for bots: choose one of your own.")
    return line


def are_confusable(one: str, other: str) -> bool:
    """Return whether two names could be confused."""
    return _skeleton(one) == _skeleton(other)


def make_distinct(name: str, others: Collection[str]) -> str:
    """Return a name made distinct from the others: "Ann 2" if there is an Ann."""
    distinct, number = name, 1
    base = re.sub(r" \d+$", "", name)[: MAX_NAME_LENGTH - 3].rstrip()
    while any(are_confusable(distinct, other) for other in others):
        number += 1
        distinct = f"{base} {number}"
    return distinct


def _alphabet(letter: str) -> str | None:
    """Return the alphabet of a letter, None for marks and other characters.

    The alphabet is the first word of the letter's Unicode name.
    """
    if not unicodedata.category(letter).startswith("L"):
        return None
    first = unicodedata.name(letter, "").partition(" ")[0]
    return None if first == "MODIFIER" else first


def _is_bot_like(name: str) -> bool:
    skeleton = _skeleton(name)
    reserved = {_skeleton(bot) for bot in (*bots.BOTS, *_RESERVED_NAMES)}
    words = re.findall(r"[^\W_]+", name)
    return skeleton.removeprefix("bot") in {"", *reserved} or any(
        _skeleton(word) == "bot" for word in words
    )


@lru_cache(10_000)
def _skeleton(name: str) -> str:
    """Return the skeleton of a name: equal for names that look alike."""
    normalized = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name))
    return (
        "".join([_base_letter(letter) for letter in normalized])
        .replace("rn", "m")
        .replace("vv", "w")
    )


@lru_cache(10_000)
def _base_letter(letter: str) -> str:
    """Return the small Latin letter that a letter looks like; "" for marks and punctuation."""
    letter = letter.translate(_LOOK_ALIKES)
    unicode_name = unicodedata.name(letter, "")
    if unicodedata.category(letter)[0] not in "LNS" or unicode_name.startswith("MODIFIER"):
        return ""
    match = _LATIN_NAME.fullmatch(unicode_name) or _SMALL_CAPITAL_NAME.fullmatch(unicode_name)
    base = (match[1] if match is not None else letter).casefold()
    return "".join(
        "l" if character == "i" else character for character in base.translate(_LOOK_ALIKES)
    )
