"""`acesaround simulate`: plays many games between bots, or millions of single deals."""

from __future__ import annotations

import argparse
import contextlib

from acesaround.cli.argument_types import number, numbers, positive
from acesaround.cli.output import json, one_line
from acesaround.cli.stdio import print_error
from acesaround.cli.table_arguments import BOTS, VARIANT, add_table, file, rules_of, variant
from acesaround.errors import RulesError
from acesaround.extras import require_extra

_DEALS = 100_000
_OF_GAMES = ("games", "bots", "record", "max_deals")
_OF_DEALS = ("deals", "policy", "threads", "bids", "plot", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.usage = (
        "acesaround simulate VARIANT --games N [--bots A,B,...] [--record FILE] [...]\n"
        "       acesaround simulate VARIANT --fast [--deals N] [--policy P] [--plot FILE] [...]"
    )
    parser.add_argument("variant", type=variant, metavar="VARIANT", help=VARIANT)
    add_table(parser)
    parser.add_argument("--seed", type=number, default=0, metavar="S", help="default 0")
    games = parser.add_argument_group("whole games between bots")
    games.add_argument("--games", type=positive, metavar="N", help="how many games")
    games.add_argument(
        "--bots",
        metavar="A,B,...",
        help=f"one bot a seat in seat order: {BOTS}; a shorter list repeats round the table "
        "(default thumb)",
    )
    games.add_argument("--record", type=file, metavar="FILE", help="write the games there")
    games.add_argument(
        "--max-deals",
        type=positive,
        metavar="N",
        help="leave a game unfinished after so many deals (default 1000)",
    )
    deals = parser.add_argument_group("single deals by the million: melds, runs, leads, bids made")
    deals.add_argument("--fast", action="store_true", help="play single deals, without an auction")
    deals.add_argument("--deals", type=positive, metavar="N", help=f"how many (default {_DEALS})")
    deals.add_argument(
        "--policy", metavar="P", help="how all play: rules, of thumb (the default), or random"
    )
    deals.add_argument(
        "--threads", type=positive, metavar="N", help="cores to use at most (default: all)"
    )
    deals.add_argument(
        "--bids", type=numbers, metavar="A,B,...", help="bids to be told of (default: some)"
    )
    deals.add_argument("--plot", type=file, metavar="FILE", help="draw it too: .png or .svg")
    deals.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround import bots, simulate
    from acesaround.reporting import console

    given = {name for name, value in vars(arguments).items() if value not in (None, False)}
    for name in _OF_GAMES if arguments.fast else _OF_DEALS:
        if name in given:
            word = "--" + name.replace("_", "-")
            if arguments.fast:
                raise RulesError(f"--fast plays single deals: leave out {word}.")
            raise RulesError(f"{word} needs --fast.")
    if arguments.fast:
        return _deals(arguments)
    rules = rules_of(arguments)
    listed = arguments.bots if arguments.bots is not None else "thumb"
    names = simulate.bots_by_seat(bots.split(listed), rules.seats)
    if arguments.games is None:  # last, so that errors in the given arguments come first
        raise RulesError("How much is to be played? Say --games N, or --fast for single deals.")
    for name in names:
        bots.check(name, rules)
    console.judge(rules, names)
    failures = bots.Failures()
    played = simulate.games(
        rules,
        names,
        arguments.games,
        arguments.seed,
        record=arguments.record is not None,
        max_deals=arguments.max_deals or simulate.MAX_DEALS,
        failures=failures,
    )
    summary = console.Summary(rules, names, arguments.seed)
    with console.progress("games", arguments.games) as told:
        if arguments.record is None:
            for game in played:
                summary.add(game)
                told(summary.games)
        else:
            console.write_records(arguments.record, played, summary, told)
    print(summary.text())
    for line in failures.lines():
        print_error(one_line(f"acesaround: {line}"))
    return 1 if failures.always_failed() else 0


def _deals(arguments: argparse.Namespace) -> int:
    with require_extra("Fast simulation", "fast"):
        from acesaround import odds
        from acesaround.fast import warmup
        from acesaround.odds import text_report
    from acesaround.record.files import atomic_write
    from acesaround.reporting import console

    rules, many, seed = rules_of(arguments), arguments.deals or _DEALS, arguments.seed
    policy = "rules" if arguments.policy is None else arguments.policy
    odds.check(rules, many, policy)
    if arguments.bids is not None:
        odds.check_bids(rules, arguments.bids)
    with contextlib.ExitStack() as stack:
        if arguments.plot is not None:
            with require_extra("Plotting", "plot"):
                from acesaround.odds import plot
                from acesaround.reporting import plots
            form = plots.format_of(arguments.plot)
            out = stack.enter_context(atomic_write(arguments.plot))
        console.compile_kernels(warmup.DEALS)
        if policy == "rules":
            console.judge(rules, ("thumb",))
        with console.progress("deals", many) as told:
            deals = odds.play_deals(rules, many, seed, policy, threads=arguments.threads, told=told)
        answers = odds.odds(rules, deals, policy, seed, arguments.bids)
        print(json(answers) if arguments.json else text_report.text(answers))
        if arguments.plot is not None:
            plot.write(answers, out, form)
    return 0
