"""The arrays of games in step: their rules, their states and the results of a step.

Every array of `GameBatch` and of `StepResults` has the game as its first axis. All seats play, so a
seat is a player of `rule_arrays`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.errors import RulesError
from acesaround.fast.jit import inlined_kernel
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.playouts.packed_deal import PackedDeal, empty_deal
from acesaround.fast.playouts.play_loop import FROM_LOG
from acesaround.fast.playouts.rule_arrays import Integers, RuleArrays, build_rule_arrays
from acesaround.fast.rollouts.win_probability import (
    EndBuffer,
    ScoringState,
    make_scoring_state,
    new_end_buffer,
)
from acesaround.fast.stepping.shown_meld_cards import ShownMeldTables, build_shown_meld_tables
from acesaround.game.state import DecisionKind
from acesaround.legal_bids import legal_bids
from acesaround.rules import AllPass, Concede, Phase, Rules, dealer_forced_bid
from acesaround.rules.scoring import max_play_points

Array: TypeAlias = Any  # numba infers it
Floats: TypeAlias = NDArray[np.float32]
Booleans: TypeAlias = NDArray[np.bool_]

# Fields of `GameBatch.deals`.
DECISION: Final = 0  # what is to be decided: an index into `DecisionKind`, or OVER
SEAT: Final = 1  # the seat on turn
DEALER: Final = 2
PHASE: Final = 3  # an index into `StepRules.phases`, -1 while cards are dealt
DECLARER: Final = 4  # -1 without one
CONTRACT: Final = 5  # the declarer's bid, 0 without one
NAMED_TRUMP: Final = 6  # -1 before trump is named
STANDING_BID: Final = 7  # the place of the standing bid in `StepRules.bids`, -1 without one
BIDDER: Final = 8  # the seat of the standing bid, -1 without one
ACTIVE: Final = 9  # the set of the seats that are still to bid, to be asked or to discard
PASSED: Final = 10  # the set of the seats that have passed
CHOSEN_COUNT: Final = 11  # cards that the seat on turn has chosen
LAST_CHOSEN: Final = 12  # the kind of the last one of them
PASSES_MADE: Final = 13  # complete passings between partners
DRAWN: Final = 14  # cards drawn from the stock
BURIED_POINTS: Final = 15
COMPLETE_MELDS: Final = 16  # the set of the seats whose melds are shown without exception
OUTCOME: Final = 17  # PLAYED_OUT, or how the deal ended early
UPCARD: Final = 18  # the kind of the dealer's upcard, -1 without one
UPCARD_TAKER: Final = 19  # the seat whose nine took it, -1 without one
DEAL_NUMBER: Final = 20  # the deals that this place of the batch has had before
DEAL_FIELDS: Final = 21

OVER: Final = 0
"""DECISION of a deal that is over: the index of `DecisionKind.DEAL`."""
PLAYED_OUT: Final = 0
THROWN_IN: Final = 1
NO_MARRIAGE: Final = 2
CONCEDED: Final = 3


def _decision(kind: DecisionKind) -> int:
    return list(DecisionKind).index(kind)


def _phase(phase: Phase) -> int:
    return list(Phase).index(phase)


DECIDE_BID: Final = _decision(DecisionKind.BID)
DECIDE_BURY: Final = _decision(DecisionKind.BURY)
DECIDE_TRUMP: Final = _decision(DecisionKind.TRUMP)
DECIDE_GIVE: Final = _decision(DecisionKind.GIVE)
DECIDE_DISCARD: Final = _decision(DecisionKind.DISCARD)
DECIDE_UPCARD: Final = _decision(DecisionKind.UPCARD)
DECIDE_PLAY: Final = _decision(DecisionKind.PLAY)

AUCTION_PHASE: Final = _phase(Phase.AUCTION)
KITTY_PHASE: Final = _phase(Phase.KITTY)
TRUMP_PHASE: Final = _phase(Phase.TRUMP)
EXCHANGE_PHASE: Final = _phase(Phase.EXCHANGE)
REDRAW_PHASE: Final = _phase(Phase.REDRAW)
MELDING_PHASE: Final = _phase(Phase.MELDING)
UPCARD_PHASE: Final = _phase(Phase.UPCARD)
PLAY_PHASE: Final = _phase(Phase.PLAY)

ALL_PASS_RULES: Final = tuple(AllPass)
CONCEDE_RULES: Final = tuple(Concede)


class ActionIds(NamedTuple):
    """The ids of the actions: those of `envs.action_codec`."""

    pass_id: int
    done: int
    concede: int
    first_trump: int
    first_card: int
    first_bid: int
    action_count: int
    """The number of action ids."""


OBSERVATION_GROUPS: Final = (
    "hand", "chosen", "turn", "dealer", "declarer", "playing", "passed", "highest bid",
    "cards held", "contract", "trump", "trump broken", "melds of seat 0", "trick of seat 0",
    "played by seat 0", "kitty", "buried", "given", "received", "stock", "points won", "target",
)  # fmt: skip
"""The groups of entries of an observation that kernels write. Groups of the other seats follow
those of seat 0."""
(
    HAND, CHOSEN, TURN_SEAT, DEALER_SEAT, DECLARER_SEAT, PLAYING, PASSED_SEATS, HIGHEST_BIDS,
    CARDS_HELD, CONTRACT_POINTS, TRUMP_SUIT, IS_BROKEN, MELDS, TRICK_CARDS, PLAYED_CARDS, KITTY,
    BURIED, GIVEN, RECEIVED, STOCK, POINTS_WON, TARGET,
) = range(len(OBSERVATION_GROUPS))  # fmt: skip


class ObservationLayout(NamedTuple):
    """Where the entries of an observation are, and how numbers become entries."""

    size: int
    """The number of entries."""
    first_decision: int
    """The entry of the first kind of decision after `DecisionKind.DEAL`."""
    first_entries: Integers
    """The first entry of each of OBSERVATION_GROUPS."""
    points_scale: float
    """The factor for points."""


class StepRules(NamedTuple):
    """The rules of all games of a batch, as kernels read them."""

    rule_arrays: RuleArrays
    meld_tables: Integers
    shown_meld_tables: ShownMeldTables
    scoring_state: ScoringState
    """The scoring of a first deal: all totals are 0."""
    action_ids: ActionIds
    layout: ObservationLayout
    phases: Integers
    """The phases in order: indices into `Phase`."""
    bids: Integers
    """The heights of the numbered bids."""
    allowed_bids: Booleans
    """Whether each bid (columns) is legal over each standing one; the first row: over none."""
    blank: Floats
    """An observation of nothing but the constant entries."""
    fractions: Floats
    """The entry of a kind with 1, 2, ... cards."""
    policies: Integers
    """FROM_LOG for each player."""
    one_round: bool
    all_pass: int
    """An index into ALL_PASS_RULES."""
    forced_bid: int
    """What the dealer plays for when everybody has passed."""
    concede_rule: int
    """An index into CONCEDE_RULES."""
    max_play_points: int
    least_meld: int
    stock_size: int
    """Cards in the stock after the deal."""
    max_passes: int
    """The passings between partners of a deal."""
    all_asked: bool
    """Whether everybody is asked for a nine to take the dealer's upcard."""
    reward_scale: float


