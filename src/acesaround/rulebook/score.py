"""Rulebook sections on scoring: card points, keeping meld, bids, renege, end of the game."""

from __future__ import annotations

from acesaround.cards import RANK_COUNT, Rank
from acesaround.rulebook.markdown import (
    bullets,
    declarer_phrase,
    meld_of_others,
    min_meld_without_play,
    others_score_phrase,
    paragraph,
    pluralize,
    section,
    side_word,
    table,
    unit_possessive,
)
from acesaround.rulebook.meld import possible_melds
from acesaround.rules import AllPass, Concede, KeepMeld, Phase, Renege, Rules, Tie
from acesaround.rules.scoring import max_play_points
from acesaround.rules.tricks import points_of


def card_points(rules: Rules) -> str:
    """Return the section on card points: each card, the last trick, and the total."""
    scoring = rules.scoring
    ranks = rules.deck.ranks
    rank_points = points_of(scoring.card_points)[:RANK_COUNT][:ranks]
    letters = [rank.letter.replace("T", "10") for rank in Rank][:ranks]
    dealt = rules.seats * rules.hand_size + rules.deal.kitty
    are_all_played = rules.auction is None or dealt == rules.deck.size
    max_points = max_play_points(rules, rules.seats)
    total = (
        f"{max_points} points"
        if are_all_played
        else f"at most {max_points} points, because some cards are not played"
    )
    return section(
        "Points in play",
        table(["card", *letters], [["points", *(str(points) for points in rank_points)]]),
        f"The {side_word(rules)} that wins the trick scores them. The last trick scores "
        f"{scoring.last_trick} more. That makes {total}.",
    )


def counting(rules: Rules) -> str:
    """Return the section on counting a deal, and on what a side must win to keep its meld."""
    scoring, side, possessive, melds = (
        rules.scoring,
        side_word(rules),
        unit_possessive(rules),
        possible_melds(rules),
    )
    keep_rule = {
        KeepMeld.ALWAYS: "",
        KeepMeld.COUNTER: f"To keep {possessive} meld a {side} must win at least one *counter*, "
        "an ace, "
        "ten or king, in a trick. The last trick alone is not enough"
        f"{', nor are buried cards' if rules.deal.kitty else ''}. Without one, the meld is lost, "
        "but points in play still count.",
        KeepMeld.TRICK: f"To keep {possessive} meld a {side} must win at least one trick.",
        KeepMeld.POINT: f"To keep {possessive} meld a {side} must win at least one point in play; "
        "the bonus for the last trick is enough.",
    }[scoring.keep_meld]
    return section(
        "Counting the deal",
        bullets(
            f"After the last trick each {side} adds up {possessive} "
            f"{'meld and points in play' if melds else 'points in play'}.",
            "Buried cards count for the declarer." if rules.deal.kitty else "",
            "Each meld scored when it was laid, but the game can end only after the deal."
            if Phase.STOCK_PLAY in rules.phases and melds
            else "",
            keep_rule if melds else "",
            f"Nines of trump are written down separately. A {side} without a point and a declarer "
            "who is set keep them, and they count toward the bid."
            if _has_separate_nines(rules)
            else "",
            f"A {side} whose meld is below {scoring.least_meld} scores 0 for meld."
            if scoring.least_meld and melds
            else "",
            f"A {side} with less than {scoring.least_play} in play, the last trick included, "
            "scores 0 "
            f"for play{f' and loses {possessive} meld too' if melds else ''}."
            if scoring.least_play
            else "",
            f"A {side} whose whole deal, meld and play together, comes to less than "
            f"{scoring.least_hand} scores 0."
            if scoring.min_twenty
            else "",
        ),
    )


def _payment_section(rules: Rules) -> str:
    """Return the section on what bids pay."""
    scoring, side = rules.scoring, side_word(rules)
    rows = [[f"from {bid}", str(units)] for bid, units in scoring.pays]
    rows[0][0] = f"below {scoring.pays[1][0]}" if len(rows) > 1 else "any"
    spades_rule = f"If spades are trump, it is {scoring.spades_pay} times as much."
    set_rule = f"A bid that was played and set costs {scoring.set_pays} times as much."
    return section(
        "What a deal pays",
        f"Points only decide whether the bid is made. A {side} that makes it is paid by each other "
        f"{side}; a {side} that does not pays them:",
        table(["bid", "pays"], rows),
        bullets(
            spades_rule if scoring.spades_pay > 1 else "",
            set_rule if scoring.set_pays > 1 else "",
            f"A declarer who gives up pays "
            f"once{', even if spades are trump' if scoring.spades_pay > 1 else ''}."
            if scoring.concede is not Concede.NEVER
            else "",
            "A declarer who has no marriage pays once."
            if rules.auction is not None and rules.auction.marriage_needed
            else "",
        ),
    )


def _has_separate_nines(rules: Rules) -> bool:
    """Return whether nines of trump exist and are written down apart."""
    return rules.scoring.nines_apart and "dix" in possible_melds(rules)


def giving_up(rules: Rules) -> str:
    """Return the section on whether and when the declarer may give up, and what it costs."""
    if rules.auction is None:
        return ""
    scoring = rules.scoring
    if scoring.concede is Concede.NEVER:
        return section("Giving up", "Nobody may give up: every deal is played to the end.")
    when = {
        Concede.ALWAYS: "Before leading to the first trick the declarer may give up.",
        Concede.HOPELESS: "Before leading to the first trick the declarer may give up if the bid "
        "cannot be made because it is more than "
        f"{'the side' if rules.has_partners else 'the declarer'}'s meld "
        + (f"(0 if below {scoring.least_meld}) " if scoring.least_meld else "")
        + f"and all {max_play_points(rules, rules.seats)} points in play together.",
    }[scoring.concede]
    if scoring.pays:
        return section("Giving up", when)
    nines = " but keeps the nines of trump" if _has_separate_nines(rules) else ""
    others_text = (
        f"{others_score_phrase(rules)} {meld_of_others(rules)} without having to win anything"
        if rules.melds.defenders_meld
        else "nobody else scores"
    )
    return section(
        "Giving up",
        paragraph(
            when,
            f"The {declarer_phrase(rules)} then loses the bid from {unit_possessive(rules)} "
            f"total{nines},"
            f" and {others_text}.",
        ),
    )


