"""What the server says to a browser: every message, typed, and nothing more.

`schema` describes these and the commands in one JSON Schema, from which the browser's own types
are generated: a field that changes here is an error there.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

import msgspec

from acesaround.actions import ACTIONS, Deal
from acesaround.cards import SUITS, Card, Suit
from acesaround.game.events import Event
from acesaround.game.state import Kind
from acesaround.game.view import View
from acesaround.rules.melds import Meld
from acesaround.rules.scoring import DealScore, Loss
from acesaround.table.commands import Choice, Command
from acesaround.table.entries import JoiningKind, WishKind


class BidProgress(msgspec.Struct, frozen=True):
    """How far the declarer's side has come to its bid, by what is known.

    `meld`: what counts of it if the play is enough; `play`: points in play, with buried ones;
    `left`: the fewest more points in play that make the bid.
    """

    meld: int
    play: int
    left: int


_FOR_BOTS: Final = {"rules", "lying", "taken", "drawn", "undone", "score", "offence"}
"""What no page shows: it knows the rules, shows such things as they happen, and has the sheet."""
GAME_FIELDS: Final = tuple(
    (field.name, field.type)
    for field in msgspec.structs.fields(View)
    if field.name not in _FOR_BOTS
)
GameSeen = msgspec.defstruct(
    "GameSeen",
    (
        *GAME_FIELDS,
        ("toward", BidProgress | None),
        ("least_meld", int),
        ("least_play", int),
        ("melded", tuple[tuple[Card, ...], ...]),
    ),
    frozen=True,
    kw_only=True,
    module=__name__,
    namespace={
        "__doc__": """The game as one seat sees it: what a page shows of a `View`, and more.

        `toward`: None before there is a declarer, and while some of that side's meld is hidden.
        `least_meld`: meld below it counts nothing; `least_play`: with less in play nothing does.
        `melded`: the cards that each seat lays for its melds, where everybody melds at once, until
        the first trick is over.
        """
    },
)


class SeatSeen(msgspec.Struct, frozen=True):
    """A seat as others see it.

    `bot`: who holds it when no person does, or plays while its person is `covered`. `present`:
    whether the person is connected. `failed`: the bot has failed, and the safest action was done
    for it. `host`: whether its person is the host, or acts for him. `avatar`: the sign its person
    has chosen, "" for none.
    """

    name: str
    person: bool
    bot: str
    present: bool
    covered: bool
    failed: bool
    host: bool
    avatar: str = ""


class KnockSeen(msgspec.Struct, frozen=True):
    """Somebody who asks for a seat. `knock`: the number by which to answer."""

    knock: int
    name: str
    seat: int
    you: bool


class RemovedPerson(msgspec.Struct, frozen=True):
    """Somebody who was removed. `removal`: the number by which to let that person sit again."""

    removal: int
    name: str


class LinksSeen(msgspec.Struct, frozen=True):
    """The addresses, without the server's, by which others come to play, to watch and to replay."""

    play: str
    watch: str | None
    replay: str | None


class ProposalSeen(msgspec.Struct, frozen=True):
    """What a seat asks of others. `waiting`: the seats that have still to answer.

    `left`: seconds in which they may.
    """

    kind: WishKind
    seat: int
    waiting: tuple[int, ...]
    left: float | None = None


class TakenSeen(msgspec.Struct, frozen=True):
    """An action of a seat that was taken back by entry `seq`, and what was seen of it."""

    seat: int
    event: Event
    seq: int


class DeniedSeen(msgspec.Struct, frozen=True):
    """A question of a seat that was not granted, by entry `seq`.

    `by`: the seats that said no, or, where its time was over (`late`), those that said nothing.
    """

    kind: WishKind
    seat: int
    by: tuple[int, ...]
    late: bool
    seq: int


class ReadingSeen(msgspec.Struct, frozen=True):
    """The result of deal number `deal` is being read, and the next one waits.

    `waiting`: the seats that have still to go on; `left`: seconds after which it is dealt anyway.
    """

    deal: int
    waiting: tuple[int, ...]
    left: float | None


class TimeLeft(msgspec.Struct, frozen=True):
    """Seconds that are left: of the turn, of what is asked, of reading a result."""

    turn: float | None = None
    asked: float | None = None
    reading: float | None = None


