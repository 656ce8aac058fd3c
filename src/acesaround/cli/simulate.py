"""`acesaround simulate`: plays many games between bots, or millions of single deals."""

from __future__ import annotations

import argparse
import contextlib

from acesaround.cli.argument_types import integer, non_negative_ints, positive_int
from acesaround.cli.output import json_line, one_line
from acesaround.cli.stdio import print_error
from acesaround.cli.table_arguments import (
    BOT_HELP,
    VARIANT_HELP,
    add_table_arguments,
    file_path,
    rules_of,
    variant_name,
)
from acesaround.errors import RulesError
from acesaround.optional_dependencies import require_extra

_DEFAULT_DEALS = 100_000
_GAME_OPTIONS = ("games", "bots", "record", "max_deals")
_DEAL_OPTIONS = ("deals", "policy", "threads", "bids", "plot", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.usage = (
        "acesaround simulate VARIANT --games N [--bots A,B,...] [--record FILE] [...]\n"
        "       acesaround simulate VARIANT --fast [--deals N] [--policy P] [--plot FILE] [...]"
    )
    parser.add_argument("variant", type=variant_name, metavar="VARIANT", help=VARIANT_HELP)
    add_table_arguments(parser)
    parser.add_argument(
        "--seed", type=integer, default=0, metavar="S", help="seed of the deals (default 0)"
    )
    games = parser.add_argument_group("whole games between bots")
    games.add_argument("--games", type=positive_int, metavar="N", help="how many games")
    games.add_argument(
        "--bots",
        metavar="A,B,...",
        help=f"one bot for each seat in order: {BOT_HELP}; a shorter list is repeated (default "
        "thumb)",
    )
    games.add_argument(
        "--record", type=file_path, metavar="FILE", help="write the games to this file"
    )
    games.add_argument(
        "--max-deals",
        type=positive_int,
        metavar="N",
        help="stop a game after N deals (default 1000)",
    )
    deals = parser.add_argument_group("statistics over many single deals (--fast)")
    deals.add_argument("--fast", action="store_true", help="play single deals, without an auction")
    deals.add_argument(
        "--deals", type=positive_int, metavar="N", help=f"how many (default {_DEFAULT_DEALS})"
    )
    deals.add_argument(
        "--policy",
        metavar="P",
        help="how all seats play: heuristic (the default) or random",
    )
    deals.add_argument(
        "--threads",
        type=positive_int,
        metavar="N",
        help="largest number of cores to use (default: all)",
    )
    deals.add_argument(
        "--bids",
        type=non_negative_ints,
        metavar="A,B,...",
        help="bids to report (default: a range chosen for the game)",
    )
    deals.add_argument(
        "--plot", type=file_path, metavar="FILE", help="also draw a plot: .png or .svg"
    )
    deals.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround import bots, simulate
    from acesaround.reporting import console

    given_options = {name for name, value in vars(arguments).items() if value not in (None, False)}
    for name in _GAME_OPTIONS if arguments.fast else _DEAL_OPTIONS:
        if name in given_options:
            option_text = "--" + name.replace("_", "-")
            if arguments.fast:
                raise RulesError(f"--fast plays single deals: leave out {option_text}.")
            raise RulesError(f"{option_text} needs --fast.")
    if arguments.fast:
        return _run_deals(arguments)
    rules = rules_of(arguments)
    bot_list = arguments.bots if arguments.bots is not None else "thumb"
    names = simulate.bots_by_seat(bots.split_bot_names(bot_list), rules.seats)
    if arguments.games is None:  # last, so that errors in the given arguments come first
        raise RulesError("Give --games N, or --fast for single deals.")
    for name in names:
        bots.check(name, rules)
    console.measure_hand_weights(rules, names)
    failures = bots.Failures()
    played = simulate.play_games(
        rules,
        names,
        arguments.games,
        arguments.seed,
        record=arguments.record is not None,
        max_deals=arguments.max_deals or simulate.MAX_DEALS,
        failures=failures,
    )
    summary = console.Summary(rules, names, arguments.seed)
    with console.progress_bar("games", arguments.games) as update_progress:
        if arguments.record is None:
            for game in played:
                summary.add(game)
                update_progress(summary.games)
        else:
            console.write_records(arguments.record, played, summary, update_progress)
    print(summary.text())
    for line in failures.lines():
        print_error(one_line(f"acesaround: {line}"))
    return 1 if failures.always_failed() else 0


def _run_deals(arguments: argparse.Namespace) -> int:
    with require_extra("Fast simulation", "fast"):
        from acesaround import odds
        from acesaround.fast import warmup
        from acesaround.odds import text_report
    from acesaround.record.files import atomic_write
    from acesaround.reporting import console

    rules, deal_count, seed = rules_of(arguments), arguments.deals or _DEFAULT_DEALS, arguments.seed
    policy = "heuristic" if arguments.policy is None else arguments.policy
    odds.check_deal_count(rules, deal_count, policy)
    if arguments.bids is not None:
        odds.check_bids(rules, arguments.bids)
    with contextlib.ExitStack() as stack:
        if arguments.plot is not None:
            with require_extra("Plotting", "plot"):
                from acesaround.odds import plot
                from acesaround.reporting import plots
            plot_format = plots.format_of(arguments.plot)
            plot_file = stack.enter_context(atomic_write(arguments.plot))
        console.compile_kernels(warmup.PLAYOUTS)
        if policy == "heuristic":
            console.measure_hand_weights(rules, ("thumb",))
        with console.progress_bar("deals", deal_count) as on_progress:
            deals = odds.play_deals(
                rules, deal_count, seed, policy, threads=arguments.threads, on_progress=on_progress
            )
        answers = odds.compute_odds(rules, deals, policy, seed, arguments.bids)
        print(json_line(answers) if arguments.json else text_report.report_text(answers))
        if arguments.plot is not None:
            plot.write_plot(answers, plot_file, plot_format)
    return 0
