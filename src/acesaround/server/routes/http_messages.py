"""The JSON that pages send and get over HTTP, as types.

`frontend/write_types.py` writes the page's TypeScript types from them. An answer leaves out a field
that is UNSET.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from acesaround.sheets.form import JsonSchema, Section
from acesaround.store import ListSection
from acesaround.table.avatars import Avatar
from acesaround.table.commands import Choice
from acesaround.table.list_columns import TableSummary
from acesaround.table.messages import GameView
from acesaround.table.person_results import GameCounts, VariantResults
from acesaround.variants import Preset

GameKey: TypeAlias = Annotated[str, Meta(max_length=40)]
SheetValues: TypeAlias = Annotated[dict[str, Any], Meta(max_length=200)]
"""The values of a sheet by path; a whole game has fewer."""


class HttpRequest(msgspec.Struct, frozen=True):
    """The body of a request."""


class HttpAnswer(msgspec.Struct, frozen=True):
    """The body of an answer, or a part of one."""


class DraftFault(HttpAnswer, frozen=True):
    """An error in rules, with the fields to change and the line in a file."""

    sentence: str
    fields: tuple[str, ...] = ()
    line: int | None = None


class ErrorAnswer(HttpAnswer, frozen=True):
    """A request that failed. `error`: a sentence for people; `faults`: those of rules in it."""

    error: str
    faults: tuple[DraftFault, ...] = ()


class Health(HttpAnswer, frozen=True, omit_defaults=True):
    """The health of the server. `damaged`: known damage in the database."""

    ok: bool
    error: str = ""
    damaged: tuple[str, ...] = ()


class RenameRequest(HttpRequest, frozen=True):
    """The name and avatar that a guest wants. `avatar`: None keeps it; "" takes the name's own."""

    name: str
    avatar: Avatar | Literal[""] | None = None


class Profile(HttpAnswer, frozen=True):
    """The guest's name and avatar. `name`: None for a new guest."""

    name: str | None
    avatar: str


class SavedProfile(HttpAnswer, frozen=True):
    """The guest's name and avatar as stored."""

    name: str
    avatar: str


class OptionForm(HttpAnswer, frozen=True):
    """A house option for a form. `allowed`: the allowed values."""

    name: str
    summary: str
    allowed: JsonSchema
    default: Any


class VariantForm(HttpAnswer, frozen=True, kw_only=True):
    """A variant with its house options.

    `summary`: a line that describes it. `is_default`: it is offered before a choice is made.
    `default_players`: the number of players if none is chosen. `presets`: named sets of house
    options.

    The page draws a picture from the other values, so that people can tell the games apart.
    `deck_size`, `hand_size`, `kitty_size`: numbers of cards. `passed_cards`: how many partners pass
    to each other. `has_redraw`: hands are redrawn after the auction. `has_stock`: cards are drawn
    from a stock with each trick. `has_conventions`: bots have conventions for bids or cards.
    """

    variant: str
    title: str
    summary: str
    is_default: bool
    players: tuple[int, ...]
    default_players: int
    has_partners: bool
    side_count: int
    deck_size: int
    hand_size: int
    kitty_size: int
    passed_cards: int
    has_redraw: bool
    has_stock: bool
    has_conventions: bool
    options: tuple[OptionForm, ...]
    presets: Mapping[str, Preset]


class RulesPage(HttpAnswer, frozen=True):
    """The rules of a variant with house options. `is_own_game`: the guest has made the game."""

    title: str
    markdown: str
    is_own_game: bool


class VariantRulesPage(HttpAnswer, frozen=True):
    """The rules of a variant as it is usually played."""

    variant: str
    title: str
    markdown: str


class BotListed(HttpAnswer, frozen=True):
    """A bot that people may choose. `is_default`: they get it unless they choose another."""

    name: str
    summary: str
    is_default: bool


