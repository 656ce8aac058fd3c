"""Rulebook sections before the melds: table, cards, deal, auction, kitty, trump, exchange, draw."""

from __future__ import annotations

from typing import Final

from acesaround.cards import Rank
from acesaround.rulebook.markdown import (
    bullets,
    declarer_phrase,
    join_words,
    meld_of_others,
    others_score_phrase,
    paragraph,
    pluralize,
    section,
    side_word,
    unit_possessive,
)
from acesaround.rulebook.meld import possible_melds
from acesaround.rules import (
    AllPass,
    Auction,
    FirstDealer,
    Phase,
    Rules,
    as_values,
    dealer_forced_bid,
)
from acesaround.variants import changed_options

_GAINS: Final = {
    Phase.KITTY: "takes the kitty",
    Phase.TRUMP: "names trump",
    Phase.PLAY: "leads first",
}
"""What the declarer may do, by phase."""
NUMBER_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six")


def summary(rules: Rules) -> str:
    """Return the title and a summary: players, cards and the aim of the game."""
    ending = rules.ending
    if ending.hands is None:
        aim = f"The first {side_word(rules)} to reach {ending.target} points wins."
    else:
        aim = f"The highest total after {pluralize(ending.hands, 'deal')} wins."
    other_counts = [n for n in sorted(rules.players) if n != rules.seats]
    return "\n\n".join(
        [
            f"# {rules.title}{', with house options' if changed_options(rules) else ''}",
            paragraph(
                f"{rules.seats} players, {_seating_text(rules)}. {rules.deck.size} cards. {aim}",
                f"(Also for {join_words(other_counts, 'or')} players.)" if other_counts else "",
            ),
            paragraph(
                "You score points in two ways: with *meld*, combinations of cards held together, "
                "and by winning *tricks*."
                if possible_melds(rules)
                else "You score points by winning *tricks*.",
                "In each deal one suit is *trump* and beats the other three.",
            ),
        ]
    )


def _seating_text(rules: Rules) -> str:
    """Return who plays with whom."""
    if not rules.has_partners:
        return "each alone"
    sides = f"in {NUMBER_WORDS[len(rules.sides)]} sides"
    if rules.side_size == 2:
        return f"{sides}, partners opposite each other"
    return f"{sides} of {NUMBER_WORDS[rules.side_size]}, which sit alternately round the table"


def cards(rules: Rules) -> str:
    """Return the section on the deck and the rank of its cards."""
    deck = rules.deck
    ranks = [rank.letter.replace("T", "10") for rank in Rank][: deck.ranks]
    return section(
        "Cards",
        paragraph(
            f"Each suit has {NUMBER_WORDS[deck.copies]} of each card: {join_words(ranks)}, from "
            "high to low. The ten stands above the king.",
            "" if deck.nines else "There are no nines.",
            "Identical cards are called *twins*." if deck.copies > 1 else "",
        ),
    )


def tricks(rules: Rules) -> str:
    """Return the section on what a trick is and who wins it."""
    twins_rule = "Of two twins, the one played first is higher. " if rules.deck.copies > 1 else ""
    return section(
        "Tricks",
        f"One player *leads* a card, and the others follow clockwise with one card each: these "
        f"{rules.seats} cards are a trick. The highest trump in it wins. If it has no trump, the "
        f"highest card of the suit led wins. {twins_rule}The winner takes the trick and leads to "
        "the "
        "next.",
    )


def deal(rules: Rules) -> str:
    """Return the section on who deals, how many cards, and what is set aside."""
    deal_rules = rules.deal
    first_dealer = "The first dealer is drawn by lot"
    if rules.ending.first_dealer is FirstDealer.WINNER:
        first_dealer += "; in the next game the last winner deals first"
    packet = "one" if deal_rules.packet == 1 else deal_rules.packet
    left_over = (
        rules.deck.size - rules.seats * rules.hand_size - deal_rules.kitty - deal_rules.upcard
    )
    upcard_rule = ""
    if deal_rules.upcard:
        upcard_source = (
            "The next card" if deal_rules.stock else "The last card, which is the dealer's,"
        )
        upcard_rule = f"{upcard_source} is turned face up: the *upcard*. Its suit is trump."
        if deal_rules.stock and deal_rules.nines and rules.melds.nine_turned_up:
            upcard_rule += f" If it is a nine, the dealer scores {rules.melds.nine_turned_up}."
    return section(
        "The deal",
        paragraph(
            f"{first_dealer}. After each deal the next player to the left deals.",
            f"Each player gets {rules.hand_size} cards, {packet} at a time, beginning at the "
            "dealer's left.",
            f"{pluralize(deal_rules.kitty, 'card')} {'is' if deal_rules.kitty == 1 else 'are'} set "
            "aside face down as the *kitty*, at any point of the deal but never the last card of "
            "the deck: here "
            + (
                "after the first round."
                if deal_rules.kitty == 1
                else f"one after each of the first {NUMBER_WORDS[deal_rules.kitty]} rounds."
            )
            if deal_rules.kitty
            else "",
            upcard_rule,
            f"The {pluralize(left_over, 'card')} left over {'is' if left_over == 1 else 'are'} the "
            "*stock*."
            if deal_rules.stock
            else "All cards are dealt.",
        ),
    )


