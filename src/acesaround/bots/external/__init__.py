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

DEFAULT_LIMIT_SECONDS: Final = 10.0
"""The default time limit of a program for a decision, in seconds."""
_MIN_START_SECONDS: Final = 10.0  # minimum number of seconds for the first answer
_MAX_RESTARTS: Final = 3


class CommandBot:
    """A bot that runs one program for one seat, from the first decision until `close`.

    Every failure raises BotError. A program that died, was late or sent an invalid answer is
    restarted for the next decision, at most three times.
    """

    def __init__(
        self, command: Sequence[str], name: str, limit_seconds: float | None = None
    ) -> None:
        self.name = name
        self._command = tuple(command)
        self._limit_seconds = DEFAULT_LIMIT_SECONDS if limit_seconds is None else limit_seconds
        self._process: Process | None = None
        self._finalizer: weakref.finalize[..., CommandBot] | None = None
        self._told_rules_and_seat: tuple[Rules, int | None] | None = None
        self._failure_count = 0
        self._lock = threading.Lock()

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the program's action. Raises BotError."""
        return self.explain(view, decision)[0]

    def explain(self, view: View, decision: Decision) -> tuple[Action, str]:
        """Return the program's action and its reason, or "" if it gives none. Raises BotError."""
        with self._lock:
            return self._request_action(view, decision)

    def close(self) -> None:
        """End the program, at once if another thread is waiting for its answer."""
        if not self._lock.acquire(blocking=False):
            if (process := self._process) is not None:
                process.kill()
            self._lock.acquire()
        try:
            self._stop_process(messages.QUIT)
        finally:
            self._lock.release()

    def _request_action(self, view: View, decision: Decision) -> tuple[Action, str]:
        try:
            process = self._running_process(view)
            answer = self._send_and_wait(
                process, messages.decide_line(view, decision), self._limit_seconds
            )
            action, reason = messages.action_and_reason(answer)
        except ResponseTimeoutError:
            raise self._record_failure(Failure.LATE, seconds=self._limit_seconds) from None
        except ProcessExitedError as error:
            raise self._record_failure(Failure.DIED, why=error) from None
        except (OutputTooLongError, ValueError) as error:
            raise self._record_failure(Failure.RUBBISH, why=error) from None
        except BaseException:
            self._stop_process(
                None
            )  # else its answer would be taken for the answer to the next decision
            raise
        if action not in decision.legal:
            raise BotError(Failure.ILLEGAL, bot=repr(self.name), action=describe(action)[:100])
        return action, reason

    def _running_process(self, view: View) -> Process:
        """Return the program, started if needed and informed of the view's rules and seat.

        Raises ProcessExitedError if the program has failed too often to be restarted.
        """
        assert view.seat is not None
        if self._process is not None and self._told_rules_and_seat != (view.rules, view.seat):
            self._stop_process(messages.QUIT)
        if self._process is None:
            if self._failure_count > _MAX_RESTARTS:
                raise ProcessExitedError("it failed too often, so it is not started again")
            self._process = process = Process(self._command)
            self._finalizer = weakref.finalize(self, process.terminate)
            self._told_rules_and_seat = view.rules, view.seat
            hello_line = messages.hello_line(view.rules, view.seat, self._limit_seconds)
            if (
                self._send_and_wait(
                    process, hello_line, max(_MIN_START_SECONDS, self._limit_seconds)
                ).type
                != "hello"
            ):
                raise ValueError("its first message is not hello")
        return self._process

    def _send_and_wait(
        self, process: Process, line: bytes, seconds: float
    ) -> messages.ProgramAnswer:
        """Send a line and return the program's answer. Lines of type `info` are ignored.

        Raises ValueError if the program has sent an answer before the line.
        """
        deadline = time.monotonic() + seconds
        if any(map(_parse_answer, process.pending_lines())):
            raise ValueError("an answer without a question")
        process.write_line(line)
        while True:
            if (answer := _parse_answer(process.read_line(deadline))) is not None:
                return answer

    def _record_failure(self, failure: Failure, **facts: object) -> BotError:
        self._stop_process(None)
        self._failure_count += 1
        return BotError(failure, bot=repr(self.name), **facts)

    def _stop_process(self, farewell: bytes | None) -> None:
        if self._finalizer is not None:
            self._finalizer.detach()
        if self._process is not None:
            self._process.terminate(farewell)
        self._process = self._finalizer = None


def _parse_answer(line: bytes) -> messages.ProgramAnswer | None:
    """Return the answer in a line, or None if the line is blank or of type `info`.

    Raises ValueError if the line is invalid.
    """
    answer = messages.parse_answer(line) if line.strip() else None
    return None if answer is None or answer.type == "info" else answer
