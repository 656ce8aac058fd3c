"""Rulebook sections on scoring: card points, keeping meld, bids, renege, end of the game."""

from __future__ import annotations

from acesaround.cards import RANKS, Rank
from acesaround.rulebook.markdown import (
    bullets,
    counted,
    declarer,
    meld_of_others,
    min_meld_without_play,
    others_score_phrase,
    paragraph,
    section,
    table,
    unit,
    unit_possessive,
)
from acesaround.rulebook.meld import melded
from acesaround.rules import AllPass, Concede, KeepMeld, Phase, Renege, Rules, Tie
from acesaround.rules.scoring import most_in_play
from acesaround.rules.tricks import points_of


def card_points(rules: Rules) -> str:
    """Return the section on card points: each card, the last trick, and the total."""
    law = rules.scoring
    ranks = rules.deck.ranks
    worth = points_of(law.card_points)[:RANKS][:ranks]
    letters = [rank.letter.replace("T", "10") for rank in Rank][:ranks]
    dealt = rules.seats * rules.hand_size + rules.deal.kitty
    whole = rules.auction is None or dealt == rules.deck.size
    most = most_in_play(rules, rules.seats)
    total = f"{most} points" if whole else f"at most {most} points, as some cards stay unplayed"
    return section(
        "Points in play",
        table(["card", *letters], [["points", *(str(points) for points in worth)]]),
        f"They go to the {unit(rules)} that wins the trick. The last trick brings "
        f"{law.last_trick} more. That makes {total}.",
    )


def keeping(rules: Rules) -> str:
    """Return the section on counting a deal, and on what a side must win to keep its meld."""
    law, one, own, melds = rules.scoring, unit(rules), unit_possessive(rules), melded(rules)
    keep = {
        KeepMeld.ALWAYS: "",
        KeepMeld.COUNTER: f"To keep {own} meld a {one} must win at least one *counter*, an ace, "
        "ten or king, in a trick. The last trick alone does not do"
        f"{', nor do buried cards' if rules.deal.kitty else ''}. Who wins none loses the meld but "
        "keeps the points in play.",
        KeepMeld.TRICK: f"To keep {own} meld a {one} must win at least one trick.",
        KeepMeld.POINT: f"To keep {own} meld a {one} must win at least one point in play; the "
        "bonus for the last trick will do.",
    }[law.keep_meld]
    return section(
        "Counting the deal",
        bullets(
            f"After the last trick each {one} adds up {own} "
            f"{'meld and points in play' if melds else 'points in play'}.",
            "Buried cards count for the declarer." if rules.deal.kitty else "",
            "Meld has been scored as it was laid; the game can end only when the deal is over."
            if Phase.STOCK_PLAY in rules.phases and melds
            else "",
            keep if melds else "",
            f"Nines of trump are written down apart: they are kept even by a {one} without a point "
            "and by a declarer who is set, and they help to make the bid."
            if _apart(rules)
            else "",
            f"A {one} whose meld is below {law.least_meld} scores 0 for meld."
            if law.least_meld and melds
            else "",
            f"A {one} with less than {law.least_play} in play, the last trick included, scores 0 "
            f"for play{f' and loses {own} meld too' if melds else ''}."
            if law.least_play
            else "",
            f"A {one} whose whole deal, meld and play together, comes to less than "
            f"{law.least_hand} scores 0."
            if law.min_twenty
            else "",
        ),
    )


def _payment(rules: Rules) -> str:
    """Return the section on what bids pay."""
    law, one = rules.scoring, unit(rules)
    rows = [[f"from {bid}", str(units)] for bid, units in law.pays]
    rows[0][0] = f"below {law.pays[1][0]}" if len(rows) > 1 else "any"
    spades = f"Where spades are trump it is {law.spades_pay} times as much."
    again = f"A bid that was played and set costs {law.set_pays} times as much."
    return section(
        "What a deal pays",
        f"Points only tell whether the bid is made. A {one} that makes it is paid by each other "
        f"{one}; a {one} that does not pays them:",
        table(["bid", "pays"], rows),
        bullets(
            spades if law.spades_pay > 1 else "",
            again if law.set_pays > 1 else "",
            f"Who gives up pays once{', whatever is trump' if law.spades_pay > 1 else ''}."
            if law.concede is not Concede.NEVER
            else "",
            "Who has no marriage to name trump from pays once."
            if rules.auction is not None and rules.auction.marriage_needed
            else "",
        ),
    )


def _apart(rules: Rules) -> bool:
    """Return whether nines of trump exist and are written down apart."""
    return rules.scoring.nines_apart and "dix" in melded(rules)


def giving_up(rules: Rules) -> str:
    """Return the section on whether and when the declarer may give up, and what it costs."""
    if rules.auction is None:
        return ""
    law = rules.scoring
    if law.concede is Concede.NEVER:
        return section("Giving up", "There is no giving up: every deal is played to the end.")
    when = {
        Concede.ALWAYS: "Before leading to the first trick the declarer may give up.",
        Concede.HOPELESS: "Before leading to the first trick the declarer may give up if the bid "
        f"is beyond reach: more than {'the side' if rules.partners else 'the declarer'}'s meld "
        + (f"(0 if below {law.least_meld}) " if law.least_meld else "")
        + f"and all {most_in_play(rules, rules.seats)} points in play together.",
    }[law.concede]
    if law.pays:
        return section("Giving up", when)
    nines = " but keeps the nines of trump" if _apart(rules) else ""
    rest = (
        f"{others_score_phrase(rules)} {meld_of_others(rules)} without having to win anything"
        if rules.melds.defenders_meld
        else "nobody else scores"
    )
    return section(
        "Giving up",
        paragraph(
            when,
            f"The {declarer(rules)} then loses the bid from {unit_possessive(rules)} total{nines},"
            f" and {rest}.",
        ),
    )


