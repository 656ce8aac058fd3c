"""What is asked as a value: the same answer from anywhere, and no kernel where it is asked."""

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
from tests.bots.pool.sample_requests import question, questions


@pytest.mark.parametrize("variant", ["partnership", "double-deck-classic", "seven-card"])
def test_a_question_that_was_sent_is_the_same(variant: str) -> None:
    for asked in questions("easy", variant, every=3):
        sent = pickle.loads(pickle.dumps(asked))
        assert (sent.view, sent.seed, sent.bot) == (asked.view, asked.seed, asked.bot)
        assert decide(sent) == decide(asked)
        assert decide(sent).action in asked.decision.legal


def test_a_share_makes_a_question_cost_less(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[float] = []

    def noted(seconds: float) -> int:
        taken.append(seconds)
        return playouts_within(seconds)

    monkeypatch.setattr("acesaround.bots.search.playouts_within", noted)
    asked = question("hard:time=0.08")
    decide(asked)
    decide(replace(asked, share=0.25))
    assert taken[-1] == pytest.approx(taken[0] / 4)


def test_a_bot_that_fails_is_an_answer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ValueError("no.")

    asked = question("medium")
    monkeypatch.setattr(bots, "make_with_time_share", fails)
    said = pickle.loads(pickle.dumps(decide_or_failure(asked)))
    assert isinstance(said, BotFailure)
    with pytest.raises(BotError, match=r"^The bot 'medium' failed: ValueError: no\.$") as raised:
        unwrap_answer(asked, said)
    assert "in fails" in str(raised.value.__cause__)


@pytest.mark.parametrize("said", [None, 7, "an answer"])
def test_what_is_no_answer_is_a_failure(said: object) -> None:
    with pytest.raises(BotError, match="it gave no answer"):
        unwrap_answer(question("medium"), said)


def test_an_answer_is_heard() -> None:
    asked = question("thumb")
    found = decide_or_failure(asked)
    assert isinstance(found, Advice)
    assert unwrap_answer(asked, found) == found


def test_who_asks_has_imported_no_kernel() -> None:
    program = (
        "import sys, acesaround.server.app, acesaround.bots.pool.local\n"
        "kernels = {'numba', 'llvmlite', 'acesaround.fast'}\n"
        "print(sorted(kernels & set(sys.modules)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert said.stdout.strip() == "[]", said.stderr
