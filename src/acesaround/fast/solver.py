"""Exact answers about the play of a deal with all hands known: values, thresholds, every card.

`Position` is what is left to be played, `Solver` answers for one arrangement and keeps its table of
what it has proven. A question may be given up after a number of nodes or seconds; bounds come back
then, and say that they are bounds.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import gcd
from typing import Final, Self

import msgspec
import numpy as np
from msgspec.structs import replace

from acesaround.cards import Card, Suit, kinds, members, pack, unpack
from acesaround.fast import search
from acesaround.fast.arrangement import Arrangement, Integers, PositionError, arrangement, tables
from acesaround.fast.order import WEIGHTS
from acesaround.state import GameState, Playing
from acesaround.tricks import legal_cards, winner

_SLICE: Final = 100_000  # nodes between two looks at the clock, and the longest wait for Ctrl-C
_GENERATIONS: Final = 255


class Position(msgspec.Struct, frozen=True):
    """What is left of a deal, all hands known. Players are numbered round the table in turn.

    `hands`: the cards still held; `leader`: who leads or led the trick; `trick`: its cards so far;
    `broken`: whether trump may be led freely. Raises PositionError for what cannot be.
    """

    of: Arrangement
    trump: Suit
    hands: tuple[tuple[Card, ...], ...]
    leader: int
    trick: tuple[Card, ...] = ()
    broken: bool = True

    def __post_init__(self) -> None:
        players = self.of.players
        if len(self.hands) != players:
            raise PositionError(f"{len(self.hands)} hands were given for {players} players.")
        if not 0 <= self.leader < players:
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
            if card.rank >= self.of.ranks:
                raise PositionError(f"This deck has no {card}.")
            if cards.count(card) > self.of.copies:
                raise PositionError(f"There are more than {self.of.copies} of {card}.")

    @classmethod
    def of_state(cls, state: GameState, side: int) -> Self:
        """The position of a game in its play, for the points of one side. Raises PositionError."""
        phase, trump = state.phase, state.deal.trump
        if not isinstance(phase, Playing) or trump is None:
            raise PositionError("Only the play of tricks under the strict law can be solved.")
        return cls(
            of=arrangement(state.rules, state.players, side),
            trump=trump,
            hands=tuple(unpack(state.hands[seat]) for seat in state.players),
            leader=state.players.index(phase.leader),
            trick=phase.cards,
            broken=phase.broken,
        )

    @property
    def turn(self) -> int:
        """The player who is to play."""
        return (self.leader + len(self.trick)) % self.of.players

    def after(self, card: Card) -> tuple[Self, int]:
        """The position after a card of the player on turn, and what side 0 won by it."""
        turn = self.turn
        hand = list(self.hands[turn])
        hand.remove(card)
        hands = (*self.hands[:turn], tuple(hand), *self.hands[turn + 1 :])
        trick, broken = (*self.trick, card), self.broken or card.suit == self.trump
        if len(trick) < self.of.players:
            return replace(self, hands=hands, trick=trick, broken=broken), 0
        won = (self.leader + winner(trick, self.trump)) % self.of.players
        points = sum(self.of.points[one.rank] for one in trick)
        if not any(hands):
            points += self.of.last
        after = replace(self, hands=hands, trick=(), leader=won, broken=broken)
        return after, points if self.of.sides[won] == 0 else 0


class Answer(msgspec.Struct, frozen=True):
    """Points that side 0 wins from here on, at least and at most; equal where it is exact."""

    low: int
    high: int
    nodes: int

    @property
    def exact(self) -> bool:
        """Whether the bounds meet."""
        return self.low == self.high


class Budget:
    """How long a question may take: nodes, seconds, or for ever."""

    def __init__(self, nodes: int | None = None, seconds: float | None = None) -> None:
        self.nodes = nodes
        self._end = None if seconds is None else time.monotonic() + seconds

    def slice(self, used: int) -> int:
        """How many nodes to go on for, 0 when the budget is spent."""
        if self._end is not None and time.monotonic() >= self._end:
            return 0
        return _SLICE if self.nodes is None else max(0, min(_SLICE, self.nodes - used))


class Solver:
    """Answers for one arrangement. `megabytes`: the size of its table, which never grows."""

    def __init__(self, of: Arrangement, megabytes: int = 256) -> None:
        unit = gcd(*of.points, of.last)
        self.of = of
        self._unit = unit
        self._tables = tables(
            replace(of, points=tuple(p // unit for p in of.points), last=of.last // unit)
        )
        lines = 1 << max(search.PROBES, (megabytes << 20) // 64).bit_length() - 1
        self._table = np.zeros(lines * 8, np.int64)
        self._constants = self._tables.constants.copy()
        self._constants[search.MASK] = lines - 1
        self._constants[search.GENERATION] = 1
        self._scores = np.zeros(search.WIDTH, np.int64)
        self._sure, self._proof = np.zeros(2, np.int64), np.zeros(2, np.int64)
        self.nodes = 0

    def forget(self) -> None:
        """Let the table be used for another deal. What it holds stays true, but fills it."""
        generation = int(self._constants[search.GENERATION]) + 1
        if generation > _GENERATIONS:
            self._table[:] = 0
            generation = 1
        self._constants[search.GENERATION] = generation

    def value(self, position: Position, budget: Budget | None = None) -> Answer:
        """What side 0 wins from here on with the best play of both sides."""
        budget = budget or Budget()
        board = _Board(self, position)
        low, high = 0, board.left
        guess, step, way = high // 2, 1, 0
        while low < high:
            need = min(max(guess, low + 1), high)
            found = board.ask(need, budget)
            if found is None:
                break
            rose = found >= need
            step = step if way == (1 if rose else -1) else 1
            if rose:
                low, way = min(found, high), 1
                guess = need + step
            else:
                high, way = max(found, low), -1
                guess = need - step
            step = min(step + 1, 4)
            if not low < guess <= high:
                guess = (low + high + 1) // 2
        self.nodes += board.nodes
        return Answer(low * self._unit, high * self._unit, board.nodes)

    def reaches(self, position: Position, points: int, budget: Budget | None = None) -> bool | None:
        """Whether side 0 wins that many points from here on; None if the budget ran out."""
        board = _Board(self, position)
        need = -(-points // self._unit)
        found = board.ask(need, budget or Budget())
        self.nodes += board.nodes
        return None if found is None else found >= need

    def cards(self, position: Position, budget: Budget | None = None) -> dict[Card, Answer]:
        """What side 0 wins from here on by each legal card of the player on turn.

        A budget of nodes is for each card, one of seconds for all of them.
        """
        budget = budget or Budget()
        answers: dict[Card, Answer] = {}
        for card in legal(position):
            after, won = position.after(card)
            found = self.value(after, budget)
            answers[card] = Answer(found.low + won, found.high + won, found.nodes)
        return answers

    def line(self, position: Position) -> tuple[tuple[int, Card], ...]:
        """A principal line: who plays what when both sides play best, to the last card."""
        played: list[tuple[int, Card]] = []
        while any(position.hands):
            turn = position.turn
            values = {card: answer.low for card, answer in self.cards(position).items()}
            best = max if self.of.sides[turn] == 0 else min
            card = best(values, key=values.__getitem__)
            played.append((turn, card))
            position, _ = position.after(card)
        return tuple(played)


def legal(position: Position) -> tuple[Card, ...]:
    """The legal cards of the player on turn, one of each kind."""
    held = kinds(pack(position.hands[position.turn]))
    return members(legal_cards(held, position.trick, position.trump, position.broken))


class _Board:
    """A position laid out for the kernel. Questions about it are asked one after the other."""

    def __init__(self, solver: Solver, position: Position) -> None:
        if position.of != solver.of:
            raise PositionError("That position is of another arrangement than the solver.")
        self._solver, made = solver, solver._tables
        players, ranks = position.of.players, position.of.ranks
        suits = [position.trump, *(suit for suit in range(4) if suit != position.trump)]
        lanes = np.zeros((4, players), np.int64)
        shape = 0
        for player, hand in enumerate(position.hands):
            for card in hand:
                suit, rank = suits.index(card.suit), ranks - 1 - card.rank
                lanes[suit, player] += 1 << (rank * made.bits)
                shape += int(made.shapes[(suit * players + player) * ranks + rank])
        self._lanes = lanes.reshape(-1)
        self._totals = lanes.sum(axis=1)
        self._words = _packed(lanes, made.lane, made.a_word)
        deep = sum(len(hand) for hand in position.hands) + len(position.trick) + 2
        self._stack = np.zeros(deep * search.FRAME, np.int64)
        self._moves = np.zeros(deep * search.WIDTH, np.int64)
        self._same = np.zeros(deep * search.WIDTH, np.int64)
        self._registers = np.zeros(search.REGISTERS, np.int64)
        self._registers[search.SHAPE] = _wrapped(shape)
        self._base = len(position.trick)
        self.nodes = 0
        cards = [*position.trick, *(card for hand in position.hands for card in hand)]
        unit = solver._unit
        self.left = (
            sum(position.of.points[card.rank] for card in cards) + position.of.last
        ) // unit
        self._forced = (
            _played_out(position) // unit if len(position.hands[position.turn]) < 2 else None
        )
        self._lay(position, suits)

    def _lay(self, position: Position, suits: Sequence[int]) -> None:
        """The frames of the cards that lie in the trick, and of the one to be played."""
        made, stack = self._solver._tables, self._stack
        players, ranks = position.of.players, position.of.ranks
        led = best_suit = best = points = 0
        winner_ = position.leader
        tricks = len(position.hands[position.turn])
        for place in range(len(position.trick) + 1):
            player = (position.leader + place) % players
            frame = place * search.FRAME
            stack[frame + search.CARD_OF_TRICK] = place
            stack[frame + search.PLAYER] = player
            stack[frame + search.LED] = led
            stack[frame + search.BEST_SUIT] = best_suit
            stack[frame + search.BEST_RANK] = best
            stack[frame + search.BEST_PLAYER] = winner_
            stack[frame + search.TRICK_POINTS] = points
            stack[frame + search.TRICKS] = tricks
            stack[frame + search.LEFT] = self.left
            stack[frame + search.BROKEN] = position.broken
            if place == len(position.trick):
                return
            card = position.trick[place]
            suit, bit = suits.index(card.suit), (ranks - 1 - card.rank) * made.bits
            stack[frame + search.PLAYED] = suit << 5 | bit
            if place == 0:
                led, best_suit, best, winner_ = suit, suit, bit, player
            elif bit > best if suit == best_suit else suit == 0:
                best_suit, best, winner_ = suit, bit, player
            points += int(made.value[bit // made.bits])

    def ask(self, need: int, budget: Budget) -> int | None:
        """What side 0 wins: `need` or more and a lower bound, or less and an upper bound."""
        solver, made, registers = self._solver, self._solver._tables, self._registers
        if self._forced is not None:
            return self._forced
        registers[search.DEPTH] = registers[search.BASE] = self._base
        registers[search.STATE] = search.ENTER
        self._stack[self._base * search.FRAME + search.NEED] = need
        before = self.nodes
        while True:
            more = budget.slice(self.nodes)
            if more == 0:
                return None
            registers[search.LIMIT] = registers[search.NODES] + more
            with np.errstate(
                over="ignore"
            ):  # hashes wrap, which numpy notes where nothing is compiled
                done = search.search(
                    self._lanes,
                    self._totals,
                    self._words,
                    self._stack,
                    self._moves,
                    self._same,
                    registers,
                    made.side,
                    made.sizes,
                    made.worth,
                    made.counters,
                    made.value,
                    solver._constants,
                    made.shapes,
                    made.leaders,
                    made.masks,
                    made.salts,
                    solver._table,
                    WEIGHTS,
                    solver._scores,
                    solver._sure,
                    solver._proof,
                )
            self.nodes = int(registers[search.NODES])
            if done:
                return int(registers[search.RESULT])
            assert self.nodes > before


def _played_out(position: Position) -> int:
    """What side 0 wins in the last trick, or in what is left of it: nobody has a choice."""
    points = 0
    while any(position.hands):
        position, won = position.after(position.hands[position.turn][0])
        points += won
    return points


def _packed(lanes: Integers, lane: int, a_word: int) -> Integers:
    """The lanes of each suit side by side in words."""
    players = lanes.shape[1]
    words = -(-players // a_word)
    packed = np.zeros((4, words), np.int64)
    for suit in range(4):
        for player in range(players):
            packed[suit, player // a_word] += lanes[suit, player] << (lane * (player % a_word))
    return packed.reshape(-1)


def _wrapped(number: int) -> int:
    number %= 1 << 64
    return number - (1 << 64) if number >> 63 else number
