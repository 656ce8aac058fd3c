"""The page's melds: the table of values, how cards may serve, and how melds are laid."""

from __future__ import annotations

from typing import Final

from acesaround.melds import together
from acesaround.rulebook.words import bullets, section, table
from acesaround.rules import MeldTable, Phase, Rules

HOW_MANY: Final = ("one", "two", "three", "four", "five", "six")


def before_play(rules: Rules) -> str:
    """Melds that everybody shows before the play."""
    law = rules.scoring
    floor = (
        f"A side whose melds come to less than {law.least_meld} together scores nothing for them "
        "and shows none, except aces around, which it shows all the same."
        if law.least_meld
        else ""
    )
    return section(
        "Meld",
        "Before the play each player shows the cards that count together, the declarer first, "
        "and takes them back into the hand. Of several ways to count a hand the highest is taken "
        "for you.",
        values(rules),
        _serving(rules),
        floor,
    )


def between_tricks(rules: Rules) -> str:
    """The tricks while there is a stock, and the melds laid between them."""
    melds = rules.melds
    least = (
        "Each meld needs at least one card from the hand, not only cards from the table."
        if melds.meld_from_hand
        else "A meld may be made of cards that all lie on the table already."
    )
    return section(
        "While there is a stock",
        bullets(
            "The player to the dealer's left leads first. Everybody may play any card: there is no "
            "duty to follow suit or to win.",
            "After each trick everybody draws one card, the winner first, then clockwise. The last "
            "card drawn is the upcard.",
            "Then the winner of the trick, and nobody else, may lay one meld on the table before "
            "leading. It scores at once. After the trick that empties the stock there is none.",
            "Melded cards stay on the table and may be played like those in the hand.",
            least,
        ),
        "The melds:",
        values(rules),
        _serving(rules),
        "What lies on the table may grow:",
        _growing(melds),
    )


