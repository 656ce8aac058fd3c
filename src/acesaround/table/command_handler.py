"""Commands of persons: each becomes entries, or is refused with a sentence.

The checks are here, and in `joining` for commands about seats. `game` checks the rules of the game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from acesaround import bots, game
from acesaround.errors import AcesAroundError, IllegalAction, NotationError, Reason
from acesaround.game.view import turn_of
from acesaround.record.model import action_from_json, action_to_json
from acesaround.table import chat, command_refusals, commands, entries, joining
from acesaround.table.bot_turns import may_hint
from acesaround.table.command_refusals import (
    ENDED_SENTENCES,
    CommandRefused,
    CommandResult,
    Refusal,
)
from acesaround.table.commands import Command
from acesaround.table.entries import Entry, Person, ProposalKind
from acesaround.table.folding import apply_entry
from acesaround.table.joining import require_acting_host, require_host, require_seat
from acesaround.table.lesson_play import handle_lesson_command
from acesaround.table.messages import RefusalCode
from acesaround.table.table import NOBODY_PRESENT, Table, TablePresence
from acesaround.table.trick_claims import can_claim, claim_plays


def handle_command(
    table: Table,
    person: Person,
    command: Command,
    rng: random.Random,
    presence: TablePresence = NOBODY_PRESENT,
) -> tuple[Entry, ...]:
    """Return the entries that a person's command adds to the log. Raise CommandRefused.

    `rng` draws the first dealer of a game and the token of a link. A hint adds no entry, because it
    is for that person alone.
    """
    result = _evaluate(table, person, command, rng, presence)
    if isinstance(result, Refusal):
        raise CommandRefused(result.code, result.sentence)
    return result


_UNUSED_RNG: Final = random.Random(0)


def is_allowed(
    table: Table, person: Person, command: Command, presence: TablePresence = NOBODY_PRESENT
) -> bool:
    """Return whether a command of a person would be accepted now."""
    return not isinstance(_evaluate(table, person, command, _UNUSED_RNG, presence), Refusal)


def _evaluate(
    table: Table, person: Person, command: Command, rng: random.Random, presence: TablePresence
) -> CommandResult:
    if table.ended is not None:
        return Refusal("rule", ENDED_SENTENCES[table.ended])
    if table.lesson is not None:
        return handle_lesson_command(table, table.seat_of(person.id), command)
    if (handler := _PERSON_HANDLERS.get(type(command))) is not None:
        return handler(table, person, command, rng, presence)
    seat = table.seat_of(person.id)
    if seat is None:
        return command_refusals.NO_SEAT_HELD
    return _SEAT_HANDLERS[type(command)](table, seat, command, rng, presence)


_MAX_PAUSES: Final = 3
"""How often a seat may pause until the next deal, if other persons play.

Limited because a player who pauses again whenever somebody resumes would stop the game.
"""


def _pause(table: Table, seat: int) -> CommandResult:
    if not table.is_playing or table.is_paused:
        return command_refusals.NOT_PLAYING
    if table.occupied_seats != (seat,) and table.pausing_seats.count(seat) >= _MAX_PAUSES:
        return command_refusals.TOO_MANY_PAUSES
    return (entries.Paused(seat),)


def _resume(table: Table) -> CommandResult:
    if not table.is_paused:
        return command_refusals.NOT_PAUSED
    return (entries.Resumed(),)


def _undo(table: Table, seat: int, presence: TablePresence) -> CommandResult:
    if table.undoable is None or table.undoable.seat != seat:
        return command_refusals.CANNOT_UNDO
    return _propose(table, seat, "undo", presence)


def _hints(table: Table, seat: int, is_on: bool, presence: TablePresence) -> CommandResult:
    if table.hints_allowed == is_on or (is_on and table.occupied_seats == (seat,)):
        return command_refusals.HINTS_ON if is_on else command_refusals.HINTS_OFF
    return _propose(table, seat, "hints", presence) if is_on else (entries.HintsOff(),)


def _take_over_from_bot(table: Table, seat: int) -> CommandResult:
    if not table.seats[seat].has_substitute:
        return command_refusals.NO_BOT_SUBSTITUTES
    if table.is_overdue(seat):
        return command_refusals.TURN_OVERDUE
    return (entries.PlayerReturned(seat),)


def _set_free_chat(
    table: Table, person: Person, is_on: bool, presence: TablePresence
) -> CommandResult:
    return require_host(table, person, presence) or chat.set_free_chat(table, is_on)


def _propose(table: Table, seat: int, kind: ProposalKind, presence: TablePresence) -> CommandResult:
    """Propose something to all other persons who are not gone, also to those with a substitute."""
    if (refusal := _check_proposals(table, seat)) is not None:
        return refusal
    asked_seats = sorted(_awaited_seats(table, presence) - {seat})
    return (entries.Proposed(seat, kind, of=tuple(asked_seats)),)


def _awaited_seats(table: Table, presence: TablePresence) -> set[int]:
    """Return the seats of persons who are not gone: play waits for these persons."""
    holders = ((number, seat.person) for number, seat in enumerate(table.seats))
    return {number for number, holder in holders if holder and holder.id not in presence.gone}


_MAX_DENIED_PROPOSALS: Final = 3
"""The number of a seat's proposals that may be denied until the next deal.

