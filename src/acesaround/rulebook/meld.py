"""Rulebook sections on melds: the table of values, the classes, and how melds are laid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from acesaround.cards import Card, parse_cards, pretty_cards
from acesaround.rulebook.markdown import bullets, listed, paragraph, section, table, unit
from acesaround.rules import OF_TRUMP, MeldTable, Phase, Rules, each, value_of_several

HOW_MANY: Final = ("one", "two", "three", "four", "five", "six")


def before_play(rules: Rules) -> str:
    """Return the section on melds shown before the play."""
    if not melded(rules):
        return section("Meld", "There is no meld here: only tricks count.")
    return section(
        "Meld",
        f"Before the play {_who(rules)} and takes them back into the hand. Of several ways to "
        "count a hand the highest is taken for you.",
        values(rules),
        _serving(rules),
        _floor(rules),
    )


def _floor(rules: Rules) -> str:
    """Return the sentence on melds that are worth too little to score."""
    floor, shows = rules.scoring.least_meld, "it shows" if rules.partners else "they show"
    if not floor:
        return ""
    text = (
        f"A {unit(rules)} whose melds come to less than {floor} together scores nothing for them "
        "and shows none"
    )
    if "aces around" in melded(rules):
        text += f", except aces around, which {shows} all the same"
    return f"{text}."


def _who(rules: Rules) -> str:
    """Return who shows melds before the play, as the beginning of a sentence."""
    if rules.auction is None:
        return "each player shows the cards that count together, from the dealer's left,"
    if rules.melds.defenders_meld:
        return "each player shows the cards that count together, the declarer first,"
    if rules.partners:
        return (
            "the declarer and then the declarer's partners, but nobody else, each show the cards "
            "that count together"
        )
    return "the declarer, and nobody else, shows the cards that count together"


def between_tricks(rules: Rules) -> str:
    """Return the section on the tricks while there is a stock, and on melds laid between them."""
    play = (
        "The player to the dealer's left leads first. Everybody may play any card: there is no "
        "duty to follow suit or to win.",
        "After each trick everybody draws one card, the winner first, then clockwise. The last "
        "card drawn is the upcard.",
    )
    if not melded(rules):
        return section("While there is a stock", bullets(*play), "There is no meld here.")
    least = (
        "Each meld needs at least one card from the hand, not only cards from the table."
        if rules.melds.meld_from_hand
        else "A meld may be made of cards that all lie on the table already."
    )
    return section(
        "While there is a stock",
        bullets(
            *play,
            f"{_when(rules)} It scores at once.{_nines(rules)} {_last_chance(rules)}",
            "Melded cards stay on the table and may be played like those in the hand.",
            least,
        ),
        "The melds:",
        values(rules),
        _serving(rules),
        "What lies on the table may grow:",
        _growing(rules),
    )


def _when(rules: Rules) -> str:
    if rules.melds.meld_before_draw:
        return "Before that the winner of the trick, and nobody else, may lay one meld."
    return (
        "Then the winner of the trick, and nobody else, may lay one meld on the table before "
        "leading."
    )


def _nines(rules: Rules) -> str:
    if rules.melds.nine_beside and "dix" in melded(rules):
        return " Nines of trump may be laid before it, in the same turn."
    return ""


def _last_chance(rules: Rules) -> str:
    if rules.melds.meld_after_stock:
        return "The winner of the trick that empties the stock may still lay one as well."
    return "After the trick that empties the stock there is none."


def values(rules: Rules) -> str:
    """Return the table of values: what one, two, ... of each meld are worth together."""
    wide = _wide(rules)
    rows = [[name, *cells, *[""] * (wide + 1 - len(cells))] for name, cells in _rows(rules).items()]
    text = table(["meld", "cards", *HOW_MANY[:wide]], rows)
    if rules.deck.copies > wide:
        text += "\n\nEach further one counts as one more alone."
    return text


def melded(rules: Rules) -> frozenset[str]:
    """Return the names of all melds with a worth that this deck and a hand can hold."""
    return frozenset(_rows(rules))


def _wide(rules: Rules) -> int:
    """Return how many of a meld together the table goes up to."""
    melds = rules.melds
    tuples = (
        *(melds.run, melds.pinochle, melds.aces, melds.kings, melds.queens, melds.jacks),
        *(each(melds.royal_marriage), each(melds.marriage), each(melds.dix)),
    )
    return min(max(2, *(len(its) for its in tuples)), rules.deck.copies)


@lru_cache(maxsize=64)
def _rows(rules: Rules) -> dict[str, list[str]]:
    """Return for each meld's name its cards, and what one, two, ... of it are worth.

    Melds that no player can hold are left out. With five cards there are no two aces around, and
    with one copy of each card no double pinochle.
    """
    melds, deck = rules.melds, rules.deck
    wide, most = _wide(rules), _most_melded(rules)
    rows: dict[str, list[str]] = {}

    def row(
        name: str, what: str, cards: int, worth: tuple[int, ...], twins: int = 1, times: int = wide
    ) -> None:
        """Add a meld of `cards` cards, `twins` of one kind, up to `times` of it together."""
        cells = _worth(worth, min(times, most // cards, deck.copies // twins))
        if any(cells):
            rows[name] = [what, *cells]

    row("run", "A 10 K Q J of trump", 5, _run(melds))
    for name, extra, cards, points in (
        ("run and king", "a run and another K of trump", 6, melds.run_and_king),
        ("run and queen", "a run and another Q of trump", 6, melds.run_and_queen),
        ("run and marriage", "a run and another K Q of trump", 7, melds.run_and_marriage),
    ):
        if points is not None:
            row(name, extra, cards, (points,), 2, 1)
    row("royal marriage", "K Q of trump", 2, each(melds.royal_marriage))
    row("marriage", "K Q of another suit", 2, each(melds.marriage))
    if deck.nines:
        row("dix", "9 of trump", 1, each(melds.dix))
    row("pinochle", "Q♠ J♦", 2, melds.pinochle)
    for name in ("aces", "kings", "queens", "jacks"):
        row(f"{name} around", f"{_one(name)} of each suit", 4, getattr(melds, name))
    bonus = (melds.double_roundhouse,)
    row("double roundhouse (bonus)", "two K Q in every suit", 16, bonus, 2, 1)
    for its in melds.others:
        words = its.cards.split()
        twins = max(Counter(words).values())
        row(its.name, _of_own(words), len(words), (its.points,), twins)
    return rows


def _most_melded(rules: Rules) -> int:
    """Return the most cards that a player can meld in a deal.

    Where melds are laid between tricks, these are all cards seen before the last chance to meld.
    """
    if Phase.STOCK_PLAY not in rules.phases:
        return rules.hand_size
    drawn = rules.deck.size // rules.seats - rules.hand_size
    return rules.hand_size + drawn - (not rules.melds.meld_after_stock)


def _one(plural: str) -> str:
    return ("an " if plural[0] == "a" else "a ") + plural.removesuffix("s")


def _run(melds: MeldTable) -> tuple[int, ...]:
    return melds.run if melds.duplicate_runs_extra else melds.run[:1]


def _of_own(cards: list[str]) -> str:
    """Return the cards of a table's own meld: `Q♠ Q♠ J♦ J♦`, `A A of trump`."""
    trump = [word for word in cards if OF_TRUMP in word]
    plain = pretty_cards(parse_cards([word for word in cards if word not in trump]))
    ranks = [Card(word.replace(OF_TRUMP, "S")).rank.letter.replace("T", "10") for word in trump]
    return " and ".join(filter(None, (f"{' '.join(ranks)} of trump" if ranks else "", plain)))


