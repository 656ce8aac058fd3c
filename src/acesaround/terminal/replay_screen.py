"""The replay of a finished game, card by card, with all hands face up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any, ClassVar

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
from acesaround.bots.explanations import Name
from acesaround.bots.warmup import process_warmup
from acesaround.cards import SUITS, Card
from acesaround.errors import RecordError
from acesaround.game import events as ev
from acesaround.game.narration import Names, names, narrate, number, suggestion
from acesaround.game.view import View
from acesaround.record.model import from_json
from acesaround.table import GameHistory, replay, why
from acesaround.table.messages import GAME_FIELDS, Replay, Step, Why
from acesaround.terminal import info_pages, summary
from acesaround.terminal.background_thread import run_in_thread
from acesaround.terminal.card_art import BRIGHT, PLAIN, QUIET, coloured, with_terminal_cards
from acesaround.terminal.dialogs import ListDialog, TextDialog
from acesaround.terminal.info_pages import seats_in_turn
from acesaround.terminal.session import HINT
from acesaround.terminal.side_panel import contract


async def open_replay(app: App[int], games: Sequence[GameHistory], who: Names) -> None:
    """Show the replay of a finished game of a table. Ask which one if there are several."""
    at: int | None = len(games) - 1
    if len(games) > 1:
        listed = [_line(at, one, who) for at, one in enumerate(games, 1)]
        at = await app.push_screen_wait(ListDialog("Which game?", listed))
    if at is not None:
        await app.push_screen_wait(ReplayScreen(games[at], who))


def _line(number_of: int, game: GameHistory, who: Names) -> str:
    """Return a line about a game: number, deals and scores."""
    assert game.end is not None
    scores = ", ".join(f"{who.side(side)} {total}" for side, total in enumerate(game.end.scores))
    return f"Game {number_of}: {number(game.deals, 'deal')}, {scores}"


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

    def __init__(self, game: GameHistory, who: Names) -> None:
        super().__init__()
        self._game, self._who = game, who
        self._shown: Replay = self._read(1)
        self.at = 0
        """The index of the step that is shown."""

    def _read(self, deal: int) -> Replay:
        return replay(self._game, "", 1, deal, self._who.seat)

    def compose(self) -> ComposeResult:
        """Yield headline, moment and keys."""
        yield Static(id="head")
        yield Static(id="moment")
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Show the first deal as it was dealt."""
        self._show()

    def _show(self) -> None:
        shown, deals = self._shown, self._game.deals
        where = f"deal {shown.deal} of {deals} · {self.at + 1} of {len(shown.steps)}"
        self.query_one("#head", Static).update(coloured(f" {shown.title} · {where}", "#b9c9c1"))
        moment = rows(shown.steps[: self.at + 1], self._who)
        self.query_one("#moment", Static).update(Text("\n").join(moment))

    def action_step(self, step: int) -> None:
        """Go one action forward or back. Continue in the adjacent deal at either end."""
        at = self.at + step
        if 0 <= at < len(self._shown.steps):
            self.at = at
            self._show()
        else:
            self._turn_to(step, last=step < 0)

    def action_trick(self, step: int) -> None:
        """Go to the end of the next or the previous trick."""
        ends = [
            at
            for at, one in enumerate(self._shown.steps)
            if any(isinstance(event, ev.TrickWon) for event in one.events)
        ]
        there = (
            [at for at in ends if at > self.at] if step > 0 else [at for at in ends if at < self.at]
        )
        if there:
            self.at = there[0] if step > 0 else there[-1]
            self._show()

    def action_end(self, last: int) -> None:
        """Go to the first or the last step of the deal."""
        self.at = len(self._shown.steps) - 1 if last else 0
        self._show()

    def action_deal(self, step: int) -> None:
        """Go to the beginning of another deal."""
        self._turn_to(step, last=False)

    def _turn_to(self, step: int, *, last: bool) -> None:
        deal = self._shown.deal + step
        if 1 <= deal <= self._game.deals:
            self._shown = self._read(deal)
            self.action_end(int(last))

    @work(exclusive=True)
    async def action_why(self) -> None:
        """Show what the best available bot would do next for the seat on turn, and why."""
        deal, at, step = self._shown.deal, self.at, self._shown.steps[self.at]
        its, name = process_warmup(), bots.hint_bot_name(self._game.rules)
        if bots.needs_warmup(name):
            its.begin()
        while bots.needs_warmup(name) and not its.ready.is_set():
            self.query_one("#head", Static).update(f" {its}")
            await asyncio.sleep(0.2)
        rng = random.Random(f"{deal}:{at}")
        able = its.failed is None
        adviser = bots.hint_bot(rng, HINT, self._game.rules) if able else bots.make("thumb", rng)
        self.query_one("#head", Static).update(" The best bot here thinks about it …")
        try:
            if not bots.judged(adviser.name, self._game.rules):
                await run_in_thread(lambda: bots.judge(self._game.rules))
            told = await run_in_thread(lambda: why(self._game, deal, at, adviser))
        except RecordError as error:
            self.notify(str(error))
        else:
            shown = replace(_view(step, self._who), seat=told.seat)
            advice = _advice(told, info_pages.called(shown, self._who))
            leads = not shown.trick
            title = f"{self._who.names[told.seat]}: {suggestion(advice.action, leads)}"
            await self.app.push_screen_wait(
                TextDialog(title, info_pages.advised(advice, shown, self._who))
            )
        self._show()

    def action_leave(self) -> None:
        """Close the replay."""
        self.dismiss()


