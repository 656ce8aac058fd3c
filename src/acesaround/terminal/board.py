"""The table seen from above: seats around it, and trick, calls, kitty and upcard in the middle.

Drawn from a `Scene`, because a finished trick stays on the table for a while after the view has
moved on. Fits two to nine seats into any size from 50 by 12.
"""

from __future__ import annotations

from typing import NamedTuple

from rich.text import Text
from textual.widget import Widget

from acesaround.cards import Card
from acesaround.game.narration import number
from acesaround.game.state import Kind
from acesaround.terminal.canvas import Canvas
from acesaround.terminal.card_art import BRIGHT, PLAIN, QUIET, box, coloured, tile
from acesaround.terminal.scene import Scene
from acesaround.terminal.table_center import rows


class _Spot(NamedTuple):
    """Where a seat's label (left end and width) and card are drawn.

    `side`: -1 for left, 0 for top or bottom, 1 for right.
    """

    seat: int
    side: int
    x: int
    y: int
    width: int
    card: tuple[int, int]


MOST_WIDE, MOST_TALL = 84, 26
"""The maximum size, because more space would only spread the seats."""
LABEL = 13
"""Columns for the name and facts of a seat on the left or right."""
CARD_SIZES = ((7, 5), (5, 3), (5, 1))


def _shares(others: int) -> tuple[int, int, int]:
    """Return how many of the other seats sit on the left, on top and on the right."""
    if others <= 2:
        return ((0, 0, 0), (0, 1, 0), (1, 0, 1))[others]
    across = {3: 1, 4: 2, 5: 3, 6: 2, 7: 3, 8: 4}[others]
    left = (others - across) // 2
    return left, across, left


class Table(Widget):
    """The widget that shows the table of a scene."""

    def __init__(self) -> None:
        super().__init__(id="board")
        self.scene: Scene | None = None

    def show(self, scene: Scene) -> None:
        """Show a scene."""
        self.scene = scene
        self.refresh()

    def render(self) -> Text:
        """Draw the scene."""
        if self.scene is None:
            return Text("")
        return draw(self.scene, self.size.width, self.size.height)


