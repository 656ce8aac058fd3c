"""Writing a record during play: a fold over actions and their events."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from acesaround.actions import Action, Deal
from acesaround.cards import Card
from acesaround.game.events import (
    DealScored,
    Event,
    GameWon,
    Melded,
    MeldLaid,
    NineTurned,
    TrickWon,
)
from acesaround.game.state import GameState
from acesaround.record.model import (
    FORMAT,
    DealRecord,
    GameRecord,
    MeldEntry,
    MeldItem,
    ScoreEntry,
    SeatRecord,
    TrickEntry,
    action_to_json,
)
from acesaround.rules import Phase, Rules
from acesaround.rules.melds import Meld
from acesaround.variants import changed_options


def _card_names(cards: Sequence[Card]) -> list[str]:
    return [str(card) for card in cards]


def _meld_item(meld: Meld) -> MeldItem:
    return MeldItem(meld.name, _card_names(meld.cards), meld.points)


class Recorder:
    """Keeps the record of one game up to date. `record` is complete after every action.

    `compact`: keep finished deals as JSON, a tenth of their size, so that a game of a thousand
    deals takes little memory. Such a record can only be encoded.
    """

    def __init__(self, rules: Rules, names: Sequence[str], *, compact: bool = False) -> None:
        self._compact = compact
        self._melds_automatically = Phase.MELDING in rules.phases
        self.record: GameRecord = GameRecord(
            format=FORMAT,
            variant=rules.variant,
            options=msgspec.to_builtins(changed_options(rules)),
            rules=msgspec.to_builtins(rules),
            seats=[SeatRecord(name) for name in names],
            sides=[list(side) for side in rules.sides],
            deals=[],
            totals=[0] * len(rules.sides),
            winner=None,
        )

    def add(
        self, before: GameState, seat: int | None, action: Action, events: Sequence[Event]
    ) -> None:
        """Record an action that was applied to `before`, with its events."""
        if isinstance(action, Deal):
            self._add_deal(before, action)
        else:
            assert seat is not None
            self.record.deals[-1].actions.append(action_to_json(seat, action))
        deal = self.record.deals[-1]
        for event in events:
            self._add_event(deal, event)
        if self._compact and not isinstance(deal.score, msgspec.UnsetType):
            encoded = msgspec.Raw(msgspec.json.encode(deal))
            self.record.deals[-1] = encoded  # type: ignore[call-overload]  # only to be encoded

    def _add_deal(self, before: GameState, deal: Deal) -> None:
        empty_melds = (
            [MeldEntry(seat, 0, []) for seat in before.players] if self._melds_automatically else []
        )
        self.record.deals.append(
            DealRecord(
                players=list(before.players),
                dealer=before.dealer,
                hands=[_card_names(hand) for hand in deal.hands],
                kitty=_card_names(deal.kitty),
                stock=_card_names(deal.stock),
                upcard=None if deal.upcard is None else str(deal.upcard),
                actions=[],
                melds=empty_melds,
                tricks=[],
            )
        )

    def _add_event(self, deal: DealRecord, event: Event) -> None:
        match event:
            case Melded(seat, melds, points):
                assert melds is not None and points is not None
                entry = MeldEntry(seat, points, [_meld_item(meld) for meld in melds])
                deal.melds[deal.players.index(seat)] = entry
            case MeldLaid(seat, meld) | NineTurned(seat, meld):
                deal.melds.append(MeldEntry(seat, meld.points, [_meld_item(meld)]))
            case TrickWon(leader=leader, seat=seat, points=points):
                deal.tricks.append(TrickEntry(leader, seat, points))
            case DealScored(score, totals):
                deal.score = ScoreEntry(
                    outcome=str(score.outcome),
                    bid=score.bid,
                    declarer=score.declarer,
                    trump=None if score.trump is None else score.trump.letter,
                    meld=list(score.meld),
                    play=list(score.play),
                    change=list(score.change),
                )
                self.record.totals = list(totals)
            case GameWon(side):
                self.record.winner = side
            case _:
                pass
