"""The `clairvoyant` bot, which sees all cards: an upper bound for what play can gain.

The bot tries every choice in the deal as it is. In the play, the value of a choice is the mean of
two results. One is a rollout in which the others follow rules of thumb and the own side's later
cards are searched too (`fast.rollouts.perfect_information`). The other is the value that the exact
solver finds when all play their best. In the auction, the bot bids where its own contract is worth
more than the contract that it would bid over.

No player can find out the order of a stock. So there is a second bound: the bot that sees all
hands, but not what will be drawn. That bot tries its choices with the stock in many orders.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from statistics import fmean
from typing import Final, NamedTuple, cast

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from acesaround.actions import CONCEDE, PASS, Action, Bid, Bury, Concede, Discard, Give, NameTrump
from acesaround.bots.deal_outcomes import evaluate_deal_end, tally_from_solver
from acesaround.bots.heuristic import upcard
from acesaround.cards import Card
from acesaround.cards import pack as packed_hand
from acesaround.fast.playouts.packed_deal import pack, sets_from_hand
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.before_play import (
    BURY,
    GIVE,
    NAME,
    REDRAW,
    RETURN,
    ContractResults,
    DealStep,
    roll_out_contracts,
    roll_out_passing,
)
from acesaround.fast.rollouts.card_play import PlayFacts, encode_choices
from acesaround.fast.rollouts.perfect_information import roll_out_perfect_information
from acesaround.fast.rollouts.solver_rollouts import TrickSoFar, cached_solver
from acesaround.fast.rollouts.win_probability import (
    COUNTER_COLUMN,
    DIX_COLUMN,
    MELD_COLUMN,
    PLAY_COLUMN,
    GameArrays,
    ScoringState,
    build_game_arrays,
    win_probability,
)
from acesaround.fast.solver.setup import solver_setup
from acesaround.game.state import Bidding, Decision, DecisionKind, GameState, Playing, tally
from acesaround.game.view import View
from acesaround.legal_bids import Bids
from acesaround.rules import AllPass, dealer_forced_bid
from acesaround.rules.scoring import Outcome, Tally, card_points

_MAX_PLAYOUTS: Final = 20_000  # playouts of a whole deal, for one card
_STRICT_CHOICES: Final = 2.5  # choices that a seat usually has when it must follow suit,
_STOCK_CHOICES: Final = 9.0  # and while there is a stock
_SOLVER_WEIGHT: Final = 0.5  # weight of the solver's win probability against the rollouts'
_MAX_SOLVER_NODES: Final = 3_000_000  # nodes of the solver, for one card
_MAX_SOLVER_CARDS: Final = 50  # cards left in the deal up to which the solver is used
_MAX_BIDS_TRIED: Final = 100  # bids tried in an auction of one round
_STOCK_ORDERS: Final = 200  # orders tried of a stock that is not seen
_MIN_MADE_SHARE: Final = 0.5  # fraction of the worlds in which a bid must be made


class _ContractValue(NamedTuple):
    """The value of a contract: the win probability, and whether it is made in most worlds."""

    win_probability: float
    is_mostly_made: bool


class ClairvoyantBot:
    """A bot that sees all cards, or all hands. It is a `OmniscientPlayer`: for experiments only."""

    name = "clairvoyant"

    def __init__(self, rng: random.Random, sees: str = "all") -> None:
        """Create the bot. `sees`: "all", or "hands" to hide the cards in the stock."""
        self._rng, self._sees_stock = rng, sees == "all"
        self._state: GameState | None = None

    def observe_state(self, state: GameState) -> None:
        """Keep the state for the decision that follows."""
        self._state = state

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the action with the best mean over the possible worlds."""
        assert self._state is not None
        worlds, seat = self._worlds(self._state), cast(int, decision.seat)
        if isinstance(decision.legal, Bids):
            return _choose_bid(worlds, seat, decision.legal)
        if decision.kind is DecisionKind.UPCARD:
            return upcard.choose_upcard(view)[0]
        if decision.kind is DecisionKind.PLAY:
            return _choose_play(worlds, seat, list(decision.legal))
        return _choose_by_rollout(worlds, seat, decision)

    def _worlds(self, state: GameState) -> list[GameState]:
        """Return the state, or copies with the stock in many orders.

        There are copies if the bot does not see the stock and cards are still drawn from it.
        """
        stock = sorted(state.deal.stock)
        if self._sees_stock or not stock or isinstance(state.phase, Playing):
            return [state]
        orders = (tuple(self._rng.sample(stock, len(stock))) for _ in range(_STOCK_ORDERS))
        return [replace(state, deal=replace(state.deal, stock=order)) for order in orders]


