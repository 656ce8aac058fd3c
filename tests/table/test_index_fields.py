"""What lists go by: it agrees with the log whenever it is written."""

from __future__ import annotations

import random

import pytest

from acesaround.table import Table, apply_entry, begin, fold, games
from acesaround.table import entries as log
from acesaround.table.index_fields import IndexFields, game_kept, keys
from tests.server.visibility_oracle import a_log


@pytest.mark.parametrize("seed", range(5))
def test_a_game_is_kept_as_its_line_tells_it(seed: int) -> None:
    entries = a_log(random.Random(seed), 2)
    table, lines = games(entries)
    kept = game_kept(table)
    assert kept is not None
    line = lines[-1]
    assert kept.progress == (line.deals, line.over)
    won = None if line.end is None or line.end.winner is None else line.rules.sides[line.end.winner]
    assert kept.winner == won
    assert kept.people == line.persons


def opened(*entries: log.Entry) -> Table:
    host = log.Person("ann", "Ann")
    table = fold(begin(log.Config("partnership", 4), host))
    for entry in entries:
        table, _ = apply_entry(table, entry)
    return table


def test_a_table_is_found_by_its_host_and_by_the_seats_that_no_person_holds() -> None:
    assert (keys(opened()).host, keys(opened()).free) == ("ann", 3)
    assert keys(opened(log.SeatTaken(2, log.Person("bob", "Bob")))).free == 2
    assert keys(opened(log.SeatLeft(0))).free == 4
    assert not keys(opened(log.Begun(0))).over
    assert game_kept(opened()) is None


def test_a_table_of_which_nothing_is_kept_has_no_free_seat_and_is_not_over() -> None:
    assert (IndexFields().host, IndexFields().free, IndexFields().over) == ("", 0, False)
