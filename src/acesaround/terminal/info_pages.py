"""The texts of the pages over the table: score sheet, melds, tricks, hints, help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.text import Text

from acesaround.bots.advice import Advice, seat_name
from acesaround.bots.explanations import Name, reason
from acesaround.game import events as ev
from acesaround.game.narration import OUTCOMES, Names, names, narrate, number, signed, suggestion
from acesaround.game.view import ShownMelds, View
from acesaround.rules import Phase, Rules
from acesaround.terminal.card_art import BRIGHT, PLAIN, QUIET, box, coloured
from acesaround.terminal.session import Thought

KEYS: Final = (
    ("← →", "move along the hand or the choices"),
    ("↑ ↓", "to the other row, or to the next suit"),
    ("Tab", "to the next card that may be played"),
    ("Enter", "play the card, make the bid, confirm"),
    ("Space", "go on at once; mark a card to bury, pass or exchange"),
    ("digits, p", "type a bid; pass"),
    ("d", "lay down a meld, where melds are laid between tricks"),
    ("g", "give up, when it is offered"),
    ("u", "take back what you did last, until another card has been seen"),
    ("c", "claim the rest, where your cards are sure to win it"),
    ("b", "pause: nobody acts until you go on"),
    ("h", "hint: what the best bot would do, why, and what else it tried"),
    ("w", "why the bots did what they did, when the deal is over"),
    ("m", "melds, laid out and itemised"),
    ("l, t", "the last trick; the whole deal so far"),
    ("s, r", "the score sheet; the rules of this game"),
    ("+ -", "faster, slower; at the slowest pace tricks wait for Space"),
    ("a", "forced cards play themselves, or not"),
    ("o", "your other games: go on with one, begin or delete one"),
    ("q", "leave; the game is saved after every action"),
)
MELD_ROWS: Final = 14
"""The maximum rows of melds that leave space for blank lines in the smallest window."""
SIGNS: Final = (
    ("frame", "the card may be played; without one it may not (try it: you are told why)"),
    ("heavy", "a heavy frame is the cursor; on the table it is the card that won"),
    ("★  new", "a trump; a card just received"),
    ("✓  M", "marked; melded and on the table, but still yours to play"),
    ("▶  D", "everybody waits for this seat; the dealer"),
)


def help_text() -> Text:
    """Return the help page: keys and signs."""
    made = [Text("The yellow line says what to do, and with which keys.", f"bold {PLAIN}")]
    made.append(Text("The mouse works too: click a card, a choice, a key below.", QUIET))
    for title, table in (("Keys", KEYS), ("Signs", SIGNS)):
        made += [Text(""), Text(title, QUIET)]
        made += [
            Text.assemble((f"  {key:<11}", f"bold {BRIGHT}"), (what, PLAIN)) for key, what in table
        ]
    return Text("\n").join(made)


def score_sheet(sheet: Sequence[ev.DealScored], who: Names) -> Text:
    """Return the score sheet: bid, declarer, trump, result and the points of each side, by deal."""
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


def melds(view: View, who: Names) -> Text:
    """Return the melds of every seat, itemised with their cards."""
    if not view.melds:
        return Text("Nobody has melded in this deal yet.", QUIET)
    floor = view.rules.scoring.least_meld
    laid_by_turns = Phase.STOCK_PLAY in view.rules.phases
    blocks: list[list[Text]] = []
    together: dict[int, int | None] = {}
    for seat in dict.fromkeys(shown.seat for shown in view.melds):
        of_seat = [shown for shown in view.melds if shown.seat == seat]
        hidden = any(shown.points is None for shown in of_seat)
        worth = sum(shown.points or 0 for shown in of_seat)
        side = view.rules.side_of(seat)
        before = together.get(side, 0)
        together[side] = None if hidden or before is None else before + worth
        title = f"{who.names[seat]}: " + (f"less than {floor}, not shown" if hidden else str(worth))
        block = [coloured(title, f"bold {BRIGHT if seat == who.seat else PLAIN}")]
        for meld in [meld for shown in of_seat for meld in shown.melds]:
            line = coloured(f"   {meld.name:<22}", PLAIN)
            line.append(f"{'' if hidden else meld.points:>5}   ", "bold")
            line.append_text(coloured(names(meld.cards)))
            block.append(line)
        lying = view.table[seat] if laid_by_turns and seat < len(view.table) else ()
        if lying:
            block.append(coloured(f"   still on the table: {names(lying)}", QUIET))
        blocks.append(block)
    gap = [Text("")] if sum(map(len, blocks)) + len(blocks) <= MELD_ROWS else []
    made = [line for block in blocks for line in (*block, *gap)]
    if view.rules.partners:
        made += [Text("")] * (not gap)
        for side, worth_of_side in together.items():
            known = f"less than {floor}, which scores nothing"
            if worth_of_side is not None:
                known = str(worth_of_side)
                known += ", too little to score" if worth_of_side < floor else ""
            made.append(coloured(f"{who.side(side)} together: {known}", PLAIN))
    return Text("\n").join(made)


def laid(melded: Iterable[ev.Melded]) -> tuple[ShownMelds, ...]:
    """Convert meld events to the melds of a view."""
    return tuple(
        ShownMelds(event.seat, event.shown if event.melds is None else event.melds, event.points)
        for event in melded
    )


def last_trick(view: View, who: Names) -> Text:
    """Return the last trick, with its cards in the order of play."""
    if not view.tricks:
        return Text("No trick has been won in this deal yet.", QUIET)
    trick = view.tricks[-1]
    seats = seats_in_turn(view.players, trick.leader)
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


def whole_deal(story: Sequence[ev.Event], who: Names) -> Text:
    """Return the deal so far: the auction and what followed, then every trick."""
    made = [Text("Before the play", QUIET)]
    tricks = [event for event in story if isinstance(event, ev.TrickWon)]
    told_later = ev.Played | ev.TrickWon | ev.DealScored | ev.GameWon
    before = [event for event in story if not isinstance(event, told_later)]
    made += [coloured(f"  {line}") for line in narrate(before, who)]
    for event in before:
        if isinstance(event, ev.Discarded | ev.Buried) and event.cards:
            put = "buried" if isinstance(event, ev.Buried) else "threw away"
            made.append(coloured(f"  You {put} {names(event.cards)}."))
    players = next((event.players for event in story if isinstance(event, ev.Dealt)), ())
    made += [Text(""), Text("Tricks, in the order played; the winner in brackets", QUIET)]
    for at, trick in enumerate(tricks, 1):
        line = Text(f"{at:>3}  ", QUIET)
        for seat, card in zip(seats_in_turn(players, trick.leader), trick.cards, strict=True):
            won = seat == trick.seat
            line.append(f"{who.names[seat]} ", PLAIN if won else QUIET)
            line.append_text(coloured(f"[{card.pretty}]" if won else card.pretty))
            line.append("  ")
        line.append(f"{trick.points}", "bold")
        made.append(line)
    if not tricks:
        made.append(Text("  none yet", QUIET))
    return Text("\n").join(made)


def seats_in_turn(players: tuple[int, ...], leader: int) -> tuple[int, ...]:
    """Return the seats of a trick in the order of play."""
    at = players.index(leader)
    return players[at:] + players[:at]


def called(view: View, who: Names) -> Name:
    """Return the function that names seats in a reason given to the seat of `view`.

    "You" is always that seat. The person's own seat is named relative to it.
    """
    return lambda seat: seat_name(view, seat) if seat == who.seat else who.names[seat]


def advised(hint: Advice, view: View, who: Names) -> Text:
    """Return a hint: its reason, and the expected result of each action that was tried."""
    made, bid_made = [coloured(reason(hint.why, called(view, who)))], view.declarer is not None
    if not hint.tried:
        return made[0]
    head = f"{'':<26}{'points':>8}{'game won':>10}" + (f"{'bid made':>10}" if bid_made else "")
    made += [Text(""), coloured(head, QUIET)]
    for one in hint.tried:
        style = f"bold {BRIGHT}" if one.action == hint.action else PLAIN
        line = coloured(f"{suggestion(one.action):<26}", style)
        line.append(f"{one.points:>8.1f}{one.chance:>10.1%}", style)
        line.append(f"{one.made:>10.0%}" if bid_made else "", style)
        made.append(line)
    made += [Text(""), coloured("On average, in many deals that fit what you can see.", QUIET)]
    return Text("\n").join(made)


def thoughts(had: Sequence[Thought], who: Names) -> Text:
    """Return the reasons of the bots' actions, each from the point of view of the bot's seat."""
    made = [coloured("Each says it of its own seat: “you” is the bot itself.", QUIET)]
    trick = -1
    for one in had:
        if one.trick != trick:
            trick = one.trick
            made += [Text(""), Text(f"Trick {trick}" if trick else "Before the play", QUIET)]
        made.append(coloured(f"{who.names[one.seat]}: {one.does}", f"bold {BRIGHT}"))
        if one.why:
            made.append(coloured(f"   {one.why}", PLAIN))
    return Text("\n").join(made)


def facts(rules: Rules) -> str:
    """Return a line about a variant: players, cards and the points that win."""
    many = sorted(rules.players)
    players = f"{many[0]} to {many[-1]}" if len(many) > 2 else " or ".join(map(str, many))
    parts = [f"{players} players" + (" in partnerships" if rules.partners else "")]
    parts.append(f"{rules.hand_size} of {rules.deck.size} cards each")
    if rules.auction is None:
        parts.append("no bidding")
    parts.append(f"{rules.ending.target} points win")
    return ", ".join(parts)