class OpenTableRequest(HttpRequest, frozen=True):
    """A table to open. `players`, `bots`: None for the usual; `clock`: seconds for a turn.

    `start`: deal at once. `natural`: whether the bots play without conventions.
    """

    variant: str
    players: int | None = None
    options: dict[str, Any] = {}
    public: bool = False
    clock: Annotated[int, Meta(ge=5, le=3600)] | None = None
    bots: str | None = None
    natural: bool = False
    start: bool = False


class TableOpened(HttpAnswer, frozen=True):
    """A new table. `id`: the token of its play link."""

    id: str


LessonState: TypeAlias = Literal["new", "begun", "done"]


class LessonListed(HttpAnswer, frozen=True):
    """A lesson that can be taken. `variant`: the game that is played in it; `game`: its title.

    `state`: how far the guest has come in it.
    """

    name: str
    title: str
    summary: str
    minutes: int
    variant: str
    game: str
    state: LessonState


class OpenLessonRequest(HttpRequest, frozen=True):
    """A lesson to take, by its name."""

    lesson: Annotated[str, Meta(max_length=64)]


class MoveTableRequest(HttpRequest, frozen=True):
    """A request to put a table, given by its play link, in a section of the guest's own list."""

    table: Annotated[str, Meta(max_length=64)]
    list_section: ListSection


class GameStatus(HttpAnswer, frozen=True):
    """The last game of a table: its finished deals, scores and winners. `you`: the guest's seat."""

    deals: int
    sides: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    winner: tuple[int, ...] | None
    you: int | None


class TableListed(TableSummary, HttpAnswer, frozen=True, kw_only=True):
    """A table in a list. `id`: the token of its play link. `created_ms`, `changed_ms`: when.

    `people_present`: how many are connected to it. Only in the guest's own list: `list_section`: in
    which part of it; `turn`: the seat of the person on turn; `game`: the last game, None before the
    first.
    """

    id: str
    created_ms: int
    changed_ms: int
    people_present: int
    list_section: ListSection | UnsetType = UNSET
    turn: int | UnsetType | None = UNSET
    game: GameStatus | UnsetType | None = UNSET


class FellowPlayer(HttpAnswer, frozen=True):
    """A person with whom the guest has played: how many `games`, and how they ended.

    `as_partners`, `as_opponents`: the guest's results on their side and against them.
    `last_game_ms`: when they last finished a deal together.
    """

    name: str
    avatar: str
    games: int
    as_partners: GameCounts
    as_opponents: GameCounts
    last_game_ms: int


class OwnResults(HttpAnswer, frozen=True):
    """The guest's wins and losses in their last `games`.

    `has_older_games`: there are older games, which are not counted. `fellow_players`: those of the
    latest games first.
    """

    games: int
    has_older_games: bool
    variants: tuple[VariantResults, ...]
    fellow_players: tuple[FellowPlayer, ...]


class TableRules(HttpAnswer, frozen=True):
    """The rules of a table.

    `base`: the game that the rules are based on. `changes`: the differences, in sentences.
    """

    base: str
    changes: tuple[str, ...]
    markdown: str


class Invitation(HttpAnswer, frozen=True):
    """The current play link of a table as a URL and as a QR code.

    `is_local_only`: the URL works only on the requester's own machine.
    """

    link: str
    qr: str
    is_local_only: bool


class DeviceListed(HttpAnswer, frozen=True):
    """A device in the list. `last_used_ms`: when it was used last.

    `is_this_device`: it has sent the request.
    """

    id: str
    name: str
    last_used_ms: int
    is_this_device: bool


class DeviceList(HttpAnswer, frozen=True):
    """The devices of the guest, this one first."""

    name: str | None
    devices: tuple[DeviceListed, ...]


class PairingCode(HttpAnswer, frozen=True):
    """A code that signs in another device. `valid_seconds`: how long it is valid."""

    code: str
    link: str
    qr: str
    valid_seconds: int


class PairingCodeRequest(HttpRequest, frozen=True):
    """A code of six words as typed, before it is normalized."""

    code: str


