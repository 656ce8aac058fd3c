"""The replay of a finished game, card by card, with all hands face up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from msgspec.structs import replace
from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static

from acesaround import bots
from acesaround.actions import Action
from acesaround.bots.advice import ActionValue, Advice
from acesaround.bots.explanations import SeatNamer
from acesaround.bots.warmup import process_warmup
from acesaround.cards import SUITS, Card
from acesaround.errors import RecordError
from acesaround.game import events as ev
from acesaround.game.narration import Names, card_names, narrate, pluralize, suggestion_text
from acesaround.game.view import View
from acesaround.record.model import action_from_json
from acesaround.table import GameHistory, explain_step, replay
from acesaround.table.alerts import alert_sentences
from acesaround.table.messages import GAME_FIELDS, Replay, ReplayStep, StepExplanation
from acesaround.terminal import info_pages, summary
from acesaround.terminal.background_thread import run_in_thread
from acesaround.terminal.card_art import (
    DIM_STYLE,
    HIGHLIGHT_STYLE,
    TEXT_STYLE,
    colour_cards,
    with_terminal_cards,
)
from acesaround.terminal.dialogs import ListDialog, TextDialog
from acesaround.terminal.info_pages import seats_in_turn
from acesaround.terminal.session import HINT_SECONDS
from acesaround.terminal.side_panel import contract_lines

_CONTRACT_PART_WIDTH: Final = 40  # columns of each of the three parts that stand side by side


async def open_replay(app: App[int], games: Sequence[GameHistory], seat_names: Names) -> None:
    """Show the replay of a finished game of a table. Ask which one if there are several."""
    game_index: int | None = len(games) - 1
    if len(games) > 1:
        game_lines = [
            _game_line(game_index, game, seat_names) for game_index, game in enumerate(games, 1)
        ]
        game_index = await app.push_screen_wait(ListDialog("Which game?", game_lines))
    if game_index is not None:
        await app.push_screen_wait(ReplayScreen(games[game_index], seat_names))


def _game_line(game_number: int, game: GameHistory, seat_names: Names) -> str:
    """Return a line about a game: number, deals and scores."""
    assert game.last_state is not None
    scores = ", ".join(
        f"{seat_names.side_name(side)} {total}" for side, total in enumerate(game.last_state.scores)
    )
    return f"Game {game_number}: {pluralize(game.deal_count, 'deal')}, {scores}"


class ReplayScreen(Screen[None]):
    """A screen that shows a game deal by deal, step by step."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,enter", "step(1)", "On", key_display="→"),
        Binding("left", "step(-1)", "Back", key_display="←"),
        Binding("down", "trick(1)", "Trick", key_display="↓ ↑"),
        Binding("up", "trick(-1)", show=False),
        Binding("home", "end(0)", "Ends", key_display="Home End"),
        Binding("end", "end(1)", show=False),
        Binding("pagedown,n", "deal(1)", "Deal", key_display="n p"),
        Binding("pageup,p", "deal(-1)", show=False),
        Binding("w", "why", "Why"),
        Binding("escape,q", "leave", "Leave", key_display="q"),
    ]

    def __init__(self, game: GameHistory, seat_names: Names) -> None:
        super().__init__()
        self._game, self._seat_names = game, seat_names
        self._replay: Replay = self._load_deal(1)
        self.step_index = 0
        """The index of the step that is shown."""

    def _load_deal(self, deal: int) -> Replay:
        return replay(self._game, "", 1, deal, self._seat_names.seat)

    def compose(self) -> ComposeResult:
        """Yield headline, moment and keys."""
        yield Static(id="head")
        yield Static(id="moment")
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Show the first deal as it was dealt."""
        self._show_step()

    def _show_step(self) -> None:
        replay_deal, deals = self._replay, self._game.deal_count
        position = (
            f"deal {replay_deal.deal} of {deals} · {self.step_index + 1} of "
            f"{len(replay_deal.steps)}"
        )
        self.query_one("#head", Static).update(
            colour_cards(f" {replay_deal.title} · {position}", "#b9c9c1")
        )
        lines = step_lines(replay_deal.steps[: self.step_index + 1], self._seat_names)
        self.query_one("#moment", Static).update(Text("\n").join(lines))

    def action_step(self, step: int) -> None:
        """Go one action forward or back. Continue in the adjacent deal at either end."""
        step_index = self.step_index + step
        if 0 <= step_index < len(self._replay.steps):
            self.step_index = step_index
            self._show_step()
        else:
            self._show_deal(step, last=step < 0)

    def action_trick(self, step: int) -> None:
        """Go to the end of the next or the previous trick."""
        trick_ends = [
            index
            for index, replay_step in enumerate(self._replay.steps)
            if any(isinstance(event, ev.TrickWon) for event in replay_step.events)
        ]
        targets = (
            [index for index in trick_ends if index > self.step_index]
            if step > 0
            else [index for index in trick_ends if index < self.step_index]
        )
        if targets:
            self.step_index = targets[0] if step > 0 else targets[-1]
            self._show_step()

    def action_end(self, last: int) -> None:
        """Go to the first or the last step of the deal."""
        self.step_index = len(self._replay.steps) - 1 if last else 0
        self._show_step()

    def action_deal(self, step: int) -> None:
        """Go to the beginning of another deal."""
        self._show_deal(step, last=False)

    def _show_deal(self, step: int, *, last: bool) -> None:
        deal = self._replay.deal + step
        if 1 <= deal <= self._game.deal_count:
            self._replay = self._load_deal(deal)
            self.action_end(int(last))

    @work(exclusive=True)
    async def action_why(self) -> None:
        """Show what the best available bot would do next for the seat on turn, and why."""
        deal, step_index, step = (
            self._replay.deal,
            self.step_index,
            self._replay.steps[self.step_index],
        )
        warmup, name = process_warmup(), bots.hint_bot_name(self._game.rules)
        if bots.needs_warmup(name):
            warmup.start()
        while bots.needs_warmup(name) and not warmup.ready.is_set():
            self.query_one("#head", Static).update(f" {warmup}")
            await asyncio.sleep(0.2)
        rng = random.Random(f"{deal}:{step_index}")
        is_ready = warmup.error is None
        adviser = (
            bots.make_hint_bot(rng, HINT_SECONDS, self._game.rules)
            if is_ready
            else bots.make("thumb", rng)
        )
        self.query_one("#head", Static).update(" The best bot is thinking …")
        try:
            if not bots.has_hand_weights(adviser.name, self._game.rules):
                await run_in_thread(lambda: bots.measure_hand_weights(self._game.rules))
            answer = await run_in_thread(
                lambda: explain_step(self._game, deal, step_index, adviser)
            )
        except RecordError as error:
            self.notify(str(error))
        else:
            view = replace(_view_of_step(step, self._seat_names), seat=answer.seat)
            advice = _advice_from_answer(answer, info_pages.seat_namer(view, self._seat_names))
            is_lead = not view.trick
            title = (
                f"{self._seat_names.names[answer.seat]}: {suggestion_text(advice.action, is_lead)}"
            )
            await self.app.push_screen_wait(
                TextDialog(title, info_pages.advice_page(advice, view, self._seat_names))
            )
        self._show_step()

    def action_leave(self) -> None:
        """Close the replay."""
        self.dismiss()


def _advice_from_answer(answer: StepExplanation, name: SeatNamer) -> Advice:
    """Convert a `StepExplanation` message back to advice, with its reason as text."""

    def action(fields: list[Any]) -> Action:
        return action_from_json([answer.seat, *fields])[1]

    values = [ActionValue(action(o.action), o.points, o.chance, o.made or 0) for o in answer.tried]
    reason = "".join([part if isinstance(part, str) else name(part) for part in answer.reason])
    return Advice(action(answer.action), reason, tuple(values))


def step_lines(steps: Sequence[ReplayStep], seat_names: Names) -> list[Text]:
    """Return the lines about the moment after the last of these steps of a deal.

    The lines give the contract, the hands, the trick and what happened.
    """
    step = steps[-1]
    view = _view_of_step(step, seat_names)
    contract_texts = contract_lines(view, seat_names, _CONTRACT_PART_WIDTH)
    lines = [
        colour_cards(
            "  ".join(contract_texts) or "The bidding" * (view.rules.auction is not None),
            TEXT_STYLE,
        )
    ]
    name_width = max(len(name) for name in seat_names.names)
    lines.append(Text(""))
    for seat in view.players:
        mark = "▶" if seat == view.turn else " "
        line = Text(
            f"{mark} {seat_names.names[seat]:<{name_width}}  ",
            HIGHLIGHT_STYLE if seat == seat_names.seat else TEXT_STYLE,
        )
        line.append_text(colour_cards(_hand_by_suit(step.hands[seat]) or "-", TEXT_STYLE))
        lines.append(line)
    for label, cards in (("kitty", view.kitty), ("buried", view.buried or ())):
        if cards:
            lines.append(colour_cards(f"  {label}: {card_names(cards)}", DIM_STYLE))
    if view.upcard is not None:
        lines.append(colour_cards(f"  upcard: {view.upcard.pretty}", DIM_STYLE))
    lines += [Text(""), *_trick_lines(step, view, seat_names), Text("")]
    seen: Any = step.view
    alerts = alert_sentences(step.events, seen.auction, seen.call_meanings, seen.signals)
    lines += [
        colour_cards(line, TEXT_STYLE) for line in (*narrate(step.events, seat_names), *alerts)
    ]
    deal_events = [event for earlier_step in steps for event in earlier_step.events]
    scored = next((event for event in deal_events if isinstance(event, ev.DealScored)), None)
    if scored is not None:
        return [*lines, Text(""), summary.deal_end_page(deal_events, scored, seat_names)]
    points_text = "   ".join(
        f"{seat_names.side_name(side)} {points}" for side, points in enumerate(view.won)
    )
    return [
        *lines,
        Text(""),
        colour_cards(f"Won in tricks: {points_text}" if view.won else "", DIM_STYLE),
    ]


def _view_of_step(step: ReplayStep, seat_names: Names) -> View:
    """Return the view of a step with the rules added, because a step contains no rules.

    Fields that are not sent with a step keep their defaults.
    """
    fields = {name: getattr(step.view, name) for name, _ in GAME_FIELDS}
    return View(rules=seat_names.rules, **fields)


def _hand_by_suit(cards: Sequence[Card]) -> str:
    """Format a hand as `♠ A 10 K  ♥ Q`."""
    sorted_cards = sorted(cards)
    suits = []
    for suit in SUITS:
        ranks = [
            with_terminal_cards(card.pretty)[:-1] for card in sorted_cards if card.suit == suit
        ]
        if ranks:
            suits.append(f"{with_terminal_cards(suit.symbol)} {' '.join(ranks)}")
    return "  ".join(suits)


def _trick_lines(step: ReplayStep, view: View, seat_names: Names) -> list[Text]:
    """Return the line of the trick on the table, or of the trick that was just won."""
    trick_won = next((event for event in step.events if isinstance(event, ev.TrickWon)), None)
    if trick_won is not None:
        leader, cards = trick_won.leader, trick_won.cards
    elif view.trick and view.leader is not None:
        leader, cards = view.leader, view.trick
    else:
        return []
    line = Text("Trick:  ", DIM_STYLE)
    for seat, card in zip(seats_in_turn(view.players, leader), cards, strict=False):
        is_winner = trick_won is not None and seat == trick_won.seat
        line.append(f"{seat_names.names[seat]} ", TEXT_STYLE)
        line.append_text(colour_cards(f"[{card.pretty}]" if is_winner else card.pretty))
        line.append("  ")
    return [line]
