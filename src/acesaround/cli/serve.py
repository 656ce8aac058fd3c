"""`acesaround serve`: serves tables to browsers."""

from __future__ import annotations

import argparse
from typing import Any, Final, NoReturn

from acesaround.cli.argument_types import port, positive, processes, retention_time
from acesaround.cli.table_arguments import file
from acesaround.extras import require_extra

_SEVERAL: Final = (
    "start several servers on one PostgreSQL behind a proxy (docs/hosting.md, 'Several servers"
    " behind one proxy')"
)
_GONE: Final = {
    "--workers": f"there is no such option any more: {_SEVERAL}",
    "--node": f"there is no such option any more, for servers hand nobody on: {_SEVERAL}",
    "--drain": "there is no such option any more: send SIGTERM, and the proxy asks another server"
    " at once",
}
"""Removed options, and what to do instead."""


class _Gone(argparse.Action):
    """The argparse action of a removed option: an error that says what to do instead."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Raise ArgumentError."""
        raise argparse.ArgumentError(self, _GONE[self.option_strings[0]])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on (default: all)")
    parser.add_argument(
        "--port", type=port, metavar="N", help="default: the first free one from 8000 on"
    )
    parser.add_argument(
        "--database-url", metavar="URL", help="default: SQLite beside the saved games"
    )
    parser.add_argument("--public-url", metavar="URL", help="the address behind a proxy")
    parser.add_argument(
        "--proxy",
        metavar="A,B,...",
        help="addresses of proxies that say where requests come from, such as 127.0.0.1",
    )
    parser.add_argument(
        "--host-name",
        action="append",
        default=[],
        metavar="NAME",
        help="a further name by which people ask for this server; may be repeated",
    )
    parser.add_argument(
        "--per-address",
        type=positive,
        default=300,
        metavar="N",
        help="connections that one address may hold (default 300)",
    )
    parser.add_argument(
        "--thinkers",
        type=processes,
        metavar="N",
        help="processes in which bots think beside this one (default: the cores but one, at "
        "least 2)",
    )
    parser.add_argument(
        "--think", metavar="ADDRESS", help="let bots think on a Dask cluster instead"
    )
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="NAME=PROGRAM",
        help="let people choose a program as a bot of that name; may be repeated",
    )
    parser.add_argument(
        "--log",
        choices=("text", "json"),
        default="text",
        help="how each line of the log is written (default text)",
    )
    parser.add_argument(
        "--access-log",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="a line in the log for each request and WebSocket (default: none)",
    )
    parser.add_argument(
        "--keep",
        type=retention_time,
        default="400d",
        metavar="TIME",
        help="for how long unfinished games, talk and guests are kept that nobody comes back to:"
        " such as 90d, 8w, 2y or forever (default 400d)",
    )
    parser.add_argument(
        "--keep-games",
        type=retention_time,
        default="forever",
        metavar="TIME",
        help="for how long tables with a finished game are kept (default forever)",
    )
    parser.add_argument(
        "--rules",
        type=file,
        metavar="FOLDER",
        help="a folder of rule sheets (*.toml): games that people may choose beside the variants",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser here")
    for option in _GONE:
        parser.add_argument(option, action=_Gone, nargs="?", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    with require_extra("Serving", "server"):
        from acesaround.retention.policy import RetentionPolicy
        from acesaround.server.serve import serve
    return serve(
        host=arguments.host,
        port=arguments.port,
        database_url=arguments.database_url,
        public_url=arguments.public_url,
        proxy=arguments.proxy,
        show=arguments.open,
        bots=arguments.bot,
        hosts=arguments.host_name,
        each=arguments.per_address,
        thinkers=arguments.thinkers,
        think=arguments.think,
        log=arguments.log,
        access=arguments.access_log,
        keep=RetentionPolicy(arguments.keep, arguments.keep_games),
        rules=arguments.rules,
    )
