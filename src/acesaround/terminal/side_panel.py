"""The panel at the side of the table: contract, running score, last trick, melds and log.

The first blocks are always shown, the later ones only if the window is tall enough.
"""

from __future__ import annotations

from rich.text import Text

from acesaround.game.narration import (
    OUTCOME_WORDS,
    Names,
    card_names,
    pluralize,
    signed_points,
    suit_name,
)
from acesaround.game.state import DecisionKind
from acesaround.game.view import View, tally
from acesaround.rules.scoring import points_to_make_bid
from acesaround.terminal.card_art import DIM_STYLE, HIGHLIGHT_STYLE, TEXT_STYLE, colour_cards
from acesaround.terminal.table_snapshot import SnapshotWidget, TableSnapshot


class Panel(SnapshotWidget):
    """The widget that shows facts of a snapshot, most important first."""

    def __init__(self) -> None:
        super().__init__("panel", draw_panel)


def draw_panel(snapshot: TableSnapshot, width: int, height: int) -> Text:
    """Draw the facts of a snapshot in that many columns and rows."""
    return Text("\n").join(panel_lines(snapshot, width, height))


def panel_lines(snapshot: TableSnapshot, width: int, height: int) -> list[Text]:
    """Return the lines of the panel."""
    result = [
        colour_cards(line, f"bold {TEXT_STYLE}")
        for line in contract_lines(snapshot.view, snapshot.seat_names, width)
    ]
    if result:
        result.append(Text(""))
    result += _score_block(snapshot, width)
    for block in (
        _last_trick_block(snapshot, width),
        _table_block(snapshot),
        _melds_block(snapshot, width),
        _deals_block(snapshot, width),
    ):
        if block and len(result) + 1 + len(block) <= height:
            result += [Text(""), *block]
    free_rows = height - len(result) - 2
    if free_rows >= 3 and snapshot.log_lines:
        result += [Text(""), Text("What happened", DIM_STYLE)]
        lines = [part for entry in snapshot.log_lines for part in _wrap_text(entry, width)]
        result += lines[-free_rows:]
    return [_truncate_line(line, width) for line in result[:height]]


def _truncate_line(line: Text, width: int) -> Text:
    line.truncate(width, overflow="ellipsis")
    return line


def _wrap_text(entry: str, width: int) -> list[Text]:
    lines, line = [], ""
    for word in entry.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = "  " + word
        else:
            line = f"{line} {word}".strip() if not line.startswith("  ") else f"{line} {word}"
    return [colour_cards(part, DIM_STYLE) for part in (*lines, line)]


def _score_block(snapshot: TableSnapshot, width: int) -> list[Text]:
    """Return total, meld and points won in this deal, a line for each side."""
    view, seat_names = snapshot.view, snapshot.seat_names
    name_width = width - 15
    lines = [Text(f"{'':{name_width}}{'total':>6}{'meld':>5}{'won':>4}", DIM_STYLE)]
    for side, total in enumerate(view.scores):
        is_own = seat_names.is_own_side(side)
        side_melds = [m for m in view.melds if view.rules.side_of(m.seat) == side]
        meld_text = "" if not side_melds else str(sum(m.points or 0 for m in side_melds))
        if any(m.points is None for m in side_melds):
            meld_text = f"<{view.rules.scoring.least_meld}"
        won_text = str(view.won[side]) if view.tricks else ""
        line = Text(
            f"{seat_names.short_side_name(side, name_width):{name_width}}",
            f"bold {HIGHLIGHT_STYLE}" if is_own else TEXT_STYLE,
        )
        line.append(f"{total:>6}", "bold")
        line.append(f"{meld_text:>5}{won_text:>4}")
        lines.append(line)
    deal_limit = view.rules.ending.hands
    lines.append(
        Text(
            f"{view.target} wins"
            if deal_limit is None
            else f"after {pluralize(deal_limit, 'deal')}",
            DIM_STYLE,
        )
    )
    return lines


