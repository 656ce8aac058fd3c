"""Requests to bots, as values that can be sent to another process.

A request holds exactly what the bot may know. Workers also run other tasks, such as reviews.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar, cast

import msgspec

from acesaround import bots
from acesaround.bots.advice import Advice, ask_for_advice
from acesaround.bots.fallback_player import to_bot_error
from acesaround.errors import BotError, Failure
from acesaround.game.state import Decision
from acesaround.game.view import View

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
BOT_ANSWER_SECONDS: Final = 30.0
"""The time limit of an answer in seconds: ten times the slowest bot's on a current machine."""


class BotRequest(msgspec.Struct, frozen=True):
    """A decision that a bot is asked to make. Equal requests get equal answers on every machine.

    `bot`: its name. `view`: what its seat sees. `seed`: the seed of its random generator.
    `time_share`: the part of its time that it may use.
    """

    bot: str
    view: View
    decision: Decision
    seed: int
    time_share: float = 1.0


class WorkerTask(Protocol[T_co]):
    """Work for a worker that is no decision of a bot. It is pickled, and so is its result."""

    @property
    def name(self) -> str:
        """The name of the task in messages."""
        ...

    def run(self) -> T_co:
        """Return the result, computed in this process. Errors are passed on."""
        ...


class BotFailure(msgspec.Struct, frozen=True):
    """The answer of a bot that failed: the reason as a clause for people, and the traceback."""

    why: str
    trace: str


class NoAnswer(Exception):  # noqa: N818 - the name says what happened to the request
    """The failure of a request to get an answer: its worker is gone, or its time is up."""


class BotPool(Protocol):
    """A pool of workers that answer bot requests."""

    on_resize: Callable[[], None]
    """The callback for changes of `max_running`."""

    @property
    def max_running(self) -> int:
        """The number of requests that are answered at a time; 0 if there are no workers."""
        ...

    @property
    def ready(self) -> bool:
        """Whether requests are answered now. Until then another player has to decide."""
        ...

    def start(self) -> None:
        """Start the workers, unless they were started before."""
        ...

    async def ask(self, request: BotRequest) -> Advice:
        """Return the answer. Raises NoAnswer, and BotError if the bot failed."""
        ...

    async def run(self, task: WorkerTask[T]) -> T:
        """Return the result of a task. Raises NoAnswer, and BotError if the task failed."""
        ...

    async def close(self) -> None:
        """Stop answering. Pending requests raise NoAnswer."""
        ...


def decide(request: BotRequest) -> Advice:
    """Return the bot's advice, computed in this process. Errors of the bot are passed on."""
    player = bots.make_with_time_share(request.bot, random.Random(request.seed), request.time_share)
    return ask_for_advice(player, request.view, request.decision)


def decide_or_failure(request: BotRequest | WorkerTask[Any]) -> object:
    """Return the bot's advice or the task's result, or a BotFailure if an error was raised.

    Hand weights are measured first if they are missing, because workers have time for that.
    """
    try:
        if not isinstance(request, BotRequest):
            return request.run()
        bots.measure_hand_weights(request.view.rules)
        return decide(request)
    except Exception as raised:
        why = to_bot_error(name_of(request), raised).facts.get("why", raised)
        return BotFailure(str(why), "".join(traceback.format_exception(raised)))


def name_of(request: BotRequest | WorkerTask[Any]) -> str:
    """Return the name of a bot that is asked, or of a task."""
    return request.bot if isinstance(request, BotRequest) else request.name


def unwrap_answer(request: BotRequest, answer: object) -> Advice:
    """Return the advice in an answer. Raises BotError if the bot failed."""
    if isinstance(answer, Advice):
        return answer
    if isinstance(answer, BotFailure):
        raise _to_error(request, answer)
    raise _to_error(request, BotFailure("it gave no answer", f"It answered {answer!r:.100}."))


def unwrap_result(task: WorkerTask[T], answer: object) -> T:
    """Return the result of a task. Raises BotError if the task failed."""
    if isinstance(answer, BotFailure):
        raise _to_error(task, answer)
    return cast(T, answer)


def _to_error(request: BotRequest | WorkerTask[Any], failure: BotFailure) -> BotError:
    error = BotError(Failure.RAISED, bot=repr(name_of(request)), why=failure.why)
    error.__cause__ = RuntimeError(failure.trace)  # so that the log shows where it failed
    return error
