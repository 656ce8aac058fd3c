"""A call that may take so long and no longer.

It is interrupted between two steps of Python. What hangs in compiled code that never comes back to
Python cannot be.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import threading
from collections.abc import Callable
from typing import Any, Final, TypeVar

Answer = TypeVar("Answer")

_AGAIN: Final = 0.1
"""Seconds after which a call that went on regardless is interrupted once more."""


class Late(BaseException):
    """The time is up. No Exception, so that a bot that catches those does not catch this."""


def within(seconds: float | None, call: Callable[[], Answer]) -> Answer:
    """What the call returns. Raises Late once it has taken so long, and whatever it raises."""
    if seconds is None:
        return call()
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        return _by_signal(seconds, call)
    return _by_thread(seconds, call)


_armed = False


def _ring(_number: int, _frame: Any) -> None:
    if _armed:
        raise Late


def _by_signal(seconds: float, call: Callable[[], Answer]) -> Answer:
    """An alarm interrupts even a call that waits for something outside Python, such as a sleep."""
    global _armed
    if signal.getsignal(signal.SIGALRM) is not _ring:
        signal.signal(signal.SIGALRM, _ring)
    try:
        try:
            _armed = True
            signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
            return call()
        finally:
            _armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
    except Late:  # it may have come amid the two lines above
        _armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise


def _by_thread(seconds: float, call: Callable[[], Answer]) -> Answer:
    """Where there are no alarms: another thread has Late raised in this one.

    Locks are taken and given back in one step of Python, which nothing can interrupt half-way.
    """
    thread = ctypes.c_ulong(threading.get_ident())
    interrupt = ctypes.pythonapi.PyThreadState_SetAsyncExc
    begun, done = threading.Lock(), threading.Lock()
    begun.acquire()
    done.acquire()

    def watch() -> None:
        begun.acquire()
        wait = seconds
        while not done.acquire(timeout=wait):
            interrupt(thread, ctypes.py_object(Late))
            wait = _AGAIN

    def end() -> None:
        with contextlib.suppress(RuntimeError):  # it was given back before
            done.release()
        watcher.join()
        interrupt(thread, None)  # one that has not come yet is not wanted any more

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        try:
            begun.release()
            return call()
        finally:
            end()
    except Late:  # it may have come amid the end
        end()
        raise
