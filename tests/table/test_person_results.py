"""What a person has won and lost, and with whom, follows from the summaries of games."""

from __future__ import annotations

from typing import Any

from acesaround.table.list_columns import GameSummary
from acesaround.table.person_results import (
    FellowPlayerResults,
    GameCounts,
    PastGame,
    VariantResults,
    count_results,
)

PARTNERS = ((0, 2), (1, 3))


def make_past_game(
    *people: str | None,
    winner: tuple[int, ...] | None = None,
    sides: tuple[tuple[int, ...], ...] = PARTNERS,
    **fields: Any,
) -> PastGame:
    """Return a game of Partnership by invitation, unless the fields say otherwise."""
    summary = GameSummary(3, winner is not None, winner, people, sides)
    usual = {"variant": "partnership", "title": "Partnership", "public": False, "over": False}
    return PastGame(**{**usual, "at": 1, **fields}, summary=summary)


def test_games_of_a_variant_are_counted_by_their_end_and_by_the_opponents() -> None:
    games = [
        make_past_game("ann", "bob", None, None, winner=(0, 2)),
        make_past_game("bob", None, "ann", None, winner=(0, 2)),
        make_past_game("ann", "bob", None, None, winner=(1, 3)),
        make_past_game("ann", "bob", None, None),
        make_past_game("ann", "bob", None, None, over=True),
        make_past_game("ann", None, None, None, winner=(1, 3)),
        make_past_game("ann", None, winner=(0,), sides=((0,), (1,)), variant="two", title="Two"),
        make_past_game("bob", "cleo", None, None, winner=(0, 2)),
        make_past_game(winner=(0, 2)),
    ]
    results = count_results("ann", games)
    assert results.games == 7
    assert results.variants == [
        VariantResults("partnership", "Partnership", GameCounts(2, 1, 1, 1), GameCounts(0, 1)),
        VariantResults("two", "Two", GameCounts(), GameCounts(1)),
    ]


def test_the_newest_title_of_a_variant_is_shown() -> None:
    [shown] = count_results(
        "ann", [make_past_game("ann"), make_past_game("ann", title="Old")]
    ).variants
    assert (shown.title, shown.bots) == ("Partnership", GameCounts(unfinished=2))


def test_companions_are_partners_and_opponents_by_the_sides_of_each_game() -> None:
    games = [
        make_past_game("ann", "bob", "cleo", None, winner=(0, 2), at=7),
        make_past_game("ann", "cleo", "bob", None, winner=(1, 3), at=9),
        make_past_game("ann", "bob", None, None, at=4),
        make_past_game("cleo", "ann", None, winner=(2,), sides=((0,), (1,), (2,)), at=5),
    ]
    assert count_results("ann", games).fellow_players == {
        "bob": FellowPlayerResults(
            games=3,
            at=9,
            partners=GameCounts(lost=1),
            opponents=GameCounts(won=1, unfinished=1),
        ),
        "cleo": FellowPlayerResults(
            games=3, at=9, partners=GameCounts(won=1), opponents=GameCounts(lost=2)
        ),
    }


def test_a_person_of_one_public_game_is_a_stranger_and_of_two_a_companion() -> None:
    once = make_past_game("ann", "bob", "cleo", None, public=True, at=5)
    invited = make_past_game("ann", "cleo", at=3)
    assert count_results("ann", [once]).fellow_players == {}
    assert list(count_results("ann", [once, invited]).fellow_players) == ["cleo"]
    assert list(count_results("ann", [once, once]).fellow_players) == ["bob", "cleo"]


def test_the_person_played_with_last_comes_first() -> None:
    games = [make_past_game("ann", "bob", at=3), make_past_game("ann", "cleo", at=5)]
    assert list(count_results("ann", games).fellow_players) == ["cleo", "bob"]
