"""The rules of a table as a page to read, in Markdown, made wholly from its `Rules` object.

Nothing is decided here and no variant is known by name: what the page says of a rule, it reads
where the rule stands. One section a function: `opening` has everything before the melds, `meld`
the melds, `play` the tricks, `score` the counting and the end, `house` the house options.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from acesaround.rulebook import meld, options, play, score, setup
from acesaround.rules import Phase, Rules

Section = Callable[[Rules], str]

_PHASES: Final[dict[Phase, Section]] = {
    Phase.AUCTION: setup.auction,
    Phase.KITTY: setup.kitty,
    Phase.TRUMP: setup.trump,
    Phase.EXCHANGE: setup.exchange,
    Phase.REDRAW: setup.redraw,
    Phase.UPCARD: setup.upcard,
    Phase.MELDING: meld.before_play,
    Phase.STOCK_PLAY: meld.between_tricks,
    Phase.PLAY: play.play,
}


def page(rules: Rules) -> str:
    """The rules of that table for people, as Markdown: the phases in the order they are played."""
    sections: tuple[Section, ...] = (
        setup.summary,
        setup.cards,
        setup.tricks,
        setup.deal,
        *(_PHASES[phase] for phase in rules.phases),
        score.card_points,
        score.keeping,
        score.giving_up,
        score.made_or_set,
        score.renege,
        score.ending,
        options.options,
    )
    written = (section(rules) for section in sections)
    return "\n\n".join(text for text in written if text) + "\n"


__all__ = ["page"]
