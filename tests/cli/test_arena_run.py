"""The command `acesaround arena`: what it prints, writes and refuses."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from acesaround.bots.random_bot import RandomBot
from acesaround.record import read_games, verify
from acesaround.record.model import GameRecord
from tests.arena.fixtures import ScriptedBot, register_bot
from tests.cli_runner import Command, process
from tests.waiting import PATIENCE_SECONDS, wait_until

MATCH = ("arena", "partnership", "thumb", "random", "--deals", "12")


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


def without_times(printed: str) -> Any:
    found = json.loads(printed)
    for bot in ("a", "b"):
        for times in found[bot]["times"].values():
            del times["mean"], times["p95"], times["longest"]
    return found


def test_a_match_is_printed_in_short_lines(acesaround: Command) -> None:
    answer = acesaround(*MATCH, "--processes", "1")
    assert (answer.status, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert re.fullmatch(
        r"partnership, 4 players: \d games in 2 seatings each, \d+ deals in all, seed 0", lines[0]
    )
    assert lines[1:3] == ["A: thumb", "B: random"]
    for label in ("points a deal", "of 250 in play", "games won", "bids", "A play", "B bid"):
        assert any(line.startswith(label) for line in lines), label
    assert max(map(len, lines)) < 80
    assert all(line == line.rstrip() for line in lines)


def test_the_number_of_processes_does_not_change_results(acesaround: Command) -> None:
    one = acesaround(*MATCH, "--json", "--processes", "1")
    two = acesaround(*MATCH, "--json", "--processes", "2")
    assert without_times(one.out) == without_times(two.out)
    other = acesaround(*MATCH, "--json", "--processes", "1", "--seed", "1")
    assert without_times(one.out)["points"] != without_times(other.out)["points"]


def test_json_has_the_settings_and_results(acesaround: Command) -> None:
    found = json.loads(
        acesaround(
            *("arena", "three-handed", "thumb", "random", "--deals", "3", "--play-only", "random"),
            *("--json", "--processes", "1", "--seed", "-4", "--option", "target=500"),
        ).out
    )
    assert (found["variant"], found["players"], found["options"]) == (
        *("three-handed", 3),
        {"target": 500},
    )
    assert (found["play"], found["before"], found["seed"]) == ("cards", "random", -4)
    assert (found["boards"], found["seatings"], found["deals"]) == (3, 6, 18)
    assert (found["complete"], found["games"]) == (True, None)
    assert found["a"]["name"] == "thumb"
    assert set(found["points"]) == {"difference", "a", "b"}


def test_out_resumes_a_match_and_repeats_a_finished_one(
    acesaround: Command, tmp_path: Path
) -> None:
    path = tmp_path / "match.jsonl"
    words = (*MATCH, "--json", "--processes", "1", "--out", str(path))
    whole = acesaround(*words).out
    assert acesaround(*words).out == whole  # with its times: nothing is played again
    written = path.read_bytes()
    path.write_bytes(written[: len(written) * 2 // 3])
    again = acesaround(*words)
    assert again.status == 0
    assert without_times(again.out) == without_times(whole)
    assert "belongs to another match: seed" in acesaround.refuses(*words, "--seed", "1")


def test_records_of_a_match_are_valid_and_have_the_same_hands(
    acesaround: Command, tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    answer = acesaround(*MATCH, "--record", str(path), "--processes", "2", "--json")
    games = list(read_games(path))
    found = json.loads(answer.out)
    assert len(games) == found["boards"] * found["seatings"]
    for number, game in enumerate(games):
        assert isinstance(game, GameRecord)
        assert verify(game) == []
        seats = ["bot:random", "bot:thumb"] if number % 2 else ["bot:thumb", "bot:random"]
        assert [seat.name for seat in game.seats] == seats * 2
        for first, second in zip(games[::2], games[1::2], strict=True):
            assert isinstance(first, GameRecord)
            assert isinstance(second, GameRecord)
            assert first.deals[0].hands == second.deals[0].hands


@pytest.mark.parametrize(
    ("form", "words"), [("png", ()), ("svg", ("--single-deals", "--deals", "1"))]
)
def test_plot_writes_png_and_svg(
    acesaround: Command, tmp_path: Path, form: str, words: tuple[str, ...]
) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"match.{form}"
    assert acesaround(*MATCH, *words, "--plot", str(path), "--processes", "1").status == 0
    drawn = path.read_bytes()
    assert drawn.startswith(b"\x89PNG" if form == "png" else b"<?xml")
    if form == "svg":
        assert b"A less B, with the 95% interval" in drawn


def test_failures_of_a_bot_are_printed(
    acesaround: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ValueError("I am lost")

    register_bot(monkeypatch, "odd", lambda _: ScriptedBot(fails))
    answer = acesaround(
        *("arena", "two-handed", "odd", "odd"),
        *("--deals", "1", "--single-deals", "--processes", "1"),
    )
    assert answer.status == 1  # every decision failed
    (line,) = [line for line in answer.out.splitlines() if line.startswith("A raised")]
    assert re.fullmatch(
        r"A raised, \d+ times\. First: The bot 'odd' failed: ValueError: I am lost\.", line
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["arena"], "VARIANT"),
        (["arena", "partnership", "thumb"], "B"),
        (["arena", "pinochle", "thumb", "thumb"], "'pinochle' is not a variant"),
        (["arena", "partnership", "thumb", "tumb"], "'tumb' is not a bot"),
        (["arena", "partnership", "thumb", "thumb:x=1"], "has no option 'x'"),
        ([*MATCH, "--deals", "0"], "--deals: 0 is less than 1"),
        ([*MATCH, "--processes", "0"], "--processes: 0 is less than 1"),
        ([*MATCH, "--time-limit", "0"], "--time-limit"),
        ([*MATCH, "--single-deals", "--play-only"], "not allowed with"),
        ([*MATCH, "--play-only", "nobody"], "'nobody' is not a bot"),
        ([*MATCH, "--single-deals", "--max-deals", "3"], "--max-deals applies only to whole games"),
        (
            [*MATCH, "--dask-scheduler", "x", "--processes", "2"],
            "--processes applies only to this machine",
        ),
        ([*MATCH, "--plot", "match.gif"], "must end in .png or .svg"),
        ([*MATCH, "--out", "a", "--record", "b"], "leave out --out"),
        ([*MATCH, "--out", "/nowhere/at/all"], "/nowhere/at/all: No such file"),
        ([*MATCH, "--players", "3"], "takes 4 players"),
    ],
)
def test_invalid_arguments_are_refused(
    acesaround: Command,
    words: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in acesaround.refuses(*words)
    assert list(tmp_path.iterdir()) == []


def test_an_unreachable_cluster_is_refused(acesaround: Command) -> None:
    pytest.importorskip("distributed")
    assert "There is no cluster at 'nowhere'" in acesaround.refuses(
        *MATCH, "--dask-scheduler", "nowhere"
    )


def complete_boards(path: Path) -> int:
    """Return how many boards are complete up to the first incomplete one."""
    lines = path.read_bytes().split(b"\n")[1:-1] if path.exists() else []
    over = {(leg["board"], leg["seating"]) for leg in map(json.loads, lines)}
    return next(n for n in range(len(over) + 1) if not {(n, 0), (n, 1)} <= over)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_interrupt_prints_the_results_so_far(tmp_path: Path, processes: int) -> None:
    path = tmp_path / "match.jsonl"
    words = ("arena", "partnership", "thumb", "random", "--deals", "1000000", "--json")
    more = ("--processes", str(processes), "--out", str(path))
    with process(
        *words, *more, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as running:
        wait_until(lambda: complete_boards(path) >= 3, "three boards are over")
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE_SECONDS)
    assert (running.returncode, err) == (130, b"")
    found = json.loads(out)
    assert found["complete"] is False
    assert found["boards"] >= 3
    assert path.read_bytes().endswith(b"\n")


def test_an_interrupt_without_results_prints_one_line(
    acesaround: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    register_bot(monkeypatch, "odd", lambda _: ScriptedBot(interrupted))
    words = ("arena", "partnership", "odd", "thumb", "--processes", "1")
    answer = acesaround(*words)
    assert (answer.status, answer.out) == (130, "")
    assert answer.err == "acesaround: interrupted.\n"


def test_an_interrupted_match_is_plotted(
    acesaround: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    bots: list[RandomBot] = []

    def make(rng: random.Random) -> RandomBot:
        bots.append(RandomBot(rng))
        if len(bots) == 20:
            raise KeyboardInterrupt
        return bots[-1]

    register_bot(monkeypatch, "odd", make)
    path = tmp_path / "match.svg"
    answer = acesaround(
        *("arena", "partnership", "odd", "thumb", "--single-deals", "--processes", "1"),
        *("--plot", str(path)),
    )
    assert answer.status == 130
    assert "The match was stopped; these are the results so far." in answer.out.splitlines()
    assert path.exists()


def test_a_small_match_loads_no_optional_packages() -> None:
    code = (
        "import sys\nfrom acesaround.cli import main\n"
        "main(['arena', 'partnership', 'thumb', 'random', '--deals', '2', '--processes', '1'])\n"
        "print(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "acesaround.cli.arena_run" in loaded
    assert not {"numpy", "numba", "matplotlib", "distributed", "textual"} & loaded
