"""The log of the server for its operator, one line for each record, as text or as JSON.

Lines go to standard error, including those of uvicorn, SQLAlchemy and asyncio. Each has a time and
the id of the request that caused it.

Logs are read by people who must not get access to tables. So no line contains a card, a cookie, a
password or the token of a link. A token is written as `#` and its `pseudonym`: eight digits that
also occur in the names of a table's downloaded files.
"""

from __future__ import annotations

import logging
import math
import re
import sys
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final, Literal, TypeAlias

import msgspec

from acesaround.table.log_pseudonym import pseudonym

LogFormat: TypeAlias = Literal["text", "json"]
CURRENT_REQUEST: Final[ContextVar[str | None]] = ContextVar("request", default=None)
"""The id of the current request or WebSocket."""
FIELDS_ATTRIBUTE: Final = "fields"
"""The record attribute for extra fields: `extra={FIELDS_ATTRIBUTE: {"status": 200}}`."""

_FIELDS_IN_MESSAGE: Final = ("method", "route", "status", "code")
"""Fields that only JSON lines contain, because the message repeats them."""
_TOKEN_PATTERN: Final = r"[A-Za-z0-9_-]{6,}"
_WHOLE_TOKEN: Final = re.compile(r"(?!\w*(?:Error|Exception)$)[A-Za-z0-9_-]{12,}", re.ASCII)
_TOKEN_IN_CONTEXT: Final = re.compile(
    rf"(\btable |\b(?:bots|clock|reader) of |/(?:t|w|r|ws|api/tables)/)({_TOKEN_PATTERN})", re.ASCII
)
_SECRET: Final = re.compile(
    r"((?:__Host-)?acesaround=|(?i:cookie: ?))[^\s;]+|(://[^\s/:@]*:)[^\s@/]+(?=@)", re.ASCII
)
_CARD: Final = re.compile(r"(?<![\w#])(?:[AKQJT9]|10)[SHDC♠♥♦♣](?!\w)")
"""A failing bot names its card while the game still goes on."""
_CONTROL_CHARACTERS: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LOGGER_PREFIX: Final = "acesaround."
_REPETITIVE: Final = (
    "uvicorn.error",
    "acesaround.server.app",
    "acesaround.server.limits.connections",
    "acesaround.server.routes.table_websocket",
    "acesaround.server.transport.paced_server",
)
"""Loggers of warnings that an attack or an outage would repeat for each request."""
_REPEAT_SECONDS: Final = 60.0


def token_pseudonym(token: str) -> str:
    """Return the pseudonym of a token for the log. Redaction leaves it unchanged."""
    return f"#{pseudonym(token)}"


def redact(line: str) -> str:
    """Return a line without tokens, secrets and cards."""
    line = _TOKEN_IN_CONTEXT.sub(lambda found: found[1] + token_pseudonym(found[2]), line)
    line = _CARD.sub("**", line)
    return _SECRET.sub(r"\1\2...", line)


def strip_control_characters(line: str) -> str:
    """Escape control characters, so that logged input cannot forge lines or move the cursor."""
    return _CONTROL_CHARACTERS.sub(
        lambda found: found[0].encode("unicode_escape").decode("ascii"), line
    )


class _RedactingFormatter(logging.Formatter):
    """The common parts of text and JSON formatters."""

    def redacted_message(self, record: logging.LogRecord) -> str:
        """Return the redacted message. An argument that is one long word is treated as a token."""
        raw_args = record.args
        if isinstance(raw_args, tuple):
            args: Any = tuple(_alias_if_token(arg) for arg in raw_args)
        else:
            args = raw_args
        text = str(record.msg)
        try:
            text = text % args if args else text
        except (TypeError, ValueError, KeyError):  # a wrong format string is logged as it is
            text = f"{text} {args}"
        return strip_control_characters(redact(text))

    def redacted_fields(self, record: logging.LogRecord) -> dict[str, object]:
        """Return the redacted extra fields."""
        raw_fields: dict[str, object] = getattr(record, FIELDS_ATTRIBUTE, {})
        return {
            name: strip_control_characters(redact(value)) if isinstance(value, str) else value
            for name, value in raw_fields.items()
        }

    def redacted_traceback(self, record: logging.LogRecord) -> list[str]:
        """Return the redacted lines of a traceback."""
        if not record.exc_info or record.exc_info[0] is None:
            return []
        lines = self.formatException(record.exc_info).splitlines()
        return [strip_control_characters(redact(line)) for line in lines]


class TextFormatter(_RedactingFormatter):
    """A formatter for people: time, level, message, fields and request id."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, followed by the indented lines of a traceback."""
        timestamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
        level = "" if record.levelno == logging.INFO else f"{record.levelname.lower()}: "
        request = CURRENT_REQUEST.get()
        request_suffix = "" if request is None else f" [{request}]"
        fields = self.redacted_fields(record).items()
        field_text = "".join(
            f" {name}={value}" for name, value in fields if name not in _FIELDS_IN_MESSAGE
        )
        line = (
            f"{timestamp}.{int(record.msecs):03} "
            f"{level}{self.redacted_message(record)}{field_text}{request_suffix}"
        )
        return "\n  ".join([line, *self.redacted_traceback(record)])


class JsonFormatter(_RedactingFormatter):
    """A formatter for programs: one JSON object a line.

    The keys are `time`, `level`, `logger`, `message`, `pid`, and `request` inside a request.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the JSON line. A traceback becomes the field `redacted_traceback`."""
        timestamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        fields: dict[str, object] = {
            "time": f"{timestamp}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.redacted_message(record),
            "pid": record.process,
        }
        request = CURRENT_REQUEST.get()
        if request is not None:
            fields["request"] = request
        fields |= self.redacted_fields(record)
        if trace := self.redacted_traceback(record):
            fields["trace"] = "\n".join(trace)
        return msgspec.json.encode(fields).decode()


def _alias_if_token(arg: object) -> object:
    return token_pseudonym(arg) if isinstance(arg, str) and _WHOLE_TOKEN.fullmatch(arg) else arg


class RepeatFilter(logging.Filter):
    """Limits each warning to one a minute. The metrics count the occurrences."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._logged_at: dict[object, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record."""
        if record.levelno != logging.WARNING:
            return True
        now = self._clock()
        if now - self._logged_at.get(record.msg, -math.inf) < _REPEAT_SECONDS:
            return False
        self._logged_at[record.msg] = now
        return True


class _Handler(logging.StreamHandler[Any]):
    """The handler of this module. By its class `configure_logging` finds and replaces it."""


def configure_logging(log_format: LogFormat) -> None:
    """Write the log of this process to standard error."""
    root = logging.getLogger()
    for old_handler in [existing for existing in root.handlers if isinstance(existing, _Handler)]:
        root.removeHandler(old_handler)
    handler = _Handler(sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    root.addHandler(handler)
    for name in ("uvicorn", "uvicorn.error"):  # without this uvicorn's loggers do not propagate
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.WARNING)
    for name in _REPETITIVE:
        repetitive = logging.getLogger(name)
        if not any(isinstance(existing, RepeatFilter) for existing in repetitive.filters):
            repetitive.addFilter(RepeatFilter())
    logging.getLogger(_LOGGER_PREFIX.rstrip(".")).setLevel(logging.INFO)
    logging.captureWarnings(True)
