"""The position that the solver evaluates: the rest of a deal, with all hands known.

Legal cards and winners of tricks come from the engine's own functions; the search compiles them.
"""

from __future__ import annotations

from collections import Counter
from typing import Self

import msgspec
from msgspec.structs import replace

from acesaround.cards import Card, Suit, kinds, kinds_in_set, pack, unpack
from acesaround.errors import PositionError
from acesaround.fast.solver.setup import SolverSetup, solver_setup
from acesaround.game.state import GameState, Playing
from acesaround.rules.tricks import legal_cards, winner


class Position(msgspec.Struct, frozen=True):
    """The rest of a deal, with all hands known. Players are numbered in turn.

    `hands`: the cards still held; `leader`: the player who leads or led the trick; `trick`: its
    cards so far; `is_trump_broken`: whether trump may be led freely. Raises PositionError for an
    impossible position. The cards of the trick are not checked against the rules of play.
    """

    setup: SolverSetup
    trump: Suit
    hands: tuple[tuple[Card, ...], ...]
    leader: int
    trick: tuple[Card, ...] = ()
    is_trump_broken: bool = True

    def __post_init__(self) -> None:
        players = self.setup.players
        if not isinstance(self.trump, Suit):
            raise PositionError(f"{self.trump!r} is not a suit that could be trump.")
        if len(self.hands) != players:
            raise PositionError(f"{len(self.hands)} hands were given for {players} players.")
        if self.leader not in range(players):
            raise PositionError(f"There is no player {self.leader} to lead: there are {players}.")
        if len(self.trick) >= players:
            raise PositionError(f"A trick of {len(self.trick)} cards is no trick in play.")
        sizes = {
            len(hand) + ((player - self.leader) % players < len(self.trick))
            for player, hand in enumerate(self.hands)
        }
        if len(sizes) != 1:
            raise PositionError("The hands do not fit the trick: their sizes differ.")
        cards = [*self.trick, *(card for hand in self.hands for card in hand)]
        for card in cards:
            if not isinstance(card, Card):
                raise PositionError(f"{card!r} is not a card.")
        for card, number in Counter(cards).items():
            if card.rank >= self.setup.ranks:
                raise PositionError(f"This deck has no {card}.")
            if number > self.setup.copies:
                raise PositionError(f"There are more than {self.setup.copies} of {card}.")
        if not self.is_trump_broken and any(card.suit == self.trump for card in self.trick):
            raise PositionError("A trump lies in the trick, so trump is broken.")

    @classmethod
    def from_state(cls, state: GameState, side: int) -> Self:
        """Return the position of a state, with `side` as side 0. Raises PositionError."""
        phase, trump = state.phase, state.deal.trump
        if not isinstance(phase, Playing) or trump is None:
            raise PositionError("Only the play of tricks under the strict law can be solved.")
        return cls(
            setup=solver_setup(state.rules, state.players, side),
            trump=trump,
            hands=tuple(unpack(state.hands[seat]) for seat in state.players),
            leader=state.players.index(phase.leader),
            trick=phase.cards,
            is_trump_broken=phase.is_trump_broken,
        )

    @property
    def turn(self) -> int:
        """The player who is to play."""
        return (self.leader + len(self.trick)) % self.setup.players

    def after_playing(self, card: Card) -> tuple[Self, int]:
        """Return the position after a card of the player on turn, and what side 0 won by it."""
        turn = self.turn
        hand = list(self.hands[turn])
        hand.remove(card)
        hands = (*self.hands[:turn], tuple(hand), *self.hands[turn + 1 :])
        trick, is_trump_broken = (
            (*self.trick, card),
            self.is_trump_broken or card.suit == self.trump,
        )
        if len(trick) < self.setup.players:
            return replace(self, hands=hands, trick=trick, is_trump_broken=is_trump_broken), 0
        trick_winner = (self.leader + winner(trick, self.trump)) % self.setup.players
        points = sum(self.setup.points[played.rank] for played in trick)
        if not any(hands):
            points += self.setup.last_trick_points
        next_position = replace(
            self, hands=hands, trick=(), leader=trick_winner, is_trump_broken=is_trump_broken
        )
        return next_position, points if self.setup.sides[trick_winner] == 0 else 0


def legal_plays(position: Position) -> tuple[Card, ...]:
    """Return the legal cards of the player on turn, one of each kind."""
    held_kinds = kinds(pack(position.hands[position.turn]))
    play_rules = position.setup.play_rules
    legal_kinds = legal_cards(
        held_kinds,
        position.trick,
        position.trump,
        play_rules,
        is_trump_broken=position.is_trump_broken,
    )
    return kinds_in_set(legal_kinds)


def forced_points(position: Position) -> int:
    """Return what side 0 wins in the last trick, or its remainder, where every play is forced."""
    points = 0
    while any(position.hands):
        position, points_won = position.after_playing(position.hands[position.turn][0])
        points += points_won
    return points
