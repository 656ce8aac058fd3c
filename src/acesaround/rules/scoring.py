"""Scoring: totals of each side, made or set, meld kept or lost, and who has won.

All functions take and return numbers; every list has one item per side, in the order of
`Rules.sides`. `melds` finds the melds of a hand, `tricks` the winner of a trick. Sources: the
`notes.md` of all variants.

`make_tally` adds up what each side has laid and won, with the bonus for the last trick and buried
counters. It works for a state and for a view.

A deal that is played out is scored by `score_after_losses_kernel` and `total_change`, a deal
without trump by `meld_without_play` and `no_marriage_change`. `winner_of` finds the winner of the
game. These functions take plain numbers: the engine runs them as Python, and the kernels compile
them.
"""

from __future__ import annotations

import enum
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from math import gcd
from typing import Final, NamedTuple

import msgspec

from acesaround.cards import Suit
from acesaround.rules import Concede, KeepMeld, Rules, Tie
from acesaround.rules.melds import Meld, points_of_dixes
from acesaround.rules.tricks import meld_saving_kinds, points_of


class Outcome(enum.StrEnum):
    """How a deal ended."""

    MADE = "made"
    SET = "set"
    CONCEDED = "conceded"
    THROWN_IN = "thrown-in"
    NO_MARRIAGE = "no-marriage"
    RENEGED = "reneged"
    NO_BID = "counted"


class Tally(msgspec.Struct, frozen=True):
    """The points that each side laid and won in a deal, before any loss.

    `dix_points`: the part of `meld` that comes from dixes. `play`: card points with the bonus for
    the last trick and buried counters. `has_counter`: whether the side won a counter in a trick;
    under `KeepMeld.TRICK`, whether it won any trick.
    """

    meld: tuple[int, ...]
    dix_points: tuple[int, ...]
    play: tuple[int, ...]
    has_counter: tuple[bool, ...]


class DealScore(msgspec.Struct, frozen=True, gc=False):
    """The result of a deal. Lists have one item per side; `change` was added to the totals."""

    outcome: Outcome
    bid: int | None
    declarer: int | None
    trump: Suit | None
    meld: tuple[int, ...]
    play: tuple[int, ...]
    change: tuple[int, ...]


def card_points(rules: Rules, cards: Iterable[int]) -> int:
    """Return the points of cards in play, won or buried."""
    kind_points = points_of(rules.scoring.card_points)
    return sum([kind_points[card] for card in cards])


def has_counter_by_side(
    rules: Rules, tricks: Iterable[tuple[int, Iterable[int]]]
) -> tuple[bool, ...]:
    """Return for each side whether it won a card that keeps its meld.

    `tricks.meld_saving_kinds` says which cards do.

    `tricks`: the winner and the cards of each trick.
    """
    has_won, saves_meld = [False] * len(rules.sides), meld_saving_kinds(rules.scoring.keep_meld)
    for winner, cards in tricks:
        side = rules.side_of(winner)
        has_won[side] = has_won[side] or any(saves_meld[card] for card in cards)
    return tuple(has_won)


def dix_points_by_side(rules: Rules, laid: Iterable[tuple[int, Sequence[Meld]]]) -> tuple[int, ...]:
    """Return the worth of each side's dixes. `laid`: a seat and its melds."""
    dix_points = [0] * len(rules.sides)
    for seat, melds in laid:
        dix_points[rules.side_of(seat)] += points_of_dixes(melds)
    return tuple(dix_points)


def make_tally(
    rules: Rules,
    laid: Iterable[tuple[int, int | None, Sequence[Meld]]],
    points_won: Sequence[int],
    has_counter: Sequence[bool],
    declarer: int | None,
    buried: int,
    last_winner: int | None,
) -> Tally:
    """Return what each side has laid and won, before any loss.

    `laid`: a seat, its points and its melds; unknown points count 0. `points_won`, `has_counter`:
    card points and counters won in tricks, one item per side; empty before the first trick.
    `buried`: the card points that the seat `declarer` has buried. `last_winner`: the seat that won
    the last trick of the deal, or None while cards are still to be played, because the bonus comes
    with the last card.
    """
    sides = len(rules.sides)
    laid = tuple(laid)
    meld, play = [0] * sides, list(points_won or (0,) * sides)
    for seat, points, _ in laid:
        meld[rules.side_of(seat)] += points or 0
    if declarer is not None:
        play[rules.side_of(declarer)] += buried
    if last_winner is not None:
        play[rules.side_of(last_winner)] += rules.scoring.last_trick
    dix_points = dix_points_by_side(rules, [(seat, melds) for seat, _, melds in laid])
    return Tally(tuple(meld), dix_points, tuple(play), tuple(has_counter) or (False,) * sides)


