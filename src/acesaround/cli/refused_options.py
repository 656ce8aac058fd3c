"""Options that a command no longer has: it refuses them and says what to use instead."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any, Final, NoReturn

RENAMED: Final[Mapping[str, Mapping[str, str]]] = {
    "arena": {
        "--cluster": "--dask-scheduler",
        "--limit": "--time-limit",
        "--single": "--single-deals",
    },
    "serve": {
        "--host-name": "--allowed-host",
        "--keep": "--retention",
        "--keep-games": "--finished-game-retention",
        "--log": "--log-format",
        "--per-address": "--max-connections-per-address",
        "--proxy": "--trusted-proxies",
        "--think": "--dask-scheduler",
        "--thinkers": "--bot-workers",
    },
    "solve": {"--line": "--full-line", "--table": "--memory"},
}
"""The new name of each renamed option, by command."""

_SEVERAL: Final = (
    "start several servers on one PostgreSQL behind a proxy (docs/hosting.md, 'Several servers"
    " behind one proxy')"
)
_REMOVED: Final[Mapping[str, Mapping[str, str]]] = {
    "serve": {
        "--workers": f"this option was removed: {_SEVERAL}",
        "--node": f"this option was removed, because servers no longer redirect people: {_SEVERAL}",
        "--drain": "this option was removed: send SIGTERM, and the proxy uses another server at "
        "once",
    }
}
"""What to do instead of each removed option, by command."""


class _Refused(argparse.Action):
    """The argparse action of an option that is refused with the sentence in `metavar`."""

    def __call__(self, *_: Any) -> NoReturn:
        """Raise ArgumentError."""
        assert isinstance(self.metavar, str)
        raise argparse.ArgumentError(self, self.metavar)


def refuse_old_options(command: str, parser: argparse.ArgumentParser) -> None:
    """Let the parser of a command refuse the options that were renamed or removed."""
    renamed = RENAMED.get(command, {})
    sentences = {old: f"this option is now {new}" for old, new in renamed.items()}
    for option, sentence in {**sentences, **_REMOVED.get(command, {})}.items():
        parser.add_argument(
            option,
            action=_Refused,
            nargs="?",
            metavar=sentence,
            default=argparse.SUPPRESS,
            help=argparse.SUPPRESS,
        )
