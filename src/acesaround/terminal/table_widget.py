"""The widget of the table from above: seats around trick, calls, kitty and upcard.

Drawn from a `TableSnapshot`, because a finished trick stays on the table for a while after the view
has moved on. Fits two to nine seats into any size from 50 by 12.
"""

from __future__ import annotations

from typing import NamedTuple

from rich.text import Text

from acesaround.cards import Card
from acesaround.game.narration import pluralize
from acesaround.game.state import DecisionKind
from acesaround.terminal.canvas import Canvas
from acesaround.terminal.card_art import (
    DIM_STYLE,
    HIGHLIGHT_STYLE,
    TEXT_STYLE,
    card_box,
    card_tile,
    colour_cards,
)
from acesaround.terminal.center_text import center_lines
from acesaround.terminal.table_snapshot import SnapshotWidget, TableSnapshot


class _SeatSpot(NamedTuple):
    """Where a seat's label (left end and width) and card are drawn.

    `side`: -1 for left, 0 for top or bottom, 1 for right.
    """

    seat: int
    side: int
    x: int
    y: int
    width: int
    card_position: tuple[int, int]


MAX_WIDTH, MAX_HEIGHT = 84, 26
"""The maximum size, because more space would only spread the seats."""
LABEL_COLUMNS = 13
"""Columns for the name and facts of a seat on the left or right."""
CARD_SIZES = ((7, 5), (5, 3), (5, 1))


def _seats_per_side(other_count: int) -> tuple[int, int, int]:
    """Return how many of the other seats sit on the left, on top and on the right."""
    if other_count <= 2:
        return ((0, 0, 0), (0, 1, 0), (1, 0, 1))[other_count]
    top_count = {3: 1, 4: 2, 5: 3, 6: 2, 7: 3, 8: 4}[other_count]
    left_count = (other_count - top_count) // 2
    return left_count, top_count, left_count


class TableWidget(SnapshotWidget):
    """The widget that shows the table of a snapshot."""

    def __init__(self) -> None:
        super().__init__("table", draw_table)


def draw_table(snapshot: TableSnapshot, width: int, height: int) -> Text:
    """Draw a snapshot in that many columns and rows, centred if there is space left."""
    table_width, table_height = min(width, MAX_WIDTH), min(height, MAX_HEIGHT)
    canvas = Canvas(table_width, table_height)
    _draw_snapshot(canvas, snapshot)
    if (table_width, table_height) == (width, height):
        return canvas.as_text()
    padded = Canvas(width, height)
    padded.put_lines(
        (width - table_width) // 2, (height - table_height) // 2, canvas.as_text().split("\n")
    )
    return padded.as_text()