class GuestLeft(HttpAnswer, frozen=True):
    """The present person of a device, and what becomes of that person's seats and games.

    `leaves`: whether they stay with the person's other devices, are lost, or do not exist.
    """

    name: str
    leaves: Literal["kept", "lost", "nothing"]


class PairingCodePreview(HttpAnswer, frozen=True):
    """The person whose code it is. `is_same_person`: the device has signed in as that person."""

    name: str
    present_person: GuestLeft
    is_same_person: bool


class SignedIn(HttpAnswer, frozen=True):
    """The person that this device is now."""

    name: str


class SignOutRequest(HttpRequest, frozen=True):
    """A request to sign out a device, by its id in the list, or "others", all but this one."""

    which: str


class SheetForm(HttpAnswer, frozen=True):
    """The form of a sheet. `max_lengths`: the longest texts; `bases`: the games to start from."""

    sections: tuple[Section, ...]
    max_lengths: dict[str, int]
    bases: tuple[str, ...]


class CheckDraftRequest(HttpRequest, frozen=True):
    """A draft to check, by its `values` and their paths; or `game`, the game to start one from."""

    values: SheetValues = {}
    game: str = ""
    players: int | None = None
    options: dict[str, Any] = {}


class CheckedDraft(HttpAnswer, frozen=True):
    """The result of a check. With `faults`, only the draft's own `values` are given.

    `all_values`: all values of the game by path; `base_values`: those of its base; `changes`: the
    differences, in sentences; `equal_preset`: the equal preset of the base, "" for the base itself,
    None for no preset; `markdown`: the rules page; `toml`: the sheet as a file.
    """

    values: dict[str, Any]
    faults: tuple[DraftFault, ...] = ()
    base_values: dict[str, Any] = {}
    all_values: dict[str, Any] = {}
    changes: tuple[str, ...] = ()
    equal_preset: str | None = None
    markdown: str = ""
    toml: str = ""


class SaveGameRequest(HttpRequest, frozen=True):
    """A game to store. `key`: the game that it replaces; empty for a new one."""

    values: SheetValues
    key: GameKey = ""


class GameSaved(HttpAnswer, frozen=True):
    """A stored game."""

    key: str


class DeleteGameRequest(HttpRequest, frozen=True):
    """A request to delete a game."""

    key: GameKey


class OwnGameListed(HttpAnswer, frozen=True):
    """A game that the guest has made. `is_readable`: its sheet can be read."""

    key: str
    title: str
    changed_ms: int
    is_readable: bool


class ReviewRequest(HttpRequest, frozen=True):
    """A seat of a finished game to review. `game` counts from 1.

    `deals`: the number of deals whose review the page shows already, while the review runs.
    """

    game: int
    seat: int
    deals: int = 0


PracticeTheme: TypeAlias = Literal[
    "bidding",
    "trump",
    "passing",
    "burying",
    "leads",
    "smearing",
    "forcing",
    "counting",
    "saving-meld",
    "endgame",
    "following",
    "exchanging",
    "melding",
]
"""The subject of a position, a value of `practice.Theme`."""


ReviewKind: TypeAlias = Literal[
    "bidding",
    "naming trump",
    "passing cards",
    "burying",
    "exchanging",
    "melding",
    "leading",
    "following",
]
"""The kind of a decision, a value of `review.Kind`."""


class ReviewedChoice(HttpAnswer, frozen=True):
    """A choice of a decision. `chance`: to win the game after it.

    `chance_lost`: what it costs. `chance_error`: half of the 95% interval of that. `right`: whether
    it is no mistake.
    """

    action: Choice
    chance: float
    chance_lost: float
    chance_error: float
    points_lost: float
    right: bool


