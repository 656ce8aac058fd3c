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
from acesaround.table.list_columns import TableSummary
from acesaround.variants import VARIANTS

PICTURE: Final = "/preview.png"
NAME: Final = "Aces Around"
_MINUS: Final = "\N{MINUS SIGN}"
_MAX_NAMES: Final = 4  # maximum number of names in a title
_TAGS_COMMENT: Final = re.compile(r"<!-- about -->.*?<!-- end of about -->", re.DOTALL)
_pages: dict[Path, tuple[float, str]] = {}


class About(msgspec.Struct, frozen=True):
    """The words of a preview. `is_unlisted`: search engines must not list the page."""

    title: str
    description: str
    is_unlisted: bool = True


HOME: Final = About(
    "Aces Around - pinochle with family and bots",
    "Pinochle at one table: against bots at once, with family by link."
    f" {pluralize(len(VARIANTS), 'way')} the game is played, no account.",
    is_unlisted=False,
)
TABLE: Final = About("A table for pinochle", "Open the link to sit down or to watch.")
GAME: Final = About("A game of pinochle", "Open the link to look through its deals, card by card.")


def page_with_preview(request: Request, about: About) -> Response:
    """Return the page of the browser table, with meta tags that describe the link."""
    base = public_base_url(request)
    tags = _meta_tags(about, base + quote(request.url.path), base + PICTURE)
    static = context_of(request).settings.static_folder
    return html_pages.table_page(
        static, lambda index: _TAGS_COMMENT.sub(lambda _: tags, _read_page(index), 1)
    )


def describe_table(summary_json: bytes, *, play: bool) -> About:
    """Return the preview of a link to a table, from the table's summary.

    `play`: the link lets people sit down.
    """
    try:
        table = msgspec.json.decode(summary_json, type=TableSummary)
    except (msgspec.DecodeError, UnicodeError):
        return TABLE
    people = [name for name in table.seats if name is not None]
    free = len(table.seats) - len(people)
    if table.over:
        title = f"{join_names(people)} played pinochle" if people else "A game of pinochle"
        state = f"{pluralize(table.games, 'game')} played." if table.games else ""
    elif table.started:
        with_bots = [*people, *([pluralize(free, "bot")] if free else [])]
        verb = "plays" if len(with_bots) == 1 else "play"
        title = f"{join_names(with_bots)} {verb} pinochle"
        takes = play and free  # a person may replace a bot
        state = "Open the link to sit down or to watch." if takes else "Open the link to watch."
    elif play and free:
        invited = "You are invited" if table.host == DEFAULT_NAME else f"{table.host} invites you"
        title = f"{invited} to play pinochle"
        state = f"{pluralize(free, 'seat')} free: open the link to sit down."
    else:
        title = f"{join_names(people)} sit down to pinochle" if people else TABLE.title
        state = "Open the link to watch."
    return About(title, f"{table.title}. {state}".strip())


def describe_game(game: GameRecord) -> About:
    """Return the preview of a link to a finished game: who won, and the last deal's bid and end."""
    names = seat_names([seat.name for seat in game.seats])
    title = _result_sentence(game, names)
    deals = pluralize(len(game.deals), "deal")
    labels = (game.rules.get("short"), game.rules.get("title"))
    kind = next((label for label in labels if label and isinstance(label, str)), game.variant)
    last = game.deals[-1] if game.deals else None
    score = None if last is None or isinstance(last.score, msgspec.UnsetType) else last.score
    if score is None:
        return About(title, f"{kind}, {deals}.")
    last_deal = _deal_sentence(score, names)
    return About(title, f"{kind}, {deals}. {last_deal} Look through it card by card.")


def seat_names(names: Sequence[str]) -> list[str]:
    """Return the names of seats, with a page name for each bot that no person there has."""
    used = {name.lower() for name in names if not name.startswith("bot:")}
    found = []
    for seat, name in enumerate(names):
        if name.startswith("bot:"):
            bot_names = [BOT_NAMES[index] for index in range(seat, len(BOT_NAMES), len(names))]
            name = next(
                (free for free in bot_names if free.lower() not in used), f"{bot_names[0]} (bot)"
            )
        found.append(name)
    return found


def join_names(names: Sequence[str]) -> str:
    """Return names as text: `Ann`, `Ann and Ben`, `Ann, Ben, Cleo and 3 others`."""
    shown = list(names)
    if len(shown) > _MAX_NAMES:
        shown = [*shown[: _MAX_NAMES - 1], f"{len(shown) - _MAX_NAMES + 1} others"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _result_sentence(game: GameRecord, names: Sequence[str]) -> str:
    """Return a sentence about who beat whom, and by what score."""
    sides = [join_names([names[seat] for seat in seats]) for seats in game.sides]
    scores = [str(points).replace("-", _MINUS) for points in game.totals]
    if game.winner is None:
        return f"{join_names(names)} played pinochle"
    losers = [side for side in range(len(sides)) if side != game.winner]
    beat = "beats" if len(game.sides[game.winner]) == 1 else "beat"
    points = join_names([scores[side] for side in losers])
    loser_names = join_names([names[seat] for side in losers for seat in game.sides[side]])
    return f"{sides[game.winner]} {beat} {loser_names}, {scores[game.winner]} to {points}"


_ENDS: Final[dict[str, str]] = {
    Outcome.MADE: "made it",
    Outcome.SET: "was set",
    Outcome.CONCEDED: "gave it up",
    Outcome.NO_MARRIAGE: "held no marriage",
    Outcome.RENEGED: "reneged",
}


def _deal_sentence(score: ScoreEntry, names: Sequence[str]) -> str:
    """Return a sentence on a deal: `In the last deal Ben bid 290, named hearts and made it.`."""
    end = _ENDS.get(score.outcome)
    if score.declarer is None or score.bid is None or end is None:
        trump = "" if score.trump is None else f" with {Suit(score.trump).word} as trump"
        return f"The last deal was played{trump}."
    named = "" if score.trump is None else f", named {Suit(score.trump).word}"
    return f"In the last deal {names[score.declarer]} bid {score.bid}{named} and {end}."


def _read_page(index: Path) -> str:
    """Return the built page, cached until the file changes. Raises OSError."""
    changed_at = index.stat().st_mtime
    cached = _pages.get(index)
    if cached is None or cached[0] != changed_at:
        cached = _pages[index] = changed_at, index.read_text(encoding="utf-8")
    return cached[1]


def _meta_tags(about: About, address: str, picture: str) -> str:
    """Return the tags for a link, given its URL and its picture's URL."""
    named = about.title if NAME in about.title else f"{about.title} · {NAME}"
    page_tags = {
        "description": about.description,
        "twitter:card": "summary_large_image",
        "twitter:image": picture,
    }
    if about.is_unlisted:  # people get this link from each other, never from a search engine
        page_tags["robots"] = "noindex"
    link_tags = {
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
            *(
                f'<meta name="{name}" content="{escape(content)}" />'
                for name, content in page_tags.items()
            ),
            *(
                f'<meta property="{name}" content="{escape(content)}" />'
                for name, content in link_tags.items()
            ),
            f'<link rel="canonical" href="{escape(address)}" />',
        ]
    )