class AllowedCommands(msgspec.Struct, frozen=True):
    """Which commands this person may give now: what would be refused is not offered.

    `hint`: ask for a hint; `hints`: ask the others to allow them. `sit`: the seats that may be
    taken; `knock`: those that may be asked for; `swap`: those whose person may be asked to change
    places; `cover`, `remove`, `give`: those whose person may be covered, removed, made the host;
    `admit`: those who knock and may be let in.
    """

    start: bool = False
    undo: bool = False
    claim: bool = False
    rematch: bool = False
    pause: bool = False
    resume: bool = False
    hint: bool = False
    hints: bool = False
    back: bool = False
    sit: tuple[int, ...] = ()
    knock: tuple[int, ...] = ()
    swap: tuple[int, ...] = ()
    cover: tuple[int, ...] = ()
    remove: tuple[int, ...] = ()
    give: tuple[int, ...] = ()
    admit: tuple[int, ...] = ()


class TalkSeen(msgspec.Struct, frozen=True):
    """Table talk: a phrase, a picture, or else a `text` that somebody wrote.

    `seq`: the entry that said it, by which a new one is told.
    """

    seat: int
    phrase: str
    seq: int
    text: str = ""


class TableSeen(msgspec.Struct, frozen=True, kw_only=True):
    """The table around the game. `you`: this person's seat, None for somebody who looks on.

    `id`: the link by which this person came. `host`: whether this person is the host or acts for
    him. `links`: None for who may only watch. `out`: for the host alone. `watching`: names of those
    who look on, for who sits.
    `house`: in how many rules it differs from the game it is based on. `penalty`: whether an
    illegal play is accepted and punished. `sides`: the seats that score together, a side each;
    `partners`: whether those are several.
    `kitty`: how many cards it has in this variant; `packet`: how many each is dealt at a time.
    `clock`: seconds a turn, None without a clock; `left`: seconds left of the present turn when the
    message was made; while the table is paused, or anything but hints is asked, they stand still.
    `taken`, `denied`: what was taken back or not granted since the last action. `reading`: None
    where nobody is waited for. `hints`: whether they are allowed although several persons play.
    `claimed`: the seat whose claim is being played out. `writing`: whether
    people may say what they like. `bots`: the names a host can choose from.
    """

    id: str
    variant: str
    title: str
    house: int
    penalty: bool
    players: int
    sides: tuple[tuple[int, ...], ...]
    partners: bool
    kitty: int
    packet: int
    public: bool
    clock: int | None
    left: float | None
    you: int | None
    host: bool
    seats: tuple[SeatSeen, ...]
    bots: tuple[str, ...]
    started: bool
    over: bool
    paused: bool
    games: int
    hints: bool
    claimed: int | None
    asked: ProposalSeen | None
    taken: TakenSeen | None
    denied: DeniedSeen | None
    reading: ReadingSeen | None
    may: AllowedCommands
    rematch: tuple[int, ...]
    talk: tuple[TalkSeen, ...]
    writing: bool
    joining: JoiningKind
    knocks: tuple[KnockSeen, ...]
    out: tuple[RemovedPerson, ...]
    watching: tuple[str, ...]
    links: LinksSeen | None


