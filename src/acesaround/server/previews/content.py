"""The words of a link preview: who plays what at a table, or how a finished game ended.

A preview shows only what the link itself shows to everyone: the names at a table, and the cards of
finished games. Damaged data and unfinished games get a general text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from acesaround.cards import Suit
from acesaround.game.narration import BOT_NAMES, number
from acesaround.record.model import DealRecord, GameRecord, ScoreEntry
from acesaround.rules.scoring import Outcome
from acesaround.table.index_fields import TableSummary
from acesaround.variants import VARIANTS

NAME: Final = "Aces Around"
BOTS: Final = (*BOT_NAMES, "Ivo")
"""The names of bots on pages, by seat."""
_MINUS: Final = "\N{MINUS SIGN}"
_MANY: Final = 4  # maximum number of names in a title


class About(msgspec.Struct, frozen=True):
    """The words of a preview, and what to draw: names around a table, or cards.

    `seats`: names, None for a free seat and "" for a bot. `alone`: search engines must not list it.
    """

    title: str
    description: str
    headline: str = NAME
    lines: tuple[str, ...] = ()
    seats: tuple[str | None, ...] = ()
    cards: tuple[str, ...] = ()
    alone: bool = False


HOME: Final = About(
    "Aces Around - pinochle with family and bots",
    "Pinochle at one table: against bots at once, with family by link."
    f" {number(len(VARIANTS), 'way')} the game is played, no account.",
    "Pinochle for every table",
    ("With your family by a link,", "against bots at once."),
    cards=("AS", "AH", "AD", "AC"),
)
TABLE: Final = About(
    "A table for pinochle",
    "Open the link to sit down or to watch.",
    "A table for pinochle",
    cards=HOME.cards,
    alone=True,
)
GAME: Final = About(
    "A game of pinochle",
    "Open the link to look through its deals, card by card.",
    "A game of pinochle",
    cards=HOME.cards,
    alone=True,
)


def of_table(kept: bytes, *, play: bool) -> About:
    """Return the preview of a link to a table, from the table's summary.

    `play`: the link lets people sit down.
    """
    try:
        table = msgspec.json.decode(kept, type=TableSummary)
    except (msgspec.DecodeError, UnicodeError):
        return TABLE
    people = [name for name in table.seats if name is not None]
    free = len(table.seats) - len(people)
    if table.over:
        title = f"{listed(people)} played pinochle" if people else "A game of pinochle"
        state = f"{number(table.games, 'game')} played." if table.games else ""
    elif table.started:
        with_bots = [*people, *([number(free, "bot")] if free else [])]
        verb = "plays" if len(with_bots) == 1 else "play"
        title = f"{listed(with_bots)} {verb} pinochle"
        takes = play and free  # a person may replace a bot
        state = "Open the link to sit down or to watch." if takes else "Open the link to watch."
    elif play and free:
        title = f"{table.host} invites you to play pinochle"
        state = f"{number(free, 'seat')} free: open the link to sit down."
    else:
        title = f"{listed(people)} sit down to pinochle" if people else TABLE.title
        state = "Open the link to watch."
    seats = table.seats
    if table.started:
        seats = tuple("" if name is None else name for name in seats)
    return About(
        title,
        f"{table.title}. {state}".strip(),
        title,
        (table.title, state),
        seats=seats,
        alone=True,
    )


def of_game(game: GameRecord) -> About:
    """Return the preview of a link to a finished game: who won, and the last deal's bid and end."""
    names = seat_names([seat.name for seat in game.seats])
    title = _won(game, names)
    deals = number(len(game.deals), "deal")
    labels = (game.rules.get("short"), game.rules.get("title"))
    kind = next((label for label in labels if label and isinstance(label, str)), game.variant)
    last = game.deals[-1] if game.deals else None
    score = None if last is None or isinstance(last.score, msgspec.UnsetType) else last.score
    if last is None or score is None:
        return About(title, f"{kind}, {deals}.", title, (kind,), alone=True)
    said = _deal(score, names)
    seat = score.declarer if score.declarer is not None else _winner(game)
    cards = tuple(_hand(last, seat))
    whose = f"What {names[seat]} was dealt" if cards else ""
    return About(
        title,
        f"{kind}, {deals}. {said} Look through it card by card.",
        title,
        (said, f"{whose}:" if whose else kind),
        cards=cards,
        alone=True,
    )


def seat_names(names: Sequence[str]) -> list[str]:
    """Return the names of seats, with a page name for each bot that no person there has."""
    borne = {name.lower() for name in names if not name.startswith("bot:")}
    found = []
    for seat, name in enumerate(names):
        if name.startswith("bot:"):
            own = [BOTS[at] for at in range(seat, len(BOTS), len(names))]
            name = next((one for one in own if one.lower() not in borne), f"{own[0]} (bot)")
        found.append(name)
    return found


def listed(names: Sequence[str]) -> str:
    """Return names as text: `Ann`, `Ann and Ben`, `Ann, Ben, Cleo and 3 others`."""
    shown = list(names)
    if len(shown) > _MANY:
        shown = [*shown[: _MANY - 1], f"{len(shown) - _MANY + 1} others"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _won(game: GameRecord, names: Sequence[str]) -> str:
    """Return a sentence about who beat whom, and by what score."""
    sides = [listed([names[seat] for seat in seats]) for seats in game.sides]
    scores = [str(points).replace("-", _MINUS) for points in game.totals]
    if game.winner is None:
        return f"{listed(names)} played pinochle"
    others = [at for at in range(len(sides)) if at != game.winner]
    beat = "beats" if len(game.sides[game.winner]) == 1 else "beat"
    points = listed([scores[at] for at in others])
    them = listed([names[seat] for at in others for seat in game.sides[at]])
    return f"{sides[game.winner]} {beat} {them}, {scores[game.winner]} to {points}"


_ENDS: Final[dict[str, str]] = {
    Outcome.MADE: "made it",
    Outcome.SET: "was set",
    Outcome.CONCEDED: "gave it up",
    Outcome.NO_MARRIAGE: "held no marriage",
    Outcome.RENEGED: "reneged",
}


def _deal(score: ScoreEntry, names: Sequence[str]) -> str:
    """Return a sentence on a deal: `In the last deal Ben bid 290, named hearts and made it.`."""
    end = _ENDS.get(score.outcome)
    if score.declarer is None or score.bid is None or end is None:
        trump = "" if score.trump is None else f" with {Suit(score.trump).word} as trump"
        return f"The last deal was played{trump}."
    named = "" if score.trump is None else f", named {Suit(score.trump).word}"
    return f"In the last deal {names[score.declarer]} bid {score.bid}{named} and {end}."


def _winner(game: GameRecord) -> int:
    """Return the first seat of the winning side; of the first side if there is no winner."""
    return game.sides[game.winner or 0][0]


def _hand(deal: DealRecord, seat: int) -> list[str]:
    """Return the cards dealt to a seat; none if the seat did not play in that deal."""
    return deal.hands[seat] if seat < len(deal.hands) else []
