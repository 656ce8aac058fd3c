"""The lines of the games in a log."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.table import commands as say
from acesaround.table.games import games, line_of
from tests.table.test_table import ANN, Log, config


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_a_game_has_the_same_line_by_the_log_and_by_its_record(variant: str) -> None:
    log = Log(config(variant, options={"hands": 2}))
    log.do(ANN, say.Start())
    log.play(ANN, deals=2)
    table, (line,) = games(log.entries)
    assert table == log.table
    assert line_of(line.record()) == line
    numbers = [step.number for step in line.steps if step.deal == 1]
    assert numbers == list(range(-1, len(numbers) - 1)), "the deal itself is number -1"