class ReviewedDecision(HttpAnswer, frozen=True):
    """A decision of the reviewed seat. Chances are those to win the game.

    `step`: the step of the deal's replay that shows the action. `action`: what was done; `best`:
    what is better. `chance_error`, `points_error`: half of the 95% intervals of the costs.
    `because`: why it is better, with seats by number. `theme`, `choices`: of a mistake, what it
    practices and what can be tried again.
    """

    deal: int
    step: int
    trick: int | None
    kind: ReviewKind
    action: Choice
    best: Choice
    chance: float
    chance_lost: float
    chance_error: float
    points_lost: float
    points_error: float
    mistake: bool
    because: tuple[str | int, ...]
    theme: PracticeTheme | None
    choices: tuple[ReviewedChoice, ...]


class ReviewedDeal(HttpAnswer, frozen=True):
    """The chance to win the game around a deal. `deal_luck`: the part of `luck` of the cards."""

    deal: int
    before: float
    after: float
    luck: float
    deal_luck: float
    decisions: float


class ReviewedKind(HttpAnswer, frozen=True):
    """All decisions of a kind: how many, how many mistakes, and what they cost."""

    kind: ReviewKind
    count: int
    mistakes: int
    chance_lost: float
    points_lost: float


class FinishedReview(HttpAnswer, frozen=True):
    """The review of a finished game for one seat.

    `skipped`: decisions with a choice that were not evaluated. `left_out`: deals beyond the limit.
    """

    seat: int
    decisions: tuple[ReviewedDecision, ...]
    deals: tuple[ReviewedDeal, ...]
    kinds: tuple[ReviewedKind, ...]
    skipped: int
    left_out: int


class ReviewProgress(HttpAnswer, frozen=True):
    """How far a review is. `total`: the number of its decisions; 0 until it is known.

    `state`: "none" if nobody has asked for it since the server started. `error`: why it failed, as
    a sentence. `review`: the review if it is done. While it runs, the review of the first deals, if
    that has more `deals` than the request.
    """

    state: Literal["none", "running", "done", "failed"]
    done: int = 0
    total: int = 0
    error: str = ""
    review: FinishedReview | None = None


class PracticePosition(HttpAnswer, frozen=True):
    """A decision to practice, as its seat saw it. It does not say which choice is right.

    `is_own_game`: from a game of the person. `trick`: its number from 1, None before the play.
    `names`: as in a replay.
    """

    id: str
    theme: PracticeTheme
    is_own_game: bool
    variant: str
    title: str
    players: int
    sides: tuple[tuple[int, ...], ...]
    partners: bool
    seat: int
    names: tuple[str, ...]
    view: GameView  # type: ignore[valid-type]
    trick: int | None
    choices: tuple[Choice, ...]


class PracticeCount(HttpAnswer, frozen=True):
    """How often a person was right and wrong in a theme. `positions`: how many there are."""

    theme: PracticeTheme
    right: int
    wrong: int
    positions: int


class NextPractice(HttpAnswer, frozen=True):
    """The next position, None if there is none, and the person's counts by theme."""

    position: PracticePosition | None
    counts: tuple[PracticeCount, ...]


class PracticeAnswer(HttpRequest, frozen=True):
    """The answer to a position. `choice`: its place in the list of choices, from 0."""

    id: str
    choice: int


class RetryAnswer(HttpRequest, frozen=True):
    """The new choice at a mistake of a review. `step`: as in `ReviewedDecision`."""

    game: int
    seat: int
    deal: int
    step: int
    choice: int


class PracticeValue(HttpAnswer, frozen=True):
    """The value of a choice of a position. The other fields are those of `ReviewedChoice`.

    `fault`: why a wrong choice is worse, with seats by number; empty if nothing is known of it.
    """

    chance: float
    chance_lost: float
    chance_error: float
    points_lost: float
    right: bool
    fault: tuple[str | int, ...] = ()


class PracticeResult(HttpAnswer, frozen=True):
    """The solution of a position, and the answer to it. `values`: in the order of the choices.

    `best`: the place of the best choice. `because`: why it is better, with seats by number.
    `counts`: those of the person by theme; empty where answers are not counted.
    """

    right: bool
    choice: int
    best: int
    values: tuple[PracticeValue, ...]
    because: tuple[str | int, ...]
    counts: tuple[PracticeCount, ...]
