"""Reasons: the action first, then one true statement, without numbers."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import acesaround
from acesaround import bots, game, variants
from acesaround.actions import PASS, Bury, Give, Play
from acesaround.bots.advice import ask_for_advice, relative_seat_names
from acesaround.bots.explanations import (
    Explanation,
    ReasonTemplate,
    explain_action,
    explanation_parts,
    reason_sentence,
)
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.search.reasons import describe_choice
from acesaround.bots.search.search_result import SearchResult
from acesaround.cards import RANK_COUNT, Card, Rank, Suit, counts
from acesaround.game.narration import suggestion_text
from acesaround.game.state import GameState
from acesaround.game.view import View, view_for
from acesaround.rules import Rules
from acesaround.rules.tricks import beats
from acesaround.variants import PARTNERSHIP
from tests.scripted_games import contract, deal
from tests.spoken_reasons import named, read
from tests.variant_sample import sample_variants

VARIANTS = sorted(variants.VARIANTS)
SOURCES = Path(acesaround.__file__).parent


SEARCH_INTERVAL = 3
"""The bot that searches is asked at each decision with a number that this divides."""


class GivenAdvice(NamedTuple):
    """`number`: how many decisions of the deal came before."""

    number: int
    state: GameState
    seat: int
    bot: str
    advice: bots.Advice


@pytest.fixture(scope="module")
def advice_of() -> Callable[[str], list[GivenAdvice]]:
    """Return a function that returns the advice given in a deal of each bot by a variant."""
    return cache(_collect_advice)


def _collect_advice(variant: str, search_interval: int = SEARCH_INTERVAL) -> list[GivenAdvice]:
    return [
        given
        for seed, (bot, interval) in enumerate(
            (("thumb", 1), ("search:time=0.02", search_interval), ("easy", 1))
        )
        for given in _ask_bot(bot, variants.get(variant), seed, interval)
    ]


def _ask_bot(bot: str, rules: Rules, seed: int, interval: int) -> Iterator[GivenAdvice]:
    """Yield the advice of a bot in a deal. Where it is not asked, `thumb` plays."""
    rng, state, number = random.Random(seed), game.start(rules, 0), 0
    thumb = HeuristicBot()
    players = [bots.make(bot, random.Random(f"{seed} {seat}")) for seat in range(rules.seats)]
    while state.phase is not None and state.deals < 1:
        decision = game.decision(state)
        if decision.seat is None:
            state, _ = game.apply(state, decision.legal.sample(rng))
            continue
        player, view = players[decision.seat], view_for(state, decision.seat)
        if number % interval:
            action = thumb.choose(view, decision)
        else:
            advice = ask_for_advice(player, view, decision)
            yield GivenAdvice(number, state, decision.seat, player.name, advice)
            action = advice.action
        state, _ = game.apply(state, action)
        number += 1


def read_all(advice: list[GivenAdvice]) -> None:
    for given in advice:
        read(given.advice.action, given.advice.why, view_for(given.state, given.seat))


@pytest.mark.parametrize("variant", sample_variants(VARIANTS))
def test_reasons_are_readable(advice_of: Callable[[str], list[GivenAdvice]], variant: str) -> None:
    read_all(advice_of(variant))


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
def test_reasons_of_every_search_are_readable(variant: str) -> None:
    read_all(_collect_advice(variant, 1))


def test_reasons_vary(advice_of: Callable[[str], list[GivenAdvice]]) -> None:
    """Each bot counts at the decisions at which the one that searches is asked."""
    used = Counter(
        given.advice.why.template
        for variant in VARIANTS
        for given in advice_of(variant)
        if isinstance(given.advice.why, Explanation) and given.number % SEARCH_INTERVAL == 0
    )
    del used[ReasonTemplate.ONLY_CARD]
    assert len(used) > 60
    assert used.most_common(1)[0][1] < used.total() / 8


def test_every_reason_template_is_used() -> None:
    sources = "".join(
        path.read_text() for path in SOURCES.rglob("*.py") if path.name != "because.py"
    )
    used = set(re.findall(r"ReasonTemplate\.([A-Z_]+)", sources))
    assert used == {saying.name for saying in ReasonTemplate}


# --- truth ---------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A card played, its reason, and all hands."""

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


