"""Chance and bots at a table: whether they are to act, and what they do."""

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
    """`"deal"` if chance is to act, the seat if a bot is, else None: a person is, or nobody.

    Chance and bots wait while something is asked that play could make void, and where bots play
    for every person of the table: nobody would see it.
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
    """Whether the turn's time stands still, to go on where it stood."""
    return table.paused or _asked(table)


def seats_still_reading(table: Table, there: TablePresence) -> tuple[int, ...]:
    """The seats that have still to go on from the result of a deal before the next one is dealt.

    Only those count whose page shows it. Alone, and without a clock, nobody has to wait.
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
    """The seat whose time runs on the turn clock, None if nobody's does."""
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
    """The entry of chance or of the bot on turn, or of another `bot`. It may take a while.

    `player`: the bot itself, where it is there already. `told`: hears of a bot that fails, and the
    safest action is done for it; without it errors are raised. A bot that is no longer here is
    stood in for by `thumb`.
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
    """Hints are given to who plays against bots alone, and where everybody allows them."""
    return seat is not None and table.playing and (table.hints or table.occupied_seats == (seat,))


def question(table: Table, seat: int, bot: str, seed: int) -> BotRequest | None:
    """What a bot is asked in that seat's place; None when it is not its turn."""
    if not table.playing or table.game is None or turn_of(table.game) != seat:
        return None
    return BotRequest(bot, table.view(seat), game.decision(table.game), seed)


def hint(table: Table, seat: int, player: Player) -> Advice | None:
    """What a player would do in that seat's place and why; None when it is not its turn."""
    asked = question(table, seat, player.name, 0)
    return None if asked is None else advice(player, asked.view, asked.decision)
