"""Reasons decide: without the part of the outcome that a reason is about, the choice would change.

These tests take the parts away world by world, and score the deals in Python (`rules.scoring`), not
by the kernel that the bot uses.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from math import sqrt
from statistics import mean
from typing import Final, NamedTuple

import numpy as np
import pytest

from acesaround import game, variants
from acesaround.actions import PASS, Bid, LayMeld, NameTrump, Play
from acesaround.bots.deal_outcomes import evaluate_deal_end
from acesaround.bots.explanations import Explanation, ReasonTemplate, explain_action
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.heuristic.hand_value import meld_points
from acesaround.bots.search import SearchBot
from acesaround.bots.search.counterfactuals import compare_actions
from acesaround.bots.search.reason_selection import name_actions
from acesaround.bots.search.reasons import explain_choice
from acesaround.bots.search.rollout_statistics import EVEN_CHANCE, EVEN_ERRORS, RolloutStatistics
from acesaround.bots.search.search_result import SearchResult
from acesaround.cards import SUITS, Rank, card_of, pack
from acesaround.fast.rollouts.card_play import PlayFacts
from acesaround.fast.rollouts.deal_ends import THROWN_IN
from acesaround.fast.rollouts.rescoring import rescore
from acesaround.fast.rollouts.win_probability import (
    COUNTER_COLUMN,
    DIX_COLUMN,
    MELD_COLUMN,
    PLAY_COLUMN,
)
from acesaround.game.state import GameState
from acesaround.game.view import View, view_for
from acesaround.rules import Rules
from acesaround.rules.melds import around_values
from acesaround.rules.scoring import Outcome, Tally
from tests.bots.search.sample_decisions import sample_states
from tests.spoken_reasons import named

VARIANTS: Final = ("partnership", "double-deck", "three-handed", "five-card", "two-handed")
SEEDS: Final = (1, 2, 3)

R = ReasonTemplate
_MELD: Final = {
    R.OTHERS_MELD_LESS,
    R.TRUMP_RUN,
    R.TRUMP_MELDS_MOST,
    R.LAY_IN_TIME,
    R.NINE_OF_TRUMP_MELDS,
    R.LAY_MAY_BRING_MORE_LATER,
}
_PLAY: Final = {
    R.OTHERS_LESS_IN_TRICKS,
    R.TRUMP_LONGEST,
    R.GIVE_TRUMPS,
    R.GIVE_ACES,
    R.BURY_MAKES_VOID,
    R.BURY_POINTS,
}
_LATER: Final = {
    *(
        R.KEEP_OTHERS_FOR_LATER,
        R.OTHERS_WORSE_LATER,
        R.CANNOT_BEAT_OTHERS_NEEDED,
        R.DRAWS_TRUMPS,
        R.DRAWS_OPPONENT_TRUMPS,
        R.MORE_TRUMPS_THAN_OUT,
        R.LAST_OF_SUIT_THEN_TRUMP,
        R.TRICK_NOT_WORTH_BETTER_CARD,
    ),
    *(
        R.NO_SURE_WINNER_LONGEST_SUIT,
        R.SURE_TRICKS_WAIT,
        R.SURE_TRICKS_WAIT_GIVES_NOTHING,
        R.SURE_TRICKS_WAIT_LONGEST_SUIT,
    ),
}
_NO_PART: Final = {
    *(
        R.LAST_CARD,
        R.ONLY_CARD,
        R.NO_DIFFERENCE,
        R.ABOUT_EVEN,
        R.MAY_BE_EVEN,
        R.BETTER_IN_MOST_DEALS,
        R.BETTER_ON_AVERAGE,
        R.BID_UNLIKELY_MADE,
    ),
    *(R.BID_FORCED, R.PASS_NO_MARRIAGE, R.PASS_TO_PARTNER, R.NOTHING_TO_LAY),
    *(R.PASS_GAIN_UNSURE, R.BID_COSTS_POINTS),
}


class Asked(NamedTuple):
    """A position, the result of its search, and the reason given."""

    state: GameState
    view: View
    result: SearchResult
    why: Explanation

    @property
    def statistics(self) -> RolloutStatistics:
        assert self.result.statistics is not None
        return self.result.statistics

    def scored(self, choice: int, change: Callable[[int, np.ndarray], int | None]) -> float:
        """Return the mean chance of a choice after a change of each world's end.

        `change` gets the world and what each side melded and won, and may return another bid.
        """
        statistics, rules = self.statistics, self.view.rules
        ends, chances = statistics.ends, []
        for world in range(len(statistics.win_probability)):
            sides = ends.sides[world, choice].copy()
            bid = change(world, sides)
            declarer, trump = (int(a[world, choice]) for a in (ends.declarer, ends.trump))
            bid = int(ends.bid[world, choice]) if bid is None else bid
            chances.append(_chance(rules, statistics, sides, declarer, bid, trump))
        return mean(chances)


def _chance(
    rules: Rules,
    statistics: RolloutStatistics,
    sides: np.ndarray,
    declarer: int,
    bid: int,
    trump: int,
) -> float:
    nines = tuple(sides[:, DIX_COLUMN].tolist())
    tally = Tally(
        tuple(sides[:, MELD_COLUMN].tolist()),
        nines,
        tuple(sides[:, PLAY_COLUMN].tolist()),
        tuple(map(bool, sides[:, COUNTER_COLUMN])),
    )
    outcome = {THROWN_IN: Outcome.THROWN_IN, -1: Outcome.NO_MARRIAGE}.get(trump)
    deal = PlayFacts(declarer, bid, statistics.side, np.array(nines))
    return evaluate_deal_end(
        rules, statistics.scoring_state, deal, tally, outcome, max(trump, 0)
    ).win_probability


@cache
def asked(variant: str) -> tuple[Asked, ...]:
    """Return the reasons at sampled positions of a variant."""
    found = []
    for seed in SEEDS:
        for state in sample_states(variant, seed, plays=6):
            decision = game.decision(state)
            view = view_for(state, decision.seat)
            bot = SearchBot(random.Random(seed), time=0.02)
            result = bot.search(view, decision, records_statistics=True)
            found.append(Asked(state, view, result, explain_choice(view, decision, result)))
    return tuple(found)


def searched(variant: str) -> Iterator[Asked]:
    yield from (at for at in asked(variant) if at.result.statistics is not None)


@pytest.mark.parametrize("variant", VARIANTS)
def test_rescoring_agrees_with_the_rollouts(variant: str) -> None:
    for at in searched(variant):
        statistics = at.statistics
        assert rescore(statistics.scoring_state, statistics.ends, statistics.side) == pytest.approx(
            statistics.win_probability
        )
        for choice in range(0, len(statistics.actions), 3):
            assert at.scored(choice, lambda *_: None) == pytest.approx(
                float(statistics.win_probability[:, choice].mean())
            )


@pytest.mark.parametrize("variant", VARIANTS)
def test_choice_would_change_without_the_reason(variant: str) -> None:
    checked = Counter[ReasonTemplate]()
    for at in searched(variant):
        saying = at.why.template
        if saying in _NO_PART:
            continue
        if at.view.trump is None and (
            isinstance(at.result.action, Bid) or at.result.action == PASS
        ):
            assert _changes_call(at), (at.why, at.result.evaluated_actions)
        elif saying is R.LAY_BRINGS_UPCARD:  # for a meld, or for later tricks
            parts = R.OTHERS_MELD_LESS, R.OTHERS_WORSE_LATER
            assert any(_changes_choice(at, part) for part in parts), at.result.evaluated_actions
        else:
            assert _changes_choice(at, saying), (at.why, at.result.evaluated_actions)
        checked[saying] += 1
    assert checked.total() > 3, checked


def _changes_choice(at: Asked, saying: ReasonTemplate) -> bool:
    """Return whether an action that is not even overtakes if it gets the part of a reason."""
    statistics = at.statistics
    both = {R.OTHERS_LESS_IN_MELD_AND_TRICKS, R.TRUMP_LONGEST_AND_MELDS_MOST, R.TRUMP_WORTH_MOST}
    takes_meld, takes_play = saying in _MELD | both, saying in _PLAY | both
    takes_later = saying in _LATER or saying is R.OTHERS_WORSE_NOW_AND_LATER
    takes_trick = not (takes_meld or takes_play or saying in _LATER)
    if saying is R.OTHERS_LESS_IN_MELD_AND_TRICKS and isinstance(at.result.action, Play):
        takes_play, takes_later = False, True
    chosen = statistics.actions.index(at.result.action)
    comparison, overtakes = compare_actions(at.result), []
    for option in comparison.worse:
        if option.action not in statistics.actions:
            continue
        other = statistics.actions.index(option.action)

        def change(world: int, sides: np.ndarray, other: int = other) -> None:
            model, trick = statistics.ends.sides[world, chosen], statistics.ends.trick[world]
            if takes_meld:
                sides[:, [MELD_COLUMN, DIX_COLUMN]] = model[:, [MELD_COLUMN, DIX_COLUMN]]
            now = trick[chosen] if takes_trick else trick[other]
            later = (
                model[:, PLAY_COLUMN] - trick[chosen]
                if takes_later
                else sides[:, PLAY_COLUMN] - trick[other]
            )
            sides[:, PLAY_COLUMN] = model[:, PLAY_COLUMN] if takes_play else now + later
            if takes_later or takes_play:
                sides[:, COUNTER_COLUMN] = model[:, COUNTER_COLUMN]

        gain = at.scored(other, change) - float(statistics.win_probability[:, other].mean())
        overtakes.append(option.win_probability + gain >= comparison.chosen.win_probability - 1e-9)
    return any(overtakes)


@cache
def laid() -> tuple[Asked, ...]:
    """Return the reasons for the melds that the bot lays in some deals of two players."""
    rules, found = variants.VARIANTS["two-handed"], []
    for seed in range(6):
        rng, thumb = random.Random(seed), HeuristicBot()
        bot = SearchBot(rng, time=0.02)
        state = game.start(rules, 0)
        while state.deals < 1:
            decision = game.decision(state)
            if decision.seat is None:
                state, _ = game.apply(state, decision.legal.sample(rng))
                continue
            view = view_for(state, decision.seat)
            action = thumb.choose(view, decision)
            if isinstance(action, LayMeld):
                result = bot.search(view, decision, records_statistics=True)
                if isinstance(result.action, LayMeld):
                    found.append(Asked(state, view, result, explain_choice(view, decision, result)))
            state, _ = game.apply(state, action)
    return tuple(found)


def test_time_is_the_reason_for_a_meld_only_if_it_cannot_be_kept_for_later() -> None:
    """Otherwise it may be laid later too, and something else is the reason to lay it now."""
    said = Counter[ReasonTemplate]()
    for at in laid():
        assert isinstance(at.result.action, LayMeld)
        meld = Counter(at.result.action.cards)
        left = Counter(at.view.hand) - meld
        keeping = {Play(card) for card in at.view.hand if card not in meld or card in left}
        is_even_to_keep = any(one.action in keeping for one in compare_actions(at.result).equal)
        assert not (at.why.template is R.LAY_IN_TIME and is_even_to_keep), at.result
        said[at.why.template] += 1
    assert said[R.LAY_IN_TIME], said
    assert said[R.OTHERS_MELD_LESS], said


def test_a_nine_of_trump_is_laid_for_the_upcard() -> None:
    fetched = 0
    for at in laid():
        assert isinstance(at.result.action, LayMeld)
        assert at.view.trump is not None
        if at.result.action.cards == (card_of(at.view.trump, Rank.NINE),):
            assert at.why.template is not R.LAY_IN_TIME, at.why
            fetched += at.why.template is R.LAY_BRINGS_UPCARD and at.why.card == at.view.upcard
    assert fetched


def test_all_suits_that_would_be_about_as_good_are_named() -> None:
    """A person chooses one of four suits, but one of many cards."""
    chosen, hearts, diamonds, clubs = (NameTrump(suit) for suit in SUITS)
    assert name_actions(chosen, [hearts, diamonds, clubs]) == "hearts, diamonds and clubs"
    assert name_actions(chosen, [clubs, hearts]) == "clubs and hearts"
    assert name_actions(chosen, [clubs]) == "clubs"
    assert name_actions(chosen, []) == ""
    ace, king, queen, jack = (
        Play(card_of(SUITS[1], rank)) for rank in (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK)
    )
    assert name_actions(ace, [king, queen]) == "the K♥ and the Q♥"
    assert name_actions(ace, [king, queen, jack]) == "the K♥ and 2 other choices"


_OF_WORLDS: Final = {
    R.BID_PUSHES_OPPONENTS: ("pushed",),
    R.BID_MADE_OR_PUSHES: ("pushed taken",),
    R.BID_CONTRACT_PAYS: ("taken",),
    R.BID_BELOW_LIMIT: ("taken", "pushed", "pushed taken"),
    R.BID_AT_LIMIT: ("taken", "pushed", "pushed taken"),
    R.PASS_TO_PARTNER: ("left",),
}
"""The kinds of worlds in which a call is treated as the other one: one of them must suffice."""


def _changes_call(at: Asked) -> bool:
    """Return whether a bid or a pass is no better without its reason."""
    statistics, saying, comparison = at.statistics, at.why.template, compare_actions(at.result)
    assert statistics.declarers is not None
    is_bid = isinstance(at.result.action, Bid)
    other_option = next(o for o in comparison.worse if not is_bid or o.action == PASS)
    chosen, other = (
        statistics.actions.index(option.action) for option in (comparison.chosen, other_option)
    )
    ends, own, mine = statistics.ends, statistics.declarers == statistics.player, statistics.side
    rules, table = at.view.rules, at.view.rules.melds
    trumps = Counter(ends.trump[own[:, chosen], chosen].tolist())
    trump = trumps.most_common(1)[0][0] if trumps else 0
    meld = {
        R.BID_RUN: table.run[0] if table.run else 0,
        R.BID_ACES: around_values(table, Rank.ACE)[0],
        R.BID_MELD_WORTH_IT: meld_points(table, pack(at.view.hand), trump),
    }.get(saying, 0)
    playing = [rules.side_of(seat) for seat in at.view.players]

    def without(world: int, kinds: str) -> float:
        """Return the chance of the chosen call in a world with the reason taken away."""
        declarer, bid = int(ends.declarer[world, chosen]), int(ends.bid[world, chosen])
        is_higher = bid > ends.bid[world, other]
        is_of = {
            "pushed": -1 < declarer == ends.declarer[world, other] != mine and is_higher,
            "taken": own[world, chosen] and not own[world, other],
            "left": declarer == mine and not own[world, chosen] and own[world, other],
        }
        if any(is_of[kind] for kind in kinds.split()):
            return float(statistics.win_probability[world, other])
        sides = ends.sides[world, chosen].copy()
        if own[world, chosen]:
            sides[mine, MELD_COLUMN] -= meld
            if saying is R.BID_WINS_MOST_TRICKS:
                sides[playing, PLAY_COLUMN] = sides[:, PLAY_COLUMN].sum() // len(set(playing))
        bid = 0 if saying is R.PASS_OPPONENTS_MAY_FAIL and declarer != mine else bid
        return _chance(rules, statistics, sides, declarer, bid, int(ends.trump[world, chosen]))

    def of_other(world: int) -> float:
        fails = saying is R.PASS_TOO_HIGH and own[world, other]
        sides, declarer = ends.sides[world, other], int(ends.declarer[world, other])
        bid = 0 if fails else int(ends.bid[world, other])
        return _chance(rules, statistics, sides, declarer, bid, int(ends.trump[world, other]))

    worlds = range(len(statistics.win_probability))
    threshold = mean(map(of_other, worlds)) + 1e-9
    return any(
        mean(without(world, kinds) for world in worlds) <= threshold
        for kinds in _OF_WORLDS.get(saying, ("",))
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_hint_contradicts_the_numbers_beside_it(variant: str) -> None:
    """A limit is above the bid, even choices look even, and a bid that costs points says so."""
    for at in searched(variant):
        comparison, why = compare_actions(at.result), at.why
        chosen = comparison.chosen
        assert why.template not in (R.ABOUT_EVEN, R.MAY_BE_EVEN) or why.other_actions
        named = why.equal_actions or why.other_actions
        if named and not named.endswith("other choices"):
            gaps = [
                abs(even.win_probability - chosen.win_probability)
                for even in comparison.equal
                if name_actions(chosen.action, [even.action]) in named
            ]
            if why.template is R.ABOUT_EVEN or (why.equal_actions and why.looks_even):
                assert max(gaps, default=0) <= 0.02
            elif why.template is R.MAY_BE_EVEN or why.equal_actions:
                assert max(gaps, default=1) > 0.02
        if not isinstance(chosen.action, Bid):
            if chosen.action == PASS and at.view.trump is None and comparison.better:
                assert why.template not in (R.PASS_NOT_WORTH_BID, R.PASS_NOT_WORTH_HIGHER_BID)
            continue
        assert not why.limit or why.limit > chosen.action.points
        passing = next((one for one in comparison.worse if one.action == PASS), None)
        assert at.view.rules.auction is not None
        step = at.view.rules.auction.steps[0][1]
        if passing is not None and passing.points - chosen.points >= step:
            assert why.template is R.BID_COSTS_POINTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_even_actions_are_within_the_error_of_their_paired_differences(variant: str) -> None:
    for at in searched(variant):
        statistics, comparison = at.statistics, compare_actions(at.result)
        if len(statistics.value_parts) > 1:
            continue
        chosen = statistics.actions.index(at.result.action)
        for option in at.result.evaluated_actions:
            if option.action == at.result.action or option.action not in statistics.actions:
                continue
            other = statistics.actions.index(option.action)
            copies: dict[int, list[float]] = {}
            for number, row in zip(
                statistics.value_parts[0].world_numbers, statistics.win_probability, strict=True
            ):
                copies.setdefault(int(number), []).append(float(row[chosen] - row[other]))
            center = float(
                (
                    statistics.win_probability[:, chosen] - statistics.win_probability[:, other]
                ).mean()
            )
            count = len(statistics.win_probability)
            spread = sqrt(sum((sum(some) - len(some) * center) ** 2 for some in copies.values()))
            is_even = abs(comparison.chosen.win_probability - option.win_probability) <= max(
                EVEN_CHANCE, EVEN_ERRORS * spread / count
            )
            assert (option in comparison.equal) is is_even
        is_said = at.why.template in (R.ABOUT_EVEN, R.MAY_BE_EVEN, R.NO_DIFFERENCE) or bool(
            at.why.equal_actions
        )
        if not isinstance(at.result.action, Bid):
            assert is_said is bool(comparison.equal), at.why


@pytest.mark.parametrize(
    "seed", [1, pytest.param(2, marks=pytest.mark.soak), 3, pytest.param(4, marks=pytest.mark.soak)]
)
def test_hints_to_one_seat_in_an_auction_do_not_repeat_a_sentence(seed: int) -> None:
    rules, rng, thumb = variants.get("partnership"), random.Random(seed), HeuristicBot()
    state = game.start(rules, 0)
    said: dict[int, list[str]] = {}
    while (decision := game.decision(state)).seat is None or decision.kind.name == "BID":
        if decision.seat is None:
            state, _ = game.apply(state, decision.legal.sample(rng))
            continue
        view = view_for(state, decision.seat)
        bot = SearchBot(random.Random(seed), time=0.1)
        action, why = bot.explain(view, decision)
        sentence = explain_action(action, why, view, named)
        if isinstance(action, Bid):
            said.setdefault(decision.seat, []).append(sentence)
        state, _ = game.apply(state, thumb.choose(view, decision))
    assert any(len(sentences) > 1 for sentences in said.values())
    for sentences in said.values():
        reasons = [sentence.partition(": ")[2] for sentence in sentences]
        assert all(one != other for one, other in pairwise(reasons)), reasons
