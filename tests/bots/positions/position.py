"""Positions that good players agree on: what a seat sees there, and what it must or must not do.

Each file `*.toml` beside this one holds those that guard against one fault. A position is a game
in text up to the decision (see docs/notation.md), and what is said of the action: it is one of
`right`; it is none of `wrong`; it has the cards in `holds`, and none of those in `lacks`.
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
    """One position. `why` is what a player would say."""

    fault: str
    name: str
    why: str
    game: str
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()

    def state(self) -> GameState:
        """The state before the decision. Raises RecordError."""
        return list(steps(from_text(self.game)))[-1].after

    def allows(self, done: Action) -> bool:
        """Whether an action is one that a good player could take here."""
        if self.right and done not in map(action, self.right):
            return False
        if done in map(action, self.wrong):
            return False
        if not self.holds and not self.lacks:
            return True
        assert isinstance(done, Bury | Discard | Give)
        left = list(done.cards)
        for card in map(Card, self.holds):
            if card not in left:
                return False
            left.remove(card)
        return not any(Card(card) in done.cards for card in self.lacks)


def positions() -> list[Position]:
    """All of them, file by file."""
    found = []
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        page = tomllib.loads(path.read_text())
        for entry in page["position"]:
            found.append(msgspec.convert({**entry, "fault": page["fault"]}, Position))
    return found


def answer(position: Position, bot: str, seed: int = 0) -> tuple[Action, Decision]:
    """What a bot does there, and what it could have done."""
    state = position.state()
    decision = game.decision(state)
    player = bots.make(bot, random.Random(seed))
    if isinstance(player, bots.SeesState):
        player.observe_state(state)
    return player.choose(view_for(state, decision.seat), decision), decision
