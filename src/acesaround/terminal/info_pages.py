"""The texts of the pages over the table: score sheet, melds, tricks, hints, help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.text import Text

from acesaround.bots.advice import Advice, seat_name
from acesaround.bots.explanations import SeatNamer, reason_sentence
from acesaround.game import events as ev
from acesaround.game.narration import (
    OUTCOME_WORDS,
    Names,
    card_names,
    narrate,
    pluralize,
    signed_points,
    suggestion_text,
)
from acesaround.game.view import ShownMelds, View
from acesaround.rules import Phase, Rules
from acesaround.terminal.card_art import (
    DIM_STYLE,
    HIGHLIGHT_STYLE,
    TEXT_STYLE,
    card_box,
    colour_cards,
)
from acesaround.terminal.session import BotReason
from acesaround.terminal.summary import buried_sentence

KEY_HELP: Final = (
    ("← →", "move along the hand or the choices"),
    ("↑ ↓", "to the other row, or to the next suit"),
    ("Tab", "to the next card that you may play"),
    ("Enter", "play the card, make the bid, confirm"),
    ("Space", "continue at once; mark a card to bury, pass or exchange"),
    ("digits, p", "type a bid; pass"),
    ("d", "lay down a meld, if melds are laid between tricks"),
    ("g", "give up, if the table offers it"),
    ("u", "take back your last action, until somebody sees another card"),
    ("c", "claim the remaining tricks, if your cards are sure to win them"),
    ("b", "pause: nobody acts until you continue"),
    ("h", "hint: what the best bot would do, why, and what else it tried"),
    ("e", "explain what you have to do now, and why"),
    ("w", "when the deal is over, why each bot acted as it did"),
    ("m", "melds, each with its cards and points"),
    ("l, t", "the last trick; the whole deal so far"),
    ("s, r", "the score sheet; the rules of this game"),
    ("+ -", "faster, slower; at the slowest pace tricks wait for Space"),
    ("a, k", "play forced cards automatically, or not; train counting cards, or not"),
    ("o", "your other games: continue, begin or delete one"),
    ("q", "leave; every action is already saved"),
)
MAX_MELD_ROWS: Final = 14
"""The maximum rows of melds that leave space for blank lines in the smallest window."""
SIGN_HELP: Final = (
    ("frame", "a card that you may play"),
    ("no frame", "a card that you may not play: try it to see why"),
    ("heavy frame", "the cursor; on the table the card that won"),
    ("★", "a trump"),
    ("new", "a card just received"),
    ("✓", "a marked card"),
    ("M", "a melded card on the table; you can still play it"),
    ("▶", "everybody waits for this seat"),
    ("D", "the dealer"),
)


def help_page() -> Text:
    """Return the help page: keys and signs."""
    lines = [Text("The yellow line says what to do, and with which keys.", f"bold {TEXT_STYLE}")]
    lines.append(Text("The mouse works too: click a card, a choice, a key below.", DIM_STYLE))
    for title, rows in (("Keys", KEY_HELP), ("Signs", SIGN_HELP)):
        lines += [Text(""), Text(title, DIM_STYLE)]
        lines += [
            Text.assemble((f"  {key:<11}", f"bold {HIGHLIGHT_STYLE}"), (meaning, TEXT_STYLE))
            for key, meaning in rows
        ]
    return Text("\n").join(lines)


def score_sheet_page(scored_deals: Sequence[ev.DealScored], seat_names: Names) -> Text:
    """Return the score sheet: bid, declarer, trump, result and the points of each side, by deal."""
    if not scored_deals:
        return Text("No deal has been scored yet.", DIM_STYLE)
    name_width = max(len(seat_names.side_name(side)) for side in range(len(seat_names.rules.sides)))
    head = (
        f"{'deal':<5}{'bid':<22}{'':{name_width}} {'meld':>6}{'play':>6}{'change':>8}{'total':>7}"
    )
    lines = [Text(head, DIM_STYLE)]
    for deal_number, scored in enumerate(scored_deals, 1):
        score = scored.score
        bid = "" if score.bid is None else str(score.bid)
        if score.declarer is not None:
            bid += f" {seat_names.names[score.declarer]}"
        if score.trump is not None:
            bid += f" {score.trump.symbol}"
        left_texts = [
            bid or OUTCOME_WORDS[score.outcome],
            OUTCOME_WORDS[score.outcome] if bid else "",
        ]
        for side, change in enumerate(score.change):
            left_text = left_texts[side] if side < len(left_texts) else ""
            line = colour_cards(f"{deal_number if side == 0 else '':<5}{left_text:<22}")
            line.append(
                f"{seat_names.side_name(side):{name_width}} {score.meld[side]:>6}"
                f"{score.play[side]:>6}{signed_points(change):>8}",
                f"bold {TEXT_STYLE}" if seat_names.is_own_side(side) else TEXT_STYLE,
            )
            line.append(f"{scored.totals[side]:>7}", f"bold {HIGHLIGHT_STYLE}")
            lines.append(line)
        lines.append(Text(""))
    return Text("\n").join(lines)


def melds_page(view: View, seat_names: Names) -> Text:
    """Return the melds of every seat, itemised with their cards."""
    if not view.melds:
        return Text("Nobody has melded in this deal yet.", DIM_STYLE)
    least_meld = view.rules.scoring.least_meld
    lays_between_tricks = Phase.STOCK_PLAY in view.rules.phases
    blocks: list[list[Text]] = []
    side_totals: dict[int, int | None] = {}
    for seat in dict.fromkeys(shown.seat for shown in view.melds):
        seat_melds = [shown for shown in view.melds if shown.seat == seat]
        is_hidden = any(shown.points is None for shown in seat_melds)
        points = sum(shown.points or 0 for shown in seat_melds)
        side = view.rules.side_of(seat)
        total_before = side_totals.get(side, 0)
        side_totals[side] = None if is_hidden or total_before is None else total_before + points
        title = f"{seat_names.names[seat]}: " + (
            f"less than {least_meld}, not shown" if is_hidden else str(points)
        )
        block = [
            colour_cards(
                title, f"bold {HIGHLIGHT_STYLE if seat == seat_names.seat else TEXT_STYLE}"
            )
        ]
        for meld in [meld for shown in seat_melds for meld in shown.melds]:
            line = colour_cards(f"   {meld.name:<22}", TEXT_STYLE)
            line.append(f"{'' if is_hidden else meld.points:>5}   ", "bold")
            line.append_text(colour_cards(card_names(meld.cards)))
            block.append(line)
        on_table = view.table[seat] if lays_between_tricks and seat < len(view.table) else ()
        if on_table:
            block.append(colour_cards(f"   still on the table: {card_names(on_table)}", DIM_STYLE))
        blocks.append(block)
    gap = [Text("")] if sum(map(len, blocks)) + len(blocks) <= MAX_MELD_ROWS else []
    lines = [line for block in blocks for line in (*block, *gap)]
    if view.rules.has_partners:
        lines += [Text("")] * (not gap)
        for side, side_total in side_totals.items():
            total_text = f"less than {least_meld}, which scores nothing"
            if side_total is not None:
                total_text = str(side_total)
                total_text += ", too little to score" if side_total < least_meld else ""
            lines.append(
                colour_cards(
                    f"{seat_names.side_in_sentence(side)} together: {total_text}", TEXT_STYLE
                )
            )
    return Text("\n").join(lines)


def shown_melds(meld_events: Iterable[ev.Melded]) -> tuple[ShownMelds, ...]:
    """Convert meld events to the melds of a view."""
    return tuple(
        ShownMelds(event.seat, event.shown if event.melds is None else event.melds, event.points)
        for event in meld_events
    )


def last_trick_page(view: View, seat_names: Names) -> Text:
    """Return the last trick, with its cards in the order of play."""
    if not view.tricks:
        return Text("No trick has been won in this deal yet.", DIM_STYLE)
    trick = view.tricks[-1]
    seats = seats_in_turn(view.players, trick.leader)
    boxes = [
        card_box(card, has_cursor=seat == trick.winner)
        for seat, card in zip(seats, trick.cards, strict=True)
    ]
    lines = [
        Text(" ").join([Text(f"{seat_names.names[seat]:^6}", TEXT_STYLE) for seat in seats]),
        *[Text("  ").join(row) for row in zip(*boxes, strict=True)],
        Text(""),
        colour_cards(
            f"{seat_names.clause(trick.winner, 'win')} it: {pluralize(trick.points, 'card point')}"
            f"{f' and {trick.bonus} for the last trick' if trick.bonus else ''}."
        ),
    ]
    return Text("\n").join(lines)


def deal_page(story: Sequence[ev.Event], seat_names: Names) -> Text:
    """Return the deal so far: the auction and what followed, then every trick."""
    lines = [Text("Before the play", DIM_STYLE)]
    tricks = [event for event in story if isinstance(event, ev.TrickWon)]
    later_event_types = ev.Played | ev.TrickWon | ev.DealScored | ev.GameWon
    early_events = [event for event in story if not isinstance(event, later_event_types)]
    lines += [colour_cards(f"  {line}") for line in narrate(early_events, seat_names)]
    for event in early_events:
        if isinstance(event, ev.Discarded | ev.Buried) and event.cards:
            verb = "buried" if isinstance(event, ev.Buried) else "threw away"
            lines.append(colour_cards(f"  You {verb} {card_names(event.cards)}."))
    lines += [
        colour_cards(f"  {buried_sentence(scored, seat_names)}")
        for scored in story
        if isinstance(scored, ev.DealScored) and scored.buried
    ]
    players = next((event.players for event in story if isinstance(event, ev.Dealt)), ())
    lines += [Text(""), Text("Tricks, in the order played; the winner in brackets", DIM_STYLE)]
    for trick_number, trick in enumerate(tricks, 1):
        line = Text(f"{trick_number:>3}  ", DIM_STYLE)
        for seat, card in zip(seats_in_turn(players, trick.leader), trick.cards, strict=True):
            is_winner = seat == trick.seat
            line.append(f"{seat_names.names[seat]} ", TEXT_STYLE if is_winner else DIM_STYLE)
            line.append_text(colour_cards(f"[{card.pretty}]" if is_winner else card.pretty))
            line.append("  ")
        line.append(f"{trick.points}", "bold")
        if trick.bonus:
            line.append(f" + {trick.bonus} for the last trick", DIM_STYLE)
        lines.append(line)
    if not tricks:
        lines.append(Text("  none yet", DIM_STYLE))
    return Text("\n").join(lines)


def seats_in_turn(players: tuple[int, ...], leader: int) -> tuple[int, ...]:
    """Return the seats of a trick in the order of play."""
    index = players.index(leader)
    return players[index:] + players[:index]


def seat_namer(view: View, seat_names: Names) -> SeatNamer:
    """Return the function that names seats in a reason given to the seat of `view`.

    "You" is always that seat. The person's own seat is named relative to it.
    """
    return lambda seat: seat_name(view, seat) if seat == seat_names.seat else seat_names.names[seat]


def advice_page(hint: Advice, view: View, seat_names: Names) -> Text:
    """Return a hint: its reason, and the expected result of each action that was tried."""
    lines, has_bid = (
        [colour_cards(reason_sentence(hint.why, seat_namer(view, seat_names)))],
        view.declarer is not None,
    )
    if not hint.tried:
        return lines[0]
    head = f"{'':<26}{'points':>8}{'game won':>10}" + (f"{'bid made':>10}" if has_bid else "")
    lines += [Text(""), colour_cards(head, DIM_STYLE)]
    for value in hint.tried:
        style = f"bold {HIGHLIGHT_STYLE}" if value.action == hint.action else TEXT_STYLE
        line = colour_cards(f"{suggestion_text(value.action):<26}", style)
        line.append(f"{value.points:>8.1f}{value.chance:>10.1%}", style)
        line.append(f"{value.made:>10.0%}" if has_bid else "", style)
        lines.append(line)
    lines += [
        Text(""),
        colour_cards("Averages of many deals that fit the cards you have seen.", DIM_STYLE),
    ]
    return Text("\n").join(lines)


def bot_reasons_page(bot_reasons: Sequence[BotReason], seat_names: Names) -> Text:
    """Return the reasons of the bots' actions, each from the point of view of the bot's seat."""
    lines = [colour_cards("In each reason “you” is the bot that gives it.", DIM_STYLE)]
    trick = -1
    for bot_reason in bot_reasons:
        if bot_reason.trick != trick:
            trick = bot_reason.trick
            lines += [Text(""), Text(f"Trick {trick}" if trick else "Before the play", DIM_STYLE)]
        lines.append(
            colour_cards(
                f"{seat_names.names[bot_reason.seat]}: {bot_reason.action_text}",
                f"bold {HIGHLIGHT_STYLE}",
            )
        )
        if bot_reason.reason:
            lines.append(colour_cards(f"   {bot_reason.reason}", TEXT_STYLE))
    return Text("\n").join(lines)


def variant_facts(rules: Rules) -> str:
    """Return a line about a variant: players, cards and the points that win."""
    player_counts = sorted(rules.players)
    players = (
        f"{player_counts[0]} to {player_counts[-1]}"
        if len(player_counts) > 2
        else " or ".join(map(str, player_counts))
    )
    parts = [f"{players} players" + (" in partnerships" if rules.has_partners else "")]
    parts.append(f"{rules.hand_size} of {rules.deck.size} cards each")
    if rules.auction is None:
        parts.append("no bidding")
    parts.append(f"to {rules.ending.target} points")
    return ", ".join(parts)
