"""The middle of the table as text: the auction, the kitty, the upcard, the trick."""

from __future__ import annotations

from rich.text import Text

from acesaround.game.state import Kind
from acesaround.rules.tricks import winner
from acesaround.terminal.card_art import BRIGHT, PLAIN, QUIET, coloured, tile
from acesaround.terminal.scene import Scene


def rows(scene: Scene, width: int, height: int) -> list[Text]:
    """Return the lines in the middle, for a space of that size."""
    view, who = scene.view, scene.who
    if scene.trick:
        return _trick_rows(scene, width, height)
    match view.kind:
        case Kind.DEAL:
            return [Text(f"{who.does(view.dealer, 'deal')} …", QUIET)]
        case Kind.BID:
            return _auction_rows(scene, width, height)
        case Kind.BURY:
            kitty = Text(" ").join(tile(card) for card in view.kitty)
            assert view.declarer is not None
            return [Text("The kitty", QUIET), kitty, Text(who.does(view.declarer, "take"), QUIET)]
        case Kind.PLAY if view.upcard is not None:
            stock = f"upcard · {view.stock} more in the stock"
            if width < len(stock):
                return [tile(view.upcard), Text(f"stock {view.stock}", QUIET)]
            return [tile(view.upcard), coloured(stock, QUIET)]
        case Kind.PLAY:
            return [Text(f"Trick {len(view.tricks) + 1}", QUIET)]
        case Kind.DISCARD:
            return [Text("New cards for old", QUIET), Text(f"stock {view.stock}", QUIET)]
        case Kind.UPCARD:
            return [tile(view.taken[0].card), Text("the upcard", QUIET)]
        case Kind.GIVE if view.declarer is not None:
            return [Text("Partners pass cards", QUIET)]
    return []


def _trick_rows(scene: Scene, width: int, height: int) -> list[Text]:
    """Return the suit led, the number of the trick, and its winner or current winner."""
    view, who = scene.view, scene.who
    led = coloured(f"{scene.trick[0][1].suit.symbol} led", QUIET)
    number_of = Text(f"Trick {len(view.tricks) + (scene.winner is None)}", QUIET)
    if scene.winner is None:
        cards = tuple(card for _, card in scene.trick)
        best = winner(cards, -1 if view.trump is None else view.trump)
        now = [Text("so far", QUIET), Text(who.at(scene.trick[best][0]), PLAIN)]
    else:
        now = [Text(who.does(scene.winner, "win"), f"bold {BRIGHT}")]
    if width < 30:
        return [number_of, led, *now] if height >= 4 else [led, *now]
    rows = [Text(" · ").join([number_of, led]), Text(" ").join(now)]
    if view.upcard is not None:
        rows.append(
            coloured(f"upcard {view.upcard.pretty} · {view.stock} more in the stock", QUIET)
        )
    return rows


def _auction_rows(scene: Scene, width: int, height: int) -> list[Text]:
    """Return the calls as a table with a column for each seat, in the order of bidding.

    A long auction shows only its last rounds. With too many seats, only the highest bid is shown.
    """
    view, who = scene.view, scene.who
    players = view.players
    first = (players.index(view.dealer) + 1) % len(players)
    order = [*players[first:], *players[:first]]
    column = 6 if len(order) * 6 <= width else 5
    if len(order) * column > width or len(order) > 5:
        best = max(
            (c for c in view.auction if c.bid is not None), key=lambda c: c.bid or 0, default=None
        )
        if best is None:
            return [Text("Bidding", QUIET), Text("no bid yet", PLAIN)]
        return [Text("Highest bid", QUIET), Text(f"{best.bid} by {who.names[best.seat]}", BRIGHT)]
    rounds: list[list[str]] = []
    last = len(order)
    for call in view.auction:
        place = order.index(call.seat)
        if place <= last:
            rounds.append([""] * len(order))
        last = place
        rounds[-1][place] = "pass" if call.bid is None else str(call.bid)
    standing = max((c.bid or 0 for c in view.auction), default=0)
    rows = [Text("".join(f"{who.names[seat]:^{column}}" for seat in order), QUIET)]
    for calls in rounds[-(max(1, height - 1)) :]:
        row = Text()
        for call_text in calls:
            high = call_text == str(standing)
            row.append(f"{call_text:^{column}}", f"bold {BRIGHT}" if high else PLAIN)
        rows.append(row)
    if not rounds:
        rows.append(Text("no bid yet", QUIET))
    return rows