def _advice(told: Why, name: Name) -> Advice:
    """Convert a `Why` message back to advice, with its reason as text."""

    def action(of: list[Any]) -> Action:
        return from_json([told.seat, *of])[1]

    tried = [ActionValue(action(o.action), o.points, o.chance, o.made or 0) for o in told.tried]
    said = "".join([part if isinstance(part, str) else name(part) for part in told.because])
    return Advice(action(told.action), said, tuple(tried))


def rows(steps: Sequence[Step], who: Names) -> list[Text]:
    """Return the lines about the moment after the last of these steps of a deal.

    The lines give the contract, the hands, the trick and what happened.
    """
    step = steps[-1]
    view = _view(step, who)
    said = contract(view, who)
    made = [coloured("  ".join(said) or "The bidding" * (view.rules.auction is not None), PLAIN)]
    wide = max(len(name) for name in who.names)
    made.append(Text(""))
    for seat in view.players:
        mark = "▶" if seat == view.turn else " "
        line = Text(f"{mark} {who.names[seat]:<{wide}}  ", BRIGHT if seat == who.seat else PLAIN)
        line.append_text(coloured(_by_suit(step.hands[seat]) or "-", PLAIN))
        made.append(line)
    for what, cards in (("kitty", view.kitty), ("buried", view.buried or ())):
        if cards:
            made.append(coloured(f"  {what}: {names(cards)}", QUIET))
    if view.upcard is not None:
        made.append(coloured(f"  upcard: {view.upcard.pretty}", QUIET))
    made += [Text(""), *_trick(step, view, who), Text("")]
    made += [coloured(line, PLAIN) for line in narrate(step.events, who)]
    story = [event for one in steps for event in one.events]
    scored = next((event for event in story if isinstance(event, ev.DealScored)), None)
    if scored is not None:
        return [*made, Text(""), summary.deal_end(story, scored, who)]
    won = "   ".join(f"{who.side(side)} {points}" for side, points in enumerate(view.won))
    return [*made, Text(""), coloured(f"Won in tricks: {won}" if view.won else "", QUIET)]


def _view(step: Step, who: Names) -> View:
    """Return the view of a step with the rules added, because a step contains no rules.

    Fields that are not sent with a step keep their defaults.
    """
    fields = {name: getattr(step.view, name) for name, _ in GAME_FIELDS}
    return View(rules=who.rules, **fields)


def _by_suit(cards: Sequence[Card]) -> str:
    """Format a hand as `♠ A 10 K  ♥ Q`."""
    held = sorted(cards)
    suits = []
    for suit in SUITS:
        ranks = [with_terminal_cards(card.pretty)[:-1] for card in held if card.suit == suit]
        if ranks:
            suits.append(f"{with_terminal_cards(suit.symbol)} {' '.join(ranks)}")
    return "  ".join(suits)


def _trick(step: Step, view: View, who: Names) -> list[Text]:
    """Return the line of the trick on the table, or of the trick that was just won."""
    won = next((event for event in step.events if isinstance(event, ev.TrickWon)), None)
    if won is not None:
        leader, cards = won.leader, won.cards
    elif view.trick and view.leader is not None:
        leader, cards = view.leader, view.trick
    else:
        return []
    line = Text("Trick:  ", QUIET)
    for seat, card in zip(seats_in_turn(view.players, leader), cards, strict=False):
        best = won is not None and seat == won.seat
        line.append(f"{who.names[seat]} ", PLAIN)
        line.append_text(coloured(f"[{card.pretty}]" if best else card.pretty))
        line.append("  ")
    return [line]
