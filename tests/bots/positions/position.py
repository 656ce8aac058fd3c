"""Positions that good players agree on: the view of a seat, and its right and wrong actions.

Each `*.toml` file in this folder has the positions for one fault. A position is a game in text up
to a decision (see docs/notation.md), and conditions on the action: it is one of `right`; it is none
of `wrong`; it has the cards in `holds`, and none of those in `lacks`.
"""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import msgspec

from acesaround import bots, game
from acesaround.actions import Action, Bury, Discard, Give
from acesaround.cards import Card
from acesaround.game.state import Decision, GameState
from acesaround.game.view import view_for
from acesaround.record.replay import steps
from acesaround.record.text import from_text
from tests.scripted_games import action


class Position(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position. `why` is the reason of a good player."""

    fault: str
    name: str
    why: str
    game: str
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()

    def state(self) -> GameState:
        """Return the state before the decision. Raise RecordError."""
        return list(steps(from_text(self.game)))[-1].after

    def allows(self, chosen: Action) -> bool:
        """Return True if a good player could take the action in this position."""
        if self.right and chosen not in map(action, self.right):
            return False
        if chosen in map(action, self.wrong):
            return False
        if not self.holds and not self.lacks:
            return True
        assert isinstance(chosen, Bury | Discard | Give)
        remaining = list(chosen.cards)
        for card in map(Card, self.holds):
            if card not in remaining:
                return False
            remaining.remove(card)
        return not any(Card(card) in chosen.cards for card in self.lacks)


def positions() -> list[Position]:
    found = []
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        page = tomllib.loads(path.read_text())
        for entry in page["position"]:
            found.append(msgspec.convert({**entry, "fault": page["fault"]}, Position))
    return found


def bot_choice(position: Position, bot: str, seed: int = 0) -> tuple[Action, Decision]:
    """Return what a bot does in a position, and the decision."""
    state = position.state()
    decision = game.decision(state)
    player = bots.make(bot, random.Random(seed))
    if isinstance(player, bots.OmniscientPlayer):
        player.observe_state(state)
    return player.choose(view_for(state, decision.seat), decision), decision
