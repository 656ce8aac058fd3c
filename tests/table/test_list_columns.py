"""The columns that lists of tables use agree with the log."""

from __future__ import annotations

import random

import pytest

from acesaround.table import Table, apply_entry, begin, fold, fold_games
from acesaround.table import entries as log
from acesaround.table.list_columns import ListColumns, game_summary, list_columns
from tests.server.visibility_oracle import make_random_log


@pytest.mark.parametrize("seed", range(5))
def test_game_summary_agrees_with_the_history_of_the_game(seed: int) -> None:
    table, histories = fold_games(make_random_log(random.Random(seed), 2))
    summary = game_summary(table)
    assert summary is not None
    history = histories[-1]
    assert summary.progress == (history.deal_count, history.is_over)
    winner = None if history.last_state is None else history.last_state.winner
    assert summary.winner == (None if winner is None else history.rules.sides[winner])
    assert summary.people == history.person_ids


def make_table(*entries: log.Entry) -> Table:
    host = log.Person("ann", "Ann")
    table = fold(begin(log.Config("partnership", 4), host))
    for entry in entries:
        table, _ = apply_entry(table, entry)
    return table


def test_list_columns_have_the_host_and_the_number_of_free_seats() -> None:
    assert (list_columns(make_table()).host_id, list_columns(make_table()).free_seats) == ("ann", 3)
    assert list_columns(make_table(log.SeatTaken(2, log.Person("bob", "Bob")))).free_seats == 2
    assert list_columns(make_table(log.SeatLeft(0))).free_seats == 4
    assert not list_columns(make_table(log.Begun(0))).is_over
    assert game_summary(make_table()) is None


def test_default_list_columns_have_no_free_seat() -> None:
    assert (ListColumns().host_id, ListColumns().free_seats, ListColumns().is_over) == (
        "",
        0,
        False,
    )
