"""The law of play that is common to all variants, and card points."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.cards import (
    CARDS,
    SUITS,
    Card,
    Suit,
    format_cards,
    kinds,
    kinds_in_set,
    pack,
    parse_cards,
)
from acesaround.rules import CardPoints, MustBeat, PlayRules
from acesaround.rules.tricks import (
    CARD_POINT_SCALES,
    IS_COUNTER,
    beats,
    legal_cards,
    legal_leads,
    points_of,
    winner,
)
from acesaround.simulate import play_games
from tests.scripted_games import hand

H = int(Suit.H)


STRICT = PlayRules()
MUST_WIN = PlayRules(void_must_trump=False)


def may_play(
    held: str, trick: str, trump: int = H, law: PlayRules = STRICT, *, broken: bool = True
) -> str:
    """Return the kinds that may be played, as words."""
    legal = legal_cards(
        kinds(hand(held)), tuple(parse_cards(trick)), trump, law, is_trump_broken=broken
    )
    return format_cards(kinds_in_set(legal))


@pytest.mark.parametrize("suit", SUITS)
def test_a_rank_beats_only_lower_ranks_of_its_suit(suit: Suit) -> None:
    """Rank high to low: A 10 K Q J 9. An identical card does not beat its twin."""
    cards = [Card(rank + suit.letter) for rank in "ATKQJ9"]
    for high, card in enumerate(cards):
        for low, other in enumerate(cards):
            assert beats(card, other, H) is (high < low)


def test_any_trump_beats_any_plain_card() -> None:
    for card in CARDS:
        for other in CARDS:
            if card.suit is Suit.H and other.suit is not Suit.H:
                assert beats(card, other, H)
                assert not beats(other, card, H)


def test_a_plain_card_of_another_suit_beats_nothing() -> None:
    assert not beats(Card("AS"), Card("9C"), H)
    assert not beats(Card("AC"), Card("9S"), H)


@pytest.mark.parametrize(
    ("trick", "best"),
    [
        ("KS AS TS", 1),  # the highest card of the suit led
        ("9S AC AD", 0),  # other plain suits win nothing
        ("AS 9H AS", 1),  # the smallest trump beats the ace led
        ("AS 9H JH TS", 2),  # the highest trump
        ("AS AS TS", 0),  # of two identical cards the first outranks
        ("KS TS AS AS", 2),
        ("AS QH QH 9H", 1),  # of two identical trumps too
        ("KH AS TH", 2),  # trump led
        ("9S", 0),
        ("TS KS", 0),  # the ten ranks above the king
    ],
)
def test_the_highest_trump_or_else_the_highest_card_of_the_led_suit_wins(
    trick: str, best: int
) -> None:
    assert winner(tuple(parse_cards(trick)), H) == best


@pytest.mark.parametrize(
    ("held", "trick", "legal"),
    [
        ("AS QS 9C AH", "KS", "AS"),  # must follow, must beat
        ("AS TS QS AH", "KS", "AS TS"),  # any card that beats
        ("QS JS 9C AH", "KS", "QS JS"),  # unable to beat: any card of the suit
        ("KS 9S AC", "KS", "KS 9S"),  # the twin does not beat: any card of the suit
        ("AS TS 9S", "KS AS", "AS TS 9S"),  # beat the card now winning, not the one led
        ("TS 9S AC", "JS QS", "TS"),
        ("AS 9S AC", "KS QC", "AS"),  # a plain discard does not win
        ("AS 9S KH", "KS 9H", "AS 9S"),  # ruffed: it cannot win, so any card of the suit led
        ("AS 9S KH", "KS 9H JS", "AS 9S"),
    ],
)
def test_the_led_suit_must_be_followed_and_the_winning_card_beaten_if_able(
    held: str, trick: str, legal: str
) -> None:
    assert may_play(held, trick) == legal


@pytest.mark.parametrize(
    ("held", "trick", "legal"),
    [
        ("9H AC TD", "KS", "9H"),  # must trump
        ("AH 9H AC", "KS", "AH 9H"),  # any trump beats a plain card
        ("AH 9H AC", "KS QH", "AH"),  # must overtrump
        ("AH TH 9H AC", "KS QH", "AH TH"),
        ("JH 9H AC", "KS QH", "JH 9H"),  # unable: any trump
        ("QH 9H AC", "KS QH", "QH 9H"),  # the twin does not overtrump
        ("AH 9H AC", "KS 9H QH", "AH"),  # the trump now winning, not the first one
    ],
)
def test_a_player_void_in_the_led_suit_must_trump_and_overtrump_if_able(
    held: str, trick: str, legal: str
) -> None:
    assert may_play(held, trick) == legal


@pytest.mark.parametrize(
    ("held", "trick", "legal"),
    [
        ("9H AC TD", "KS", "9H"),  # any trump wins, so one must be played
        ("AH 9H AC", "KS QH", "AH"),  # one trump wins, the other does not
        ("JH 9H AC", "KS QH", "JH 9H AC"),  # unable to win: any card, a losing trump too
        ("QH 9H AC", "KS QH", "QH 9H AC"),  # the twin does not win
        ("KH 9H TD", "KS 9H AH", "KH 9H TD"),
        ("AS 9S JH", "KS QH", "AS 9S"),  # not void: suit must be followed
        ("JH 9H AC", "KH", "JH 9H"),  # trump led: it must be followed
    ],
)
def test_without_void_must_trump_a_void_hand_that_cannot_win_plays_any_card(
    held: str, trick: str, legal: str
) -> None:
    """Binochie: "the player who doesn't lead must win if able", and must follow suit. There is no
    other duty."""
    assert may_play(held, trick, law=MUST_WIN) == legal


BEAT_TRUMP = PlayRules(must_beat=MustBeat.TRUMP)
NEVER_BEAT = PlayRules(must_beat=MustBeat.NEVER)
ONLY_FOLLOW = PlayRules(must_beat=MustBeat.NEVER, void_must_trump=False)


@pytest.mark.parametrize(
    ("law", "held", "trick", "legal"),
    [
        (BEAT_TRUMP, "AS 9S JH", "KS", "AS 9S"),  # a plain suit: any card of it
        (BEAT_TRUMP, "AH 9H JS", "KH", "AH"),  # trump: beat it
        (BEAT_TRUMP, "QH 9H JS", "KH", "QH 9H"),  # or cannot
        (BEAT_TRUMP, "AH 9H JC", "KS QH", "AH 9H"),  # out of the suit: any trump, over or under
        (NEVER_BEAT, "AS 9S JH", "KS", "AS 9S"),
        (NEVER_BEAT, "AH 9H JS", "KH", "AH 9H"),
        (NEVER_BEAT, "AH 9H JC", "KS QH", "AH 9H"),
        (NEVER_BEAT, "AC JC", "KS", "AC JC"),
        (ONLY_FOLLOW, "AH 9H JC", "KS", "AH 9H JC"),  # a void hand need not trump
        (ONLY_FOLLOW, "AH 9S JC", "KS", "9S"),  # the suit must be followed
    ],
)
def test_without_must_beat_any_card_of_the_led_suit_is_legal(
    law: PlayRules, held: str, trick: str, legal: str
) -> None:
    assert may_play(held, trick, law=law) == format_cards(parse_cards(legal))


@pytest.mark.parametrize("trump", SUITS)
def test_with_two_players_void_must_trump_makes_no_difference(trump: Suit) -> None:
    """Any trump of a void hand wins over one card, so all hands have the same legal cards."""
    for lead in CARDS:
        for first in CARDS:
            for second in CARDS:
                for third in CARDS[::5]:
                    held = kinds(pack([first])) | kinds(pack([second])) | kinds(pack([third]))
                    strict, lenient = (
                        legal_cards(held, (lead,), trump, law) for law in (STRICT, MUST_WIN)
                    )
                    assert strict == lenient


@pytest.mark.parametrize("trick", ["KS", "KS QH", "9H"])
def test_a_player_void_in_the_led_suit_and_in_trump_may_play_any_card(trick: str) -> None:
    assert may_play("AC 9C TD", trick) == "TD AC 9C"


@pytest.mark.parametrize(
    ("held", "trick", "legal"),
    [
        ("AH 9H AS", "KH", "AH"),
        ("JH 9H AS", "KH", "JH 9H"),
        ("KH 9H AS", "QH AS", "KH"),
        ("TH 9H AS", "QH AH", "TH 9H"),
    ],
)
def test_a_trump_lead_must_be_followed_and_beaten_if_able(
    held: str, trick: str, legal: str
) -> None:
    assert may_play(held, trick) == legal


def test_the_example_of_the_five_card_rules() -> None:
    """Diamonds trump, ten of clubs led: the ace, the king of trumps, then the other king."""
    d = int(Suit.D)
    assert may_play("QC AC", "TC", d) == "AC"
    assert may_play("KD 9S AH", "TC AC", d) == "KD"
    assert may_play("QC 9C AH", "TC AC KD", d) == "QC 9C"
    assert may_play("AD TD QD", "TC AC KD", d) == "AD TD"
    assert may_play("AS 9H", "TC AC KD", d) == "AS 9H"
    assert may_play("KD AS", "TC AC KD", d) == "KD"
    assert winner(tuple(parse_cards("TC AC KD KD")), d) == 2


def test_the_example_of_the_partnership_rules() -> None:
    """Queen of hearts led, spades trump: void in hearts one must trump, else beat the queen."""
    s = int(Suit.S)
    assert may_play("AC 9D", "QH", s) == "9D AC"
    assert may_play("9H TH AH", "QH 9D", s) == "AH TH"
    assert may_play("QS AC", "QH 9D TH", s) == "QS"


def test_any_card_may_be_led_once_trump_is_broken() -> None:
    assert may_play("AS 9H KD", "", broken=True) == "AS 9H KD"


def test_unbroken_trump_is_led_only_from_a_hand_of_trumps() -> None:
    assert may_play("AS 9H KD", "", broken=False) == "AS KD"
    assert may_play("AH 9H", "", broken=False) == "AH 9H"
    trumps = kinds(hand("AH TH KH QH JH 9H"))
    assert kinds_in_set(legal_leads(kinds(hand("AS 9H")), trumps, False)) == (Card("AS"),)


def test_unbroken_trump_may_still_be_played_to_a_trick() -> None:
    assert may_play("9H AC", "KS", broken=False) == "9H"


@pytest.mark.parametrize(
    ("kind", "worth"),
    [
        (CardPoints.ONES, [1, 1, 1, 0, 0, 0]),
        (CardPoints.TENS, [10, 10, 10, 0, 0, 0]),
        (CardPoints.KINGS_FIVES, [10, 10, 5, 5, 0, 0]),
        (CardPoints.TRADITIONAL, [11, 10, 4, 3, 2, 0]),
    ],
)
def test_points_of_gives_each_scale(kind: CardPoints, worth: list[int]) -> None:
    for suit in "SHDC":
        assert [points_of(kind)[Card(rank + suit)] for rank in "ATKQJ9"] == worth


@pytest.mark.parametrize(
    ("variant", "last", "total"),
    [
        ("three-handed", 10, 250),
        ("five-card", 1, 25),
        ("seven-card", 1, 25),
        ("partnership", 10, 250),
        ("double-deck", 2, 50),
        ("double-deck-classic", 2, 50),
        ("two-handed", 10, 250),
    ],
)
def test_the_points_in_play_and_the_bonus_for_the_last_trick(
    variant: str, last: int, total: int
) -> None:
    rules = variants.get(variant)
    worth = points_of(rules.scoring.card_points)
    assert rules.scoring.last_trick == last
    assert sum(worth[card] for card in rules.deck.cards) + last == total


@pytest.mark.parametrize("variant", ["three-handed", "partnership", "two-handed"])
@pytest.mark.parametrize("count", ["tens", "kings-fives", "traditional"])
def test_each_scale_has_240_points_in_the_deck_of_48(variant: str, count: str) -> None:
    rules = variants.get(variant).with_options(card_points=count)
    worth = points_of(rules.scoring.card_points)
    assert sum(worth[card] for card in rules.deck.cards) == 240


def test_aces_tens_and_kings_are_counters() -> None:
    assert [str(card) for card in CARDS if IS_COUNTER[card]] == [
        *("AS", "TS", "KS", "AH", "TH", "KH"),
        *("AD", "TD", "KD", "AC", "TC", "KC"),
    ]


@pytest.mark.parametrize("scale", CardPoints)
def test_card_points_as_numbers_play_as_the_named_scale(scale: CardPoints) -> None:
    base = variants.PARTNERSHIP
    by_name, by_numbers = (
        replace(base, scoring=replace(base.scoring, card_points=points))
        for points in (scale, CARD_POINT_SCALES[scale])
    )
    first, second = (
        next(play_games(rules, ["thumb"] * 4, 1, 11, record=True)).record
        for rules in (by_name, by_numbers)
    )
    assert first is not None
    assert second is not None
    assert first.deals == second.deals
    assert first.totals == second.totals
