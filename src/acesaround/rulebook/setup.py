"""Rulebook sections before the melds: table, cards, deal, auction, kitty, trump, exchange, draw."""

from __future__ import annotations

from typing import Final

from acesaround.cards import Rank
from acesaround.rulebook.markdown import (
    bullets,
    counted,
    declarer,
    listed,
    meld_of_others,
    others_score_phrase,
    paragraph,
    section,
    unit,
    unit_possessive,
)
from acesaround.rulebook.meld import melded
from acesaround.rules import AllPass, Auction, FirstDealer, Rules, each, stuck_for
from acesaround.variants import changed_options

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")


def summary(rules: Rules) -> str:
    """Return the title and a summary: players, cards and the aim of the game."""
    ending = rules.ending
    if ending.hands is None:
        aim = f"The first {unit(rules)} to reach {ending.target} points wins."
    else:
        aim = f"The highest total after {counted(ending.hands, 'deal')} wins."
    also = [n for n in sorted(rules.players) if n != rules.seats]
    return "\n\n".join(
        [
            f"# {rules.title}{', with house options' if changed_options(rules) else ''}",
            paragraph(
                f"{rules.seats} players, {_seating(rules)}. {rules.deck.size} cards. {aim}",
                f"(Also for {listed(also, 'or')} players.)" if also else "",
            ),
            paragraph(
                "Points come from two sources: *meld*, which is certain cards held together, and "
                "*tricks*, which are won card against card."
                if melded(rules)
                else "Points come from *tricks*, which are won card against card.",
                "In each deal one suit is *trump* and beats the other three.",
            ),
        ]
    )


def _seating(rules: Rules) -> str:
    """Return who plays with whom."""
    if not rules.partners:
        return "each alone"
    sides = f"in {NUMBERS[len(rules.sides)]} sides"
    if rules.side_size == 2:
        return f"{sides}, partners opposite each other"
    return f"{sides} of {NUMBERS[rules.side_size]}, one of each in turn round the table"


def cards(rules: Rules) -> str:
    """Return the section on the deck and the rank of its cards."""
    deck = rules.deck
    ranks = [rank.letter.replace("T", "10") for rank in Rank][: deck.ranks]
    return section(
        "Cards",
        paragraph(
            f"Each of the four suits has {NUMBERS[deck.copies]} each of {listed(ranks)}, from high "
            "to low. The ten stands above the king.",
            "" if deck.nines else "There are no nines.",
            "Identical cards are called *twins*." if deck.copies > 1 else "",
        ),
    )


def tricks(rules: Rules) -> str:
    """Return the section on what a trick is and who wins it."""
    twins = "Of two twins the one played first counts as higher. " if rules.deck.copies > 1 else ""
    return section(
        "Tricks",
        f"One player *leads* a card, and the others follow clockwise with one card each: these "
        f"{rules.seats} cards are a trick. The highest trump in it wins; without trump, the "
        f"highest card of the suit led. {twins}The winner takes the trick and leads to the next.",
    )


def deal(rules: Rules) -> str:
    """Return the section on who deals, how many cards, and what is set aside."""
    law = rules.deal
    first = "The first dealer is drawn by lot"
    if rules.ending.first_dealer is FirstDealer.WINNER:
        first += "; in the next game its last winner deals first"
    packet = "one" if law.packet == 1 else law.packet
    left = rules.deck.size - rules.seats * rules.hand_size - law.kitty - law.upcard
    turned = ""
    if law.upcard:
        which = "The next card" if law.stock else "The last card, which is the dealer's,"
        turned = f"{which} is turned face up: the *upcard*. Its suit is trump."
        if law.stock and law.nines and rules.melds.nine_turned_up:
            turned += f" If it is a nine, the dealer scores {rules.melds.nine_turned_up}."
    return section(
        "The deal",
        paragraph(
            f"{first}. After each deal the next player to the left deals.",
            f"Each player gets {rules.hand_size} cards, {packet} at a time, beginning at the "
            "dealer's left.",
            f"{law.kitty} cards are set aside face down as the *kitty*, at any point of the deal "
            "but never the last card of the deck: here one after each of the first "
            f"{NUMBERS[law.kitty]} rounds."
            if law.kitty
            else "",
            turned,
            f"The {left} cards left over are the *stock*." if law.stock else "All cards are dealt.",
        ),
    )