def auction(rules: Rules) -> str:
    """Return the section on bidding."""
    auction_rules = rules.auction
    assert auction_rules is not None  # `Rules` allows this phase only with an auction
    gains = [_GAINS[phase] for phase in rules.phases if phase in _GAINS]
    bidding_side = "your side" if rules.has_partners else "you"
    if auction_rules.one_round:
        turns_rule = "Each player speaks once: a bid higher than the last one, or a pass."
    else:
        turns_rule = (
            "Bidding goes round until all but one have passed. A player who has passed bids no "
            "more."
        )
    return section(
        "Bidding",
        f"A bid is a promise that {bidding_side} will score at least that many points in this "
        "deal, "
        f"meld and tricks together. The highest bidder becomes the *declarer*, who "
        f"{join_words(gains)}.",
        bullets(
            "The player to the dealer's left speaks first; the turn goes clockwise.",
            turns_rule,
            _bid_heights(auction_rules),
            _all_pass_sentence(auction_rules),
        ),
    )


def _bid_heights(auction_rules: Auction) -> str:
    if auction_rules.raises:
        return (
            f"The first bid is {_opening_bids(auction_rules)}. Each later bid is exactly "
            f"{join_words(auction_rules.raises, 'or')} higher than the last bid."
        )
    steps = []
    for index, (start, step) in enumerate(auction_rules.steps):
        end = auction_rules.steps[index + 1][0] if index + 1 < len(auction_rules.steps) else None
        if end is not None and end <= auction_rules.lowest_bid:
            continue
        word = "whole numbers" if step == 1 else f"multiples of {step}"
        range_text = f" from {max(start, auction_rules.lowest_bid)} " + (
            "on" if end is None else f"to {end}"
        )
        steps.append(word + range_text)
    if len(steps) == 1:
        steps = [steps[0].partition(" from ")[0]]
    return (
        f"The lowest bid is {auction_rules.lowest_bid}. Bids are {join_words(steps)}. Each must "
        "be higher than the last bid, by as much as you like."
    )


def _opening_bids(auction_rules: Auction) -> str:
    """Return the bids with which an auction may open."""
    if auction_rules.raises:
        return join_words(
            (
                auction_rules.lowest_bid + jump - auction_rules.raises[0]
                for jump in auction_rules.raises
            ),
            "or",
        )
    return f"{auction_rules.lowest_bid} or more"


def _all_pass_sentence(auction_rules: Auction) -> str:
    match auction_rules.all_pass:
        case AllPass.REDEAL:
            return "If everybody passes, nobody scores, and the next player deals new cards."
        case AllPass.DEALER:
            return (
                "If everybody passes, the dealer becomes declarer for "
                f"{dealer_forced_bid(auction_rules)}."
            )
        case AllPass.FIRST_BIDS:
            return (
                f"The first player to speak must bid: {_opening_bids(auction_rules)}. All others "
                "may pass."
            )
        case AllPass.DEALER_BIDS:
            return (
                f"If all the others pass, the dealer must bid {_opening_bids(auction_rules)}, and "
                "becomes declarer."
            )


def kitty(rules: Rules) -> str:
    """Return the section on taking the kitty and burying."""
    bury = rules.exchange.bury
    return section(
        "The kitty",
        f"The declarer shows the {pluralize(rules.deal.kitty, 'card')} of the kitty to all and "
        f"takes {'it' if rules.deal.kitty == 1 else 'them'}. Then the declarer *buries* any "
        f"{pluralize(bury, 'card')}, which means to lay {'it' if bury == 1 else 'them'} away face "
        "down. Buried "
        "cards cannot be melded. Their points count for the declarer, and they are shown when the "
        "deal is over.",
    )


