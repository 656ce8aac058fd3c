"""The same view and seed get the same answer: asked again, after other questions, elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.bots.search.asking import NAMES, moments, said
from tests.random_games import FEW_UNSEEN as EVERY

PROGRAM = """
import sys
from tests.bots.search.asking import moments, said
from tests.random_games import FEW_UNSEEN as EVERY

backwards = sys.argv[1] == "backwards"
asked = [
    (variant, at, bot)
    for variant in EVERY
    for at in range(len(moments(variant, 5)))
    for bot in ("search:time=0.003", "hard:time=0.003", "easy")
]
states = {variant: moments(variant, 5) for variant in EVERY}
answers = {
    question: said(states[question[0]][question[1]], question[2])
    for question in (reversed(asked) if backwards else asked)
}
sys.stdout.buffer.write(b"\\n".join(answers[question] for question in asked))
"""


@pytest.mark.parametrize("bot", NAMES)
@pytest.mark.parametrize("variant", EVERY)
def test_the_same_question_gets_the_same_answer(variant: str, bot: str) -> None:
    """In whatever order questions are asked."""
    states = moments(variant, 4)
    first = [said(state, bot) for state in states]
    again = [said(state, bot) for state in reversed(states)]
    assert again == first[::-1]


def test_another_process_gives_the_same_answers() -> None:
    """Whatever the order of hashes there, and the order of questions."""
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, order],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": "src:."},
        )
        for order, hashes in (("forwards", "1"), ("backwards", "2"))
    ]
    one, other = (run.communicate()[0] for run in runs)
    assert all(run.returncode == 0 for run in runs)
    assert one.count(b"\n") > 3 * 7 * 3
    assert one == other
