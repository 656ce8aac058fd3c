"""The view of one person on a table: a message built by allow-list, ready to send."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Final

import msgspec
from msgspec.structs import replace

from acesaround import bots, game
from acesaround.actions import (
    PASS,
    Bids,
    CardSelections,
    Concede,
    Discard,
    LayMeld,
    NameTrump,
    Play,
)
from acesaround.bots import explanations
from acesaround.bots.advice import Advice, relative_seat_names
from acesaround.cards import SUITS, Card
from acesaround.game.events import Event, MeldLaid
from acesaround.game.state import Decision, Exchanging, GameState, Kind
from acesaround.game.view import View, melded, tally, turn_of
from acesaround.record.model import to_json
from acesaround.rules import Phase, Renege
from acesaround.rules.melds import find, points
from acesaround.rules.scoring import losses, score_after_losses, to_go
from acesaround.table import commands as say
from acesaround.table.automatic_turns import seats_still_reading
from acesaround.table.avatars import known
from acesaround.table.chat import visible_chat
from acesaround.table.command_handler import is_allowed
from acesaround.table.commands import Command
from acesaround.table.entries import Person
from acesaround.table.joining import display_name
from acesaround.table.messages import (
    GAME_FIELDS,
    AllowedCommands,
    BidProgress,
    DeniedSeen,
    EvaluatedAction,
    GameSeen,
    HintGiven,
    KnockSeen,
    LinksSeen,
    Message,
    Offer,
    ProposalSeen,
    ReadingSeen,
    RemovedPerson,
    Replay,
    SeatSeen,
    SheetRow,
    State,
    TableSeen,
    TakenSeen,
    TalkSeen,
    TimeLeft,
    Why,
    Worth,
)
from acesaround.table.table import NOBODY_GONE, Table, TablePresence
from acesaround.variants import called, changes

_NAMES: Final = tuple(name for name, _ in GAME_FIELDS)
NONE_LEFT: Final = TimeLeft()
_MANY_BIDS: Final = 12
_ENCODER: Final = msgspec.json.Encoder(enc_hook=str)


def encode(message: Message | Replay | Why) -> bytes:
    """Return a message as JSON."""
    return _ENCODER.encode(message)


def encode_state(
    table: Table,
    link: str,
    person: str | None,
    events: Sequence[Event] = (),
    there: TablePresence = NOBODY_GONE,
    *,
    left: TimeLeft = NONE_LEFT,
    missed: bool = False,
) -> bytes:
    """Return the table, the game and the latest events as one person (by id) may see them.

    `link`: the link by which the person came. `left`: the seconds left of each timeout. Without a
    person, return what everybody with the watch link may see.
    """
    seat = table.seat_of(person)
    return encode(
        State(
            seq=table.seq,
            table=_table(table, link, person, there, left),
            view=None if table.game is None else game_view(table.view(seat)),
            decision=offer(table, seat),
            events=tuple([event.seen_by(seat) for event in events]),
            sheet=tuple(
                [
                    SheetRow(row.score, row.totals, losses(table.rules, row.score))
                    for row in table.sheet
                ]
            ),
            missed=missed,
        )
    )


def hint_message(seq: int, seat: int, shown: View, told: Advice) -> HintGiven:
    """Return the message that gives a seat its hint."""
    said = explanations.explain_action(told.action, told.why, shown, relative_seat_names(shown))
    return HintGiven(
        seq,
        to_json(seat, told.action)[1:],
        said,
        evaluated_actions(seat, shown, told),
        explanations.explanation_parts(told.why),
    )


def evaluated_actions(seat: int, shown: View, told: Advice) -> tuple[EvaluatedAction, ...]:
    """Return the actions that a bot evaluated, in the form in which they are sent."""
    return tuple(
        [
            EvaluatedAction(
                to_json(seat, one.action)[1:],
                round(one.points, 2),
                round(one.chance, 4),
                None if shown.bid is None else round(one.made, 4),
            )
            for one in told.tried
        ]
    )


def game_view(shown: View) -> GameSeen:  # type: ignore[valid-type]  # made from View's own fields
    """Return a view in the form in which it is sent: without the rules, which every page knows."""
    law = shown.rules.scoring
    return GameSeen(
        **{name: getattr(shown, name) for name in _NAMES},
        toward=_toward(shown),
        least_meld=law.least_meld,
        least_play=law.least_play,
        melded=_melded(shown),
    )


def _melded(shown: View) -> tuple[tuple[Card, ...], ...]:
    if shown.tricks or not shown.melds or Phase.MELDING not in shown.rules.phases:
        return ()
    by_seat = {one.seat: melded(shown, one) for one in shown.melds}
    return tuple([by_seat.get(seat, ()) for seat in range(shown.rules.seats)])


def _toward(shown: View) -> BidProgress | None:
    """Return how far the declarer's side has come to its bid, from what this view shows.

    Return None before there is a declarer, and while some of that side's meld is hidden.
    """
    rules = shown.rules
    if shown.declarer is None or shown.bid is None:
        return None
    side = rules.side_of(shown.declarer)
    if any(one.points is None and rules.side_of(one.seat) == side for one in shown.melds):
        return None
    now, sides = tally(shown), len(rules.sides)
    enough = replace(now, play=(shown.bid + now.play[side],) * sides, counter=(True,) * sides)
    left = to_go(rules, now, side, shown.bid)
    return BidProgress(score_after_losses(rules, enough, side)[0], now.play[side], left)


def _table(
    table: Table, link: str, person: str | None, there: TablePresence, left: TimeLeft
) -> TableSeen:
    config, wish = table.config, table.wish
    host = table.hosted_by(person, there.gone)
    return TableSeen(
        id=link,
        variant=config.variant,
        title=called(table.rules),
        house=len(changes(table.rules)),
        penalty=table.rules.play.renege is Renege.PENALTY,
        players=table.rules.seats,
        sides=table.rules.sides,
        partners=table.rules.partners,
        kitty=table.rules.deal.kitty,
        packet=table.rules.deal.packet,
        public=config.public,
        clock=config.clock,
        left=left.turn,
        you=table.seat_of(person),
        host=host,
        seats=tuple([_seat(table, number, there) for number in range(table.rules.seats)]),
        bots=bots.selectable_bots(table.rules),
        started=table.games > 0,
        over=table.game is not None and not table.playing,
        paused=table.paused,
        games=table.games,
        hints=table.hints,
        claimed=table.claimed,
        asked=None
        if wish is None
        else ProposalSeen(wish.kind, wish.seat, wish.waiting, left.asked),
        taken=_taken(table, person),
        denied=_denied(table),
        reading=_reading(table, there, left.reading),
        may=_may(table, person, there),
        rematch=table.ready,
        talk=tuple(
            [
                TalkSeen(one.seat, one.phrase, one.seq, one.text)
                for one in visible_chat(table, person)
            ]
        ),
        writing=table.writing,
        joining=table.joining,
        knocks=_knocks(table, person, there),
        out=tuple([RemovedPerson(one.seq, one.person.name) for one in table.out]) if host else (),
        watching=_watching(table, person, there),
        links=None if person is None else _links(table, link),
    )


def _taken(table: Table, person: str | None) -> TakenSeen | None:
    taken = table.taken
    if taken is None:
        return None
    return TakenSeen(taken.seat, taken.event.seen_by(table.seat_of(person)), taken.seq)


def _denied(table: Table) -> DeniedSeen | None:
    denied = table.denied
    if denied is None:
        return None
    return DeniedSeen(denied.kind, denied.seat, denied.by, denied.late, denied.seq)


def _reading(table: Table, there: TablePresence, left: float | None) -> ReadingSeen | None:
    waiting = seats_still_reading(table, there)
    return ReadingSeen(len(table.sheet), waiting, left) if waiting else None


def _links(table: Table, link: str) -> LinksSeen:
    """Return the links of a table.

    A table without a play link of its own is reached by the link used so far.
    """
    watch, replay = table.links.watch, table.links.replay
    return LinksSeen(
        play=f"/t/{table.links.play or link}",
        watch=None if watch is None else f"/w/{watch}",
        replay=None if replay is None else f"/r/{replay}",
    )


def _knocks(table: Table, person: str | None, there: TablePresence) -> tuple[KnockSeen, ...]:
    """Return the people who ask for a seat.

    Seated people and the host get all who are present; others get only their own request.
    """
    all_of_them = table.seat_of(person) is not None or person == table.host.id
    return tuple(
        [
            KnockSeen(one.seq, display_name(table, one.person), one.seat, one.person.id == person)
            for one in table.knocks
            if one.person.id == person or (all_of_them and one.person.id in there.present)
        ]
    )


def _watching(table: Table, person: str | None, there: TablePresence) -> tuple[str, ...]:
    """Return the spectators' names, for seated people only.

    People asking for a seat are not included, because `_knocks` lists them.
    """
    if table.seat_of(person) is None:
        return ()
    asking = {one.person.id for one in table.knocks}
    return tuple([display_name(table, one) for one in there.watching if one.id not in asking])


def _seat(table: Table, number: int, there: TablePresence) -> SeatSeen:
    seat = table.seats[number]
    return SeatSeen(
        name=f"bot:{seat.bot}" if seat.person is None else seat.person.name,
        person=seat.person is not None,
        bot=seat.bot,
        present=seat.person is not None and seat.person.id in there.present,
        covered=seat.covered,
        failed=seat.failed,
        host=seat.person is not None and table.hosted_by(seat.person.id, there.gone),
        avatar="" if seat.person is None else known(seat.person.avatar),
    )


def _may(table: Table, person: str | None, there: TablePresence) -> AllowedCommands:
    """Return the commands that would not be rejected now; none for a person without an identity."""
    if person is None:
        return AllowedCommands()
    who = Person(person, "")

    def may(command: Command) -> bool:
        return is_allowed(table, who, command, there)

    def which(command: Callable[[int], Command], seats: Iterable[int]) -> tuple[int, ...]:
        return tuple([seat for seat in seats if may(command(seat))])

    # Skip candidates that are surely rejected: this runs for every client at every step.
    seat, people = table.seat_of(person), table.occupied_seats
    free = [number for number in range(table.rules.seats) if number not in people]
    host = table.hosted_by(person, there.gone)
    return AllowedCommands(
        start=may(say.Start()),
        undo=may(say.Undo()),
        claim=may(say.Claim()),
        rematch=may(say.Rematch()),
        pause=may(say.Pause()),
        resume=may(say.Resume()),
        hint=may(say.Hint()),
        hints=may(say.Hints(True)),
        back=may(say.TakeOverFromBot()),
        sit=which(say.Sit, free),
        knock=which(say.Knock, free if seat is None else ()),
        swap=which(say.Swap, people if len(people) > 1 else ()),
        cover=which(say.SubstituteBot, people if host or there.gone else ()),
        remove=which(say.Remove, people if host else ()),
        give=which(say.GiveHost, people if host else ()),
        admit=which(lambda knock: say.Admit(knock, True), [one.seq for one in table.knocks]),
    )


def offer(table: Table, seat: int | None) -> Offer | None:
    """Return what a seat can decide now; None if it is not on turn or a bot plays for it."""
    state = table.game
    if state is None or not table.playing or seat is None or turn_of(state) != seat:
        return None
    if table.seats[seat].covered:
        return None
    decision = game.decision(state)
    legal = decision.legal
    if isinstance(legal, Bids):
        return Offer(
            kind=decision.kind,
            may_pass=legal.may_pass,
            bids=tuple(islice(legal.bids(), _MANY_BIDS)),
            any=legal.unbounded,
            worth=_worth(state, seat),
        )
    if isinstance(legal, CardSelections):
        to = state.phase.to if isinstance(state.phase, Exchanging) else None
        return Offer(kind=decision.kind, sizes=tuple(legal.sizes), to=to)
    return _listed(state, decision)


def _listed(state: GameState, decision: Decision) -> Offer:
    """Return an offer whose actions are few enough to be listed."""
    legal = list(decision.legal)
    melds = []
    for action in legal:
        if isinstance(action, LayMeld):
            laid = game.apply(state, action)[1][0]
            assert isinstance(laid, MeldLaid)
            melds.append(laid.meld)
    return Offer(
        kind=decision.kind,
        may_pass=PASS in legal or (decision.kind is Kind.UPCARD and Discard(()) in legal),
        trumps=tuple([action.suit for action in legal if isinstance(action, NameTrump)]),
        plays=tuple([action.card for action in legal if isinstance(action, Play)]),
        nine=next((its.cards[0] for its in legal if isinstance(its, Discard) and its.cards), None),
        melds=tuple(melds),
        worth=_worth(state, decision.seat) if decision.kind is Kind.TRUMP else (),
        concede=any(isinstance(action, Concede) for action in legal),
    )


def _worth(state: GameState, seat: int | None) -> tuple[Worth, ...]:
    """Return what a seat's hand melds in each trump, best first.

    Empty for games without a melding phase.
    """
    if seat is None or Phase.MELDING not in state.rules.phases:
        return ()
    hand, table = state.hands[seat], state.rules.melds
    worth = [Worth(suit, points(find(table, hand, suit))) for suit in SUITS]
    return tuple(sorted(worth, key=lambda one: -one.points))
