"""Rulebook sections on melds: the table of values, the classes, and how melds are laid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from acesaround.cards import Card, parse_cards, pretty_cards
from acesaround.rulebook.markdown import bullets, join_words, paragraph, section, side_word, table
from acesaround.rules import TRUMP_SIGN, MeldTable, Phase, Rules, as_values, value_of_several

NUMBER_WORDS: Final = ("one", "two", "three", "four", "five", "six")


def before_play(rules: Rules) -> str:
    """Return the section on melds shown before the play."""
    if not possible_melds(rules):
        return section("Meld", "This game has no meld: only tricks score.")
    return section(
        "Meld",
        f"Before the play {_melding_order(rules)} and takes them back into the hand. The program "
        "finds the melds that are worth most together.",
        values_table(rules),
        _class_rules(rules),
        _min_meld_sentence(rules),
    )


def _min_meld_sentence(rules: Rules) -> str:
    """Return the sentence on melds that are worth too little to score."""
    min_meld, shows_text = (
        rules.scoring.least_meld,
        "it shows" if rules.has_partners else "they show",
    )
    if not min_meld:
        return ""
    text = (
        f"A {side_word(rules)} whose melds are worth less than {min_meld} together scores nothing "
        "for them and shows none"
    )
    if "aces around" in possible_melds(rules):
        text += f", except aces around, which {shows_text} anyway"
    return f"{text}."


def _melding_order(rules: Rules) -> str:
    """Return who shows melds before the play, as the beginning of a sentence."""
    if rules.auction is None:
        return "each player shows the cards that count together, from the dealer's left,"
    if rules.melds.defenders_meld:
        return "each player shows the cards that count together, the declarer first,"
    if rules.has_partners:
        return (
            "the declarer and then the declarer's partners, but nobody else, each show the cards "
            "that count together"
        )
    return "the declarer, and nobody else, shows the cards that count together"


def between_tricks(rules: Rules) -> str:
    """Return the section on the tricks while there is a stock, and on melds laid between them."""
    play_items = (
        "The player to the dealer's left leads first. Everybody may play any card: nobody must "
        "follow suit or win.",
        "After each trick everybody draws one card, the winner first, then clockwise. The last "
        "card drawn is the upcard.",
    )
    if not possible_melds(rules):
        return section("While there is a stock", bullets(*play_items), "This game has no meld.")
    hand_card_rule = (
        "Each meld needs at least one card from the hand, not only cards from the table."
        if rules.melds.meld_from_hand
        else "A meld may consist only of cards that are already on the table."
    )
    return section(
        "While there is a stock",
        bullets(
            *play_items,
            f"{_meld_timing(rules)} It scores at once.{_nines_sentence(rules)} "
            f"{_last_chance_sentence(rules)}",
            "Melded cards stay on the table and may be played like those in the hand.",
            hand_card_rule,
        ),
        "The melds:",
        values_table(rules),
        _class_rules(rules),
        "You may add to cards on the table:",
        _growth_rules(rules),
    )


def _meld_timing(rules: Rules) -> str:
    if rules.melds.meld_before_draw:
        return "Before that the winner of the trick, and nobody else, may lay one meld."
    return (
        "Then the winner of the trick, and nobody else, may lay one meld on the table before "
        "leading."
    )


def _nines_sentence(rules: Rules) -> str:
    if rules.melds.nine_beside and "dix" in possible_melds(rules):
        return " Nines of trump may be laid before it, in the same turn."
    return ""


def _last_chance_sentence(rules: Rules) -> str:
    if rules.melds.meld_after_stock:
        return "The winner of the trick that empties the stock may still lay one too."
    return "After the trick that empties the stock, nobody may lay a meld."


def values_table(rules: Rules) -> str:
    """Return the table of values: what one, two, ... of each meld are worth together."""
    columns = _column_count(rules)
    rows = [
        [name, *cells, *[""] * (columns + 1 - len(cells))]
        for name, cells in _meld_rows(rules).items()
    ]
    text = table(["meld", "cards", *NUMBER_WORDS[:columns]], rows)
    if rules.deck.copies > columns:
        text += "\n\nEach further one scores as a single one."
    return text


def possible_melds(rules: Rules) -> frozenset[str]:
    """Return the names of all melds with a worth that this deck and a hand can hold."""
    return frozenset(_meld_rows(rules))


def _column_count(rules: Rules) -> int:
    """Return how many of a meld together the table goes up to."""
    melds = rules.melds
    value_lists = (
        *(melds.run, melds.pinochle, melds.aces, melds.kings, melds.queens, melds.jacks),
        *(as_values(melds.royal_marriage), as_values(melds.marriage), as_values(melds.dix)),
    )
    return min(max(2, *(len(value_list) for value_list in value_lists)), rules.deck.copies)


@lru_cache(maxsize=64)
def _meld_rows(rules: Rules) -> dict[str, list[str]]:
    """Return for each meld's name its cards, and what one, two, ... of it are worth.

    Melds that no player can hold are left out. With five cards there are no two aces around, and
    with one copy of each card no double pinochle.
    """
    melds, deck = rules.melds, rules.deck
    columns, max_cards = _column_count(rules), _max_melded_cards(rules)
    rows: dict[str, list[str]] = {}

    def row(
        name: str,
        cards_text: str,
        cards: int,
        point_values: tuple[int, ...],
        twins: int = 1,
        max_count: int = columns,
    ) -> None:
        """Add a meld of so many cards, two of one kind if `has_twins`, up to `max_count` of it."""
        cells = _worth_cells(point_values, min(max_count, max_cards // cards, deck.copies // twins))
        if any(cells):
            rows[name] = [cards_text, *cells]

    row("run", "A 10 K Q J of trump", 5, _run_values(melds))
    for name, extra, cards, points in (
        ("run and king", "a run and another K of trump", 6, melds.run_and_king),
        ("run and queen", "a run and another Q of trump", 6, melds.run_and_queen),
        ("run and marriage", "a run and another K Q of trump", 7, melds.run_and_marriage),
    ):
        if points is not None:
            row(name, extra, cards, (points,), 2, 1)
    row("royal marriage", "K Q of trump", 2, as_values(melds.royal_marriage))
    row("marriage", "K Q of another suit", 2, as_values(melds.marriage))
    if deck.nines:
        row("dix", "9 of trump", 1, as_values(melds.dix))
    row("pinochle", "Q♠ J♦", 2, melds.pinochle)
    for name in ("aces", "kings", "queens", "jacks"):
        row(f"{name} around", f"{_with_article(name)} of each suit", 4, getattr(melds, name))
    bonus = (melds.double_roundhouse,)
    row("double roundhouse (bonus)", "two marriages in every suit", 16, bonus, 2, 1)
    for meld in melds.others:
        words = meld.cards.split()
        twins = max(Counter(words).values())
        row(meld.name, _house_meld_cards(words), len(words), (meld.points,), twins)
    return rows


def _max_melded_cards(rules: Rules) -> int:
    """Return the most cards that a player can meld in a deal.

    Where melds are laid between tricks, these are all cards seen before the last chance to meld.
    """
    if Phase.STOCK_PLAY not in rules.phases:
        return rules.hand_size
    drawn = rules.deck.size // rules.seats - rules.hand_size
    return rules.hand_size + drawn - (not rules.melds.meld_after_stock)


def _with_article(plural: str) -> str:
    return ("an " if plural[0] == "a" else "a ") + plural.removesuffix("s")


def _run_values(melds: MeldTable) -> tuple[int, ...]:
    return melds.run if melds.duplicate_runs_extra else melds.run[:1]


def _house_meld_cards(cards: list[str]) -> str:
    """Return the cards of a table's own meld: `Q♠ Q♠ J♦ J♦`, `A A of trump`."""
    trump = [word for word in cards if TRUMP_SIGN in word]
    plain = pretty_cards(parse_cards([word for word in cards if word not in trump]))
    ranks = [Card(word.replace(TRUMP_SIGN, "S")).rank.letter.replace("T", "10") for word in trump]
    return " and ".join(filter(None, (f"{' '.join(ranks)} of trump" if ranks else "", plain)))