def _choose_play(worlds: Sequence[GameState], seat: int, legal: Sequence[Action]) -> Action:
    """Choose a card, a meld to lay first, or conceding."""
    state, actions = worlds[0], [action for action in legal if not isinstance(action, Concede)]
    if len(legal) == 1:
        return actions[0]
    rules, score, arrays, trump = state.rules, tally(state), _arrays(state), state.deal.trump
    assert trump is not None
    side = rules.side_of(seat)
    declarer = -1 if state.deal.declarer is None else rules.side_of(state.deal.declarer)
    choices = encode_choices(rules.melds, trump, actions)
    play_facts = PlayFacts(
        declarer, state.deal.bid or 0, side, np.array(score.dix_points, np.int64)
    )
    depth = (
        _search_depth(state, side, len(actions)) if len(worlds) == 1 else 0
    )  # a search sees the order
    buried = card_points(rules, state.deal.buried)
    results = [
        roll_out_perfect_information(arrays, play_facts, pack(world), buried, choices, depth)
        for world in worlds
    ]
    chances = np.mean([score.win_probability[0] for score in results], 0)
    points = np.mean([score.points[0] for score in results], 0)
    solver_chances = _solver_chances(state, seat, arrays.scoring_state, play_facts, choices)
    if solver_chances is not None:
        chances = _SOLVER_WEIGHT * solver_chances + (1.0 - _SOLVER_WEIGHT) * chances
    values = list(zip(chances.tolist(), points.tolist(), strict=True))
    best = max(range(len(actions)), key=lambda at: values[at])
    if len(actions) < len(legal):
        concession = evaluate_deal_end(
            rules, arrays.scoring_state, play_facts, score, Outcome.CONCEDED
        )
        if (concession.win_probability, concession.points) > values[best]:
            return CONCEDE
    return actions[best]


def _search_depth(state: GameState, side: int, choices: int) -> int:
    """Return how many levels deep the own side's later cards can be searched."""
    rules, stock = state.rules, len(state.deal.stock)
    own_cards = sum(len(state.hand(s)) for s in state.players if rules.side_of(s) == side)
    later_choices = own_cards * _STRICT_CHOICES
    if not isinstance(state.phase, Playing):
        later_choices += stock / len(state.players) * _STOCK_CHOICES
    deal_share = (own_cards + stock / 2) / rules.hand_size / 2
    if choices * later_choices**2 / 6 * deal_share <= _MAX_PLAYOUTS:
        return 2
    return 1 if choices * later_choices / 2 * deal_share <= _MAX_PLAYOUTS else 0


def _solver_chances(
    state: GameState,
    seat: int,
    scoring_state: ScoringState,
    play_facts: PlayFacts,
    choices: Integers,
) -> NDArray[np.float64] | None:
    """Return the win probability of each card when all play their best, or None if unsolved.

    The solver sets one side against all others. So there must be two sides, or this side is the
    declarer's.
    """
    rules, phase, trump = state.rules, state.phase, state.deal.trump
    side, players = play_facts.own_side, state.players
    if not isinstance(phase, Playing) or len(state.hand(seat)) < 2 or trump is None:
        return None
    sides = {rules.side_of(s) for s in players}
    cards = [*phase.cards, *(card for s in players for card in state.hand(s))]
    if len(cards) > _MAX_SOLVER_CARDS or (len(sides) > 2 and side != play_facts.declarer):
        return None
    values, worlds = cached_solver(
        solver_setup(rules, players, side), threading.get_ident()
    ).solve_worlds(
        _hands([state]),
        TrickSoFar(int(trump), players.index(phase.leader), phase.cards, phase.is_trump_broken),
        choices,
        _MAX_SOLVER_NODES,
    )
    if not worlds:
        return None
    tally_before = tally(state)
    points_left = rules.scoring.last_trick + card_points(rules, cards)
    finals = (
        tally_from_solver(rules, tally_before, sides, side, points_won, points_left)
        for points_won in values[0].tolist()
    )
    return np.array(
        [
            evaluate_deal_end(
                rules, scoring_state, play_facts, final_tally, trump=trump
            ).win_probability
            for final_tally in finals
        ]
    )


def _choose_by_rollout(worlds: Sequence[GameState], seat: int, decision: Decision) -> Action:
    """Choose trump, or the cards to part with. Every legal action is tried."""
    state = worlds[0]
    rules, players, deal = state.rules, state.players, state.deal
    assert deal.declarer is not None and deal.bid is not None
    actions = list(decision.legal)
    step, suits = NAME, [-1]
    if decision.kind is DecisionKind.BURY:
        step, suits = BURY, [0, 1, 2, 3]
    elif decision.kind is DecisionKind.GIVE:
        step = RETURN if seat == deal.declarer else GIVE
    elif decision.kind is DecisionKind.DISCARD:
        step = REDRAW
    if deal.trump is not None:
        suits = [int(deal.trump)]
    options = [(action, trump) for action in actions for trump in suits]
    if step == NAME:
        options = [(a, int(a.suit)) for a in actions if isinstance(a, NameTrump)]
    copies = rules.deck.copies
    results = roll_out_passing(
        _arrays(state),
        DealStep(
            next_step=step,
            player=players.index(seat),
            declarer=players.index(deal.declarer),
            bid=deal.bid,
            buried_points=card_points(rules, deal.buried),
            passes_made=len(deal.passed_cards),
        ),
        _hands(worlds),
        _undealt_cards(worlds),
        np.array(
            [sets_from_hand(packed_hand(_leaving_cards(a)), copies) for a, _ in options], np.int64
        ),
        np.array([trump for _, trump in options], np.int64),
    )
    order = np.lexsort((results.points.mean(0), results.win_probability.mean(0)))
    return options[int(order[-1])][0]


