"""Checks of an entry of a log: it may follow the entries before it, and is neither early nor
late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from acesaround.server.live.table_countdowns import PROPOSAL_SECONDS
from acesaround.table import Table
from acesaround.table import entries as log
from acesaround.table.entries import Entry
from tests.simulation.environment import WORLD

if TYPE_CHECKING:
    from tests.simulation.shadow_log import ShadowLog
    from tests.simulation.world import World

AWAY_SECONDS: Final = 6.0
"""Seconds after which an absent person counts as gone."""
TOLERANCE_SECONDS: Final = 0.01
_LATE_SECONDS: Final = 0.5
"""Seconds by which a countdown may be late, if nothing was broken since it began."""
Problem = tuple[str, str]
"""The name of a check and what it found."""


def check_entry(
    world: World, shadow: ShadowLog, before: Table, entry: Entry, moved_at: float, changed_at: float
) -> Problem | None:
    """Return the fault of an entry that was just stored, if it has one.

    `moved_at`, `changed_at`: when the game last moved before it, and the table last changed.
    """
    if before.ended is not None and not isinstance(entry, log.Ended):
        return "ended", f"a table that has ended gets {entry}"
    match entry:
        case log.Acted(bot=True) if before.claiming_seat is None:
            if not before.seats[entry.seat].is_played_by_bot:
                return "bot", f"a bot acts for a person: {entry}"
        case log.SeatTaken():
            holder = before.seats[entry.seat].person
            if holder is not None and holder.id != entry.person.id:
                return "seat", f"a seat that {holder} holds is taken: {entry}"
        case log.BotSubstituted(late=True):
            clock = before.config.clock or 0
            if WORLD.now - moved_at < clock - TOLERANCE_SECONDS:
                return "clock", f"a bot substitutes after {WORLD.now - moved_at:.2f} of {clock} s"
            joined_at = world.invariants.attendance.changed_at.get(shadow.table_id, 0.0)
            quiet_seconds = WORLD.now - max(changed_at, joined_at, world.invariants.trouble_at)
            if quiet_seconds > clock + _LATE_SECONDS:
                return "clock", f"a bot substitutes only after {quiet_seconds:.2f} of {clock} s"
        case log.ProposalExpired():
            return _check_expiry(world, shadow, before, entry)
        case log.SeatLeft(away=True):
            return _check_gone(world, shadow, before, entry.seat)
    return None


def _check_expiry(
    world: World, shadow: ShadowLog, before: Table, entry: log.ProposalExpired
) -> Problem | None:
    assert before.proposal is not None
    seconds = WORLD.now - shadow.appended_at(before.proposal.seq)
    if seconds < PROPOSAL_SECONDS - TOLERANCE_SECONDS:
        return "clock", f"a proposal expires after {seconds:.2f} s"
    for seat in before.proposal.waiting if entry.agree else ():
        if (problem := _check_gone(world, shadow, before, seat)) is not None:
            return problem
    return None


def _check_gone(world: World, shadow: ShadowLog, before: Table, seat: int) -> Problem | None:
    """Return a problem if the person of a seat counts as gone, but was not away for long enough."""
    holder, tolerance = before.seats[seat].person, TOLERANCE_SECONDS
    if len(world.servers) > 1:
        if WORLD.now - world.invariants.trouble_at < PROPOSAL_SECONDS:
            return None  # they may not have heard each other
        tolerance = _LATE_SECONDS
    if holder is None:
        return None
    seconds = world.invariants.attendance.longest_absence(shadow.table_id, holder.id, WORLD.now)
    if seconds < AWAY_SECONDS - tolerance:
        return "absence", f"{holder} counts as gone after {seconds:.2f} s"
    return None
