"""The fair queue: in which order work of several persons is taken, and how much may wait."""

from __future__ import annotations

import pytest

from acesaround.server.bots.fair_executor import FairQueue
from acesaround.server.limits.rates import RateLimited


def queue(workers: int = 2, each: int = 100, most: int = 1000) -> FairQueue[int]:
    return FairQueue(workers, each, most)


def test_one_person_is_served_in_order() -> None:
    fair = queue(workers=9)
    for number in range(5):
        fair.put("ann", number)
    assert [fair.next() for _ in range(6)] == [*(("ann", number) for number in range(5)), None]


@pytest.mark.parametrize("workers", [2, 8])
def test_thirty_pieces_of_one_leave_a_worker_to_another(workers: int) -> None:
    fair = queue(workers)
    for number in range(30):
        fair.put("greedy", number)
    taken = [fair.next() for _ in range(workers)]
    assert taken.count(None) == 1
    fair.put("ann", 0)
    assert fair.next() == ("ann", 0)


def test_a_single_worker_takes_what_waits_for_another_next() -> None:
    fair = queue(workers=1)
    for number in range(30):
        fair.put("greedy", number)
    assert fair.next() == ("greedy", 0)
    fair.put("ann", 0)
    fair.done("greedy")
    assert fair.next() == ("ann", 0)


def test_beside_many_greedy_ones_a_person_waits_until_one_worker_is_free() -> None:
    fair = queue(workers=4)
    for number in range(30):
        for who in range(8):
            fair.put(f"greedy {who}", number)
    taken = [fair.next() for _ in range(4)]
    fair.put("ann", 0)
    fair.done("greedy 2")
    # Who is new stands behind those who have waited longer and for whom nothing is done.
    assert [one[0] for one in taken if one is not None] == [f"greedy {n}" for n in range(4)]
    order: list[str] = []
    while not order or order[-1] != "ann":
        found = fair.next()
        assert found is not None
        order.append(found[0])
        fair.done(found[0])
    assert order == ["greedy 4", "greedy 5", "greedy 6", "greedy 7", "ann"]


def test_a_person_for_whom_less_is_done_comes_before_one_whose_turn_is_earlier() -> None:
    fair = queue()
    for who in ("ann", "ann", "bob", "bob"):
        fair.put(who, 0)
    assert [fair.next(), fair.next()] == [("ann", 0), ("bob", 0)]
    fair.done("bob")
    assert fair.next() == ("bob", 0)


def test_persons_take_turns_whatever_waits_for_each() -> None:
    """Where pieces take equally long, no two who wait differ by more than one."""
    fair = queue()
    served = {"ann": 0, "bob": 0, "cleo": 0}
    for who, pieces in (("ann", 90), ("bob", 40), ("cleo", 40)):
        for number in range(pieces):
            fair.put(who, number)
    at: list[str] = []
    for _ in range(100):
        while len(at) < 2:
            taken = fair.next()
            assert taken is not None
            at.append(taken[0])
            served[taken[0]] += 1
        assert max(served.values()) - min(served.values()) <= 1
        fair.done(at.pop(0))


def test_what_may_wait_for_a_person_has_an_end_and_says_so() -> None:
    fair = queue(each=3)
    for number in range(4):
        if number == 3:
            fair.next()  # what is being done does not wait
        fair.put("greedy", number)
    with pytest.raises(RateLimited, match="of yours waits"):
        fair.put("greedy", 9)
    fair.put("ann", 0)


def test_what_may_wait_for_all_has_an_end_and_says_so() -> None:
    fair = queue(most=3)
    for number in range(3):
        fair.put(f"guest {number}", 0)
    with pytest.raises(RateLimited, match="many people"):
        fair.put("ann", 0)


def test_nothing_is_kept_of_who_has_nothing_left() -> None:
    fair = queue()
    for number in range(100):
        fair.put(f"guest {number}", 0)
    assert len(fair) == 100
    while (taken := fair.next()) is not None:
        fair.done(taken[0])
    assert len(fair) == 0
    assert not any([fair._waiting, fair._at, fair._all])


def test_workers_are_shared_among_persons_and_their_parts_among_pieces() -> None:
    fair = queue()
    assert fair.time_share("ann") == 1
    for number in range(30):
        fair.put("greedy", number)
    assert fair.time_share("greedy") == pytest.approx(1 / 30)  # one of the two is left to others
    fair.put("ann", 0)
    assert fair.time_share("ann") == 1
    assert fair.time_share("greedy") == pytest.approx(1 / 30)
    fair.put("bob", 0)
    assert fair.time_share("ann") == pytest.approx(2 / 3)
