"""The messages that the server sends to a browser, as types.

`frontend/write_types.py` writes the page's TypeScript types from them and from the commands. A
changed field is then a type error in the page.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from acesaround.cards import Card, Suit
from acesaround.game.events import Event
from acesaround.game.state import DecisionKind
from acesaround.game.view import View
from acesaround.rules.melds import Meld
from acesaround.rules.scoring import DealScore, Loss
from acesaround.table.commands import Choice
from acesaround.table.entries import JoiningKind, ProposalKind


class BidProgress(msgspec.Struct, frozen=True):
    """How far the declarer's side has come to its bid, as far as this view shows.

    `meld`: the meld that counts if the play suffices. `play`: points in play, with buried ones.
    `points_needed`: the fewest more points in play that make the bid.
    """

    meld: int
    play: int
    points_needed: int


class CallMeaning(msgspec.Struct, frozen=True):
    """The meaning of a bid or a pass, from public facts alone.

    `short`: a few words. `convention`: whether partners have agreed on it; else it is what the call
    usually says.
    """

    short: str
    sentence: str
    convention: bool


class SignalInfo(msgspec.Struct, frozen=True):
    """A card of the present trick, or of the last one, that says something by convention.

    `trick`: the number of tricks before it.
    """

    seat: int
    trick: int
    card: Card
    short: str
    sentence: str


_BOT_ONLY_FIELDS: Final = {"rules", "lying", "taken", "drawn", "undone", "score", "offence"}
"""Fields of `View` that pages do not need: they know the rules, and get the rest otherwise."""
GAME_FIELDS: Final = tuple(
    (field.name, field.type)
    for field in msgspec.structs.fields(View)
    if field.name not in _BOT_ONLY_FIELDS
)
GameView = msgspec.defstruct(
    "GameView",
    (
        *GAME_FIELDS,
        ("deal_limit", int | None),
        ("bid_progress", BidProgress | None),
        ("least_meld", int),
        ("least_play", int),
        ("melded", tuple[tuple[Card, ...], ...]),
        ("call_meanings", tuple[CallMeaning | None, ...]),
        ("signals", tuple[SignalInfo, ...]),
    ),
    frozen=True,
    kw_only=True,
    module=__name__,
    namespace={
        "__doc__": """The game as one seat sees it: what a page shows of a `View`, and more.

        `deal_limit`: the number of deals after which the game ends, None if it ends at `target`.
        `bid_progress`: None before there is a declarer, and while some of that side's meld is
        hidden. `least_meld`: meld below it counts nothing; `least_play`: with less in play nothing
        does. `melded`: the cards that each seat lays for its melds, where everybody melds at once,
        until the first trick is over. `call_meanings`: what each call of `auction` says, until the
        first trick is over. `signals`: those of the present and of the last trick.
        """
    },
)


class SeatInfo(msgspec.Struct, frozen=True):
    """A seat as others see it.

    `bot`: the bot that plays if no person holds the seat, or while it substitutes for its person
    (`substituted`). `present`: whether the person is connected. `failed`: the bot failed, and the
    safest action was done for it. `host`: whether its person is the host or acts for the host.
    `avatar`: the person's avatar, "" for none. `silent`: its person is on turn and connected, but
    the connection does not answer.
    """

    name: str
    person: bool
    bot: str
    present: bool
    substituted: bool
    failed: bool
    host: bool
    avatar: str = ""
    silent: bool = False


class SeatRequestInfo(msgspec.Struct, frozen=True):
    """A person asking for a seat. `request`: the number to use in an answer."""

    request: int
    name: str
    seat: int
    you: bool


class RemovedPersonInfo(msgspec.Struct, frozen=True):
    """A removed person. `removal`: the number to use to let the person sit again."""

    removal: int
    name: str


class LinkPaths(msgspec.Struct, frozen=True):
    """The paths of the links to play, to watch and to replay."""

    play: str
    watch: str | None
    replay: str | None


class ProposalInfo(msgspec.Struct, frozen=True):
    """A seat's proposal. `waiting`: the seats that have still to answer.

    `seconds_left`: the time left for answers.
    """

    kind: ProposalKind
    seat: int
    waiting: tuple[int, ...]
    seconds_left: float | None = None


class UndoneActionInfo(msgspec.Struct, frozen=True):
    """An action of a seat that entry `seq` undid, and the event by which it was seen."""

    seat: int
    event: Event
    seq: int


class DeniedProposalInfo(msgspec.Struct, frozen=True):
    """A seat's proposal that was denied, by entry `seq`.

    `denied_by`: the seats that said no, or, if it expired (`expired`), the seats that did not
    answer.
    """

    kind: ProposalKind
    seat: int
    denied_by: tuple[int, ...]
    expired: bool
    seq: int


class AwaitedReaders(msgspec.Struct, frozen=True):
    """The next deal waits while seats read the result of deal number `deal`.

    `waiting`: the seats that have still to continue. `seconds_left`: the time until the next deal
    starts anyway.
    """

    deal: int
    waiting: tuple[int, ...]
    seconds_left: float | None


class TimeLeft(msgspec.Struct, frozen=True):
    """The seconds left: of the turn, of the proposal, and of reading a result."""

    turn: float | None = None
    proposal: float | None = None
    reading: float | None = None


class AllowedCommands(msgspec.Struct, frozen=True):
    """The commands that this person may give now: a command that would be refused is not offered.

    `request_hint`: ask for a hint. `propose_hints`: ask the others to allow hints. `sit`: the seats
    that may be taken. `request_seat`: the seats that may be asked for. `swap`: the seats whose
    person may be asked to swap. `substitute_bot`, `remove`, `give_host`: the seats whose person may
    be replaced by a bot, removed, or made the host. `admit`: the requests for a seat that may be
    granted.
    """

    start: bool = False
    undo: bool = False
    claim: bool = False
    rematch: bool = False
    pause: bool = False
    resume: bool = False
    request_hint: bool = False
    propose_hints: bool = False
    take_over: bool = False
    sit: tuple[int, ...] = ()
    request_seat: tuple[int, ...] = ()
    swap: tuple[int, ...] = ()
    substitute_bot: tuple[int, ...] = ()
    remove: tuple[int, ...] = ()
    give_host: tuple[int, ...] = ()
    admit: tuple[int, ...] = ()


class ChatLineInfo(msgspec.Struct, frozen=True):
    """A chat line: a phrase, a picture, or else a free `text`.

    `seq`: the entry that said it, by which a client recognizes a new line.
    """

    seat: int
    phrase: str
    seq: int
    text: str = ""


LessonWait: TypeAlias = Literal["watch", "go-on", "move", "end"]


class LessonInfo(msgspec.Struct, frozen=True):
    """The lesson that is taken at a table: what is said now, and what it waits for.

    `step`: the number of the step, from 1 to `steps`. `waits`: the other seats act (`watch`), the
    person has to read and go on, or to move, or the lesson is over (`end`).
    """

    name: str
    title: str
    step: int
    steps: int
    sentence: str
    waits: LessonWait


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The table around the game.

    `you`: this person's seat, None for a spectator. `id`: the link by which this person came.
    `host`: whether this person is the host; not if they only act for the host. `links`: None for a
    person who may only watch. `removed`: filled for the host only. `spectators`: their names, for
    seated people only. `seat_lost_by`: the names of persons who lost their seats because they were
    away, before the first game.

    `changed_rule_count`: the number of rules that differ from the game it is based on.
    `renege_penalty`: whether an illegal play is accepted and punished. `sides`: the seats that
    score together, one tuple a side. `partners`: whether a side has several seats. `kitty`: the
    size of the kitty in this variant. `packet`: how many cards each seat is dealt at a time.
    `copies`: of each card in the deck; `nines`: whether it has nines.

    `clock`: seconds a turn, None without a clock. `turn_seconds_left`: when the message was made;
    the clock stops while the table is paused or a proposal other than hints is open. `undone`,
    `denied_proposal`: the action undone or the proposal denied since the last action.
    `readers`: None if no seat is awaited. `hints_allowed`: whether hints are allowed
    although several persons play. `claiming_seat`: the seat whose claim is being played out.
    `lesson`: None at a table where no lesson is taken. `natural`: whether the bots play without
    conventions; `conventions`: whether they could have any. `free_chat`: whether free text is
    allowed in the chat. `bots`: the names a host can choose from.
    """

    id: str
    variant: str
    title: str
    changed_rule_count: int
    renege_penalty: bool
    players: int
    sides: tuple[tuple[int, ...], ...]
    partners: bool
    kitty: int
    packet: int
    copies: int
    nines: bool
    public: bool
    clock: int | None
    turn_seconds_left: float | None
    you: int | None
    host: bool
    seats: tuple[SeatInfo, ...]
    bots: tuple[str, ...]
    started: bool
    over: bool
    paused: bool
    games: int
    hints_allowed: bool
    claiming_seat: int | None
    proposal: ProposalInfo | None
    undone: UndoneActionInfo | None
    denied_proposal: DeniedProposalInfo | None
    readers: AwaitedReaders | None
    allowed: AllowedCommands
    rematch: tuple[int, ...]
    chat: tuple[ChatLineInfo, ...]
    free_chat: bool
    natural: bool
    conventions: bool
    joining: JoiningKind
    seat_requests: tuple[SeatRequestInfo, ...]
    removed: tuple[RemovedPersonInfo, ...]
    seat_lost_by: tuple[str, ...]
    spectators: tuple[str, ...]
    links: LinkPaths | None
    lesson: LessonInfo | None = None