def trump(rules: Rules) -> str:
    """Return the section on naming trump, and on a declarer who cannot name any."""
    assert rules.auction is not None
    if not rules.auction.marriage_needed:
        return section("Naming trump", "The declarer names trump: any suit.")
    scoring = rules.scoring
    possible = possible_melds(rules)
    trump_melds = [name for name in ("run", "royal marriage", "dix") if name in possible]
    marriages_rule = f", and every marriage counts {as_values(rules.melds.marriage)[0]}"
    marriages_text = marriages_rule if "marriage" in possible else ""
    if scoring.pays:
        verdict = f"the {declarer_phrase(rules)} pays the bid to each of the others, once"
    elif scoring.set_pays_defenders:
        verdict = f"the {declarer_phrase(rules)} scores 0, and {others_score_phrase(rules)} the bid"
        if scoring.no_marriage_pays and rules.melds.defenders_meld:
            verdict += f" and {meld_of_others(rules)}"
    else:
        verdict = (
            f"the {declarer_phrase(rules)} loses the bid from {unit_possessive(rules)} total, and "
        )
        verdict += (
            f"{others_score_phrase(rules)} {meld_of_others(rules)}"
            if scoring.no_marriage_pays and rules.melds.defenders_meld
            else "nobody else scores"
        )
    return section(
        "Naming trump",
        paragraph(
            "The declarer names trump: a suit in which they hold a *marriage*, its king and queen.",
            "The hand after the bury counts." if rules.deal.kitty else "",
            f"A declarer without a marriage loses the deal before a card is played: {verdict}.",
            f"Without trump there is no {join_words(trump_melds, 'or')}{marriages_text}."
            if scoring.no_marriage_pays and trump_melds
            else "",
        ),
    )


def exchange(rules: Rules) -> str:
    """Return the section on the cards that partners pass each other; "" if none."""
    number = rules.exchange.exchange
    if not number:
        return ""
    cards_text = pluralize(number, "card")
    if rules.side_size > 2:
        return section(
            "The exchange",
            f"Each partner of the declarer, clockwise, passes any {cards_text} to the declarer. "
            "When "
            f"all have done so, the declarer passes any {cards_text} back to each of them, in the "
            "same "
            "order; these may be the same cards. Nobody may decline, and nobody else sees what "
            "two players pass each other.",
        )
    return section(
        "The exchange",
        f"The declarer's partner passes any {cards_text} to the declarer. Then the declarer "
        "passes back "
        f"any {cards_text}, which may be the same cards. Nobody may decline, and the other side "
        "does not see what is passed.",
    )


def upcard(rules: Rules) -> str:
    """Return the section on how a nine of trump takes the dealer's upcard."""
    dix_rule = (
        " The nine counts as a dix for the player who held it."
        if rules.melds.dix
        else " In melds the nine counts for the player who held it."
    )
    must_give = rules.deal.nine_must_take
    gives_text = f"{'must' if must_give else 'may'} give it to the dealer for the upcard"
    asking_rule = (
        f"each player is asked: a player with a nine of trump {gives_text}; all others leave the "
        "upcard where it is"
        if rules.deal.all_asked
        else f"each player who holds a nine of trump {gives_text}"
        f"{'' if must_give else ', or leave the upcard where it is'}"
    )
    return section(
        "The upcard",
        paragraph(
            f"From the dealer's left, {asking_rule}. When one player has taken it, nobody else "
            f"can.{dix_rule}",
            "Then the card that lies there, the upcard or the nine, goes to the dealer's hand.",
            "If the upcard is itself a nine, it stays with the dealer, for whom it counts.",
        ),
    )


def redraw(rules: Rules) -> str:
    """Return the section on discarding and drawing."""
    limit, n, hand = rules.max_redraw(rules.seats), rules.seats, rules.hand_size
    stock = rules.deck.size - n * hand
    if not limit:
        return section(
            "Discard and draw",
            f"The {pluralize(stock, 'card')} of the stock cannot be shared out evenly among {n} "
            "players, so nobody exchanges any.",
        )
    return section(
        "Discard and draw",
        paragraph(
            "Each player decides which cards to discard. Nobody sees how many another discards "
            "before all have decided. Then each draws as many from the top of the stock, the "
            "declarer first, "
            "then clockwise.",
            f"You may exchange up to {pluralize(limit, 'card')}, or none: the stock is shared out "
            f"evenly ({stock} cards / {n} players = {stock // n}"
            f"{', rounded down' if stock % n else ''}), and "
            f"{'the whole hand' if limit == hand else 'a hand'} is {hand}.",
            "Discarded cards stay face down and are not played.",
        ),
    )