def _worth_cells(values: tuple[int, ...], columns: int) -> list[str]:
    """Return what one, two, ... up to `columns` of a meld are worth; blank where that is 0."""
    sums = [sum(points for _, points in value_of_several(values, n)) for n in range(1, columns + 1)]
    return [str(worth) if worth else "" for worth in sums]


def _class_rules(rules: Rules) -> str:
    melds, names, max_cards = rules.melds, possible_melds(rules), _max_melded_cards(rules)
    twins = rules.deck.copies > 1
    run_rule = "The K and Q of a run do not also score as a royal marriage"
    if "run and marriage" in names:
        run_rule += "; for further ones see the table"
    elif twins and max_cards >= 7:
        run_rule += "; a further K and Q do"
    mentions_several = (
        twins and max_cards >= 10 and len(melds.run) > 1 and not melds.duplicate_runs_extra
    )
    return bullets(
        _classes_text(names, max_cards),
        f"{run_rule}." if {"run", "royal marriage"} <= names else "",
        _house_meld_sentence(melds),
        _roundhouse_sentence(rules),
        f"Several runs score nothing extra: each scores {melds.run[0]}."
        if mentions_several and "run" in names
        else "",
        "The bonus for a double roundhouse is added to all other melds; the K Q in runs count for "
        "it."
        if "double roundhouse (bonus)" in names
        else "",
    )


