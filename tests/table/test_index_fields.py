"""What lists go by: it agrees with the log whenever it is written."""

from __future__ import annotations

import random

import pytest

from acesaround.table import Table, apply_entry, begin, fold, fold_games
from acesaround.table import entries as log
from acesaround.table.index_fields import IndexFields, game_summary, index_fields
from tests.server.visibility_oracle import a_log


@pytest.mark.parametrize("seed", range(5))
def test_a_game_is_kept_as_its_line_tells_it(seed: int) -> None:
    entries = a_log(random.Random(seed), 2)
    table, lines = fold_games(entries)
    kept = game_summary(table)
    assert kept is not None
    line = lines[-1]
    assert kept.progress == (line.deal_count, line.is_over)
    won = (
        None
        if line.last_state is None or line.last_state.winner is None
        else line.rules.sides[line.last_state.winner]
    )
    assert kept.winner == won
    assert kept.people == line.person_ids


def opened(*entries: log.Entry) -> Table:
    host = log.Person("ann", "Ann")
    table = fold(begin(log.Config("partnership", 4), host))
    for entry in entries:
        table, _ = apply_entry(table, entry)
    return table


def test_a_table_is_found_by_its_host_and_by_the_seats_that_no_person_holds() -> None:
    assert (index_fields(opened()).host, index_fields(opened()).free) == ("ann", 3)
    assert index_fields(opened(log.SeatTaken(2, log.Person("bob", "Bob")))).free == 2
    assert index_fields(opened(log.SeatLeft(0))).free == 4
    assert not index_fields(opened(log.Begun(0))).over
    assert game_summary(opened()) is None


def test_a_table_of_which_nothing_is_kept_has_no_free_seat_and_is_not_over() -> None:
    assert (IndexFields().host, IndexFields().free, IndexFields().over) == ("", 0, False)