class GameBatch(NamedTuple):
    """The games. Hands and other cards are rows of sets, as in `rule_arrays`."""

    packed: PackedDeal
    """The cards and the play of each deal: each array has the game as its first axis."""
    deals: Integers
    """(games, DEAL_FIELDS)."""
    cards: Integers
    """The shuffled deck of each deal: each hand in turn, the kitty, the stock."""
    highest_bids: Integers
    """The highest bid of each seat, 0 without one: (games, seats)."""
    chosen: Integers
    """The cards that the seat on turn has chosen: (games, copies)."""
    moved: Integers
    """The cards of each passing in order, then the discards of each seat: (games, max_passes +
    seats, copies)."""
    buried: Integers
    """(games, copies)."""
    played: Integers
    """The cards that each seat has played: (games, seats, copies)."""
    shown: Integers
    """The cards of each seat's melds: (games, seats, copies)."""
    shown_aces: Integers
    """How many aces of each suit a seat shows whose side is below the least meld: (games,
    seats)."""
    dix_points: Integers
    """The part of each seat's meld that is from dixes: (games, seats)."""
    end_buffer: EndBuffer
    """Scratch for the score of one deal."""
    log: Integers
    """Scratch for one choice: (1,)."""


class StepResults(NamedTuple):
    """The results of a step for each game; see `envs.vector_env.VectorStep`."""

    seats: Integers
    masks: Booleans
    observations: Floats
    """(games, entries), or (games, 0) if nobody wants observations."""
    rewards: Floats
    scores: Integers
    terminations: Booleans


def why_not_steppable(rules: Rules) -> str | None:
    """Return why games of these rules cannot be stepped in a batch, as a clause; None if they can.

    `build_rule_arrays` refuses other rules, too.
    """
    if Phase.STOCK_PLAY in rules.phases:
        return (
            "melds are laid one by one between tricks here, and games in step lay them before the "
            "play; possible is every game with an auction, or with a card of the dealer as trump"
        )
    if rules.melds.others:
        return (
            f"{rules.melds.others[0].name} is a meld of your own, and games in step show only the "
            "standard melds; possible are rules without `melds.others`"
        )
    return None


