"""Reasons: the card first, then one thing that is so, and no number."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import acesaround
from acesaround import bots, game, variants
from acesaround.actions import PASS, Bury, Give, Play
from acesaround.bots.advice import advice, relative_seat_names
from acesaround.bots.explanations import (
    Explanation,
    ReasonTemplate,
    explain_action,
    explanation_parts,
    reason_sentence,
)
from acesaround.cards import RANK_COUNT, Card, Rank, Suit, counts
from acesaround.game.narration import suggestion
from acesaround.game.state import GameState
from acesaround.game.view import View, view_for
from acesaround.rules.tricks import beats
from acesaround.variants import PARTNERSHIP
from tests.scripted_games import contract, deal
from tests.spoken_reasons import named, read

VARIANTS = sorted(variants.VARIANTS)
SOURCES = Path(acesaround.__file__).parent


class Said(NamedTuple):
    state: GameState
    seat: int
    bot: str
    advice: bots.Advice


@pytest.fixture(scope="module")
def collected() -> Callable[[str], list[Said]]:
    """All that is said in some deals of a variant: every seat's reason for what it does."""
    return cache(_collected)  # forgotten after this module


def _collected(variant: str) -> list[Said]:
    found, rules = [], variants.get(variant)
    for number, bot in enumerate(("thumb", "search:time=0.001", "easy")):
        rng, state = random.Random(number), game.start(rules, 0)
        players = [bots.make(bot, random.Random(f"{number} {seat}")) for seat in range(rules.seats)]
        while state.phase is not None and state.deals < 1:
            decision = game.decision(state)
            if decision.seat is None:
                state, _ = game.apply(state, decision.legal.sample(rng))
                continue
            seat = decision.seat
            its = advice(players[seat], view_for(state, seat), decision)
            found.append(Said(state, seat, players[seat].name, its))
            state, _ = game.apply(state, its.action)
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_reason_reads_as_a_partner_says_it(
    collected: Callable[[str], list[Said]], variant: str
) -> None:
    for one in collected(variant):
        read(one.advice.action, one.advice.why, view_for(one.state, one.seat))


def test_many_sayings_are_heard_and_none_all_the_time(
    collected: Callable[[str], list[Said]],
) -> None:
    heard = Counter(
        one.advice.why.saying
        for variant in VARIANTS
        for one in collected(variant)
        if isinstance(one.advice.why, Explanation)
    )
    del heard[ReasonTemplate.ONLY_CARD]
    assert len(heard) > 60
    assert heard.most_common(1)[0][1] < heard.total() / 8


def test_every_saying_is_said_somewhere() -> None:
    sources = "".join(
        path.read_text() for path in SOURCES.rglob("*.py") if path.name != "because.py"
    )
    used = set(re.findall(r"ReasonTemplate\.([A-Z_]+)", sources))
    assert used == {saying.name for saying in ReasonTemplate}


# --- what is said is so --------------------------------------------------------------------------


class Place(NamedTuple):
    """A card played, and all hands."""

    state: GameState
    seen: View
    card: Card
    why: Explanation

    def hand(self, seat: int | None) -> list[Card]:
        assert seat is not None
        held = counts(self.state.hands[seat])
        return [Card(card) for card in range(24) for _ in range(held[card])]

    def others(self) -> list[list[Card]]:
        return [self.hand(seat) for seat in self.seen.players if seat != self.seen.seat]

    def higher(self, cards: list[Card], of: Card) -> bool:
        return any(card.suit is of.suit and card < of for card in cards)

    def follows(self, seat: int | None, suit: Suit) -> bool:
        return any(card.suit is suit for card in self.hand(seat))

    @property
    def led(self) -> Suit:
        return (self.seen.trick or (self.card,))[0].suit

    @property
    def trump(self) -> Suit:
        assert self.seen.trump is not None
        return self.seen.trump

    def no_higher(self) -> bool:
        return not any(self.higher(hand, self.card) for hand in self.others())

    def best(self) -> Card:
        found = self.seen.trick[0]
        for card in self.seen.trick:
            found = card if beats(card, found, self.trump) else found
        return found