def max_play_points(rules: Rules, players: int) -> int:
    """Return the most card points that the play can bring, with the bonus for the last trick.

    Where cards stay undealt, every card in play is assumed to be a counter.
    """
    values = sorted(
        (points_of(rules.scoring.card_points)[c] for c in rules.deck.cards), reverse=True
    )
    in_play = players * rules.hand_size + rules.deal.kitty if rules.auction else len(values)
    return sum(values[:in_play]) + rules.scoring.last_trick


def mean_play_points(rules: Rules, players: int) -> float:
    """Return the mean card points in the play of a deal, with the bonus for the last trick.

    Where cards stay undealt, the cards in play have their share of the deck's points.
    """
    values = points_of(rules.scoring.card_points)
    total = sum(values[card] for card in rules.deck.cards)
    in_play = players * rules.hand_size + rules.deal.kitty if rules.auction else rules.deck.size
    return total * in_play / rules.deck.size + rules.scoring.last_trick


class ScoringParams(NamedTuple):
    """The scoring rules for a deal that is played out, as plain numbers."""

    meld_needs_counter: bool
    """Whether meld is lost without a counter, or without any card, won in a trick."""
    meld_needs_point: bool
    """Whether meld is lost without a point in play."""
    least_meld: int
    least_play: int
    least_hand: int
    """The floor on a side's whole hand; 0 if there is none."""
    nines_apart: bool
    set_pays_defenders: bool
    no_marriage_pays: bool
    is_paid_by_bid: bool
    """Whether the bid decides what a deal pays; points then do not score."""
    spades_pay: int
    set_pays: int


def scoring_params(rules: Rules) -> ScoringParams:
    """Return the scoring rules of a table as plain numbers."""
    scoring = rules.scoring
    return ScoringParams(
        meld_needs_counter=scoring.keep_meld in (KeepMeld.COUNTER, KeepMeld.TRICK),
        meld_needs_point=scoring.keep_meld is KeepMeld.POINT,
        least_meld=scoring.least_meld,
        least_play=scoring.least_play,
        least_hand=scoring.least_hand if scoring.min_twenty else 0,
        nines_apart=scoring.nines_apart,
        set_pays_defenders=scoring.set_pays_defenders,
        no_marriage_pays=scoring.no_marriage_pays,
        is_paid_by_bid=bool(scoring.pays),
        spades_pay=scoring.spades_pay,
        set_pays=scoring.set_pays,
    )


def score_after_losses_kernel(
    params: ScoringParams, meld: int, dix_points: int, play: int, has_counter: bool
) -> tuple[int, int]:
    """Return a side's (meld, play) after losses.

    `dix_points`: the part of its meld from dixes.
    """
    if (
        meld < params.least_meld
        or (params.meld_needs_counter and not has_counter)
        or (params.meld_needs_point and play == 0)
    ):
        meld = dix_points if params.nines_apart else 0
    if play < params.least_play or meld + play < params.least_hand:
        meld = play = 0
    return meld, play


def total_change(
    params: ScoringParams, scored: int, dix_points: int, is_declarer: bool, made: bool, bid: int
) -> int:
    """Return the change of a side's total; `scored`: its meld and play after losses."""
    if made:
        return scored
    if is_declarer:
        return (0 if params.set_pays_defenders else -bid) + (
            dix_points if params.nines_apart else 0
        )
    return scored + (bid if params.set_pays_defenders else 0)


