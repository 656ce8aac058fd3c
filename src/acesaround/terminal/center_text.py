"""The text in the middle of the table: the auction, the kitty, the upcard, who wins the trick.

`table_widget` draws this text, and around it the cards of the trick.
"""

from __future__ import annotations

from rich.text import Text

from acesaround.game.state import DecisionKind
from acesaround.rules.tricks import winner
from acesaround.terminal.card_art import (
    DIM_STYLE,
    HIGHLIGHT_STYLE,
    TEXT_STYLE,
    card_tile,
    colour_cards,
)
from acesaround.terminal.table_snapshot import TableSnapshot


def center_lines(snapshot: TableSnapshot, width: int, height: int) -> list[Text]:
    """Return the lines in the middle, for a space of that size."""
    view, seat_names = snapshot.view, snapshot.seat_names
    if snapshot.trick:
        return _trick_rows(snapshot, width, height)
    match view.kind:
        case DecisionKind.DEAL:
            return [Text(f"{seat_names.clause(view.dealer, 'deal')} …", DIM_STYLE)]
        case DecisionKind.BID:
            return _auction_rows(snapshot, width, height)
        case DecisionKind.BURY:
            kitty = Text(" ").join(card_tile(card) for card in view.kitty)
            assert view.declarer is not None
            return [
                Text("The kitty", DIM_STYLE),
                kitty,
                Text(seat_names.clause(view.declarer, "take"), DIM_STYLE),
            ]
        case DecisionKind.PLAY if view.upcard is not None:
            stock = f"upcard · {view.stock} more in the stock"
            if width < len(stock):
                return [card_tile(view.upcard), Text(f"stock {view.stock}", DIM_STYLE)]
            return [card_tile(view.upcard), colour_cards(stock, DIM_STYLE)]
        case DecisionKind.PLAY:
            return [Text(f"Trick {len(view.tricks) + 1}", DIM_STYLE)]
        case DecisionKind.DISCARD:
            return [Text("Discard and draw", DIM_STYLE), Text(f"stock {view.stock}", DIM_STYLE)]
        case DecisionKind.UPCARD:
            return [card_tile(view.taken[0].card), Text("the upcard", DIM_STYLE)]
        case DecisionKind.GIVE if view.declarer is not None:
            return [Text("Partners pass cards", DIM_STYLE)]
    return []


def _trick_rows(snapshot: TableSnapshot, width: int, height: int) -> list[Text]:
    """Return the suit led, the number of the trick, and its winner or current winner."""
    view, seat_names = snapshot.view, snapshot.seat_names
    led_line = colour_cards(f"{snapshot.trick[0][1].suit.symbol} led", DIM_STYLE)
    trick_number = Text(f"Trick {len(view.tricks) + (snapshot.winner is None)}", DIM_STYLE)
    if snapshot.winner is None:
        cards = tuple(card for _, card in snapshot.trick)
        winning_index = winner(cards, -1 if view.trump is None else view.trump)
        seat = snapshot.trick[winning_index][0]
        winner_lines = [
            Text(seat_names.object_name(seat), TEXT_STYLE),
            Text("are winning" if seat == seat_names.seat else "is winning", DIM_STYLE),
        ]
    else:
        winner_lines = [Text(seat_names.clause(snapshot.winner, "win"), f"bold {HIGHLIGHT_STYLE}")]
    if width < 30:
        return [trick_number, led_line, *winner_lines] if height >= 4 else [led_line, *winner_lines]
    lines = [Text(" · ").join([trick_number, led_line]), Text(" ").join(winner_lines)]
    if view.upcard is not None:
        lines.append(
            colour_cards(f"upcard {view.upcard.pretty} · {view.stock} more in the stock", DIM_STYLE)
        )
    return lines


def _auction_rows(snapshot: TableSnapshot, width: int, height: int) -> list[Text]:
    """Return the calls as a table with a column for each seat, in the order of bidding.

    A long auction shows only its last rounds. With too many seats, only the highest bid is shown.
    """
    view, seat_names = snapshot.view, snapshot.seat_names
    players = view.players
    first_index = (players.index(view.dealer) + 1) % len(players)
    seats = [*players[first_index:], *players[:first_index]]
    column_width = 6 if len(seats) * 6 <= width else 5
    if len(seats) * column_width > width or len(seats) > 5:
        highest_call = max(
            (c for c in view.auction if c.bid is not None), key=lambda c: c.bid or 0, default=None
        )
        if highest_call is None:
            return [Text("Bidding", DIM_STYLE), Text("no bid yet", TEXT_STYLE)]
        return [
            Text("Highest bid", DIM_STYLE),
            Text(f"{highest_call.bid} by {seat_names.names[highest_call.seat]}", HIGHLIGHT_STYLE),
        ]
    rounds: list[list[str]] = []
    last_column = len(seats)
    for call in view.auction:
        column_index = seats.index(call.seat)
        if column_index <= last_column:
            rounds.append([""] * len(seats))
        last_column = column_index
        rounds[-1][column_index] = "pass" if call.bid is None else str(call.bid)
    highest_bid = max((c.bid or 0 for c in view.auction), default=0)
    lines = [
        Text("".join(f"{seat_names.names[seat]:^{column_width}}" for seat in seats), DIM_STYLE)
    ]
    for calls in rounds[-(max(1, height - 1)) :]:
        row = Text()
        for call_text in calls:
            is_highest = call_text == str(highest_bid)
            row.append(
                f"{call_text:^{column_width}}",
                f"bold {HIGHLIGHT_STYLE}" if is_highest else TEXT_STYLE,
            )
        lines.append(row)
    if not rounds:
        lines.append(Text("no bid yet", DIM_STYLE))
    return lines