class Worth(msgspec.Struct, frozen=True):
    """What a hand melds with a trump."""

    suit: Suit
    points: int


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What this person can decide now; what does not belong to the kind is empty.

    `may_pass`: in the auction; in the play to lay no meld before cards are drawn; to leave the
    dealer's upcard where it is.
    `bids`: the lowest bids, `any`: whether every higher one on the same steps is legal too.
    `sizes`: how many cards may be chosen to bury, give or discard; `to`: the seat that gets cards
    that are given. `nine`: what may be given for the dealer's upcard, which lies before the dealer.
    `worth`: what this person's own hand melds in each trump, while it bids or names
    one: the best first.
    """

    kind: Kind
    may_pass: bool = msgspec.field(name="pass", default=False)
    bids: tuple[int, ...] = ()
    any: bool = False
    trumps: tuple[Suit, ...] = ()
    sizes: tuple[int, ...] = ()
    to: int | None = None
    plays: tuple[Card, ...] = ()
    nine: Card | None = None
    melds: tuple[Meld, ...] = ()
    worth: tuple[Worth, ...] = ()
    concede: bool = False


class SheetRow(msgspec.Struct, frozen=True):
    """A deal on the score sheet, with the sides' totals after it.

    `lost`: what of a side's meld and play does not count, and why.
    """

    score: DealScore
    totals: tuple[int, ...]
    lost: tuple[Loss | None, ...]


class State(msgspec.Struct, frozen=True, tag="state", kw_only=True):
    """The table after entry `seq`: whole, so that any message may be the first one read.

    `events`: what happened by that entry. `missed`: this is one of the messages that a browser
    missed while it was away, and another follows at once.
    """

    seq: int
    table: TableSeen
    view: GameSeen | None  # type: ignore[valid-type]  # made from View's own fields
    decision: Offer | None
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
    "covered",
    "rate",
    "unsaved",
]


class Refusal(msgspec.Struct, frozen=True, tag="refused"):
    """A command that was refused; the table is unchanged."""

    code: RefusalCode
    sentence: str
    seq: int


class EvaluatedAction(msgspec.Struct, frozen=True):
    """An action that was tried in many deals that agree with the view, and what it brought.

    `points`: what the own total changes by in this deal, `chance`: of winning the game, both on
    average; `made`: how often the bid of this deal is made, None where none stands.
    """

    action: Choice
    points: float
    chance: float
    made: float | None


class HintGiven(msgspec.Struct, frozen=True, tag="hint"):
    """What a good player would do in this person's place: an action as in a record, and why.

    `why`: both in one sentence, others called by where they sit. `tried`: what it weighed, best
    first; none where there was nothing to weigh. `because`: the reason alone, with the number of a
    seat wherever its name belongs.
    """

    seq: int
    action: Choice
    why: str
    tried: tuple[EvaluatedAction, ...] = ()
    because: tuple[str | int, ...] = ()


class Why(msgspec.Struct, frozen=True):
    """What a good player would have done at a step of a finished game, seeing that seat's view.

    The rest is as in a hint.
    """

    seat: int
    action: Choice
    why: str
    tried: tuple[EvaluatedAction, ...] = ()
    because: tuple[str | int, ...] = ()


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A moment of a finished game with nothing hidden: after each action, what happened by it.

    `action`: what `seat` decided to do, as in a record; None for chance. `hands`: every seat's
    cards; `view`: as a spectator, but with kitty, buried and passed cards, melds and every event in
    full. The last step of a deal shows it before the cards are cleared.
    """

    seat: int | None
    action: Choice | None = None
    view: GameSeen  # type: ignore[valid-type]
    hands: tuple[tuple[Card, ...], ...]
    events: tuple[Event, ...]


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """One deal of a finished game, step by step, and the score sheet of the whole game.

    `table`: the link to replay, by which others may see the same; empty where there is none yet.
    `names`: a bot as `bot:` and its name. `you`: the seat that the one who asks held in that game,
    None for others.
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
    steps: tuple[Step, ...]


class GameListed(msgspec.Struct, frozen=True):
    """A game of a table: how many of its deals are over, and the seats that won it."""

    game: int
    deals: int
    over: bool
    winner: tuple[int, ...] | None


class Games(msgspec.Struct, frozen=True):
    """The games of a table, oldest first. `over`: none of them is being played.

    `plays`: the link by which they are asked for leads to the table, too.
    """

    over: bool
    games: tuple[GameListed, ...]
    plays: bool


Message: TypeAlias = State | Refusal | HintGiven


def schema() -> dict[str, Any]:
    """The JSON Schema of all messages, commands and replays."""
    (message, command, replay, games, why), parts = msgspec.json.schema_components(
        (Message, Command, Replay, Games, Why), schema_hook=_hook
    )
    return {
        "$defs": {
            **parts,
            "Choice": {
                "description": "An action as in a record: its name, and what it needs.",
                "anyOf": [_written(action) for action in ACTIONS if action is not Deal],
            },
            "Message": message,
            "Command": command,
            "ReplayOfADeal": replay,
            "GamesOfATable": games,
            "WhyAtAStep": why,
        },
    }


def _written(action: type[msgspec.Struct]) -> dict[str, Any]:
    fields = msgspec.structs.fields(action)
    needs, _ = msgspec.json.schema_components([one.type for one in fields], schema_hook=_hook)
    items = [{"enum": [action.__struct_config__.tag]}, *needs]
    return {
        "type": "array",
        "prefixItems": items,
        "minItems": len(items),
        "maxItems": len(items),
    }


def _hook(kind: type) -> dict[str, Any]:
    if kind is Card:
        return {"type": "string", "description": "A card: rank then suit, such as TH."}
    if kind is Suit:
        return {"enum": [suit.name for suit in SUITS]}
    raise NotImplementedError