def made_or_set(rules: Rules) -> str:
    """Return the section on the result of a bid; without an auction, on the score."""
    if rules.auction is None:
        return section(
            "The score",
            f"There is no bid: each {unit(rules)} scores {unit_possessive(rules)} "
            f"{'meld and points in play' if melded(rules) else 'points in play'}.",
        )
    law, own = rules.scoring, unit_possessive(rules)
    if law.pays:
        return _payment(rules)
    nines = ", except the nines of trump" if _apart(rules) else ""
    rest = f"{others_score_phrase(rules).capitalize()} as usual"
    if law.set_pays_defenders:
        penalty = f"Meld and play score nothing{nines}. {rest}, and the bid on top."
    else:
        penalty = (
            f"The bid is taken off {own} total, and meld and play score nothing{nines}. {rest}."
        )
    return section(
        "Made or set",
        bullets(
            f"If the {declarer(rules)} has at least as many points as were bid, the bid is "
            "*made*, and everybody scores what they have.",
            f"If not, the {declarer(rules)} is *set*. {penalty}",
        ),
    )


def renege(rules: Rules) -> str:
    """Return the section on illegal plays."""
    if rules.play.renege is Renege.REFUSE:
        return section(
            "Illegal plays", "A card that may not be played is refused, and the rule is named."
        )
    drawing = Phase.REDRAW in rules.phases and 0 < rules.most_redrawn(rules.seats) < rules.hand_size
    what = "a card played against the rules" + (", or a discard over the limit" if drawing else "")
    floor = (
        f", if it is {min_meld_without_play(rules)} or more" if min_meld_without_play(rules) else ""
    )
    nines = ", not even nines of trump" if _apart(rules) else ""
    one = "The offender's side" if rules.partners else "The offender"
    if rules.auction is None:
        cost = f"{one} scores nothing for this deal, melds included."
    else:
        cost = (
            f"{one} loses the bid, whoever made it, and scores nothing for this deal{nines}. "
            "Nobody else is set."
        )
    if rules.scoring.pays:
        return section(
            "Illegal plays",
            f"A *renege* is {what}. It is accepted, but noticed at once, and ends the deal. {one} "
            f"pays each other {unit(rules)} as if a bid had been played and set.",
        )
    rest = "All others score their meld"
    if rules.partners and len(rules.sides) == 2:
        rest = "The other side scores its meld"
    return section(
        "Illegal plays",
        paragraph(
            f"A *renege* is {what}. It is accepted, but noticed at once, and ends the deal.",
            cost,
            f"{rest}{floor}, but no points in play.",
            "After a discard over the limit nobody has melded yet, so the others score 0 then."
            if drawing
            else "",
        ),
    )


def ending(rules: Rules) -> str:
    """Return the section on when the game is over and who has won."""
    law = rules.ending
    bids = rules.auction is not None
    one, first = unit(rules), declarer(rules)
    if law.hands is not None:
        tie = f"the last deal's {first} wins if among the tied; else" if bids else "there is"
        redeal = rules.auction is not None and rules.auction.all_pass is AllPass.REDEAL
        thrown = ", deals that were thrown in included" if redeal else ""
        return section(
            "The end of the game",
            f"The game is over after {counted(law.hands, 'deal')}{thrown}. The highest total wins, "
            f"and there is no target. In a tie {tie} another deal{' follows' if bids else ''}.",
        )
    start = f"The {one} whose total is {law.target} or more at the end of a deal wins."
    if rules.partners and len(rules.sides) == 2 and bids and law.declarer_first:
        # One of the two sides has the bid, so ties cannot matter.
        both = (
            f"If both sides get there in the same deal, the {first} wins, even with fewer points."
        )
        return section("The end of the game", paragraph(start, both))
    return section(
        "The end of the game",
        paragraph(
            start,
            f"If the {first} is among several who get there in the same deal, the {first} wins, "
            "even with fewer points. Otherwise the highest total wins."
            if bids and law.declarer_first
            else "If several get there in the same deal, the highest total wins.",
            _tie(rules),
        ),
    )


def _tie(rules: Rules) -> str:
    match rules.ending.tie:
        case Tie.ANOTHER_DEAL:
            return "If those are tied, another deal is played."
        case Tie.TIED_PLAY_ON:
            return (
                "If those are tied, they alone play on, with fresh deals among themselves, until "
                "one of them wins; the others are out."
            )
        case Tie.RAISE_TARGET:
            step = rules.ending.target_step
            start = rules.ending.target
            return (
                "If those are tied, everybody plays on to the next step above the tied score: "
                f"{start + step}, {start + 2 * step} and so on."
            )
