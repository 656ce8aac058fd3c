"""`acesaround play`: plays at a table in the terminal."""

from __future__ import annotations

import argparse

from acesaround.cli.argument_types import integer, non_negative_int
from acesaround.cli.table_arguments import (
    VARIANT_HELP,
    add_table_arguments,
    parse_options,
    rules_of,
    variant_name,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "variant",
        type=variant_name,
        metavar="VARIANT",
        nargs="?",
        help=f"{VARIANT_HELP}: begin a new game at once; without it you choose from your games "
        "and the variants",
    )
    add_table_arguments(parser)
    parser.add_argument(
        "--bots",
        metavar="A,B,...",
        help="bots for the other seats, clockwise from your left: easy, medium, hard, "
        "expert, ... (default medium; without VARIANT you choose)",
    )
    parser.add_argument(
        "--seat", type=non_negative_int, default=0, metavar="N", help="your seat (default 0)"
    )
    parser.add_argument(
        "--seed", type=integer, metavar="S", help="the same seed deals the same cards"
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="continue the last unfinished game, or that of VARIANT if you name one",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround import bots, terminal
    from acesaround.errors import RulesError

    if arguments.variant is None and arguments.preset is not None:
        raise RulesError(f"Name the VARIANT of the preset {arguments.preset!r}, too.")
    bot_names = () if arguments.bots is None else bots.split_bot_names(arguments.bots)
    names = [bots.check(name) for name in bot_names]
    return terminal.main(
        rules=None if arguments.variant is None else rules_of(arguments),
        players=arguments.players,
        options=parse_options(arguments.option),
        bots=names,
        seat=arguments.seat,
        seed=arguments.seed,
        resume=arguments.resume,
    )
