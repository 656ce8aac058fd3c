"""The table's screen: runs the game, shows each moment long enough, and opens pages over it.

The loop in `_play_on` runs the game. It shows the moments that the session returns (views and
projected events). It waits for time to pass, for a key, or for the person's action.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final

from msgspec.structs import replace
from rich.text import Text
from textual import work
from textual.binding import Binding, BindingType

from acesaround import bots
from acesaround.bots.warmup import process_warmup
from acesaround.game import events as ev
from acesaround.game.narration import narrate
from acesaround.game.view import View
from acesaround.table import Entry
from acesaround.table import entries as log
from acesaround.table.commands import Rematch
from acesaround.terminal import info_pages, replay_screen, summary
from acesaround.terminal.dialogs import TextDialog
from acesaround.terminal.session import Moment, Session
from acesaround.terminal.speed import PACES, shifted
from acesaround.terminal.turn_screen import WHY, TurnScreen

LOOK = ev.KittyShown | ev.MeldLaid | ev.TrumpNamed | ev.Given | ev.UpcardExchanged
"""Events of another seat after which the screen pauses, so that the person can look."""
AFTER: Final = (
    ("n", "Another game", "again"),
    ("s", "Score", "score"),
    ("v", "Look through", "look"),
    ("f", "Record", "record"),
    ("o", "Games", "games"),
    ("q", "Quit", "quit"),
)
"""The choices when a game is over."""


class TableScreen(TurnScreen):
    """A table, from game to game. The result is the person's wish at the end.

    The wish is `games` for the list of games, or `quit` to leave.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "melds", "Melds"),
        Binding("l", "last", "Last"),
        Binding("t", "deal", "Deal"),
        Binding("s", "score", "Score"),
        Binding("r", "rules", "Rules"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("o", "games", "Games"),
        Binding("q", "leave", "Quit"),
        Binding("f1", "help", show=False),
        Binding("ctrl+c", "leave", show=False),
        Binding("plus,equals_sign", "faster", show=False),
        Binding("minus", "slower", show=False),
        Binding("a", "auto", show=False),
    ]

    def __init__(self, match: Session, note: str = "") -> None:
        """Create the screen. `note`: a notification to show at the start."""
        super().__init__(match)
        self._note = note

    def on_mount(self) -> None:
        """Begin the game, or continue a saved game."""
        self.log_lines = narrate(self.match.story, self.who)
        self.show(self.match.view)
        if self.log_lines:
            self.say(f"You are back at the table. {self.log_lines[-1]}")
        if self._note:
            self.notify(self._note, timeout=10)
        if any(bots.needs_warmup(name) for name in self.match.others):
            process_warmup().begin()
        self._play_on()

    def on_unmount(self) -> None:
        """Close the session."""
        self.match.close()

    # The game

    @work(exclusive=True)
    async def _play_on(self) -> None:
        """Play game after game until the person leaves."""
        wish = "again"
        while wish == "again":
            await self._play()
            wish = await self._game_over()
            if wish == "again":
                self.match.ask(Rematch())
                self.log_lines.clear()
                self.show(self.match.view)
        self.dismiss(wish or "games")

    async def _play(self) -> None:
        """Play until the game ends."""
        scored = self.match.story[-1] if self.match.story else None
        if isinstance(scored, ev.DealScored):  # resumed between two deals
            await self._show_score(scored)
        held = True  # nothing has happened yet that needs a pause
        while not self.match.over or self.happened:
            await self.in_front()
            if self.happened:
                ordered, self.happened = self.happened, []
                held = await self._tell_order(ordered)
            elif self.match.paused:
                await self._paused()
            elif (decision := self.match.decision) is not None:
                held = await self._tell_all(await self.ask(decision))
            elif not held:
                await self.pause(PACES[self.match.playing.pace].action)
                held = True
            elif (entry := await self._thought()) is not None:
                held = await self._tell_all(self.match.take([entry]))

    async def _game_over(self) -> str:
        """Show the end of the game, and return the person's wish."""
        winner = self.match.view.winner
        assert winner is not None
        self.say("The game is over.")
        body = summary.game_end(self.match.sheet[-1], winner, self.who)
        while wish := await self.page("The end of the game", body, AFTER, safe=True):
            if wish == "score":
                await self.page("Score sheet", info_pages.score_sheet(self.match.sheet, self.who))
            elif wish == "look":
                await replay_screen.open_replay(self.app, self.match.lines(), self.who)
            elif wish == "record":
                await self.page("The record of the game", self._record())
            else:
                break
        return wish

    def _record(self) -> Text:
        """Write the record of the game, and return a text that says where it is."""
        try:
            path = self.match.write_record()
        except OSError as error:
            return Text(f"It could not be written: {error.strerror or error}.")
        return Text(f"It was written to\n\n{path}\n\n`acesaround replay` reads and checks it.")

    async def _paused(self) -> None:
        """Wait until play goes on."""
        self.ordered.clear()
        self.show(self.match.view)
        self.prompt("b or Space: go on", waiting=True)
        await self.ordered.wait()

    async def _thought(self) -> Entry | None:
        """Return the entry of chance or the bot on turn, None if a command intervened."""
        moved = self.match.revision
        await self.prepared(self.match.searches)
        turn = self.match.view.turn
        who = "" if turn is None else f"{self.who.names[turn]} is thinking"
        entry = await self.thinking(who, self.match.think)
        return None if self.happened or self.match.revision != moved else entry

    async def _tell_order(self, moments: list[Moment]) -> bool:
        """Show the result of a command: undo, claim, pause or resume. Return True."""
        self.received = ()
        self.log_lines[:] = narrate(self.match.story, self.who)
        match moments[0].entry:
            case log.Proposed(kind="undo"):
                self.say("You take back what you did last.")
            case log.Proposed(kind="claim"):
                self.say("You claim the rest, and your cards are sure to win it.")
            case log.Paused():
                self.say("The table is paused: nobody acts until you go on.")
            case log.Resumed():
                self.say("Play goes on.")
        self.show(self.match.view)
        for moment in moments:
            for event in moment.events:
                if isinstance(event, ev.DealScored):
                    self.show(moment.before)
                    await self._show_score(event)
        return True

    async def _tell_all(self, moments: list[Moment]) -> bool:
        """Show moments one after another. Return whether the last one had its pause."""
        held = True
        for moment in moments:
            held = await self._tell(moment)
        for complaint in self.match.bot_failures():
            self.notify(complaint, severity="warning", timeout=10)
        return held

    async def _tell(self, moment: Moment) -> bool:
        """Show a moment, and pause if it takes time to see. Return whether there was a pause."""
        if any(isinstance(event, ev.Dealt) for event in moment.events):
            self.log_lines.clear()
        said = narrate(moment.events, self.who)
        self.log_lines += said
        self.say(" ".join(said))
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
            laid = replace(moment.before, melds=info_pages.laid(melded))
            await self.page("Melds", info_pages.melds(laid, self.who))
        if scored is not None:
            await self._show_score(scored)
        elif any(isinstance(event, LOOK) for event in moment.events) and not mine:
            await self.pause(PACES[self.match.playing.pace].trick)
        else:
            return trick is not None or bool(melded)
        return True

    def _receive(self, happened: Iterable[ev.Event]) -> None:
        """Remember the cards that just came into the hand, so that they can be marked as new."""
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
        """Show a finished trick for a while."""
        seats = info_pages.seats_in_turn(after.players, trick.leader)
        lying = tuple(zip(seats, trick.cards, strict=True))
        if after is moment.before:  # the trick ended the deal
            held = list(after.hand)
            if moment.seat == self.who.seat:
                held.remove(trick.cards[-1])
            after = replace(after, hand=tuple(held), turn=None)
        self.show(after, lying, trick.seat)
        seconds = PACES[self.match.playing.pace].trick
        self.prompt("Space: go on", waiting=True)
        await self.pause(seconds)

    async def _show_score(self, scored: ev.DealScored) -> None:
        """Show the end of a deal."""
        body = summary.deal_end(self.match.story, scored, self.who)
        title = f"The end of deal {len(self.match.sheet)}"
        choices = [("enter", "Go on", ""), ("s", "Score sheet", "score"), ("t", "Tricks", "deal")]
        if self.match.thoughts:
            choices.append(("w", "Why", "why"))
        while wish := await self.page(title, body, choices):
            if wish == "score":
                await self.page("Score sheet", info_pages.score_sheet(self.match.sheet, self.who))
            elif wish == "why":
                await self.page(WHY, info_pages.thoughts(self.match.thoughts, self.who))
            else:
                await self.page("The deal", info_pages.whole_deal(self.match.story, self.who))
        self.log_lines.clear()
        self.show(self.match.view)

    # Pages

    def _lay_over(self, title: str, body: Text | str) -> None:
        self.app.push_screen(TextDialog(title, body, (("escape", "Back", ""),)))

    def action_melds(self) -> None:
        """Show the melds of this deal."""
        self._lay_over("Melds", info_pages.melds(self.match.view, self.who))

    def action_last(self) -> None:
        """Show the last trick."""
        self._lay_over("The last trick", info_pages.last_trick(self.match.view, self.who))

    def action_deal(self) -> None:
        """Show everything that happened in this deal."""
        whole = info_pages.whole_deal(self.match.story, self.who)
        self._lay_over("This deal so far", whole)

    def action_score(self) -> None:
        """Show the score sheet."""
        self._lay_over("Score sheet", info_pages.score_sheet(self.match.sheet, self.who))

    def action_rules(self) -> None:
        """Show the rules of this game, house rules included."""
        from acesaround.rulebook import page

        self._lay_over("Rules", page(self.match.rules))

    def action_help(self) -> None:
        """Show the help page with keys and signs."""
        self._lay_over("Help", info_pages.help_text())

    # Settings

    def action_faster(self) -> None:
        """Shorten the pauses."""
        self._set_pace(1)

    def action_slower(self) -> None:
        """Lengthen the pauses."""
        self._set_pace(-1)

    def _set_pace(self, step: int) -> None:
        playing = self.match.playing
        self.match.settle(replace(playing, pace=shifted(playing.pace, step)))
        self.headline()

    def action_auto(self) -> None:
        """Switch automatic play of forced cards on or off."""
        playing = self.match.playing
        self.match.settle(replace(playing, auto=not playing.auto))
        self.say(f"Forced cards are played by {'themselves' if not playing.auto else 'you'}.")
        self.headline()

    def action_leave(self) -> None:
        """Quit the app. The game is already saved."""
        self.left = True
        self.app.exit()

    def action_games(self) -> None:
        """Leave this table for the list of games. The game is already saved."""
        self.left = True
        self.dismiss("games")
