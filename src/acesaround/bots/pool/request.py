"""Requests to bots, as values that can be sent to another process.

A request holds exactly what the bot may know.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from acesaround import bots
from acesaround.bots.advice import Advice, ask_for_advice
from acesaround.bots.fallback import to_bot_error
from acesaround.errors import BotError, Failure
from acesaround.game.state import Decision
from acesaround.game.view import View

LIMIT: Final = 30.0
"""The time limit of an answer in seconds: ten times the slowest bot's on a current machine."""


class BotRequest(msgspec.Struct, frozen=True):
    """A decision that a bot is asked to make. Equal requests get equal answers on every machine.

    `bot`: its name. `view`: what its seat sees. `seed`: the seed of its random generator. `share`:
    the part of its time that it may use.
    """

    bot: str
    view: View
    decision: Decision
    seed: int
    share: float = 1.0


class BotFailure(msgspec.Struct, frozen=True):
    """The answer of a bot that failed: the reason as a clause for people, and the traceback."""

    why: str
    trace: str


class NoAnswer(Exception):  # noqa: N818 - the name says what happened to the request
    """The failure of a request to get an answer: its worker is gone, or its time is up."""


class BotPool(Protocol):
    """A pool of workers that answer bot requests."""

    changed: Callable[[], None]
    """The callback for changes of `number`."""

    @property
    def number(self) -> int:
        """The number of requests that are answered at a time; 0 if there are no workers."""
        ...

    @property
    def ready(self) -> bool:
        """Whether requests are answered now. Until then another player has to decide."""
        ...

    def start(self) -> None:
        """Start the workers, unless they were started before."""
        ...

    async def ask(self, question: BotRequest) -> Advice:
        """Return the answer. Raises NoAnswer, and BotError if the bot failed."""
        ...

    async def close(self) -> None:
        """Stop answering. Pending requests raise NoAnswer."""
        ...


def decide(question: BotRequest) -> Advice:
    """Return the bot's advice, computed in this process. Errors of the bot are passed on."""
    player = bots.make_with_time_share(question.bot, random.Random(question.seed), question.share)
    return ask_for_advice(player, question.view, question.decision)


def decide_or_failure(question: BotRequest) -> Advice | BotFailure:
    """Return the bot's advice, or a BotFailure if the bot raised an error.

    Hand weights are measured first if they are missing, because workers have time for that.
    """
    try:
        bots.measure_hand_weights(question.view.rules)
        return decide(question)
    except Exception as raised:
        why = to_bot_error(question.bot, raised).facts.get("why", raised)
        return BotFailure(str(why), "".join(traceback.format_exception(raised)))


def unwrap_answer(question: BotRequest, answer: object) -> Advice:
    """Return the advice in an answer. Raises BotError if the bot failed."""
    if isinstance(answer, Advice):
        return answer
    trace = answer.trace if isinstance(answer, BotFailure) else f"It answered {answer!r:.100}."
    why = answer.why if isinstance(answer, BotFailure) else "it gave no answer"
    error = BotError(Failure.RAISED, bot=repr(question.bot), why=why)
    error.__cause__ = RuntimeError(trace)  # so that the log shows where it failed
    raise error