def draw(scene: Scene, width: int, height: int) -> Text:
    """Draw a scene in that many columns and rows, centred if there is space left."""
    inner, tall = min(width, MOST_WIDE), min(height, MOST_TALL)
    canvas = Canvas(inner, tall)
    _draw(canvas, scene)
    if (inner, tall) == (width, height):
        return canvas.text()
    whole = Canvas(width, height)
    whole.block((width - inner) // 2, (height - tall) // 2, canvas.text().split("\n"))
    return whole.text()


def _draw(canvas: Canvas, scene: Scene) -> None:
    width, height, view, who = canvas.width, canvas.height, scene.view, scene.who
    players = view.players
    at = players.index(who.seat) if who.seat in players else 0
    others = [*players[at + 1 :], *players[:at]]
    left, top, right = _shares(len(others))
    size = next(s for s in CARD_SIZES if _fits(s, width, height, top, max(left, right)))
    card_width, card_height = size
    block = max(3, card_height)
    low = 2 + card_height if top else 0
    high = height - 1 - card_height
    spots: list[_Spot] = []
    for order, seat in enumerate(others[:left]):
        y = _row(left, left - 1 - order, low, high, block)
        card = (LABEL + 1, y + (block - card_height) // 2)
        spots.append(_Spot(seat, -1, 0, y + (block - 3) // 2, LABEL, card))
    for order, seat in enumerate(others[left : left + top]):
        slot = width // top
        card = (order * slot + (slot - card_width) // 2, 2)
        spots.append(_Spot(seat, 0, order * slot, 0, slot, card))
    for order, seat in enumerate(others[left + top :]):
        y = _row(right, order, low, high, block)
        x = width - LABEL
        card = (x - 1 - card_width, y + (block - card_height) // 2)
        spots.append(_Spot(seat, 1, x, y + (block - 3) // 2, LABEL, card))
    mine = ((width - card_width) // 2, high)
    spots.append(_Spot(players[at], 0, 0, height - 1, width, mine))
    played = dict(scene.trick)
    for spot in spots:
        _label(canvas, scene, spot, one_line=spot.y == height - 1)
        if spot.seat in played:
            _card(canvas, played[spot.seat], spot.card, size, won=spot.seat == scene.winner)
    if scene.trick:
        margin = LABEL + card_width + 2 if left else 0
        _middle(canvas, scene, margin, width - margin, low, high)
    else:
        margin = LABEL + 1 if left else 0
        _middle(canvas, scene, margin, width - margin, 2 if top else 0, height - 1)


def _fits(size: tuple[int, int], width: int, height: int, top: int, beside: int) -> bool:
    """Return whether cards of that size fit in front of every seat."""
    across, down = size
    if down == 1:
        return True
    rows = height - (2 + down if top else 0) - 1 - down
    return (
        rows >= max(3, down) * max(beside, 1)
        and width >= top * (across + 4)
        and width >= 2 * (LABEL + 1 + across) + 10
    )


def _card(
    canvas: Canvas, card: Card, place: tuple[int, int], size: tuple[int, int], *, won: bool
) -> None:
    x, y = place
    if size[1] > 1:
        big = size == CARD_SIZES[0]
        canvas.block(x, y, box(card, big=big, cursor=won, top="won" if won else ""))
        return
    canvas.put(x, y, tile(card))
    if won:
        canvas.put(x - 1, y, Text("▶", BRIGHT))
        canvas.put(x + size[0], y, Text("◀", BRIGHT))


def _row(many: int, order: int, low: int, high: int, tall: int) -> int:
    """Return the top row of block `order` of `many`, spread over the rows from low to high."""
    free = max(0, high - low - many * tall)
    gap = free / (many + 1)
    return low + round(gap * (order + 1)) + order * tall


def _label(canvas: Canvas, scene: Scene, spot: _Spot, *, one_line: bool) -> None:
    view, who, seat = scene.view, scene.who, spot.seat
    partner = seat in who.rules.partners_of(who.seat)
    name = who.names[seat] + (" (partner)" if partner else "")
    on_turn = seat == scene.turn
    title = Text("▶ " if on_turn else "")
    title.append(name, f"bold {BRIGHT}" if on_turn else f"bold {PLAIN}")
    if seat == view.dealer:
        word = " dealer" if len(title) + 7 <= spot.width else " D"
        title.append(word, QUIET)
    lines = [title]
    facts = _facts(scene, seat)
    if one_line:
        for fact in facts:
            title.append_text(coloured(f" · {fact}", QUIET))
    elif spot.side == 0:
        while len(facts) > 1 and len(" · ".join(facts)) > spot.width - 1:
            facts.pop()
        lines.append(coloured(" · ".join(facts), QUIET))
    else:
        lines += [coloured(fact, QUIET) for fact in facts[:2]]
    for down, line in enumerate(lines):
        if spot.side == 0:
            canvas.centre(spot.x, spot.x + spot.width, spot.y + down, line)
        elif spot.side == 1:
            canvas.put(spot.x + spot.width - min(len(line), spot.width), spot.y + down, line)
        else:
            canvas.put(spot.x, spot.y + down, line)


def _facts(scene: Scene, seat: int) -> list[str]:
    """Return the facts to show about a seat, the most important first."""
    view = scene.view
    if view.kind is Kind.DEAL:
        return []
    facts = []
    calls = [call for call in view.auction if call.seat == seat]
    if view.kind is Kind.BID:
        if calls:
            bid = calls[-1].bid
            facts.append("pass" if bid is None else f"bid {bid}")
    elif view.declarer == seat:
        facts.append(f"has bid {view.bid}")
    melds = [shown for shown in view.melds if shown.seat == seat]
    if melds:
        if any(shown.points is None for shown in melds):
            facts.append("meld under " + str(view.rules.scoring.least_meld))
        else:
            facts.append(f"meld {sum(shown.points or 0 for shown in melds)}")
    tricks = sum(trick.winner == seat for trick in view.tricks)
    if view.kind is Kind.PLAY:
        facts.append(number(tricks, "trick"))
    facts.append(number(view.sizes[seat], "card"))
    return facts


def _middle(canvas: Canvas, scene: Scene, left: int, right: int, low: int, high: int) -> None:
    """Draw the middle of the table, cut to the available space."""
    lines = rows(scene, right - left, high - low)
    y = low + max(0, (high - low - len(lines)) // 2)
    for down, row in enumerate(lines[: high - low]):
        canvas.centre(left, right, y + down, row)
