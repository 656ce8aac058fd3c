"""The view of one person on a table: a message built by allow-list, ready to send."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from acesaround import bots
from acesaround.bots import explanations
from acesaround.bots.advice import Advice, reason_parts, relative_seat_names
from acesaround.cards import Card
from acesaround.game.events import DealScored, Event
from acesaround.game.view import View, melded_cards, tally
from acesaround.record.model import action_to_json
from acesaround.rules import Phase, Renege, Rules
from acesaround.rules.scoring import (
    card_points,
    losses_by_side,
    points_to_make_bid,
    score_after_losses,
)
from acesaround.table import commands
from acesaround.table.acting_host import acts_as_host
from acesaround.table.alerts import call_meanings, has_conventions, natural_seats, signals
from acesaround.table.avatars import avatar_or_empty
from acesaround.table.bot_turns import seats_still_reading
from acesaround.table.chat import visible_chat
from acesaround.table.command_handler import is_allowed
from acesaround.table.commands import Command
from acesaround.table.entries import Person
from acesaround.table.guidance import compose_guidance
from acesaround.table.joining import display_name
from acesaround.table.legal_choices import current_choices
from acesaround.table.lesson_play import lesson_info
from acesaround.table.messages import (
    GAME_FIELDS,
    AllowedCommands,
    AwaitedReaders,
    BidProgress,
    ChatLineInfo,
    DeniedProposalInfo,
    EvaluatedAction,
    GameView,
    HintGiven,
    LinkPaths,
    Message,
    ProposalInfo,
    RemovedPersonInfo,
    Replay,
    SeatInfo,
    SeatRequestInfo,
    SheetRow,
    State,
    StepExplanation,
    TableInfo,
    TimeLeft,
    UndoneActionInfo,
)
from acesaround.table.table import NOBODY_PRESENT, Table, TablePresence
from acesaround.variants import change_sentences, short_name

_VIEW_FIELDS: Final = tuple(name for name, _ in GAME_FIELDS)
NO_TIME_LEFT: Final = TimeLeft()
_ENCODER: Final = msgspec.json.Encoder(enc_hook=str)


def encode(message: Message | Replay | StepExplanation) -> bytes:
    """Return a message as JSON."""
    return _ENCODER.encode(message)


def encode_state(
    table: Table,
    link: str,
    person_id: str | None,
    events: Sequence[Event] = (),
    presence: TablePresence = NOBODY_PRESENT,
    *,
    time_left: TimeLeft = NO_TIME_LEFT,
    was_missed: bool = False,
) -> bytes:
    """Return the table, the game and the latest events as one person (by id) may see them.

    `link`: the link by which the person came. `time_left`: the seconds left of each timeout.
    Without a person, return what everybody with the watch link may see.
    """
    encoder = StateEncoder(table, events, presence, time_left=time_left, was_missed=was_missed)
    return encoder.encode(link, person_id)


class StateEncoder:
    """Encodes a state for its readers (see `encode_state`). What all of them see is made once."""

    def __init__(
        self,
        table: Table,
        events: Sequence[Event] = (),
        presence: TablePresence = NOBODY_PRESENT,
        *,
        time_left: TimeLeft = NO_TIME_LEFT,
        was_missed: bool = False,
    ) -> None:
        self._table, self._events, self._presence = table, events, presence
        self._time_left, self._was_missed = time_left, was_missed
        self._seats = tuple(
            [_seat_info(table, number, presence) for number in range(table.rules.seats)]
        )
        self._bots = bots.selectable_bots(table.rules)
        self._sheet = sheet_rows(table.rules, table.sheet)

    def encode(self, link: str, person_id: str | None) -> bytes:
        """Return the state as a person (by id) with a link may see it."""
        table = self._table
        seat = table.seat_of(person_id)
        view = None if table.game is None else table.view(seat)
        seen: Any = None if view is None else game_view(view, natural_seats(table))
        decision = current_choices(table, seat)
        return encode(
            State(
                seq=table.seq,
                table=self._table_info(link, person_id),
                view=seen,
                decision=decision,
                guidance=None
                if view is None or table.lesson is not None
                else compose_guidance(
                    view,
                    decision,
                    seen.bid_progress,
                    is_turn_silent=view.turn is not None and self._seats[view.turn].silent,
                ),
                events=tuple([event.seen_by(seat) for event in self._events]),
                sheet=self._sheet,
                missed=self._was_missed,
            )
        )

    def _table_info(self, link: str, person_id: str | None) -> TableInfo:
        table, presence, time_left = self._table, self._presence, self._time_left
        config, proposal = table.config, table.proposal
        is_host = person_id == table.host.id
        return TableInfo(
            id=link,
            variant=config.variant,
            title=short_name(table.rules),
            changed_rule_count=len(change_sentences(table.rules)),
            renege_penalty=table.rules.play.renege is Renege.PENALTY,
            players=table.rules.seats,
            sides=table.rules.sides,
            partners=table.rules.has_partners,
            kitty=table.rules.deal.kitty,
            packet=table.rules.deal.packet,
            copies=table.rules.deck.copies,
            nines=table.rules.deck.nines,
            public=config.public,
            clock=config.clock,
            turn_seconds_left=time_left.turn,
            you=table.seat_of(person_id),
            host=is_host,
            seats=self._seats,
            bots=self._bots,
            started=table.game_count > 0,
            over=table.game is not None and not table.is_playing,
            paused=table.is_paused,
            games=table.game_count,
            hints_allowed=table.hints_allowed,
            claiming_seat=table.claiming_seat,
            proposal=None
            if proposal is None
            else ProposalInfo(proposal.kind, proposal.seat, proposal.waiting, time_left.proposal),
            undone=_undone_action(table, person_id),
            denied_proposal=_denied_proposal(table),
            readers=_awaited_readers(table, presence, time_left.reading),
            allowed=_allowed_commands(table, person_id, presence),
            rematch=table.ready_seats,
            chat=tuple(
                [
                    ChatLineInfo(one.seat, one.phrase, one.seq, one.text)
                    for one in visible_chat(table, person_id)
                ]
            ),
            free_chat=table.free_chat_allowed,
            natural=config.natural,
            conventions=has_conventions(table.rules),
            joining=table.joining,
            seat_requests=_seat_requests(table, person_id, presence),
            removed=tuple(
                [RemovedPersonInfo(one.seq, one.person.name) for one in table.removed_people]
            )
            if is_host
            else (),
            seat_lost_by=tuple([one.name for one in table.unseated_people]),
            spectators=_spectator_names(table, person_id, presence),
            links=None if person_id is None or table.lesson else _link_paths(table, link),
            lesson=lesson_info(table),
        )


def sheet_rows(rules: Rules, scored_deals: Iterable[DealScored]) -> tuple[SheetRow, ...]:
    """Return the score sheet of these deals."""
    return tuple(
        [
            SheetRow(
                scored.score,
                scored.totals,
                losses_by_side(rules, scored.score),
                scored.buried,
                card_points(rules, scored.buried),
            )
            for scored in scored_deals
        ]
    )


def hint_message(seq: int, seat: int, view: View, advice: Advice) -> HintGiven:
    """Return the message that gives a seat its hint."""
    explanation = explanations.explain_action(
        advice.action, advice.why, view, relative_seat_names(view)
    )
    return HintGiven(
        seq,
        action_to_json(seat, advice.action)[1:],
        explanation,
        evaluated_actions(seat, view, advice),
        reason_parts(advice),
    )


def evaluated_actions(seat: int, view: View, advice: Advice) -> tuple[EvaluatedAction, ...]:
    """Return the actions that a bot evaluated, in the form in which they are sent."""
    return tuple(
        [
            EvaluatedAction(
                action_to_json(seat, evaluated.action)[1:],
                round(evaluated.points, 2),
                round(evaluated.chance, 4),
                None if view.bid is None else round(evaluated.made, 4),
            )
            for evaluated in advice.tried
        ]
    )


def game_view(view: View, natural: Collection[int] = ()) -> GameView:  # type: ignore[valid-type]  # made from View's own fields
    """Return a view in the form in which it is sent: without the rules, which every page knows.

    `natural`: the seats that play without conventions.
    """
    scoring = view.rules.scoring
    return GameView(
        **{name: getattr(view, name) for name in _VIEW_FIELDS},
        deal_limit=view.rules.ending.hands,
        bid_progress=bid_progress(view),
        least_meld=scoring.least_meld,
        least_play=scoring.least_play,
        melded=_melded_cards(view),
        call_meanings=call_meanings(view, natural),
        signals=signals(view, natural),
    )


def _melded_cards(view: View) -> tuple[tuple[Card, ...], ...]:
    if view.tricks or not view.melds or Phase.MELDING not in view.rules.phases:
        return ()
    by_seat = {shown_melds.seat: melded_cards(view, shown_melds) for shown_melds in view.melds}
    return tuple([by_seat.get(seat, ()) for seat in range(view.rules.seats)])


def bid_progress(view: View) -> BidProgress | None:
    """Return how far the declarer's side has come to its bid, from what this view shows.

    Return None before there is a declarer, and while some of that side's meld is hidden.
    """
    rules = view.rules
    if view.declarer is None or view.bid is None:
        return None
    side = rules.side_of(view.declarer)
    if any(
        shown_melds.points is None and rules.side_of(shown_melds.seat) == side
        for shown_melds in view.melds
    ):
        return None
    current_tally, sides = tally(view), len(rules.sides)
    sufficient_tally = replace(
        current_tally,
        play=(view.bid + current_tally.play[side],) * sides,
        has_counter=(True,) * sides,
    )
    points_needed = points_to_make_bid(rules, current_tally, side, view.bid)
    return BidProgress(
        score_after_losses(rules, sufficient_tally, side)[0],
        current_tally.play[side],
        points_needed,
    )


def _undone_action(table: Table, person_id: str | None) -> UndoneActionInfo | None:
    taken = table.undone
    if taken is None:
        return None
    return UndoneActionInfo(
        taken.seat, taken.event.seen_by(table.seat_of(person_id)), taken.undone_seq
    )


def _denied_proposal(table: Table) -> DeniedProposalInfo | None:
    denied = table.denied
    if denied is None:
        return None
    return DeniedProposalInfo(
        denied.kind, denied.seat, denied.denying_seats, denied.has_expired, denied.seq
    )


def _awaited_readers(
    table: Table, presence: TablePresence, seconds_left: float | None
) -> AwaitedReaders | None:
    waiting = seats_still_reading(table, presence)
    return AwaitedReaders(len(table.sheet), waiting, seconds_left) if waiting else None


def _link_paths(table: Table, link: str) -> LinkPaths:
    """Return the links of a table.

    For a table without a play link of its own, the play link is the one that this person used.
    """
    watch, replay = table.links.watch, table.links.replay
    return LinkPaths(
        play=f"/t/{table.links.play or link}",
        watch=None if watch is None else f"/w/{watch}",
        replay=None if replay is None else f"/r/{replay}",
    )


def _seat_requests(
    table: Table, person_id: str | None, presence: TablePresence
) -> tuple[SeatRequestInfo, ...]:
    """Return the people who ask for a seat.

    Seated people and the host get all who are present; others get only their own request.
    """
    sees_all = table.seat_of(person_id) is not None or person_id == table.host.id
    return tuple(
        [
            SeatRequestInfo(
                request.seq,
                display_name(table, request.person),
                request.seat,
                request.person.id == person_id,
            )
            for request in table.seat_requests
            if request.person.id == person_id
            or (sees_all and request.person.id in presence.present)
        ]
    )


def _spectator_names(
    table: Table, person_id: str | None, presence: TablePresence
) -> tuple[str, ...]:
    """Return the spectators' names, for seated people only.

    People asking for a seat are not included, because `_seat_requests` lists them.
    """
    if table.seat_of(person_id) is None:
        return ()
    requesting_ids = {request.person.id for request in table.seat_requests}
    return tuple(
        [
            display_name(table, spectator)
            for spectator in presence.spectators
            if spectator.id not in requesting_ids
        ]
    )


def _seat_info(table: Table, number: int, presence: TablePresence) -> SeatInfo:
    seat = table.seats[number]
    return SeatInfo(
        name=f"bot:{seat.bot}" if seat.person is None else seat.person.name,
        person=seat.person is not None,
        bot=seat.bot,
        present=seat.person is not None and seat.person.id in presence.present,
        substituted=seat.has_substitute,
        failed=seat.bot_failed,
        host=seat.person is not None and acts_as_host(table, seat.person.id, presence.gone),
        avatar="" if seat.person is None else avatar_or_empty(seat.person.avatar),
        silent=seat.person is not None and seat.person.id in presence.silent,
    )


def _allowed_commands(
    table: Table, person_id: str | None, presence: TablePresence
) -> AllowedCommands:
    """Return the commands that would not be refused now; none for a person without an identity."""
    if person_id is None:
        return AllowedCommands()
    requester = Person(person_id, "")

    def is_allowed_now(command: Command) -> bool:
        return is_allowed(table, requester, command, presence)

    def allowed_seats(
        make_command: Callable[[int], Command], seats: Iterable[int]
    ) -> tuple[int, ...]:
        return tuple([seat for seat in seats if is_allowed_now(make_command(seat))])

    # Skip candidates that are surely refused: this runs for every client at every step.
    seat, people = table.seat_of(person_id), table.occupied_seats
    free_seats = [number for number in range(table.rules.seats) if number not in people]
    is_host = person_id == table.host.id
    return AllowedCommands(
        start=is_allowed_now(commands.Start()),
        undo=is_allowed_now(commands.Undo()),
        claim=is_allowed_now(commands.Claim()),
        rematch=is_allowed_now(commands.Rematch()),
        pause=is_allowed_now(commands.Pause()),
        resume=is_allowed_now(commands.Resume()),
        request_hint=is_allowed_now(commands.RequestHint()),
        propose_hints=is_allowed_now(commands.AllowHints(True)),
        take_over=is_allowed_now(commands.TakeOverFromBot()),
        sit=allowed_seats(commands.Sit, free_seats),
        request_seat=allowed_seats(commands.RequestSeat, free_seats if seat is None else ()),
        swap=allowed_seats(commands.Swap, people if len(people) > 1 and not table.is_dealt else ()),
        substitute_bot=allowed_seats(
            commands.SubstituteBot, people if is_host or presence.gone else ()
        ),
        remove=allowed_seats(commands.Remove, people if is_host else ()),
        give_host=allowed_seats(commands.GiveHost, people if is_host else ()),
        admit=allowed_seats(
            lambda seq: commands.AnswerSeatRequest(seq, True),
            [request.seq for request in table.seat_requests],
        ),
    )