IS_TRUE: Final[dict[ReasonTemplate, Callable[[Place], bool]]] = {
    ReasonTemplate.LAST_CARD: lambda at: len(at.seen.hand) == 1,
    ReasonTemplate.NO_HIGHER_TRUMP: lambda at: at.card.suit is at.trump and at.no_higher(),
    ReasonTemplate.NO_HIGHER_CARD_OR_TRUMP: lambda at: (
        at.no_higher() and not any(c.suit is at.trump for hand in at.others() for c in hand)
    ),
    ReasonTemplate.HIGHEST_AND_MUST_FOLLOW: lambda at: (
        at.no_higher() and at.follows(at.why.seat, at.led)
    ),
    ReasonTemplate.HIGHEST_AND_NO_TRUMP: lambda at: (
        at.no_higher() and not at.follows(at.why.seat, at.trump)
    ),
    ReasonTemplate.HIGHEST_AND_CANNOT_BE_TRUMPED: lambda at: at.no_higher(),
    ReasonTemplate.ONLY_TRUMP_BEATS: lambda at: at.card.suit is not at.trump and at.no_higher(),
    ReasonTemplate.PARTNER_HAS_RANK: lambda at: (
        Card(at.card.suit * RANK_COUNT + (at.why.rank or 0)) in at.hand(at.why.seat)
    ),
    ReasonTemplate.LAST_OF_SUIT_THEN_TRUMP: lambda at: (
        sum(c.suit is at.card.suit for c in at.seen.hand) == 1
    ),
    ReasonTemplate.ONLY_TRUMPS_TO_LEAD: lambda at: all(
        card.suit is at.trump for card in at.seen.hand
    ),
    ReasonTemplate.MUST_FOLLOW: lambda at: at.follows(at.why.seat, at.led),
    ReasonTemplate.NO_HIGHER_OF_SUIT: lambda at: not at.higher(at.hand(at.why.seat), at.card),
    ReasonTemplate.HAS_NO_HIGHER_TRUMP: lambda at: not at.higher(at.hand(at.why.seat), at.card),
    ReasonTemplate.NO_HIGHER_OF_SUIT_NOR_TRUMP: lambda at: (
        not any(beats(card, at.card, at.trump) for card in at.hand(at.why.seat))
    ),
    ReasonTemplate.MUST_BEAT_COSTS_LEAST: lambda at: at.best().rank is at.why.rank,
    ReasonTemplate.MUST_BEAT_LOWEST: lambda at: at.best().rank is at.why.rank,
    ReasonTemplate.PARTNER_SURE_CARD_COUNTS: lambda at: at.best().rank is at.why.rank,
    ReasonTemplate.PARTNER_HARDLY_WINS_CARD_WORTHLESS: lambda at: (
        at.best().rank is at.why.rank
        and at.why.seat in at.seen.rules.partners_of(at.seen.seat or 0)
    ),
    ReasonTemplate.TRICK_LOST_CARD_WORTHLESS: lambda at: not beats(at.card, at.best(), at.trump),
    ReasonTemplate.CANNOT_BEAT_CARD_WORTHLESS: lambda at: not beats(at.card, at.best(), at.trump),
    ReasonTemplate.CANNOT_BEAT_FEWEST_POINTS: lambda at: not beats(at.card, at.best(), at.trump),
}


def test_reasons_are_true_of_the_hands(advice_of: Callable[[str], list[GivenAdvice]]) -> None:
    """Statements of rules of thumb about unseen cards are checked too."""
    checked = Counter[ReasonTemplate]()
    for variant in VARIANTS:
        for state, seat, bot, (action, why) in [
            (given.state, given.seat, given.bot, (given.advice.action, given.advice.why))
            for given in advice_of(variant)
        ]:
            if bot == "easy" or not isinstance(action, Play) or not isinstance(why, Explanation):
                continue
            seen, result = view_for(state, seat), SearchResult(action, (), 0)
            # also statements of the bot that searches which do not decide
            whys = [why, describe_choice(seen, game.decision(state), result)]
            for said in whys:
                if (holds := IS_TRUE.get(said.template)) is not None:
                    assert holds(Place(state, seen, action.card, said)), (said, action)
                    checked[said.template] += 1
    assert len(checked) > 0.8 * len(IS_TRUE)


# --- sentences -----------------------------------------------------------------------------------


def seen() -> View:
    rules = PARTNERSHIP.with_options(exchange=0)
    return view_for(contract(rules, deal(rules, {1: "9H"}), 1, 250).do("trump H").state, 1)


def test_action_comes_first_and_names_replace_seats() -> None:
    why = Explanation(ReasonTemplate.PARTNER_HAS_RANK, seat=3, rank=Rank.ACE)
    assert explain_action(Play(Card("9H")), why, seen(), named) == "Lead the 9♥: Dan has the ace."
    by_place = explain_action(Play(Card("9H")), why, seen(), relative_seat_names(seen()))
    assert by_place == "Lead the 9♥: your partner has the ace."
    assert explanation_parts(why) == (3, " has the ace.")
    assert reason_sentence(why, relative_seat_names(seen())) == "Your partner has the ace."


def test_names_replace_only_seats() -> None:
    """A name may equal a word of the sentence."""
    why = Explanation(ReasonTemplate.PARTNER_MAY_BEAT, seat=3, other=2, rank=Rank.TEN)
    assert (
        reason_sentence(why, lambda seat: {3: "ten", 2: "may"}[seat])
        == "Ten may still beat may's ten."
    )


def test_remembered_facts_are_marked() -> None:
    why = Explanation(ReasonTemplate.PARTNER_HAS_RANK, seat=3, rank=Rank.ACE, is_from_memory=True)
    assert reason_sentence(why, named) == "As far as you remember, Dan has the ace."


def test_suits_are_listed_and_singular_for_one_card() -> None:
    void = Explanation(ReasonTemplate.BURY_MAKES_VOID, suits=(Suit.D, Suit.C))
    assert explain_action(Bury((Card("9D"), Card("JC"))), void, seen(), named) == (
        "Bury 9♦ J♣: with no diamonds or clubs left you can trump them."
    )
    last = Explanation(ReasonTemplate.LAST_OF_SUIT_THEN_TRUMP, suit=Suit.S)
    assert reason_sentence(last, named) == "It is your last spade, and after that you can trump."


def test_reason_of_a_program_is_any_text() -> None:
    assert explain_action(PASS, "I like it.", seen(), named) == "Pass. I like it."
    assert explain_action(PASS, "", seen(), named) == "Pass."
    assert explanation_parts("") == ()


def test_suggestions_name_the_action() -> None:
    assert suggestion_text(Give((Card("AH"), Card("TH")))) == "Pass A♥ 10♥"
    assert suggestion_text(Play(Card("AH"))) == "Play the A♥"
    assert suggestion_text(Play(Card("AH")), is_lead=True) == "Lead the A♥"