class MeldInTrump(msgspec.Struct, frozen=True):
    """The points that a hand melds with a trump, and its melds."""

    suit: Suit
    points: int
    melds: tuple[Meld, ...]


class LegalChoices(msgspec.Struct, frozen=True, kw_only=True):
    """The decision of this person; fields that the kind does not use are empty.

    `may_pass`: pass in the auction, lay no meld before drawing, or leave the dealer's upcard.
    `bids`: the lowest bids. `higher_bids`: whether every higher bid on the same steps is legal too.
    `sizes`: how many cards may be chosen to bury, give or discard. `to`: the seat that gets the
    given cards. `nine`: the nine that may be exchanged for the upcard before the dealer.
    `melds_by_trump`: the points this person's hand melds in each trump, best first, while bidding
    or naming trump. `bid_meanings`: what each of `bids` would say, `pass_meaning`: what a pass
    would. `concede_result`: what giving up leads to, as a sentence; "" if it is not allowed.
    """

    kind: DecisionKind
    may_pass: bool = msgspec.field(name="pass", default=False)
    bids: tuple[int, ...] = ()
    higher_bids: bool = False
    trumps: tuple[Suit, ...] = ()
    sizes: tuple[int, ...] = ()
    to: int | None = None
    plays: tuple[Card, ...] = ()
    nine: Card | None = None
    melds: tuple[Meld, ...] = ()
    melds_by_trump: tuple[MeldInTrump, ...] = ()
    concede: bool = False
    concede_result: str = ""
    bid_meanings: tuple[CallMeaning | None, ...] = ()
    pass_meaning: CallMeaning | None = None


