"""The situation of a decision: everything that the steps of a search need, built once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from acesaround.actions import Action
from acesaround.bots.search.auction_evidence import AuctionEvidence, auction_evidence
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.changed_hand_evidence import ChangedHandEvidence, changed_hand_evidence
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.bid_limits import BidLimitModel, make_bid_limit_model
from acesaround.fast.rollouts.win_probability import GameArrays, build_game_arrays
from acesaround.fast.sampler import Constraints, read_constraints
from acesaround.game.state import Decision
from acesaround.game.view import View, tally
from acesaround.heuristic_weights import HandWeights, hand_weights, run_points
from acesaround.rules import Phase
from acesaround.rules.scoring import Tally

_UNCHANGED: Final = ChangedHandEvidence({}, ())


@dataclass(frozen=True)
class Situation:
    """A decision of one seat, and what its view says about it. Players are counted in turn."""

    view: View
    decision: Decision
    budget: SearchBudget
    game_arrays: GameArrays
    """The rules, the values of melds and the standing of the game, as kernels read them."""
    hand_weights: HandWeights
    run_points: int
    """The points that a run melds."""
    bid_limit_model: BidLimitModel
    constraints: Constraints
    """What is certain about the hidden cards."""
    tally: Tally
    """What each side has laid and won, without buried cards."""
    player: int
    """The seat's own place in turn order."""
    side: int
    declarer: int
    """A player, -1 if there is no declarer."""
    played_cards: Integers
    """The player and the kind of each card played, in order: (cards, 2)."""
    auction: AuctionEvidence | None
    """None if the game has no auction."""
    changed_hand_evidence: ChangedHandEvidence
    also_try: tuple[Action, ...] = ()
    """Actions to evaluate even if the search would leave them out."""

    @property
    def seat(self) -> int:
        """The own seat."""
        return self.view.players[self.player]

    @property
    def weighs_calls(self) -> bool:
        """Whether worlds are weighted by the likelihood of bids and passes."""
        return self.budget.uses_calls and self.auction is not None and bool(self.view.auction)

    @property
    def weighs_plays(self) -> bool:
        """Whether worlds are weighted by the likelihood of the cards played."""
        stock = Phase.STOCK_PLAY in self.view.rules.phases
        return self.budget.uses_plays and not stock and len(self.played_cards) > 0


def build_situation(
    view: View, decision: Decision, budget: SearchBudget, also_try: tuple[Action, ...] = ()
) -> Situation:
    """Return the situation of a decision. Raises PositionError if the seat holds no hand."""
    rules, players = view.rules, view.players
    knowledge = read_constraints(view, budget.sources)
    assert view.seat is not None
    return Situation(
        view=view,
        decision=decision,
        budget=budget,
        game_arrays=build_game_arrays(rules, players, view.scores, view.target, view.deals),
        hand_weights=hand_weights(rules),
        run_points=run_points(rules),
        bid_limit_model=make_bid_limit_model(rules),
        constraints=knowledge,
        tally=tally(view, 0),
        player=players.index(view.seat),
        side=rules.side_of(view.seat),
        declarer=-1 if view.declarer is None else players.index(view.declarer),
        played_cards=_played_cards(view),
        auction=auction_evidence(view, budget.is_natural) if rules.auction is not None else None,
        changed_hand_evidence=changed_hand_evidence(view) if budget.uses_calls else _UNCHANGED,
        also_try=also_try,
    )


def _played_cards(view: View) -> Integers:
    """Return the player and the kind of each card played, in order: (cards, 2)."""
    players = view.players
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.leader is not None:
        tricks.append((view.leader, view.trick))
    rows = [
        ((players.index(leader) + at) % len(players), int(card))
        for leader, cards in tricks
        for at, card in enumerate(cards)
    ]
    return np.array(rows, np.int64).reshape(-1, 2)
