"""The driver of a game between one person and bots: state, chance, bots, record and saved file.

It alone holds the `GameState`. What it hands out is what the person's seat may see: views,
projected events, that seat's own decisions. No screen is known here.

Everything random has a stream of its own, named by the seed and the place in the game, so that a
game resumed after a kill goes on exactly as it would have.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from acesaround import bots, game
from acesaround.actions import Action, LayMeld
from acesaround.bots.advice import Advice
from acesaround.bots.player import Player, close
from acesaround.bots.preparing import preparation
from acesaround.bots.steady import Steady
from acesaround.errors import AcesAroundError, BotError, Failure, IllegalAction, Reason, RulesError
from acesaround.events import DealScored, Dealt, Event, MeldLaid
from acesaround.melds import Meld
from acesaround.phases.dealing import Deals
from acesaround.record.recorder import Recorder
from acesaround.record.replay import rules_of, steps
from acesaround.rules import Rules
from acesaround.state import Decision, GameState, Kind
from acesaround.terminal import save
from acesaround.terminal.save import Playing
from acesaround.view import View, view

_HINT: Final = 1.0  # seconds that are thought about a hint


class Thought(msgspec.Struct, frozen=True):
    """Why a bot did something: its seat, and the number of the trick, 0 before the play."""

    seat: int
    trick: int
    advice: Advice


class Moment(msgspec.Struct, frozen=True):
    """One action as the person saw it: who acted (None: chance), the view before and after it."""

    seat: int | None
    before: View
    events: tuple[Event, ...]
    view: View


def seating(rules: Rules, seat: int, names: Sequence[str]) -> tuple[str, ...]:
    """A bot's name for every seat: the first sits left of the person, a shorter list repeats.

    Raises RulesError.
    """
    if not 0 <= seat < rules.seats:
        raise RulesError(f"There is no seat {seat}: seats are 0 to {rules.seats - 1}.")
    if not names:
        raise RulesError("At least one bot must be named.")
    if len(names) > rules.seats - 1:
        raise RulesError(
            f"{len(names)} bots were named: with {rules.seats} players there are "
            f"{rules.seats - 1} other seats."
        )
    found = [bots.check(name, rules) for name in names]
    return tuple(found[((at - seat - 1) % rules.seats) % len(found)] for at in range(rules.seats))


class Match:
    """One game. `story`: the events of the deal so far, `sheet`: the scores of all deals.

    `thoughts`: why bots did what they did in the last deal that is over. Before that it would give
    their cards away.
    """

    def __init__(
        self, rules: Rules, playing: Playing, path: Path, previous: GameState | None = None
    ) -> None:
        self.rules = rules
        self.playing = playing
        self.path = path
        self.story: list[Event] = []
        self.sheet: list[DealScored] = []
        self.thoughts: tuple[Thought, ...] = ()
        self.unsaved: str | None = None
        self._thinking: list[Thought] = []
        self._thought: Thought | None = None
        self._players: dict[int, tuple[Player, random.Random]] = {}
        self._failed: set[tuple[str, Failure]] = set()
        self._complaints: list[str] = []
        self._unable: set[str] = set()
        self._actions = 0
        dealer = game.first_dealer(rules, random.Random(self._stream("dealer")), previous)
        self._state = game.start(rules, dealer)
        names = ["You" if at == self.seat else f"bot:{bot}" for at, bot in enumerate(playing.bots)]
        self._recorder = Recorder(rules, names)

    @classmethod
    def resume(cls, path: Path) -> Match:
        """The saved game as it stood after its last action. Raises RecordError."""
        record, playing = save.read(path)
        try:
            match = cls(rules_of(record), playing, path)
            for step in steps(record):
                match._keep(step.before, step.seat, step.action, step.events)
                match._state = step.after
        except AcesAroundError as error:
            raise save.damaged(path, error) from None
        return match

    def again(self) -> Match:
        """The next game of the same people at the same table."""
        playing = replace(self.playing, game=self.playing.game + 1)
        return Match(self.rules, playing, self.path, previous=self._state)

    @property
    def seat(self) -> int:
        """The person's seat."""
        return self.playing.seat

    @property
    def others(self) -> tuple[str, ...]:
        """The bots in the other seats."""
        return tuple(bot for at, bot in enumerate(self.playing.bots) if at != self.seat)

    @property
    def view(self) -> View:
        """What the person sees."""
        return view(self._state, self.seat)

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return self._state.phase is None

    @property
    def decision(self) -> Decision | None:
        """What the person is to decide now; None when it is not the person's turn."""
        if self.over:
            return None
        decision = game.decision(self._state)
        return decision if decision.seat == self.seat else None

    def lays(self) -> tuple[Meld, ...]:
        """The melds the person may lay now, with what each would score."""
        decision = self.decision
        if decision is None or decision.kind is not Kind.PLAY:
            return ()
        found = []
        for action in decision.legal:
            if isinstance(action, LayMeld):
                laid = game.apply(self._state, action)[1][0]
                assert isinstance(laid, MeldLaid)
                found.append(laid.meld)
        return tuple(sorted(found, key=lambda meld: -meld.points))

    def offence(self, action: Action) -> str | None:
        """The rule that an action of the person would break at the price of the deal, or None.

        Only where the house accepts and punishes it. Raises IllegalAction where it is refused.
        """
        decision = self.decision
        if decision is None:
            raise IllegalAction(Reason.NOT_YOUR_TURN, turn="somebody else is to act")
        if action in decision.legal:
            return None
        game.apply(self._state, action)
        strict = replace(self._state, rules=self.rules.but(renege="refuse"))
        try:
            game.apply(strict, action)
        except IllegalAction as refusal:
            return str(refusal)
        return None

    def hint(self) -> Callable[[], Advice]:
        """Finds out what the best bot here would do in the person's place now, and why.

        That takes a while, and is about this moment whatever is done meanwhile.
        """
        decision, seen = self.decision, self.view
        assert decision is not None
        rng = random.Random(self._stream("hint", self._actions))
        name = bots.adviser_name(seen.rules)
        able = self._able(name) == name
        adviser = bots.adviser(rng, _HINT, seen.rules) if able else bots.make("thumb", rng)
        return lambda: bots.advice(adviser, seen, decision)

    @property
    def searches(self) -> bool:
        """Whether the bot on turn has to be got ready before it can think."""
        seat = None if self.over else game.decision(self._state).seat
        return seat is not None and bots.searches(self.playing.bots[seat])

    def think(self) -> Action:
        """The action of chance or of the bot on turn. Nothing changes yet."""
        decision = game.decision(self._state)
        if decision.seat is None:
            assert isinstance(decision.legal, Deals)
            return decision.legal.sample(random.Random(self._stream("deal", self._state.deals)))
        if decision.seat not in self._players:
            rng = random.Random()
            name = self._able(self.playing.bots[decision.seat])
            made = Steady(bots.make(name, rng), self._complain)
            self._players[decision.seat] = made, rng
        player, rng = self._players[decision.seat]
        rng.seed(self._stream("bot", decision.seat, self._actions))
        told = bots.advice(player, view(self._state, decision.seat), decision)
        tricks = self._state.deal.tricks
        trick = len(tricks) + 1 if decision.kind is Kind.PLAY else 0
        self._thought = Thought(decision.seat, trick, told)
        return told.action

    def _able(self, name: str) -> str:
        """The bot, or `thumb` where it cannot be got ready, which is told."""
        failed = preparation().failed
        if failed is None or not bots.searches(name):
            return name
        if name not in self._unable:
            self._unable.add(name)
            why = str(failed).rstrip(".")
            self._complaints.append(f"The bot {name!r} cannot play here: {why}. Thumb does.")
        return "thumb"

    def _complain(self, bot: str, error: BotError) -> None:
        if (bot, error.failure) not in self._failed:
            self._failed.add((bot, error.failure))
            self._complaints.append(f"{error} The safest action is done for it.")

    def complaints(self) -> list[str]:
        """What bots have done wrong since this was asked last; each kind is told once a game."""
        found, self._complaints = self._complaints, []
        return found

    def close(self) -> None:
        """End the programs that play here."""
        for player, _ in self._players.values():
            close(player)

    def do(self, action: Action) -> Moment:
        """Carry out an action of whoever is on turn and save the game. Raises IllegalAction."""
        before = self._state
        seat = game.decision(before).seat
        self._state, events = game.apply(before, action)
        if self._thought is not None and self._thought.seat == seat != self.seat:
            self._thinking.append(self._thought)
        self._thought = None
        self._keep(before, seat, action, events)
        self.save()
        seen = tuple(event.seen_by(self.seat) for event in events)
        return Moment(seat, view(before, self.seat), seen, self.view)

    def save(self) -> None:
        """Write the game to its file; what went wrong, if anything did, stands in `unsaved`."""
        try:
            save.write(self.path, self._recorder.record, self.playing)
            self.unsaved = None
        except OSError as error:
            self.unsaved = f"The game could not be saved: {error.strerror or error}."

    def _keep(
        self, before: GameState, seat: int | None, action: Action, events: Sequence[Event]
    ) -> None:
        self._recorder.add(before, seat, action, events)
        if seat is not None:
            self._actions += 1
        for event in events:
            if isinstance(event, Dealt):
                self.story.clear()
                self._thinking.clear()
            seen = event.seen_by(self.seat)
            self.story.append(seen)
            if isinstance(seen, DealScored):
                self.sheet.append(seen)
                self.thoughts = tuple(self._thinking)

    def _stream(self, *place: object) -> str:
        return ":".join(map(str, (self.playing.seed, self.playing.game, *place)))