def _worth(values: tuple[int, ...], wide: int) -> list[str]:
    """Return what one, two, ... up to `wide` of a meld are worth; blank where that is 0."""
    sums = [sum(points for _, points in value_of_several(values, n)) for n in range(1, wide + 1)]
    return [str(worth) if worth else "" for worth in sums]


def _serving(rules: Rules) -> str:
    melds, there, most = rules.melds, melded(rules), _most_melded(rules)
    twins = rules.deck.copies > 1
    run = "The K and Q of a run make no royal marriage beside it"
    if "run and marriage" in there:
        run += "; the table above has what further ones add"
    elif twins and most >= 7:
        run += "; a further K and Q do"
    several = twins and most >= 10 and len(melds.run) > 1 and not melds.duplicate_runs_extra
    return bullets(
        _classes(there, most),
        f"{run}." if {"run", "royal marriage"} <= there else "",
        _own(melds),
        _roundhouse(rules),
        f"Several runs bring nothing extra: each counts {melds.run[0]}."
        if several and "run" in there
        else "",
        "The bonus for a double roundhouse comes on top of all else; the K Q in runs count for it."
        if "double roundhouse (bonus)" in there
        else "",
    )


def _classes(there: Collection[str], most: int) -> str:
    """Return the classes of the possible melds, where a player melds `most` cards at most."""
    married = "marriage" in there or "royal marriage" in there
    first = [
        *(["runs"] if "run" in there else []),
        *(["marriages"] if married else []),
        *(["dixes"] if "dix" in there else []),
    ]
    arounds = [name for name in there if name.endswith(" around")]
    classes = [
        *([listed(first)] if first else []),
        *(["arounds"] if arounds else []),
        *(["pinochles"] if "pinochle" in there else []),
    ]
    if not classes:
        return ""
    if len(classes) == 1:
        return f"A card may serve only once in {classes[0]}."
    queen = [
        *(["in a marriage"] if married else []),
        *(["in queens around"] if "queens around" in there and most >= 6 else []),
        *(["in a pinochle"] if "pinochle" in there else []),
    ]
    lettered = "; ".join(f"{letter}: {its}" for letter, its in zip("ABC", classes, strict=False))
    return paragraph(
        f"There are {HOW_MANY[len(classes) - 1]} classes. {lettered}. A card may serve in several "
        "classes at once, but only once in each class.",
        f"So a Q♠ may be {listed(queen)}." if len(queen) > 1 else "",
    )


