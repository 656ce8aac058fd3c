"""A call that may take so long: by alarm in the main thread, by another thread elsewhere."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from acesaround.elsewhere.limit import Late, within


def here(call: Callable[[], Any]) -> Any:
    """Call it in the main thread."""
    return call()


def elsewhere(call: Callable[[], Any]) -> Any:
    """Call it in another thread, and answer with what it answers or raises."""
    answers: list[Any] = []

    def run() -> None:
        try:
            answers.append(call())
        except BaseException as error:
            answers.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()
    if isinstance(answers[0], BaseException):
        raise answers[0]
    return answers[0]


@pytest.fixture(params=[here, elsewhere])
def where(request: pytest.FixtureRequest) -> Callable[[Callable[[], Any]], Any]:
    chosen: Callable[[Callable[[], Any]], Any] = request.param
    return chosen


def loop() -> None:
    while True:
        time.sleep(0.001)


def test_an_answer_in_time_is_the_answer(where: Callable[..., Any]) -> None:
    assert where(lambda: within(30, lambda: 7)) == 7
    assert where(lambda: within(None, lambda: 7)) == 7


def test_what_is_raised_in_time_is_raised(where: Callable[..., Any]) -> None:
    with pytest.raises(ZeroDivisionError):
        where(lambda: within(30, lambda: 1 // 0))


def test_a_call_without_end_ends(where: Callable[..., Any]) -> None:
    with pytest.raises(Late):
        where(lambda: within(0.02, loop))


def test_a_call_that_holds_on_is_interrupted_again(where: Callable[..., Any]) -> None:
    def stubborn() -> None:
        with contextlib.suppress(BaseException):
            loop()
        loop()

    with pytest.raises(Late):
        where(lambda: within(0.02, stubborn))


def test_nothing_interrupts_what_comes_after(where: Callable[..., Any]) -> None:
    def calls() -> int:
        late = 0
        for at in range(30):
            try:
                within(0.002, (lambda: time.sleep(0.0019)) if at % 2 else loop)
            except Late:
                late += 1
        time.sleep(0.25)  # longer than until it would be interrupted again
        return late

    assert where(calls) >= 15