def build_step_rules(
    rules: Rules,
    bids: Sequence[int],
    action_ids: ActionIds,
    layout: ObservationLayout,
    reward_scale: float,
) -> StepRules:
    """Return the rules as kernels read them. Raises RulesError for rules that they cannot play.

    `bids`: the heights of the numbered bids.
    """
    if reason := why_not_steppable(rules):
        raise RulesError(f"{rules.title} cannot be played as games in step: {reason}.")
    seats, auction = tuple(range(rules.seats)), rules.auction
    allowed_bids = np.zeros((len(bids) + 1, len(bids)), np.bool_)
    if auction is not None:
        for row, standing_bid in enumerate((None, *bids)):
            legal = legal_bids(auction, standing_bid, may_pass=True)
            allowed_bids[row] = [legal.allows(bid) for bid in bids]
    blank = np.zeros(layout.size, np.float32)
    first = layout.first_entries
    blank[first[PLAYING] : first[PLAYING] + rules.seats] = 1
    blank[first[TARGET]] = rules.ending.target * layout.points_scale
    copies = rules.deck.copies
    stock_size = rules.deck.size - rules.seats * rules.hand_size - rules.deal.kitty
    return StepRules(
        rule_arrays=build_rule_arrays(rules, seats),
        meld_tables=build_meld_tables(rules),
        shown_meld_tables=build_shown_meld_tables(rules),
        scoring_state=make_scoring_state(
            rules, seats, (0,) * len(rules.sides), rules.ending.target, 0
        ),
        action_ids=action_ids,
        layout=layout,
        phases=np.array([_phase(phase) for phase in rules.phases], np.int64),
        bids=np.array(bids, np.int64),
        allowed_bids=allowed_bids,
        blank=np.clip(blank, -1, 1),
        fractions=np.array([count / copies for count in range(1, copies + 1)], np.float32),
        policies=np.full(rules.seats, FROM_LOG, np.int64),
        one_round=auction is not None and auction.one_round,
        all_pass=0 if auction is None else ALL_PASS_RULES.index(auction.all_pass),
        forced_bid=0 if auction is None else dealer_forced_bid(auction),
        concede_rule=CONCEDE_RULES.index(rules.scoring.concede),
        max_play_points=max_play_points(rules, rules.seats),
        least_meld=rules.scoring.least_meld,
        stock_size=stock_size if rules.deal.stock else 0,
        max_passes=2 * (rules.side_size - 1),
        all_asked=rules.deal.all_asked,
        reward_scale=float(reward_scale),
    )


def empty_games(rules: StepRules, count: int) -> GameBatch:
    """Return `count` games before any card is dealt."""
    seats, copies = len(rules.policies), len(rules.fractions)

    def zeros(*shape: int) -> Integers:
        return np.zeros((count, *shape), np.int64)

    return GameBatch(
        packed=PackedDeal(*(zeros(*array.shape) for array in empty_deal(rules.rule_arrays))),
        deals=zeros(DEAL_FIELDS),
        cards=zeros(len(rules.rule_arrays.deck)),
        highest_bids=zeros(seats),
        chosen=zeros(copies),
        moved=zeros(rules.max_passes + seats, copies),
        buried=zeros(copies),
        played=zeros(seats, copies),
        shown=zeros(seats, copies),
        shown_aces=zeros(seats),
        dix_points=zeros(seats),
        end_buffer=new_end_buffer(len(rules.rule_arrays.side_zeros)),
        log=np.zeros(1, np.int64),
    )


def empty_results(rules: StepRules, count: int, *, observes: bool) -> StepResults:
    """Return arrays for the results of a step of `count` games."""
    seats, sides = len(rules.policies), len(rules.rule_arrays.side_zeros)
    return StepResults(
        seats=np.zeros(count, np.int64),
        masks=np.zeros((count, rules.action_ids.action_count), np.bool_),
        observations=np.zeros((count, rules.layout.size if observes else 0), np.float32),
        rewards=np.zeros((count, seats), np.float32),
        scores=np.zeros((count, sides), np.int64),
        terminations=np.zeros(count, np.bool_),
    )


@inlined_kernel
def packed_deal_of(games: GameBatch, game: int) -> PackedDeal:
    """Return the packed deal of a game: views of its rows."""
    packed = games.packed
    return PackedDeal(
        packed.status[game],
        packed.hands[game],
        packed.trick[game],
        packed.points_won[game],
        packed.won_counter[game],
        packed.stock[game],
        packed.unplayed[game],
        packed.laid_melds[game],
        packed.growth_state[game],
        packed.meld_points[game],
    )
