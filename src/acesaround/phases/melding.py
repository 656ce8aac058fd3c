"""Automatic melding: every seat lays its highest-scoring meld, the declarer first."""

from __future__ import annotations

from msgspec.structs import replace

from acesaround.events import Event, Melded
from acesaround.melds import find, points, unhidden
from acesaround.state import GameState, Laid, clockwise


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Melds are events, not decisions: the phase is over at once.

    A side below the floor on meld shows the table nothing but aces around.
    """
    rules, deal = state.rules, state.deal
    assert deal.declarer is not None
    melds = {s: find(rules.melds, state.hands[s], deal.trump) for s in state.players}
    worth = [0] * len(rules.sides)
    for seat, found in melds.items():
        worth[rules.side_of(seat)] += points(found)
    laid = []
    for seat in clockwise(state.players, deal.declarer):
        shown = found = melds[seat]
        all_shown = worth[rules.side_of(seat)] >= rules.scoring.least_meld
        if not all_shown:
            shown = unhidden(found)
        laid.append(Laid(seat, found, points(found), shown, all_shown))
    state = replace(state, deal=replace(deal, laid=tuple(laid)), phase=None)
    return state, tuple(Melded(m.seat, m.melds, m.points, m.shown, m.open) for m in laid)
