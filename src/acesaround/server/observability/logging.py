"""What the server writes for whoever runs it: a line for each thing, as text or as JSON.

Lines go to standard error; uvicorn's, SQLAlchemy's and asyncio's go the same way as ours. Each has
its time, and the id of the request in which it was said.

A log is read and kept by people who must not sit down at tables. So no line holds a card, a cookie,
a password or the token of a link. A token is written as `#` and its `alias`, the eight digits that
the names of a table's downloaded files hold as well.
"""

from __future__ import annotations

import logging
import re
import sys
import time
from contextvars import ContextVar
from typing import Any, Final, Literal, TypeAlias

import msgspec

from acesaround.table.alias import alias

Form: TypeAlias = Literal["text", "json"]
REQUEST: Final[ContextVar[str | None]] = ContextVar("request", default=None)
"""The id of the request or socket that is being served."""
FIELDS: Final = "fields"
"""What a line may carry besides its words: `extra={FIELDS: {"status": 200}}`."""

_IN_WORDS: Final = ("method", "route", "status", "code")
"""Fields for programs, which the words of a line say as well."""
_TOKEN: Final = r"[A-Za-z0-9_-]{6,}"
_ONE_TOKEN: Final = re.compile(r"(?!\w*(?:Error|Exception)$)[A-Za-z0-9_-]{12,}", re.ASCII)
_NAMED: Final = re.compile(
    rf"(\btable |\b(?:bots|clock|reader) of |/(?:t|w|r|ws|api/tables)/)({_TOKEN})", re.ASCII
)
_SECRET: Final = re.compile(
    r"((?:__Host-)?acesaround=|(?i:cookie: ?))[^\s;]+|(://[^\s/:@]*:)[^\s@/]+(?=@)", re.ASCII
)
_CARD: Final = re.compile(r"(?<![\w#])(?:[AKQJT9]|10)[SHDC♠♥♦♣](?!\w)")
"""A bot that fails says with which card, and the game goes on."""
_UNSEEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_OURS: Final = "acesaround."


def token_alias(token: str) -> str:
    """What stands in the log for a token; it is no token itself and stays as it is."""
    return f"#{alias(token)}"


def redact(line: str) -> str:
    """A line without the tokens, secrets and cards that stand in it."""
    line = _NAMED.sub(lambda found: found[1] + token_alias(found[2]), line)
    line = _CARD.sub("**", line)
    return _SECRET.sub(r"\1\2...", line)


def strip_control_characters(line: str) -> str:
    """A line in which nothing ends it or moves the cursor of a terminal, whoever sent it."""
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), line)


class _Lines(logging.Formatter):
    """What text and JSON have in common."""

    def said(self, record: logging.LogRecord) -> str:
        """The words of a line. Where one of its arguments is one long word, that is a token."""
        given = record.args
        if isinstance(given, tuple):
            args: Any = tuple(_covered(arg) for arg in given)
        else:
            args = given
        words = str(record.msg)
        try:
            words = words % args if args else words
        except (TypeError, ValueError, KeyError):  # somebody's mistake, which is to be seen as well
            words = f"{words} {args}"
        return strip_control_characters(redact(words))

    def fields(self, record: logging.LogRecord) -> dict[str, object]:
        """What a line carries besides its words."""
        given: dict[str, object] = getattr(record, FIELDS, {})
        return {
            name: strip_control_characters(redact(value)) if isinstance(value, str) else value
            for name, value in given.items()
        }

    def trace(self, record: logging.LogRecord) -> list[str]:
        """The lines of a traceback."""
        if not record.exc_info or record.exc_info[0] is None:
            return []
        lines = self.formatException(record.exc_info).splitlines()
        return [strip_control_characters(redact(line)) for line in lines]


class TextFormatter(_Lines):
    """A line to read: when, how bad, what, and in which request."""

    def format(self, record: logging.LogRecord) -> str:
        """The line; those of a traceback follow, indented."""
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
        level = "" if record.levelno == logging.INFO else f"{record.levelname.lower()}: "
        request = REQUEST.get()
        by = "" if request is None else f" [{request}]"
        fields = self.fields(record).items()
        more = "".join(f" {name}={value}" for name, value in fields if name not in _IN_WORDS)
        line = f"{when}.{int(record.msecs):03} {level}{self.said(record)}{more}{by}"
        return "\n  ".join([line, *self.trace(record)])


class JsonFormatter(_Lines):
    """An object a line: `time`, `level`, `logger`, `message`, `pid`, and `request` if in one."""

    def format(self, record: logging.LogRecord) -> str:
        """The line; a traceback stands in it as `trace`."""
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        held: dict[str, object] = {
            "time": f"{when}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.said(record),
            "pid": record.process,
        }
        request = REQUEST.get()
        if request is not None:
            held["request"] = request
        held |= self.fields(record)
        if trace := self.trace(record):
            held["trace"] = "\n".join(trace)
        return msgspec.json.encode(held).decode()


def _covered(arg: object) -> object:
    return token_alias(arg) if isinstance(arg, str) and _ONE_TOKEN.fullmatch(arg) else arg


class _Handler(logging.StreamHandler[Any]):
    """Ours, so that it can be found and replaced."""


def configure_logging(form: Form) -> None:
    """Write what this process logs to standard error from now on."""
    root = logging.getLogger()
    for before in [one for one in root.handlers if isinstance(one, _Handler)]:
        root.removeHandler(before)
    handler = _Handler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    root.addHandler(handler)
    for name in ("uvicorn", "uvicorn.error"):  # set up by itself it keeps its lines to itself
        its = logging.getLogger(name)
        its.handlers.clear()
        its.propagate = True
        its.setLevel(logging.WARNING)
    logging.getLogger(_OURS.rstrip(".")).setLevel(logging.INFO)
    logging.captureWarnings(True)
