"""The command `acesaround`: output, refusals, interrupts and broken output.

An error is one line on standard error with the wrong word and what was expected, the exit status
is not 0, and no file is left incomplete. For records see `test_cli_replay`.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from acesaround import bots
from acesaround.actions import PASS, Action
from acesaround.bots.random_bot import RandomBot
from acesaround.cli.table_arguments import BOT_HELP
from acesaround.game.state import Decision
from acesaround.practice import find_position
from acesaround.record import FORMAT
from acesaround.rules import Rules
from acesaround.variants import VARIANTS, get, presets
from tests.cli_runner import (
    ENVIRONMENT,
    Answer,
    Command,
    ended,
    golden,
    program,
    running,
    simulated,
    the_line,
)
from tests.waiting import wait_until

COMMANDS = (
    *("variants", "rules", "play", "learn", "serve", "admin", "simulate", "arena"),
    *("replay", "review", "practice", "meld", "legal", "solve", "sheet"),
)


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


# Help


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(acesaround: Command, command: str) -> None:
    answer = acesaround(command, "--help")
    assert answer.status == 0
    assert answer.out.startswith(f"usage: acesaround {command}")
    assert answer.err == ""


def test_help_lists_every_command_and_nothing_else(acesaround: Command) -> None:
    listed = re.findall(r"^    (\w+) ", acesaround("--help").out, re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)


def test_help_names_every_bot() -> None:
    *listed, program, python_class = BOT_HELP.replace(" or ", ", ").split(", ")
    assert listed == list(bots.BOTS)
    assert (program, python_class) == ("cmd:PROGRAM", "MODULE:CLASS")


def test_help_imports_no_large_packages() -> None:
    code = (
        "import sys\nfrom acesaround.cli import main\n"
        "try:\n    main(['--help'])\nfinally:\n    print(*sorted(sys.modules))"
    )
    with program("-c", code, stdout=-1) as run:
        status, out, _ = ended(run)
    assert status == 0
    loaded = out.decode().splitlines()[-1].split()
    assert "acesaround.cli" in loaded
    assert not {"textual", "rich", "numpy", "numba", "msgspec", "acesaround.rules"} & set(loaded)


def test_version_prints_the_version_of_the_package(acesaround: Command) -> None:
    from acesaround import __version__

    assert acesaround("--version").out == f"acesaround {__version__}\n"


def test_variants_lists_every_variant(acesaround: Command) -> None:
    lines = acesaround("variants").out.splitlines()
    games = [line.split()[0] for line in lines if not line.startswith("  ")]
    assert games == list(VARIANTS)


def test_variants_and_their_rules_are_printed_as_json(acesaround: Command) -> None:
    variants = [json.loads(line) for line in acesaround("variants", "--json").out.splitlines()]
    assert [one["variant"] for one in variants] == list(VARIANTS)
    for one in variants:
        rules = VARIANTS[one["variant"]]
        assert (one["players"], one["cards"]) == (sorted(rules.players), rules.deck.size)
        assert [preset["name"] for preset in one["presets"]] == list(presets(one["variant"]))
    words = ("rules", "partnership", "--option", "target=500", "--json")
    read = msgspec.json.decode(acesaround(*words).out, type=Rules)
    assert read == get("partnership", options={"target": 500})


# Invalid arguments


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "COMMAND"),
        (["deal"], "'deal'"),
        (["variants", "more"], "more"),
        (["--colour"], "COMMAND"),
        (["simulate"], "VARIANT"),
        (["simulate", "pinochle", "--games", "1"], "'pinochle' is not a variant: expected one of"),
        (["simulate", "partnership", "--games", "0"], "--games: 0 is less than 1"),
        (["simulate", "partnership", "--games", "-3"], "--games: -3 is less than 1"),
        (["simulate", "partnership", "--games", "many"], "'many' is not a whole number"),
        (["simulate", "partnership", "--games", "9" * 5000], "is too large"),
        (["simulate", "partnership", "--games", "1", "--seed", "1.5"], "'1.5' is not a whole"),
        (["simulate", "partnership", "--games", "1", "--seed", "9" * 5000], "is too large"),
        (["simulate", "partnership", "--games", "1", "--max-deals", "0"], "--max-deals"),
        (["simulate", "partnership", "--games", "1", "--players", "3"], "takes 4 players"),
        (["simulate", "five-card", "--games", "1", "--players", "10"], "takes 2, 3, 4, 5, 6, 7"),
        (["simulate", "partnership", "--games", "1", "--players", "²"], "'²' is not a whole"),
        (["simulate", "partnership", "--games", "1", "--bots", "random,"], "'' is not a bot"),
        (["simulate", "partnership", "--games", "1", "--bots", "a\nb"], r"'a\nb' is not a bot"),
        (["simulate", "partnership", "--games", "1", "--bots", "a,b,c,d,e"], "for 4 seats"),
        (["simulate", "partnership", "--games", "1", "--option", "target"], "NAME=VALUE"),
        (["simulate", "partnership", "--games", "1", "--option", "=9"], "NAME=VALUE"),
        (["simulate", "partnership", "--games", "1", "--option", "target=0"], "target cannot be 0"),
        (["simulate", "partnership", "--games", "1", "--option", "target=x\ny"], r"x\ny: expected"),
        (["simulate", "partnership", "--games", "1", "--option", "renege=maybe"], "refuse or"),
        (["simulate", "partnership", "--games", "1", "--option", "min_twenty=yes"], "no option of"),
        (["simulate", "partnership", "--games", "1", "--option", "colour=red"], "no house option"),
        (["simulate", "partnership", "--games", "1", "--option", "self=1"], "'self' is no house"),
        (["simulate", "partnership", "--games", "1", "--option", "players=4"], "'players' is no"),
        (["simulate", "partnership", "--games", "1", "--option", "lowest_bid=255"], "multiples of"),
        (["simulate", "pinochle"], "'pinochle' is not a variant"),
        (["simulate", "partnership", "--players", "3"], "takes 4 players"),
        (["simulate", "partnership", "--bots", "nobody"], "'nobody' is not a bot"),
        (["simulate", "partnership", "--option", "target=0"], "target cannot be 0"),
        (["simulate", "partnership"], "Give --games N, or --fast"),
        (["simulate", "partnership", "--games", "1", "--record", ""], "'' is not a file name"),
        (["arena", "pinochle", "thumb"], "'pinochle' is not a variant"),
        (["arena", "partnership", "nobody"], "'nobody' is not a bot"),
        (["meld", "--trump", "X"], "'X' is not a suit"),
        (["legal", "--variant", "partnership", "--trump", "X"], "'X' is not a suit"),
        (["solve", "--trump", "X"], "'X' is not a suit"),
        (["serve", "--port", "99999"], "99999 is not a port"),
        (["serve", "--port", "65536"], "65536 is not a port"),
        (["serve", "--port", "-1"], "-1 is less than 0"),
        (["serve", "--retention", "soon"], "'soon' is not a retention time: expected a time"),
        (["serve", "--finished-game-retention", "0d"], "'0d' is not a retention time"),
        (["admin"], "the following arguments are required: WHAT"),
        (["admin", "close"], "the following arguments are required: TABLE"),
        (["admin", "tables", "--older", "1"], "'1' is not a retention time"),
        (["serve", "--bot-workers", "99999"], "99999 are too many: at most 1024"),
        (["serve", "--workers", "4"], "start several servers on one PostgreSQL behind a proxy"),
        (["serve", "--node=10.0.0.5"], "start several servers on one PostgreSQL behind a proxy"),
        (["serve", "--drain", "10"], "send SIGTERM, and the proxy uses another server at once"),
        (["arena", "partnership", "thumb", "thumb", "--processes", "99999"], "99999 are too many"),
        (["arena", "partnership", "thumb", "thumb", "--time-limit", "1e9"], "at most 1000000"),
        (["solve", "--seconds", "inf"], "not a number of seconds"),
        (["replay"], "FILE"),
        (["replay", ""], "'' is not a file name"),
        (["replay", "a\0b"], "is not a file name"),
        (["replay", "a", "b"], "b"),
        (["replay", "a", "--show", "--json"], "not allowed with"),
        (["meld", "AS"], "--variant"),
        (["meld", "--variant", "partnership", "--trump", "H"], "Give cards, such as"),
        (["meld", "--variant", "partnership", "AS"], "Trump is missing"),
        (["meld", "--variant", "partnership", "--trump", "X", "AS"], "'X' is not a suit"),
        (["meld", "--variant", "partnership", "--trump", "", "AS"], "'' is not a suit"),
        (["meld", "--variant", "partnership", "--trump", "H", "1S"], "'1S' is not a card"),
        (["meld", "--variant", "partnership", "--trump", "H", "AS", "-"], "'-' is not a card"),
        (["meld", "--variant", "partnership", "--trump", "H", "AS AS AS"], "too many AS: the deck"),
        (["meld", "--variant", "double-deck", "--trump", "H", "9S"], "the deck has 0 of it"),
        (["meld", "--variant", "five-card", "--trump", "H", "AS TS KS QS JS 9S"], "hands of 5"),
        (["meld", "--variant", "two-handed", "--trump", "none", "AS"], "Trump is missing"),
        (["legal", "--variant", "partnership", "--trump", "H"], "Give a hand, such as"),
        (["legal", "--variant", "partnership", "--trump", "H", "--hand", ""], "hand is empty"),
        (["legal", "--variant", "partnership", "--hand", "AS"], "Trump is missing"),
        (["legal", "--variant", "partnership", "--trump", "H", "AS"], "'AS' is not an argument"),
        (
            ["legal", "--variant", "partnership", "--trump", "H", "--hand", "AS", "--phase", "x"],
            "--phase",
        ),
        (
            [
                *("legal", "--variant", "partnership", "--trump", "H"),
                *("--hand", "AS", "--phase", "stock"),
            ],
            "no stock phase",
        ),
        (
            [
                *("legal", "--variant", "partnership", "--trump", "H"),
                *("--hand", "AS", "--trick", "KS QS JS 9S"),
            ],
            "complete with 4",
        ),
        (
            [
                *("legal", "--variant", "partnership", "--trump", "H"),
                *("--hand", "AS", "--trick", "AS AS"),
            ],
            "too many AS in hand and trick",
        ),
        (["legal", "--variant", "partnership", "--hand", "AS", "-"], "leave out --hand"),
    ],
)  # fmt: skip
def test_an_invalid_argument_is_named_in_one_line(
    acesaround: Command, words: list[str], said: str
) -> None:
    assert said in acesaround.refuses(*words)


def test_an_option_too_large_to_be_a_number_is_refused(acesaround: Command) -> None:
    said = acesaround.refuses(
        "simulate", "partnership", "--games", "1", "--option", "target=" + "9" * 5000
    )
    assert "target cannot be" in said


# The commands meld and legal


def test_meld_prints_a_table_or_json(acesaround: Command) -> None:
    words = ("meld", "--variant", "five-card", "--trump", "h", "KH", "QH,9H", "10h")
    assert acesaround(*words).out == (
        "royal marriage  KH QH  4\ndix             9H     1\ntotal                  5\n"
    )
    assert json.loads(acesaround(*words, "--json").out) == {
        "points": 5,
        "melds": [
            {"name": "royal marriage", "cards": ["KH", "QH"], "points": 4},
            {"name": "dix", "cards": ["9H"], "points": 1},
        ],
    }


def test_meld_accepts_trump_none(acesaround: Command) -> None:
    words = ("meld", "--variant", "double-deck", "--trump", "none", "KH", "QH", "--json")
    assert json.loads(acesaround(*words).out)["points"] == 2


WITH_KITTY = "AS TS KS QS JS AH TH KH QH JH AD TD KD QD JD AC TC KC"  # 18 cards
WITH_PASSED = "AS TS KS QS JS AH TH KH QH JH AD TD KD QD JD AC"  # 16 cards


@pytest.mark.parametrize(
    ("variant", "cards", "points"),
    [("three-handed", WITH_KITTY, 410), ("partnership", WITH_PASSED, 330)],
)
def test_hands_may_include_the_kitty_or_passed_cards(
    acesaround: Command, variant: str, cards: str, points: int
) -> None:
    """A run, two marriages, a pinochle and aces around; with the kitty kings around as well."""
    words = ("--variant", variant, "--trump", "H")
    assert json.loads(acesaround("meld", *words, *cards.split(), "--json").out)["points"] == points
    answer = acesaround("legal", *words, "--hand", cards, "--trick", "9C")
    assert answer.out == cards[cards.index("AC") :] + "\n"
    size = len(cards.split())
    for command in (["meld", *words, cards, "JC"], ["legal", *words, "--hand", cards + " JC"]):
        assert f"{size + 1} cards are too many for a hand" in acesaround.refuses(*command)
        assert f", and {size} with " in acesaround.refuses(*command)


@pytest.mark.parametrize(("players", "legal"), [("3", "JH 9H AC\n"), ("4", "JH 9H AC\n")])
def test_legal_in_a_play_off_for_several_allows_any_card_if_none_wins(
    acesaround: Command, players: str, legal: str
) -> None:
    words = ("legal", "--variant", "two-handed", "--players", players, "--trump", "H")
    assert acesaround(*words, "--hand", "JH 9H AC", "--trick", "KS QH").out == legal
    assert acesaround(*words, "--hand", "JH 9H AC", "--trick", "KS 9S").out == "JH 9H\n"


def test_legal_prints_a_line_or_json(acesaround: Command) -> None:
    words = ["legal", "--variant", "partnership", "--trump", "H"]
    words += ["--hand", "AS QS KH", "--trick", "KS"]
    assert acesaround(*words).out == "AS\n"
    assert json.loads(acesaround(*words, "--json").out) == {"legal": ["AS"]}


def test_a_trick_may_have_more_cards_than_a_hand(acesaround: Command) -> None:
    answer = acesaround(
        *("legal", "--variant", "five-card", "--players", "9", "--trump", "C"),
        *("--hand", "AS 9S", "--trick", "KS QS JS 9D KS QS JS TD"),
    )
    assert answer.out == "AS\n"


def test_unbroken_forbids_trump_leads_where_trump_must_be_broken(
    acesaround: Command,
) -> None:
    words = ("--trump", "H", "--hand", "AS TH", "--unbroken")
    assert acesaround("legal", "--variant", "five-card", *words).out == "AS\n"
    assert acesaround("legal", "--variant", "partnership", *words).out == "AS TH\n"


INVALID_QUERIES: list[tuple[bytes, str]] = [
    (b"AS KS", "not JSON"),
    (b"[]", "A query is an object"),
    (b'"AS"', "A query is an object"),
    (b'{"trump": "H", "hand": ["AS"', "not JSON"),
    (b'{"trump": "H", "hand": ["\xff"]}', "not JSON"),
    (b"[" * 100_000, "nested too deeply"),
    (b'{"trump": "H"}', "hand is missing"),
    (b'{"trump": "H", "hand": null}', "hand is missing"),
    (b'{"trump": "H", "hand": 5}', "hand cannot be 5"),
    (b'{"trump": "H", "hand": {"AS": 1}}', "hand cannot be"),
    (b'{"trump": "H", "hand": [5]}', "'5' is not a card"),
    (b'{"trump": "H", "hand": [["AS"]]}', "is not a card"),
    (b'{"trump": "H", "hand": ["AS", "AS", "AS"]}', "too many AS"),
    (b'{"hand": ["AS"]}', "Trump is missing"),
    (b'{"trump": 1, "hand": ["AS"]}', "1 is not a suit"),
    (b'{"trump": "N", "hand": ["AS"]}', "'N' is not a suit"),
]


@pytest.mark.parametrize("command", ["meld", "legal"])
@pytest.mark.parametrize(("line", "said"), INVALID_QUERIES)
def test_an_invalid_query_is_answered_with_an_error_among_the_others(
    acesaround: Command, command: str, line: bytes, said: str
) -> None:
    good = b'{"trump": "H", "hand": ["AS"]}'
    answer = acesaround(
        command, "--variant", "partnership", "-", stdin=b"\n".join([good, line, good])
    )
    first, bad, last = map(json.loads, answer.out.splitlines())
    assert answer.status == 1
    assert answer.err == ""
    assert first == last
    assert "error" not in first
    assert list(bad) == ["error"]
    assert said in bad["error"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('"trick": 5', "trick cannot be 5"),
        ('"trick": ["AS", "AS"]', "too many AS in hand and trick"),
        ('"broken": "no"', 'broken cannot be "no"'),
        ('"broken": null', "broken cannot be null"),
        ('"phase": "stock"', "no stock phase"),
        ('"phase": {"a": 1}', "phase cannot be"),
    ],
)
def test_an_invalid_field_of_a_legal_query_is_named(
    acesaround: Command, more: str, said: str
) -> None:
    question = f'{{"trump": "H", "hand": ["AS"], {more}}}'.encode()
    answer = acesaround("legal", "--variant", "partnership", "-", stdin=question)
    assert said in json.loads(answer.out)["error"]


def test_options_are_defaults_for_fields_of_queries(acesaround: Command) -> None:
    asked = b'{"hand": ["AS", "TH"]}\n{"hand": ["AS", "TH"], "trump": "S", "broken": true}\n'
    answer = acesaround(
        "legal", "--variant", "five-card", "--trump", "H", "--unbroken", "-", stdin=asked
    )
    assert [json.loads(line)["legal"] for line in answer.out.splitlines()] == [
        ["AS"],
        ["AS", "TH"],
    ]


def test_a_query_that_is_too_long_is_refused_after_the_others(
    acesaround: Command,
) -> None:
    good = b'{"trump": "H", "hand": ["AS"]}\n'
    answer = acesaround("meld", "--variant", "partnership", "-", stdin=good + b" " * (2 << 20))
    assert answer.status == 1
    assert len(answer.out.splitlines()) == 1
    assert "A line is too long" in the_line(answer.err)


def test_empty_input_gets_no_answers(acesaround: Command) -> None:
    assert acesaround("meld", "--variant", "partnership", "-") == Answer(0, "", "")


# Simulation


def test_the_same_seed_gives_the_same_bytes(
    acesaround: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--games", "3", "--option", "hands=1")
    first = simulated(tmp_path / "first", "two-handed", *words, "--seed", "5")
    printed = capsys.readouterr().out
    again = simulated(tmp_path / "again", "two-handed", *words, "--seed", "5")
    assert capsys.readouterr().out == printed
    other = simulated(tmp_path / "other", "two-handed", *words, "--seed", "6")
    assert first == again != other
    assert len(first.splitlines()) == 3


def test_simulate_prints_games_deals_and_sides(acesaround: Command) -> None:
    answer = acesaround(
        *("simulate", "three-handed", "--games", "6", "--bots", "random"),
        *("--option", "hands=2", "--max-deals", "1"),
    )
    head, _, *sides = answer.out.splitlines()
    assert head.startswith("three-handed: 6 games, 6 deals, ")
    assert head.endswith(", seed 0, 6 unfinished")
    assert [line.split()[:3] for line in sides] == [[s, "random", "0"] for s in "012"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_recorded_games_are_valid_and_round_trip_through_text(
    acesaround: Command, tmp_path: Path, variant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, text = tmp_path / "games.jsonl", tmp_path / "games.txt"
    written = simulated(path, variant, "--games", "2", "--option", "hands=2", "--seed", "9")
    capsys.readouterr()
    verified = acesaround("replay", str(path))
    assert verified.status == 0
    assert verified.out.count("every action and score holds\n") == 2
    assert acesaround("replay", "--json", str(path)).out.encode() == written
    text.write_text(acesaround("replay", "--show", str(path)).out, encoding="utf-8")
    assert acesaround("replay", "--json", str(text)).out.encode() == written
    assert acesaround("replay", "--show", "-", stdin=written).out == text.read_text("utf-8")


COUNT_RECORDS_PROGRAM = """
import gc, os, sys
from acesaround import cli, simulate
from acesaround.record.model import GameRecord