class Guidance(msgspec.Struct, frozen=True):
    """A sentence on what is to be done now, or who is awaited, and what it is for.

    `short`: one line; `long`: the same with its purpose. Both are parts of a sentence: a number is
    a seat, for its name. `words`: the entries of the glossary that explain it.
    """

    short: tuple[str | int, ...]
    long: tuple[str | int, ...]
    words: tuple[str, ...]


class SheetRow(msgspec.Struct, frozen=True):
    """A deal on the score sheet, with the sides' totals after it.

    `lost`: the part of a side's meld and play that does not count, and the reason. `buried`: the
    declarer's buried cards, which everybody may see now; `buried_points`: their card points.
    """

    score: DealScore
    totals: tuple[int, ...]
    lost: tuple[Loss | None, ...]
    buried: tuple[Card, ...]
    buried_points: int


class State(msgspec.Struct, frozen=True, tag="state", kw_only=True):
    """The table after entry `seq`: complete, so that a client may start with any message.

    `events`: what that entry caused. `missed`: this is one of the messages that a browser missed
    while it was disconnected, and another follows at once.
    """

    seq: int
    table: TableInfo
    view: GameView | None  # type: ignore[valid-type]  # made from View's own fields
    decision: LegalChoices | None
    guidance: Guidance | None
    events: tuple[Event, ...]
    sheet: tuple[SheetRow, ...]
    missed: bool = False


