"""The reasons for a bot's actions, as data: a sentence with its cards, suits and seats.

All sentences are in `ReasonTemplate`. Each continues the suggestion of an action, as a partner
would say it: "Lead the 9♥: Cleo has the ace." So the card comes first and is not named again. There
is one reason and, but for bids, no number, because the numbers are in `Advice.tried`. Seats stay
numbers until a caller who knows names turns them into words.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from functools import cache
from string import Formatter
from typing import Final, TypeAlias

import msgspec

from acesaround.actions import Action
from acesaround.cards import Card, Rank, Suit
from acesaround.game.narration import suggestion_text
from acesaround.game.view import View


class ReasonTemplate(enum.Enum):
    """The sentences. In braces: a `seat` or an `other` one, a `card`, a `rank`, `suit`, `suits`.

    Also `others`, `bid` and `limit`: see `Explanation`.

    `one` is a single card of the suit, such as "heart" of "hearts".
    """

    # Any card.
    ONLY_CARD = "it is the only card you may play"
    LAST_CARD = "it is your last card"
    NO_DIFFERENCE = "it makes no difference which card you play"

    # What decides between actions: other actions, and what they would cost.
    EVEN = "it is about even with {others}"
    TRICK_LESS = "{others} would do worse in this trick"
    KEEP = "keep {others} for a later trick"
    LATER_LESS = "{others} would do worse in later tricks"
    NOW_AND_LATER_LESS = "{others} would do worse in this trick and later"
    MELD_LESS = "{others} would bring less meld"
    PLAY_LESS = "{others} would bring fewer points in the tricks"
    MELD_AND_PLAY_LESS = "{others} would bring less in meld and tricks"
    MOSTLY = "it does better in most deals that fit your cards"
    ON_AVERAGE = "it wins more where it helps than it loses elsewhere"

    # A card that is led.
    NO_HIGHER_TRUMP = "no higher trump is out"
    NOTHING_OUT = "no higher {one} and no trump is out"
    HIGH_AND_FOLLOWS = "no higher {one} is out, and {seat} must follow suit"
    HIGH_AND_NO_TRUMP = "no higher {one} is out, and {seat} has no trump"
    HIGH_AND_UNTRUMPED = "no higher {one} is out, and no opponent can trump it"
    ONLY_TRUMP_BEATS = "only a trump can beat it"
    CASH = "cash it before somebody runs out of {suit}"
    DRAWS = "it draws out the others' trumps"
    DRAWS_MOST = "you hold more trumps than are out"
    DRAWS_LONG = "you are long in trumps, so draw out theirs"
    ONLY_TRUMPS = "you have only trumps to lead"
    PARTNER_HAS = "{seat} has the {rank}"
    PARTNER_LIKELY = "{seat} is likely to win it"
    SIDE_LIKELY = "one of your partners is likely to win it"
    LAST_OF_SUIT = "it is your last {one}, and after that you can trump"
    NOTHING_SURE_FREE = "nothing of yours is sure to win, and this gives nothing away"
    NOTHING_SURE_LONG = "nothing of yours is sure to win, so try your longest suit"
    NOTHING_SURE = "nothing of yours is sure to win, and this costs least"
    WAIT_FREE = "your sure tricks can wait, and this gives nothing away"
    WAIT_LONG = "your sure tricks can wait, so try your longest suit first"
    WAIT = "your sure tricks can wait"

    # A card that is winning the trick.
    PLAYS_LAST = "it takes the trick, and you play last"
    PARTNER_BEHIND = "it takes the trick, and only {seat} plays after you"
    PARTNERS_BEHIND = "it takes the trick, and only partners play after you"
    MUST_FOLLOW = "it takes the trick, and {seat} must follow suit"
    NO_HIGHER_OF_SUIT = "it takes the trick, and {seat} has no higher {one}"
    NEITHER = "it takes the trick, and {seat} has no higher {one} and no trump"
    HAS_NO_HIGHER_TRUMP = "it takes the trick, and {seat} has no higher trump"
    NOBODY_BEATS = "no opponent can beat it"
    ONE_MAY_BEAT = "it takes the trick, and only {seat} could still beat it"
    HAS_IT = "it is winning so far"
    SHOULD_WIN = "it should win the trick"
    TRUMPS_IT = "it trumps the trick"
    SAVES_MELD = "it should win, and a counter saves your meld"
    TRICK_SAVES_MELD = "it should win, and a trick saves your meld"
    CHEAP_TRY = "it takes the trick for now, and costs little if it is beaten"
    MUST_BEAT_LOW = "you must beat the {rank}, and this is the lowest that does"
    MUST_BEAT = "you must beat the {rank}, and this costs least"
    MUST_BEAT_PARTNER = "you must beat {seat}'s {rank}, and this costs least"

    # A card on a partner's trick.
    PARTNER_SURE = "{seat}'s {rank} is sure to win"
    PARTNER_SURE_COUNTS = "{seat}'s {rank} is sure to win, and this counts for you"
    PARTNER_SO_FAR = "{seat}'s {rank} is winning so far"
    PARTNER_BUT_ONE = "only {other} could still beat {seat}'s {rank}"
    PARTNER_SHOULD = "{seat}'s {rank} should win, and you need this least"
    PARTNER_SHOULD_COUNTS = "{seat}'s {rank} should win, and this counts for you"
    PARTNER_HARDLY = "{seat}'s {rank} will hardly hold, and this is worth nothing"
    PARTNER_HARDLY_LEAST = "{seat}'s {rank} will hardly hold, and this costs the fewest points"

    # A card on a trick that an opponent is winning.
    PARTNER_MAY_BEAT = "{seat} may still beat {other}'s {rank}"
    PARTNERS_MAY_BEAT = "your partners may still beat {other}'s {rank}"
    PARTNER_MAY_WIN = "{seat} may still win the trick"
    PARTNERS_MAY_WIN = "your partners may still win the trick"
    SIDE_CANNOT = "neither you nor {seat} can beat {other}'s {rank}"
    PARTNER_CANNOT = "{seat} cannot beat {other}'s {rank}"
    PARTNERS_CANNOT = "your side cannot beat {other}'s {rank}"
    CANNOT_FREE = "you cannot beat {seat}'s {rank}, and this is worth nothing"
    CANNOT_LEAST = "you cannot beat {seat}'s {rank}, and this costs the fewest points"
    CANNOT_KEEP = "you cannot beat {seat}'s {rank}, and will need the others more"
    LET_GO = "this trick is not worth a better card"
    LOST_FREE = "the trick looks lost, and this is worth nothing"
    LOST_LEAST = "the trick looks lost, and this costs the fewest points"
    SHOWS_ACE = "it tells {seat} that you hold an ace of this suit too"
    DENIES_ACE = "it tells {seat} that you hold no ace of this suit"

    # Melds laid between tricks, and conceding.
    LAY_IN_TIME = "a meld laid too late counts for nothing"
    LAY_HIGHEST = "no meld you can lay now is worth more"
    LAY_NINE = "the nine of trump is a meld by itself"
    NOTHING_TO_LAY = "you have no meld to lay"
    LAY_LATER = "what you could lay now may bring more later"
    LAY_FETCHES = "it brings you the {card}"
    NOT_ALL_TRICKS = "not even winning every trick would make the bid"
    TOO_FAR = "the bid needs far more than this hand can win"
    UNLIKELY = "the bid is unlikely to be made"

    # Bids.
    BID_RUN = "you hold a run in {suit}"
    BID_ACES = "you hold aces around"
    BID_LONG = "you are long in {suit}"
    BID_WORTH = "with {suit} as trump your hand is worth it"
    BID_SHOWS_ACES = "it tells {seat} that you hold aces around"
    BID_SHOWS_TWENTY = "it tells {seat} that you hold twenty meld or more"
    BID_SHOWS_THIRTY = "it tells {seat} that you hold thirty meld or more"
    BID_ASKS = "it asks {seat} to show meld"
    BID_MELD = "your meld with {suit} as trump is worth it"
    BID_TRICKS = "with {suit} as trump you should win most tricks"
    BID_CONTRACT = "with {suit} as trump the bid should pay"
    BID_BOTH = "you may make it, and it pushes your opponents higher"
    BID_PUSHES = "it pushes your opponents higher"
    BID_ON = "{seat} bid {bid}, and you can go to {limit}"
    BID_LAST = "that is as far as your hand goes"
    BID_FORCED = "you must bid, and this is the least"
    PASS_NO_MARRIAGE = "without a marriage you cannot name trump"
    PASS_TO_PARTNER = "leave the bid to {seat}"
    PASS_NO_MELD = "your side will hardly have the meld it needs"
    PASS_TOO_HIGH = "a bid of {bid} would fail too often"
    PASS_THEY_FAIL = "your opponents may well not make what they bid"
    PASS_HIGHER = "your hand is not worth a higher bid"
    PASS_LOW = "your hand is not worth a bid"

    # Trump.
    TRUMP_ONLY = "it is the only suit you may name"
    TRUMP_RUN = "you hold the run"
    TRUMP_BOTH = "it is your longest suit and melds most"
    TRUMP_LONG = "it is your longest suit"
    TRUMP_MELD = "it melds most"
    TRUMP_WORTH = "it is worth most in meld and tricks together"

    # Cards that leave the hand.
    GIVE_BOTH = "{seat} needs trumps and aces most"
    GIVE_TRUMPS = "{seat} needs trumps most"
    GIVE_ACES = "aces win tricks for {seat}"
    GIVE_REST = "you have no trump or ace to spare"
    BACK_WHOLE = "your meld stays whole without them"
    BACK_LEAST = "you can spare them best"
    BURY_VOID = "with no {suits} left you can trump them"
    BURY_COUNTS = "they count for you, and your meld stays whole"
    BURY_COUNTERS = "they count for you"
    BURY_REST = "you need them neither for meld nor for tricks"
    BURY_LEAST = "you can spare them most easily"
    KEEP_TRUMPS = "your trumps and meld stay"
    KEEP_BEST = "what melds or wins tricks stays"
    FETCHES_MELD = "the {card} makes your meld worth more"
    NO_NINE = "you have no nine of trump to give for it"
    LEAVE_UPCARD = "it may be part of a meld of {seat}"
    KEEP_ALL = "each is worth more than a new card"

    # How beginners decide.
    HABIT_HIGH = "high cards often win"
    HABIT_BEATS = "it beats the {rank}"
    HABIT_LOW = "a higher card has the trick already"
    FEELS_WORTH = "with {suit} as trump the hand feels worth it"
    FEELS_WEAK = "the hand does not feel worth the bid"


class Explanation(msgspec.Struct, frozen=True):
    """A reason: its sentence, and the values for the braces.

    `others`: other actions by name, such as "the J♥". `bid`: another bid. `limit`: how far to go in
    the auction, 0 for no further. `even`: other actions that are about as good, by name.
    `remembered`: whether the reason depends on the memory of a bot that forgets.
    """

    saying: ReasonTemplate
    seat: int | None = None
    other: int | None = None
    card: Card | None = None
    rank: Rank | None = None
    suit: Suit | None = None
    suits: tuple[Suit, ...] = ()
    others: str = ""
    bid: int | None = None
    limit: int | None = None
    even: str = ""
    remembered: bool = False


Reason: TypeAlias = Explanation | str
"""A reason, or the own words of an external program; "" if it gives none."""

SeatNamer: TypeAlias = Callable[[int], str]
"""The function that returns the name of a seat."""

_MEMORY_PREFIX: Final = "as far as you remember, "


@cache
def _template_pieces(template: ReasonTemplate) -> tuple[tuple[str, str | None], ...]:
    return tuple([(text, slot) for text, slot, _, _ in Formatter().parse(template.value)])


def _clause_parts(why: Explanation) -> list[str | int]:
    """Return the words in order, with seats by number."""
    parts: list[str | int] = [_MEMORY_PREFIX if why.remembered else ""]
    for text, slot in _template_pieces(why.saying):
        slot_value = "" if slot is None else _slot_value(why, slot)
        for piece in (text, slot_value):
            last_part = parts[-1]
            if isinstance(piece, str) and isinstance(last_part, str):
                parts[-1] = last_part + piece
            else:
                parts.append(piece)
    return parts if parts[0] else parts[1:]


def _slot_value(why: Explanation, slot: str) -> str | int:
    match slot:
        case "seat" | "other":
            seat = why.seat if slot == "seat" else why.other
            assert seat is not None
            return seat
        case "card":
            assert why.card is not None
            return why.card.pretty
        case "rank":
            assert why.rank is not None
            return why.rank.word
        case "others":
            return why.others
        case "bid" | "limit":
            points = why.bid if slot == "bid" else why.limit
            assert points is not None
            return str(points)
        case "suits":
            return " or ".join(suit.word for suit in why.suits)
        case _:
            assert why.suit is not None
            return why.suit.word if slot == "suit" else why.suit.word[:-1]


def explanation_parts(why: Reason) -> tuple[str | int, ...]:
    """Return a reason as a full sentence, its seats by number, such as (2, " has the ace.")."""
    if isinstance(why, str):
        return (why,) if why else ()
    parts = _clause_parts(why)
    if isinstance(first_part := parts[0], str):
        parts[0] = first_part[0].upper() + first_part[1:]
    end = "." + further_sentences(why)
    if isinstance(last_part := parts[-1], str):
        return (*parts[:-1], last_part + end)
    return (*parts, end)


def further_sentences(why: Explanation) -> str:
    """Return what follows the reason: how far to go in the auction, and what is about as good."""
    is_said = why.saying in (ReasonTemplate.BID_ON, ReasonTemplate.BID_LAST)
    limit = "" if why.limit is None or is_said else f" Go up to {why.limit}."
    limit = " Go no higher." if why.limit == 0 else limit
    verb = "are" if " and " in why.even else "is"
    even = f" {why.even[0].upper()}{why.even[1:]} {verb} about even." if why.even else ""
    return limit + even


def reason_sentence(why: Reason, name: SeatNamer) -> str:
    """Return a reason as a full sentence, such as: Cleo has the ace."""
    sentence = _join_parts(explanation_parts(why), name)
    return sentence[:1].upper() + sentence[1:]


def explain_action(action: Action, why: Reason, view: View, name: SeatNamer) -> str:
    """Return the action and its reason in one sentence, the action first."""
    action_text = suggestion_text(action, is_lead=not view.trick)
    if isinstance(why, str):
        return f"{action_text}. {why}".rstrip()
    return f"{action_text}: {_join_parts(_clause_parts(why), name)}.{further_sentences(why)}"


def _join_parts(parts: Iterable[str | int], name: SeatNamer) -> str:
    return "".join([part if isinstance(part, str) else name(part) for part in parts])