def auction(rules: Rules) -> str:
    """Return the section on bidding."""
    law = rules.auction
    assert law is not None  # `Rules` allows this phase only with an auction
    gains = ["names trump"]
    if rules.deal.kitty:
        gains.append("takes the kitty")
    gains.append("leads first")
    promise = "your side" if rules.partners else "you"
    if law.one_round:
        turns = "Each player speaks once: a bid higher than the last one, or a pass."
    else:
        turns = "It goes round until all but one have passed. Who has passed is out of it."
    return section(
        "Bidding",
        f"A bid is a promise that {promise} will score at least that many points in this deal, "
        f"meld and tricks together. The highest bidder becomes the *declarer*, who "
        f"{listed(gains)}.",
        bullets(
            "The player to the dealer's left speaks first; the turn goes clockwise.",
            turns,
            _heights(law),
            _all_pass(law),
        ),
    )


def _heights(law: Auction) -> str:
    if law.raises:
        return (
            f"The first bid is {_first_bids(law)}. Each later bid is exactly "
            f"{listed(law.raises, 'or')} higher than the standing one."
        )
    steps = []
    for at, (start, step) in enumerate(law.steps):
        end = law.steps[at + 1][0] if at + 1 < len(law.steps) else None
        if end is not None and end <= law.lowest_bid:
            continue
        word = "whole numbers" if step == 1 else f"multiples of {step}"
        reach = f" from {max(start, law.lowest_bid)} " + ("on" if end is None else f"to {end}")
        steps.append(word + reach)
    if len(steps) == 1:
        steps = [steps[0].partition(" from ")[0]]
    return (
        f"The lowest bid is {law.lowest_bid}. Bids are {listed(steps)}. Each must be higher than "
        "the standing one, by as much as you like."
    )


def _first_bids(law: Auction) -> str:
    """Return the bids with which an auction may open."""
    if law.raises:
        return listed((law.lowest_bid + jump - law.raises[0] for jump in law.raises), "or")
    return f"{law.lowest_bid} or more"


def _all_pass(law: Auction) -> str:
    match law.all_pass:
        case AllPass.REDEAL:
            return (
                "If everybody passes, the cards are thrown in: nobody scores, and the next player "
                "deals."
            )
        case AllPass.DEALER:
            return f"If everybody passes, the dealer becomes declarer for {stuck_for(law)}."
        case AllPass.FIRST_BIDS:
            return f"The first to speak must bid, {_first_bids(law)}. All others may pass."
        case AllPass.DEALER_BIDS:
            return (
                f"If all the others pass, the dealer must bid, {_first_bids(law)}, and becomes "
                "declarer."
            )


def kitty(rules: Rules) -> str:
    """Return the section on taking the kitty and burying."""
    bury = rules.exchange.bury
    return section(
        "The kitty",
        f"The declarer shows the {rules.deal.kitty} cards of the kitty to all and takes them. Then "
        f"the declarer *buries* any {bury} cards: lays them face down. Buried cards cannot be "
        "melded. Their points count for the declarer, and they are shown when the deal is over.",
    )