def meld_without_play(params: ScoringParams, meld: int) -> int:
    """Return a side's meld if no trick is played for it; a least meld still applies."""
    return meld if meld >= max(params.least_meld, params.least_hand) else 0


def no_marriage_change(params: ScoringParams, saved_meld: int, is_declarer: bool, bid: int) -> int:
    """Return the change of a side's total if the declarer has no marriage to name trump from.

    `saved_meld`: the result of `meld_without_play` for the side.
    """
    if is_declarer:
        return 0 if params.set_pays_defenders else -bid
    return (bid if params.set_pays_defenders else 0) + (
        saved_meld if params.no_marriage_pays else 0
    )


def conceded_change(
    params: ScoringParams, saved_meld: int, dix_points: int, is_declarer: bool, bid: int
) -> int:
    """Return the change of a side's total if the declarer gives up before leading.

    `saved_meld`: the result of `meld_without_play` for the side.
    """
    if is_declarer:
        return (dix_points if params.nines_apart else 0) - bid
    return saved_meld


def full_payment(params: ScoringParams, basic_payment: int, is_spades: bool, made: bool) -> int:
    """Return what each other side pays for a made bid, or receives for a bid that was set."""
    return (
        basic_payment * (params.spades_pay if is_spades else 1) * (1 if made else params.set_pays)
    )


def payment_change(payment: int, other_sides: int, is_declarer: bool, made: bool) -> int:
    """Return the change of a side's total when each other side pays the declarer, or is paid."""
    income = payment if made else -payment
    return income * other_sides if is_declarer else -income


def basic_payment(rules: Rules, bid: int) -> int:
    """Return what each other side pays for a bid of this height, before any factor."""
    pays = rules.scoring.pays
    return max((payment for start, payment in pays if start <= bid), default=pays[0][1])


def least_stake(rules: Rules) -> int:
    """Return what a declarer gains by making the lowest bid instead of being set, where bids pay.

    Raises ValueError if the bid does not decide what a deal pays.
    """
    if rules.auction is None or not rules.scoring.pays:
        raise ValueError("the bid decides nothing here")
    payment = basic_payment(rules, rules.auction.lowest_bid)
    return payment * (1 + rules.scoring.set_pays) * (len(rules.sides) - 1)


def score_after_losses(rules: Rules, tally: Tally, side: int) -> tuple[int, int]:
    """Return a side's (meld, play) after losses, before the bid is compared."""
    return score_after_losses_kernel(
        scoring_params(rules),
        tally.meld[side],
        tally.dix_points[side],
        tally.play[side],
        tally.has_counter[side],
    )


class LossReason(enum.StrEnum):
    """Why a side loses some of its meld or play."""

    MELD = "meld"
    """The meld is below its floor."""
    TRICK = "trick"
    """The side won no trick, which it needed to keep its meld."""
    COUNTER = "counter"
    """The side won no counter in a trick, which it needed to keep its meld."""
    POINT = "point"
    """The side won no point in play, which it needed to keep its meld."""
    PLAY = "play"
    """The play is below its floor, so neither meld nor play counts."""
    HAND = "hand"
    """Meld and play together are below the floor of a hand."""


class Loss(msgspec.Struct, frozen=True, gc=False):
    """Why a side lost points, and the minimum that it missed; 0 if there is none."""

    why: LossReason
    least: int


def losses_by_side(rules: Rules, score: DealScore) -> tuple[Loss | None, ...]:
    """Return what each side lost in a deal that was played out; a set bid is not such a loss."""
    return tuple([_loss(rules, score, side) for side in range(len(score.meld))])


def _loss(rules: Rules, score: DealScore, side: int) -> Loss | None:
    if score.outcome not in (Outcome.MADE, Outcome.SET, Outcome.NO_BID) or rules.scoring.pays:
        return None
    params, meld, play = scoring_params(rules), score.meld[side], score.play[side]
    scored = score.change[side]
    if score.outcome is Outcome.SET:
        bid, declarer = score.bid or 0, score.declarer
        if declarer is not None and side == rules.side_of(declarer):
            scored = 0 if meld + play >= bid else meld + play
        elif params.set_pays_defenders:
            scored -= bid
    if scored == meld + play:
        return None
    if play < params.least_play:
        return Loss(LossReason.PLAY, params.least_play)
    is_meld_low = meld < params.least_meld
    if (play if is_meld_low else meld + play) < params.least_hand:
        return Loss(LossReason.HAND, params.least_hand)
    if is_meld_low:
        return Loss(LossReason.MELD, params.least_meld)
    return Loss(LossReason(rules.scoring.keep_meld.value), 0)


