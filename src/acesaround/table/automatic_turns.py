"""Deals and bot turns at a table: whether one is due, and the entry that it makes."""

from __future__ import annotations

import random
from collections.abc import Callable

from acesaround import bots, game
from acesaround.bots.advice import Advice, advice
from acesaround.bots.fallback import WithFallback
from acesaround.bots.player import Player
from acesaround.bots.pool.request import BotRequest
from acesaround.errors import BotError
from acesaround.game.phases.dealing import Deals
from acesaround.game.view import turn_of
from acesaround.record.model import to_json
from acesaround.table import entries as log
from acesaround.table.entries import Entry
from acesaround.table.table import Table, TablePresence


def automatic_actor(table: Table) -> str | int | None:
    """Return "deal" if cards are to be dealt, the seat if a bot is to act, else None.

    Deals and bots wait while play could make an open proposal void. They also wait if bots play for
    all persons of the table, because no person would see it.
    """
    if not table.playing or table.paused or table.ended or _asked(table):
        return None
    assert table.game is not None
    people = table.occupied_seats
    if people and all(table.seats[seat].covered for seat in people):
        return None
    seat = turn_of(table.game)
    if seat is None:
        return "deal"
    return seat if table.seats[seat].by_bot else None


def _asked(table: Table) -> bool:
    return table.wish is not None and table.wish.holds_up


def clock_paused(table: Table) -> bool:
    """Return whether the turn clock is paused; it then continues from where it stopped."""
    return table.paused or _asked(table)


def seats_still_reading(table: Table, there: TablePresence) -> tuple[int, ...]:
    """Return the seats that still have to continue after a deal's result before the next deal.

    Only persons whose page shows the result count. A person alone at a table without a clock never
    has to.
    """
    if table.result is None or (len(table.occupied_seats) < 2 and table.config.clock is None):
        return ()
    held = ((number, table.seats[number]) for number in table.occupied_seats)
    return tuple(
        [
            number
            for number, seat in held
            if seat.person is not None
            and seat.person.id in there.reads
            and not seat.covered
            and number not in table.read
        ]
    )


def seat_on_clock(table: Table) -> int | None:
    """Return the seat whose turn time is running, None if the clock runs for no seat."""
    if table.config.clock is None or not table.playing or table.game is None:
        return None
    if clock_paused(table) or table.ended:
        return None
    seat = turn_of(table.game)
    return None if seat is None or table.seats[seat].by_bot else seat


Told = Callable[[str, BotError], None]


def automatic_entry(
    table: Table,
    rng: random.Random,
    *,
    bot: str | None = None,
    player: Player | None = None,
    told: Told | None = None,
) -> Entry:
    """Return the entry of the next deal, or of the bot on turn (or of another `bot`).

    A bot may take a while. `player`: the bot, if the caller has made it already. `told`: a callback
    for the failure of a bot; the safest action is then done for it. Without the callback errors are
    raised. The bot `thumb` replaces a bot that is no longer available.
    """
    assert table.game is not None
    decision = game.decision(table.game)
    if decision.seat is None:
        assert isinstance(decision.legal, Deals)
        deal = decision.legal.sample(rng)
        return log.Dealt(
            hands=[[str(card) for card in hand] for hand in deal.hands],
            kitty=[str(card) for card in deal.kitty],
            stock=[str(card) for card in deal.stock],
            upcard=None if deal.upcard is None else str(deal.upcard),
        )
    if player is None:
        player = _made(table, bot or table.seats[decision.seat].bot, rng)
    failed = False
    if told is not None:
        hears = told

        def noted(name: str, error: BotError) -> None:
            nonlocal failed
            failed = True
            hears(name, error)

        player = WithFallback(player, noted)
    action = player.choose(table.view(decision.seat), decision)
    return log.Acted(decision.seat, to_json(decision.seat, action)[1:], bot=True, failed=failed)


def _made(table: Table, name: str, rng: random.Random) -> Player:
    return bots.make(name if name in bots.selectable_bots(table.rules) else "thumb", rng)


def may_hint(table: Table, seat: int | None) -> bool:
    """Return whether a seat may get hints: it plays only against bots, or everybody agreed."""
    return seat is not None and table.playing and (table.hints or table.occupied_seats == (seat,))


def question(table: Table, seat: int, bot: str, seed: int) -> BotRequest | None:
    """Return the request that asks a bot to decide for a seat; None if it is not on turn."""
    if not table.playing or table.game is None or turn_of(table.game) != seat:
        return None
    return BotRequest(bot, table.view(seat), game.decision(table.game), seed)


def hint(table: Table, seat: int, player: Player) -> Advice | None:
    """Return what a player would do in a seat's place and why; None if it is not on turn."""
    asked = question(table, seat, player.name, 0)
    return None if asked is None else advice(player, asked.view, asked.decision)
