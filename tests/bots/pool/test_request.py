"""Requests as values: the same decision anywhere, and no kernel in the process that sends them."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest
from msgspec.structs import replace

from acesaround import bots
from acesaround.bots.advice import Advice
from acesaround.bots.pool.request import BotFailure, decide, decide_or_failure, unwrap_answer
from acesaround.bots.search.budget import playouts_within
from acesaround.errors import BotError
from tests.bots.pool.sample_requests import bot_requests, first_bid_request


@pytest.mark.parametrize("variant", ["partnership", "double-deck-classic", "seven-card"])
def test_pickled_request_gets_the_same_decision(variant: str) -> None:
    for request in bot_requests("easy", variant, every=3):
        sent = pickle.loads(pickle.dumps(request))
        assert (sent.view, sent.seed, sent.bot) == (request.view, request.seed, request.bot)
        assert decide(sent) == decide(request)
        assert decide(sent).action in request.decision.legal


def test_share_shortens_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[float] = []

    def record(seconds: float) -> int:
        taken.append(seconds)
        return playouts_within(seconds)

    monkeypatch.setattr("acesaround.bots.search.playouts_within", record)
    request = first_bid_request("hard:time=0.08")
    decide(request)
    decide(replace(request, time_share=0.25))
    assert taken[-1] == pytest.approx(taken[0] / 4)


def test_failing_bot_returns_a_bot_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ValueError("no.")

    request = first_bid_request("medium")
    monkeypatch.setattr(bots, "make_with_time_share", fails)
    answer = pickle.loads(pickle.dumps(decide_or_failure(request)))
    assert isinstance(answer, BotFailure)
    with pytest.raises(BotError, match=r"^The bot 'medium' failed: ValueError: no\.$") as raised:
        unwrap_answer(request, answer)
    assert "in fails" in str(raised.value.__cause__)


@pytest.mark.parametrize("answer", [None, 7, "an answer"])
def test_invalid_answer_raises_bot_error(answer: object) -> None:
    with pytest.raises(BotError, match="it gave no answer"):
        unwrap_answer(first_bid_request("medium"), answer)


def test_advice_is_unwrapped() -> None:
    request = first_bid_request("thumb")
    found = decide_or_failure(request)
    assert isinstance(found, Advice)
    assert unwrap_answer(request, found) == found


def test_the_server_imports_no_kernel() -> None:
    program = (
        "import sys, acesaround.server.app, acesaround.bots.pool.local\n"
        "kernels = {'numba', 'llvmlite', 'acesaround.fast'}\n"
        "print(sorted(kernels & set(sys.modules)))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert answer.stdout.strip() == "[]", answer.stderr