def side_meld_without_play(rules: Rules, tally: Tally, side: int) -> int:
    """Return a side's meld if no trick is played for it; a least meld still applies."""
    return meld_without_play(scoring_params(rules), tally.meld[side])


def is_bid_hopeless(rules: Rules, tally: Tally, side: int, bid: int, players: int) -> bool:
    """Return whether a bid cannot be made even by winning every trick."""
    max_play = max_play_points(rules, players)
    return is_out_of_reach(rules.scoring.least_meld, tally.meld[side], bid, max_play)


def is_out_of_reach(least_meld: int, meld: int, bid: int, max_play: int) -> bool:
    """Return whether a bid cannot be made with a side's meld and `max_play` points in play."""
    return bid > (meld if meld >= least_meld else 0) + max_play


def points_to_make_bid(rules: Rules, tally: Tally, side: int, bid: int) -> int:
    """Return the fewest further points in play with which a side makes its bid.

    Where meld needs a counter in a trick, these points are assumed to include one.
    """
    params, step = scoring_params(rules), gcd(*points_of(rules.scoring.card_points))
    max_points = max(bid, params.least_hand) + params.least_play

    meld, dix_points = tally.meld[side], tally.dix_points[side]
    play, counter = tally.play[side], tally.has_counter[side]

    def scored(more_points: int) -> int:
        return sum(
            score_after_losses_kernel(
                params, meld, dix_points, play + more_points, counter or more_points > 0
            )
        )

    return step * bisect_left(range(0, max_points + step, step), bid, key=scored)


def may_concede(rules: Rules, tally: Tally, side: int, bid: int, players: int) -> bool:
    """Return whether the declarer of this side may give up before leading."""
    match rules.scoring.concede:
        case Concede.ALWAYS:
            return True
        case Concede.HOPELESS:
            return is_bid_hopeless(rules, tally, side, bid, players)
        case Concede.NEVER:
            return False


def outcome_and_changes(
    rules: Rules,
    tally: Tally,
    outcome: Outcome | None,
    declarer: int | None,
    bid: int | None,
    offender: int | None = None,
    trump: int | None = None,
) -> tuple[Outcome, tuple[int, ...]]:
    """Return the outcome of a deal and what it adds to each side's total.

    `outcome`: how the deal ended early, None if it was played out. `declarer` and `offender` are
    sides, `bid` is the declarer's bid. `trump`: the trump suit, because spades may pay more.
    """
    sides = range(len(rules.sides))
    if outcome is Outcome.THROWN_IN:
        return outcome, tuple(0 for _ in sides)
    if rules.scoring.pays and bid is not None and declarer is not None:
        return _payment(rules, tally, outcome, declarer, bid, trump, offender)
    if outcome is Outcome.RENEGED:
        penalty = -(bid or 0)
        return outcome, tuple(
            penalty if side == offender else side_meld_without_play(rules, tally, side)
            for side in sides
        )
    if declarer is None or bid is None:
        return Outcome.NO_BID, tuple(sum(score_after_losses(rules, tally, side)) for side in sides)
    if outcome is Outcome.CONCEDED:
        return outcome, tuple(
            conceded_change(
                scoring_params(rules),
                side_meld_without_play(rules, tally, side),
                tally.dix_points[side],
                side == declarer,
                bid,
            )
            for side in sides
        )
    if outcome is Outcome.NO_MARRIAGE:
        return outcome, tuple(
            no_marriage_change(
                scoring_params(rules),
                side_meld_without_play(rules, tally, side),
                side == declarer,
                bid,
            )
            for side in sides
        )
    scored = [sum(score_after_losses(rules, tally, side)) for side in sides]
    made, params = scored[declarer] >= bid, scoring_params(rules)
    return Outcome.MADE if made else Outcome.SET, tuple(
        total_change(params, scored[side], tally.dix_points[side], side == declarer, made, bid)
        for side in sides
    )


