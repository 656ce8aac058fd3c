"""Commands of persons: each becomes entries, or is rejected with a sentence.

The checks are here, and in `joining` for commands about seats. `game` checks the rules of the game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from acesaround import bots, game
from acesaround.errors import AcesAroundError, IllegalAction, NotationError, Reason
from acesaround.game.view import turn_of
from acesaround.record.model import from_json, to_json
from acesaround.table import chat, joining, refusals
from acesaround.table import commands as say
from acesaround.table import entries as log
from acesaround.table.automatic_turns import may_hint
from acesaround.table.claiming import claimable, played_out
from acesaround.table.commands import Command
from acesaround.table.entries import Entry, Person, WishKind
from acesaround.table.joining import host_only, require_seat
from acesaround.table.messages import RefusalCode
from acesaround.table.refusals import ENDED, Asked, Refused, Rejection
from acesaround.table.table import NOBODY_GONE, Table, TablePresence, apply_entry


def handle_command(
    table: Table,
    person: Person,
    command: Command,
    rng: random.Random,
    there: TablePresence = NOBODY_GONE,
) -> tuple[Entry, ...]:
    """Return the entries that a person's command adds to the log. Raise Refused if it is rejected.

    `rng` draws the first dealer of a game and the token of a link. A hint adds no entry, because it
    is for that person alone.
    """
    asked = _asked(table, person, command, rng, there)
    if isinstance(asked, Rejection):
        raise Refused(asked.code, asked.sentence)
    return asked


_UNUSED: Final = random.Random(0)


def is_allowed(
    table: Table, person: Person, command: Command, there: TablePresence = NOBODY_GONE
) -> bool:
    """Return whether a command of a person would be accepted now."""
    return not isinstance(_asked(table, person, command, _UNUSED, there), Rejection)


def _asked(
    table: Table, person: Person, command: Command, rng: random.Random, there: TablePresence
) -> Asked:
    if table.ended is not None:
        return Rejection("rule", ENDED[table.ended])
    if (by_person := _BY_PERSON.get(type(command))) is not None:
        return by_person(table, person, command, rng, there)
    seat = table.seat_of(person.id)
    if seat is None:
        return refusals.HOLDS_NONE
    return _BY_SEAT[type(command)](table, seat, command, rng, there)


def _pause(table: Table) -> Asked:
    if not table.playing or table.paused:
        return refusals.NO_PLAY
    return (log.Paused(),)


def _resume(table: Table) -> Asked:
    if not table.paused:
        return refusals.NOT_PAUSED
    return (log.Resumed(),)


def _undo(table: Table, seat: int, there: TablePresence) -> Asked:
    if table.undo is None or table.undo.seat != seat:
        return refusals.NO_TAKING_BACK
    return _want(table, seat, "undo", there)


def _hints(table: Table, seat: int, on: bool, there: TablePresence) -> Asked:
    if table.hints == on or (on and table.occupied_seats == (seat,)):
        return refusals.HINTS_ON if on else refusals.HINTS_OFF
    return _want(table, seat, "hints", there) if on else (log.HintsOff(),)


def _back(table: Table, seat: int) -> Asked:
    if not table.seats[seat].covered:
        return refusals.NOT_COVERED
    return (log.PlayerReturned(seat),)


def _writing(table: Table, person: Person, on: bool, there: TablePresence) -> Asked:
    return host_only(table, person, there) or chat.allow(table, on)


def _want(table: Table, seat: int, kind: WishKind, there: TablePresence) -> Asked:
    """Propose something to all other persons who are not gone, also to those with a substitute."""
    if (no := _too_often(table, seat)) is not None and kind != "hints":
        return no
    if table.wish is not None:
        return refusals.BUSY
    held = ((number, table.seats[number].person) for number in table.occupied_seats)
    asked = [n for n, other in held if n != seat and other and other.id not in there.gone]
    return (log.Proposed(seat, kind, of=tuple(asked)),)


_NOES: Final = 3
"""The number of a seat's proposals that may be denied in a deal.

