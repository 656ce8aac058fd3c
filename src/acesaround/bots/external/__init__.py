"""A bot that runs as an external program: `cmd:PROGRAM ARGUMENT ...`.

The program is sent what one seat sees, and answers with an action. `process` runs the program, and
`messages` encodes and decodes its lines. This module decides when to start, ask, restart and end
it. docs/protocol.md describes the protocol for authors of programs.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Sequence
from typing import Final

from acesaround.actions import Action, describe
from acesaround.bots.external import messages
from acesaround.bots.external.process import (
    OutputTooLongError,
    Process,
    ProcessExitedError,
    ResponseTimeoutError,
)
from acesaround.errors import BotError, Failure
from acesaround.game.state import Decision
from acesaround.game.view import View
from acesaround.rules import Rules

LIMIT: Final = 10.0
"""The default time limit of a program for a decision, in seconds."""
_START: Final = 10.0  # minimum number of seconds for the first answer
_RESTARTS: Final = 3


class CommandBot:
    """A bot that runs one program for one seat, from the first decision until `close`.

    Every failure raises BotError. A program that died, was late or sent an invalid answer is
    restarted for the next decision, at most three times.
    """

    def __init__(self, words: Sequence[str], name: str, limit: float | None = None) -> None:
        self.name = name
        self._words = tuple(words)
        self._limit = LIMIT if limit is None else limit
        self._process: Process | None = None
        self._end: weakref.finalize[..., CommandBot] | None = None
        self._seated: tuple[Rules, int | None] | None = None
        self._failed = 0
        self._asking = threading.Lock()

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the program's action. Raises BotError."""
        return self.explain(view, decision)[0]

    def explain(self, view: View, decision: Decision) -> tuple[Action, str]:
        """Return the program's action and its reason, or "" if it gives none. Raises BotError."""
        with self._asking:
            return self._asked(view, decision)

    def close(self) -> None:
        """End the program, at once if another thread is waiting for its answer."""
        if not self._asking.acquire(blocking=False):
            if (process := self._process) is not None:
                process.kill()
            self._asking.acquire()
        try:
            self._stop(messages.QUIT)
        finally:
            self._asking.release()

    def _asked(self, view: View, decision: Decision) -> tuple[Action, str]:
        try:
            process = self._started(view)
            found = self._ask(process, messages.decide(view, decision), self._limit)
            action, reason = messages.action(found)
        except ResponseTimeoutError:
            raise self._failure(Failure.LATE, seconds=self._limit) from None
        except ProcessExitedError as error:
            raise self._failure(Failure.DIED, why=error) from None
        except (OutputTooLongError, ValueError) as error:
            raise self._failure(Failure.RUBBISH, why=error) from None
        except BaseException:
            self._stop(None)  # else its answer would be taken for the answer to the next decision
            raise
        if action not in decision.legal:
            raise BotError(Failure.ILLEGAL, bot=repr(self.name), action=describe(action)[:100])
        return action, reason

    def _started(self, view: View) -> Process:
        """Return the program, started if needed and informed of the view's rules and seat.

        Raises ProcessExitedError if the program has failed too often to be restarted.
        """
        assert view.seat is not None
        if self._process is not None and self._seated != (view.rules, view.seat):
            self._stop(messages.QUIT)
        if self._process is None:
            if self._failed > _RESTARTS:
                raise ProcessExitedError("it failed too often and is not started again")
            self._process = process = Process(self._words)
            self._end = weakref.finalize(self, process.terminate)
            self._seated = view.rules, view.seat
            first = messages.hello(view.rules, view.seat, self._limit)
            if self._ask(process, first, max(_START, self._limit)).type != "hello":
                raise ValueError("no hello to begin with")
        return self._process

    def _ask(self, process: Process, line: bytes, seconds: float) -> messages.Answer:
        """Send a line and return the program's answer. Lines of type `info` are ignored.

        Raises ValueError if the program has sent an answer before the line.
        """
        until = time.monotonic() + seconds
        if any(map(_read, process.pending_lines())):
            raise ValueError("an answer that nobody asked for")
        process.write_line(line)
        while True:
            if (found := _read(process.read_line(until))) is not None:
                return found

    def _failure(self, failure: Failure, **facts: object) -> BotError:
        self._stop(None)
        self._failed += 1
        return BotError(failure, bot=repr(self.name), **facts)

    def _stop(self, farewell: bytes | None) -> None:
        if self._end is not None:
            self._end.detach()
        if self._process is not None:
            self._process.terminate(farewell)
        self._process = self._end = None


def _read(line: bytes) -> messages.Answer | None:
    """Return the answer in a line, or None if the line is blank or of type `info`.

    Raises ValueError if the line is invalid.
    """
    found = messages.answer(line) if line.strip() else None
    return None if found is None or found.type == "info" else found