def _deals_block(snapshot: TableSnapshot, width: int) -> list[Text]:
    """Return a line for each of the last deals: bid, declarer, result and each side's change."""
    if not snapshot.scored_deals or len(snapshot.view.scores) * 6 + 18 > width:
        return []
    lines = [Text("Deals so far", DIM_STYLE)]
    for deal_number, scored in enumerate(snapshot.scored_deals, 1):
        score = scored.score
        declarer_text = (
            ""
            if score.declarer is None
            else f"{score.bid} {snapshot.seat_names.names[score.declarer]}"
        )
        changes_text = "".join(f"{signed_points(change):>6}" for change in score.change)
        lines.append(
            colour_cards(
                f"{deal_number:>2} {declarer_text:<9} {OUTCOME_WORDS[score.outcome]:<11}"[
                    : width - len(changes_text)
                ]
            )
        )
        lines[-1].append(changes_text, "bold")
    return [lines[0], *lines[1:][-6:]]


def _last_trick_block(snapshot: TableSnapshot, width: int) -> list[Text]:
    line = last_trick_line(snapshot.view, snapshot.seat_names)
    if line is None:
        return []
    return [Text("Last trick", DIM_STYLE), *_wrap_text(line, width)]


def _table_block(snapshot: TableSnapshot) -> list[Text]:
    """Return the cards on the table that are still held: melds, or the dealer's upcard."""
    on_table = [(seat, cards) for seat, cards in enumerate(snapshot.view.table) if cards]
    if not on_table:
        return []
    is_upcard = snapshot.view.kind is DecisionKind.UPCARD
    lines = [Text("The upcard" if is_upcard else "Melded, on the table", DIM_STYLE)]
    for seat, cards in on_table:
        lines += [colour_cards(f"{snapshot.seat_names.names[seat]}: {card_names(cards)}")]
    return lines


def _melds_block(snapshot: TableSnapshot, width: int) -> list[Text]:
    lines: list[Text] = []
    for shown in snapshot.view.melds:
        for meld in shown.melds:
            line = f"{snapshot.seat_names.names[shown.seat]}: {meld.name} {meld.points}"
            cards = f"  {card_names(meld.cards)}" if width > 32 else ""
            lines.append(colour_cards(line + cards, TEXT_STYLE))
    return [Text("Melds", DIM_STYLE), *lines] if lines else []


def contract_lines(view: View, seat_names: Names, width: int) -> list[str]:
    """Return a line each for bid and declarer, trump, and the points still needed for the bid."""
    lines = []
    if view.declarer is not None:
        lines.append(f"Bid {view.bid} · {seat_names.names[view.declarer]}")
    if view.trump is not None:
        lines.append(f"Trump {suit_name(view.trump)} ★")
    needed_text = points_needed_text(view)
    if needed_text is not None:
        assert view.declarer is not None
        side = seat_names.rules.side_of(view.declarer)
        name_width = width - len(needed_text) - 2
        lines.append(f"{seat_names.short_side_name(side, name_width)}: {needed_text}")
    return lines


def points_needed_text(view: View) -> str | None:
    """Return how many points the declarer's side still needs, as far as this seat can know."""
    if view.declarer is None or view.bid is None or not view.melds:
        return None
    side = view.rules.side_of(view.declarer)
    meld_points = [m.points for m in view.melds if view.rules.side_of(m.seat) == side]
    if any(points is None for points in meld_points):
        return None
    points_missing = points_to_make_bid(view.rules, tally(view), side, view.bid)
    if points_missing <= 0:
        return "bid made"
    is_bury_hidden = view.rules.exchange.bury and view.buried is None
    return f"{'at most ' if is_bury_hidden else ''}{points_missing} to go"


def last_trick_line(view: View, seat_names: Names) -> str | None:
    """Return the last trick in one line."""
    if not view.tricks:
        return None
    trick = view.tricks[-1]
    return f"{card_names(trick.cards)} → {seat_names.names[trick.winner]}"
