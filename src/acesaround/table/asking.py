"""What persons may ask of a table: a command becomes entries, or a refusal with a sentence.

The checks stand here and nowhere else; the rules of the game themselves are `game`'s.
"""

from __future__ import annotations

import random
from typing import Final, NoReturn

from acesaround import bots, game
from acesaround.errors import AcesAroundError, IllegalAction, NotationError, Reason
from acesaround.record.model import from_json, to_json
from acesaround.table import commands as say
from acesaround.table import entries as log
from acesaround.table import names
from acesaround.table.claiming import claimable, played_out
from acesaround.table.commands import PHRASES, Command
from acesaround.table.entries import Entry, Person
from acesaround.table.messages import RefusalCode
from acesaround.table.table import Table, after
from acesaround.table.thinking import may_hint
from acesaround.view import turn_of


class Refused(AcesAroundError):  # noqa: N818 - it reads as what it is, like a refused action
    """A command that is refused; the table is unchanged. `code` is for programs."""

    def __init__(self, code: RefusalCode, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


def ask(table: Table, person: Person, command: Command, rng: random.Random) -> tuple[Entry, ...]:
    """The entries that a command of a person adds to the log. Raises Refused.

    `rng` draws the first dealer of a game. A hint adds nothing: it is for that person alone.
    """
    match command:
        case say.Sit(seat):
            _free(table, seat)
            _no_second_look(table, person, seat)
            return (log.Sat(seat, Person(person.id, borne(table, person))),)
        case say.SetBot(seat, name):
            return _set_bot(table, person, seat, name)
        case say.Remove(seat):
            return _remove(table, person, seat)
        case say.Cover(seat):
            return _cover(table, person, seat)
        case say.Start():
            return _start(table, person, rng)
        case _:
            return _seated(table, _own_seat(table, person), command, rng)


_UNUSED: Final = random.Random(0)


def allowed(table: Table, person: Person, command: Command) -> bool:
    """Whether a command of a person would not be refused now."""
    try:
        ask(table, person, command, _UNUSED)
    except Refused:
        return False
    return True


def borne(table: Table, person: Person) -> str:
    """The name of a person at a table, told apart from those of others who sit there."""
    held = [seat.person for seat in table.seats if seat.person is not None]
    return names.apart(person.name, [other.name for other in held if other.id != person.id])


def _seated(table: Table, seat: int, command: Command, rng: random.Random) -> tuple[Entry, ...]:
    """Commands of a person who holds a seat."""
    match command:
        case say.Stand():
            return (log.Stood(seat),)
        case say.Act(seq, action):
            return (_act(table, seat, seq, action),)
        case say.Pause():
            if not table.playing or table.paused:
                _refuse("rule", "There is no play to pause.")
            return (log.Paused(),)
        case say.Resume():
            if not table.paused:
                _refuse("rule", "The table is not paused.")
            return (log.Resumed(),)
        case say.Undo():
            if table.undo is None or table.undo.seat != seat:
                _refuse("rule", "Your last action can no longer be taken back.")
            return _want(table, log.Wanted(seat, "undo"))
        case say.Claim():
            return _claim(table, seat)
        case say.Hint():
            return _hint(table, seat)
        case say.Swap(other):
            return _swap(table, seat, other)
        case say.Hints(on):
            if table.hints == on or (on and table.people == (seat,)):
                _refuse("rule", f"Hints are {'allowed' if on else 'off'} already.")
            return _want(table, log.Wanted(seat, "hints")) if on else (log.HintsOff(),)
        case say.Back():
            if not table.seats[seat].covered:
                _refuse("rule", "No bot plays in your place.")
            return (log.Returned(seat),)
        case say.Answer(agree):
            return _answer(table, seat, agree)
        case say.Talk(phrase):
            if phrase not in PHRASES:
                _refuse("malformed", f"{phrase!r} is no phrase: expected {', '.join(PHRASES)}.")
            return (log.Said(seat, phrase),)
        case say.Rematch():
            return _again(table, seat, rng)
        case _:
            raise AssertionError(command)


def _refuse(code: RefusalCode, sentence: str) -> NoReturn:
    raise Refused(code, sentence)


def _own_seat(table: Table, person: Person) -> int:
    seat = table.seat_of(person.id)
    if seat is None:
        _refuse("seat", "You hold no seat at this table.")
    return seat


def _exists(table: Table, seat: int) -> None:
    if seat >= len(table.seats):
        _refuse("seat", f"There is no seat {seat}: seats are 0 to {len(table.seats) - 1}.")


def _free(table: Table, seat: int) -> None:
    _exists(table, seat)
    if table.seats[seat].person is not None:
        _refuse("seat", "Somebody holds that seat.")


def _host(table: Table, person: Person) -> None:
    if not table.hosted_by(person.id):
        _refuse("host", "That is for the host of the table to do.")


def _no_second_look(table: Table, person: Person, seat: int) -> None:
    """Nobody sees two hands of one deal."""
    if table.dealt and any(who == person.id and held != seat for who, held in table.looked):
        _refuse("rule", "You have seen another hand of this deal: wait until it is over.")


def _want(table: Table, wanted: log.Wanted) -> tuple[Entry, ...]:
    if table.wish is not None:
        _refuse("rule", "Something else is being asked already.")
    return (wanted,)


def _claim(table: Table, seat: int) -> tuple[Entry, ...]:
    """Against bots a sure claim is carried out at once; other persons are asked."""
    if table.seats[seat].covered:
        _refuse("covered", "A bot plays in your place: take over from it first.")
    if not claimable(table, seat):
        _refuse("rule", "You can claim only where your own cards are sure to win every trick left.")
    asked = _want(table, log.Wanted(seat, "claim"))
    granted = after(table, asked[0])[0].claimed == seat
    return (*asked, *_plays(table, seat)) if granted else asked


def _hint(table: Table, seat: int) -> tuple[Entry, ...]:
    if not may_hint(table, seat):
        _refuse(
            "rule", "Hints are given where you play against bots alone, or where all allow them."
        )
    if table.game is None or turn_of(table.game) != seat:
        _refuse("turn", "There is nothing for you to decide now.")
    return ()


def _plays(table: Table, seat: int) -> tuple[Entry, ...]:
    """The plays that carry out a claim: facts like any others."""
    assert table.game is not None
    return tuple(
        log.Acted(turn, to_json(turn, action)[1:], bot=True)
        for turn, action in played_out(table.game, seat)
    )


def _swap(table: Table, seat: int, other: int) -> tuple[Entry, ...]:
    _exists(table, other)
    if other == seat or table.seats[other].person is None:
        _refuse("seat", "Nobody to change places with sits there.")
    if table.dealt:
        _refuse("rule", "Places are changed between deals: wait until this one is over.")
    return _want(table, log.Wanted(seat, "swap", other))


def _answer(table: Table, seat: int, agree: bool) -> tuple[Entry, ...]:
    """An answer of somebody who was asked; who asked may withdraw."""
    wish = table.wish
    if wish is None or (seat not in wish.waiting and (agree or seat != wish.seat)):
        _refuse("rule", "Nothing is being asked of you.")
    if agree and wish.kind == "swap" and table.dealt:
        _refuse("rule", "Places are changed between deals: wait until this one is over.")
    answered = log.Answered(seat, agree)
    if agree and wish.kind == "claim" and wish.waiting == (seat,):
        return (answered, *_plays(table, wish.seat))
    return (answered,)


def _cover(table: Table, person: Person, seat: int) -> tuple[Entry, ...]:
    _host(table, person)
    _exists(table, seat)
    if table.seats[seat].person is None or table.seats[seat].covered:
        _refuse("seat", "No person plays in that seat.")
    return (log.Covered(seat),)


def _set_bot(table: Table, person: Person, seat: int, name: str) -> tuple[Entry, ...]:
    _host(table, person)
    _exists(table, seat)
    try:
        return (log.BotSet(seat, bots.check_offered(name, table.rules)),)
    except AcesAroundError as error:
        raise Refused("malformed", str(error)) from None


def _remove(table: Table, person: Person, seat: int) -> tuple[Entry, ...]:
    _host(table, person)
    _exists(table, seat)
    if table.seats[seat].person is None:
        _refuse("seat", "Nobody holds that seat.")
    return (log.Stood(seat),)


def _start(table: Table, person: Person, rng: random.Random) -> tuple[Entry, ...]:
    _host(table, person)
    if table.games:
        _refuse("rule", "The game has begun already.")
    return (log.Begun(game.first_dealer(table.rules, rng)),)


def _again(table: Table, seat: int, rng: random.Random) -> tuple[Entry, ...]:
    """Another game begins when every person at the table is ready for it."""
    if table.game is None or table.playing:
        _refuse("rule", "The game is not over.")
    if seat in table.ready:
        _refuse("rule", "You are ready already.")
    ready = log.Again(seat)
    if {*table.ready, seat} >= set(table.people):
        return ready, log.Begun(game.first_dealer(table.rules, rng, table.game))
    return (ready,)


def _act(table: Table, seat: int, seq: int, action: list[object]) -> Entry:
    if table.game is None:
        _refuse("rule", "The game has not begun.")
    if table.seats[seat].covered:
        _refuse("covered", "A bot plays in your place: take over from it first.")
    if not table.moved <= seq <= table.seq:
        _refuse("stale", "The table has moved on since you chose that.")
    if table.paused:
        _refuse("paused", "The table is paused.")
    try:
        _, chosen = from_json([seat, *action])
        game.apply(table.game, chosen, seat)
    except NotationError as error:
        raise Refused("malformed", str(error)) from None
    except IllegalAction as error:
        code: RefusalCode = "turn" if error.reason is Reason.NOT_YOUR_TURN else "rule"
        raise Refused(code, str(error)) from None
    return log.Acted(seat, to_json(seat, chosen)[1:], bot=False)
