"""The same view and seed get the same advice: repeated, in another order, in another process."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.bots.search.sample_decisions import EACH_VARIANT_AND_BOT, advice_bytes, sample_states

PROGRAM = """
import sys
from tests.bots.search.sample_decisions import sample_states, advice_bytes

VARIANTS = ("double-deck", "five-card", "partnership", "three-handed", "two-handed")
backwards = sys.argv[1] == "backwards"
decisions = [
    (variant, at, bot)
    for variant in VARIANTS
    for at in range(len(sample_states(variant, 5)))
    for bot in ("search:time=0.003", "hard:time=0.003", "easy")
]
states = {variant: sample_states(variant, 5) for variant in VARIANTS}
answers = {
    decision: advice_bytes(states[decision[0]][decision[1]], decision[2])
    for decision in (reversed(decisions) if backwards else decisions)
}
sys.stdout.buffer.write(b"\\n".join(answers[decision] for decision in decisions))
"""


@EACH_VARIANT_AND_BOT
def test_advice_does_not_depend_on_order(variant: str, bot: str) -> None:
    states = sample_states(variant, 4)
    first = [advice_bytes(state, bot) for state in states]
    again = [advice_bytes(state, bot) for state in reversed(states)]
    assert again == first[::-1]


def test_advice_is_the_same_in_another_process() -> None:
    """Hash seed and order of the decisions differ."""
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
    assert one.count(b"\n") > 3 * 5 * 3
    assert one == other