def _draw_snapshot(canvas: Canvas, snapshot: TableSnapshot) -> None:
    width, height, view, seat_names = (
        canvas.width,
        canvas.height,
        snapshot.view,
        snapshot.seat_names,
    )
    players = view.players
    own_index = players.index(seat_names.seat) if seat_names.seat in players else 0
    others = [*players[own_index + 1 :], *players[:own_index]]
    left_count, top_count, right_count = _seats_per_side(len(others))
    card_size = next(
        s
        for s in CARD_SIZES
        if _cards_fit(s, width, height, top_count, max(left_count, right_count))
    )
    card_width, card_height = card_size
    block_height = max(3, card_height)
    first_row = 2 + card_height if top_count else 0
    last_row = height - 1 - card_height
    spots: list[_SeatSpot] = []
    for index, seat in enumerate(others[:left_count]):
        y = _block_row(left_count, left_count - 1 - index, first_row, last_row, block_height)
        card_position = (LABEL_COLUMNS + 1, y + (block_height - card_height) // 2)
        spots.append(
            _SeatSpot(seat, -1, 0, y + (block_height - 3) // 2, LABEL_COLUMNS, card_position)
        )
    for index, seat in enumerate(others[left_count : left_count + top_count]):
        slot_width = width // top_count
        card_position = (index * slot_width + (slot_width - card_width) // 2, 2)
        spots.append(_SeatSpot(seat, 0, index * slot_width, 0, slot_width, card_position))
    for index, seat in enumerate(others[left_count + top_count :]):
        y = _block_row(right_count, index, first_row, last_row, block_height)
        x = width - LABEL_COLUMNS
        card_position = (x - 1 - card_width, y + (block_height - card_height) // 2)
        spots.append(
            _SeatSpot(seat, 1, x, y + (block_height - 3) // 2, LABEL_COLUMNS, card_position)
        )
    own_position = ((width - card_width) // 2, last_row)
    spots.append(_SeatSpot(players[own_index], 0, 0, height - 1, width, own_position))
    played = dict(snapshot.trick)
    for spot in spots:
        _draw_label(canvas, snapshot, spot, one_line=spot.y == height - 1)
        if spot.seat in played:
            _draw_card(
                canvas,
                played[spot.seat],
                spot.card_position,
                card_size,
                is_winner=spot.seat == snapshot.winner,
            )
    if snapshot.trick:
        margin = LABEL_COLUMNS + card_width + 2 if left_count else 0
        _draw_center(canvas, snapshot, margin, width - margin, first_row, last_row)
    else:
        margin = LABEL_COLUMNS + 1 if left_count else 0
        _draw_center(canvas, snapshot, margin, width - margin, 2 if top_count else 0, height - 1)


def _cards_fit(
    card_size: tuple[int, int], width: int, height: int, top_count: int, side_count: int
) -> bool:
    """Return whether cards of that size fit in front of every seat."""
    card_width, card_height = card_size
    if card_height == 1:
        return True
    rows = height - (2 + card_height if top_count else 0) - 1 - card_height
    return (
        rows >= max(3, card_height) * max(side_count, 1)
        and width >= top_count * (card_width + 4)
        and width >= 2 * (LABEL_COLUMNS + 1 + card_width) + 10
    )


def _draw_card(
    canvas: Canvas,
    card: Card,
    position: tuple[int, int],
    card_size: tuple[int, int],
    *,
    is_winner: bool,
) -> None:
    x, y = position
    if card_size[1] > 1:
        is_big = card_size == CARD_SIZES[0]
        canvas.put_lines(
            x,
            y,
            card_box(
                card, is_big=is_big, has_cursor=is_winner, top_mark="won" if is_winner else ""
            ),
        )
        return
    canvas.put_line(x, y, card_tile(card))
    if is_winner:
        canvas.put_line(x - 1, y, Text("▶", HIGHLIGHT_STYLE))
        canvas.put_line(x + card_size[0], y, Text("◀", HIGHLIGHT_STYLE))


def _block_row(
    block_count: int, index: int, first_row: int, last_row: int, block_height: int
) -> int:
    """Return the top row of block `index` of `block_count`, spread from low to high."""
    free_rows = max(0, last_row - first_row - block_count * block_height)
    gap = free_rows / (block_count + 1)
    return first_row + round(gap * (index + 1)) + index * block_height


def _draw_label(
    canvas: Canvas, snapshot: TableSnapshot, spot: _SeatSpot, *, one_line: bool
) -> None:
    view, seat_names, seat = snapshot.view, snapshot.seat_names, spot.seat
    is_partner = seat in seat_names.rules.partners_of(seat_names.seat)
    name = seat_names.names[seat] + (" (partner)" if is_partner else "")
    is_on_turn = seat == snapshot.turn
    title = Text("▶ " if is_on_turn else "")
    title.append(name, f"bold {HIGHLIGHT_STYLE}" if is_on_turn else f"bold {TEXT_STYLE}")
    if seat == view.dealer:
        dealer_mark = " dealer" if len(title) + 7 <= spot.width else " D"
        title.append(dealer_mark, DIM_STYLE)
    lines = [title]
    facts = _seat_facts(snapshot, seat)
    if one_line:
        for fact in facts:
            title.append_text(colour_cards(f" · {fact}", DIM_STYLE))
    elif spot.side == 0:
        while len(facts) > 1 and len(" · ".join(facts)) > spot.width - 1:
            facts.pop()
        lines.append(colour_cards(" · ".join(facts), DIM_STYLE))
    else:
        lines += [colour_cards(fact, DIM_STYLE) for fact in facts[:2]]
    for offset, line in enumerate(lines):
        if spot.side == 0:
            canvas.put_centred(spot.x, spot.x + spot.width, spot.y + offset, line)
        elif spot.side == 1:
            canvas.put_line(spot.x + spot.width - min(len(line), spot.width), spot.y + offset, line)
        else:
            canvas.put_line(spot.x, spot.y + offset, line)


def _seat_facts(snapshot: TableSnapshot, seat: int) -> list[str]:
    """Return the facts to show about a seat, the most important first."""
    view = snapshot.view
    if view.kind is DecisionKind.DEAL:
        return []
    facts = []
    calls = [call for call in view.auction if call.seat == seat]
    if view.kind is DecisionKind.BID:
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
    if view.kind is DecisionKind.PLAY:
        facts.append(pluralize(tricks, "trick"))
    facts.append(pluralize(view.sizes[seat], "card"))
    return facts


def _draw_center(
    canvas: Canvas, snapshot: TableSnapshot, left: int, right: int, first_row: int, end_row: int
) -> None:
    """Draw the middle of the table, cut to the available space."""
    lines = center_lines(snapshot, right - left, end_row - first_row)
    y = first_row + max(0, (end_row - first_row - len(lines)) // 2)
    for offset, row in enumerate(lines[: end_row - first_row]):
        canvas.put_centred(left, right, y + offset, row)
