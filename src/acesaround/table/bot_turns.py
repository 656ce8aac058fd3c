"""Deals and bot turns at a table: whether one is due, and the entry that it makes."""

from __future__ import annotations

import random
from collections.abc import Callable

from acesaround import bots, game
from acesaround.bots.advice import Advice, ask_for_advice
from acesaround.bots.fallback_player import WithFallback
from acesaround.bots.player import Player
from acesaround.bots.pool.request import BotRequest
from acesaround.errors import BotError
from acesaround.game.phases.dealing import Deals
from acesaround.game.view import turn_of
from acesaround.record.model import action_to_json
from acesaround.table import entries
from acesaround.table.entries import Entry
from acesaround.table.lesson_play import watched_entry, watched_seat
from acesaround.table.table import Table, TablePresence


def automatic_actor(table: Table) -> str | int | None:
    """Return "deal" if cards are to be dealt, the seat if a bot is to act, else None.

    Deals and bots wait while play could make an open proposal void. They also wait if bots play for
    all persons of the table, because no person would see it.
    """
    if not table.is_playing or table.is_paused or table.ended or _is_held_up(table):
        return None
    assert table.game is not None
    people = table.occupied_seats
    if table.lesson is not None:
        return watched_seat(table) if people else None
    if people and all(table.seats[seat].has_substitute for seat in people):
        return None
    seat = turn_of(table.game)
    if seat is None:
        return "deal"
    return seat if table.seats[seat].is_played_by_bot else None


def _is_held_up(table: Table) -> bool:
    return table.proposal is not None and table.proposal.holds_up_play


def clock_paused(table: Table) -> bool:
    """Return whether the turn clock is paused; it then continues from where it stopped."""
    return table.is_paused or _is_held_up(table)


def seats_still_reading(table: Table, presence: TablePresence) -> tuple[int, ...]:
    """Return the seats that still have to continue after a deal's result before the next deal.

    Only persons whose page shows the result count. A person alone at a table without a clock never
    has to continue.
    """
    if table.unread_result is None or (
        len(table.occupied_seats) < 2 and table.config.clock is None
    ):
        return ()
    occupied = ((number, table.seats[number]) for number in table.occupied_seats)
    return tuple(
        [
            number
            for number, seat in occupied
            if seat.person is not None
            and seat.person.id in presence.readers
            and not seat.has_substitute
            and number not in table.continued_seats
        ]
    )


def seat_on_clock(table: Table) -> int | None:
    """Return the seat whose turn time is running, None if the clock runs for no seat."""
    if table.config.clock is None or not table.is_playing or table.game is None:
        return None
    if clock_paused(table) or table.ended:
        return None
    seat = turn_of(table.game)
    return None if seat is None or table.seats[seat].is_played_by_bot else seat


OnBotFailure = Callable[[str, BotError], None]


def automatic_entry(
    table: Table,
    rng: random.Random,
    *,
    bot_name: str | None = None,
    player: Player | None = None,
    on_failure: OnBotFailure | None = None,
) -> Entry:
    """Return the entry of the next deal, or of the bot on turn (or of another `bot_name`).

    A bot may take a while. `player`: the bot, if the caller has made it already. `on_failure`: a
    callback for the failure of a bot; the safest action is then done for it. Without the callback
    errors are raised. The bot `thumb` replaces a bot that is no longer available.
    """
    assert table.game is not None
    if table.lesson is not None:
        return watched_entry(table)
    decision = game.decision(table.game)
    if decision.seat is None:
        assert isinstance(decision.legal, Deals)
        deal = decision.legal.sample(rng)
        return entries.Dealt(
            hands=[[str(card) for card in hand] for hand in deal.hands],
            kitty=[str(card) for card in deal.kitty],
            stock=[str(card) for card in deal.stock],
            upcard=None if deal.upcard is None else str(deal.upcard),
        )
    if player is None:
        player = _make_player(table, bot_name or table.seats[decision.seat].bot, rng)
    has_failed = False
    if on_failure is not None:
        callback = on_failure

        def note_failure(name: str, error: BotError) -> None:
            nonlocal has_failed
            has_failed = True
            callback(name, error)

        player = WithFallback(player, note_failure)
    action = player.choose(table.view(decision.seat), decision)
    return entries.Acted(
        decision.seat, action_to_json(decision.seat, action)[1:], bot=True, failed=has_failed
    )


def _make_player(table: Table, bot_name: str, rng: random.Random) -> Player:
    name = bot_name if bot_name in bots.selectable_bots(table.rules) else "thumb"
    return bots.make(_name_at_table(table, name), rng)


def _name_at_table(table: Table, bot_name: str) -> str:
    """Return the full name of a bot at a table, which may be without conventions."""
    return bots.natural_name(bot_name) if table.config.natural else bot_name


def may_hint(table: Table, seat: int | None) -> bool:
    """Return whether a seat may get hints: it plays only against bots, or everybody agreed."""
    return (
        seat is not None
        and table.is_playing
        and (table.hints_allowed or table.occupied_seats == (seat,))
    )


def bot_request(table: Table, seat: int, bot: str, seed: int) -> BotRequest | None:
    """Return the request that asks a bot to decide for a seat; None if it is not on turn."""
    if not table.is_playing or table.game is None or turn_of(table.game) != seat:
        return None
    return BotRequest(_name_at_table(table, bot), table.view(seat), game.decision(table.game), seed)


def hint(table: Table, seat: int, player: Player) -> Advice | None:
    """Return what a player would do in a seat's place and why; None if it is not on turn."""
    request = bot_request(table, seat, player.name, 0)
    return None if request is None else ask_for_advice(player, request.view, request.decision)
