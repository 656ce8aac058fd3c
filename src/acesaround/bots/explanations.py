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

    `Explanation` says what `other_actions`, `bid` and `limit` are. `one` is a single card of the
    suit, such as "heart" of "hearts".
    """

    # Any card.
    ONLY_CARD = "it is the only card you may play"
    LAST_CARD = "it is your last card"
    NO_DIFFERENCE = "it makes no difference which card you play"

    # What decides between actions: other actions, and what they would cost.
    ABOUT_EVEN = "it is about even with {other_actions}"
    MAY_BE_EVEN = "{other_actions} may be as good"
    OTHERS_WORSE_IN_TRICK = "{other_actions} would do worse in this trick"
    KEEP_OTHERS_FOR_LATER = "keep {other_actions} for a later trick"
    OTHERS_WORSE_LATER = "{other_actions} would do worse in later tricks"
    OTHERS_WORSE_NOW_AND_LATER = "{other_actions} would do worse in this trick and later"
    OTHERS_MELD_LESS = "{other_actions} would bring less meld"
    OTHERS_LESS_IN_TRICKS = "{other_actions} would bring fewer points in the tricks"
    OTHERS_LESS_IN_MELD_AND_TRICKS = "{other_actions} would bring less in meld and tricks"
    BETTER_IN_MOST_DEALS = "it does better in most deals that fit your cards"
    BETTER_ON_AVERAGE = "it is better on average"

    # A card that is led.
    NO_HIGHER_TRUMP = "no higher trump is out"
    NO_HIGHER_CARD_OR_TRUMP = "no higher {one} and no trump is out"
    HIGHEST_AND_MUST_FOLLOW = "no higher {one} is out, and {seat} must follow suit"
    HIGHEST_AND_NO_TRUMP = "no higher {one} is out, and {seat} has no trump"
    HIGHEST_AND_CANNOT_BE_TRUMPED = "no higher {one} is out, and no opponent can trump it"
    ONLY_TRUMP_BEATS = "only a trump can beat it"
    CASH_BEFORE_VOID = "cash it before somebody runs out of {suit}"
    DRAWS_TRUMPS = "it draws out the others' trumps"
    DRAWS_OPPONENT_TRUMPS = "it draws out your opponent's trumps"
    MORE_TRUMPS_THAN_OUT = "you hold more trumps than are out"
    LONG_IN_TRUMPS = "you are long in trumps, so draw out theirs"
    ONLY_TRUMPS_TO_LEAD = "you have only trumps to lead"
    PARTNER_HAS_RANK = "{seat} has the {rank}"
    PARTNER_SHOWED_ACE = "{seat} played a queen under this suit's ace, which shows another ace"
    PARTNER_LIKELY_WINS = "{seat} is likely to win it"
    SOME_PARTNER_LIKELY_WINS = "one of your partners is likely to win it"
    LAST_OF_SUIT_THEN_TRUMP = "it is your last {one}, and after that you can trump"
    NO_SURE_WINNER_GIVES_NOTHING = "nothing of yours is sure to win, and this gives nothing away"
    NO_SURE_WINNER_LONGEST_SUIT = "nothing of yours is sure to win, so try your longest side suit"
    NO_SURE_WINNER_COSTS_LEAST = "nothing of yours is sure to win, and this costs least"
    SURE_TRICKS_WAIT_GIVES_NOTHING = "your sure tricks can wait, and this gives nothing away"
    SURE_TRICKS_WAIT_LONGEST_SUIT = "your sure tricks can wait, so try your longest side suit first"
    SURE_TRICKS_WAIT = "your sure tricks can wait"

    # A card that is winning the trick.
    PLAYS_LAST = "it takes the trick, and you play last"
    ONLY_PARTNER_PLAYS_AFTER = "it takes the trick, and only {seat} plays after you"
    ONLY_PARTNERS_PLAY_AFTER = "it takes the trick, and only partners play after you"
    MUST_FOLLOW = "it takes the trick, and {seat} must follow suit"
    NO_HIGHER_OF_SUIT = "it takes the trick, and {seat} has no higher {one}"
    NO_HIGHER_OF_SUIT_NOR_TRUMP = "it takes the trick, and {seat} has no higher {one} and no trump"
    HAS_NO_HIGHER_TRUMP = "it takes the trick, and {seat} has no higher trump"
    NO_OPPONENT_BEATS = "no opponent can beat it"
    ONE_OPPONENT_MAY_BEAT = "it takes the trick, and only {seat} could still beat it"
    WINNING_SO_FAR = "it is winning so far"
    SHOULD_WIN = "it should win the trick"
    TRUMPS_THE_TRICK = "it trumps the trick"
    COUNTER_SAVES_MELD = "it should win, and a counter saves your meld"
    TRICK_SAVES_MELD = "it should win, and a trick saves your meld"
    COSTS_LITTLE_IF_BEATEN = "it takes the trick for now, and costs little if it is beaten"
    MUST_BEAT_LOWEST = "you must beat the {rank}, and this is the lowest that does"
    MUST_BEAT_COSTS_LEAST = "you must beat the {rank}, and this costs least"
    MUST_BEAT_PARTNER_COSTS_LEAST = "you must beat {seat}'s {rank}, and this costs least"

    # A card on a partner's trick.
    PARTNER_SURE_TO_WIN = "{seat}'s {rank} is sure to win"
    PARTNER_SURE_CARD_COUNTS = "{seat}'s {rank} is sure to win, and this counts for you"
    PARTNER_WINNING_SO_FAR = "{seat}'s {rank} is winning so far"
    ONE_MAY_BEAT_PARTNER = "only {other} could still beat {seat}'s {rank}"
    PARTNER_SHOULD_WIN = "{seat}'s {rank} should win, and you need this least"
    PARTNER_SHOULD_WIN_CARD_COUNTS = "{seat}'s {rank} should win, and this counts for you"
    PARTNER_HARDLY_WINS_CARD_WORTHLESS = (
        "{seat}'s {rank} will hardly hold, and this is worth nothing"
    )
    PARTNER_HARDLY_WINS_FEWEST_POINTS = (
        "{seat}'s {rank} will hardly hold, and this costs the fewest points"
    )

    # A card on a trick that an opponent is winning.
    PARTNER_MAY_BEAT = "{seat} may still beat {other}'s {rank}"
    PARTNERS_MAY_BEAT = "your partners may still beat {other}'s {rank}"
    PARTNER_MAY_WIN = "{seat} may still win the trick"
    PARTNERS_MAY_WIN = "your partners may still win the trick"
    SELF_AND_PARTNER_CANNOT_BEAT = "neither you nor {seat} can beat {other}'s {rank}"
    PARTNER_CANNOT_BEAT = "{seat} cannot beat {other}'s {rank}"
    OWN_SIDE_CANNOT_BEAT = "your side cannot beat {other}'s {rank}"
    CANNOT_BEAT_CARD_WORTHLESS = "you cannot beat {seat}'s {rank}, and this is worth nothing"
    CANNOT_BEAT_FEWEST_POINTS = "you cannot beat {seat}'s {rank}, and this costs the fewest points"
    CANNOT_BEAT_OTHERS_NEEDED = "you cannot beat {seat}'s {rank}, and will need the others more"
    TRICK_NOT_WORTH_BETTER_CARD = "this trick is not worth a better card"
    TRICK_LOST_CARD_WORTHLESS = "the trick looks lost, and this is worth nothing"
    TRICK_LOST_FEWEST_POINTS = "the trick looks lost, and this costs the fewest points"
    SHOWS_ACE = "by convention it tells {seat} that you hold an ace of this suit too"
    DENIES_ACE = "by convention it tells {seat} that you hold no ace of this suit"

    # Melds laid between tricks, and conceding.
    LAY_IN_TIME = "a meld laid too late counts for nothing"
    LAY_WORTH_MOST = "no meld you can lay now is worth more"
    NINE_OF_TRUMP_MELDS = "the nine of trump is a meld by itself"
    NOTHING_TO_LAY = "you have no meld to lay"
    LAY_MAY_BRING_MORE_LATER = "what you could lay now may bring more later"
    LAY_BRINGS_UPCARD = "it brings you the {card}"
    ALL_TRICKS_NOT_ENOUGH = "not even winning every trick would make the bid"
    BID_FAR_ABOVE_HAND = "the bid needs far more than this hand can win"
    BID_UNLIKELY_MADE = "the bid is unlikely to be made"

    # Bids.
    BID_RUN = "you hold a run in {suit}"
    BID_ACES = "you hold aces around"
    BID_LONG_SUIT = "you are long in {suit}"
    BID_HAND_WORTH_IT = "with {suit} as trump your hand is worth it"
    BID_SHOWS_ACES = "by convention it tells {seat} that you hold aces around"
    BID_SHOWS_TWENTY = "by convention it tells {seat} that you hold twenty meld or more"
    BID_SHOWS_THIRTY = "by convention it tells {seat} that you hold thirty meld or more"
    BID_ASKS_FOR_MELD = "by convention it asks {seat} to show meld"
    BID_MELD_WORTH_IT = "your meld with {suit} as trump is worth it"
    BID_WINS_MOST_TRICKS = "with {suit} as trump you should win most tricks"
    BID_CONTRACT_PAYS = "with {suit} as trump the bid should pay"
    BID_MADE_OR_PUSHES = "you may make it, and it pushes your opponents higher"
    BID_PUSHES_OPPONENTS = "it pushes your opponents higher"
    BID_COSTS_POINTS = "it costs points on average, but you win more games with it"
    BID_BELOW_LIMIT = "{seat} bid {bid}, and you can go to {limit}"
    BID_AT_LIMIT = "that is as far as your hand goes"
    BID_FORCED = "you must bid, and this is the least"
    PASS_NO_MARRIAGE = "without a marriage you cannot name trump"
    PASS_TO_PARTNER = "leave the bid to {seat}"
    PASS_NO_MELD = "your side will hardly have the meld it needs"
    PASS_TOO_HIGH = "a bid of {bid} would fail too often"
    PASS_OPPONENTS_MAY_FAIL = "your opponents may well not make what they bid"
    PASS_GAIN_UNSURE = "a bid would gain too little to be sure of it"
    PASS_NOT_WORTH_HIGHER_BID = "your hand is not worth a higher bid"
    PASS_NOT_WORTH_BID = "your hand is not worth a bid"

    # Trump.
    TRUMP_ONLY_LEGAL = "it is the only suit you may name"
    TRUMP_RUN = "you hold the run"
    TRUMP_LONGEST_AND_MELDS_MOST = "it is your longest suit and melds most"
    TRUMP_LONGEST = "it is your longest suit"
    TRUMP_MELDS_MOST = "it melds most"
    TRUMP_WORTH_MOST = "it is worth most in meld and tricks together"

    # Cards that leave the hand.
    GIVE_TRUMPS_AND_ACES = "{seat} needs trumps and aces most"
    GIVE_TRUMPS = "{seat} needs trumps most"
    GIVE_ACES = "aces win tricks for {seat}"
    GIVE_NOTHING_BETTER = "you have no trump or ace to spare"
    RETURN_KEEPS_MELD = "your meld stays whole without them"
    RETURN_LEAST_NEEDED = "you can spare them best"
    BURY_MAKES_VOID = "with no {suits} left you can trump them"
    BURY_POINTS_KEEPS_MELD = "they count for you, and your meld stays whole"
    BURY_POINTS = "they count for you"
    BURY_NOT_NEEDED = "you need them neither for meld nor for tricks"
    BURY_LEAST_NEEDED = "you can spare them most easily"
    KEEP_TRUMPS_AND_MELD = "your trumps and meld stay"
    KEEP_MELD_AND_WINNERS = "what melds or wins tricks stays"
    UPCARD_RAISES_MELD = "the {card} makes your meld worth more"
    NO_NINE_FOR_UPCARD = "you have no nine of trump to give for it"
    LEAVE_UPCARD_MAY_BE_MELD = "it may be part of a meld of {seat}"
    EACH_CARD_WORTH_MORE = "each is worth more than a new card"

    # What is wrong with an action that is worse than the best one.
    WORSE_IN_MELD = "it brings less meld"
    WORSE_IN_TRICKS = "it brings fewer points in the tricks"
    WORSE_IN_THIS_TRICK = "it does worse in this trick"
    WORSE_IN_LATER_TRICKS = "it does worse in later tricks"
    WORSE_NOW_AND_LATER = "it does worse in this trick and later"
    WORSE_IN_MELD_AND_TRICKS = "it brings less in meld and tricks together"
    WORSE_BID_FAILS = "it would fail too often"
    WORSE_BID_ON_AVERAGE = "you would win fewer games with it"
    WORSE_PASS_GIVES_UP_BID = "it gives up a bid that your hand is worth"
    WORSE_PASS_LETS_OPPONENTS = "it lets your opponents play a lower bid"
    WORSE_IN_MOST_DEALS = "it does worse in most deals that fit your cards"
    WORSE_ON_AVERAGE = "it is worse on average"

    # How beginners decide.
    HABIT_HIGH_CARDS_WIN = "high cards often win"
    HABIT_BEATS_RANK = "it beats the {rank}"
    HABIT_HIGHER_CARD_WINS = "a higher card has the trick already"
    HAND_FEELS_WORTH_IT = "with {suit} as trump the hand feels worth it"
    HAND_FEELS_TOO_WEAK = "the hand does not feel worth the bid"


class Explanation(msgspec.Struct, frozen=True):
    """A reason: its sentence, and the values for the braces.

    `other_actions`: other actions by name, such as "the J♥". `bid`: another bid. `limit`: how far
    to go in the auction, 0 for no further. `equal_actions`: other actions that are about as good,
    by name. `looks_even`: whether their numbers look so too. `is_from_memory`: whether the reason
    depends on the memory of a bot that forgets. `convention`: what the action says by a convention,
    as a clause with "it". `notes`: sentences that warn of something or say what the action leads
    to.
    """

    template: ReasonTemplate
    seat: int | None = None
    other: int | None = None
    card: Card | None = None
    rank: Rank | None = None
    suit: Suit | None = None
    suits: tuple[Suit, ...] = ()
    other_actions: str = ""
    bid: int | None = None
    limit: int | None = None
    equal_actions: str = ""
    looks_even: bool = True
    is_from_memory: bool = False
    convention: str = ""
    notes: tuple[str, ...] = ()


ActionReason: TypeAlias = Explanation | str
"""A reason, or the own words of an external program; "" if it gives none."""

SeatNamer: TypeAlias = Callable[[int], str]
"""The function that returns the name of a seat."""

_MEMORY_PREFIX: Final = "as far as you remember, "


@cache
def _template_pieces(template: ReasonTemplate) -> tuple[tuple[str, str | None], ...]:
    return tuple([(text, slot) for text, slot, _, _ in Formatter().parse(template.value)])


def _clause_parts(explanation: Explanation) -> list[str | int]:
    """Return the words in order, with seats by number."""
    parts: list[str | int] = [_MEMORY_PREFIX if explanation.is_from_memory else ""]
    for text, slot in _template_pieces(explanation.template):
        slot_value = "" if slot is None else _slot_value(explanation, slot)
        for piece in (text, slot_value):
            last_part = parts[-1]
            if isinstance(piece, str) and isinstance(last_part, str):
                parts[-1] = last_part + piece
            else:
                parts.append(piece)
    return parts if parts[0] else parts[1:]


def _slot_value(explanation: Explanation, slot: str) -> str | int:
    match slot:
        case "seat" | "other":
            seat = explanation.seat if slot == "seat" else explanation.other
            assert seat is not None
            return seat
        case "card":
            assert explanation.card is not None
            return explanation.card.pretty
        case "rank":
            assert explanation.rank is not None
            return explanation.rank.word
        case "other_actions":
            return explanation.other_actions
        case "bid" | "limit":
            points = explanation.bid if slot == "bid" else explanation.limit
            assert points is not None
            return str(points)
        case "suits":
            return " or ".join(suit.word for suit in explanation.suits)
        case _:
            assert explanation.suit is not None
            return explanation.suit.word if slot == "suit" else explanation.suit.word[:-1]


def explanation_parts(reason: ActionReason) -> tuple[str | int, ...]:
    """Return a reason as a full sentence, its seats by number, such as (2, " has the ace.")."""
    if isinstance(reason, str):
        return (reason,) if reason else ()
    parts = _clause_parts(reason)
    if isinstance(first_part := parts[0], str):
        parts[0] = first_part[0].upper() + first_part[1:]
    end = "." + further_sentences(reason)
    if isinstance(last_part := parts[-1], str):
        return (*parts[:-1], last_part + end)
    return (*parts, end)


def further_sentences(explanation: Explanation) -> str:
    """Return what follows the reason.

    That is how far to go in the auction, warnings, what is about as good, and what the action says.
    """
    is_said = explanation.template in (ReasonTemplate.BID_BELOW_LIMIT, ReasonTemplate.BID_AT_LIMIT)
    limit = "" if explanation.limit is None or is_said else f" Go up to {explanation.limit}."
    limit = " Go no higher." if explanation.limit == 0 else limit
    equal = explanation.equal_actions
    verb = "would be about" if explanation.looks_even else "may be"
    even = f" {equal[0].upper()}{equal[1:]} {verb} as good." if equal else ""
    convention = f" By convention {explanation.convention}." if explanation.convention else ""
    notes = "".join([f" {note}" for note in explanation.notes])
    return limit + notes + even + convention


def reason_sentence(reason: ActionReason, name: SeatNamer) -> str:
    """Return a reason as a full sentence, such as: Cleo has the ace."""
    sentence = _join_parts(explanation_parts(reason), name)
    return sentence[:1].upper() + sentence[1:]


def explain_action(action: Action, reason: ActionReason, view: View, name: SeatNamer) -> str:
    """Return the action and its reason in one sentence, the action first."""
    action_text = suggestion_text(action, is_lead=not view.trick)
    if isinstance(reason, str):
        return f"{action_text}. {reason}".rstrip()
    return f"{action_text}: {_join_parts(_clause_parts(reason), name)}.{further_sentences(reason)}"


def _join_parts(parts: Iterable[str | int], name: SeatNamer) -> str:
    return "".join([part if isinstance(part, str) else name(part) for part in parts])
