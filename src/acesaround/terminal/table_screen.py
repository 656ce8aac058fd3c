"""The table's screen: runs the game, shows each entry long enough, and opens pages over it.

The loop in `_play_games` runs the game. It shows the entries that the session returns (views and
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
from acesaround.table import Entry, alerts, entries
from acesaround.table.commands import Rematch
from acesaround.terminal import counting_trainer, info_pages, replay_screen, summary
from acesaround.terminal.dialogs import TextDialog
from acesaround.terminal.pauses import PACES, shift_pace
from acesaround.terminal.session import Session, ShownEntry
from acesaround.terminal.turn_screen import REASONS_TITLE, TurnScreen

PAUSE_EVENTS = ev.KittyShown | ev.MeldLaid | ev.TrumpNamed | ev.Given | ev.UpcardExchanged
"""Events of another seat after which the screen pauses, so that the person can look."""
END_CHOICES: Final = (
    ("n", "Another game", "again"),
    ("s", "Score", "score"),
    ("v", "Replay it", "look"),
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
        Binding("e", "explain", show=False),
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
        Binding("k", "counting", show=False),
    ]

    def __init__(self, session: Session, note: str = "") -> None:
        """Create the screen. `note`: a notification to show at the start."""
        super().__init__(session)
        self._start_note = note

    def on_mount(self) -> None:
        """Begin the game, or continue a saved game."""
        self.log_lines = narrate(self.session.deal_events, self.seat_names)
        self.show_view(self.session.view)
        if self.log_lines:
            self.show_news(f"You are back at the table. {self.log_lines[-1]}")
        if self._start_note:
            self.notify(self._start_note, timeout=10)
        if any(bots.needs_warmup(name) for name in self.session.other_bots):
            process_warmup().start()
        self._play_games()

    def on_unmount(self) -> None:
        """Close the session."""
        self.session.close()

    # The game

    @work(exclusive=True)
    async def _play_games(self) -> None:
        """Play game after game until the person leaves."""
        choice = "again"
        while choice == "again":
            await self._play_game()
            choice = await self._show_game_end()
            if choice == "again":
                self.session.send_command(Rematch())
                self.log_lines.clear()
                self.show_view(self.session.view)
        self.dismiss(choice or "games")

    async def _play_game(self) -> None:
        """Play until the game ends."""
        scored = self.session.deal_events[-1] if self.session.deal_events else None
        if isinstance(scored, ev.DealScored):  # resumed between two deals
            await self._show_score(scored)
        had_pause = True  # no event needs a pause yet
        while not self.session.is_over or self.pending_entries:
            await self.wait_until_uncovered()
            if self.pending_entries:
                shown_entries, self.pending_entries = self.pending_entries, []
                had_pause = await self._show_command_result(shown_entries)
            elif self.session.is_paused:
                await self._wait_while_paused()
            elif (decision := self.session.decision) is not None:
                had_pause = await self._show_entries(await self.ask_decision(decision))
            elif not had_pause:
                await self.pause_for(PACES[self.session.settings.pace].before_action)
                had_pause = True
            elif (entry := await self._next_entry()) is not None:
                had_pause = await self._show_entries(self.session.add_entries([entry]))

    async def _show_game_end(self) -> str:
        """Show the end of the game, and return the person's wish."""
        winner = self.session.view.winner
        assert winner is not None
        self.show_news("The game is over.")
        body = summary.game_end_page(self.session.scored_deals[-1], winner, self.seat_names)
        while choice := await self.show_page(
            "The end of the game", body, END_CHOICES, needs_own_key=True
        ):
            if choice == "score":
                await self.show_page(
                    "Score sheet",
                    info_pages.score_sheet_page(self.session.scored_deals, self.seat_names),
                )
            elif choice == "look":
                await replay_screen.open_replay(
                    self.app, self.session.finished_games(), self.seat_names
                )
            elif choice == "record":
                await self.show_page("The record of the game", self._write_record())
            else:
                break
        return choice

    def _write_record(self) -> Text:
        """Write the record of the game, and return a text that says where it is."""
        try:
            path = self.session.write_record()
        except OSError as error:
            return Text(f"The file could not be written: {error.strerror or error}.")
        return Text(f"The record is in\n\n{path}\n\n`acesaround replay` reads and verifies it.")

    async def _wait_while_paused(self) -> None:
        """Wait until play continues."""
        self.command_event.clear()
        self.show_view(self.session.view)
        self.show_prompt("b or Space: go on", is_waiting=True)
        await self.command_event.wait()

    async def _next_entry(self) -> Entry | None:
        """Return the entry of chance or the bot on turn, None if a command intervened."""
        revision = self.session.revision
        await self.wait_for_warmup(self.session.needs_preparation)
        turn = self.session.view.turn
        label = "" if turn is None else f"{self.seat_names.names[turn]} is thinking"
        entry = await self.run_with_timer(label, self.session.next_automatic_entry)
        return None if self.pending_entries or self.session.revision != revision else entry

    async def _show_command_result(self, shown_entries: list[ShownEntry]) -> bool:
        """Show the result of a command: undo, claim, pause or resume. Return True."""
        self.new_cards = ()
        self.log_lines[:] = narrate(self.session.deal_events, self.seat_names)
        match shown_entries[0].entry:
            case entries.Proposed(kind="undo"):
                self.show_news("You took back your last action.")
            case entries.Proposed(kind="claim"):
                self.show_news("You claim the remaining tricks: your cards are sure to win them.")
            case entries.Paused():
                self.show_news("The table is paused: nobody acts until you continue.")
            case entries.Resumed():
                self.show_news("Play continues.")
        self.show_view(self.session.view)
        for shown_entry in shown_entries:
            for event in shown_entry.events:
                if isinstance(event, ev.DealScored):
                    self.show_view(shown_entry.view_before)
                    await self._show_score(event)
        return True

    async def _show_entries(self, shown_entries: list[ShownEntry]) -> bool:
        """Show entries one after another. Return whether the last one had its pause."""
        had_pause = True
        for shown_entry in shown_entries:
            had_pause = await self._show_entry(shown_entry)
        for warning in self.session.take_bot_warnings():
            self.notify(warning, severity="warning", timeout=10)
        return had_pause

    async def _show_entry(self, shown_entry: ShownEntry) -> bool:
        """Show an entry, and pause if it takes time to see. Return whether there was a pause."""
        if any(isinstance(event, ev.Dealt) for event in shown_entry.events):
            self.log_lines.clear()
        sentences = narrate(shown_entry.events, self.seat_names)
        self.log_lines += sentences
        view, natural = shown_entry.view, self.session.natural_seats
        sentences += alerts.alert_sentences(
            shown_entry.events,
            view.auction,
            alerts.call_meanings(view, natural),
            alerts.signals(view, natural),
        )
        self.show_news(" ".join(sentences))
        is_own_action = shown_entry.seat == self.seat_names.seat
        if is_own_action:
            self.new_cards = ()
        self._track_new_cards(shown_entry.events)
        trick = next(
            (event for event in shown_entry.events if isinstance(event, ev.TrickWon)), None
        )
        scored = next(
            (event for event in shown_entry.events if isinstance(event, ev.DealScored)), None
        )
        if trick is not None:
            await self._show_trick(
                shown_entry, trick, shown_entry.view_before if scored else shown_entry.view
            )
        elif scored is None:
            self.show_view(shown_entry.view)
        meld_events = [event for event in shown_entry.events if isinstance(event, ev.Melded)]
        if meld_events and self.shows_melds:
            view_with_melds = replace(
                shown_entry.view_before, melds=info_pages.shown_melds(meld_events)
            )
            await self.show_page("Melds", info_pages.melds_page(view_with_melds, self.seat_names))
        if scored is not None:
            await self._show_score(scored)
        elif trick is not None and self.session.settings.counting:
            await self._ask_count(shown_entry.view)
        elif (
            any(isinstance(event, PAUSE_EVENTS) for event in shown_entry.events)
            and not is_own_action
        ):
            await self.pause_for(PACES[self.session.settings.pace].after_trick)
        else:
            return trick is not None or bool(meld_events)
        return True

    @property
    def shows_melds(self) -> bool:
        """Whether a page shows the melds when they are laid."""
        return True

    def _track_new_cards(self, game_events: Iterable[ev.Event]) -> None:
        """Remember the cards that just came into the hand, so that they can be marked as new."""
        for event in game_events:
            match event:
                case ev.Dealt():
                    self.new_cards = ()
                case ev.KittyShown(seat, cards) if seat == self.seat_names.seat:
                    self.new_cards = cards
                case ev.Given(cards=cards, to=to) if to == self.seat_names.seat and cards:
                    self.new_cards = cards
                case ev.Drew(seat, _, cards) if seat == self.seat_names.seat and cards:
                    self.new_cards = cards
                case ev.UpcardDrawn(seat, card) if seat == self.seat_names.seat:
                    self.new_cards = (card,)
                case ev.UpcardExchanged(seat, taken, _) if seat == self.seat_names.seat:
                    self.new_cards = (taken,)

    async def _show_trick(
        self, shown_entry: ShownEntry, trick: ev.TrickWon, view_after: View
    ) -> None:
        """Show a finished trick for a while."""
        seats = info_pages.seats_in_turn(view_after.players, trick.leader)
        trick_on_table = tuple(zip(seats, trick.cards, strict=True))
        if view_after is shown_entry.view_before:  # the trick ended the deal
            cards_left = list(view_after.hand)
            if shown_entry.seat == self.seat_names.seat:
                cards_left.remove(trick.cards[-1])
            view_after = replace(view_after, hand=tuple(cards_left), turn=None)
        self.show_view(view_after, trick_on_table, trick.seat)
        seconds = PACES[self.session.settings.pace].after_trick
        self.show_prompt("Space: go on", is_waiting=True)
        await self.pause_for(seconds)

    async def _ask_count(self, view: View) -> None:
        """Ask how many cards are out, if the counting trainer has a question now."""
        question = counting_trainer.question_after_trick(view)
        if question is None:
            return
        value = await self.show_page(
            counting_trainer.TITLE, question.body, question.choices, needs_own_key=True
        )
        if not value:
            return
        settings = self.session.settings
        settings = replace(
            settings,
            count_questions=settings.count_questions + 1,
            right_counts=settings.right_counts + question.is_right(value),
        )
        self.session.change_settings(settings)
        result = question.result(value, settings.right_counts, settings.count_questions)
        if (
            await self.show_page(counting_trainer.TITLE, result, counting_trainer.RESULT_CHOICES)
            == counting_trainer.STOP
        ):
            self.action_counting()

    async def _show_score(self, scored: ev.DealScored) -> None:
        """Show the end of a deal."""
        body = summary.deal_end_page(self.session.deal_events, scored, self.seat_names)
        title = f"The end of deal {len(self.session.scored_deals)}"
        choices = [("enter", "Go on", ""), ("s", "Score sheet", "score"), ("t", "Tricks", "deal")]
        if self.session.bot_reasons:
            choices.append(("w", "Why", "why"))
        while choice := await self.show_page(title, body, choices):
            if choice == "score":
                await self.show_page(
                    "Score sheet",
                    info_pages.score_sheet_page(self.session.scored_deals, self.seat_names),
                )
            elif choice == "why":
                await self.show_page(
                    REASONS_TITLE,
                    info_pages.bot_reasons_page(self.session.bot_reasons, self.seat_names),
                )
            else:
                await self.show_page(
                    "The deal", info_pages.deal_page(self.session.deal_events, self.seat_names)
                )
        self.log_lines.clear()
        self.show_view(self.session.view)

    # Pages

    def _open_page(self, title: str, body: Text | str) -> None:
        self.app.push_screen(TextDialog(title, body, (("escape", "Back", ""),)))

    def action_explain(self) -> None:
        """Show what the person has to do now, and why."""
        self._open_page("What now?", self.session.guidance_text(self.seat_names))

    def action_melds(self) -> None:
        """Show the melds of this deal."""
        self._open_page("Melds", info_pages.melds_page(self.session.view, self.seat_names))

    def action_last(self) -> None:
        """Show the last trick."""
        self._open_page(
            "The last trick", info_pages.last_trick_page(self.session.view, self.seat_names)
        )

    def action_deal(self) -> None:
        """Show everything that happened in this deal."""
        deal_text = info_pages.deal_page(self.session.deal_events, self.seat_names)
        self._open_page("This deal so far", deal_text)

    def action_score(self) -> None:
        """Show the score sheet."""
        self._open_page(
            "Score sheet", info_pages.score_sheet_page(self.session.scored_deals, self.seat_names)
        )

    def action_rules(self) -> None:
        """Show the rules of this game, house rules included."""
        from acesaround.bots.convention_card import convention_card
        from acesaround.rulebook import page

        rules = self.session.rules
        self._open_page("Rules", f"{page(rules)}\n{convention_card(rules)}")

    def action_help(self) -> None:
        """Show the help page with keys and signs."""
        self._open_page("Help", info_pages.help_page())

    # Settings

    def action_faster(self) -> None:
        """Shorten the pauses."""
        self._set_pace(1)

    def action_slower(self) -> None:
        """Lengthen the pauses."""
        self._set_pace(-1)

    def _set_pace(self, step: int) -> None:
        settings = self.session.settings
        self.session.change_settings(replace(settings, pace=shift_pace(settings.pace, step)))
        self.update_headline()

    def action_auto(self) -> None:
        """Switch automatic play of forced cards on or off."""
        settings = self.session.settings
        self.session.change_settings(replace(settings, auto=not settings.auto))
        self.show_news(
            f"Forced cards are played {'automatically' if not settings.auto else 'by you'}."
        )
        self.update_headline()

    def action_counting(self) -> None:
        """Switch the counting trainer on or off."""
        settings = self.session.settings
        self.session.change_settings(replace(settings, counting=not settings.counting))
        self.show_news(
            "The counting trainer asks you no more."
            if settings.counting
            else "The counting trainer asks you, now and then, how many trumps or aces are out."
        )

    def action_leave(self) -> None:
        """Quit the app. The game is already saved."""
        self.has_left = True
        self.app.exit()

    def action_games(self) -> None:
        """Leave this table for the list of games. The game is already saved."""
        self.has_left = True
        self.dismiss("games")
