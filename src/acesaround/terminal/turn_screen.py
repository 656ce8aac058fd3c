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
    Bury,
    Discard,
    Give,
    LayMeld,
    NameTrump,
    Play,
)
from acesaround.cards import Suit
from acesaround.errors import IllegalAction
from acesaround.game.concession import concede_sentence
from acesaround.game.narration import card_names, suggestion_text
from acesaround.game.state import Decision, DecisionKind
from acesaround.legal_bids import Bids
from acesaround.table import Command, CommandRefused
from acesaround.table.alerts import meaning_of_next_call
from acesaround.table.commands import Claim, Pause, RequestHint, Resume, Undo
from acesaround.terminal import info_pages, prompts
from acesaround.terminal.base_screen import BaseScreen
from acesaround.terminal.choice_bar import Bar, Choice
from acesaround.terminal.dialogs import ListDialog
from acesaround.terminal.hand import Hand
from acesaround.terminal.pauses import PACES
from acesaround.terminal.session import Session, ShownEntry

MARKED_ACTION_TYPES: dict[DecisionKind, type[Bury | Give | Discard]] = {
    DecisionKind.BURY: Bury,
    DecisionKind.GIVE: Give,
    DecisionKind.DISCARD: Discard,
}

BAR_DECISIONS: Final = (DecisionKind.BID, DecisionKind.TRUMP, DecisionKind.UPCARD)
"""Decisions that are made on the bar, and not with cards of the hand."""