SO: Final[dict[ReasonTemplate, Callable[[Place], bool]]] = {
    ReasonTemplate.LAST_CARD: lambda at: len(at.seen.hand) == 1,
    ReasonTemplate.NO_HIGHER_TRUMP: lambda at: at.card.suit is at.trump and at.no_higher(),
    ReasonTemplate.NOTHING_OUT: lambda at: (
        at.no_higher() and not any(c.suit is at.trump for hand in at.others() for c in hand)
    ),
    ReasonTemplate.HIGH_AND_FOLLOWS: lambda at: at.no_higher() and at.follows(at.why.seat, at.led),
    ReasonTemplate.HIGH_AND_NO_TRUMP: lambda at: (
        at.no_higher() and not at.follows(at.why.seat, at.trump)
    ),
    ReasonTemplate.HIGH_AND_UNTRUMPED: lambda at: at.no_higher(),
    ReasonTemplate.ONLY_TRUMP_BEATS: lambda at: at.card.suit is not at.trump and at.no_higher(),
    ReasonTemplate.PARTNER_HAS: lambda at: (
        Card(at.card.suit * RANK_COUNT + (at.why.rank or 0)) in at.hand(at.why.seat)
    ),
    ReasonTemplate.LAST_OF_SUIT: lambda at: sum(c.suit is at.card.suit for c in at.seen.hand) == 1,
    ReasonTemplate.ONLY_TRUMPS: lambda at: all(card.suit is at.trump for card in at.seen.hand),
    ReasonTemplate.MUST_FOLLOW: lambda at: at.follows(at.why.seat, at.led),
    ReasonTemplate.NO_HIGHER_OF_SUIT: lambda at: not at.higher(at.hand(at.why.seat), at.card),
    ReasonTemplate.HAS_NO_HIGHER_TRUMP: lambda at: not at.higher(at.hand(at.why.seat), at.card),
    ReasonTemplate.NEITHER: lambda at: (
        not any(beats(card, at.card, at.trump) for card in at.hand(at.why.seat))
    ),
    ReasonTemplate.MUST_BEAT: lambda at: at.best().rank is at.why.rank,
    ReasonTemplate.MUST_BEAT_LOW: lambda at: at.best().rank is at.why.rank,
    ReasonTemplate.PARTNER_SURE_COUNTS: lambda at: at.best().rank is at.why.rank,
    ReasonTemplate.PARTNER_HARDLY: lambda at: (
        at.best().rank is at.why.rank
        and at.why.seat in at.seen.rules.partners_of(at.seen.seat or 0)
    ),
    ReasonTemplate.LOST_FREE: lambda at: not beats(at.card, at.best(), at.trump),
    ReasonTemplate.CANNOT_FREE: lambda at: not beats(at.card, at.best(), at.trump),
    ReasonTemplate.CANNOT_LEAST: lambda at: not beats(at.card, at.best(), at.trump),
}


def test_what_search_says_is_so_wherever_the_cards_are(
    collected: Callable[[str], list[Said]],
) -> None:
    """And what rules of thumb say of what is out, for they count as well."""
    checked = Counter[ReasonTemplate]()
    for variant in VARIANTS:
        for state, seat, bot, (action, why) in [
            (one.state, one.seat, one.bot, (one.advice.action, one.advice.why))
            for one in collected(variant)
        ]:
            if bot == "easy" or not isinstance(action, Play) or not isinstance(why, Explanation):
                continue
            if (holds := SO.get(why.saying)) is not None:
                assert holds(Place(state, view_for(state, seat), action.card, why)), (why, action)
                checked[why.saying] += 1
    assert len(checked) > 0.8 * len(SO)


# --- how it is put -------------------------------------------------------------------------------


def seen() -> View:
    rules = PARTNERSHIP.with_options(exchange=0)
    return view_for(contract(rules, deal(rules, {1: "9H"}), 1, 250).do("trump H").state, 1)


def test_the_card_stands_first_and_a_name_where_a_seat_was() -> None:
    why = Explanation(ReasonTemplate.PARTNER_HAS, seat=3, rank=Rank.ACE)
    assert explain_action(Play(Card("9H")), why, seen(), named) == "Lead the 9♥: Dan has the ace."
    by_place = explain_action(Play(Card("9H")), why, seen(), relative_seat_names(seen()))
    assert by_place == "Lead the 9♥: your partner has the ace."
    assert explanation_parts(why) == (3, " has the ace.")
    assert reason_sentence(why, relative_seat_names(seen())) == "Your partner has the ace."


def test_a_name_is_never_put_for_other_words() -> None:
    """A player may be called like a piece of a sentence."""
    why = Explanation(ReasonTemplate.PARTNER_MAY_BEAT, seat=3, other=2, rank=Rank.TEN)
    assert (
        reason_sentence(why, lambda seat: {3: "ten", 2: "may"}[seat])
        == "Ten may still beat may's ten."
    )


def test_what_is_remembered_is_said_to_be_so() -> None:
    why = Explanation(ReasonTemplate.PARTNER_HAS, seat=3, rank=Rank.ACE, remembered=True)
    assert reason_sentence(why, named) == "As far as you remember, Dan has the ace."


def test_suits_are_listed_and_a_card_of_a_suit_is_one() -> None:
    void = Explanation(ReasonTemplate.BURY_VOID, suits=(Suit.D, Suit.C))
    assert explain_action(Bury((Card("9D"), Card("JC"))), void, seen(), named) == (
        "Bury 9♦ J♣: with no diamonds or clubs left you can trump them."
    )
    last = Explanation(ReasonTemplate.LAST_OF_SUIT, suit=Suit.S)
    assert reason_sentence(last, named) == "It is your last spade, and after that you can trump."


def test_a_program_says_what_it_likes() -> None:
    assert explain_action(PASS, "I like it.", seen(), named) == "Pass. I like it."
    assert explain_action(PASS, "", seen(), named) == "Pass."
    assert explanation_parts("") == ()


def test_cards_are_passed_and_led_and_played() -> None:
    assert suggestion(Give((Card("AH"), Card("TH")))) == "Pass A♥ 10♥"
    assert suggestion(Play(Card("AH"))) == "Play the A♥"
    assert suggestion(Play(Card("AH")), is_lead=True) == "Lead the A♥"
