"""States of the play at any table, and how the engine ends a deal from there by rules of thumb."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from acesaround import game
from acesaround.actions import Action
from acesaround.fast import playouts
from acesaround.fast.playouts.packed_deal import PackedDeal, pack
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.card_play import PlayFacts
from acesaround.fast.rollouts.win_probability import GameArrays, ScoringState, build_game_arrays
from acesaround.game.state import GameState, Playing, StockPlaying, tally
from acesaround.rules import Rules
from acesaround.rules.scoring import outcome_and_changes
from acesaround.rules.tricks import points_of
from tests.fast.playouts.test_packed_deal import played
from tests.fast.rollouts.engine import End, rows
from tests.fast.sampler.test_worlds import by_thumb


def moments(rules: Rules, seed: int, number: int, well: bool = False) -> list[GameState]:
    """Return states of the play of random games or, if `well`, of one by rules of thumb."""
    rng = random.Random(seed)
    found: list[GameState] = []
    for offset in range(20):  # a deal that is thrown in or given up has no such state
        if well:
            found += [
                turn.before for turn in by_thumb(rules, seed + offset) if playing(turn.before)
            ]
        else:
            found += played(rules, seed + offset)
        if len(found) > number:
            break
    return rng.sample(found, min(number, len(found)))


def playing(state: GameState) -> bool:
    """Return True if tricks are being played."""
    return isinstance(state.phase, Playing | StockPlaying)


def scored(state: GameState, rng: random.Random) -> GameState:
    """Return the state with random totals of the game."""
    rules = state.rules
    present = {rules.side_of(seat) for seat in state.players}
    high = state.target + state.target // 10
    totals = (rng.randrange(-50, high) if at in present else 0 for at in range(len(rules.sides)))
    return replace(state, scores=tuple(totals))


class Truth(NamedTuple):
    """The true world, as the arguments that a rollout takes."""

    deal: PlayFacts
    arrays: GameArrays
    packed: PackedDeal
    """All but the cards in hands and stock."""
    hands: Integers
    stock: Integers
    buried: Integers

    @property
    def game(self) -> ScoringState:
        """Return the standing of the game."""
        return self.arrays.scoring_state


def truth(state: GameState) -> Truth:
    """Return the arguments of a rollout for the seat on turn in the true world."""
    rules, deal, phase = state.rules, state.deal, state.phase
    assert isinstance(phase, Playing | StockPlaying)
    packed = pack(state)
    packed.hands[:] = 0
    stock = packed.stock.copy()
    packed.stock[:] = 0
    worth = points_of(rules.scoring.card_points)
    return Truth(
        deal=PlayFacts(
            declarer=-1 if deal.declarer is None else rules.side_of(deal.declarer),
            bid=deal.bid or 0,
            own_side=rules.side_of(phase.turn),
            dix_points=np.array(tally(state).dix_points, np.int64),
        ),
        arrays=build_game_arrays(rules, state.players, state.scores, state.target, state.deals),
        packed=packed,
        hands=rows(state),
        stock=stock[None],
        buried=np.array([sum(worth[card] for card in deal.buried)], np.int64),
    )


def end(state: GameState, action: Action) -> End:
    """Return the end of the deal after an action, when all play on by rules of thumb."""
    after, _ = game.apply(state, action)
    rules, deal = state.rules, state.deal
    if after.deals == state.deals and playing(after):
        found, before = playouts.play_out(after, 1, 0, "heuristic"), tally(after)
        meld = list(before.meld)
        for seat, more in zip(after.players, found.meld_points[0], strict=True):
            meld[rules.side_of(seat)] += int(more)
        before_lead = [had - won for had, won in zip(before.play, after.deal.won, strict=True)]
        counted = replace(
            before,
            meld=tuple(meld),
            play=tuple(
                int(won) + more for won, more in zip(found.play_points[0], before_lead, strict=True)
            ),
            has_counter=tuple(bool(won) for won in found.won_counter[0]),
        )
    else:
        counted = tally(game.last_state_of_deal(state, action))
    declarer = None if deal.declarer is None else rules.side_of(deal.declarer)
    trump = after.deal.trump if after.deals == state.deals else deal.trump
    outcome, change = outcome_and_changes(rules, counted, None, declarer, deal.bid, trump=trump)
    return End(outcome, counted, change)
