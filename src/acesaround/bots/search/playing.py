"""Playing cards: every choice in many worlds, each played out, and the best in the mean of them."""

from __future__ import annotations

import threading
from typing import Final

import numpy as np
from numpy.typing import NDArray

from acesaround.actions import CONCEDE, Action, Concede, LayMeld, Play
from acesaround.bots.search.choice import Choice, Option
from acesaround.bots.search.drawing import Drawn, affordable, draw
from acesaround.bots.search.effort import Effort
from acesaround.cards import KINDS, Suit
from acesaround.fast.playouts.flat import Integers, flat
from acesaround.fast.playouts.playing import RULES_OF_THUMB
from acesaround.fast.solver.arrangement import arrangement
from acesaround.fast.trials.ahead import try_ahead
from acesaround.fast.trials.cards import Deal, Tried, try_cards
from acesaround.fast.trials.exact import exact
from acesaround.fast.trials.score import Standing, chance, ended, score, standing
from acesaround.fast.trials.seen import seen
from acesaround.laydown import candidates
from acesaround.melds import nines
from acesaround.rules import MeldTable
from acesaround.scoring import Outcome, Tally, changes
from acesaround.state import Decision
from acesaround.tricks import COUNTER, POINTS
from acesaround.view import View

_FEW: Final = 8  # worlds, at least
_LEAST_SOLVED: Final = 40  # worlds that are solved, or none counts,
_MOST_SOLVED: Final = 300  # and at most
_SOLVED: Final = 0.5  # what solving counts beside playing out
_NODES: Final = 60  # nodes of the solver that take as long as a playout


