"""Hidden cards reach no wrong seat: the bytes of a message do not depend on them."""

from __future__ import annotations

import random
import re

import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.table import Config, Person, Table, after, begin, encode_state, fold, think
from acesaround.table import entries as log
from acesaround.view import turn_of
from tests.test_view import shuffled

CARD = re.compile(rb'"[A9TJQK][SHDC]"')


def tables(variant: str, seed: int) -> list[Table]:
    """A table after each entry of one deal that only bots play, a person in every seat."""
    rng = random.Random(seed)
    host = Person("p0", "Ann")
    entries = begin(Config(variant, variants.get(variant).seats), host)
    table = fold(entries)
    for seat in range(1, table.rules.seats):
        table, _ = after(table, log.Sat(seat, Person(f"p{seat}", f"P{seat}")))
    table, _ = after(table, log.Begun(rng.randrange(table.rules.seats)))
    found = []
    while not table.sheet:
        table, _ = after(table, think(table, rng))
        found.append(table)
    return found


@pytest.mark.parametrize("variant", variants.VARIANTS)
def test_no_byte_of_a_state_depends_on_cards_its_reader_may_not_see(variant: str) -> None:
    rng = random.Random(1)
    for table in tables(variant, 1)[:-1]:
        assert table.game is not None
        for seat in rng.sample(range(-1, table.rules.seats), 2):  # -1: somebody who looks on
            person = None if seat < 0 else f"p{seat}"
            other = replace(table, game=shuffled(table.game, seat, rng))
            assert encode_state(other, "t", person) == encode_state(table, "t", person)


def test_while_bidding_no_card_is_named_but_ones_own(  # the scan itself, on the simplest moment
) -> None:
    for table in tables("partnership", 2)[:-1]:
        assert table.game is not None
        if table.game.deal.declarer is None:
            for seat in range(4):
                shown = CARD.findall(encode_state(table, "t", f"p{seat}"))
                assert len(shown) == 12
            assert CARD.findall(encode_state(table, "t", None)) == []
            assert turn_of(table.game) is not None