def _own(melds: MeldTable) -> str:
    """Return the sentence that melds of the table's own may use cards of all other melds."""
    names = [f"*{its.name}*" for its in melds.others]
    if not names:
        return ""
    *rest, last = names
    are = f"{', '.join(rest)} and {last} are each a class" if rest else f"{last} is a class"
    return f"{are} by itself: a card may serve once in it, and in all other melds too."


def _roundhouse(rules: Rules) -> str:
    """Return the sentence on a marriage in every suit; "" if a hand cannot hold one."""
    melds, there = rules.melds, melded(rules)
    if rules.hand_size < 8 or not there & {"marriage", "royal marriage"}:
        return ""
    arounds = melds.kings[0] + melds.queens[0]
    common, royal = each(melds.marriage)[0], each(melds.royal_marriage)[0]
    all_parts = arounds + 3 * common + royal
    text = f"A *roundhouse*, a marriage in every suit, is the sum of its parts: {all_parts}"
    parts = {"marriage", "kings around", "queens around"}
    if Phase.STOCK_PLAY in rules.phases and melds.meld_from_hand and parts <= there:
        text += (
            f". Laid one by one, with a card from the hand each, it brings "
            f"{all_parts - common} at most"
        )
    if rules.hand_size < 11 or "run" not in there:
        return f"{text}."
    apart = Phase.STOCK_PLAY in rules.phases and melds.grown_scores_whole
    with_run = all_parts - (0 if apart else royal) + melds.run[0]
    return f"{text}. With a run on the same trump K and Q it is {with_run}."


def _growing(rules: Rules) -> str:
    melds, there, twins = rules.melds, melded(rules), rules.deck.copies > 1
    run, royal = melds.run[0], each(melds.royal_marriage)[0]
    whole = melds.grown_scores_whole
    grown = f"the whole run, {run}" if whole else f"the difference, {run - royal}"
    another = f" A run with another K and Q is a new run and scores {run} in full." if twins else ""
    one, two, nine = melds.pinochle[0], (*melds.pinochle, 0)[1], each(melds.dix)[0]
    doubled = f"its whole value, {two}" if whole else f"the difference, {two - one}"
    return bullets(
        f"A royal marriage on the table grows into a run when A, 10 and J are added: that scores "
        f"{grown}.{another}"
        if {"run", "royal marriage"} <= there
        else "",
        f"A pinochle on the table grows into a double one for {doubled}. You may also lay the "
        f"second one as a single, for {one}. Each player can have one double pinochle a deal."
        if twins and len(melds.pinochle) > 1 and one
        else "",
        f"The first nine of trump that anybody lays scores {nine} and changes places with the "
        f"upcard, which goes to the hand. Each later nine scores {nine}."
        + ("" if melds.nine_turned_up else " A nine turned up as upcard gives nobody anything.")
        if "dix" in there
        else "",
        "Twins: if you play a card that you have both in the hand and on the table, the one in "
        "the hand goes. A meld takes the one on the table first"
        + (", unless it would have no card from the hand then." if melds.meld_from_hand else ".")
        if twins
        else "",
    )
