"""The person's turn: the questions that the table's screen asks, and the use of keys and mouse.

The base of the table's screen. It shows views and takes the person's answers. The loop that runs
the game is in `table_screen`.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final

from textual import events, work
from textual.binding import Binding, BindingType

from acesaround import bots
from acesaround.actions import (
    CONCEDE,
    PASS,
    Action,
    Bid,
    Bids,
    Bury,
    Discard,
    Give,
    LayMeld,
    NameTrump,
    Play,
)
from acesaround.cards import Suit
from acesaround.errors import IllegalAction
from acesaround.game.narration import names, suggestion
from acesaround.game.state import Decision, Kind
from acesaround.table import Command, Refused
from acesaround.table.commands import Claim, Hint, Pause, Resume, Undo
from acesaround.terminal import info_pages, prompts
from acesaround.terminal.base_screen import BaseScreen
from acesaround.terminal.choice_bar import Bar, Choice
from acesaround.terminal.dialogs import ListDialog
from acesaround.terminal.hand import Hand
from acesaround.terminal.session import Moment, Session
from acesaround.terminal.speed import PACES

MAKES: dict[Kind, type[Bury | Give | Discard]] = {
    Kind.BURY: Bury,
    Kind.GIVE: Give,
    Kind.DISCARD: Discard,
}

ON_THE_BAR: Final = (Kind.BID, Kind.TRUMP, Kind.UPCARD)
"""Decisions that are made on the bar, and not with cards of the hand."""

ORDERS: Final[tuple[tuple[str, str, Command], ...]] = (
    ("u Take back", "undo", Undo()),
    ("c Claim the rest", "claim", Claim()),
    ("h Hint", "hint", Hint()),
)
"""Commands to the table that are not actions of the game: label, value, command."""
WHY = "Why the bots did that, in the last deal that is over"


class TurnScreen(BaseScreen):
    """A table that asks one person for decisions."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
        Binding("up", "jump(-1)", show=False),
        Binding("down", "jump(1)", show=False),
        Binding("tab", "tab(1)", show=False),
        Binding("shift+tab", "tab(-1)", show=False),
        Binding("enter", "enter", show=False),
        Binding("space", "space", show=False),
        Binding("p", "press('pass')", show=False),
        Binding("d", "press('lay')", show=False),
        Binding("g", "press('concede')", show=False),
        Binding("u", "undo", show=False),
        Binding("c", "claim", show=False),
        Binding("b", "break", "Pause"),
        Binding("h", "hint", "Hint"),
        Binding("w", "why", show=False),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable all keys after the person has left, because keys may be typed ahead."""
        return not self.left

    # Asking

    def __init__(self, match: Session) -> None:
        super().__init__(match)
        self._answer: asyncio.Future[list[Moment]] | None = None
        self._typed = ""
        self._offers: tuple[Choice, ...] = ()
        self.happened: list[Moment] = []
        """The moments from the person's commands that are not shown yet."""
        self.ordered = asyncio.Event()
        self.left = False
        """Whether the person has left the table."""

    async def ask(self, decision: Decision) -> list[Moment]:
        """Ask the person until there is a legal answer. Return [] if a command intervened."""
        if self.match.playing.auto and decision.kind is Kind.PLAY and decision.forced:
            self.show(self.match.view)
            await self.pause(PACES[self.match.playing.pace].action)
            return self.match.do(next(iter(decision.legal)))
        self._answer = asyncio.get_running_loop().create_future()
        self.decision, self._typed = decision, ""
        self.show(self.match.view)
        self._open(decision)
        moments = await self._answer
        self.decision, self._answer = None, None
        self.query_one(Bar).show(())
        return moments

    def _open(self, decision: Decision) -> None:
        """Set up hand and bar for a decision."""
        hand, bar = self.query_one(Hand), self.query_one(Bar)
        self._offers = self._offered()
        match decision.kind:
            case Kind.BID:
                bids = decision.legal
                assert isinstance(bids, Bids)
                bar.show(prompts.bid_choices(bids, 0), cursor=int(bids.may_pass))
            case Kind.TRUMP:
                trumps = prompts.trump_choices(decision, self.match.view)
                bar.show([*trumps, *self._offers], cursor=0)
            case Kind.UPCARD:
                turned = prompts.upcard_choices(decision, self.match.view)
                bar.show([*turned, *self._offers], cursor=0)
            case Kind.PLAY:
                hand.ask(prompts.playable(decision))
            case _:
                hand.ask(self.match.view.hand)
        self._explain()

    def _explain(self) -> None:
        """Update the prompt and the buttons for the current cursor and marks."""
        decision = self.decision
        if decision is None:
            return
        self.settle()
        hand, bar = self.query_one(Hand), self.query_one(Bar)
        lays = (
            sum(isinstance(action, LayMeld) for action in decision.legal)
            if (decision.kind is Kind.PLAY)
            else 0
        )
        card = None if hand.cursor is None else hand.cards[hand.cursor]
        line = prompts.prompt(
            decision, self.match.view, self.who, card=card, marked=len(hand.marked), lays=lays
        )
        if self._typed:
            line = f"Bid {self._typed}_   Enter bids, Backspace corrects, Escape forgets it."
        self.prompt(line)
        if decision.kind not in ON_THE_BAR:
            bar.show(prompts.card_choices(decision, len(hand.marked), lays, self._offers))

    def _offered(self, *others: Choice) -> tuple[Choice, ...]:
        """Return the commands that the table would accept now as choices, followed by `others`."""
        may = [Choice(label, value) for label, value, order in ORDERS if self.match.may(order)]
        return (*may, *others)

    def meanwhile(self) -> tuple[Choice, ...]:
        """Return the choices while another seat is to act."""
        if self.match.paused:
            return (Choice("b Go on", "break"),)
        return (*super().meanwhile(), *self._offered(Choice("b Pause", "break")))

    def send_command(self, command: Command) -> None:
        """Send a command that is not an action to the table. Show the reason of a refusal."""
        try:
            self.happened += self.match.ask(command)
        except Refused as refusal:
            self.refuse(str(refusal))
            return
        if self._answer is not None and not self._answer.done():
            self._answer.set_result([])
        self.go_on()
        self.ordered.set()

    def action_undo(self) -> None:
        """Take back the last action."""
        self.send_command(Undo())

    def action_claim(self) -> None:
        """Claim the rest of the tricks."""
        self.send_command(Claim())

    def action_break(self) -> None:
        """Pause or resume the table."""
        self.send_command(Resume() if self.match.paused else Pause())

    def _submit(self, action: Action) -> None:
        """Try an action of the person. Show the reason of a refusal, which changes nothing."""
        if self._answer is None or self._answer.done():
            return
        try:
            broken = self.match.offence(action)
            if broken is None:
                self._answer.set_result(self.match.do(action))
                return
        except (IllegalAction, Refused) as refusal:
            self.refuse(str(refusal))
            return
        self._confirm(
            "That breaks a rule",
            f"{broken} At this table it is accepted, but the deal ends at once and you lose it.",
            action,
        )

    @work(exclusive=True, group="confirm")
    async def _confirm(self, title: str, question: str, action: Action) -> None:
        choices = (("y", "Yes, do it", "yes"), ("n", "No, back", ""))
        if await self.page(title, question, choices, safe=True) and self._answer is not None:
            self._answer.set_result(self.match.do(action))

    @work(exclusive=True, group="confirm")
    async def _lay(self) -> None:
        melds = self.match.lays()
        lines = [f"{meld.name:<18}{meld.points:>5}   {names(meld.cards)}" for meld in melds]
        note = "One meld, once, before leading. Its cards stay playable."
        picked = await self.app.push_screen_wait(ListDialog("Lay down a meld", lines, note))
        if picked is not None:
            self._submit(LayMeld(melds[picked].cards))

    @work(exclusive=True, group="confirm")
    async def action_hint(self) -> None:
        """Show what the best available bot would do, why, and its alternatives. Enter does it."""
        wanted = self.decision
        try:
            self.match.ask(Hint())
        except Refused as refusal:
            self.refuse(str(refusal))
            return
        if wanted is None:
            return
        await self.prepared(bots.needs_warmup(bots.hint_bot_name(self.match.rules)))
        if self._decided(wanted):
            return
        told = await self.thinking("The hint is being thought about", self.match.hint())
        if told is None or self._decided(wanted):
            return
        self._explain()
        seen = self.match.view
        body, does = (
            info_pages.advised(told, seen, self.who),
            suggestion(told.action, leads=not seen.trick),
        )
        choices = (("enter", "Do it", "do"), ("escape", "Back", ""))
        if await self.page(f"Hint: {does}", body, choices, safe=True):
            self._submit(told.action)
        else:
            self._suggest(told.action)

    def _decided(self, wanted: Decision) -> bool:
        """Return whether the decision `wanted` is no longer open."""
        return self.decision is not wanted or self._answer is None or self._answer.done()

    def action_why(self) -> None:
        """Show the reasons of the bots in the last finished deal, when they reveal nothing."""
        if not self.match.thoughts:
            self.refuse("Why a bot did something is told when the deal is over: not before.")
            return
        self.run_worker(self._why(), exclusive=True, group="confirm")

    async def _why(self) -> None:
        text = info_pages.thoughts(self.match.thoughts, self.who)
        await self.page(WHY, text)

    def _suggest(self, action: Action) -> None:
        """Put the cursor or marks on the suggested cards."""
        hand = self.query_one(Hand)
        match action:
            case Play(card):
                hand.point(card)
            case Bury(cards) | Give(cards) | Discard(cards):
                hand.mark(cards)
        self._explain()

    # Keys and mouse

    def action_step(self, step: int) -> None:
        """Move left or right along the choices or the hand."""
        decision, bar = self.decision, self.query_one(Bar)
        if decision is not None and bar.cursor is not None:
            at = bar.cursor + step
            if isinstance(decision.legal, Bids) and decision.legal.unbounded:
                at = max(0, at)
                bar.show(prompts.bid_choices(decision.legal, at), at)
            else:
                bar.show(bar.choices, at % len(bar.choices))
            self._typed = ""
        else:
            self.query_one(Hand).move(step)
        self._explain()

    def action_jump(self, step: int) -> None:
        """Move up or down in the hand, or along the choices."""
        if self.query_one(Bar).cursor is not None:
            self.action_step(-step)
            return
        self.query_one(Hand).jump(step)
        self._explain()

    def action_tab(self, step: int) -> None:
        """Move to the next card that may be played."""
        self.query_one(Hand).move(step, legal_only=True)
        self._explain()

    def action_space(self) -> None:
        """Go on, or mark a card."""
        if self.match.paused:
            self.action_break()
        elif self.holding:
            self.go_on()
        elif self.decision is not None and self.decision.kind in prompts.MARKING:
            hand = self.query_one(Hand)
            if hand.cursor is not None:
                hand.toggle(hand.cursor)
                self._explain()

    def action_enter(self) -> None:
        """Do what the prompt says."""
        decision, hand, bar = self.decision, self.query_one(Hand), self.query_one(Bar)
        if decision is None:
            return
        if self._typed:
            typed, self._typed = self._typed, ""
            self._explain()
            self._submit(Bid(int(typed)))
        elif bar.cursor is not None:
            self.action_press(bar.choices[bar.cursor].value)
        elif decision.kind is Kind.PLAY and PASS in decision.legal:
            self._submit(PASS)
        elif decision.kind in prompts.MARKING:
            self._submit(MAKES[decision.kind](hand.chosen()))
        elif hand.cursor is not None:
            self._submit(Play(hand.cards[hand.cursor]))

    def action_press(self, value: str) -> None:
        """Do a choice of the bar, by click or key."""
        match value:
            case "go":
                self.action_space()
            case "undo":
                self.action_undo()
            case "claim":
                self.action_claim()
            case "break":
                self.action_break()
        if self.decision is None:
            return
        word, _, rest = value.partition(" ")
        match word:
            case "pass":
                self._submit(PASS)
            case "bid":
                self._submit(Bid(int(rest)))
            case "trump":
                self._submit(NameTrump(Suit(rest)))
            case "option":
                self._submit(list(self.decision.legal)[int(rest) - 1])
            case "enter":
                self.action_enter()
            case "hint":
                self.action_hint()
            case "lay":
                if self.match.lays():
                    self._lay()
                else:
                    self.refuse("There is no meld to lay down now.")
            case "concede":
                self._concede()

    def _concede(self) -> None:
        """Ask for confirmation before giving up."""
        assert self.decision is not None
        if CONCEDE not in self.decision.legal:
            self.refuse("Giving up is not offered here.")
            return
        bid = self.match.view.bid
        self._confirm(
            "Give up this deal?",
            f"You lose your bid of {bid}, and the others score their meld. No card is played.",
            CONCEDE,
        )

    def on_key(self, event: events.Key) -> None:
        """Handle a typed bid, and trumps and upcard choices by number."""
        decision = self.decision
        if decision is None:
            return
        if decision.kind is Kind.TRUMP and (suit := prompts.suit_at(event.key)) is not None:
            self._submit(NameTrump(suit))
        elif decision.kind is Kind.UPCARD and event.key in ("1", "2"):
            self.action_press(f"option {event.key}")
        elif decision.kind is Kind.BID:
            if event.character and event.character.isdigit() and len(self._typed) < 6:
                self._typed += event.character
            elif event.key == "backspace":
                self._typed = self._typed[:-1]
            elif event.key == "escape":
                self._typed = ""
            else:
                return
            self._explain()

    def on_bar_pressed(self, message: Bar.Pressed) -> None:
        """Do the clicked choice."""
        self.action_press(message.value)

    def on_hand_picked(self, message: Hand.Picked) -> None:
        """Play or mark the clicked card."""
        if self.decision is None:
            return
        if self.decision.kind in prompts.MARKING:
            self.query_one(Hand).toggle(message.index)
            self._explain()
        else:
            self._submit(Play(self.query_one(Hand).cards[message.index]))

    def on_hand_pointed(self) -> None:
        """Update the prompt, because the mouse moved the cursor to another card."""
        self._explain()
