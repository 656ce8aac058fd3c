"""House options: the names and values by which people change the rules of a table.

An option is a field in one part of `Rules`. This module has only its name, its possible values and
its meaning; the module that reads the field applies it.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from acesaround.errors import ContradictionError, value_fault
from acesaround.rules.number_limits import MAX_DEALS, MAX_POINTS


class Option(msgspec.Struct, frozen=True):
    """A house option: a field in one part of `Rules`, named like the option by default."""

    name: str
    part: str
    values: str
    """The possible values as text, for help and errors."""
    summary: str
    choices: tuple[str, ...] = ()
    """The values offered, if fewer than the field's type allows."""
    field: str = ""
    """The name of the field, if it is not `name`."""
    choice_values: tuple[object, ...] = ()
    """The field's value for each of `choices`, if that is not the word itself."""

    @property
    def path(self) -> str:
        """The path of the field in the rules object, such as `deal.copies`."""
        return f"{self.part}.{self.field or self.name}"

    def parse(self, value: object, target_type: Any) -> Any:
        """Return a value of type `target_type` from JSON or text. Raises ContradictionError."""
        if self.choices:
            value = str(value)
            if value not in self.choices:
                raise ContradictionError(value_fault(self.path, self.name, value, self.values))
            if self.choice_values:
                return self.choice_values[self.choices.index(value)]
        return parse_value(value, target_type, self.path, self.name, self.values)

    def can_be(self, value: object) -> bool:
        """Return whether the option can have this value; its field may allow others."""
        return not self.choices or value in self.choices

    def choice_of(self, value: object) -> object:
        """Return the choice for a field's value; the value itself if no choice has it."""
        return (
            self.choices[self.choice_values.index(value)] if value in self.choice_values else value
        )


_WORD_VALUES: Final[dict[str, object]] = {
    "yes": True, "true": True, "no": False, "false": False, "none": None, "null": None,
}  # fmt: skip
_MAX_DIGITS: Final = (
    15  # digits; games need no more, and other programs need not read longer numbers
)


def parse_value(value: object, target_type: Any, path: str, name: str, values: str) -> Any:
    """Return a value of type `target_type` from JSON or, as text, from the command line.

    `path` (of the field), `name` and `values` (the possible ones) are for the error message.
    Raises ContradictionError.
    """
    candidates = [value]
    if isinstance(value, str):
        word = value.strip()
        candidates = [_WORD_VALUES.get(word.lower(), word)]
        if word.removeprefix("-").isdecimal() and word.isascii() and len(word) <= _MAX_DIGITS:
            candidates.insert(0, int(word))
    for candidate in candidates:
        try:
            return msgspec.convert(candidate, target_type)
        except msgspec.ValidationError:
            continue
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    raise ContradictionError(value_fault(path, name, text, values))


def _make_option(name: str, part: str, values: str, summary: str, *choices: str) -> Option:
    return Option(name, part, values, summary, choices)


OPTIONS: Final[dict[str, Option]] = {
    option.name: option
    for option in (
        _make_option(
            "target", "ending", f"a number of points, 1 to {MAX_POINTS}", "points that win the game"
        ),
        _make_option(
            "hands",
            "ending",
            f"a number of deals, 1 to {MAX_DEALS}, or none",
            "a fixed number of deals instead of a target; the higher total wins",
        ),
        _make_option(
            "lowest_bid",
            "auction",
            f"a legal bid, 1 to {MAX_POINTS} points",
            "the lowest bid",
        ),
        _make_option(
            "all_pass",
            "auction",
            "redeal, dealer, dealer-bids or first-bids",
            "what happens when everybody passes",
        ),
        _make_option(
            "marriage_needed",
            "auction",
            "yes or no",
            "the declarer must hold a marriage in the trump suit",
        ),
        _make_option(
            "concede",
            "scoring",
            "never, hopeless or always",
            "when the declarer may give up before leading",
        ),
        _make_option(
            "exchange",
            "exchange",
            "0, 1, 2, 3 or 4",
            "how many cards partners pass each other",
        ),
        _make_option(
            "set_pays_defenders",
            "scoring",
            "yes or no",
            "a set side scores 0 and the bid is added to the defenders' score",
        ),
        _make_option(
            "duplicate_runs_extra",
            "melds",
            "yes or no",
            "two or more runs together score more than the sum of single runs",
        ),
        _make_option(
            "double_roundhouse",
            "melds",
            f"a number of points, 0 to {MAX_POINTS}",
            "a bonus for two marriages in every suit",
        ),
        _make_option(
            "min_twenty",
            "scoring",
            "yes or no",
            "a side with fewer than 20 points in a deal scores 0",
        ),
        _make_option(
            "renege",
            "play",
            "refuse or penalty",
            "what happens when somebody plays an illegal card",
        ),
        _make_option(
            "card_points",
            "scoring",
            "tens, kings-fives or traditional",
            "points of the cards in tricks; with tens, A, 10 and K count 10 each",
            "tens",
            "kings-fives",
            "traditional",
        ),
        _make_option(
            "meld_from_hand", "melds", "yes or no", "each meld needs a card from the hand"
        ),
        _make_option(
            "meld_before_draw",
            "melds",
            "yes or no",
            "a meld is laid before cards are drawn, not after it",
        ),
        _make_option(
            "meld_after_stock",
            "melds",
            "yes or no",
            "the winner of the trick that empties the stock may still meld",
        ),
        _make_option(
            "nine_beside",
            "melds",
            "yes or no",
            "nines of trump may be laid before another meld in the same turn",
        ),
        _make_option(
            "nine_turned_up",
            "melds",
            f"a number of points, 0 to {MAX_POINTS}",
            "what the dealer scores for turning up a nine",
        ),
        _make_option(
            "nine_must_take",
            "deal",
            "yes or no",
            "a player who is asked for a nine of trump and has one must give it for the upcard",
        ),
        Option(
            "deck",
            "deal",
            "48 or 24-each",
            "cards in use",
            choices=("48", "24-each"),
            field="copies",
            choice_values=(2, None),
        ),
    )
}