Limited because clock and bots wait while a proposal is open.
"""


def _too_often(table: Table, seat: int) -> Rejection | None:
    if not table.playing or table.noes.count(seat) < _NOES:
        return None
    return refusals.ASKED_ENOUGH


def expire_proposal(table: Table, there: TablePresence) -> tuple[Entry, ...]:
    """Return the entries that end a proposal after its timeout.

    Absent persons do not block it: it is granted if the proposer is present and all present persons
    have agreed. A swap is never granted this way, because an absent person would lose their seat.
    """
    wish = table.wish
    if wish is None:
        return ()
    here = {
        n for n in table.occupied_seats if (p := table.seats[n].person) and p.id in there.present
    }
    agree = wish.kind != "swap" and wish.seat in here and here.isdisjoint(wish.waiting)
    plays = _plays(table, wish.seat) if agree and wish.kind == "claim" else ()
    return (log.ProposalExpired(agree), *plays)


def _claim(table: Table, seat: int, there: TablePresence) -> Asked:
    """Carry out a sure claim at once if only bots play against the seat; else ask the others."""
    if table.seats[seat].covered:
        return refusals.COVERED
    if not claimable(table, seat):
        return refusals.NO_CLAIM
    asked = _want(table, seat, "claim", there)
    if isinstance(asked, Rejection):
        return asked
    granted = apply_entry(table, asked[0])[0].claimed == seat
    return (*asked, *_plays(table, seat)) if granted else asked


def _hint(table: Table, seat: int) -> Asked:
    if not may_hint(table, seat):
        return refusals.NO_HINTS
    if table.game is None or turn_of(table.game) != seat:
        return refusals.NOTHING_TO_DECIDE
    return ()


def _plays(table: Table, seat: int) -> tuple[Entry, ...]:
    """Return the plays that carry out a claim, as ordinary entries."""
    assert table.game is not None
    return tuple(
        log.Acted(turn, to_json(turn, action)[1:], bot=True)
        for turn, action in played_out(table.game, seat)
    )


def _swap(table: Table, seat: int, other: int) -> Asked:
    if (no := require_seat(table, other)) is not None:
        return no
    if other == seat or table.seats[other].person is None:
        return refusals.NOBODY_TO_SWAP
    if table.dealt:
        return refusals.BETWEEN_DEALS
    if (no := _too_often(table, seat)) is not None:
        return no
    if table.wish is not None:
        return refusals.BUSY
    return (log.Proposed(seat, "swap", other),)


def _answer(table: Table, seat: int, agree: bool) -> Asked:
    """Answer a proposal; the proposer may withdraw it."""
    wish = table.wish
    if wish is None or (seat not in wish.waiting and (agree or seat != wish.seat)):
        return refusals.NOT_ASKED
    if agree and wish.kind == "swap" and table.dealt:
        return refusals.BETWEEN_DEALS
    answered = log.Answered(seat, agree)
    if agree and wish.kind == "claim" and wish.waiting == (seat,):
        return (answered, *_plays(table, wish.seat))
    return (answered,)


def _cover(table: Table, person: Person, seat: int, there: TablePresence) -> Asked:
    """Let a bot play for an absent person.

    The host may do this at once, other seated persons only when the person has been away for long.
    """
    if (no := require_seat(table, seat)) is not None:
        return no
    held = table.seats[seat].person
    gone = held is not None and held.id in there.gone
    if not (gone and table.seat_of(person.id) is not None):
        no = host_only(table, person, there)
    if no is not None:
        return no
    if held is None or table.seats[seat].covered:
        return refusals.NO_PERSON
    if held.id in there.present:
        return refusals.here(held.name)
    return (log.BotSubstituted(seat),)


def _set_bot(table: Table, person: Person, seat: int, name: str, there: TablePresence) -> Asked:
    if (no := host_only(table, person, there) or require_seat(table, seat)) is not None:
        return no
    try:
        return (log.BotSet(seat, bots.require_selectable(name, table.rules)),)
    except AcesAroundError as error:
        return Rejection("malformed", str(error))


def _start(table: Table, person: Person, rng: random.Random, there: TablePresence) -> Asked:
    if (no := host_only(table, person, there)) is not None:
        return no
    if table.games:
        return refusals.BEGUN
    return (log.Begun(game.first_dealer(table.rules, rng)),)


def _continue(table: Table, seat: int, deal: int) -> Asked:
    if table.result != deal:
        return refusals.READ
    if seat in table.read:
        return refusals.GONE_ON
    return (log.Continued(seat),)


def _again(table: Table, seat: int, rng: random.Random, there: TablePresence) -> Asked:
    """Begin another game once every person who is not gone is ready for it."""
    if table.game is None or table.playing:
        return refusals.NOT_OVER
    if seat in table.ready:
        return refusals.READY
    ready = log.RematchReady(seat)
    held = ((number, table.seats[number].person) for number in table.occupied_seats)
    awaited = {number for number, other in held if other and other.id not in there.gone}
    if {*table.ready, seat} >= awaited:
        return ready, log.Begun(game.first_dealer(table.rules, rng, table.game))
    return (ready,)


def _act(table: Table, seat: int, seq: int, action: list[object]) -> Asked:
    if table.game is None:
        return refusals.NOT_BEGUN
    if table.seats[seat].covered:
        return refusals.COVERED
    if not table.moved <= seq <= table.seq:
        return refusals.STALE
    if table.paused:
        return refusals.PAUSED
    try:
        _, chosen = from_json([seat, *action])
        game.apply(table.game, chosen, seat)
    except NotationError as error:
        return Rejection("malformed", str(error))
    except IllegalAction as error:
        code: RefusalCode = "turn" if error.reason is Reason.NOT_YOUR_TURN else "rule"
        return Rejection(code, str(error))
    return (log.Acted(seat, to_json(seat, chosen)[1:], bot=False),)


# A lookup by type is faster than a `match`: `_may` checks all commands for every client each step.
_BySeat = Callable[[Table, int, Any, random.Random, TablePresence], Asked]
_BY_SEAT: Final[Mapping[type[Command], _BySeat]] = {
    say.Stand: lambda table, seat, *_: (log.SeatLeft(seat),),
    say.Act: lambda table, seat, said, *_: _act(table, seat, said.seq, said.action),
    say.Pause: lambda table, *_: _pause(table),
    say.Resume: lambda table, *_: _resume(table),
    say.Undo: lambda table, seat, said, rng, there: _undo(table, seat, there),
    say.Claim: lambda table, seat, said, rng, there: _claim(table, seat, there),
    say.Hint: lambda table, seat, *_: _hint(table, seat),
    say.Swap: lambda table, seat, said, *_: _swap(table, seat, said.seat),
    say.Hints: lambda table, seat, said, rng, there: _hints(table, seat, said.on, there),
    say.TakeOverFromBot: lambda table, seat, *_: _back(table, seat),
    say.Answer: lambda table, seat, said, *_: _answer(table, seat, said.agree),
    say.Continue: lambda table, seat, said, *_: _continue(table, seat, said.deal),
    say.Talk: lambda table, seat, said, *_: chat.talk(table, seat, said.phrase, said.text),
    say.Rematch: lambda table, seat, said, rng, there: _again(table, seat, rng, there),
}
"""The handlers of commands for which a person must hold a seat."""

_ByPerson = Callable[[Table, Person, Any, random.Random, TablePresence], Asked]
_BY_PERSON: Final[Mapping[type[Command], _ByPerson]] = {
    say.Sit: lambda table, person, said, *_: joining.sit(table, person, said.seat),
    say.Knock: lambda table, person, said, rng, there: joining.knock(
        table, person, said.seat, there
    ),
    say.Admit: lambda table, person, said, rng, there: joining.admit(
        table, person, said.knock, said.yes, there
    ),
    say.Remove: lambda table, person, said, rng, there: joining.remove(
        table, person, said.seat, there
    ),
    **dict.fromkeys(
        (say.Readmit, say.Joining, say.GiveHost, say.ReplaceLink),
        lambda table, person, said, rng, there: joining.host_command(
            table, person, said, there, rng
        ),
    ),
    say.SetBot: lambda table, person, said, rng, there: _set_bot(
        table, person, said.seat, said.name, there
    ),
    say.AllowFreeChat: lambda table, person, said, rng, there: _writing(
        table, person, said.on, there
    ),
    say.SubstituteBot: lambda table, person, said, rng, there: _cover(
        table, person, said.seat, there
    ),
    say.Start: lambda table, person, said, rng, there: _start(table, person, rng, there),
}
"""The handlers of commands for which no seat is needed."""
