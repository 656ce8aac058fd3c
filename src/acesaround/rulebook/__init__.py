"""The rules of a table as a page in Markdown, generated only from its `Rules` object.

This package decides no rule and knows no variant by name. Each function returns one section:
`setup` has all before the melds, `meld` the melds, `play` the tricks, `score` the scoring and the
end of the game, `options` all house options, `glossary` the words. `markdown` has the helpers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from acesaround.rulebook import meld, options, play, score, setup
from acesaround.rulebook.glossary import words_section
from acesaround.rules import Phase, Rules

Section = Callable[[Rules], str]

_SECTION_OF_PHASE: Final[dict[Phase, Section]] = {
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
    """Return the rules of a table as a Markdown page, with the phases in the order of play."""
    return f"{body(rules)}\n{options.options(rules)}\n"


def body(rules: Rules) -> str:
    """Return the page without its last section, the house options by their names in commands."""
    sections: tuple[Section, ...] = (
        setup.summary,
        setup.cards,
        setup.tricks,
        setup.deal,
        *(_SECTION_OF_PHASE[phase] for phase in rules.phases),
        score.card_points,
        score.counting,
        score.giving_up,
        score.made_or_set,
        score.renege,
        score.ending,
    )
    texts = (section(rules) for section in sections)
    body = "\n\n".join(text for text in texts if text)
    return f"{body}\n\n{words_section(body, rules)}\n"


__all__ = ["body", "page"]
