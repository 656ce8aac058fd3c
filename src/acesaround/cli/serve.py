"""`acesaround serve`: serves tables to browsers."""

from __future__ import annotations

import argparse

from acesaround.cli.argument_types import port, positive_int, process_count, retention_time
from acesaround.cli.table_arguments import file_path
from acesaround.optional_dependencies import require_extra


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on (default: all)")
    parser.add_argument(
        "--port",
        type=port,
        metavar="N",
        help="port to listen on (default: the first free one from 8000)",
    )
    parser.add_argument(
        "--database-url", metavar="URL", help="database (default: SQLite in the data folder)"
    )
    parser.add_argument(
        "--public-url", metavar="URL", help="public address of the server, if it is behind a proxy"
    )
    parser.add_argument(
        "--trusted-proxies",
        metavar="A,B,...",
        help="addresses of proxies whose X-Forwarded-For the server uses, such as 127.0.0.1",
    )
    parser.add_argument(
        "--allowed-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name that the server accepts; may be repeated",
    )
    parser.add_argument(
        "--max-connections-per-address",
        type=positive_int,
        default=300,
        metavar="N",
        help="largest number of connections of one address (default 300)",
    )
    parser.add_argument(
        "--bot-workers",
        type=process_count,
        metavar="N",
        help="processes that run bots (default: one less than the cores, at least 2)",
    )
    parser.add_argument(
        "--dask-scheduler", metavar="ADDRESS", help="run bots on a Dask cluster instead"
    )
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="NAME=PROGRAM",
        help="offer a program as a bot with that name; may be repeated",
    )
    parser.add_argument(
        "--log-format",
        choices=("text", "json"),
        default="text",
        help="format of the log lines (default text)",
    )
    parser.add_argument(
        "--access-log",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="log each request and WebSocket (default: off)",
    )
    parser.add_argument(
        "--retention",
        type=retention_time,
        default="400d",
        metavar="TIME",
        help="how long to keep unused unfinished games, chat and guests, such as 90d, 8w, 2y or "
        "forever (default 400d)",
    )
    parser.add_argument(
        "--finished-game-retention",
        type=retention_time,
        default="forever",
        metavar="TIME",
        help="how long to keep tables with a finished game (default forever)",
    )
    parser.add_argument(
        "--rules",
        type=file_path,
        metavar="FOLDER",
        help="a folder of rule sheets (*.toml): people can play them like the variants",
    )
    parser.add_argument(
        "--open", action="store_true", help="open the page in a browser on this machine"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    with require_extra("Serving", "server"):
        from acesaround.retention.policy import RetentionPolicy
        from acesaround.server.startup import serve
    return serve(
        host=arguments.host,
        port=arguments.port,
        database_url=arguments.database_url,
        public_url=arguments.public_url,
        trusted_proxies=arguments.trusted_proxies,
        open_browser=arguments.open,
        bots=arguments.bot,
        allowed_hosts=arguments.allowed_host,
        max_connections_per_address=arguments.max_connections_per_address,
        bot_workers=arguments.bot_workers,
        dask_scheduler=arguments.dask_scheduler,
        log_format=arguments.log_format,
        access_log=arguments.access_log,
        retention=RetentionPolicy(arguments.retention, arguments.finished_game_retention),
        sheets_folder=arguments.rules,
    )
