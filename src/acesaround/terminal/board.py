"""The table seen from above: seats round it, the trick in the middle, calls, kitty and upcard.

Drawn from a view and from what is being shown of it at the moment (a finished trick lies on the
table for a while, though the view has moved on). Fits two to nine seats into any size from 50
by 12.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from rich.text import Text
from textual.widget import Widget

from acesaround.cards import Card
from acesaround.state import Kind
from acesaround.terminal.canvas import Canvas
from acesaround.terminal.faces import BRIGHT, PLAIN, QUIET, box, coloured, names, suit_name, tile
from acesaround.terminal.words import Who, number
from acesaround.tricks import winner
from acesaround.view import View


@dataclass(frozen=True)
class Scene:
    """What is shown: a view, the cards on the table and, of a finished trick, who won it.

    `turn`: whom everybody waits for. `log`: what happened in this deal, a sentence each.
    """

    view: View
    who: Who
    trick: tuple[tuple[int, Card], ...] = ()
    winner: int | None = None
    turn: int | None = None
    log: list[str] = field(default_factory=list)


class _Spot(NamedTuple):
    """Where a seat's label (left end and width) and its card are drawn; `side`: -1, 0 or 1."""

    seat: int
    side: int
    x: int
    y: int
    width: int
    card: tuple[int, int]


def _shares(others: int) -> tuple[int, int, int]:
    """How many of the other seats sit on the left, on top and on the right."""
    if others <= 2:
        return (0, 1, 0) if others == 1 else (1, 0, 1)
    across = {3: 1, 4: 2, 5: 3, 6: 2, 7: 3, 8: 4}[others]
    left = (others - across) // 2
    return left, across, left


class Table(Widget):
    """The table of a scene."""

    def __init__(self) -> None:
        super().__init__(id="board")
        self.scene: Scene | None = None

    def show(self, scene: Scene) -> None:
        """Show a scene."""
        self.scene = scene
        self.refresh()

    def render(self) -> Text:
        """Draw it."""
        if self.scene is None:
            return Text("")
        return draw(self.scene, self.size.width, self.size.height)


