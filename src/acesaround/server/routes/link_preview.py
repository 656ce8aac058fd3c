"""Link previews: the page with the title, description and picture that messengers show for a link.

The words say who plays what at a table, or how a finished game ended: only what the link itself
shows to everyone. Damaged data and unfinished games get a general text. The picture is the same for
all links. The meta tags replace the text between two comments in the built page. A page without
these comments is sent unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from acesaround.cards import Suit
from acesaround.game.narration import BOT_NAMES, pluralize
from acesaround.record.model import GameRecord, ScoreEntry
from acesaround.rules.scoring import Outcome
from acesaround.server.accounts.cookie import DEFAULT_NAME
from acesaround.server.context import context_of
from acesaround.server.routes import html_pages
from acesaround.server.routes.public_url import public_base_url
from acesaround.table.index_fields import TableSummary
from acesaround.variants import VARIANTS

PICTURE: Final = "/preview.png"
NAME: Final = "Aces Around"
_MINUS: Final = "\N{MINUS SIGN}"
_MANY: Final = 4  # maximum number of names in a title
_PLACE: Final = re.compile(r"<!-- about -->.*?<!-- end of about -->", re.DOTALL)
_pages: dict[Path, tuple[float, str]] = {}


class About(msgspec.Struct, frozen=True):
    """The words of a preview. `alone`: search engines must not list the page."""

    title: str
    description: str
    alone: bool = True


HOME: Final = About(
    "Aces Around - pinochle with family and bots",
    "Pinochle at one table: against bots at once, with family by link."
    f" {pluralize(len(VARIANTS), 'way')} the game is played, no account.",
    alone=False,
)
TABLE: Final = About("A table for pinochle", "Open the link to sit down or to watch.")
GAME: Final = About("A game of pinochle", "Open the link to look through its deals, card by card.")


def page_with_preview(request: Request, about: About) -> Response:
    """Return the page of the browser table, with meta tags that describe the link."""
    base = public_base_url(request)
    tags = _meta_tags(about, base + quote(request.url.path), base + PICTURE)
    static = context_of(request).settings.static_folder
    return html_pages.table_page(static, lambda index: _PLACE.sub(lambda _: tags, _built(index), 1))


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
        state = f"{pluralize(table.games, 'game')} played." if table.games else ""
    elif table.started:
        with_bots = [*people, *([pluralize(free, "bot")] if free else [])]
        verb = "plays" if len(with_bots) == 1 else "play"
        title = f"{listed(with_bots)} {verb} pinochle"
        takes = play and free  # a person may replace a bot
        state = "Open the link to sit down or to watch." if takes else "Open the link to watch."
    elif play and free:
        invited = "You are invited" if table.host == DEFAULT_NAME else f"{table.host} invites you"
        title = f"{invited} to play pinochle"
        state = f"{pluralize(free, 'seat')} free: open the link to sit down."
    else:
        title = f"{listed(people)} sit down to pinochle" if people else TABLE.title
        state = "Open the link to watch."
    return About(title, f"{table.title}. {state}".strip())


def of_game(game: GameRecord) -> About:
    """Return the preview of a link to a finished game: who won, and the last deal's bid and end."""
    names = seat_names([seat.name for seat in game.seats])
    title = _won(game, names)
    deals = pluralize(len(game.deals), "deal")
    labels = (game.rules.get("short"), game.rules.get("title"))
    kind = next((label for label in labels if label and isinstance(label, str)), game.variant)
    last = game.deals[-1] if game.deals else None
    score = None if last is None or isinstance(last.score, msgspec.UnsetType) else last.score
    if score is None:
        return About(title, f"{kind}, {deals}.")
    said = _deal(score, names)
    return About(title, f"{kind}, {deals}. {said} Look through it card by card.")


def seat_names(names: Sequence[str]) -> list[str]:
    """Return the names of seats, with a page name for each bot that no person there has."""
    borne = {name.lower() for name in names if not name.startswith("bot:")}
    found = []
    for seat, name in enumerate(names):
        if name.startswith("bot:"):
            own = [BOT_NAMES[at] for at in range(seat, len(BOT_NAMES), len(names))]
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


def _built(index: Path) -> str:
    """Return the built page, cached until the file changes. Raises OSError."""
    built = index.stat().st_mtime
    held = _pages.get(index)
    if held is None or held[0] != built:
        held = _pages[index] = built, index.read_text(encoding="utf-8")
    return held[1]


def _meta_tags(about: About, address: str, picture: str) -> str:
    """Return the tags for a link, given its URL and its picture's URL."""
    named = about.title if NAME in about.title else f"{about.title} · {NAME}"
    of_page = {
        "description": about.description,
        "twitter:card": "summary_large_image",
        "twitter:image": picture,
    }
    if about.alone:  # people get this link from each other, never from a search engine
        of_page["robots"] = "noindex"
    of_link = {
        "og:site_name": NAME,
        "og:type": "website",
        "og:title": about.title,
        "og:description": about.description,
        "og:url": address,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": HOME.title,
    }
    return "\n    ".join(
        [
            f"<title>{escape(named)}</title>",
            *(f'<meta name="{name}" content="{escape(said)}" />' for name, said in of_page.items()),
            *(
                f'<meta property="{name}" content="{escape(said)}" />'
                for name, said in of_link.items()
            ),
            f'<link rel="canonical" href="{escape(address)}" />',
        ]
    )