def made_or_set(rules: Rules) -> str:
    """Return the section on the result of a bid; without an auction, on the score."""
    if rules.auction is None:
        return section(
            "The score",
            f"There is no bid: each {side_word(rules)} scores {unit_possessive(rules)} "
            f"{'meld and points in play' if possible_melds(rules) else 'points in play'}.",
        )
    scoring, possessive = rules.scoring, unit_possessive(rules)
    if scoring.pays:
        return _payment_section(rules)
    nines = ", except the nines of trump" if _has_separate_nines(rules) else ""
    others_text = f"{others_score_phrase(rules).capitalize()} as usual"
    if scoring.set_pays_defenders:
        penalty = f"Meld and play score nothing{nines}. {others_text}, plus the bid."
    else:
        penalty = (
            f"The bid is subtracted from {possessive} total, and meld and play score "
            f"nothing{nines}. {others_text}."
        )
    return section(
        "Made or set",
        bullets(
            f"If the {declarer_phrase(rules)} has at least as many points as were bid, the bid is "
            "*made*, and everybody scores what they have.",
            f"If not, the {declarer_phrase(rules)} is *set*. {penalty}",
        ),
    )


def renege(rules: Rules) -> str:
    """Return the section on illegal plays."""
    if rules.play.renege is Renege.REFUSE:
        return section("Illegal plays", "The table refuses an illegal card and names the rule.")
    can_discard_too_many = (
        Phase.REDRAW in rules.phases and 0 < rules.max_redraw(rules.seats) < rules.hand_size
    )
    offence = "a card played against the rules" + (
        ", or a discard over the limit" if can_discard_too_many else ""
    )
    min_meld_text = (
        f", if it is {min_meld_without_play(rules)} or more" if min_meld_without_play(rules) else ""
    )
    nines = ", not even nines of trump" if _has_separate_nines(rules) else ""
    offender = "The offender's side" if rules.has_partners else "The offender"
    if rules.auction is None:
        cost = f"{offender} scores nothing for this deal, melds included."
    else:
        cost = (
            f"{offender} loses the bid, no matter who made it, and scores nothing for "
            f"this deal{nines}. "
            "Nobody else is set."
        )
    if rules.scoring.pays:
        return section(
            "Illegal plays",
            f"A *renege* is {offence}. The table accepts it, but it ends the deal. {offender} "
            f"pays each other {side_word(rules)} as if a bid had been played and set.",
        )
    others_text = "All others score their meld"
    if rules.has_partners and len(rules.sides) == 2:
        others_text = "The other side scores its meld"
    return section(
        "Illegal plays",
        paragraph(
            f"A *renege* is {offence}. The table accepts it, but it ends the deal.",
            cost,
            f"{others_text}{min_meld_text}, but no points in play.",
            "After a discard over the limit nobody has melded yet, so the others score 0."
            if can_discard_too_many
            else "",
        ),
    )


def ending(rules: Rules) -> str:
    """Return the section on when the game is over and who has won."""
    ending_rules = rules.ending
    has_auction = rules.auction is not None
    side, declaring_side = side_word(rules), declarer_phrase(rules)
    if ending_rules.hands is not None:
        tie = (
            f"the {declaring_side} of the last deal wins if it is one of the tied; otherwise"
            if has_auction
            else "there is"
        )
        redeal = rules.auction is not None and rules.auction.all_pass is AllPass.REDEAL
        thrown_in_text = ", including deals in which everybody passed" if redeal else ""
        return section(
            "The end of the game",
            f"The game is over after {pluralize(ending_rules.hands, 'deal')}{thrown_in_text}. The "
            "highest total wins, "
            f"and there is no target. In a tie {tie} another "
            f"deal{' follows' if has_auction else ''}.",
        )
    start = f"The {side} whose total is {ending_rules.target} or more at the end of a deal wins."
    if rules.has_partners and len(rules.sides) == 2 and has_auction and ending_rules.declarer_first:
        # One of the two sides has the bid, so ties cannot matter.
        both_reach_rule = (
            f"If both sides reach it in the same deal, the {declaring_side} wins, "
            "even with fewer points."
        )
        return section("The end of the game", paragraph(start, both_reach_rule))
    return section(
        "The end of the game",
        paragraph(
            start,
            f"If the {declaring_side} is among several who reach it in the same deal, the "
            f"{declaring_side} wins, "
            "even with fewer points. Otherwise the highest total wins."
            if has_auction and ending_rules.declarer_first
            else "If several reach it in the same deal, the highest total wins.",
            _tie_sentence(rules),
        ),
    )


def _tie_sentence(rules: Rules) -> str:
    match rules.ending.tie:
        case Tie.ANOTHER_DEAL:
            return "If they are tied, another deal is played."
        case Tie.TIED_PLAY_ON:
            return "If they are tied, only they play further deals until one of them wins."
        case Tie.RAISE_TARGET:
            step = rules.ending.target_step
            start = rules.ending.target
            return (
                "If they are tied, everybody plays on, and the target rises to the next step "
                "above the tied score: "
                f"{start + step}, {start + 2 * step} and so on."
            )
