"""The table as a screen: runs the game, shows each moment long enough, and lays pages over it.

`_play_on` is the only place where the game moves. It shows moments that the match hands out (views
and projected events) and waits: for time to pass, for a key, for the person's action.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual import work
from textual.binding import Binding, BindingType

from acesaround import bots
from acesaround import events as ev
from acesaround.actions import Action
from acesaround.bots.preparing import preparation
from acesaround.terminal import pages, summary
from acesaround.terminal.match import Moment
from acesaround.terminal.pace import PACES, shifted
from acesaround.terminal.screens import Page
from acesaround.terminal.turn import WHY, TurnScreen
from acesaround.terminal.words import told
from acesaround.view import View

LOOK = ev.KittyShown | ev.MeldLaid | ev.TrumpNamed | ev.Given | ev.UpcardExchanged
"""What another seat does that takes a moment to look at."""


class TableScreen(TurnScreen):
    """One game at one table. The result says whether the person wants another one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "melds", "Melds"),
        Binding("l", "last", "Last trick"),
        Binding("t", "deal", "This deal"),
        Binding("s", "score", "Score"),
        Binding("r", "rules", "Rules"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "leave", "Quit"),
        Binding("f1", "help", show=False),
        Binding("ctrl+c", "leave", show=False),
        Binding("plus,equals_sign", "faster", show=False),
        Binding("minus", "slower", show=False),
        Binding("a", "auto", show=False),
    ]

    def on_mount(self) -> None:
        """Begin, or go on where the saved game stands."""
        self.log_lines = told(self.match.story, self.who)
        self.show(self.match.view)
        if self.log_lines:
            self.say(f"You are back at the table. {self.log_lines[-1]}")
        if any(bots.searches(name) for name in self.match.others):
            preparation().begin()
        self._play_on()

    def on_unmount(self) -> None:
        """Nobody plays here any more."""
        self.match.close()

    # The game

    @work(exclusive=True)
    async def _play_on(self) -> None:
        """Move the game until it is over."""
        scored = self.match.story[-1] if self.match.story else None
        if isinstance(scored, ev.DealScored):  # resumed between two deals
            await self._show_score(scored)
        held = True  # nothing has happened yet that one would have to look at
        while not self.match.over:
            await self.in_front()
            decision = self.match.decision
            if decision is None:
                if not held:
                    await self.pause(PACES[self.match.playing.pace].action)
                    await self.in_front()
                moment = self.match.do(await self._thought())
            else:
                moment = await self.ask(decision)
            for complaint in self.match.complaints():
                self.notify(complaint, severity="warning", timeout=10)
            held = await self._tell(moment)
        winner = self.match.view.winner
        assert winner is not None
        self.say("The game is over.")
        body = summary.game_end(self.match.sheet[-1], winner, self.who)
        choices = (("n", "Another game", "again"), ("s", "Score sheet", "score"), ("q", "Quit", ""))
        while (wish := await self.page("The end of the game", body, choices, safe=True)) == "score":
            await self.page("Score sheet", pages.score_sheet(self.match.sheet, self.who))
        self.dismiss(wish == "again")

    async def _thought(self) -> Action:
        """What chance or the bot on turn does."""
        await self.prepared(self.match.searches)
        turn = self.match.view.turn
        who = "" if turn is None else f"{self.who.names[turn]} is thinking"
        return await self.thinking(who, self.match.think)

    async def _tell(self, moment: Moment) -> bool:
        """Show what happened, and wait as long as it takes to see it. False: it did not wait."""
        if any(isinstance(event, ev.Dealt) for event in moment.events):
            self.log_lines.clear()
        lines = told(moment.events, self.who)
        self.log_lines += lines
        self.say(" ".join(lines))
        mine = moment.seat == self.who.seat
        if mine:
            self.received = ()
        self._receive(moment.events)
        trick = next((event for event in moment.events if isinstance(event, ev.TrickWon)), None)
        scored = next((event for event in moment.events if isinstance(event, ev.DealScored)), None)
        if trick is not None:
            await self._show_trick(moment, trick, moment.before if scored else moment.view)
        elif scored is None:
            self.show(moment.view)
        melded = [event for event in moment.events if isinstance(event, ev.Melded)]
        if melded:
            laid = replace(moment.before, melds=pages.laid(melded))
            await self.page("Melds", pages.melds(laid, self.who))
        if scored is not None:
            await self._show_score(scored)
        elif any(isinstance(event, LOOK) for event in moment.events) and not mine:
            await self.pause(PACES[self.match.playing.pace].trick)
        else:
            return trick is not None or bool(melded)
        return True

    def _receive(self, happened: Iterable[ev.Event]) -> None:
        """Remember which cards have just come into the hand, so that they can be marked."""
        for event in happened:
            match event:
                case ev.Dealt():
                    self.received = ()
                case ev.KittyShown(seat, cards) if seat == self.who.seat:
                    self.received = cards
                case ev.Given(cards=cards, to=to) if to == self.who.seat and cards:
                    self.received = cards
                case ev.Drew(seat, _, cards) if seat == self.who.seat and cards:
                    self.received = cards
                case ev.UpcardDrawn(seat, card) if seat == self.who.seat:
                    self.received = (card,)
                case ev.UpcardExchanged(seat, taken, _) if seat == self.who.seat:
                    self.received = (taken,)

    async def _show_trick(self, moment: Moment, trick: ev.TrickWon, after: View) -> None:
        """Let a finished trick lie on the table for a while."""
        seats = pages.order(after.players, trick.leader)
        lying = tuple(zip(seats, trick.cards, strict=True))
        if after is moment.before:  # the deal is over with it
            held = list(after.hand)
            if moment.seat == self.who.seat:
                held.remove(trick.cards[-1])
            after = replace(after, hand=tuple(held), turn=None)
        self.show(after, lying, trick.seat)
        seconds = PACES[self.match.playing.pace].trick
        self.prompt("Space: go on", waiting=True)
        await self.pause(seconds)

    async def _show_score(self, scored: ev.DealScored) -> None:
        """The end of a deal."""
        body = summary.deal_end(self.match.story, scored, self.who)
        title = f"The end of deal {len(self.match.sheet)}"
        choices = [("enter", "Go on", ""), ("s", "Score sheet", "score"), ("t", "Tricks", "deal")]
        if self.match.thoughts:
            choices.append(("w", "Why", "why"))
        while wish := await self.page(title, body, choices):
            if wish == "score":
                await self.page("Score sheet", pages.score_sheet(self.match.sheet, self.who))
            elif wish == "why":
                await self.page(WHY, pages.thoughts(self.match.thoughts, self.who))
            else:
                await self.page("The deal", pages.whole_deal(self.match.story, self.who))
        self.log_lines.clear()
        self.show(self.match.view)

    # Pages

    def _lay_over(self, title: str, body: Text | str) -> None:
        self.app.push_screen(Page(title, body, (("escape", "Back", ""),)))

    def action_melds(self) -> None:
        """The melds of this deal."""
        self._lay_over("Melds", pages.melds(self.match.view, self.who))

    def action_last(self) -> None:
        """The last trick."""
        self._lay_over("The last trick", pages.last_trick(self.match.view, self.who))

    def action_deal(self) -> None:
        """Everything that happened in this deal."""
        whole = pages.whole_deal(self.match.story, self.who)
        self._lay_over("This deal so far", whole)

    def action_score(self) -> None:
        """The score sheet."""
        self._lay_over("Score sheet", pages.score_sheet(self.match.sheet, self.who))

    def action_rules(self) -> None:
        """The rules of this game, house rules included."""
        from acesaround.rulebook import page

        self._lay_over("Rules", page(self.match.rules))

    def action_help(self) -> None:
        """Keys and signs."""
        self._lay_over("Help", pages.help_text())

    # Settings

    def action_faster(self) -> None:
        """Shorter pauses."""
        self._set_pace(1)

    def action_slower(self) -> None:
        """Longer pauses."""
        self._set_pace(-1)

    def _set_pace(self, step: int) -> None:
        playing = self.match.playing
        self.match.playing = replace(playing, pace=shifted(playing.pace, step))
        self.headline()

    def action_auto(self) -> None:
        """Play forced cards by themselves, or not."""
        playing = self.match.playing
        self.match.playing = replace(playing, auto=not playing.auto)
        self.say(f"Forced cards are played by {'themselves' if not playing.auto else 'you'}.")
        self.headline()

    def action_leave(self) -> None:
        """Leave; the game is saved already."""
        self.app.exit()