def _payment(
    rules: Rules,
    tally: Tally,
    outcome: Outcome | None,
    declarer: int,
    bid: int,
    trump: int | None,
    offender: int | None,
) -> tuple[Outcome, tuple[int, ...]]:
    """Return the result of `outcome_and_changes` for a table where deals are paid.

    A declarer who gives up pays once. An offender who reneges pays as if set.
    """
    params, unit, side = scoring_params(rules), basic_payment(rules, bid), declarer
    made = outcome is None and sum(score_after_losses(rules, tally, declarer)) >= bid
    payment = full_payment(params, unit, trump == Suit.S, made)
    if outcome in (Outcome.CONCEDED, Outcome.NO_MARRIAGE):
        payment = unit
    elif outcome is Outcome.RENEGED and offender is not None:
        side = offender
    others = len(rules.sides) - 1
    change = tuple(
        payment_change(payment, others, other_side == side, made)
        for other_side in range(others + 1)
    )
    return outcome or (Outcome.MADE if made else Outcome.SET), change


NO_WINNER: Final = -1  # result of `winner_of`: no side has reached the target
TIED_WINNERS: Final = -2  # result of `winner_of`: the highest sides at the target are tied


def winner_of(totals: Sequence[int], target: int, priority_side: int) -> int:
    """Return the winner: `priority_side` if it has reached the target, else the highest that has.

    The result and `priority_side` are indices into `totals`; the result may also be NO_WINNER or
    TIED_WINNERS. `priority_side` is -1 if no side goes before the others.
    """
    if priority_side >= 0 and totals[priority_side] >= target:
        return priority_side
    best, winner = target - 1, NO_WINNER
    for side in range(len(totals)):
        if totals[side] > best:
            best, winner = totals[side], side
        elif totals[side] == best and winner != NO_WINNER:
            winner = TIED_WINNERS
    return winner


class GameStatus(msgspec.Struct, frozen=True):
    """The situation of the game after a deal.

    `winner`: a side, or None. `target`: the points that win from now on. `contenders`: the sides
    that play the next deal: all, unless tied sides play on alone.
    """

    winner: int | None
    target: int
    contenders: tuple[int, ...]


def game_status_after_deal(
    rules: Rules,
    totals: Sequence[int],
    contenders: tuple[int, ...],
    target: int,
    declarer: int | None,
    deals: int,
) -> GameStatus:
    """Return the situation of the game once a deal is scored.

    `contenders`: the sides that played the deal. `declarer`: the side that had the bid, or None.
    `deals`: the number of deals played, including this one.
    """
    ending = rules.ending
    all_sides = tuple(range(len(rules.sides)))
    if ending.hands is not None:
        best = max(totals)
        leading = [side for side in all_sides if totals[side] == best]
        if deals < ending.hands:
            return GameStatus(None, target, all_sides)
        if len(leading) == 1:
            return GameStatus(leading[0], target, all_sides)
        return GameStatus(declarer if declarer in leading else None, target, all_sides)
    priority_index = -1
    if ending.declarer_first and declarer in contenders:
        priority_index = contenders.index(declarer)
    winner_index = winner_of([totals[side] for side in contenders], target, priority_index)
    if winner_index == NO_WINNER:
        return GameStatus(None, target, contenders)
    if winner_index != TIED_WINNERS:
        return GameStatus(contenders[winner_index], target, contenders)
    best = max(totals[side] for side in contenders)
    leading = [side for side in contenders if totals[side] == best]
    match ending.tie:
        case Tie.ANOTHER_DEAL:
            return GameStatus(None, target, contenders)
        case Tie.TIED_PLAY_ON:
            return GameStatus(None, target, tuple(leading))
        case Tie.RAISE_TARGET:
            steps = (best - target) // ending.target_step + 1
            return GameStatus(None, target + steps * ending.target_step, contenders)