def _classes_text(names: Collection[str], max_cards: int) -> str:
    """Return the classes of the possible melds, where a player melds `max_cards` cards at most."""
    has_marriages = "marriage" in names or "royal marriage" in names
    first_class = [
        *(["runs"] if "run" in names else []),
        *(["marriages"] if has_marriages else []),
        *(["dixes"] if "dix" in names else []),
    ]
    arounds = [name for name in names if name.endswith(" around")]
    classes = [
        *([join_words(first_class)] if first_class else []),
        *(["arounds"] if arounds else []),
        *(["pinochles"] if "pinochle" in names else []),
    ]
    if not classes:
        return ""
    if len(classes) == 1:
        return f"A card counts only once in {classes[0]}."
    queen_uses = [
        *(["in a marriage"] if has_marriages else []),
        *(["in queens around"] if "queens around" in names and max_cards >= 6 else []),
        *(["in a pinochle"] if "pinochle" in names else []),
    ]
    lettered = "; ".join(
        f"{letter}: {class_name}" for letter, class_name in zip("ABC", classes, strict=False)
    )
    return paragraph(
        f"There are {NUMBER_WORDS[len(classes) - 1]} classes. {lettered}. A card may count in "
        "several classes, but only once in each class.",
        f"So a Q♠ may be {join_words(queen_uses)}." if len(queen_uses) > 1 else "",
    )


def _house_meld_sentence(melds: MeldTable) -> str:
    """Return the sentence that melds of the table's own may use cards of all other melds."""
    names = [f"*{meld.name}*" for meld in melds.others]
    if not names:
        return ""
    *rest, last = names
    class_text = f"{', '.join(rest)} and {last} are each a class" if rest else f"{last} is a class"
    return f"{class_text} by itself: a card may count once in it, and also in all other melds."


def _roundhouse_sentence(rules: Rules) -> str:
    """Return the sentence on a marriage in every suit; "" if a hand cannot hold one."""
    melds, possible = rules.melds, possible_melds(rules)
    if rules.hand_size < 8 or not possible & {"marriage", "royal marriage"}:
        return ""
    arounds = melds.kings[0] + melds.queens[0]
    marriage_points, royal_points = as_values(melds.marriage)[0], as_values(melds.royal_marriage)[0]
    all_parts = arounds + 3 * marriage_points + royal_points
    text = f"A *roundhouse*, a marriage in every suit, scores all its melds together: {all_parts}"
    parts = {"marriage", "kings around", "queens around"}
    if Phase.STOCK_PLAY in rules.phases and melds.meld_from_hand and parts <= possible:
        text += (
            f". If you lay them one by one, each with a card from the hand, they score "
            f"{all_parts - marriage_points} at most"
        )
    if rules.hand_size < 11 or "run" not in possible:
        return f"{text}."
    scores_both = Phase.STOCK_PLAY in rules.phases and melds.grown_scores_whole
    with_run = all_parts - (0 if scores_both else royal_points) + melds.run[0]
    return f"{text}. With a run on the same trump K and Q it scores {with_run}."


def _growth_rules(rules: Rules) -> str:
    melds, names, has_twins = rules.melds, possible_melds(rules), rules.deck.copies > 1
    run, royal_points = melds.run[0], as_values(melds.royal_marriage)[0]
    scores_whole = melds.grown_scores_whole
    run_score = f"the whole run, {run}" if scores_whole else f"the difference, {run - royal_points}"
    another = (
        f" A run with another K and Q is a new run and scores {run} in full." if has_twins else ""
    )
    single_points, double_points, dix_points = (
        melds.pinochle[0],
        (*melds.pinochle, 0)[1],
        as_values(melds.dix)[0],
    )
    double_score = (
        f"its whole value, {double_points}"
        if scores_whole
        else f"the difference, {double_points - single_points}"
    )
    return bullets(
        f"If you add A, 10 and J to a royal marriage on the table, it becomes a run and scores "
        f"{run_score}.{another}"
        if {"run", "royal marriage"} <= names
        else "",
        f"If you add a second pinochle to one on the table, the double pinochle scores "
        f"{double_score}. You may also lay the second one as a single, for {single_points}. Each "
        "player can have one double pinochle in a deal."
        if has_twins and len(melds.pinochle) > 1 and single_points
        else "",
        f"The first nine of trump that anybody lays scores {dix_points} and changes places with "
        f"the upcard, which that player takes. Each later nine scores {dix_points}."
        + ("" if melds.nine_turned_up else " If the upcard is a nine, nobody scores for it.")
        if "dix" in names
        else "",
        "Twins: if you play a card that you have both in the hand and on the table, the one in "
        "the hand is played. A meld uses the one on the table first"
        + (", unless it would then have no card from the hand." if melds.meld_from_hand else ".")
        if has_twins
        else "",
    )
