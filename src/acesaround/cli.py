"""The command `acesaround`: arguments in, lines out. What each command does stands elsewhere.

Every error a person can cause ends in one line on standard error and a non-zero exit status.
Imports are local to the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from acesaround import __version__
from acesaround.errors import AcesAroundError, RulesError
from acesaround.extras import needed

if TYPE_CHECKING:
    from acesaround.rules import Rules
    from acesaround.solve import Place


class _Parser(argparse.ArgumentParser):
    """One line for a wrong argument, instead of the usage and a line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, _one_line(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")


def _one_line(sentence: str) -> str:
    """A sentence that may quote anything, printable and short enough to be read."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in sentence)
    return shown if len(shown) <= 600 else shown[:400] + " ... " + shown[-100:]


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="acesaround", description="Pinochle for every table.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"acesaround {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, text: str, **more: Any) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, allow_abbrev=False, **more)

    command("variants", "list the variants")

    rules = command("rules", "the rules of a variant, as a page to read")
    rules.add_argument("variant", metavar="VARIANT")
    _table(rules)

    play = command("play", "play at a table in the terminal, with bots in the other seats")
    play.add_argument("variant", metavar="VARIANT", nargs="?", help="asked for if left out")
    _table(play)
    play.add_argument(
        "--bots",
        metavar="A,B,...",
        help="bots for the other seats, round the table from your left: easy, medium, hard, "
        "expert, ... (asked for with the variant; else medium)",
    )
    play.add_argument("--seat", type=_whole, default=0, metavar="N", help="your seat (default 0)")
    play.add_argument(
        "--seed", type=_number, metavar="S", help="the same seed deals the same cards"
    )
    play.add_argument("--resume", action="store_true", help="go on with the saved game")

    serve = command("serve", "serve tables to browsers, here and in the home network")
    serve.add_argument("--host", default="0.0.0.0", help="address to listen on (default: all)")
    serve.add_argument(
        "--port", type=_whole, metavar="N", help="default: the first free one from 8000 on"
    )
    serve.add_argument(
        "--database-url", metavar="URL", help="default: SQLite beside the saved games"
    )
    serve.add_argument("--public-url", metavar="URL", help="the address behind a proxy")
    serve.add_argument(
        "--proxy",
        metavar="A,B,...",
        help="addresses of proxies that say where requests come from, such as 127.0.0.1",
    )
    serve.add_argument("--workers", type=_positive, default=1, metavar="N", help="default 1")
    serve.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="NAME=PROGRAM",
        help="let people choose a program as a bot of that name; may be repeated",
    )
    serve.add_argument("--open", action="store_true", help="open the page in a browser here")

    _simulate_words(command("simulate", "let bots play many games, or kernels millions of deals"))

    _arena_words(command("arena", "let two bots play the same cards with seats swapped"))

    replay = command("replay", "verify recorded games: JSON, JSON lines or text")
    replay.add_argument("file", metavar="FILE", help="- reads standard input")
    form = replay.add_mutually_exclusive_group()
    form.add_argument("--show", action="store_true", help="print each game in the text notation")
    form.add_argument("--json", action="store_true", help="print each game as a line of JSON")

    meld = command("meld", "what a hand melds")
    _hand(meld)
    meld.add_argument("cards", metavar="CARDS", nargs="*", help="such as AS TH 9D; - reads JSON")

    legal = command("legal", "which cards may be played")
    _hand(legal)
    legal.add_argument("--hand", metavar="CARDS", help='such as "AS TH 9D"')
    legal.add_argument("--trick", default="", metavar="CARDS", help="cards played so far")
    legal.add_argument("--unbroken", action="store_true", help="trump is not broken yet")
    legal.add_argument(
        "--phase", choices=("stock", "playoff"), default="playoff", help="two-handed only"
    )
    legal.add_argument("lines", metavar="-", nargs="?", help="- reads JSON lines")

    _solve_words(command("solve", "what each card is worth when all hands are known"))
    return parser


def _simulate_words(simulate: argparse.ArgumentParser) -> None:
    simulate.usage = (
        "acesaround simulate VARIANT --games N [--bots A,B,...] [--record FILE] [...]\n"
        "       acesaround simulate VARIANT --fast [--deals N] [--policy P] [--plot FILE] [...]"
    )
    simulate.add_argument("variant", metavar="VARIANT")
    _table(simulate)
    simulate.add_argument("--seed", type=_number, default=0, metavar="S", help="default 0")
    games = simulate.add_argument_group("whole games between bots")
    games.add_argument("--games", type=_positive, metavar="N", help="how many games")
    games.add_argument(
        "--bots",
        metavar="A,B,...",
        help="one bot a seat in seat order; a shorter list repeats round the table (default thumb)",
    )
    games.add_argument("--record", type=Path, metavar="FILE", help="write the games there")
    games.add_argument(
        "--max-deals",
        type=_positive,
        metavar="N",
        help="leave a game unfinished after so many deals (default 1000)",
    )
    deals = simulate.add_argument_group(
        "single deals by the million: melds, runs, leads, bids made"
    )
    deals.add_argument("--fast", action="store_true", help="play single deals, without an auction")
    deals.add_argument("--deals", type=_positive, metavar="N", help=f"how many (default {_DEALS})")
    deals.add_argument(
        "--policy", metavar="P", help="how all play: rules, of thumb (the default), or random"
    )
    deals.add_argument(
        "--threads", type=_positive, metavar="N", help="cores to use at most (default: all)"
    )
    deals.add_argument(
        "--bids", type=_numbers, metavar="A,B,...", help="bids to be told of (default: some)"
    )
    deals.add_argument("--plot", type=Path, metavar="FILE", help="draw it too: .png or .svg")
    deals.add_argument("--json", action="store_true", help="print JSON")


def _arena_words(arena: argparse.ArgumentParser) -> None:
    arena.add_argument("variant", metavar="VARIANT")
    arena.add_argument("a", metavar="A", help="a bot")
    arena.add_argument("b", metavar="B", help="the bot to compare it with")
    _table(arena)
    arena.add_argument(
        "--deals",
        type=_positive,
        default=1000,
        metavar="N",
        help="deals in every seating, at least; games are played to their end (default 1000)",
    )
    arena.add_argument("--seed", type=_number, default=0, metavar="S", help="default 0")
    arena.add_argument(
        "--limit", type=_seconds, metavar="S", help="seconds for a decision (default: none)"
    )
    what = arena.add_mutually_exclusive_group()
    what.add_argument("--single", action="store_true", help="every deal by itself, no games")
    what.add_argument(
        "--play-only",
        nargs="?",
        const="thumb",
        metavar="BOT",
        help="single deals: BOT decides before the play of tricks, in all seats (default thumb)",
    )
    arena.add_argument(
        "--max-deals",
        type=_positive,
        metavar="N",
        help="leave a game unfinished after so many deals (default 1000)",
    )
    arena.add_argument(
        "--processes", type=_positive, metavar="N", help="default: as many as there are cores"
    )
    arena.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster instead")
    arena.add_argument(
        "--out", type=Path, metavar="FILE", help="keep what is played there, and go on from it"
    )
    arena.add_argument("--record", type=Path, metavar="FILE", help="write the games there")
    arena.add_argument("--plot", type=Path, metavar="FILE", help="draw it too: .png or .svg")
    arena.add_argument("--json", action="store_true", help="print JSON")


def _solve_words(solve: argparse.ArgumentParser) -> None:
    solve.usage = (
        "acesaround solve FILE [--game N] [--deal N] [--trick N] [--card N] [...]\n"
        "       acesaround solve --variant V --trump SUIT --hand CARDS --hand CARDS ... [...]"
    )
    place = solve.add_argument_group("a place in a record, counted from 1")
    place.add_argument(
        "file", metavar="FILE", nargs="?", help="JSON, JSON lines or text; - reads standard input"
    )
    place.add_argument("--game", type=_positive, metavar="N", help="default: the first")
    place.add_argument("--deal", type=_positive, metavar="N", help="default: the last with play")
    place.add_argument(
        "--trick",
        metavar="N",
        help="default: the first after any stock; without FILE, the cards played to it",
    )
    place.add_argument("--card", type=_positive, metavar="N", help="default: 1, the lead")
    hands = solve.add_argument_group("or the hands themselves")
    hands.add_argument("--variant", metavar="V")
    _table(hands)
    hands.add_argument("--trump", metavar="SUIT", help="S, H, D or C")
    hands.add_argument(
        "--hand", action="append", metavar="CARDS", help="what a seat holds; one for each, from 0"
    )
    hands.add_argument(
        "--lead", type=_whole, metavar="SEAT", help="who leads, or has led (default 0)"
    )
    hands.add_argument("--unbroken", action="store_true", help="trump is not broken yet")
    hands.add_argument("--declarer", type=_whole, metavar="SEAT", help="who has the bid")
    hands.add_argument("--bid", type=_positive, metavar="N", help="what was bid")
    hands.add_argument(
        "--meld", type=_numbers, metavar="N,N,...", help="meld of each side (default 0)"
    )
    hands.add_argument(
        "--won", type=_numbers, metavar="N,N,...", help="points won by each side (default 0)"
    )
    answer = solve.add_argument_group("the answer")
    answer.add_argument(
        "--for",
        dest="seats",
        metavar="WHOM",
        help="whose points: a seat, declarer or defenders; all others play together "
        "against them (default: the side on turn)",
    )
    answer.add_argument("--seconds", type=_seconds, metavar="S", help="give bounds after so long")
    answer.add_argument(
        "--nodes", type=_positive, metavar="N", help="give bounds after so many cards tried"
    )
    answer.add_argument(
        "--table", type=_positive, default=256, metavar="MB", help="memory (default 256)"
    )
    answer.add_argument("--line", action="store_true", help="play on to the last card")
    answer.add_argument("--json", action="store_true", help="print JSON")


def _table(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--players", type=_whole, metavar="N", help="how many play")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a house rule, such as target=1000; may be repeated",
    )


def _hand(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--variant", required=True, metavar="V")
    _table(parser)
    parser.add_argument("--trump", metavar="SUIT", help="S, H, D or C")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _number(text: str) -> int:
    if not text.isascii() or not text.removeprefix("-").isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    if len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text} is too large")
    return int(text)


def _whole(text: str) -> int:
    number = _number(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return number


def _positive(text: str) -> int:
    number = _number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _seconds(text: str) -> float:
    try:
        seconds = float(text) if text.isascii() else math.nan
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds over 0")
    return seconds


def _numbers(text: str) -> list[int]:
    return [_whole(word) for word in text.replace(",", " ").split()]


def _rules(arguments: argparse.Namespace) -> Rules:
    from acesaround import variants

    return variants.get(arguments.variant, arguments.players, _options(arguments.option))


def _options(pairs: Sequence[str]) -> dict[str, object]:
    options: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise RulesError(f"{pair!r} is no option: expected NAME=VALUE, such as target=1000.")
        options[name.strip()] = value
    return options


def _variants(arguments: argparse.Namespace) -> int:
    from acesaround.variants import VARIANTS

    for name, rules in VARIANTS.items():
        players = sorted(rules.players)
        many = f"{players[0]}-{players[-1]}" if len(players) > 1 else str(players[0])
        print(f"{name:<20} {many:>3} players, {rules.deck.size} cards  {rules.title}")
    return 0


def _show_rules(arguments: argparse.Namespace) -> int:
    from acesaround.rulebook import page

    print(page(_rules(arguments)).rstrip())
    return 0


def _play(arguments: argparse.Namespace) -> int:
    from acesaround import bots, terminal

    listed = () if arguments.bots is None else bots.split(arguments.bots)
    names = [bots.check(name) for name in listed]
    return terminal.main(
        variant=arguments.variant,
        players=arguments.players,
        options=_options(arguments.option),
        bots=names,
        seat=arguments.seat,
        seed=arguments.seed,
        resume=arguments.resume,
    )


def _serve(arguments: argparse.Namespace) -> int:
    with needed("Serving", "server"):
        from acesaround.server.serve import serve
    return serve(
        host=arguments.host,
        port=arguments.port,
        database_url=arguments.database_url,
        public_url=arguments.public_url,
        workers=arguments.workers,
        proxy=arguments.proxy,
        show=arguments.open,
        bots=arguments.bot,
    )


_DEALS = 100_000
_OF_GAMES = ("games", "bots", "record", "max_deals")
_OF_DEALS = ("deals", "policy", "threads", "bids", "plot", "json")


def _simulate(arguments: argparse.Namespace) -> int:
    from acesaround import bots, report, simulate

    given = {name for name, value in vars(arguments).items() if value not in (None, False)}
    for name in _OF_GAMES if arguments.fast else _OF_DEALS:
        if name in given:
            word = "--" + name.replace("_", "-")
            if arguments.fast:
                raise RulesError(f"--fast plays single deals: leave out {word}.")
            raise RulesError(f"{word} needs --fast.")
    if arguments.fast:
        return _simulate_deals(arguments)
    if arguments.games is None:
        raise RulesError("How much is to be played? Say --games N, or --fast for single deals.")
    rules = _rules(arguments)
    listed = arguments.bots if arguments.bots is not None else "thumb"
    names = simulate.seated(bots.split(listed), rules.seats)
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
    summary = report.Summary(rules, names, arguments.seed)
    with report.progress("games", arguments.games) as told:
        if arguments.record is None:
            for game in played:
                summary.add(game)
                told(summary.games)
        else:
            report.write(arguments.record, played, summary, told)
    print(summary.text())
    for line in failures.lines():
        print(_one_line(f"acesaround: {line}"), file=sys.stderr)
    return 0


def _simulate_deals(arguments: argparse.Namespace) -> int:
    with needed("Fast simulation", "fast"):
        from acesaround import odds
        from acesaround.fast import warm
        from acesaround.odds import page
    from acesaround import report
    from acesaround.record.files import replacing

    rules, number, seed = _rules(arguments), arguments.deals or _DEALS, arguments.seed
    policy = "rules" if arguments.policy is None else arguments.policy
    odds.check(rules, number, policy)
    if arguments.bids is not None:
        odds.check_bids(rules, arguments.bids)
    with contextlib.ExitStack() as stack:
        if arguments.plot is not None:
            with needed("Plotting", "plot"):
                from acesaround import picture
                from acesaround.odds import figure
            form = picture.form(arguments.plot)
            out = stack.enter_context(replacing(arguments.plot))
        report.compile_kernels(warm.DEALS)
        with report.progress("deals", number) as told:
            deals = odds.played(rules, number, seed, policy, threads=arguments.threads, told=told)
        answers = odds.odds(rules, deals, policy, seed, arguments.bids)
        print(_json(answers) if arguments.json else page.text(answers))
        if arguments.plot is not None:
            figure.write(answers, out, form)
    return 0


def _arena(arguments: argparse.Namespace) -> int:
    from acesaround.arena import command

    status, answer = command.run(_rules(arguments), arguments)
    print(answer)
    return status


def _replay(arguments: argparse.Namespace) -> int:
    from acesaround import report

    path = None if arguments.file == "-" else Path(arguments.file)
    form = "text" if arguments.show else "json" if arguments.json else "summary"
    status = 0
    for sound, line in report.replay(path, form):
        if sound:
            print(line)
        else:
            print(_one_line(line), file=sys.stderr)
        status |= not sound
    return status


def _meld(arguments: argparse.Namespace) -> int:
    from acesaround import ask

    rules = _rules(arguments)
    if arguments.cards == ["-"]:
        asked = {} if arguments.trump is None else {"trump": arguments.trump}
        return _answer(lambda query: ask.meld(rules, {**asked, **query}))
    if not arguments.cards:
        raise RulesError("Cards are needed, such as AS TH 9D; or - to read JSON lines.")
    answer = ask.meld(rules, ask.query(arguments.trump, " ".join(arguments.cards)))
    print(_json(answer) if arguments.json else ask.meld_text(answer))
    return 0


def _legal(arguments: argparse.Namespace) -> int:
    from acesaround import ask

    rules = _rules(arguments)
    if arguments.lines == "-":
        if arguments.hand or arguments.trick:
            raise RulesError("With - the cards come as JSON: leave out --hand and --trick.")
        asked = {"broken": not arguments.unbroken, "phase": arguments.phase}
        if arguments.trump is not None:
            asked["trump"] = arguments.trump
        return _answer(lambda query: ask.legal(rules, {**asked, **query}))
    if arguments.lines is not None:
        raise RulesError(f"{arguments.lines!r} is not understood: give the hand with --hand.")
    if arguments.hand is None:
        raise RulesError("A hand is needed, such as --hand 'AS TH 9D'; or - to read JSON lines.")
    query = ask.query(
        arguments.trump,
        arguments.hand,
        trick=arguments.trick,
        broken=not arguments.unbroken,
        phase=arguments.phase,
    )
    answer = ask.legal(rules, query)
    print(_json(answer) if arguments.json else ask.legal_text(answer))
    return 0


def _solve(arguments: argparse.Namespace) -> int:
    with needed("Solving", "fast"):
        from acesaround import solve
        from acesaround.solve import page, progress
        from acesaround.solve.solution import whose
    too_large = f"There is no memory for a table of {arguments.table} MB."
    if arguments.table > _LARGEST_TABLE:
        raise RulesError(too_large)
    place = _place(arguments)
    seats = whose(place.state, arguments.seats)
    progress.compile_kernels()
    effort = solve.Effort(arguments.nodes, arguments.seconds)
    with progress.stopped_by_interrupt(effort), progress.bounds(effort) as told:
        try:
            solution = solve.solve(
                place,
                seats,
                effort,
                megabytes=arguments.table,
                to_the_end=arguments.line,
                told=told,
            )
        except MemoryError:
            raise RulesError(too_large) from None
    if arguments.json:
        print(_json(page.as_json(solution)))
    else:
        print(page.text(solution, line=arguments.line))
    return 0


_LARGEST_TABLE = 1 << 22  # MB


def _place(arguments: argparse.Namespace) -> Place:
    """The place in a record or the hands that `solve` is asked about."""
    from acesaround import solve
    from acesaround.cards import Suit

    given = {name for name, value in vars(arguments).items() if value not in (None, False, [])}
    if arguments.file is not None:
        if both := sorted(given & _OF_HANDS):
            raise RulesError(f"With FILE the position is in the record: leave out --{both[0]}.")
        path = None if arguments.file == "-" else Path(arguments.file)
        trick = arguments.trick
        if trick is not None and not (trick.isascii() and trick.isdigit() and int(trick[:9])):
            raise RulesError(f"--trick cannot be {trick!r}: with FILE tricks are counted from 1.")
        return solve.recorded(
            path, arguments.game or 1, arguments.deal, trick and int(trick[:9]), arguments.card
        )
    if missing := [name for name in ("variant", "trump", "hand") if name not in given]:
        raise RulesError(
            f"What is to be solved? Give a FILE, or the hands: --{missing[0]} is missing."
        )
    if both := sorted(given & {"game", "deal", "card"}):
        raise RulesError(f"--{both[0]} is of a record: name its FILE, or leave it out.")
    return solve.typed(
        _rules(arguments),
        Suit(arguments.trump),
        arguments.hand,
        arguments.lead or 0,
        trick=arguments.trick or "",
        unbroken=arguments.unbroken,
        declarer=arguments.declarer,
        bid=arguments.bid,
        meld=arguments.meld,
        won=arguments.won,
    )


_OF_HANDS = {
    *("variant", "players", "option", "trump", "hand", "lead"),
    *("unbroken", "declarer", "bid", "meld", "won"),
}


def _answer(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
    from acesaround import ask
    from acesaround.record.files import standard_input

    status = 0
    for answered in ask.answers(standard_input(), answer):
        print(_json(answered), flush=True)  # a program may wait for it before it asks on
        status |= "error" in answered
    return status


def _json(answer: object) -> str:
    import msgspec

    return msgspec.json.encode(answer).decode()


_COMMANDS = {
    "variants": _variants,
    "rules": _show_rules,
    "play": _play,
    "serve": _serve,
    "simulate": _simulate,
    "arena": _arena,
    "replay": _replay,
    "meld": _meld,
    "legal": _legal,
    "solve": _solve,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    try:
        arguments = _parser().parse_args(argv)
        status = _COMMANDS[arguments.command](arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader went away: nothing more can be written, not even by the interpreter's exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _fail("the output was closed before all of it was written.")
    except AcesAroundError as error:
        return _fail(str(error))
    except UnicodeEncodeError as error:
        sign = error.object[error.start]
        return _fail(f"{sign!r} cannot be printed in {error.encoding}: set PYTHONUTF8=1.")
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        return _fail(f"{what}{error.strerror or error}.")
    except KeyboardInterrupt:
        _fail("interrupted.")
        return 130
    return status


def _fail(sentence: str) -> int:
    with contextlib.suppress(OSError):  # nobody may be reading that either
        print(_one_line(f"acesaround: {sentence}"), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
