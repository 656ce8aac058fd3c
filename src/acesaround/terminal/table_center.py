"""The middle of the table as text: the auction, the kitty, the upcard, the trick."""

from __future__ import annotations

from rich.text import Text

from acesaround.game.state import DecisionKind
from acesaround.rules.tricks import winner
from acesaround.terminal.card_art import BRIGHT, PLAIN, QUIET, card_tile, colour_cards
from acesaround.terminal.scene import Scene


def center_lines(scene: Scene, width: int, height: int) -> list[Text]:
    """Return the lines in the middle, for a space of that size."""
    view, who = scene.view, scene.who
    if scene.trick:
        return _trick_rows(scene, width, height)
    match view.kind:
        case DecisionKind.DEAL:
            return [Text(f"{who.clause(view.dealer, 'deal')} …", QUIET)]
        case DecisionKind.BID:
            return _auction_rows(scene, width, height)
        case DecisionKind.BURY:
            kitty = Text(" ").join(card_tile(card) for card in view.kitty)
            assert view.declarer is not None
            return [Text("The kitty", QUIET), kitty, Text(who.clause(view.declarer, "take"), QUIET)]
        case DecisionKind.PLAY if view.upcard is not None:
            stock = f"upcard · {view.stock} more in the stock"
            if width < len(stock):
                return [card_tile(view.upcard), Text(f"stock {view.stock}", QUIET)]
            return [card_tile(view.upcard), colour_cards(stock, QUIET)]
        case DecisionKind.PLAY:
            return [Text(f"Trick {len(view.tricks) + 1}", QUIET)]
        case DecisionKind.DISCARD:
            return [Text("Discard and draw", QUIET), Text(f"stock {view.stock}", QUIET)]
        case DecisionKind.UPCARD:
            return [card_tile(view.taken[0].card), Text("the upcard", QUIET)]
        case DecisionKind.GIVE if view.declarer is not None:
            return [Text("Partners pass cards", QUIET)]
    return []


def _trick_rows(scene: Scene, width: int, height: int) -> list[Text]:
    """Return the suit led, the number of the trick, and its winner or current winner."""
    view, who = scene.view, scene.who
    led_line = colour_cards(f"{scene.trick[0][1].suit.symbol} led", QUIET)
    trick_number = Text(f"Trick {len(view.tricks) + (scene.winner is None)}", QUIET)
    if scene.winner is None:
        cards = tuple(card for _, card in scene.trick)
        winning_index = winner(cards, -1 if view.trump is None else view.trump)
        seat = scene.trick[winning_index][0]
        winner_lines = [
            Text(who.object_name(seat), PLAIN),
            Text("are winning" if seat == who.seat else "is winning", QUIET),
        ]
    else:
        winner_lines = [Text(who.clause(scene.winner, "win"), f"bold {BRIGHT}")]
    if width < 30:
        return [trick_number, led_line, *winner_lines] if height >= 4 else [led_line, *winner_lines]
    lines = [Text(" · ").join([trick_number, led_line]), Text(" ").join(winner_lines)]
    if view.upcard is not None:
        lines.append(
            colour_cards(f"upcard {view.upcard.pretty} · {view.stock} more in the stock", QUIET)
        )
    return lines


def _auction_rows(scene: Scene, width: int, height: int) -> list[Text]:
    """Return the calls as a table with a column for each seat, in the order of bidding.

    A long auction shows only its last rounds. With too many seats, only the highest bid is shown.
    """
    view, who = scene.view, scene.who
    players = view.players
    first_index = (players.index(view.dealer) + 1) % len(players)
    seats = [*players[first_index:], *players[:first_index]]
    column_width = 6 if len(seats) * 6 <= width else 5
    if len(seats) * column_width > width or len(seats) > 5:
        highest_call = max(
            (c for c in view.auction if c.bid is not None), key=lambda c: c.bid or 0, default=None
        )
        if highest_call is None:
            return [Text("Bidding", QUIET), Text("no bid yet", PLAIN)]
        return [
            Text("Highest bid", QUIET),
            Text(f"{highest_call.bid} by {who.names[highest_call.seat]}", BRIGHT),
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
    lines = [Text("".join(f"{who.names[seat]:^{column_width}}" for seat in seats), QUIET)]
    for calls in rounds[-(max(1, height - 1)) :]:
        row = Text()
        for call_text in calls:
            is_highest = call_text == str(highest_bid)
            row.append(f"{call_text:^{column_width}}", f"bold {BRIGHT}" if is_highest else PLAIN)
        lines.append(row)
    if not rounds:
        lines.append(Text("no bid yet", QUIET))
    return lines