Limited because each asks the others again, and because clock and bots may wait for it.
"""


def _check_proposals(table: Table, seat: int) -> Refusal | None:
    """Return a refusal if a seat may propose nothing now."""
    if table.denied_seats.count(seat) >= _MAX_DENIED_PROPOSALS:
        return command_refusals.TOO_MANY_PROPOSALS
    return None if table.proposal is None else command_refusals.PROPOSAL_OPEN


def expire_proposal(table: Table, presence: TablePresence) -> tuple[Entry, ...]:
    """Return the entries that end a proposal after its timeout.

    Persons who are gone do not block it: it is granted if the proposer is not gone and everybody
    else who is not gone has agreed. A swap is never granted this way, because a person who is gone
    would lose their seat.
    """
    proposal = table.proposal
    if proposal is None:
        return ()
    awaited_seats = _awaited_seats(table, presence)
    is_granted = (
        proposal.kind != "swap"
        and proposal.seat in awaited_seats
        and awaited_seats.isdisjoint(proposal.waiting)
    )
    claim_entries = (
        _claim_entries(table, proposal.seat) if is_granted and proposal.kind == "claim" else ()
    )
    return (entries.ProposalExpired(is_granted), *claim_entries)


def _claim(table: Table, seat: int, presence: TablePresence) -> CommandResult:
    """Carry out a sure claim at once if only bots play against the seat; else ask the others."""
    if table.seats[seat].has_substitute:
        return command_refusals.BOT_SUBSTITUTES
    if not can_claim(table, seat):
        return command_refusals.CANNOT_CLAIM
    result = _propose(table, seat, "claim", presence)
    if isinstance(result, Refusal):
        return result
    is_granted = apply_entry(table, result[0])[0].claiming_seat == seat
    return (*result, *_claim_entries(table, seat)) if is_granted else result


def _hint(table: Table, seat: int) -> CommandResult:
    if not may_hint(table, seat):
        return command_refusals.HINTS_FORBIDDEN
    if table.game is None or turn_of(table.game) != seat:
        return command_refusals.NOTHING_TO_DECIDE
    return ()


def _claim_entries(table: Table, seat: int) -> tuple[Entry, ...]:
    """Return the plays that carry out a claim, as ordinary entries."""
    assert table.game is not None
    return tuple(
        entries.Acted(turn, action_to_json(turn, action)[1:], bot=True)
        for turn, action in claim_plays(table.game, seat)
    )


def _swap(table: Table, seat: int, other_seat: int) -> CommandResult:
    if (refusal := require_seat(table, other_seat)) is not None:
        return refusal
    if other_seat == seat or table.seats[other_seat].person is None:
        return command_refusals.NOBODY_TO_SWAP
    if table.is_dealt:
        return command_refusals.BETWEEN_DEALS
    if (refusal := _check_proposals(table, seat)) is not None:
        return refusal
    return (entries.Proposed(seat, "swap", other_seat),)


def _answer(table: Table, seat: int, agrees: bool) -> CommandResult:
    """Answer a proposal; the proposer may withdraw it."""
    proposal = table.proposal
    if proposal is None or (seat not in proposal.waiting and (agrees or seat != proposal.seat)):
        return command_refusals.NOT_ASKED
    if agrees and proposal.kind == "swap" and table.is_dealt:
        return command_refusals.BETWEEN_DEALS
    answered = entries.Answered(seat, agrees)
    if agrees and proposal.kind == "claim" and proposal.waiting == (seat,):
        return (answered, *_claim_entries(table, proposal.seat))
    return (answered,)


def _substitute_bot(
    table: Table, person: Person, seat: int, presence: TablePresence
) -> CommandResult:
    """Let a bot play for an absent person.

    The host may do this at once, other seated persons only when the person has been away for long.
    """
    if (refusal := require_seat(table, seat)) is not None:
        return refusal
    holder = table.seats[seat].person
    is_gone = holder is not None and holder.id in presence.gone
    if not (is_gone and table.seat_of(person.id) is not None):
        refusal = require_host(table, person, presence)
    if refusal is not None:
        return refusal
    if holder is None or table.seats[seat].has_substitute:
        return command_refusals.NO_PERSON_PLAYS
    if holder.id in presence.present:
        return command_refusals.person_present(holder.name)
    return (entries.BotSubstituted(seat),)


def _set_bot(
    table: Table, person: Person, seat: int, name: str, presence: TablePresence
) -> CommandResult:
    refusal = require_host(table, person, presence) or require_seat(table, seat)
    if refusal is not None:
        return refusal
    try:
        return (entries.BotSet(seat, bots.require_selectable(name, table.rules)),)
    except AcesAroundError as error:
        return Refusal("malformed", str(error))


def _start(
    table: Table, person: Person, rng: random.Random, presence: TablePresence
) -> CommandResult:
    if (refusal := require_acting_host(table, person, presence)) is not None:
        return refusal
    if table.game_count:
        return command_refusals.ALREADY_BEGUN
    return (entries.Begun(game.first_dealer(table.rules, rng)),)


def _continue(table: Table, seat: int, deal_number: int) -> CommandResult:
    if table.unread_result != deal_number:
        return command_refusals.RESULT_READ
    if seat in table.continued_seats:
        return command_refusals.ALREADY_CONTINUED
    return (entries.Continued(seat),)


def _rematch(table: Table, seat: int, rng: random.Random, presence: TablePresence) -> CommandResult:
    """Begin another game once every person who is not gone is ready for it."""
    if table.game is None or table.is_playing:
        return command_refusals.NOT_OVER
    if seat in table.ready_seats:
        return command_refusals.ALREADY_READY
    ready = entries.RematchReady(seat)
    if {*table.ready_seats, seat} >= _awaited_seats(table, presence):
        return ready, entries.Begun(game.first_dealer(table.rules, rng, table.game))
    return (ready,)


def _act(table: Table, seat: int, seq: int, action: list[object]) -> CommandResult:
    if table.game is None:
        return command_refusals.NOT_BEGUN
    if table.seats[seat].has_substitute:
        return command_refusals.BOT_SUBSTITUTES
    if not table.moved_seq <= seq <= table.seq:
        return command_refusals.STALE_ACTION
    if table.is_paused:
        return command_refusals.PAUSED
    try:
        _, chosen = action_from_json([seat, *action])
        game.apply(table.game, chosen, seat)
    except NotationError as error:
        return Refusal("malformed", str(error))
    except IllegalAction as error:
        code: RefusalCode = "turn" if error.reason is Reason.NOT_YOUR_TURN else "rule"
        return Refusal(code, str(error))
    return (entries.Acted(seat, action_to_json(seat, chosen)[1:], bot=False),)


# A lookup by type is faster than a `match`: `_allowed_commands` checks all commands for every
# client each step.
_SeatHandler = Callable[[Table, int, Any, random.Random, TablePresence], CommandResult]
_SEAT_HANDLERS: Final[Mapping[type[Command], _SeatHandler]] = {
    commands.Stand: lambda table, seat, *_: (entries.SeatLeft(seat),),
    commands.Act: lambda table, seat, said, *_: _act(table, seat, said.seq, said.action),
    commands.Pause: lambda table, seat, *_: _pause(table, seat),
    commands.Resume: lambda table, *_: _resume(table),
    commands.Undo: lambda table, seat, said, rng, presence: _undo(table, seat, presence),
    commands.Claim: lambda table, seat, said, rng, presence: _claim(table, seat, presence),
    commands.RequestHint: lambda table, seat, *_: _hint(table, seat),
    commands.Swap: lambda table, seat, said, *_: _swap(table, seat, said.seat),
    commands.AllowHints: lambda table, seat, said, rng, presence: _hints(
        table, seat, said.on, presence
    ),
    commands.TakeOverFromBot: lambda table, seat, *_: _take_over_from_bot(table, seat),
    commands.AnswerProposal: lambda table, seat, said, *_: _answer(table, seat, said.agree),
    commands.Continue: lambda table, seat, said, *_: _continue(table, seat, said.deal),
    commands.SendChat: lambda table, seat, said, *_: chat.chat_entry(
        table, seat, said.phrase, said.text
    ),
    commands.Rematch: lambda table, seat, said, rng, presence: _rematch(table, seat, rng, presence),
    **dict.fromkeys(
        (commands.ContinueLesson, commands.RestartLesson),
        lambda *_: command_refusals.NO_LESSON,
    ),
}
"""The handlers of commands for which a person must hold a seat."""

_PersonHandler = Callable[[Table, Person, Any, random.Random, TablePresence], CommandResult]
_PERSON_HANDLERS: Final[Mapping[type[Command], _PersonHandler]] = {
    commands.Sit: lambda table, person, said, *_: joining.sit(table, person, said.seat),
    commands.RequestSeat: lambda table, person, said, rng, presence: joining.request_seat(
        table, person, said.seat, presence
    ),
    commands.AnswerSeatRequest: lambda table, person, said, rng, presence: (
        joining.answer_seat_request(table, person, said.request, said.yes, presence)
    ),
    commands.Remove: lambda table, person, said, rng, presence: joining.remove(
        table, person, said.seat, presence
    ),
    **dict.fromkeys(
        (commands.Readmit, commands.SetJoining, commands.GiveHost, commands.ReplaceLink),
        lambda table, person, said, rng, presence: joining.handle_host_command(
            table, person, said, presence, rng
        ),
    ),
    commands.SetBot: lambda table, person, said, rng, presence: _set_bot(
        table, person, said.seat, said.name, presence
    ),
    commands.AllowFreeChat: lambda table, person, said, rng, presence: _set_free_chat(
        table, person, said.on, presence
    ),
    commands.SubstituteBot: lambda table, person, said, rng, presence: _substitute_bot(
        table, person, said.seat, presence
    ),
    commands.Start: lambda table, person, said, rng, presence: _start(table, person, rng, presence),
}
"""The handlers of commands for which no seat is needed."""
