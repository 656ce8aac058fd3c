"""What stands on the pages that are laid over the table: score sheet, melds, tricks, help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.text import Text

from acesaround import events as ev
from acesaround.rules import Rules
from acesaround.terminal.faces import BRIGHT, PLAIN, QUIET, box, coloured, names, suit_name
from acesaround.terminal.words import OUTCOMES, Who, number, signed, told
from acesaround.view import Shown, View

HELP: Final = """\
**Your turn** — the yellow line says what to do, and which keys do it.

| key | |
|---|---|
| ← → | move along the hand or the choices |
| ↑ ↓ | other row, or next suit |
| Tab | next card that may be played |
| Enter | play the card, make the bid, confirm |
| Space | go on at once; mark a card to bury, give or exchange |
| 0-9, p | type a bid; pass |
| d | lay down a meld (where melds are laid between tricks) |
| g | give up, when it is offered |
| h | hint: what would a good player do, and why |
| m | melds, laid out and itemised |
| l, t | last trick; the whole deal so far |
| s | score sheet |
| r | rules of this game |
| + - | slower, faster; at the slowest each trick waits for a key |
| a | play forced cards by themselves, on or off |
| q | leave; the game is saved after every action |

The mouse does it too: click a card to play or mark it, click a choice or a key below.

**Signs on the cards** — a frame: may be played · no frame: may not (try it, and you are told
why) · heavy frame: the cursor · ★ trump · *new* just received · ✓ marked · M melded, still held.

**Signs at the seats** — ▶ everybody waits for this seat · *dealer* or D · *has bid*: the declarer.
"""


def score_sheet(sheet: Sequence[ev.DealScored], who: Who) -> Text:
    """Every deal: bid, declarer, trump, how it ended, and for each side what it made."""
    if not sheet:
        return Text("No deal has been scored yet.", QUIET)
    wide = max(len(who.side(side)) for side in range(len(who.rules.sides)))
    head = f"{'deal':<5}{'bid':<22}{'':{wide}} {'meld':>6}{'play':>6}{'change':>8}{'total':>7}"
    made = [Text(head, QUIET)]
    for at, scored in enumerate(sheet, 1):
        score = scored.score
        bid = "" if score.bid is None else str(score.bid)
        if score.declarer is not None:
            bid += f" {who.names[score.declarer]}"
        if score.trump is not None:
            bid += f" {score.trump.symbol}"
        first = [bid or OUTCOMES[score.outcome], OUTCOMES[score.outcome] if bid else ""]
        for side, change in enumerate(score.change):
            left = first[side] if side < len(first) else ""
            line = coloured(f"{at if side == 0 else '':<5}{left:<22}")
            line.append(
                f"{who.side(side):{wide}} {score.meld[side]:>6}{score.play[side]:>6}"
                f"{signed(change):>8}",
                f"bold {PLAIN}" if who.mine(side) else PLAIN,
            )
            line.append(f"{scored.totals[side]:>7}", f"bold {BRIGHT}")
            made.append(line)
        made.append(Text(""))
    return Text("\n").join(made)


def melds(view: View, who: Who) -> Text:
    """The melds of every seat, itemised with their cards."""
    if not view.melds:
        return Text("Nobody has melded in this deal yet.", QUIET)
    made: list[Text] = []
    for seat in dict.fromkeys(shown.seat for shown in view.melds):
        of_seat = [shown for shown in view.melds if shown.seat == seat]
        hidden = any(shown.points is None for shown in of_seat)
        title = who.names[seat]
        if hidden:
            floor = view.rules.scoring.least_meld
            title += f": the side has less than {floor}, which scores nothing"
        else:
            title += f": {sum(shown.points or 0 for shown in of_seat)}"
        made.append(coloured(title, f"bold {BRIGHT if seat == who.seat else PLAIN}"))
        items = [meld for shown in of_seat for meld in shown.melds]
        for meld in items:
            line = coloured(f"   {meld.name:<22}", PLAIN)
            line.append(f"{'' if hidden else meld.points:>5}   ", "bold")
            line.append_text(coloured(names(meld.cards)))
            made.append(line)
        if not items and not hidden:
            made.append(Text("   nothing", QUIET))
        lying = view.table[seat] if seat < len(view.table) else ()
        if lying:
            made.append(coloured(f"   still on the table: {names(lying)}", QUIET))
        made.append(Text(""))
    return Text("\n").join(made)


def laid(melded: Iterable[ev.Melded]) -> tuple[Shown, ...]:
    """Melds as they stand in a view, from the events that told of them."""
    return tuple(
        Shown(event.seat, event.shown if event.melds is None else event.melds, event.points)
        for event in melded
    )


def last_trick(view: View, who: Who) -> Text:
    """The last trick, cards in the order played."""
    if not view.tricks:
        return Text("No trick has been won in this deal yet.", QUIET)
    trick = view.tricks[-1]
    seats = order(view.players, trick.leader)
    boxes = [
        box(card, cursor=seat == trick.winner)
        for seat, card in zip(seats, trick.cards, strict=True)
    ]
    made = [
        Text(" ").join([Text(f"{who.names[seat]:^6}", PLAIN) for seat in seats]),
        *[Text("  ").join(row) for row in zip(*boxes, strict=True)],
        Text(""),
        coloured(f"{who.does(trick.winner, 'win')} it: {number(trick.points, 'card point')}."),
    ]
    return Text("\n").join(made)


def whole_deal(story: Iterable[ev.Event], view: View, who: Who) -> Text:
    """The deal so far: the auction and what followed, then every trick."""
    made = [Text("Before the play", QUIET)]
    before = [
        event
        for event in story
        if not isinstance(event, ev.Played | ev.TrickWon | ev.DealScored | ev.GameWon)
    ]
    made += [coloured(f"  {line}") for line in told(before, who)]
    for passing in view.passed:
        if passing.cards and passing.to is None:
            made.append(coloured(f"  You exchanged {names(passing.cards)}.", PLAIN))
    if view.buried:
        made.append(coloured(f"  You buried {names(view.buried)}."))
    made += [Text(""), Text("Tricks, in the order played; the winner in brackets", QUIET)]
    for at, trick in enumerate(view.tricks, 1):
        seats = order(view.players, trick.leader)
        line = Text(f"{at:>3}  ", QUIET)
        for seat, card in zip(seats, trick.cards, strict=True):
            won = seat == trick.winner
            line.append(f"{who.names[seat]} ", PLAIN if won else QUIET)
            line.append_text(coloured(f"[{card.pretty}]" if won else card.pretty))
            line.append("  ")
        line.append(f"{trick.points}", "bold")
        made.append(line)
    if not view.tricks:
        made.append(Text("  none yet", QUIET))
    return Text("\n").join(made)


def order(players: tuple[int, ...], leader: int) -> tuple[int, ...]:
    """The seats of a trick in the order of play."""
    at = players.index(leader)
    return players[at:] + players[:at]


def facts(rules: Rules) -> str:
    """One line about a variant: players, cards, what wins."""
    many = sorted(rules.players)
    players = f"{many[0]} to {many[-1]}" if len(many) > 2 else " or ".join(map(str, many))
    parts = [f"{players} players", "in partnerships" if rules.partners else "each alone"]
    parts.append(f"{rules.hand_size} of {rules.deck.size} cards each")
    if rules.auction is None:
        parts.append("no bidding")
    parts.append(f"{rules.ending.target} points win")
    return ", ".join(parts)


def trump_line(view: View) -> str:
    """The trump, if there is one."""
    return "" if view.trump is None else f"trump {suit_name(view.trump)}"
