"""Automatic melding: each seat lays its highest-scoring meld, the declarer first.

Where defenders do not meld, only the declarer's side lays melds. Without a declarer all seats do,
from the dealer's left.
"""

from __future__ import annotations

from msgspec.structs import replace

from acesaround.game.events import Event, Melded
from acesaround.game.phases.upcard import melding_hands
from acesaround.game.state import GameState, MeldRecord, next_player, players_clockwise
from acesaround.rules.melds import always_shown_melds, find_melds, total_points


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Lay all melds and complete the phase, because melds are events, not decisions.

    A side below the meld floor shows only aces around.
    """
    rules, deal = state.rules, state.deal
    first = next_player(state.players, state.dealer) if deal.declarer is None else deal.declarer
    melding_seats = [
        seat
        for seat in players_clockwise(state.players, first)
        if rules.melds.defenders_meld or rules.side_of(seat) == rules.side_of(first)
    ]
    hands = melding_hands(state.hands, deal)
    melds = {seat: find_melds(rules.melds, hands[seat], deal.trump) for seat in melding_seats}
    side_points = [0] * len(rules.sides)
    for seat, seat_melds in melds.items():
        side_points[rules.side_of(seat)] += total_points(seat_melds)
    records = []
    for seat in melding_seats:
        shown = seat_melds = melds[seat]
        all_shown = side_points[rules.side_of(seat)] >= rules.scoring.least_meld
        if not all_shown:
            shown = always_shown_melds(seat_melds)
        records.append(MeldRecord(seat, seat_melds, total_points(seat_melds), shown, all_shown))
    state = replace(state, deal=replace(deal, laid=tuple(records)), phase=None)
    return state, tuple(Melded(m.seat, m.melds, m.points, m.shown, m.is_complete) for m in records)