def draw(scene: Scene, width: int, height: int) -> Text:
    """The table of a scene in that many columns and rows."""
    canvas = Canvas(width, height)
    view, who = scene.view, scene.who
    players = view.players
    at = players.index(who.seat) if who.seat in players else 0
    others = [*players[at + 1 :], *players[:at]]
    if who.seat not in players:
        others = list(players[1:]) if len(players) > 1 else []
    bottom = players[at]
    left, top, right = _shares(len(others)) if others else (0, 0, 0)
    tall = height - (5 if top else 0) - 4 >= 3 * max(left, right, 1) and width // max(top, 1) >= 10
    card_width, card_height = (5, 3) if tall else (5, 1)
    label = 15 if len(others) <= 4 else 13
    spots: list[_Spot] = []
    low = 2 + card_height if top else 0
    high = height - 1 - card_height
    for order, seat in enumerate(others[:left]):
        y = _row(left, left - 1 - order, low, high, 3)
        spots.append(_Spot(seat, -1, 0, y, label, (label + 1, y if tall else y + 1)))
    for order, seat in enumerate(others[left : left + top]):
        slot = width // top
        x = order * slot
        spots.append(_Spot(seat, 0, x, 0, slot, (x + (slot - card_width) // 2, 2)))
    for order, seat in enumerate(others[left + top :]):
        y = _row(right, order, low, high, 3)
        x = width - label
        spots.append(_Spot(seat, 1, x, y, label, (x - 1 - card_width, y if tall else y + 1)))
    mine = ((width - card_width) // 2, height - 1 - card_height)
    spots.append(_Spot(bottom, 0, 0, height - 1, width, mine))
    played = dict(scene.trick)
    for spot in spots:
        _label(canvas, scene, spot, one_line=spot.y == height - 1)
        card = played.get(spot.seat)
        if card is None:
            continue
        won = spot.seat == scene.winner
        if tall:
            canvas.block(*spot.card, box(card, cursor=won, top="won" if won else ""))
        else:
            x, y = spot.card
            canvas.put(x, y, tile(card))
            if won:
                canvas.put(x - 1, y, Text("▶", BRIGHT))
                canvas.put(x + card_width, y, Text("◀", BRIGHT))
    margin = label + 1 + (card_width + 1 if scene.trick else 0) if left else 1
    top_edge = low if top and scene.trick else (2 if top else 0)
    bottom_edge = high if scene.trick else height - 1
    _middle(canvas, scene, margin, width - margin, top_edge, bottom_edge)
    return canvas.text()


def _row(many: int, order: int, low: int, high: int, tall: int) -> int:
    """The upper row of one of `many` blocks spread over the rows from low to high."""
    free = max(0, high - low - many * tall)
    gap = free / (many + 1)
    return low + round(gap * (order + 1)) + order * tall


def _label(canvas: Canvas, scene: Scene, spot: _Spot, *, one_line: bool) -> None:
    view, who, seat = scene.view, scene.who, spot.seat
    partner = who.rules.partner_of(who.seat) == seat
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
    """What is worth knowing of a seat now, the most important first."""
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
    """What stands in the middle of the table, as much as there is room for."""
    rows = _middle_rows(scene, right - left, high - low)
    y = low + max(0, (high - low - len(rows)) // 2)
    for down, row in enumerate(rows[: high - low]):
        canvas.centre(left, right, y + down, row)


def _middle_rows(scene: Scene, width: int, height: int) -> list[Text]:
    view, who = scene.view, scene.who
    if scene.trick:
        return _trick_rows(scene, width)
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
        case Kind.GIVE if view.declarer is not None:
            return [Text("Partners pass cards", QUIET)]
    return []


def _trick_rows(scene: Scene, width: int) -> list[Text]:
    """The suit led, the number of the trick, and who is winning it."""
    view, who = scene.view, scene.who
    led = scene.trick[0][1].suit
    done = scene.winner is not None
    rows = [
        Text(f"Trick {len(view.tricks) + (0 if done else 1)}", QUIET),
        coloured(f"{led.symbol} led", QUIET),
    ]
    if scene.winner is not None:
        rows.append(Text(who.does(scene.winner, "win"), f"bold {BRIGHT}"))
    else:
        best = winner(
            tuple(card for _, card in scene.trick), -1 if view.trump is None else view.trump
        )
        rows.append(Text(f"so far {who.at(scene.trick[best][0])}", PLAIN))
    if view.upcard is not None:
        rows.append(coloured(f"up {view.upcard.pretty}, {view.stock} left", QUIET))
    return rows


def _auction_rows(scene: Scene, width: int, height: int) -> list[Text]:
    """The calls as a table, a column a seat in the order of bidding; the last rounds if long."""
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


def contract(view: View, who: Who) -> list[str]:
    """Who has bid what, the trump, and what the declarer's side still needs, a line each."""
    lines = []
    if view.declarer is not None:
        lines.append(f"Bid {view.bid} · {who.names[view.declarer]}")
    if view.trump is not None:
        lines.append(f"Trump {suit_name(view.trump)} ★")
    need = needs(view)
    if need is not None:
        assert view.declarer is not None
        name = who.side(who.rules.side_of(view.declarer))
        lines.append(f"{name} {need}" if need.startswith("has") else f"{name}: {need}")
    return lines


def needs(view: View) -> str | None:
    """How many points the declarer's side still needs, as far as this seat can know."""
    if view.declarer is None or view.bid is None or not view.melds:
        return None
    side = view.rules.side_of(view.declarer)
    shown = [m.points for m in view.melds if view.rules.side_of(m.seat) == side]
    if any(points is None for points in shown):
        return None
    missing = view.bid - sum(p or 0 for p in shown) - view.won[side]
    if missing <= 0:
        return "has enough now"
    hidden = view.rules.exchange.bury and view.buried is None
    return f"{'up to ' if hidden else ''}{missing} more needed"


def last_trick(view: View, who: Who) -> str | None:
    """The last trick in one line."""
    if not view.tricks:
        return None
    trick = view.tricks[-1]
    return f"{names(trick.cards)} → {who.names[trick.winner]}"
