"""Tables with their logs, on which tests send commands and let bots play."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import pytest

from acesaround import game, variants
from acesaround.game.state import Decision
from acesaround.game.view import turn_of
from acesaround.legal_bids import Bids
from acesaround.record.model import action_to_json
from acesaround.table import (
    Command,
    CommandRefused,
    Config,
    Entry,
    Person,
    Table,
    TablePresence,
    apply_entry,
    automatic_actor,
    automatic_entry,
    begin,
    commands,
    entries,
    fold,
    handle_command,
)
from acesaround.table.trick_claims import MIN_CLAIM_TRICKS, can_claim
from tests.server.visibility_oracle import make_random_log

ANN, BOB, CLEO = Person("a1", "Ann"), Person("b2", "Bob"), Person("c3", "Cleo")


class TableLog:
    """A table with its log."""

    def __init__(self, config: Config, seed: int = 1) -> None:
        self.rng = random.Random(seed)
        self.presence = TablePresence()
        self.entries: list[Entry] = list(begin(config, ANN))
        self.table: Table = fold(self.entries)

    def add(self, *new: Entry) -> None:
        """Append entries to the log."""
        for entry in new:
            self.entries.append(entry)
            self.table, _ = apply_entry(self.table, entry)

    def send(self, person: Person, command: Command) -> None:
        """Append the entries of a command."""
        self.add(*handle_command(self.table, person, command, self.rng, self.presence))

    def send_refused(self, person: Person, command: Command) -> str:
        """Send a command that is refused and changes nothing, and return the refusal's code."""
        before = self.table
        with pytest.raises(CommandRefused) as refused:
            self.send(person, command)
        assert self.table == before
        return refused.value.code

    def play_bots(self) -> None:
        """Deal and let bots act until a person is on turn."""
        while automatic_actor(self.table) is not None:
            self.add(automatic_entry(self.table, self.rng))

    def play_bots_to_deal(self) -> None:
        """Let bots act until a person is on turn or cards are to be dealt."""
        while isinstance(automatic_actor(self.table), int):
            self.add(automatic_entry(self.table, self.rng))

    def act_randomly(self, person: Person) -> None:
        """Send a random legal action of the person on turn."""
        self.send(person, commands.Act(self.table.seq, choose_random_action(self.table, self.rng)))

    def play_deals(self, person: Person, deals: int) -> None:
        """Play so many deals in which the person chooses at random."""
        self.play_bots()
        while (
            self.table.game is not None and self.table.is_playing and self.table.game.deals < deals
        ):
            self.act_randomly(person)
            self.play_bots()


def choose_random_action(table: Table, rng: random.Random) -> list[Any]:
    """Return a random legal action of the seat on turn, as it is sent."""
    assert table.game is not None
    decision: Decision = game.decision(table.game)
    assert decision.seat is not None
    legal = decision.legal
    few = tuple(islice(legal, 3)) if isinstance(legal, Bids) else legal
    assert isinstance(few, Sequence)
    return action_to_json(decision.seat, rng.choice(few))[1:]


def table_config(variant: str = "partnership", **more: Any) -> Config:
    """Return the configuration of a table with random bots."""
    preset = variants.VARIANTS[variant]
    return Config(variant, preset.seats, bots="random", **more)


def play_game_to_end(log: TableLog) -> None:
    """Play the game to its end."""
    log.play_bots()
    while log.table.is_playing:
        assert log.table.game is not None
        person = log.table.seats[turn_of(log.table.game) or 0].person
        assert person is not None
        log.act_randomly(person)
        log.play_bots()


def make_finished_game() -> TableLog:
    """Return a finished game of Ann and Bob."""
    log = TableLog(table_config(options={"hands": 1}))
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.Start())
    play_game_to_end(log)
    return log


def make_random_log_with_chat(rng: random.Random) -> list[Entry]:
    """Return a random log with chat and changed names."""
    log = make_random_log(rng, rng.choice([1, 2, 4]), 500)
    result, table = log[:1], fold(log[:1])
    for entry in log[1:]:
        table, _ = apply_entry(table, entry)
        result.append(entry)
        if table.occupied_seats and rng.random() < 0.1:
            seat = rng.choice(table.occupied_seats)
            person = table.seats[seat].person
            assert person is not None
            renamed = entries.ProfileChanged(seat, person.name)
            new = renamed if rng.random() < 0.5 else entries.ChatSent(seat, "oops")
            result.append(new)
            table, _ = apply_entry(table, new)
    return result


def play_until_claim(log: TableLog, most: int = 400) -> bool:
    """Play at random until seat 0 may claim; return False if the game ends before."""
    for _ in range(most):
        log.play_bots()
        if can_claim(log.table, 0):
            assert log.table.game is not None
            if len(log.table.game.hand(0)) >= MIN_CLAIM_TRICKS:
                return True
        if not log.table.is_playing:
            return False
        assert log.table.game is not None
        seat = game.decision(log.table.game).seat
        assert seat is not None
        person = log.table.seats[seat].person
        assert person is not None
        log.act_randomly(person)
    return False


def make_table_with_claim(variant: str, *, people: int) -> TableLog:
    """Return a table at which seat 0 may claim."""
    for seed in range(200):
        log = TableLog(table_config(variant, options={}), seed)
        if people > 1:
            log.send(BOB, commands.Sit(1))
        log.send(ANN, commands.Start())
        if play_until_claim(log):
            return log
    raise AssertionError("no table with a claim found")


def play_table_until(
    table_config: Config,
    host: Person,
    condition: Callable[[Table], object],
    *,
    others: tuple[Person, ...] = (),
    dealer: int = 0,
) -> tuple[Any, ...]:
    """Return the log of a table at which bots play for everybody until a condition holds."""
    for seed in range(50):
        log = list(begin(table_config, host))
        log += [entries.SeatTaken(seat, person) for seat, person in enumerate(others, 1)]
        log.append(entries.Begun(dealer))
        chance = random.Random(seed)
        table = fold(log)
        while table.is_playing:
            if condition(table):
                return tuple(log)
            log.append(automatic_entry(table, chance, bot_name="thumb"))
            table, _ = apply_entry(table, log[-1])
        if condition(table):
            return tuple(log)
    raise AssertionError("the condition never held")