def _leaving_cards(action: Action) -> tuple[Card, ...]:
    """Return the cards that leave the hand with an action."""
    return action.cards if isinstance(action, Bury | Discard | Give) else ()


def _choose_bid(worlds: Sequence[GameState], seat: int, legal: Bids) -> Action:
    """Bid if the own contract is worth more than the contract it would bid over, else pass."""
    state = worlds[0]
    rules, players, phase = state.rules, state.players, state.phase
    assert isinstance(phase, Bidding) and rules.auction is not None
    side, arrays = rules.side_of(seat), _arrays(state)
    scoring_state, player_count = arrays.scoring_state, len(players)
    trumps = np.full(player_count, -1, np.int64)
    results = roll_out_contracts(
        arrays.rule_arrays,
        arrays.meld_tables,
        _hands(worlds),
        _undealt_cards(worlds),
        np.arange(player_count),
        trumps,
    )

    def brings(declarer: int, bid: int) -> _ContractValue:
        """Return the value to the own side of a seat's contract at that bid."""
        values = []
        for world in range(len(worlds)):
            final_tally, outcome = _final_tally(results, world, players.index(declarer))
            play_facts = PlayFacts(
                rules.side_of(declarer), bid, side, np.array(final_tally.dix_points, np.int64)
            )
            values.append(evaluate_deal_end(rules, scoring_state, play_facts, final_tally, outcome))
        return _ContractValue(
            fmean(its.win_probability for its in values),
            fmean(its.bid_made for its in values) >= _MIN_MADE_SHARE,
        )

    own_value = brings(seat, legal.lowest_bid)
    if phase.bidder is not None and phase.highest_bid is not None:
        alternative = brings(phase.bidder, phase.highest_bid).win_probability
    else:
        alternative = float(win_probability(scoring_state, scoring_state.scores, -1, side))
        if rules.auction.all_pass is not AllPass.REDEAL:
            alternative = brings(state.dealer, dealer_forced_bid(rules.auction)).win_probability
        for other in phase.queue:
            value = brings(other, legal.lowest_bid)
            if rules.side_of(other) != side and value.is_mostly_made:
                alternative = min(alternative, value.win_probability)
    if own_value.win_probability <= alternative or not own_value.is_mostly_made:
        return PASS if legal.may_pass else Bid(legal.lowest_bid)
    if not rules.auction.one_round:
        return Bid(legal.lowest_bid)
    return Bid(
        _highest_made_bid(
            islice(legal.bids(), _MAX_BIDS_TRIED), lambda bid: brings(seat, bid).is_mostly_made
        )
    )


def _highest_made_bid(bids: Iterable[int], is_made: Callable[[int], bool]) -> int:
    """Return the last bid before the first one that is not made. The first bid is made.

    The bids are for an auction of one round, in which the bot cannot raise later.
    """
    best = None
    for bid in bids:
        if best is not None and not is_made(bid):
            break
        best = bid
    assert best is not None
    return best


def _final_tally(results: ContractResults, world: int, player: int) -> tuple[Tally, Outcome | None]:
    """Return the final tally of a player's contract, and how it ended early, None if it did not."""
    ends = results.ends[world, player]
    final_tally = Tally(
        tuple(map(int, ends[:, MELD_COLUMN])),
        tuple(map(int, ends[:, DIX_COLUMN])),
        tuple(map(int, ends[:, PLAY_COLUMN])),
        tuple(map(bool, ends[:, COUNTER_COLUMN])),
    )
    return final_tally, Outcome.NO_MARRIAGE if results.trump[world, player] < 0 else None


def _arrays(state: GameState) -> GameArrays:
    return build_game_arrays(state.rules, state.players, state.scores, state.target, state.deals)


def _hands(worlds: Sequence[GameState]) -> Integers:
    """Return all hands in each world: (worlds, players, copies)."""
    rows = [
        [sets_from_hand(world.hands[seat], world.rules.deck.copies) for seat in world.players]
        for world in worlds
    ]
    return np.array(rows, np.int64)


def _undealt_cards(worlds: Sequence[GameState]) -> Integers:
    """Return the kitty, or the cards to be drawn, in each world: (worlds, cards)."""
    rows = [
        [*(world.deal.kitty if world.deal.declarer is None else ()), *world.deal.stock]
        for world in worlds
    ]
    return np.array(rows, np.int64)