alive, play = [], simulate.play_games

def watched(*given, **more):
    for game in play(*given, **more):
        gc.collect()
        alive.append(sum(type(thing) is GameRecord for thing in gc.get_objects()))
        yield game

simulate.play_games = watched
words = ["simulate", "five-card", "--games", "6", "--bots", "random", "--option", "hands=1"]
status = cli.main([*words, "--record", os.devnull])
print(*alive)
sys.exit(status)
"""


def test_games_are_not_kept_in_memory() -> None:
    """At most the two latest records are in memory."""
    with program("-c", COUNT_RECORDS_PROGRAM, stdout=-1) as run:
        status, out, _ = ended(run)
    assert status == 0
    assert out.decode().splitlines()[-1] == "1 2 2 2 2 2"


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("", "Is a directory"),
        ("none/games", "No such file or directory"),
        ("file/games", "Not a directory"),
        ("loop", "Too many levels of symbolic links"),
        ("x" * 300, "File name too long"),
    ],
)
def test_a_path_that_cannot_be_written_is_refused(
    acesaround: Command, tmp_path: Path, place: str, said: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    words = ("simulate", "partnership", "--games", "1", "--bots", "random", "--record")
    refusal = acesaround.refuses(*words, str(tmp_path / place))
    assert refusal == f"acesaround: {tmp_path / place}: {said}."
    assert {path.name for path in tmp_path.iterdir()} == {"file", "loop"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_reported_in_one_line(acesaround: Command) -> None:
    words = ("simulate", "partnership", "--games", "9", "--bots", "random", "--record")
    assert "No space left" in acesaround.refuses(*words, "/dev/full")


def test_an_interrupted_recording_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("before")
    words = ("simulate", "two-handed", "--games", "1000000", "--bots", "random")
    with running(*words, "--record", str(path), stdout=-1, stderr=-1) as run:
        wait_until(lambda: list(tmp_path.glob(".*.part")) or run.poll() is not None)
        run.send_signal(signal.SIGINT)
        status, out, err = ended(run)
    assert (status, out) == (130, b"")
    assert the_line(err.decode()) == "acesaround: interrupted."
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_during_imports_is_one_line() -> None:
    code = (
        "import os, signal, sys\n"
        "class Meanwhile:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'acesaround.cli.solve':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Meanwhile())\n"
        "from acesaround.cli import main\n"
        "sys.exit(main())"
    )
    with program("-c", code, "variants", stdout=-1, stderr=-1) as run:
        assert ended(run) == (130, b"", b"acesaround: interrupted.\n")


# Failing bots


FAILING_BOT = "cmd:" + shlex.join([sys.executable, "-c", "pass"])  # ends at once


@pytest.mark.parametrize(
    ("bots", "status"), [(FAILING_BOT, 1), (f"random,{FAILING_BOT}", 1), ("random", 0)]
)
def test_a_bot_that_fails_every_decision_sets_status_1(
    acesaround: Command, bots: str, status: int
) -> None:
    words = ("simulate", "five-card", "--players", "2", "--games", "1", "--option", "hands=1")
    answer = acesaround(*words, "--bots", bots)
    assert answer.status == status
    assert answer.out.startswith("five-card: 1 game, ")
    assert ("does not run" in answer.err) == bool(status)


def test_a_bot_with_one_valid_decision_is_only_warned_about(
    acesaround: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Action] = []

    def choose(self: RandomBot, _view: object, decision: Decision) -> Action:
        done.append(decision.legal.sample(self._rng))
        return done[-1] if len(done) == 3 else PASS

    monkeypatch.setattr(RandomBot, "choose", choose)
    words = ("simulate", "two-handed", "--games", "1", "--bots", "random", "--option", "hands=1")
    answer = acesaround(*words)
    assert answer.status == 0
    assert "The safest action was played instead" in the_line(answer.err)


# Broken standard output and input


def test_a_closed_pipe_ends_a_command_with_status_141(tmp_path: Path) -> None:
    many = tmp_path / "many.txt"
    many.write_text((golden("double-deck")).read_text("utf-8") * 50, encoding="utf-8")
    with running("replay", "--show", str(many), stdout=-1, stderr=-1) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == f"{FORMAT} double-deck\n".encode()
        run.stdout.close()
        run.stdout = None
        assert ended(run) == (141, b"", b"")


EVERY_COMMAND = (
    ["--help"],
    ["arena", "--help"],
    ["--version"],
    ["variants"],
    ["rules", "double-deck"],
    ["meld", "--variant", "partnership", "--trump", "H", "AS"],
    ["legal", "--variant", "partnership", "--trump", "H", "--hand", "AS"],
    ["simulate", "five-card", "--games", "1", "--bots", "random", "--option", "hands=1"],
    ["simulate", "partnership", "--fast", "--deals", "2000", "--threads", "1"],
    [
        "arena",
        "five-card",
        "random",
        "random",
        "--deals",
        "2",
        "--single-deals",
        "--processes",
        "1",
    ],
    ["replay", str(golden("partnership"))],
    ["replay", str(golden("partnership")), "--show"],
    ["solve", str(golden("partnership")), "--deal", "1", "--trick", "11"],
)


PROCESS_COMMANDS = {
    ("--help",): "",  # argparse exits itself
    ("simulate", "five-card", "--games", "1", "--bots", "random", "--option", "hands=1"): "1",
    ("replay", str(golden("partnership")), "--show"): "",
    ("solve", str(golden("partnership")), "--deal", "1", "--trick", "11"): "1",
}
"""Commands that also run as processes, each with its value of PYTHONUNBUFFERED."""
AS_PROCESS = pytest.mark.parametrize(
    ("words", "unbuffered"),
    PROCESS_COMMANDS.items(),
    ids=lambda given: " ".join(given) or "buffered",
)
EVERY = pytest.mark.parametrize("words", EVERY_COMMAND, ids=" ".join)
BUFFERED = pytest.mark.parametrize("buffered", [True, False])
FULL = Path("/dev/full")
IF_FULL = pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")


@contextmanager
def stdout_to(
    file: int | Path, patch: pytest.MonkeyPatch, *, buffered: bool = True
) -> Iterator[None]:
    """Replace standard output with a file, buffered or not as with PYTHONUNBUFFERED."""
    raw = open(file, "wb", buffering=-1 if buffered else 0)  # noqa: SIM115 - closed below
    out = io.TextIOWrapper(raw, encoding="utf-8", write_through=not buffered)
    with patch.context() as patched:
        patched.setattr("sys.stdout", out)
        yield
    out.close()


@EVERY
@BUFFERED
def test_a_pipe_without_reader_ends_every_command_silently(
    acesaround: Command, words: list[str], buffered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody, pipe = os.pipe()
    os.close(nobody)
    with stdout_to(pipe, monkeypatch, buffered=buffered):
        answer = acesaround(*words)
    assert answer == Answer(141, "", "")


@AS_PROCESS
def test_a_pipe_without_reader_ends_a_process_silently(
    words: tuple[str, ...], unbuffered: str
) -> None:
    nobody, pipe = os.pipe()
    os.close(nobody)
    try:
        with running(*words, stdout=pipe, stderr=-1, env={"PYTHONUNBUFFERED": unbuffered}) as run:
            assert ended(run) == (141, b"", b"")
    finally:
        os.close(pipe)


@IF_FULL
@EVERY
@BUFFERED
def test_a_full_output_device_is_one_line_for_every_command(
    acesaround: Command, words: list[str], buffered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stdout_to(FULL, monkeypatch, buffered=buffered):
        answer = acesaround(*words)
    assert answer.status == 1
    assert the_line(answer.err) == "acesaround: No space left on device."


@IF_FULL
@AS_PROCESS
def test_a_full_output_device_is_one_line_for_a_process(
    words: tuple[str, ...], unbuffered: str
) -> None:
    environment = {"PYTHONUNBUFFERED": unbuffered}
    with FULL.open("wb") as full, running(*words, stdout=full, stderr=-1, env=environment) as run:
        status, _, err = ended(run)
    assert status == 1
    assert the_line(err.decode()) == "acesaround: No space left on device."


@EVERY
def test_every_command_prints_ascii_on_an_ascii_terminal(
    acesaround: Command, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.BytesIO()
    with monkeypatch.context() as patched:
        patched.setattr("sys.stdout", io.TextIOWrapper(out, encoding="ascii", write_through=True))
        answer = acesaround(*words)
        printed = out.getvalue()
    assert (answer.status, answer.err) == (0, "")
    assert printed
    assert printed.isascii()
    assert b"\\u" not in printed


@AS_PROCESS
def test_a_process_prints_ascii_on_an_ascii_terminal(
    words: tuple[str, ...], unbuffered: str
) -> None:
    plain = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    with running(*words, stdout=-1, stderr=-1, env=plain) as run:
        status, out, err = ended(run)
    assert (status, err) == (0, b"")
    assert out
    assert out.isascii()
    assert b"\\u" not in out


def test_suits_are_letters_on_an_ascii_terminal() -> None:
    with running("rules", "partnership", stdout=-1, env={"PYTHONIOENCODING": "ascii"}) as run:
        assert b"| pinochle | QS JD |" in ended(run)[1]


def test_closed_standard_error_keeps_the_status() -> None:
    shell = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-m", "acesaround"]
    for words, status in ((["replay", "/nowhere"], 1), (["nonsense"], 2)):
        done = subprocess.run([*shell, *words], env=ENVIRONMENT, stdout=-1, check=False)
        assert (done.returncode, done.stdout) == (status, b"")


def test_closed_standard_streams_are_refused_without_a_traceback() -> None:
    shell = ["sh", "-c", 'exec "$@" <&- >&-', "sh", sys.executable, "-m", "acesaround"]
    done = subprocess.run([*shell, "variants"], env=ENVIRONMENT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    for words in (["meld", "--variant", "partnership", "-"], ["replay", "-"]):
        done = subprocess.run([*shell, *words], env=ENVIRONMENT, capture_output=True, check=False)
        assert done.returncode == 1
        assert "standard input is closed" in the_line(done.stderr.decode())


# Practice


def test_practice_asks_answers_and_counts(acesaround: Command) -> None:
    position = find_position(json.loads(one_position(acesaround))["id"])
    assert position is not None
    right = position.choices.index(position.best) + 1
    wrong = next(at for at, one in enumerate(position.choices, 1) if not one.is_right)
    for number, told, row in (
        (right, "Right.", "all                    1      0"),
        (wrong, "Wrong: it lowers ", "all                    0      1"),
    ):
        stdin = f"x\n{number}\n".encode()
        answer = acesaround("practice", "--seed", "1", "--count", "1", stdin=stdin)
        assert answer.status == 0
        assert "That is no choice: type a number from 1 to" in answer.out
        assert told in answer.out
        assert row in answer.out


def one_position(acesaround: Command, *words: str) -> str:
    """Return the line of JSON with the first position."""
    return acesaround("practice", "--json", "--count", "1", "--seed", "1", *words).out


def test_practice_ends_with_the_input(acesaround: Command) -> None:
    for stdin in (b"", b"q\n"):
        answer = acesaround("practice", "--seed", "1", stdin=stdin)
        assert answer.status == 0
        assert "right" not in answer.out


def test_practice_prints_positions_of_a_theme_and_variant(acesaround: Command) -> None:
    answer = acesaround("practice", "--json", "--variant", "two-handed", "--count", "3")
    printed = [json.loads(line) for line in answer.out.splitlines()]
    assert len({one["id"] for one in printed}) == 3
    assert {one["variant"] for one in printed} == {"two-handed"}
    told = json.loads(one_position(acesaround, "--theme", "forcing"))
    assert told["theme"] == "forcing"
    assert any(choice["is_right"] for choice in told["choices"])


def test_practice_refuses_what_it_does_not_have(acesaround: Command) -> None:
    assert "'luck' is not a theme: expected one of bidding," in acesaround.refuses(
        "practice", "--theme", "luck"
    )
    assert "'whist'" in acesaround.refuses("practice", "--variant", "whist")
    assert acesaround.refuses("practice", "--theme", "melding") == (
        "acesaround: There is no position of that theme in that variant."
    )
