"""What a bot is asked, as a value that can be sent elsewhere: all that it is told, and no more."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from acesaround import bots
from acesaround.bots.advice import Advice, advice
from acesaround.bots.fallback import as_bot_error
from acesaround.errors import BotError, Failure
from acesaround.game.state import Decision
from acesaround.game.view import View

LIMIT: Final = 30.0
"""Seconds that an answer may take: ten times those of the slowest bot on a machine of today."""


class BotRequest(msgspec.Struct, frozen=True):
    """A decision that a bot is to make. Equal questions have equal answers, wherever they are.

    `bot`: its name, `view`: what its seat sees, `seed`: of its lots, `share`: the part of its time
    that it takes.
    """

    bot: str
    view: View
    decision: Decision
    seed: int
    share: float = 1.0


class BotFailure(msgspec.Struct, frozen=True):
    """What a bot answers that fails: a clause for people, and where it failed."""

    why: str
    trace: str


class NoAnswer(Exception):  # noqa: N818 - it says how a question is
    """A question to which no answer comes: from where it was sent, or in its time."""


class BotPool(Protocol):
    """Where questions are answered."""

    changed: Callable[[], None]
    """Called where `number` has changed."""

    @property
    def number(self) -> int:
        """How many at a time; 0 where there is nobody."""
        ...

    @property
    def ready(self) -> bool:
        """Whether they are answered now. Until then somebody else has to decide."""
        ...

    def start(self) -> None:
        """See to it that questions are answered soon, unless that was done."""
        ...

    async def ask(self, question: BotRequest) -> Advice:
        """The answer. Raises Unanswered, and BotError where the bot failed."""
        ...

    async def close(self) -> None:
        """Answer nothing any more: questions under way are left unanswered."""
        ...


def decide(question: BotRequest) -> Advice:
    """What the bot does and why, decided here and now. Raises whatever the bot does."""
    player = bots.make_with_time_share(question.bot, random.Random(question.seed), question.share)
    return advice(player, question.view, question.decision)


def decide_or_failure(question: BotRequest) -> Advice | BotFailure:
    """The same as a value that can be sent, whatever the bot does.

    It is asked where thinking has its time, so that hands are first measured where that is to do.
    """
    try:
        bots.judge(question.view.rules)
        return decide(question)
    except Exception as raised:
        why = as_bot_error(question.bot, raised).facts.get("why", raised)
        return BotFailure(str(why), "".join(traceback.format_exception(raised)))


def unwrap_answer(question: BotRequest, said: object) -> Advice:
    """The answer in what was sent back. Raises BotError where the bot failed."""
    if isinstance(said, Advice):
        return said
    trace = said.trace if isinstance(said, BotFailure) else f"It answered {said!r:.100}."
    why = said.why if isinstance(said, BotFailure) else "it gave no answer"
    error = BotError(Failure.RAISED, bot=repr(question.bot), why=why)
    error.__cause__ = RuntimeError(trace)  # for a log that shows where
    raise error