RefusalCode: TypeAlias = Literal[
    "malformed",
    "seat",
    "host",
    "joining",
    "turn",
    "rule",
    "stale",
    "paused",
    "substituted",
    "rate",
    "unsaved",
]


class RefusalMessage(msgspec.Struct, frozen=True, tag="refused"):
    """A command that was refused; the table is unchanged."""

    code: RefusalCode
    sentence: str
    seq: int


class EvaluatedAction(msgspec.Struct, frozen=True):
    """An action that was tried in many deals that agree with the view, and its results.

    `points`: the average change of the own total in this deal. `chance`: the average chance to win
    the game. `made`: how often the bid of this deal is made, None if there is no bid.
    """

    action: Choice
    points: float
    chance: float
    made: float | None


class HintGiven(msgspec.Struct, frozen=True, tag="hint"):
    """The choice of a good player in this person's place: an action as in a record, and why.

    `sentence`: both in one sentence that names others by where they sit. `tried`: the evaluated
    actions, best first; empty if there was nothing to evaluate. `reason`: the reason alone, with a
    seat's number in place of its name.
    """

    seq: int
    action: Choice
    sentence: str
    tried: tuple[EvaluatedAction, ...] = ()
    reason: tuple[str | int, ...] = ()


class StepExplanation(msgspec.Struct, frozen=True):
    """The choice of a good player at a step of a finished game, from that seat's view.

    The other fields are as in a hint.
    """

    seat: int
    action: Choice
    sentence: str
    tried: tuple[EvaluatedAction, ...] = ()
    reason: tuple[str | int, ...] = ()


class ReplayStep(msgspec.Struct, frozen=True, kw_only=True):
    """A moment of a finished deal with nothing hidden: the state after an action, and its events.

    `action`: what `seat` decided to do, as in a record; None for a deal. `hands`: every seat's
    cards. `view`: a spectator's view, but with kitty, buried and passed cards, melds and every
    event in full. The last step of a deal shows the cards before they are cleared.
    """

    seat: int | None
    action: Choice | None = None
    view: GameView  # type: ignore[valid-type]
    hands: tuple[tuple[Card, ...], ...]
    events: tuple[Event, ...]


class TurningPoint(msgspec.Struct, frozen=True):
    """The moment in a deal in which its bid was made, or could be made no longer.

    `step`: the step of the replay, from 0. `trick`: the number of tricks played, from 1.
    """

    step: int
    trick: int
    is_made: bool


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A finished deal, step by step, and the score sheet of all finished deals of its game.

    `table`: the token of the replay link, by which others may see the same; empty if there is none
    yet. `names`: a bot as `bot:` and its name. `you`: the seat that the requester held in that
    game, None for others.
    """

    table: str
    game: int
    deal: int
    variant: str
    title: str
    players: int
    sides: tuple[tuple[int, ...], ...]
    partners: bool
    you: int | None
    names: tuple[str, ...]
    sheet: tuple[SheetRow, ...]
    steps: tuple[ReplayStep, ...]
    turning_point: TurningPoint | None


class GameListed(msgspec.Struct, frozen=True):
    """A game of a table: the number of its finished deals, and the seats that won it."""

    game: int
    deals: int
    over: bool
    winner: tuple[int, ...] | None


class GameList(msgspec.Struct, frozen=True):
    """The games of a table, oldest first. `over`: none of them is being played.

    `leads_to_table`: whether the link of this request also leads to the table.
    """

    over: bool
    games: tuple[GameListed, ...]
    leads_to_table: bool


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """The answer to a ping."""


Message: TypeAlias = State | RefusalMessage | HintGiven | Pong
