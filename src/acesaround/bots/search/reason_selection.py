"""Selects the reason for a choice: the part of the outcome that decides between the actions.

`counterfactuals` tests each part by taking it away, and compares the actions without it. A
statement about cards is a reason only if the part that it is about decides. Otherwise the reason
names the action that would be chosen without the part. If several actions are about even, the
reason says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import (
    CONCEDE,
    PASS,
    Action,
    Bid,
    Bury,
    Discard,
    Give,
    LayMeld,
    NameTrump,
    Pass,
    Play,
)
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic.bidding import highest_bidder
from acesaround.bots.heuristic.hand_value import meld_points
from acesaround.bots.search.counterfactuals import (
    CallCounterfactuals,
    Comparison,
    OutcomePart,
    compare_actions,
    is_mostly_better,
    overtaking_action,
)
from acesaround.bots.search.rollout_statistics import RolloutStatistics
from acesaround.bots.search.search_result import EvaluatedAction, SearchResult
from acesaround.cards import Card, Rank, Suit, counts, pack
from acesaround.game.narration import card_names
from acesaround.game.phases.exchange import pass_order
from acesaround.game.state import Decision
from acesaround.game.view import View, passes_completed
from acesaround.legal_bids import Bids
from acesaround.rules.melds import around_values, count_arounds, count_runs
from acesaround.rules.scoring import card_points

_LATER_REASONS: Final = {
    ReasonTemplate.CANNOT_BEAT_OTHERS_NEEDED,
    ReasonTemplate.DRAWS_TRUMPS,
    ReasonTemplate.DRAWS_OPPONENT_TRUMPS,
    ReasonTemplate.MORE_TRUMPS_THAN_OUT,
    ReasonTemplate.LAST_OF_SUIT_THEN_TRUMP,
    ReasonTemplate.TRICK_NOT_WORTH_BETTER_CARD,
    ReasonTemplate.NO_SURE_WINNER_LONGEST_SUIT,
    ReasonTemplate.SURE_TRICKS_WAIT,
    ReasonTemplate.SURE_TRICKS_WAIT_GIVES_NOTHING,
    ReasonTemplate.SURE_TRICKS_WAIT_LONGEST_SUIT,
}
"""The statements about a card that are about later tricks; all others are about this one."""
_PARTLESS_REASONS: Final = {
    ReasonTemplate.LAST_CARD,
    ReasonTemplate.ONLY_CARD,
    ReasonTemplate.NO_DIFFERENCE,
    ReasonTemplate.ALL_TRICKS_NOT_ENOUGH,
}
_REASON_OF_PART: Final = {
    OutcomePart.MELD: ReasonTemplate.OTHERS_MELD_LESS,
    OutcomePart.PLAY: ReasonTemplate.OTHERS_LESS_IN_TRICKS,
    OutcomePart.TRICK: ReasonTemplate.OTHERS_WORSE_IN_TRICK,
    OutcomePart.LATER: ReasonTemplate.OTHERS_WORSE_LATER,
}
_PLAY_PARTS: Final = (OutcomePart.TRICK, OutcomePart.LATER, OutcomePart.MELD)
_LAY_PARTS: Final = (OutcomePart.MELD, OutcomePart.TRICK, OutcomePart.LATER)
_CARD_PARTS: Final = (OutcomePart.MELD, OutcomePart.PLAY)
_REASON_OF_PARTS: Final = {
    (OutcomePart.TRICK, OutcomePart.LATER): ReasonTemplate.OTHERS_WORSE_NOW_AND_LATER,
    (OutcomePart.LATER, OutcomePart.MELD): ReasonTemplate.OTHERS_LESS_IN_MELD_AND_TRICKS,
    _CARD_PARTS: ReasonTemplate.OTHERS_LESS_IN_MELD_AND_TRICKS,
}
"""The sentences about two parts that decide only together."""
_MAX_NAMED: Final = 2  # number of even actions that are named


def select_reason(
    view: View, decision: Decision, result: SearchResult, statement: Explanation
) -> Explanation:
    """Return why an action was chosen, from the rollouts of its search.

    `statement`: what is true about the action, and a reason if the part that it is about decides.
    """
    if statement.template in _PARTLESS_REASONS or result.statistics is None:
        return statement
    comparison = compare_actions(result)
    even_actions = _even_actions(comparison)
    even = _name_even_actions(result.action, even_actions)
    looks_even = comparison.looks_even(even_actions)
    match result.action:
        case Bid() | Pass() if view.trump is None:
            why = _call_reason(view, decision, result.statistics, comparison, statement)
        case _ if not comparison.worse:
            why = Explanation(ReasonTemplate.ABOUT_EVEN)
        case LayMeld():
            why = _lay_reason(view, result.statistics, comparison, statement)
        case Play() | Pass():
            why = _play_reason(result.statistics, comparison, statement)
        case _:
            why = _cards_reason(view, result.statistics, comparison, statement)
    if why.template is ReasonTemplate.ABOUT_EVEN:
        if not even:
            return statement
        template = ReasonTemplate.ABOUT_EVEN if looks_even else ReasonTemplate.MAY_BE_EVEN
        return replace(why, template=template, other_actions=even)
    return replace(why, equal_actions=even, looks_even=looks_even)


def _even_actions(comparison: Comparison) -> list[Action]:
    """Return the even actions to name. A bid is compared with a pass, a pass with the best bid."""
    actions = [evaluated.action for evaluated in comparison.equal]
    if isinstance(comparison.chosen.action, Bid) and PASS in actions:
        return [PASS]
    if isinstance(comparison.chosen.action, Bid) and comparison.worse:
        return []
    is_one_enough = bool(actions) and isinstance(actions[0], Bid | Give | Bury | Discard)
    return actions[:1] if is_one_enough else actions


def _name_even_actions(chosen: Action, even: Sequence[Action]) -> str:
    """Return the even actions by name, in few words if they differ in several cards."""
    if isinstance(chosen, Give | Bury | Discard) and even:
        added = Counter(cast(Give, even[0]).cards) - Counter(chosen.cards)
        if added.total() > 1:
            return "other cards"
    return name_actions(chosen, even)


# --- names of other actions ----------------------------------------------------------------------


def name_actions(chosen: Action, others: Sequence[Action]) -> str:
    """Return other actions by name, such as "the J♥ and the 9♥", or "". Suits are all named."""
    names = [name_action(chosen, other) for other in others]
    if len(names) > _MAX_NAMED and not isinstance(chosen, NameTrump):
        names = [names[0], f"{len(names) - 1} other choices"]
    return " and ".join([part for part in (", ".join(names[:-1]), *names[-1:]) if part])


def name_action(chosen: Action, other: Action) -> str:
    """Return another action by what it does otherwise, such as "the A♦ instead of the 10♣"."""
    match other:
        case Play(card):
            return f"the {card.pretty}"
        case Bid(points):
            return f"bidding {points}"
        case NameTrump(suit):
            return suit.word
        case LayMeld(cards):
            return f"laying {_each_card(cards)}"
        case Give(cards) | Bury(cards) | Discard(cards):
            before, after = Counter(cast(Give, chosen).cards), Counter(cards)
            added, removed = (sorted(some.elements()) for some in (after - before, before - after))
            if not added:
                return f"keeping {_the_cards(removed)}"
            verb = {Give: "passing", Bury: "burying", Discard: "exchanging"}[type(other)]
            instead = f"instead of {_the_cards(removed)}" if removed else "too"
            return f"{verb} {_the_cards(added)} {instead}"
        case _ if other == CONCEDE:
            return "giving up"
        case _:
            return "laying nothing" if isinstance(chosen, Play | LayMeld) else "passing"


def _the_cards(cards: Sequence[Card]) -> str:
    return f"the {card_names(cards)}"


def _each_card(cards: Sequence[Card]) -> str:
    """Return cards as they are read aloud: "the Q♠ and the J♦", "the A♥, 10♥ and K♥"."""
    *others, last = [card.pretty for card in cards]
    if len(others) < 2:
        return " and ".join([f"the {name}" for name in (*others, last)])
    return f"the {', '.join(others)} and {last}"


# --- what is wrong with another action ---------------------------------------------------------

_FAULT_OF_PART: Final = {
    OutcomePart.MELD: ReasonTemplate.WORSE_IN_MELD,
    OutcomePart.PLAY: ReasonTemplate.WORSE_IN_TRICKS,
    OutcomePart.TRICK: ReasonTemplate.WORSE_IN_THIS_TRICK,
    OutcomePart.LATER: ReasonTemplate.WORSE_IN_LATER_TRICKS,
}
_FAULT_OF_PARTS: Final = {
    (OutcomePart.TRICK, OutcomePart.LATER): ReasonTemplate.WORSE_NOW_AND_LATER,
    (OutcomePart.TRICK, OutcomePart.MELD): ReasonTemplate.WORSE_IN_MELD_AND_TRICKS,
    (OutcomePart.LATER, OutcomePart.MELD): ReasonTemplate.WORSE_IN_MELD_AND_TRICKS,
    _CARD_PARTS: ReasonTemplate.WORSE_IN_MELD_AND_TRICKS,
}


def explain_fault(result: SearchResult, action: Action) -> Explanation | None:
    """Return why an action is worse than the chosen one, or None if the rollouts cannot tell.

    Each part of the outcome is taken away as for a reason, from this action alone.
    """
    statistics = result.statistics
    if statistics is None or action == result.action:
        return None
    chosen, other = (
        next((one for one in result.evaluated_actions if one.action == wanted), None)
        for wanted in (result.action, action)
    )
    if chosen is None or other is None or chosen.win_probability <= other.win_probability:
        return None
    if chosen.action not in statistics.actions or action not in statistics.actions:
        return None
    if statistics.declarers is not None:
        return Explanation(_fault_of_call(statistics, chosen, other))
    is_play = isinstance(chosen.action, Play | LayMeld | Pass)
    parts = _PLAY_PARTS if is_play else _CARD_PARTS
    for part in parts:
        if overtaking_action(statistics, chosen, (other,), (part,)) is not None:
            return Explanation(_FAULT_OF_PART[part])
    for pair in combinations(parts, 2):
        if overtaking_action(statistics, chosen, (other,), pair) is not None:
            return Explanation(_FAULT_OF_PARTS[pair])
    is_mostly = is_mostly_better(statistics, chosen.action, action)
    return Explanation(
        ReasonTemplate.WORSE_IN_MOST_DEALS if is_mostly else ReasonTemplate.WORSE_ON_AVERAGE
    )


def _fault_of_call(
    statistics: RolloutStatistics, chosen: EvaluatedAction, other: EvaluatedAction
) -> ReasonTemplate:
    test = CallCounterfactuals(statistics, chosen, other)
    if other.action != PASS:
        is_failure = test.does_own_failure_decide()
        return ReasonTemplate.WORSE_BID_FAILS if is_failure else ReasonTemplate.WORSE_BID_ON_AVERAGE
    if test.does_own_contract_decide():
        return ReasonTemplate.WORSE_PASS_GIVES_UP_BID
    if test.does_pushing_decide():
        return ReasonTemplate.WORSE_PASS_LETS_OPPONENTS
    return ReasonTemplate.WORSE_ON_AVERAGE


# --- calls in the auction ------------------------------------------------------------------------


def _call_reason(
    view: View,
    decision: Decision,
    statistics: RolloutStatistics,
    comparison: Comparison,
    statement: Explanation,
) -> Explanation:
    chosen = comparison.chosen
    if chosen.action == PASS:
        return _pass_reason(view, statistics, comparison, statement)
    limit = statistics.limits[statistics.actions.index(chosen.action)]
    if limit is not None and limit <= cast(Bid, chosen.action).points:
        limit = 0
    passing = next((evaluated for evaluated in comparison.worse if evaluated.action == PASS), None)
    if passing is None:
        return replace(_bid_reason_without_pass(decision, statistics, comparison), limit=limit)
    if _costs_points(view, chosen, passing):
        return Explanation(ReasonTemplate.BID_COSTS_POINTS, limit=limit)
    test = CallCounterfactuals(statistics, chosen, passing)
    is_own, pushes = test.does_own_contract_decide(), test.does_pushing_decide()
    if not (is_own or pushes or test.do_pushing_and_own_contract_decide()):
        return Explanation(_average(statistics, chosen, passing), limit=limit)
    if any(call.seat == view.seat and call.bid is not None for call in view.auction):
        if not limit:
            return Explanation(ReasonTemplate.BID_AT_LIMIT)
        bidder = highest_bidder(view)
        bid = max(call.bid for call in view.auction if call.bid is not None)
        return Explanation(ReasonTemplate.BID_BELOW_LIMIT, seat=bidder, bid=bid, limit=limit)
    if is_own:
        return replace(_hand_reason(view, test), limit=limit)
    template = ReasonTemplate.BID_PUSHES_OPPONENTS if pushes else ReasonTemplate.BID_MADE_OR_PUSHES
    return Explanation(template, limit=limit)


def _costs_points(view: View, bid: EvaluatedAction, passing: EvaluatedAction) -> bool:
    """Return whether a bid that wins more games brings fewer points than a pass, as people see."""
    assert view.rules.auction is not None
    return passing.points - bid.points >= max(0.5, 0.5 * view.rules.auction.steps[0][1])


def _bid_reason_without_pass(
    decision: Decision, statistics: RolloutStatistics, comparison: Comparison
) -> Explanation:
    """Return why to bid so much where a pass is not possible or not worse."""
    chosen = comparison.chosen
    if any(evaluated.action == PASS for evaluated in comparison.equal):
        return Explanation(ReasonTemplate.ABOUT_EVEN)
    if cast(Bids, decision.legal).lowest_bid == cast(Bid, chosen.action).points:
        return Explanation(ReasonTemplate.BID_FORCED)
    if comparison.worse:
        return Explanation(_average(statistics, chosen, comparison.worse[0]))
    return Explanation(ReasonTemplate.ABOUT_EVEN)


def _hand_reason(view: View, test: CallCounterfactuals) -> Explanation:
    """Return what in the hand makes the own contract worth a bid."""
    suit, held, table = test.own_trump(), counts(pack(view.hand)), view.rules.melds
    if count_runs(held, suit) and test.does_meld_decide(table.run[0] if table.run else 0):
        return Explanation(ReasonTemplate.BID_RUN, suit=Suit(suit))
    if count_arounds(held, Rank.ACE) and test.does_meld_decide(around_values(table, Rank.ACE)[0]):
        return Explanation(ReasonTemplate.BID_ACES)
    if test.do_tricks_decide():
        return Explanation(ReasonTemplate.BID_WINS_MOST_TRICKS, suit=Suit(suit))
    own_meld = meld_points(table, pack(view.hand), Suit(suit))
    if own_meld and test.does_meld_decide(own_meld):
        return Explanation(ReasonTemplate.BID_MELD_WORTH_IT, suit=Suit(suit))
    return Explanation(ReasonTemplate.BID_CONTRACT_PAYS, suit=Suit(suit))


def _pass_reason(
    view: View, statistics: RolloutStatistics, comparison: Comparison, statement: Explanation
) -> Explanation:
    bidder = highest_bidder(view)
    if statement.template is ReasonTemplate.PASS_NO_MARRIAGE:
        return statement
    if comparison.better:  # a bid must gain more than the error, over the partner's even more
        if bidder in view.rules.partners_of(cast(int, view.seat)):
            return Explanation(ReasonTemplate.PASS_TO_PARTNER, seat=bidder)
        return Explanation(ReasonTemplate.PASS_GAIN_UNSURE)
    if not comparison.worse:
        return Explanation(ReasonTemplate.ABOUT_EVEN)
    other = comparison.worse[0]
    test = CallCounterfactuals(statistics, comparison.chosen, other)
    if statement.template is ReasonTemplate.PASS_TO_PARTNER and test.does_partner_decide():
        return statement
    if test.does_own_failure_decide():
        return Explanation(ReasonTemplate.PASS_TOO_HIGH, bid=cast(Bid, other.action).points)
    if test.does_their_failure_decide():
        return Explanation(ReasonTemplate.PASS_OPPONENTS_MAY_FAIL)
    return Explanation(_average(statistics, comparison.chosen, other))


def _average(
    statistics: RolloutStatistics, chosen: EvaluatedAction, other: EvaluatedAction
) -> ReasonTemplate:
    is_mostly = is_mostly_better(statistics, chosen.action, other.action)
    return ReasonTemplate.BETTER_IN_MOST_DEALS if is_mostly else ReasonTemplate.BETTER_ON_AVERAGE


# --- cards that are played -----------------------------------------------------------------------


def _play_reason(
    statistics: RolloutStatistics, comparison: Comparison, statement: Explanation
) -> Explanation:
    chosen = comparison.chosen
    parts = _deciding_parts(statistics, comparison, _PLAY_PARTS)
    if isinstance(chosen.action, Play):
        own_part = OutcomePart.LATER if statement.template in _LATER_REASONS else OutcomePart.TRICK
    else:
        own_part = OutcomePart.MELD
    if own_part in parts:
        return statement
    return _contrast(statistics, comparison, parts, _PLAY_PARTS)


def _lay_reason(
    view: View, statistics: RolloutStatistics, comparison: Comparison, statement: Explanation
) -> Explanation:
    """Return why to lay a meld now.

    That it may be too late later decides only if every action that keeps the meld for later is
    worse. Where only those are worse that break it, or that lay another one, these are named.
    """
    parts = _deciding_parts(statistics, comparison, _LAY_PARTS)
    if statement.template is ReasonTemplate.LAY_BRINGS_UPCARD:
        is_reason = OutcomePart.MELD in parts or OutcomePart.LATER in parts
    elif statement.template is ReasonTemplate.LAY_IN_TIME:
        is_reason = _does_time_decide(view, statistics, comparison)
    else:
        is_reason = OutcomePart.MELD in parts
    return statement if is_reason else _contrast(statistics, comparison, parts, _PLAY_PARTS)


def _does_time_decide(view: View, statistics: RolloutStatistics, comparison: Comparison) -> bool:
    """Return whether keeping the meld for later would be chosen if it brought as much meld."""
    meld = Counter(cast(LayMeld, comparison.chosen.action).cards)
    spare = Counter(view.hand) - meld

    def keeps(evaluated: EvaluatedAction) -> bool:
        match evaluated.action:
            case Play(card):
                return card not in meld or card in spare
            case action:
                return action == PASS

    keeping = [evaluated for evaluated in comparison.worse if keeps(evaluated)]
    return not any(map(keeps, comparison.equal)) and (
        overtaking_action(statistics, comparison.chosen, keeping, (OutcomePart.MELD,)) is not None
    )


def _deciding_parts(
    statistics: RolloutStatistics, comparison: Comparison, parts: Sequence[OutcomePart]
) -> dict[OutcomePart, Action]:
    """Return the parts that decide, each with the action that is better without it."""
    overtaking = {
        part: overtaking_action(statistics, comparison.chosen, comparison.worse, (part,))
        for part in parts
    }
    return {part: action for part, action in overtaking.items() if action is not None}


def _contrast(
    statistics: RolloutStatistics,
    comparison: Comparison,
    deciding: dict[OutcomePart, Action],
    parts: Sequence[OutcomePart],
) -> Explanation:
    """Return a reason that names the action that would be chosen without a part, or without two."""
    chosen, worse = comparison.chosen, comparison.worse
    for part, other in deciding.items():
        template, name = _REASON_OF_PART[part], name_action(chosen.action, other)
        if (
            part is OutcomePart.LATER
            and isinstance(other, Play)
            and isinstance(chosen.action, Play)
        ):
            template = ReasonTemplate.KEEP_OTHERS_FOR_LATER
        return Explanation(template, other_actions=name)
    for pair in combinations(parts, 2):
        both = overtaking_action(statistics, chosen, worse, pair)
        if both is not None and pair in _REASON_OF_PARTS:
            return Explanation(
                _REASON_OF_PARTS[pair], other_actions=name_action(chosen.action, both)
            )
    other_option = next(
        (evaluated for evaluated in worse if evaluated.action in statistics.actions), None
    )
    if other_option is None or chosen.action not in statistics.actions:
        return Explanation(ReasonTemplate.BID_UNLIKELY_MADE)
    return Explanation(_average(statistics, chosen, other_option))


# --- trump, and cards that leave the hand --------------------------------------------------------


def _cards_reason(
    view: View, statistics: RolloutStatistics, comparison: Comparison, statement: Explanation
) -> Explanation:
    parts = _deciding_parts(statistics, comparison, _CARD_PARTS)
    action, saying = comparison.chosen.action, statement.template
    if isinstance(action, NameTrump):
        own_parts = {
            ReasonTemplate.TRUMP_RUN: (OutcomePart.MELD,),
            ReasonTemplate.TRUMP_MELDS_MOST: (OutcomePart.MELD,),
            ReasonTemplate.TRUMP_LONGEST: (OutcomePart.PLAY,),
            ReasonTemplate.TRUMP_LONGEST_AND_MELDS_MOST: (OutcomePart.MELD, OutcomePart.PLAY),
        }.get(saying, ())
        if own_parts and all(part in parts for part in own_parts):
            return statement
        is_worth_most = saying in (
            ReasonTemplate.TRUMP_LONGEST_AND_MELDS_MOST,
            ReasonTemplate.TRUMP_WORTH_MOST,
        )
        if is_worth_most and not parts:
            return statement
        return _contrast(statistics, comparison, parts, _CARD_PARTS)
    if (other := parts.get(OutcomePart.PLAY)) is not None:
        given = Counter(cast(Give, action).cards) - Counter(cast(Give, other).cards)
        instead = Counter(cast(Give, other).cards) - Counter(cast(Give, action).cards)
        if isinstance(action, Give) and view.seat != view.declarer:
            _, taker = pass_order(view.rules, cast(int, view.declarer))[passes_completed(view)]
            if all(card.suit is view.trump for card in given) and not any(
                card.suit is view.trump for card in instead
            ):
                return Explanation(ReasonTemplate.GIVE_TRUMPS, seat=taker)
            if all(card.rank is Rank.ACE for card in given):
                return Explanation(ReasonTemplate.GIVE_ACES, seat=taker)
        if isinstance(action, Bury):
            is_void = saying is ReasonTemplate.BURY_MAKES_VOID
            if is_void and not {card.suit for card in given} - set(statement.suits):
                return statement
            if card_points(view.rules, given.elements()) > card_points(
                view.rules, instead.elements()
            ):
                return Explanation(ReasonTemplate.BURY_POINTS)
    return _contrast(statistics, comparison, parts, _CARD_PARTS)