def play(view: View, decision: Decision, effort: Effort) -> Choice:
    """A card, a meld to be laid first, or giving up."""
    seat, trump = decision.seat, view.trump
    assert seat is not None and trump is not None
    tried = [action for action in decision.legal if not isinstance(action, Concede)]
    may_concede = len(tried) < len(decision.legal)
    if len(tried) == 1 and not may_concede:
        return Choice(tried[0], (), 0)
    rules, players = view.rules, view.players
    side = rules.side_of(seat)
    choices = np.array([_number(rules.melds, trump, action) for action in tried], np.int64)
    share = (len(view.hand) + view.stock / len(players)) / rules.hand_size
    number = affordable(view, effort, share * len(choices))
    worlds = draw(view, number, effort)
    game = standing(rules, players, view.scores, view.target, view.deals)
    deal = Deal(
        declarer=-1 if view.declarer is None else rules.side_of(view.declarer),
        bid=view.bid or 0,
        mine=side,
        nines=_nines(view),
    )
    buried = _buried(view, worlds)
    ahead = effort.ahead and len(view.hand) > 2
    few = max(_FEW, number // max(2, len(view.hand) // 2)) if ahead else number
    step = number // few
    found = (try_ahead if ahead else try_cards)(
        flat(rules, players),
        game,
        deal,
        seen(view, may_meld=any(isinstance(action, LayMeld) for action in tried)),
        worlds.hands[::step],
        _stock(view, worlds)[::step],
        buried[::step],
        choices,
        np.full(len(players), RULES_OF_THUMB, np.int64),
        effort.seed,
    )
    means = [of.mean(0) for of in found]
    if len(view.hand) <= effort.exact and view.upcard is None:
        nodes = effort.playouts * _NODES
        solved = _solved(view, game, deal, worlds, buried, choices, nodes)
        if solved is not None:
            means = [
                (1 - _SOLVED) * one + _SOLVED * other.mean(0)
                for one, other in zip(means, solved, strict=True)
            ]
    options = [
        Option(action, float(c), float(p), float(m))
        for action, c, p, m in zip(tried, *means, strict=True)
    ]
    if may_concede:
        options.append(_conceded(view, game, side))
    options.sort(key=lambda option: (option.chance, option.points), reverse=True)
    return Choice(options[0].action, tuple(options), number)


def _solved(
    view: View,
    game: Standing,
    deal: Deal,
    worlds: Drawn,
    buried: Integers,
    choices: Integers,
    nodes: int,
) -> Tried | None:
    """What each choice is worth when all play their best; None where too few worlds were solved.

    With more than two sides all are taken to play against the declarer, or against the own side
    where nobody declared, and what the others win is shared among them.
    """
    rules, players = view.rules, view.players
    sides = range(len(rules.sides))
    assert view.trump is not None and view.leader is not None
    one = deal.mine if deal.declarer < 0 or len(sides) == 2 else deal.declarer
    solver = exact(arrangement(rules, players, one), threading.get_ident())
    values, number = solver.values(
        worlds.hands[:_MOST_SOLVED],
        view.trump,
        players.index(view.leader),
        view.trick,
        view.broken,
        choices,
        nodes,
    )
    if number < min(_LEAST_SOLVED, len(worlds.hands)):
        return None
    points = np.array(POINTS[rules.scoring.card_points], np.int64)
    left = np.full(number, rules.scoring.last_trick + points[list(view.trick)].sum())
    for kind in range(KINDS):
        left += points[kind] * (worlds.hands[:number] >> kind & 1).sum((1, 2))
    counter = [False] * len(sides)
    melds = [0] * len(sides)
    for trick in view.tricks:
        counter[rules.side_of(trick.winner)] |= any(COUNTER[card] for card in trick.cards)
    for shown in view.melds:
        melds[rules.side_of(shown.seat)] += shown.points or 0
    present = {rules.side_of(seat) for seat in players}
    room = ended(len(sides))
    shape = (number, len(choices))
    tried = Tried(np.zeros(shape), np.zeros(shape, np.int64), np.zeros(shape, np.bool_))
    for rest, laid in set(zip(left.tolist(), buried[:number].tolist(), strict=True)):
        worth = (left == rest) & (buried[:number] == laid)
        for value in np.unique(values[:number][worth]).tolist():
            for side in sides:
                won = value if side == one else (rest - value) // max(len(present) - 1, 1)
                room.meld[side], room.nines[side] = melds[side], deal.nines[side]
                room.play[side] = view.won[side] + won + (laid if side == deal.declarer else 0)
                room.counter[side] = counter[side] or won > rules.scoring.last_trick
            made = score(game, room, deal.declarer, deal.bid)
            here = worth[:, None] & (values[:number] == value)
            tried.chance[here] = chance(game, room.totals, deal.declarer, deal.mine)
            tried.points[here] = room.totals[deal.mine] - game.scores[deal.mine]
            tried.made[here] = made
    return tried


def _number(table: MeldTable, trump: Suit, action: Action) -> int:
    """A choice as kernels count it: a kind, or a meld's number after the kinds."""
    if isinstance(action, Play):
        return int(action.card)
    assert isinstance(action, LayMeld)
    number = next(c.number for c in candidates(table, trump) if c.laid[0].cards == action.cards)
    return KINDS + number


def _stock(view: View, worlds: Drawn) -> Integers:
    """The cards to be drawn in each world, the upcard last."""
    if view.upcard is None:
        return np.zeros((len(worlds.hands), 0), np.int64)
    last = np.full((len(worlds.hands), 1), int(view.upcard), np.int64)
    return np.concatenate([worlds.rest, last], axis=1)


def _buried(view: View, worlds: Drawn) -> Integers:
    """What the declarer's buried cards are worth in each world."""
    worth = np.array(POINTS[view.rules.scoring.card_points], np.int64)
    number = view.rules.exchange.bury if view.rules.deal.kitty else 0
    if view.buried is not None:
        return np.full(len(worlds.hands), sum(int(worth[card]) for card in view.buried), np.int64)
    if not number or view.declarer is None:
        return np.zeros(len(worlds.hands), np.int64)
    points: NDArray[np.int64] = worth[worlds.rest[:, :number]].sum(1)
    return points


def _nines(view: View) -> Integers:
    """The part of each side's melds that dixes are."""
    found = np.zeros(len(view.rules.sides), np.int64)
    for shown in view.melds:
        found[view.rules.side_of(shown.seat)] += nines(shown.melds)
    return found


def _conceded(view: View, game: Standing, side: int) -> Option:
    """What giving up comes to."""
    rules = view.rules
    meld, apart = [0] * len(rules.sides), [0] * len(rules.sides)
    for shown in view.melds:
        meld[rules.side_of(shown.seat)] += shown.points or 0
        apart[rules.side_of(shown.seat)] += nines(shown.melds)
    sides = len(rules.sides)
    tally = Tally(tuple(meld), tuple(apart), (0,) * sides, (False,) * sides)
    _, change = changes(rules, tally, Outcome.CONCEDED, side, view.bid)
    totals = game.scores + np.array(change, np.int64)
    return Option(CONCEDE, chance(game, totals, side, side), change[side], 0.0)