TABLE_COMMANDS: Final[tuple[tuple[str, str, Command], ...]] = (
    ("u Take back", "undo", Undo()),
    ("c Claim the rest", "claim", Claim()),
    ("h Hint", "hint", RequestHint()),
)
"""Commands to the table that are not actions of the game: label, value, command."""
REASONS_TITLE = "Reasons of the bots in the last deal"


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
        return not self.has_left

    # Asking

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._answer_future: asyncio.Future[list[ShownEntry]] | None = None
        self._typed_bid = ""
        self._command_choices: tuple[Choice, ...] = ()
        self.pending_entries: list[ShownEntry] = []
        """The entries from the person's commands that are not shown yet."""
        self.command_event = asyncio.Event()
        self.has_left = False
        """Whether the person has left the table."""

    async def ask_decision(self, decision: Decision) -> list[ShownEntry]:
        """Ask the person until there is a legal answer. Return [] if a command intervened."""
        if self.session.settings.auto and decision.kind is DecisionKind.PLAY and decision.is_forced:
            self.show_view(self.session.view)
            await self.pause_for(PACES[self.session.settings.pace].before_action)
            return self.session.send_action(next(iter(decision.legal)))
        self._answer_future = asyncio.get_running_loop().create_future()
        self.decision, self._typed_bid = decision, ""
        self.show_view(self.session.view)
        self._start_decision(decision)
        shown_entries = await self._answer_future
        self.decision, self._answer_future = None, None
        self.query_one(Bar).show_choices(())
        return shown_entries

    def _start_decision(self, decision: Decision) -> None:
        """Set up hand and bar for a decision."""
        hand, bar = self.query_one(Hand), self.query_one(Bar)
        self._command_choices = self._allowed_commands()
        match decision.kind:
            case DecisionKind.BID:
                bids = decision.legal
                assert isinstance(bids, Bids)
                bar.show_choices(prompts.bid_choices(bids, 0), cursor=int(bids.may_pass))
            case DecisionKind.TRUMP:
                trump_choices = prompts.trump_choices(decision, self.session.view)
                bar.show_choices([*trump_choices, *self._command_choices], cursor=0)
            case DecisionKind.UPCARD:
                upcard_choices = prompts.upcard_choices(decision, self.session.view)
                bar.show_choices([*upcard_choices, *self._command_choices], cursor=0)
            case DecisionKind.PLAY:
                hand.start_choosing(prompts.playable_cards(decision))
            case _:
                hand.start_choosing(self.session.view.hand)
        self._update_prompt()

    def _bid_alert(self, decision: Decision) -> str:
        """Return what the bid under the cursor would say by convention, "" for nothing."""
        bar = self.query_one(Bar)
        if decision.kind is not DecisionKind.BID or bar.cursor is None:
            return ""
        word, _, points = bar.choices[bar.cursor].value.partition(" ")
        if word != "bid":
            return ""
        view, is_natural = self.session.view, self.session.is_natural
        meaning = meaning_of_next_call(view, self.session.seat, int(points), is_natural)
        return f"{points}: {meaning.short}" if meaning and meaning.convention else ""

    def _update_prompt(self) -> None:
        """Update the prompt and the buttons for the current cursor and marks."""
        decision = self.decision
        if decision is None:
            return
        self.clear_refusal()
        hand, bar = self.query_one(Hand), self.query_one(Bar)
        meld_count = (
            sum(isinstance(action, LayMeld) for action in decision.legal)
            if (decision.kind is DecisionKind.PLAY)
            else 0
        )
        card = None if hand.cursor is None else hand.cards[hand.cursor]
        prompt_line = prompts.prompt_text(
            decision,
            self.session.view,
            self.seat_names,
            card=card,
            marked_count=len(hand.marked),
            meld_count=meld_count,
            alert=self._bid_alert(decision),
        )
        if self._typed_bid:
            prompt_line = (
                f"Bid {self._typed_bid}_   Enter bids, Backspace corrects, Escape clears it."
            )
        self.show_prompt(prompt_line)
        if decision.kind not in BAR_DECISIONS:
            bar.show_choices(
                prompts.card_choices(decision, len(hand.marked), meld_count, self._command_choices)
            )

    def _allowed_commands(self, *other_choices: Choice) -> tuple[Choice, ...]:
        """Return the commands that the table would accept now, then `other_choices`."""
        allowed = [
            Choice(label, value)
            for label, value, command in TABLE_COMMANDS
            if self.session.accepts(command)
        ]
        return (*allowed, *other_choices)

    def waiting_choices(self) -> tuple[Choice, ...]:
        """Return the choices while another seat is to act."""
        if self.session.is_paused:
            return (Choice("b Go on", "break"),)
        return (*super().waiting_choices(), *self._allowed_commands(Choice("b Pause", "break")))

    def send_command(self, command: Command) -> None:
        """Send a command that is not an action to the table. Show the reason of a refusal."""
        try:
            self.pending_entries += self.session.send_command(command)
        except CommandRefused as error:
            self.show_refusal(str(error))
            return
        if self._answer_future is not None and not self._answer_future.done():
            self._answer_future.set_result([])
        self.end_pause()
        self.command_event.set()

    def action_undo(self) -> None:
        """Take back the last action."""
        self.send_command(Undo())

    def action_claim(self) -> None:
        """Claim the rest of the tricks."""
        self.send_command(Claim())

    def action_break(self) -> None:
        """Pause or resume the table."""
        self.send_command(Resume() if self.session.is_paused else Pause())

    def _submit(self, action: Action) -> None:
        """Try an action of the person. Show the reason of a refusal, which changes nothing."""
        if self._answer_future is None or self._answer_future.done():
            return
        try:
            broken_rule = self.session.broken_rule(action)
            if broken_rule is None:
                self._answer_future.set_result(self.session.send_action(action))
                return
        except (IllegalAction, CommandRefused) as error:
            self.show_refusal(str(error))
            return
        self._confirm(
            "That breaks a rule",
            f"{broken_rule} This table accepts it, but then the deal ends and you lose it.",
            action,
        )

    @work(exclusive=True, group="confirm")
    async def _confirm(self, title: str, question: str, action: Action) -> None:
        choices = (("y", "Yes, do it", "yes"), ("n", "No, back", ""))
        if (
            await self.show_page(title, question, choices, needs_own_key=True)
            and self._answer_future is not None
        ):
            self._answer_future.set_result(self.session.send_action(action))

    @work(exclusive=True, group="confirm")
    async def _choose_meld(self) -> None:
        melds = self.session.layable_melds()
        lines = [f"{meld.name:<18}{meld.points:>5}   {card_names(meld.cards)}" for meld in melds]
        note = "You may lay one meld now, before you lead. You can still play its cards."
        picked = await self.app.push_screen_wait(ListDialog("Lay down a meld", lines, note))
        if picked is not None:
            self._submit(LayMeld(melds[picked].cards))

    @work(exclusive=True, group="confirm")
    async def action_hint(self) -> None:
        """Show what the best available bot would do, why, and its alternatives. Enter does it."""
        asked_decision = self.decision
        try:
            self.session.send_command(RequestHint())
        except CommandRefused as error:
            self.show_refusal(str(error))
            return
        if asked_decision is None:
            return
        await self.wait_for_warmup(bots.needs_warmup(bots.hint_bot_name(self.session.rules)))
        if self._is_decided(asked_decision):
            return
        advice = await self.run_with_timer("Preparing the hint", self.session.prepare_hint())
        if advice is None or self._is_decided(asked_decision):
            return
        self._update_prompt()
        view = self.session.view
        body, action_text = (
            info_pages.advice_page(advice, view, self.seat_names),
            suggestion_text(advice.action, is_lead=not view.trick),
        )
        choices = (("enter", "Do it", "do"), ("escape", "Back", ""))
        if await self.show_page(f"Hint: {action_text}", body, choices, needs_own_key=True):
            self._submit(advice.action)
        else:
            self._show_suggestion(advice.action)

    def _is_decided(self, decision: Decision) -> bool:
        """Return whether the decision `decision` is no longer open."""
        return (
            self.decision is not decision
            or self._answer_future is None
            or self._answer_future.done()
        )

    def action_why(self) -> None:
        """Show the reasons of the bots in the last finished deal, where all cards are known."""
        if not self.session.bot_reasons:
            self.show_refusal("You can see the bots' reasons when the deal is over.")
            return
        self.run_worker(self._show_reasons(), exclusive=True, group="confirm")

    async def _show_reasons(self) -> None:
        text = info_pages.bot_reasons_page(self.session.bot_reasons, self.seat_names)
        await self.show_page(REASONS_TITLE, text)

    def _show_suggestion(self, action: Action) -> None:
        """Put the cursor or marks on the suggested cards."""
        hand = self.query_one(Hand)
        match action:
            case Play(card):
                hand.move_cursor_to(card)
            case Bury(cards) | Give(cards) | Discard(cards):
                hand.mark_only(cards)
        self._update_prompt()

    # Keys and mouse

    def action_step(self, step: int) -> None:
        """Move left or right along the choices or the hand."""
        decision, bar = self.decision, self.query_one(Bar)
        if decision is not None and bar.cursor is not None:
            cursor = bar.cursor + step
            if isinstance(decision.legal, Bids) and decision.legal.is_unbounded:
                cursor = max(0, cursor)
                bar.show_choices(prompts.bid_choices(decision.legal, cursor), cursor)
            else:
                bar.show_choices(bar.choices, cursor % len(bar.choices))
            self._typed_bid = ""
        else:
            self.query_one(Hand).move_cursor(step)
        self._update_prompt()

    def action_jump(self, step: int) -> None:
        """Move up or down in the hand, or along the choices."""
        if self.query_one(Bar).cursor is not None:
            self.action_step(-step)
            return
        self.query_one(Hand).jump_to_row(step)
        self._update_prompt()

    def action_tab(self, step: int) -> None:
        """Move to the next card that may be played."""
        self.query_one(Hand).move_cursor(step, legal_only=True)
        self._update_prompt()

    def action_space(self) -> None:
        """Continue, or mark a card."""
        if self.session.is_paused:
            self.action_break()
        elif self.is_in_pause:
            self.end_pause()
        elif self.decision is not None and self.decision.kind in prompts.MARKED_DECISIONS:
            hand = self.query_one(Hand)
            if hand.cursor is not None:
                hand.toggle_mark(hand.cursor)
                self._update_prompt()

    def action_enter(self) -> None:
        """Do what the prompt says."""
        decision, hand, bar = self.decision, self.query_one(Hand), self.query_one(Bar)
        if decision is None:
            return
        if self._typed_bid:
            typed, self._typed_bid = self._typed_bid, ""
            self._update_prompt()
            self._submit(Bid(int(typed)))
        elif bar.cursor is not None:
            self.action_press(bar.choices[bar.cursor].value)
        elif decision.kind is DecisionKind.PLAY and PASS in decision.legal:
            self._submit(PASS)
        elif decision.kind in prompts.MARKED_DECISIONS:
            self._submit(MARKED_ACTION_TYPES[decision.kind](hand.marked_cards()))
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
        word, _, argument = value.partition(" ")
        match word:
            case "pass":
                self._submit(PASS)
            case "bid":
                self._submit(Bid(int(argument)))
            case "trump":
                self._submit(NameTrump(Suit(argument)))
            case "option":
                self._submit(list(self.decision.legal)[int(argument) - 1])
            case "enter":
                self.action_enter()
            case "hint":
                self.action_hint()
            case "lay":
                if self.session.layable_melds():
                    self._choose_meld()
                else:
                    self.show_refusal("There is no meld to lay down now.")
            case "concede":
                self._confirm_concede()

    def _confirm_concede(self) -> None:
        """Ask for confirmation before giving up."""
        assert self.decision is not None
        if CONCEDE not in self.decision.legal:
            self.show_refusal("You cannot give up here.")
            return
        self._confirm(
            "Give up this deal?",
            f"{concede_sentence(self.session.view)} No card is played.",
            CONCEDE,
        )

    def on_key(self, event: events.Key) -> None:
        """Handle a typed bid, and trumps and upcard choices by number."""
        decision = self.decision
        if decision is None:
            return
        if (
            decision.kind is DecisionKind.TRUMP
            and (suit := prompts.suit_of_key(event.key)) is not None
        ):
            self._submit(NameTrump(suit))
        elif decision.kind is DecisionKind.UPCARD and event.key in ("1", "2"):
            self.action_press(f"option {event.key}")
        elif decision.kind is DecisionKind.BID:
            if event.character and event.character.isdigit() and len(self._typed_bid) < 6:
                self._typed_bid += event.character
            elif event.key == "backspace":
                self._typed_bid = self._typed_bid[:-1]
            elif event.key == "escape":
                self._typed_bid = ""
            else:
                return
            self._update_prompt()

    def on_bar_pressed(self, message: Bar.Pressed) -> None:
        """Do the clicked choice."""
        self.action_press(message.value)

    def on_hand_picked(self, message: Hand.Picked) -> None:
        """Play or mark the clicked card."""
        if self.decision is None:
            return
        if self.decision.kind in prompts.MARKED_DECISIONS:
            self.query_one(Hand).toggle_mark(message.index)
            self._update_prompt()
        else:
            self._submit(Play(self.query_one(Hand).cards[message.index]))

    def on_hand_pointed(self) -> None:
        """Update the prompt, because the mouse moved the cursor to another card."""
        self._update_prompt()
