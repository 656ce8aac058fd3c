"""The rulebook section on playing tricks under the strict rules."""

from __future__ import annotations

from acesaround.rulebook.markdown import bullets, section
from acesaround.rules import MustBeat, Phase, Rules


def play(rules: Rules) -> str:
    """Return the section on who leads, what must be played, and when trump may be led."""
    has_stock = Phase.STOCK_PLAY in rules.phases
    must_be_broken = rules.play.trump_must_be_broken
    if has_stock:
        laid = " and the last meld is laid" if rules.melds.meld_after_stock else ""
        lead = (
            f"When the stock is used up{laid}, everybody takes the cards on the table back into "
            "the hand, and no more melds are laid. The winner of the last trick leads any card."
        )
    else:
        leader = "player to the dealer's left" if rules.auction is None else "declarer"
        lead = f"The {leader} leads " + (
            "to the first trick." if must_be_broken else "any card to the first trick."
        )
    return section(
        "The play to the last tricks" if has_stock else "The play",
        lead,
        "Trump may not be led before it is *broken*, that is before a trump has been played. A "
        "player who holds only trump may lead it, and that breaks trump."
        if must_be_broken
        else "",
        "When another player has led, you may play these cards:",
        bullets(
            *_following(rules),
            *_void(rules),
            "A card does not beat its twin." if rules.deck.copies > 1 else "",
        ),
    )


def _following(rules: Rules) -> tuple[str, ...]:
    """Return the sentences on what a hand that holds the suit led must play."""
    partners = ("", ", even your partner's", ", even a partner's")[rules.side_size - 1]
    follow = "If you hold the suit led, you must *follow* with it."
    match rules.play.must_beat:
        case MustBeat.ALWAYS:
            return (
                f"{follow} You must *beat* the card now winning if you can{partners}.",
                "If another suit than trump was led and somebody has already trumped it, you may "
                "play any card of the suit led.",
            )
        case MustBeat.TRUMP:
            return (
                f"{follow} If trump was led, you must *beat* the card now winning if you "
                f"can{partners}. If another suit was led, you may play any card of it.",
            )
        case MustBeat.NEVER:
            return (f"{follow} You may play any card of it: nobody has to beat the other cards.",)


def _void(rules: Rules) -> tuple[str, ...]:
    """Return the sentences on what a hand that is out of the suit led must play."""
    play_rules = rules.play
    if play_rules.must_beat is not MustBeat.ALWAYS:
        if play_rules.void_must_trump:
            return (
                "If you are out of that suit, you must play *trump*, any trump.",
                "If you have neither, play any card. It cannot win.",
            )
        return ("If you are out of that suit, play any card.",)
    if play_rules.void_must_trump:
        return (
            "If you are out of that suit, you must play *trump*, and if you can a trump higher "
            "than any in the trick; else any trump.",
            "If you have neither, play any card. It cannot win.",
        )
    return (
        "If you are out of that suit, you must still win the trick if you can, with a *trump* "
        "higher than any in the trick. If you cannot, play any card.",
    )