def values(rules: Rules) -> str:
    """The table of values: what one, two, ... of each meld are worth together.

    What no player can hold is left out: with five cards there are no two aces around.
    """
    melds = rules.melds
    tuples = (melds.run, melds.pinochle, melds.aces, melds.kings, melds.queens, melds.jacks)
    wide = max(2, *(len(values) for values in tuples))
    most = _most_melded(rules)
    rows: list[list[str]] = []

    def row(name: str, what: str, cards: int, worth: tuple[int, ...], times: int = wide) -> None:
        """One meld of so many cards, up to so many `times` as a player can have them."""
        cells = _worth(worth, min(times, most // cards))
        if cells:
            rows.append([name, what, *cells, *[""] * (wide - len(cells))])

    row("run", "A 10 K Q J of trump", 5, _run(melds))
    for name, extra, cards, points in (
        ("run and king", "a run and another K of trump", 6, melds.run_and_king),
        ("run and queen", "a run and another Q of trump", 6, melds.run_and_queen),
        ("run and marriage", "a run and another K Q of trump", 7, melds.run_and_marriage),
    ):
        if points is not None:
            row(name, extra, cards, (points,), 1)
    row("royal marriage", "K Q of trump", 2, (melds.royal_marriage,))
    row("marriage", "K Q of another suit", 2, (melds.marriage,))
    if melds.dix:
        row("dix", "9 of trump", 1, (melds.dix,))
    row("pinochle", "Q♠ J♦", 2, melds.pinochle)
    for name, sets in zip(("aces", "kings", "queens", "jacks"), tuples[2:], strict=True):
        row(f"{name} around", f"{_one(name)} of each suit", 4, sets)
    if melds.double_roundhouse:
        bonus = (melds.double_roundhouse,)
        row("double roundhouse (bonus)", "two K Q in every suit", 16, bonus, 1)
    text = table(["meld", "cards", *HOW_MANY[:wide]], rows)
    if rules.deck.copies > wide:
        text += "\n\nEach further one counts as one more alone."
    return text


def _most_melded(rules: Rules) -> int:
    """The most cards a player can meld in a deal.

    Where melds are laid between tricks, that is every card seen up to the last of them: there is
    none after the trick that empties the stock.
    """
    if Phase.STOCK_PLAY not in rules.phases:
        return rules.hand_size
    drawn = rules.deck.size // rules.seats - rules.hand_size
    return rules.hand_size + drawn - 1


def _one(plural: str) -> str:
    return ("an " if plural[0] == "a" else "a ") + plural.removesuffix("s")


def _run(melds: MeldTable) -> tuple[int, ...]:
    return melds.run if melds.duplicate_runs_extra else melds.run[:1]


def _worth(values: tuple[int, ...], wide: int) -> list[str]:
    return [str(sum(points for _, points in together(values, n))) for n in range(1, wide + 1)]


def _serving(rules: Rules) -> str:
    melds = rules.melds
    first = "runs, marriages and dixes" if melds.dix else "runs and marriages"
    extras = melds.run_and_marriage is not None
    more = "; the table above has what further ones add" if extras else "; a further K and Q do"
    most = _most_melded(rules)
    if most < 7:
        more = ""
    serves = "in a marriage, in queens around and in a pinochle"
    if most < 6:
        serves = "in a marriage and in a pinochle"
    several = (
        f"Several runs bring nothing extra: each counts {melds.run[0]}."
        if len(melds.run) > 1 and not melds.duplicate_runs_extra
        else ""
    )
    bonus = (
        "The bonus for a double roundhouse comes on top of all else; the K Q in runs count for it."
        if melds.double_roundhouse
        else ""
    )
    return bullets(
        f"There are three classes. A: {first}; B: arounds; C: pinochles. A card may serve in "
        f"several classes at once, but only once in each class. So a Q♠ may be {serves}.",
        f"The K and Q of a run make no royal marriage beside it{more}.",
        _roundhouse(rules),
        several,
        bonus,
    )


def _roundhouse(rules: Rules) -> str:
    """What a marriage in every suit comes to, where a hand can hold it."""
    melds = rules.melds
    if rules.hand_size < 8:
        return ""
    arounds = melds.kings[0] + melds.queens[0]
    all_parts = arounds + 3 * melds.marriage + melds.royal_marriage
    text = f"A *roundhouse*, a marriage in every suit, is the sum of its parts: {all_parts}"
    if Phase.STOCK_PLAY in rules.phases and melds.meld_from_hand:
        text += (
            f". Laid one by one, with a card from the hand each, it brings "
            f"{all_parts - melds.marriage} at most"
        )
    if rules.hand_size < 11:
        return f"{text}."
    with_run = all_parts - melds.royal_marriage + melds.run[0]
    return f"{text}. With a run on the same trump K and Q it is {with_run}."


def _growing(melds: MeldTable) -> str:
    run, royal = melds.run[0], melds.royal_marriage
    one = melds.pinochle[0]
    return bullets(
        f"A royal marriage on the table grows into a run when A, 10 and J are added: that scores "
        f"the difference, {run - royal}. A run with another K and Q is a new run and scores "
        f"{run} in full.",
        f"A pinochle on the table grows into a double one for the difference, "
        f"{melds.pinochle[1] - one}. You may also lay the second one as a single, for {one}. Each "
        "player can have one double pinochle a deal."
        if len(melds.pinochle) > 1
        else "",
        f"The first nine of trump that anybody lays scores {melds.dix} and changes places with the "
        f"upcard, which goes to the hand. Each later nine scores {melds.dix}. A nine turned up as "
        "upcard gives nobody anything."
        if melds.dix
        else "",
        "Twins: if you play a card that you have both in the hand and on the table, the one in "
        "the hand goes. A meld takes the one on the table first"
        + (", unless it would have no card from the hand then." if melds.meld_from_hand else "."),
    )