def trump(rules: Rules) -> str:
    """Return the section on naming trump, and on a declarer who cannot name any."""
    assert rules.auction is not None
    if not rules.auction.marriage_needed:
        return section("Naming trump", "The declarer names trump: any suit.")
    law = rules.scoring
    there = melded(rules)
    trumps = [name for name in ("run", "royal marriage", "dix") if name in there]
    counts = f", and every marriage counts {each(rules.melds.marriage)[0]}"
    marriages = counts if "marriage" in there else ""
    if law.pays:
        verdict = f"the {declarer(rules)} pays the bid to each of the others, once"
    elif law.set_pays_defenders:
        verdict = f"the {declarer(rules)} scores 0, and {others_score_phrase(rules)} the bid"
        if law.no_marriage_pays and rules.melds.defenders_meld:
            verdict += f" and {meld_of_others(rules)}"
    else:
        verdict = f"the {declarer(rules)} loses the bid from {unit_possessive(rules)} total, and "
        verdict += (
            f"{others_score_phrase(rules)} {meld_of_others(rules)}"
            if law.no_marriage_pays and rules.melds.defenders_meld
            else "nobody else scores"
        )
    return section(
        "Naming trump",
        paragraph(
            "The declarer names trump: a suit in which they hold a *marriage*, its king and queen.",
            "The hand is looked at after the bury." if rules.deal.kitty else "",
            "A declarer without any marriage has lost the deal before a card is played: "
            f"{verdict}.",
            f"Without trump there is no {listed(trumps, 'or')}{marriages}."
            if law.no_marriage_pays and trumps
            else "",
        ),
    )


def exchange(rules: Rules) -> str:
    """Return the section on the cards that partners pass each other; "" if none."""
    number = rules.exchange.exchange
    if not number:
        return ""
    cards = counted(number, "card")
    if rules.side_size > 2:
        return section(
            "The exchange",
            f"Each partner of the declarer, clockwise, passes any {cards} to the declarer. When "
            f"all have done so, the declarer passes any {cards} back to each of them, in the same "
            "order, if need be the very same ones. Nobody may decline, and nobody else sees what "
            "two players pass each other.",
        )
    return section(
        "The exchange",
        f"The declarer's partner passes any {cards} to the declarer. Then the declarer passes back "
        f"any {cards}, if need be the very same. Nobody may decline, and the other side does not "
        "see what is passed.",
    )


def upcard(rules: Rules) -> str:
    """Return the section on how a nine of trump takes the dealer's upcard."""
    dix = (
        " It counts as a dix for who held it."
        if rules.melds.dix
        else " As a meld it counts for who held it."
    )
    must = rules.deal.nine_must_take
    gives = f"{'must' if must else 'may'} give it to the dealer for the upcard"
    asked = (
        f"each player is asked: who holds a nine of trump {gives}, and all others leave the upcard "
        "where it is"
        if rules.deal.all_asked
        else f"each player who holds a nine of trump {gives}"
        f"{'' if must else ', or leave the upcard where it is'}"
    )
    return section(
        "The upcard",
        paragraph(
            f"From the dealer's left, {asked}. The first who takes it ends this.{dix}",
            "Then the card that lies there, the upcard or the nine, goes to the dealer's hand.",
            "If the upcard is itself a nine, it stays with the dealer, for whom it counts.",
        ),
    )


def redraw(rules: Rules) -> str:
    """Return the section on discarding and drawing."""
    limit, n, hand = rules.most_redrawn(rules.seats), rules.seats, rules.hand_size
    stock = rules.deck.size - n * hand
    if not limit:
        return section(
            "Discard and draw",
            f"The {counted(stock, 'card')} of the stock cannot be shared out among {n} players, so "
            "nobody exchanges any.",
        )
    return section(
        "Discard and draw",
        paragraph(
            "Each player decides which cards to discard, and nobody's number is shown before all "
            "have decided. Then each draws as many from the top of the stock, the declarer first, "
            "then clockwise.",
            f"You may exchange up to {counted(limit, 'card')}, or none: the stock is shared out "
            f"evenly ({stock} cards / {n} players = {stock // n}"
            f"{', rounded down' if stock % n else ''}), and "
            f"{'the whole hand' if limit == hand else 'a hand'} is {hand}.",
            "Discards stay hidden and out of play.",
        ),
    )
